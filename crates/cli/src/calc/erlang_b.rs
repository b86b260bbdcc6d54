//! `erlang-b`: how many are turned away, if nobody can wait.

use muster_engine::formula::erlang::erlang_b;
use muster_report::chart::{At, Axis, Chart, Series};
use muster_report::number::Unit;

use super::Calculator;
use super::answer::Answer;
use super::curve;
use super::field::{Field, Kind, WORKERS_MOST};
use super::inputs::Inputs;
use crate::refusal::Refusal;

pub(super) const CALCULATOR: Calculator = Calculator {
    name: "erlang-b",
    about: "How many arrivals are lost, if nobody can wait?",
    more: "Erlang B: Poisson arrivals, any law of working times. Give the load, or arrivals and work.",
    example: "--workers 100 --arrivals '45 /s' --work '2 s'",
    fields: &[
        Field { name: "workers", kind: Kind::Count(0, WORKERS_MOST), help: "How many there are" },
        Field { name: "arrivals", kind: Kind::Rate, help: "How many tasks come, such as '45 /s'" },
        Field { name: "work", kind: Kind::Time, help: "How long one takes on average, such as '2 s'" },
        Field {
            name: "load",
            kind: Kind::Number(0.0, WORKERS_MOST as f64),
            help: "Arrivals times work: how many workers would be busy if there were enough",
        },
    ],
    draws: true,
    run,
};

fn run(inputs: &Inputs) -> Result<Answer, Refusal> {
    let workers = inputs.count("workers")?;
    let load = load(inputs)?;
    let lost = erlang_b(workers, load);
    let mut answer = Answer::default();
    answer.figure("load", "load", load, Unit::Plain, "workers kept busy if there were enough");
    answer.figure("lost", "lost", lost, Unit::Share, "of all arrivals");
    let busy = load * (1.0 - lost);
    answer.figure("busy", "busy workers", busy, Unit::Plain, "on average");
    if workers > 0 {
        answer.figure(
            "utilisation",
            "utilisation",
            busy / f64::from(workers),
            Unit::Share,
            "of the workers' time",
        );
    }
    answer.chart(chart(workers, load));
    Ok(answer)
}

fn load(inputs: &Inputs) -> Result<f64, Refusal> {
    match (inputs.maybe("load"), inputs.has("arrivals") || inputs.has("work")) {
        (Some(_), true) => Err(Refusal::Together("give load, or arrivals and work, not both".to_owned())),
        (Some(load), false) => Ok(load),
        (None, _) => inputs.traffic().map(|(arrivals, service)| arrivals / service),
    }
}

fn chart(workers: u32, load: f64) -> Chart {
    let (least, most) = curve::around(load, 4.0, 4.0);
    let sizes = curve::sizes(least.min(workers), most.max(workers));
    let points = curve::points(&sizes, |size| erlang_b(size, load));
    let y = Axis::new("share lost", Unit::Share);
    Chart::new("How many are lost with fewer or more workers?", Axis::new("workers", Unit::Count), y)
        .with(Series::new("lost", points))
        .mark(&curve::named(workers, "workers"), At::X(f64::from(workers)))
}
