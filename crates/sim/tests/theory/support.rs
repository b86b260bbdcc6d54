//! Set-ups, runs and the comparison with theory. Start at [`agrees`].

use muster_engine::Span;
use muster_engine::fact::Recorder;
use muster_engine::ids::AppId;
use muster_engine::money::Money;
use muster_engine::policy::Registry;
use muster_engine::spec::{KindSpec, PoolSpec};
use muster_sim::drive::{Run, Unwatched, run, run_with};
use muster_sim::law::Law;
use muster_sim::measure::{Measure, Outcome, Scope};
use muster_sim::model::{App, Arrivals, Demand, Horizon, Kind, Plan, Pool, Replications, Setup, Tenant};

#[allow(clippy::disallowed_methods, reason = "a test may be asked to take longer")]
fn is_long() -> bool {
    std::env::var("MUSTER_LONG").is_ok_and(|value| value == "1")
}

/// So many independent runs, each of so many seconds after a warm-up of so many.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) runs: u32,
    pub(crate) seconds: u64,
    pub(crate) warm_up: u64,
}

/// `workers` steady people who do tasks of one app.
pub(crate) fn queue(workers: u32, work: Law, arrivals: Arrivals) -> Setup {
    let mut setup = Setup::new();
    setup.tenants.push(Tenant::new("everybody"));
    setup.kinds.push(Kind::steady("people", KindSpec::person(Money::ZERO)));
    station(&mut setup, workers, work);
    setup.demands.push(Demand::of("requests", 0, 0, arrivals));
    setup
}

/// One more app, with a pool of its own.
pub(crate) fn station(setup: &mut Setup, workers: u32, work: Law) {
    let app = setup.apps.len();
    setup.apps.push(App::new("work", work));
    let mut pool = Pool::new("pool", PoolSpec::serving(&[AppId(app as u32)]));
    pool.workers.push((0, workers));
    setup.pools.push(pool);
}

/// More work than can be done: the pool never idles.
pub(crate) fn saturated(workers: u32, work: Law) -> Setup {
    let mut setup = queue(workers, work, Arrivals::None);
    setup.demands[0].backlog = 1;
    setup.demands[0].task = muster_sim::model::Task::Batch { app: 0, size: Law::Fixed(1e6) };
    setup
}

fn plan(seed: u64, horizon: Horizon, warm_up: Span) -> Plan {
    Plan { horizon, warm_up, replications: Replications::Fixed(1), seed, points: 10 }
}

/// Independent runs; ten times as many if asked to take long.
pub(crate) fn runs(setup: &Setup, seed: u64, effort: Effort) -> Vec<Outcome> {
    let horizon = Horizon::Time(Span::from_secs(effort.warm_up + effort.seconds));
    let plan = plan(seed, horizon, Span::from_secs(effort.warm_up));
    let registry = Registry::default();
    let one = |number| run(Run { setup, plan: &plan, number, registry: &registry, watch: &Unwatched });
    let n = if is_long() { 10 * effort.runs } else { effort.runs };
    (0..n).map(|number| one(number).expect("the engine takes it")).collect()
}

/// One run until all that is there at the beginning is done.
pub(crate) fn run_out(setup: &Setup, seed: u64) -> Outcome {
    let plan = plan(seed, Horizon::Drain(Span::ZERO), Span::ZERO);
    let what = Run { setup, plan: &plan, number: 0, registry: &Registry::default(), watch: &Unwatched };
    run(what).expect("the engine takes it")
}

/// One run, every fact of which is heard.
pub(crate) fn heard(setup: &Setup, seed: u64, seconds: u64, also: &mut impl Recorder) -> Outcome {
    let plan = plan(seed, Horizon::Time(Span::from_secs(seconds)), Span::ZERO);
    let what = Run { setup, plan: &plan, number: 0, registry: &Registry::default(), watch: &Unwatched };
    run_with(what, also).expect("the engine takes it")
}

pub(crate) fn reading(outcome: &Outcome, scope: Scope, measure: Measure) -> f64 {
    let found = outcome.readings.iter().find(|reading| reading.scope == scope && reading.measure == measure);
    found.and_then(|reading| reading.value).expect("it was measured")
}

/// The same reading of all runs.
pub(crate) fn readings(all: &[Outcome], scope: Scope, measure: Measure) -> Vec<f64> {
    all.iter().map(|outcome| reading(outcome, scope, measure)).collect()
}

/// Answers per second in all runs.
pub(crate) fn rates(all: &[Outcome]) -> Vec<f64> {
    readings(all, Scope::All, Measure::Throughput).iter().map(|per_hour| per_hour / 3600.0).collect()
}

/// The share of tasks that waited longer than so many seconds, in all runs.
pub(crate) fn waited_longer(all: &[Outcome], seconds: f64) -> Vec<f64> {
    let micros = (seconds * 1e6) as u64;
    let share = |outcome: &Outcome| {
        let waits = &outcome.waits[0];
        1.0 - waits.count_between(0, micros) as f64 / waits.len() as f64
    };
    all.iter().map(share).collect()
}

/// Mean and standard error over independent runs.
fn estimate(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Within three standard errors, which must be at most the share `coarse` of what theory says.
pub(crate) fn agrees(what: &str, values: &[f64], theory: f64, coarse: f64) {
    let (mean, error) = estimate(values);
    let off = (mean - theory) / error;
    let text =
        format!("{what}: {mean:.6} +- {error:.6} ({off:+.2} standard errors), theory says {theory:.6}");
    #[allow(clippy::print_stderr, reason = "shown when a test fails, or with --nocapture")]
    {
        eprintln!("{text}");
    }
    assert!(off.abs() <= 3.0, "{text}");
    assert!(error <= coarse * theory, "too coarse to tell anything: {text}");
}

/// Equal to the nanosecond's rounding.
pub(crate) fn equals(what: &str, value: f64, theory: f64) {
    assert!((value - theory).abs() <= 1e-6 * theory.max(1.0), "{what}: {value}, theory says {theory}");
}
