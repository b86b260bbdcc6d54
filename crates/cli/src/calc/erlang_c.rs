//! `erlang-c`: how long tasks wait.

use muster_engine::formula::erlang::{Queue, queue};
use muster_engine::formula::pool_size::least_stable;
use muster_report::chart::{At, Axis, Chart, Series};
use muster_report::number::Unit;

use super::Calculator;
use super::answer::Answer;
use super::curve;
use super::field::{Field, Kind, WORKERS_MOST};
use super::inputs::Inputs;
use crate::refusal::Refusal;

pub(super) const CALCULATOR: Calculator = Calculator {
    name: "erlang-c",
    about: "How long do tasks wait, if they wait for as long as it takes?",
    more: "Erlang C: Poisson arrivals, exponential working times, first come first served.",
    example: "--workers 100 --arrivals '45 /s' --work '2 s' --within '200 ms'",
    fields: &[
        Field { name: "workers", kind: Kind::Count(0, WORKERS_MOST), help: "How many there are" },
        Field { name: "arrivals", kind: Kind::Rate, help: "How many tasks come, such as '45 /s'" },
        Field { name: "work", kind: Kind::Time, help: "How long one takes on average, such as '2 s'" },
        Field { name: "within", kind: Kind::TimeOrZero, help: "Also say how many begin within this time" },
    ],
    draws: true,
    run,
};

fn run(inputs: &Inputs) -> Result<Answer, Refusal> {
    let workers = inputs.count("workers")?;
    let (arrivals, service) = inputs.traffic()?;
    let found = queue(workers, arrivals, service);
    let mut answer = Answer::default();
    answer.figure("load", "load", arrivals / service, Unit::Plain, "workers kept busy if there were enough");
    figures(&mut answer, &found, inputs.maybe("within"));
    let least = least_stable(arrivals / service);
    if !found.stable {
        answer.note(format!(
            "More comes than {workers} can do, so the queue grows without end: it takes at least {least}."
        ));
    }
    answer.chart(
        wait_chart(arrivals, service, workers, "How long is the wait with fewer or more workers?")
            .mark(&curve::named(workers, "workers"), At::X(f64::from(workers))),
    );
    Ok(answer)
}

/// What is to be said of a queue.
pub(super) fn figures(answer: &mut Answer, queue: &Queue, within: Option<f64>) {
    answer.figure(
        "utilisation",
        "utilisation",
        queue.utilisation,
        Unit::Share,
        "of the workers' time is needed",
    );
    answer.figure("wait_probability", "must wait", queue.wait_probability, Unit::Share, "of all tasks");
    answer.figure(
        "mean_wait",
        "mean wait",
        queue.wait,
        Unit::Seconds,
        "from arrival to the beginning of work",
    );
    answer.figure("waiting", "waiting", queue.waiting, Unit::Plain, "tasks on average");
    if let Some(time) = within {
        let label = format!("within {}", Unit::Seconds.write(time));
        answer.figure("served_within", &label, queue.served_within(time), Unit::Share, "of all tasks begin");
    }
}

/// The mean wait over sizes from the least stable one; always with `workers` in sight.
pub(super) fn wait_chart(arrivals: f64, service: f64, workers: u32, title: &str) -> Chart {
    let (load, wait) = (arrivals / service, |size| queue(size, arrivals, service).wait);
    let least = least_stable(load);
    let (_, most) = curve::around(load, 0.0, 3.0);
    let sizes = curve::sizes(least, most.max(workers.saturating_add(2)));
    let points = curve::points(&sizes, wait);
    let most = curve::ceiling(&points, wait(workers));
    Chart::new(title, Axis::new("workers", Unit::Count), Axis::new("mean wait", Unit::Seconds).up_to(most))
        .with(Series::new("wait", points))
}
