//! What people do with tasks: practice, switching, pauses, giving back, walking away.

use std::sync::Arc;

use muster_engine::Span;
use muster_engine::ids::AppId;
use muster_engine::spec::LeaseLength;
use muster_sim::law::Law;
use muster_sim::measure::{Measure, Scope};
use muster_sim::model::{App, Arrivals, Practice, Setup, Skipping, Step, Task};

use crate::support::{Effort, agrees, equals, queue, rates, reading, run_out, runs, saturated};

/// One worker with a batch of so many tasks, a second each.
fn alone(tasks: u32) -> Setup {
    let mut setup = queue(1, Law::Fixed(1.0), Arrivals::None);
    setup.demands[0].backlog = 1;
    setup.demands[0].task = Task::Batch { app: 0, size: Law::Fixed(f64::from(tasks)) };
    setup
}

/// How long it takes until all that is there is done.
fn takes(setup: &Setup) -> f64 {
    reading(&run_out(setup, 401), Scope::All, Measure::ResponseMean)
}

#[test]
fn practice_makes_faster() {
    let mut setup = alone(8);
    setup.apps[0].practice = Some(Practice { first: 3.0, rate: 0.7 });
    let factor = |done: u32| 1.0 + 2.0 * 0.7_f64.powf((f64::from(done) + 1.0).log2());
    equals("eight tasks", takes(&setup), (0..8).map(factor).sum());
}

#[test]
fn changing_the_app_costs_and_changing_the_job_costs() {
    // One worker, three steps in a row of apps 0, 1, 0: two changes of app.
    let mut setup = alone(1);
    setup.apps.push(App::new("other", Law::Fixed(1.0)));
    setup.pools[0].spec.apps.push(AppId(1));
    setup.apps[0].switch_app = Law::Fixed(5.0);
    setup.apps[1].switch_app = Law::Fixed(7.0);
    setup.apps[0].switch_job = Law::Fixed(11.0);
    let step = |app, after: &[usize]| Step { app, after: after.to_vec() };
    setup.demands[0].task = Task::Workflow(Arc::new([step(0, &[]), step(1, &[0]), step(0, &[1])]));
    equals("three steps", takes(&setup), 3.0 + 7.0 + 5.0);
    // Three jobs of one task: two changes of job.
    let mut setup = alone(1);
    setup.apps[0].switch_job = Law::Fixed(11.0);
    setup.demands[0].backlog = 3;
    let ends = [1.0, 1.0 + 12.0, 1.0 + 2.0 * 12.0];
    equals("three jobs", takes(&setup), ends.iter().sum::<f64>() / 3.0);
}

#[test]
fn speed_divides_the_work() {
    let mut setup = alone(4);
    setup.kinds[0].spec.speed = 2.0;
    setup.kinds[0].speed = Law::Fixed(1.25);
    equals("four tasks", takes(&setup), 4.0 / 2.5);
}

#[test]
fn kinds_may_take_times_of_their_own() {
    let mut setup = alone(4);
    setup.apps[0].work_of.push((0, Law::Fixed(3.0)));
    equals("four tasks", takes(&setup), 12.0);
}

#[test]
fn pauses_between_tasks() {
    let mut setup = alone(4);
    setup.kinds[0].pausing.share = 1.0;
    setup.kinds[0].pausing.law = Law::Fixed(3.0);
    equals("four tasks", takes(&setup), 4.0 + 3.0 * 3.0);
    let mut setup = saturated(20, Law::Exponential(2.0));
    setup.kinds[0].pausing.share = 0.25;
    setup.kinds[0].pausing.law = Law::Exponential(6.0);
    let all = runs(&setup, 402, Effort { runs: 20, seconds: 5_000, warm_up: 100 });
    agrees("answers per second", &rates(&all), 20.0 / (2.0 + 0.25 * 6.0), 0.005);
}

#[test]
fn what_is_given_back_costs_the_time_until_then() {
    // Of the tasks taken, 30 % are given back after a second on average.
    let mut setup = saturated(20, Law::Exponential(2.0));
    setup.kinds[0].skipping =
        Skipping { give_back: 0.3, after: Law::Exponential(1.0), ..Skipping::default() };
    let all = runs(&setup, 403, Effort { runs: 20, seconds: 5_000, warm_up: 100 });
    agrees("answers per second", &rates(&all), 20.0 / (2.0 + 0.3 / 0.7 * 1.0), 0.005);
}

#[test]
fn who_walks_away_is_back_when_the_lease_is_over() {
    let mut setup = saturated(20, Law::Exponential(2.0));
    setup.apps[0].spec.lease = LeaseLength::Fixed(Span::from_secs(60));
    setup.kinds[0].skipping = Skipping { abandon: 0.1, ..Skipping::default() };
    let all = runs(&setup, 404, Effort { runs: 20, seconds: 10_000, warm_up: 500 });
    agrees("answers per second", &rates(&all), 20.0 / (2.0 + 0.1 / 0.9 * 60.0), 0.01);
}
