//! `pid`: what a controller makes of a row of errors.

use muster_engine::formula::pid::{First, Gains, outputs, whole};
use muster_report::chart::{Axis, Chart, Series};
use muster_report::number::Unit;

use super::Calculator;
use super::answer::{Answer, Listing};
use super::field::{Field, Kind};
use super::inputs::Inputs;
use crate::refusal::Refusal;

pub(super) const CALCULATOR: Calculator = Calculator {
    name: "pid",
    about: "By how many workers does a controller change a pool?",
    more: "Change = kp * error + ki * (sum of errors) + kd * (error - error before). The error is recommended\n\
           less present (pid-size), or arrived less completed (pid-throughput; there any ki above 0 lets the pool\n\
           grow without end).",
    example: "--kp 0.5 --kd 0.2 --errors 10,6,3,-1",
    fields: &[
        Field { name: "kp", kind: Kind::Number(-1e6, 1e6), help: "The weight of the error" },
        Field {
            name: "ki",
            kind: Kind::Number(-1e6, 1e6),
            help: "The weight of the sum of all errors, by default 0",
        },
        Field {
            name: "kd",
            kind: Kind::Number(-1e6, 1e6),
            help: "The weight of the change of the error, by default 0",
        },
        Field { name: "errors", kind: Kind::Numbers, help: "One for each step, such as 10,6,3,-1" },
        Field {
            name: "first",
            kind: Kind::Word(&["no-kick", "zero-history"]),
            help: "Before the first error: no change (no-kick, default), or an error of zero (zero-history)",
        },
    ],
    draws: true,
    run,
};

fn run(inputs: &Inputs) -> Result<Answer, Refusal> {
    let gains =
        Gains { kp: inputs.number("kp")?, ki: inputs.number_or("ki", 0.0), kd: inputs.number_or("kd", 0.0) };
    let first = if inputs.word("first", "no-kick") == "no-kick" { First::NoKick } else { First::ZeroHistory };
    let errors = inputs.list("errors")?;
    let changes = outputs(gains, first, errors);
    let mut listing = Listing::new("steps")
        .column("step", "step", Unit::Count)
        .column("error", "error", Unit::Plain)
        .column("change", "change", Unit::Plain)
        .column("workers", "workers", Unit::Count);
    for (i, (error, change)) in errors.iter().zip(&changes).enumerate() {
        listing.row(vec![
            ((i + 1) as f64).into(),
            (*error).into(),
            (*change).into(),
            (whole(*change) as f64).into(),
        ]);
    }
    let mut answer = Answer::default();
    answer.list(listing);
    if errors.len() > 1 {
        answer.chart(chart(errors, &changes));
    }
    Ok(answer)
}

fn chart(errors: &[f64], changes: &[f64]) -> Chart {
    let points = |values: &[f64]| values.iter().enumerate().map(|(i, y)| ((i + 1) as f64, *y)).collect();
    Chart::new(
        "How does the change follow the error?",
        Axis::new("step", Unit::Count),
        Axis::new("workers", Unit::Plain),
    )
    .with(Series::new("error", points(errors)))
    .with(Series::new("change", points(changes)))
}
