//! What queueing theory says, and what runs of the whole engine show: within three standard errors.
//!
//! Each test has random streams of its own. `MUSTER_LONG=1` raises the counts. Little's law is checked by every run, to the
//! nanosecond (see `drive`).

use muster_engine::Span;
use muster_engine::ids::AppId;
use muster_engine::money::Money;
use muster_engine::policy::Registry;
use muster_engine::spec::{KindSpec, PoolSpec};
use muster_sim::drive::{Run, Unwatched, run};
use muster_sim::law::Law;
use muster_sim::measure::{Measure, Outcome, Scope};
use muster_sim::model::{App, Arrivals, Demand, Horizon, Kind, Plan, Pool, Replications, Setup, Tenant};

#[allow(clippy::disallowed_methods, reason = "a test may be asked to take longer")]
fn long() -> bool {
    std::env::var("MUSTER_LONG").is_ok_and(|value| value == "1")
}

/// `workers` steady people who do tasks of one app.
fn queue(workers: u32, work: Law, arrivals: Arrivals) -> Setup {
    let mut setup = Setup::new();
    setup.tenants.push(Tenant::new("everybody"));
    setup.apps.push(App::new("work", work));
    setup.kinds.push(Kind::steady("people", KindSpec::person(Money::ZERO)));
    let mut pool = Pool::new("pool", PoolSpec::serving(&[AppId(0)]));
    pool.workers.push((0, workers));
    setup.pools.push(pool);
    setup.demands.push(Demand::of("requests", 0, 0, arrivals));
    setup
}

fn plan(seed: u64, horizon: Horizon, warm_up: Span) -> Plan {
    Plan { horizon, warm_up, replications: Replications::Fixed(1), seed, points: 10 }
}

fn runs(setup: &Setup, plan: &Plan, n: u32) -> Vec<Outcome> {
    let registry = Registry::default();
    let one = |number| run(Run { setup, plan, number, registry: &registry, watch: &Unwatched });
    (0..n).map(|number| one(number).expect("the engine takes it")).collect()
}

fn reading(outcome: &Outcome, scope: Scope, measure: Measure) -> f64 {
    let found = outcome.readings.iter().find(|reading| reading.scope == scope && reading.measure == measure);
    found.and_then(|reading| reading.value).expect("it was measured")
}

/// Mean and standard error over independent runs.
fn estimate(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Within three standard errors, which must be small enough to tell anything.
fn agrees(what: &str, values: &[f64], theory: f64, coarse: f64) {
    let (mean, error) = estimate(values);
    let text = format!("{what}: {mean:.6} +- {error:.6}, theory says {theory:.6}");
    assert!((mean - theory).abs() <= 3.0 * error, "{text}");
    assert!(error <= coarse * theory, "too coarse to tell anything: {text}");
}

#[test]
fn erlang_c() {
    let (n, hours) = if long() { (40, 8) } else { (12, 1) };
    let setup = queue(100, Law::Exponential(2.0), Arrivals::poisson(45.0));
    let plan = plan(101, Horizon::Time(Span::from_hours(hours)), Span::from_mins(2));
    let all = runs(&setup, &plan, n);
    let waits: Vec<f64> = all.iter().map(|run| reading(run, Scope::All, Measure::WaitMean)).collect();
    agrees("mean wait", &waits, 0.043_388, 0.1);
}
