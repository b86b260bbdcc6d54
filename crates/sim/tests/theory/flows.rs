//! Jobs of several tasks: one after the other, side by side, with several answers each.

use std::sync::Arc;

use muster_engine::Span;
use muster_sim::law::Law;
use muster_sim::measure::{Measure, Scope};
use muster_sim::model::{Arrivals, Setup, Step, Task};

use crate::support::{Effort, agrees, queue, readings, runs, station};

/// A job of two steps, each in a pool of one worker of its own.
fn two_steps(works: [Law; 2], rate: f64, steps: [Step; 2]) -> Setup {
    let [first, second] = works;
    let mut setup = queue(1, first, Arrivals::poisson(rate));
    station(&mut setup, 1, second);
    setup.demands[0].task = Task::Workflow(Arc::new(steps));
    setup
}

fn responses(setup: &Setup, seed: u64, effort: Effort) -> Vec<f64> {
    readings(&runs(setup, seed, effort), Scope::All, Measure::ResponseMean)
}

#[test]
fn tandem() {
    let steps = [Step { app: 0, after: vec![] }, Step { app: 1, after: vec![0] }];
    let setup = two_steps([Law::Exponential(0.5), Law::Exponential(0.8)], 1.0, steps);
    let all = responses(&setup, 201, Effort { runs: 20, seconds: 20_000, warm_up: 1_000 });
    agrees("response of two stations in a row", &all, 5.0, 0.02);
}

#[test]
fn fork_and_join_of_two() {
    let steps = [Step { app: 0, after: vec![] }, Step { app: 1, after: vec![] }];
    let setup = two_steps([Law::Exponential(1.0), Law::Exponential(1.0)], 0.8, steps);
    let all = responses(&setup, 202, Effort { runs: 20, seconds: 25_000, warm_up: 2_000 });
    agrees("response of two stations side by side", &all, 7.0, 0.03);
}

/// One job at a time, with somebody for each of its tasks.
fn one_at_a_time(workers: u32, seed: u64, change: impl Fn(&mut Setup)) -> Vec<f64> {
    let arrivals = Arrivals::Closed { clients: 1, thinking: Law::Fixed(1.0) };
    let mut setup = queue(workers, Law::Exponential(1.0), arrivals);
    change(&mut setup);
    responses(&setup, seed, Effort { runs: 20, seconds: 10_000, warm_up: 10 })
}

#[test]
fn a_batch_is_done_when_the_last_of_its_tasks_is() {
    let batch = Task::Batch { app: 0, size: Law::Fixed(10.0) };
    let all = one_at_a_time(10, 203, |setup| setup.demands[0].task = batch.clone());
    agrees("the maximum of ten exponentials", &all, 2.928_968, 0.01);
}

#[test]
fn a_task_is_done_when_the_last_of_its_answers_is_there() {
    let all = one_at_a_time(3, 204, |setup| setup.demands[0].slots = 3);
    agrees("the maximum of three exponentials", &all, 11.0 / 6.0, 0.01);
}

#[test]
fn a_recorded_trace_is_what_comes() {
    // Three jobs, of 1, 2 and (as the size says) 4 tasks, one worker, one second each: the third waits for the second.
    let trace = [(0, 1), (10, 2), (11, 0)].map(|(at, tasks)| (Span::from_secs(at), tasks));
    let mut setup = queue(1, Law::Fixed(1.0), Arrivals::Recorded(Arc::new(trace)));
    setup.demands[0].task = Task::Batch { app: 0, size: Law::Fixed(4.0) };
    let outcome = &runs(&setup, 205, Effort { runs: 2, seconds: 30, warm_up: 0 })[0];
    crate::support::equals(
        "response",
        crate::support::reading(outcome, Scope::All, Measure::ResponseMean),
        (1.0 + 2.0 + 5.0) / 3.0,
    );
    assert_eq!((outcome.edges.jobs_submitted, outcome.edges.answers), (3, 7));
}
