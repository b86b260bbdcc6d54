//! `backlog`: how long until the work that waits is done.

use muster_engine::formula::backlog::{drain_time, drain_time_with, training_time};
use muster_report::chart::{At, Axis, Chart, Series};
use muster_report::number::Unit;

use super::answer::Answer;
use super::field::{Field, Kind};
use super::inputs::Inputs;
use super::{Calculator, curve};
use crate::refusal::Refusal;

pub(super) const CALCULATOR: Calculator = Calculator {
    name: "backlog",
    about: "How long until the tasks that wait are done, with newcomers who train first?",
    more: "Equations 3 and 4 of the Cioppino paper: nothing more arrives, and newcomers count once the last of\n\
           them is trained.",
    example: "--tasks 200 --workers 4 --work '18 s' --newcomers 3 --training '90 s'",
    fields: &[
        Field { name: "tasks", kind: Kind::Number(0.0, 1e12), help: "How many wait" },
        Field { name: "workers", kind: Kind::Count(0, 1_000_000), help: "How many work already, and stay" },
        Field { name: "work", kind: Kind::Time, help: "How long a task takes on average, such as '18 s'" },
        Field {
            name: "newcomers",
            kind: Kind::Count(0, 1_000_000),
            help: "How many come and train first, by default 0",
        },
        Field { name: "training", kind: Kind::Time, help: "How long one trains on average, such as '90 s'" },
    ],
    draws: true,
    run,
};

fn run(inputs: &Inputs) -> Result<Answer, Refusal> {
    let (tasks, workers) = (inputs.number("tasks")?, inputs.count("workers")?);
    let service = 1.0 / inputs.number("work")?;
    let newcomers = inputs.maybe_count("newcomers").unwrap_or(0);
    let alone = drain_time(tasks, workers, service);
    let mut answer = Answer::default();
    answer.figure("time_without", "without newcomers", alone, Unit::Seconds, "until all is done");
    if newcomers == 0 && !inputs.has("training") {
        return Ok(answer);
    }
    let training = 1.0 / inputs.number("training")?;
    let together = drain_time_with(tasks, workers, newcomers, service, training);
    let trained = training_time(newcomers, training);
    answer.figure("training", "training", trained, Unit::Seconds, "until the last newcomer can work");
    answer.figure("time_with", "with newcomers", together, Unit::Seconds, "until all is done");
    if together >= alone && newcomers > 0 {
        answer.note("The newcomers change nothing: the work is done before the last of them is trained.");
    }
    answer.chart(chart(tasks, workers, newcomers, service, training));
    Ok(answer)
}

fn chart(tasks: f64, workers: u32, newcomers: u32, service: f64, training: f64) -> Chart {
    let sizes = curve::sizes(0, (2 * newcomers).max(12));
    let points = curve::points(&sizes, |come| drain_time_with(tasks, workers, come, service, training));
    Chart::new(
        "Do more newcomers help?",
        Axis::new("newcomers", Unit::Count),
        Axis::new("time until done", Unit::Seconds),
    )
    .with(Series::new("time", points))
    .mark(&curve::named(newcomers, "newcomers"), At::X(f64::from(newcomers)))
}
