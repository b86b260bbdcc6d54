//! What is simulated: a queue with a hundred workers, with and without churn, and many pools.

use muster_engine::Span;
use muster_engine::ids::AppId;
use muster_engine::money::Money;
use muster_engine::policy::Registry;
use muster_engine::spec::{KindSpec, PoolSpec};
use muster_sim::drive::{Run, Unwatched, run};
use muster_sim::law::Law;
use muster_sim::measure::{Measure, Outcome, Scope};
use muster_sim::model::{
    App, Arrivals, Demand, Horizon, Kind, Plan, Pool, Replications, Returning, Setup, Tenant,
};

pub(crate) const WORKERS: u32 = 100;

/// A queue with a hundred workers.
#[derive(Clone, Copy)]
pub(crate) struct Queue {
    pub(crate) name: &'static str,
    /// Customers per second.
    pub(crate) rate: f64,
    /// Seconds of work, on average.
    pub(crate) work: f64,
    /// The probability that a worker leaves after a task, and after how many seconds on average somebody is in its place.
    pub(crate) leaving: f64,
    pub(crate) away: f64,
    /// What theory says of the mean wait, in seconds.
    pub(crate) wait: f64,
}

/// M/M/c, with a load of 0.9.
pub(crate) const M1: Queue =
    Queue { name: "M1", rate: 45.0, work: 2.0, leaving: 0.0, away: 50.0, wait: 0.043_388 };
/// With churn, and an effective load of 0.9.
pub(crate) const M2S: Queue =
    Queue { name: "M2s", rate: 90.0 / 7.0, work: 2.0, leaving: 0.1, away: 50.0, wait: 0.635_58 };

impl Queue {
    pub(crate) fn setup(self) -> Setup {
        let mut setup = many(1, WORKERS, self.rate, self.work, 1);
        setup.kinds[0].leaving.after_task = self.leaving;
        if self.leaving > 0.0 {
            setup.kinds[0].returning = Some(Returning { share: 1.0, after: Law::Exponential(self.away) });
        }
        setup
    }
}

/// So many pools with an app and a stream of jobs each; of so many workers and jobs per second each.
pub(crate) fn many(pools: u32, workers: u32, rate: f64, work: f64, tenants: u32) -> Setup {
    let mut setup = Setup::new();
    setup.tenants = (0..tenants).map(|i| Tenant::new(&format!("tenant {i}"))).collect();
    setup.kinds.push(Kind::steady("people", KindSpec::person(Money::ZERO)));
    for place in 0..pools {
        setup.apps.push(App::new(&format!("app {place}"), Law::Exponential(work)));
        let mut pool = Pool::new(&format!("pool {place}"), PoolSpec::serving(&[AppId(place)]));
        pool.workers.push((0, workers));
        setup.pools.push(pool);
        let name = format!("demand {place}");
        let tenant = (place % tenants) as usize;
        setup.demands.push(Demand::of(&name, tenant, place as usize, Arrivals::poisson(rate)));
    }
    setup
}

/// One run until so many jobs have come and are done.
pub(crate) fn simulate(setup: &Setup, seed: u64, jobs: u64) -> Outcome {
    let plan = Plan {
        horizon: Horizon::Jobs(jobs),
        warm_up: Span::ZERO,
        replications: Replications::Fixed(1),
        seed,
        points: 100,
    };
    let registry = Registry::default();
    let what = Run { setup, plan: &plan, number: 0, registry: &registry, watch: &Unwatched };
    run(what).expect("the engine takes it")
}

pub(crate) fn mean_wait(outcome: &Outcome) -> f64 {
    let found = outcome
        .readings
        .iter()
        .find(|reading| reading.scope == Scope::All && reading.measure == Measure::WaitMean);
    found.and_then(|reading| reading.value).expect("somebody was served")
}
