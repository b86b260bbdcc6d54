//! `average-rate`: how many to recruit for those who leave.

use muster_engine::formula::recruit::{average_rate, average_rate_mean, hybrid};
use muster_report::number::Unit;

use super::Calculator;
use super::answer::Answer;
use super::field::{Field, Kind};
use super::inputs::Inputs;
use crate::refusal::Refusal;

pub(super) const CALCULATOR: Calculator = Calculator {
    name: "average-rate",
    about: "How many to recruit at each step for those who leave?",
    more: "As many as left per step, on average over a window: the whole part, and one more by chance, so that\n\
           the mean is exact. With size and threshold also hybrid: nobody once the pool has reached the threshold.",
    example: "--departures 90 --window '1 min' --every '1 s' --draw 0.3",
    fields: &[
        Field {
            name: "departures",
            kind: Kind::Count(0, 1_000_000_000),
            help: "How many left in the window",
        },
        Field { name: "window", kind: Kind::Time, help: "How long the window is, such as '1 min'" },
        Field { name: "every", kind: Kind::Time, help: "How often is recruited, by default every second" },
        Field {
            name: "draw",
            kind: Kind::Below(0.0, 1.0),
            help: "The random number, below 1, that decides on one more",
        },
        Field { name: "size", kind: Kind::Count(0, 1_000_000_000), help: "How many are in the pool" },
        Field { name: "threshold", kind: Kind::Whole, help: "Hybrid recruits only if the pool is smaller" },
    ],
    draws: false,
    run,
};

/// Beyond, a chance of one more could not be told from none.
const RECRUITS_MOST: f64 = 1e9;

fn run(inputs: &Inputs) -> Result<Answer, Refusal> {
    inputs.needs(&[("size", "draw"), ("threshold", "draw")])?;
    let departures = u64::from(inputs.count("departures")?);
    let nanos = |seconds: f64| (seconds * 1e9).round() as u64;
    let (window, step) = (nanos(inputs.number("window")?), nanos(inputs.number_or("every", 1.0)));
    let mean = average_rate_mean(departures, step, window);
    if mean > RECRUITS_MOST {
        let sentence = format!("{mean:.0} would leave per step; allowed is up to {RECRUITS_MOST:.0}");
        return Err(Refusal::Together(sentence));
    }
    // The largest draw gives the whole part.
    let whole = average_rate(departures, step, window, 1.0) as f64;
    let mut answer = Answer::default();
    answer.figure("mean", "recruits", mean, Unit::Plain, "per step on average");
    answer.figure("whole", "for certain", whole, Unit::Count, "per step");
    answer.figure("one_more_probability", "one more", mean - whole, Unit::Share, "of all steps");
    answer.figure("per_hour", "per hour", mean / (step as f64 / 1e9) * 3600.0, Unit::Plain, "on average");
    let Some(draw) = inputs.maybe("draw") else { return Ok(answer) };
    let now = average_rate(departures, step, window, draw) as f64;
    answer.figure("recruit", "now", now, Unit::Count, "by the draw given");
    if inputs.has("size") || inputs.has("threshold") {
        let (size, threshold) = (u64::from(inputs.count("size")?), inputs.number("threshold")? as i64);
        let recruits = hybrid(size, threshold, departures, step, window, draw) as f64;
        answer.figure(
            "recruit_hybrid",
            "now, hybrid",
            recruits,
            Unit::Count,
            "none once the threshold is reached",
        );
    }
    Ok(answer)
}
