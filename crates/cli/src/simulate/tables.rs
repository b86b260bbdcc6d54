//! A study as tables: the same for the terminal and for the report.

use muster_report::interval::Interval as Shown;
use muster_report::number::Unit;
use muster_report::paint::Paint;
use muster_report::sheet::{Best, Cell, Sheet};
use muster_sim::measure::{Better, Measure, Scope, Unit as Of};
use muster_sim::model::Scenario;
use muster_sim::study::{Interval, Study, Together};

/// Measures that belong together, with a heading.
const GROUPS: [(&str, &[Measure]); 4] = [
    (
        "Waiting",
        &[
            Measure::Throughput,
            Measure::WaitMean,
            Measure::WaitP50,
            Measure::WaitP95,
            Measure::WaitP99,
            Measure::Queue,
            Measure::GaveUp,
        ],
    ),
    (
        "Cost",
        &[
            Measure::Cost,
            Measure::CostAnswers,
            Measure::CostWaiting,
            Measure::CostTraining,
            Measure::CostMachines,
            Measure::CostPerAnswer,
        ],
    ),
    (
        "Crowd",
        &[
            Measure::Size,
            Measure::Recommended,
            Measure::SizeGap,
            Measure::IdleShare,
            Measure::Joined,
            Measure::Left,
            Measure::Moved,
        ],
    ),
    (
        "Fairness and ease",
        &[
            Measure::Fairness,
            Measure::Slowdown,
            Measure::ResponseMean,
            Measure::SwitchesJob,
            Measure::SwitchesApp,
            Measure::Preference,
            Measure::Expired,
            Measure::Patience,
        ],
    ),
];

const OF_TENANT: &[Measure] = &[
    Measure::Share,
    Measure::Throughput,
    Measure::WaitMean,
    Measure::WaitP95,
    Measure::Slowdown,
    Measure::GaveUp,
];

const OF_POOL: &[Measure] = &[
    Measure::Throughput,
    Measure::WaitMean,
    Measure::WaitP95,
    Measure::Queue,
    Measure::Size,
    Measure::Recommended,
    Measure::IdleShare,
];

/// What variants are compared by.
pub(super) const COMPARED: &[Measure] = &[
    Measure::Throughput,
    Measure::WaitMean,
    Measure::WaitP95,
    Measure::GaveUp,
    Measure::Cost,
    Measure::CostWaiting,
    Measure::CostPerAnswer,
    Measure::IdleShare,
    Measure::SizeGap,
    Measure::SwitchesJob,
    Measure::Fairness,
    Measure::Slowdown,
    Measure::Preference,
    Measure::Patience,
];

/// The unit in which a measure is shown.
pub(super) fn unit(measure: Measure, currency: &str) -> Unit {
    match measure.unit() {
        Of::Seconds => Unit::Seconds,
        Of::PerHour => Unit::Of("/h".to_owned()),
        Of::MoneyPerHour => Unit::Of(format!("{currency}/h")),
        Of::Money => Unit::Of(currency.to_owned()),
        Of::Share => Unit::Share,
        Of::Count | Of::Plain => Unit::Plain,
        Of::PerHundred => Unit::Of("of 100".to_owned()),
    }
}

/// An interval as it is shown; one run alone has none.
pub(super) fn shown(interval: Interval) -> Shown {
    if interval.half.is_finite() {
        Shown::new(interval.mean, interval.half)
    } else {
        Shown::exact(interval.mean)
    }
}

/// A row of a table: its name, whose numbers, and of what.
type Named<'a> = (String, &'a Together, Scope);

fn sheet(names: &str, measures: &[Measure], rows: &[Named<'_>], currency: &str) -> Option<Sheet> {
    let value = |row: &Named<'_>, measure: Measure| row.1.interval(row.2, measure);
    // What is not there, or is nothing everywhere, is left out.
    let is_told = |measure: &&Measure| {
        rows.iter().any(|row| {
            value(row, **measure).is_some_and(|found| found.mean != 0.0 || shown(found).half > 0.0)
        })
    };
    let told: Vec<Measure> = measures.iter().filter(is_told).copied().collect();
    let mut sheet = Sheet::new(names);
    for measure in &told {
        sheet = sheet.column(measure.label(), unit(*measure, currency));
        sheet = match measure.better() {
            Better::Less if rows.len() > 1 => sheet.best(Best::Low),
            Better::More if rows.len() > 1 => sheet.best(Best::High),
            _ => sheet,
        };
    }
    for row in rows {
        let cells = told.iter().map(|measure| Cell::from(value(row, *measure).map(shown)));
        sheet = sheet.row(&row.0, cells);
    }
    (!told.is_empty()).then_some(sheet)
}

/// All tables with their headings.
pub(super) fn sheets(scenario: &Scenario, made: &Study) -> Vec<(String, Sheet)> {
    let named = scenario.variants.iter().zip(&made.variants);
    let variants: Vec<Named<'_>> =
        named.clone().map(|(variant, together)| (variant.name.clone(), together, Scope::All)).collect();
    let mut all: Vec<(String, Sheet)> = Vec::new();
    for (heading, measures) in GROUPS {
        all.extend(
            sheet("variant", measures, &variants, &scenario.currency)
                .map(|sheet| (heading.to_owned(), sheet)),
        );
    }
    all.extend(differences(scenario, made));
    let setup = &scenario.variants[0].setup;
    let tenants: Vec<(String, Scope)> =
        setup.tenants.iter().enumerate().map(|(i, tenant)| (tenant.name.clone(), Scope::Tenant(i))).collect();
    let pools: Vec<(String, Scope)> =
        setup.pools.iter().enumerate().map(|(i, pool)| (pool.name.clone(), Scope::Pool(i))).collect();
    for (heading, names, measures, scopes) in
        [("Tenants", "tenant", OF_TENANT, tenants), ("Pools", "pool", OF_POOL, pools)]
    {
        if scopes.len() < 2 {
            continue;
        }
        for (variant, together) in named.clone() {
            let rows: Vec<Named<'_>> =
                scopes.iter().map(|(name, scope)| (name.clone(), together, *scope)).collect();
            let made = sheet(names, measures, &rows, &scenario.currency);
            all.extend(made.map(|sheet| (format!("{heading}: {}", variant.name), sheet)));
        }
    }
    all
}

/// How the variants differ from the first, run by run.
fn differences(scenario: &Scenario, made: &Study) -> Option<(String, Sheet)> {
    let (base, others) = made.variants.split_first()?;
    if others.is_empty() || made.replications < 2 {
        return None;
    }
    let names = scenario.variants.iter().skip(1);
    let mut sheet =
        names.fold(Sheet::new("measure"), |sheet, variant| sheet.column(&variant.name, Unit::Plain));
    for measure in COMPARED {
        let cells: Vec<String> =
            others.iter().map(|other| difference(other, base, *measure, &scenario.currency)).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            sheet = sheet.row(measure.label(), cells);
        }
    }
    let heading = format!("Differences to '{}'", scenario.variants[0].name);
    Some((
        heading,
        sheet.caption("Run by run, with the same people and the same work. After = it may be chance."),
    ))
}

fn difference(other: &Together, base: &Together, measure: Measure, currency: &str) -> String {
    let Some(found) = other.against(base, Scope::All, measure) else { return String::new() };
    if found.interval.mean == 0.0 && found.interval.half == 0.0 {
        return if found.base == 0.0 { String::new() } else { "the same".to_owned() };
    }
    let text = shown(found.interval).write_signed(&unit(measure, currency));
    // A difference of two shares in percent is one in points.
    let text = if measure.unit() == Of::Share { text.replace(" %", " points") } else { text };
    if !found.interval.is_clear() {
        return format!("= {text}");
    }
    let percent = 100.0 * found.interval.mean / found.base.abs();
    let is_telling = found.base != 0.0 && percent.abs() < 10_000.0 && measure.unit() != Of::Share;
    if is_telling { format!("{text} ({percent:+.0} %)") } else { text }
}

/// For the terminal.
pub(crate) fn text(scenario: &Scenario, made: &Study, paint: Paint) -> String {
    let mut text = format!("{}\n{}\n", paint.strong(&scenario.name), paint.faint(&how(scenario, made)));
    for (heading, sheet) in sheets(scenario, made) {
        text += &format!("\n{}\n{}", paint.strong(&heading), sheet.text(paint));
    }
    text + &edges(scenario, made)
}

/// How many runs of how long, and whether that is all that was wanted.
pub(super) fn how(scenario: &Scenario, made: &Study) -> String {
    let (n, variants) = (made.replications, scenario.variants.len());
    let runs = match (n, variants) {
        (1, 1) => "one run".to_owned(),
        (1, _) => format!("one run of each of {variants} variants"),
        (n, 1) => format!("{n} runs"),
        (n, _) => format!("{n} runs of each of {variants} variants, with the same people and the same work"),
    };
    let tasks: u64 = made.variants.iter().map(|together| together.edges.answers).sum();
    let intervals = if n > 1 { "; ± is the 95 % interval" } else { "" };
    let stopped = if made.stopped { "; stopped early, so this is what was done until then" } else { "" };
    let coarse = if made.imprecise && !made.stopped {
        "; the precision that the scenario asks for was not reached"
    } else {
        ""
    };
    let answers = muster_report::number::significant(tasks as f64, 3);
    format!("{runs}, {answers} answers, seed {}{intervals}{stopped}{coarse}", scenario.plan.seed)
}

/// What became of what did not end well: said, never hidden.
fn edges(scenario: &Scenario, made: &Study) -> String {
    let mut text = String::new();
    for sentence in edge_sentences(scenario, made) {
        text += &format!("\n{sentence}");
    }
    if text.is_empty() { text } else { text + "\n" }
}

fn whole(n: u64) -> String {
    Unit::Count.write(n as f64)
}

/// One sentence for each variant in which something was left over.
pub(super) fn edge_sentences(scenario: &Scenario, made: &Study) -> Vec<String> {
    let sentence = |(variant, together): (&muster_sim::model::Variant, &Together)| {
        let edges = &together.edges;
        let parts = [
            (edges.jobs_left, "jobs not done at the end"),
            (edges.jobs_gave_up, "jobs given up by their end users"),
            (edges.answers_late, "answers too late to count"),
            (edges.leases_expired, "leases run out"),
            (edges.recruits_lost, "recruits who did not come"),
        ];
        let told: Vec<String> =
            parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", whole(*n))).collect();
        let all = whole(edges.jobs_submitted);
        (!told.is_empty())
            .then(|| format!("{}: of {all} jobs in all runs {}.", variant.name, told.join(", ")))
    };
    scenario.variants.iter().zip(&made.variants).filter_map(sentence).collect()
}
