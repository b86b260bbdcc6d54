//! `patience`: how a client's patience moves with each answer.

use muster_engine::formula::patience::{Temper, quality};
use muster_report::chart::{At, Axis, Chart, Series};
use muster_report::number::Unit;

use super::Calculator;
use super::answer::{Answer, Listing};
use super::field::{Field, Kind};
use super::inputs::Inputs;
use crate::refusal::Refusal;

pub(super) const CALCULATOR: Calculator = Calculator {
    name: "patience",
    about: "How does a client's patience move with each answer, and how many late ones are still borne?",
    more: "Patience moves towards expected * tolerance / took; a late answer leaves less of the old patience\n\
           than an early one. Late answers borne: how many in a row, infinitely late, until the client is unhappy.",
    example: "--expected '10 s' --took '12 s,30 s,60 s,9 s'",
    fields: &[
        Field { name: "expected", kind: Kind::Time, help: "How long an answer should take" },
        Field { name: "took", kind: Kind::Times, help: "How long answers took, such as '12 s,30 s'" },
        Field {
            name: "tolerance",
            kind: Kind::Number(1.0, 1e6),
            help: "How many times as long is still in time, by default 1.5",
        },
        Field { name: "patience", kind: Kind::Number(0.0, 1e6), help: "Patience at first, by default 0.9" },
        Field {
            name: "kept-early",
            kind: Kind::Number(0.0, 1.0),
            help: "What is kept of patience after an early answer, by default 0.2",
        },
        Field {
            name: "kept-late",
            kind: Kind::Number(0.0, 1.0),
            help: "What is kept after a late answer, by default 0.1",
        },
        Field {
            name: "unhappy-below",
            kind: Kind::Number(0.0, 1e6),
            help: "Below this the client is unhappy, by default 0.5",
        },
    ],
    draws: true,
    run,
};

fn run(inputs: &Inputs) -> Result<Answer, Refusal> {
    let (expected, took) = (inputs.number("expected")?, inputs.list("took")?);
    let tolerance = inputs.number_or("tolerance", 1.5);
    let temper = Temper {
        kept_early: inputs.number_or("kept-early", 0.2),
        kept_late: inputs.number_or("kept-late", 0.1),
        unhappy_below: inputs.number_or("unhappy-below", 0.5),
    };
    let mut patience = inputs.number_or("patience", 0.9);
    let mut listing = listing();
    let mut points = vec![(0.0, patience)];
    for (i, took) in took.iter().enumerate() {
        let quality = quality(expected, tolerance, *took);
        patience = temper.after(patience, quality);
        let mood = if temper.is_unhappy(patience) { "unhappy" } else { "happy" };
        let (n, borne) = ((i + 1) as f64, temper.late_answers_borne(patience));
        listing.row(vec![
            n.into(),
            (*took).into(),
            quality.into(),
            patience.into(),
            borne.into(),
            mood.into(),
        ]);
        points.push((n, patience));
    }
    let mut answer = Answer::default();
    answer.list(listing);
    answer.chart(chart(points, temper.unhappy_below));
    Ok(answer)
}

fn listing() -> Listing {
    Listing::new("answers")
        .column("answer", "answer", Unit::Count)
        .column("took", "took", Unit::Seconds)
        .column("quality", "quality", Unit::Plain)
        .column("patience", "patience", Unit::Plain)
        .column("late_answers_borne", "late answers borne", Unit::Plain)
        .column("mood", "mood", Unit::Plain)
}

fn chart(points: Vec<(f64, f64)>, unhappy_below: f64) -> Chart {
    Chart::new(
        "Does the client stay happy?",
        Axis::new("answers", Unit::Count),
        Axis::new("patience", Unit::Plain),
    )
    .with(Series::new("patience", points))
    .mark("unhappy below", At::Y(unhappy_below))
}
