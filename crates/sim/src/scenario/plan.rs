//! How long and how often a scenario is run, as it is written at the top of the file.

use muster_engine::Span;
use muster_formats::document::Table;

use crate::measure::Measure;
use crate::model::{Horizon, Plan, Replications};

/// Keys at the top that a variant cannot change.
pub(super) const KEYS: [&str; 12] = [
    "name",
    "about",
    "base",
    "horizon",
    "drain",
    "jobs",
    "warm_up",
    "replications",
    "precision",
    "seed",
    "points",
    "variant",
];

/// No more independent runs than this.
const REPLICATIONS_MOST: u32 = 1_000_000;
/// So many runs if nothing is said.
const REPLICATIONS: u32 = 10;
/// So many points over time if nothing is said.
const POINTS: u32 = 200;

/// Reads the plan.
pub(super) fn read(top: Table<'_>) -> Plan {
    let horizon = horizon(top);
    let warm_up = top.span_or_zero("warm_up").or(Span::ZERO);
    if let Horizon::Time(span) | Horizon::Drain(span) = horizon
        && warm_up >= span
    {
        top.complain("warm_up", format!("it must be over before the end, which is at {span}"));
    }
    Plan {
        horizon,
        warm_up,
        replications: replications(top),
        seed: top.integer("seed", 0..=i64::MAX).or(1) as u64,
        points: top.integer("points", 2..=100_000_u32).or(POINTS),
    }
}

/// Exactly one of three ways to say when a run ends.
fn horizon(top: Table<'_>) -> Horizon {
    let most = "a length of time above zero, up to 30 years, such as 8 h";
    let fits = |span: &Span| *span <= Span::from_hours(24 * 365 * 30);
    let (time, drain) = (top.span("horizon").check(fits, most), top.span("drain").check(fits, most));
    let jobs = top.integer("jobs", 1..=1_000_000_000_000_i64);
    let given = [("horizon", time.is_absent()), ("drain", drain.is_absent()), ("jobs", jobs.is_absent())];
    let given: Vec<&str> = given.iter().filter(|(_, absent)| !absent).map(|(key, _)| *key).collect();
    if let [first, second, ..] = given.as_slice() {
        top.complain(
            second,
            format!("the end is said by {first} already; give one of horizon, drain and jobs"),
        );
    }
    let stand_in = Span::from_hours(1);
    match given.first() {
        Some(&"drain") => Horizon::Drain(drain.or(stand_in)),
        Some(&"jobs") => Horizon::Jobs(jobs.or(1) as u64),
        _ => Horizon::Time(time.required_or(stand_in)),
    }
}

fn replications(top: Table<'_>) -> Replications {
    let fixed = top.integer("replications", 1..=REPLICATIONS_MOST);
    let precision = top.table("precision");
    if !fixed.is_absent() && !precision.is_absent() {
        top.complain("precision", "how often is said by replications already; give one of them");
    }
    match precision.optional() {
        Some(table) => until(table),
        None => Replications::Fixed(fixed.or(REPLICATIONS)),
    }
}

/// Until an interval is narrow enough.
fn until(table: Table<'_>) -> Replications {
    let measures: Vec<(&str, Measure)> = Measure::all().map(|measure| (measure.key(), measure)).collect();
    let measure = table.choice("measure", &measures).or(Measure::WaitMean);
    let above = "a share above 0, such as 5 %";
    let within = table.share("within").check(|within| *within > 0.0, above).required_or(0.05);
    let least = table.integer("least", 2..=REPLICATIONS_MOST).or(5);
    let most = table.integer("most", 2..=REPLICATIONS_MOST).or(200.max(least));
    if least > most {
        table.complain("least", "it must not be more than most");
    }
    Replications::Until { measure, within, least, most }
}
