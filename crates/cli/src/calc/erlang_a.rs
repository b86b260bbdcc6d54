//! `erlang-a`: how many lose patience.

use muster_engine::formula::erlang_a::queue;
use muster_report::chart::{At, Axis, Chart, Series};
use muster_report::number::Unit;

use super::Calculator;
use super::answer::Answer;
use super::curve;
use super::field::{Field, Kind, WORKERS_MOST};
use super::inputs::Inputs;
use crate::refusal::Refusal;

pub(super) const CALCULATOR: Calculator = Calculator {
    name: "erlang-a",
    about: "How many lose patience and go, and how long do they wait?",
    more: "Erlang A: Poisson arrivals, exponential working times and exponential patience.",
    example: "--workers 100 --arrivals '55 /s' --work '2 s' --patience '10 s'",
    fields: &[
        Field { name: "workers", kind: Kind::Count(0, WORKERS_MOST), help: "How many there are" },
        Field { name: "arrivals", kind: Kind::Rate, help: "How many tasks come, such as '55 /s'" },
        Field { name: "work", kind: Kind::Time, help: "How long one takes on average, such as '2 s'" },
        Field { name: "patience", kind: Kind::Time, help: "How long one waits on average before giving up" },
    ],
    draws: true,
    run,
};

/// More could hardly be in a queue, and would take too long to add up.
const WAITING_MOST: f64 = 1e8;

fn run(inputs: &Inputs) -> Result<Answer, Refusal> {
    let workers = inputs.count("workers")?;
    let (arrivals, service) = inputs.traffic()?;
    let patience = inputs.number("patience")?;
    if arrivals * patience > WAITING_MOST {
        return Err(Refusal::Together(format!(
            "arrivals times patience is {:.0}; allowed is up to {WAITING_MOST:.0}: use erlang-c for people who stay",
            arrivals * patience
        )));
    }
    let found = queue(workers, arrivals, service, 1.0 / patience);
    let mut answer = Answer::default();
    answer.figure("load", "load", arrivals / service, Unit::Plain, "workers kept busy if there were enough");
    answer.figure("utilisation", "utilisation", found.utilisation, Unit::Share, "of the workers' time");
    answer.figure("wait_probability", "must wait", found.wait_probability, Unit::Share, "of all arrivals");
    answer.figure("abandoned", "give up", found.abandoned, Unit::Share, "of all arrivals");
    answer.figure(
        "mean_wait",
        "mean wait",
        found.wait,
        Unit::Seconds,
        "of those served and those who give up",
    );
    answer.figure("waiting", "waiting", found.waiting, Unit::Plain, "on average");
    answer.chart(chart(workers, arrivals, service, patience));
    Ok(answer)
}

fn chart(workers: u32, arrivals: f64, service: f64, patience: f64) -> Chart {
    let (least, most) = curve::around(arrivals / service, 4.0, 3.0);
    let sizes = curve::sizes(least.min(workers), most.max(workers));
    let points = curve::points(&sizes, |size| queue(size, arrivals, service, 1.0 / patience).abandoned);
    let y = Axis::new("share that gives up", Unit::Share);
    Chart::new("How many give up with fewer or more workers?", Axis::new("workers", Unit::Count), y)
        .with(Series::new("give up", points))
        .mark(&curve::named(workers, "workers"), At::X(f64::from(workers)))
}
