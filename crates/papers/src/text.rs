//! A report for the terminal: each experiment with its tables, its claims and over which settings they hold.

use muster_report::paint::Paint;
use muster_report::table::{Align, Table};

use crate::claim::{Claim, Kind, Printed, Verdict};
use crate::report::{Experiment, Parameter, Report};

/// No line of prose is longer.
const WIDTH: usize = 110;

/// The whole report.
#[must_use]
pub fn report(report: &Report, paint: Paint) -> String {
    let head = format!("{}\n{}\n\n", paint.strong(report.title), paint.faint(report.source));
    let all: String = report.experiments.iter().map(|it| experiment(it, paint)).collect();
    let warning = "(a quick run: too few and too short runs for the verdicts to mean anything)\n";
    let foot = if report.conclusive { "" } else { warning };
    format!("{head}{all}{}{foot}", tally(report))
}

/// How many claims had which verdict.
fn tally(report: &Report) -> String {
    let verdicts = [Verdict::Reproduced, Verdict::Direction, Verdict::NotReproduced, Verdict::NotTestable];
    let count = |verdict| report.claims().filter(|(_, claim)| claim.verdict == verdict).count();
    let parts: Vec<String> =
        verdicts.iter().map(|verdict| format!("{} {verdict}", count(*verdict))).collect();
    format!("{} claims: {}\n", report.claims().count(), parts.join(", "))
}

fn experiment(it: &Experiment, paint: Paint) -> String {
    let mut out = format!("{}\n{}\n", paint.strong(&it.title), wrap(&it.about, 0));
    out += &parameters(&it.parameters, paint);
    for table in &it.tables {
        out += &format!("\n{}", table.text(paint));
    }
    out += "\n";
    out += &it.claims.iter().map(claim).collect::<String>();
    out + "\n"
}

fn parameters(all: &[Parameter], paint: Paint) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut table = Table::new()
        .column("parameter", Align::Left)
        .column("value", Align::Left)
        .column("from", Align::Left)
        .column("", Align::Left);
    for it in all {
        table.row([it.name.as_str(), &it.value, it.from.name(), &it.note]);
    }
    format!("\n{}", table.render(0, paint))
}

fn claim(it: &Claim) -> String {
    let mut out = format!("{:<15} {}: {}\n", it.verdict.name(), it.stated.id, it.stated.says);
    let numbers: Vec<String> = [
        it.stated
            .printed
            .map(|printed| format!("paper {} ({})", printed_words(printed, it.stated.kind), printed.place)),
        it.ours.map(|_| format!("ours {}", ours_words(it))),
    ]
    .into_iter()
    .flatten()
    .collect();
    let held = it.held.as_ref().map(|held| format!("Holds with {}.", held.words()));
    let note = (!it.note.is_empty()).then(|| it.note.clone());
    let numbers = (!numbers.is_empty()).then(|| numbers.join(", ") + ".");
    let rest: Vec<String> = [numbers, held, note].into_iter().flatten().collect();
    if !rest.is_empty() {
        out += &format!("{}\n", wrap(&rest.join(" "), 16));
    }
    out
}

/// The paper's number in words: `1.17x`, `5 to 8x`.
#[must_use]
pub fn printed_words(printed: Printed, kind: Kind) -> String {
    if printed.high == f64::INFINITY {
        return format!("more than {}", number(printed.low, kind));
    }
    if printed.low == printed.high {
        number(printed.low, kind)
    } else {
        format!("{} to {}", short(printed.low), number(printed.high, kind))
    }
}

/// Our number in words, with its interval.
#[must_use]
pub fn ours_words(claim: &Claim) -> String {
    let Some(ours) = claim.ours else { return "–".to_owned() };
    let (low, high) = ours.ends();
    if !ours.half.is_finite() {
        return number(ours.mean, claim.stated.kind);
    }
    format!("{} ({} to {})", number(ours.mean, claim.stated.kind), short(low), short(high))
}

fn number(value: f64, kind: Kind) -> String {
    match kind {
        Kind::Factor => format!("{}x", short(value)),
        Kind::Number("") => short(value),
        Kind::Number(unit) => format!("{} {unit}", short(value)),
    }
}

/// Three digits.
fn short(value: f64) -> String {
    muster_report::number::significant(value, 3)
}

/// Lines of at most [`WIDTH`] letters, each after so many spaces.
fn wrap(text: &str, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH - indent => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let space = " ".repeat(indent);
    lines.iter().map(|line| format!("{space}{line}")).collect::<Vec<_>>().join("\n")
}
