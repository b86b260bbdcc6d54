//! A report as a page: verdicts at a glance, then each experiment with its tables, claims and charts.

use muster_report::html::{Page, Section, Tile};
use muster_report::number::Unit;
use muster_report::sheet::{Cell, Sheet};

use crate::claim::{Claim, Verdict};
use crate::report::{Experiment, Parameter, Report};
use crate::text::{ours_words, printed_words};

/// The page as text.
#[must_use]
pub fn html(report: &Report) -> String {
    let quick = "A quick run: too few and too short runs for the verdicts to mean anything.";
    let lead = if report.conclusive { lead(report) } else { quick.to_owned() };
    let start = Page::new(report.title).subtitle(report.source).lead(&lead).section(verdicts(report));
    let page = report.experiments.iter().map(experiment).fold(start, Page::section);
    let how = format!("Made by: muster reproduce {} --html FILE. All chance is seeded.", report.paper);
    page.footer(&how).render()
}

fn count(report: &Report, verdict: Verdict) -> usize {
    report.claims().filter(|(_, claim)| claim.verdict == verdict).count()
}

fn lead(report: &Report) -> String {
    let tested = report.claims().count() - count(report, Verdict::NotTestable);
    format!(
        "Of {} claims, {tested} can be tested here: {} come out near the paper's number, {} in direction only, {} not.",
        report.claims().count(),
        count(report, Verdict::Reproduced),
        count(report, Verdict::Direction),
        count(report, Verdict::NotReproduced),
    )
}

fn verdicts(report: &Report) -> Section {
    let tiles = [
        (Verdict::Reproduced, "near the paper's number"),
        (Verdict::Direction, "on the paper's side; another size, or none given"),
        (Verdict::NotReproduced, "does not come out here"),
        (Verdict::NotTestable, "the paper does not give enough"),
    ];
    let tile = |(verdict, note): (Verdict, &str)| {
        Tile::new(verdict.name(), &count(report, verdict).to_string()).note(note)
    };
    Section::new("Verdicts").tiles(tiles.map(tile))
}

fn experiment(it: &Experiment) -> Section {
    let mut section = Section::new(&it.title).text(&it.about).table(claims(&it.claims));
    for table in &it.tables {
        section = section.table(table.clone());
    }
    for (figure, caption) in &it.figures {
        section = section.figure(figure.clone(), caption);
    }
    let notes = it.claims.iter().filter(|claim| !claim.note.is_empty());
    let notes: Vec<String> = notes.map(|claim| format!("{}: {}", claim.stated.id, claim.note)).collect();
    let section = if notes.is_empty() { section } else { section.list(notes) };
    if it.parameters.is_empty() { section } else { section.table(parameters(&it.parameters)) }
}

fn claims(all: &[Claim]) -> Sheet {
    let sheet = Sheet::new("claim")
        .caption("Claims")
        .column("what it says", Unit::Plain)
        .column("paper", Unit::Plain)
        .column("ours (95 %)", Unit::Plain)
        .column("verdict", Unit::Plain)
        .column("holds with", Unit::Plain);
    let paper = |claim: &Claim| claim.stated.printed.map(|printed| printed_words(printed, claim.stated.kind));
    all.iter().fold(sheet, |sheet, claim| {
        let held = claim.held.as_ref().map(crate::sweep::Held::words);
        let cells: [Cell; 5] = [
            claim.stated.says.into(),
            paper(claim).into(),
            ours_words(claim).into(),
            claim.verdict.name().into(),
            held.into(),
        ];
        sheet.row(claim.stated.id, cells)
    })
}

fn parameters(all: &[Parameter]) -> Sheet {
    let sheet = Sheet::new("parameter")
        .caption("What the paper gives, what its figures imply, and what is ours")
        .column("value", Unit::Plain)
        .column("from", Unit::Plain)
        .column("note", Unit::Plain);
    all.iter()
        .fold(sheet, |sheet, it| sheet.row(&it.name, [it.value.as_str(), it.from.name(), it.note.as_str()]))
}
