//! What must hold whatever the paper left open, by runs of the whole engine; and the directions that do here.
//!
//! The formulas are tested in the engine, the M/M/c queue in the simulator. Each test has seeds of its own.

use muster_engine::Span;
use muster_engine::fact::{Body, Decision, Fact, Recorder};
use muster_engine::ids::AppId;
use muster_engine::money::Money;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::policy::{Family, Registry};
use muster_engine::spec::{KindSpec, PoolSpec};
use muster_engine::state::State;
use muster_papers::cioppino::{Inputs, experiments, reproduce};
use muster_papers::claim::Claim;
use muster_papers::lab::Lab;
use muster_papers::report::Report;
use muster_sim::drive::{Run, Unwatched, run, run_with};
use muster_sim::law::Law;
use muster_sim::measure::Outcome;
use muster_sim::model::{App, Arrivals, Demand, Horizon, Kind, Plan, Pool, Replications, Setup, Tenant};

/// Two tasks per second of five seconds each, `workers` to begin with, recruits after ten seconds.
fn setup(workers: u32, scaling: PolicySpec, replacement: PolicySpec, leave_after_task: f64) -> Setup {
    let mut setup = Setup::new();
    setup.tenants.push(Tenant::new("everybody"));
    setup.apps.push(App::new("work", Law::Exponential(5.0)));
    let mut people = Kind::steady("people", KindSpec::person(Money::units(3)));
    people.recruiting.delay = Law::Exponential(10.0);
    people.leaving.after_task = leave_after_task;
    setup.kinds.push(people);
    let mut spec = PoolSpec::serving(&[AppId(0)]);
    spec.policies.scaling = scaling;
    spec.policies.replacement = replacement;
    let mut pool = Pool::new("pool", spec);
    pool.workers.push((0, workers));
    setup.pools.push(pool);
    setup.demands.push(Demand::of("requests", 0, 0, Arrivals::poisson(2.0)));
    setup
}

fn plan(seed: u64, minutes: u64) -> Plan {
    let horizon = Horizon::Time(Span::from_mins(minutes));
    Plan { horizon, warm_up: Span::ZERO, replications: Replications::Fixed(1), seed, points: 60 }
}

fn go(setup: &Setup, plan: &Plan) -> Outcome {
    let registry = Registry::default();
    run(Run { setup, plan, number: 0, registry: &registry, watch: &Unwatched }).expect("the engine takes it")
}

/// Mean size in each quarter of the run.
fn quarters(outcome: &Outcome) -> [f64; 4] {
    let sizes = outcome.timeline.means(0, |pool| pool.size);
    let part = sizes.len() / 4;
    let mean =
        |q: usize| sizes[q * part..(q + 1) * part].iter().map(|(_, size)| size).sum::<f64>() / part as f64;
    [mean(0), mean(1), mean(2), mean(3)]
}

#[test]
fn with_an_integral_part_pid_throughput_grows_without_end() {
    let scaling =
        |ki: f64| PolicySpec::named("pid-throughput").with("every", "10 s").with("kp", 0.5).with("ki", ki);
    let sizes = |ki| quarters(&go(&setup(12, scaling(ki), PolicySpec::named("none"), 0.0), &plan(11, 60)));
    let growing = sizes(0.02);
    assert!(growing.windows(2).all(|two| two[1] > 1.2 * two[0]), "{growing:?}");
    assert!(growing[3] > 60.0, "six times what the load needs: {growing:?}");
    let steady = sizes(0.0);
    assert!(steady[3] < 1.5 * steady[1] && steady[3] < 40.0, "{steady:?}");
}

/// Notes what a replacement policy wanted and called for.
#[derive(Default)]
struct Calls {
    /// For each look: what is recruited on average, and what was.
    looks: Vec<(f64, f64)>,
    /// For each order: the size with those on their way before it.
    sizes: Vec<u32>,
}

impl Recorder for Calls {
    fn record(&mut self, _number: u64, fact: &Fact, state: &State) {
        match &fact.body {
            Body::Decision(Decision::Evaluated(_, Family::Replacement, seen)) => {
                self.looks.push((seen.error, seen.output));
            }
            Body::Decision(Decision::Recruiting { pool, n, .. }) => {
                let pool = &state.pools()[pool.index()];
                self.sizes.push(pool.workers.size() + pool.in_flight() - n);
            }
            _ => {}
        }
    }
}

fn calls(replacement: PolicySpec, seed: u64) -> Calls {
    let setup = setup(14, PolicySpec::named("static"), replacement, 0.1);
    let (plan, registry) = (plan(seed, 60), Registry::default());
    let mut calls = Calls::default();
    let what = Run { setup: &setup, plan: &plan, number: 0, registry: &registry, watch: &Unwatched };
    run_with(what, &mut calls).expect("the engine takes it");
    calls
}

#[test]
fn hybrid_never_recruits_above_its_threshold() {
    let calls = calls(PolicySpec::named("hybrid").with("below", 12_u32).with("window", "30 s"), 12);
    assert!(calls.sizes.len() > 50, "too few orders to tell anything: {}", calls.sizes.len());
    assert!(calls.sizes.iter().all(|size| *size < 12), "{:?}", calls.sizes.iter().max());
}

#[test]
fn average_rate_recruits_as_many_as_left_on_average() {
    let calls = calls(PolicySpec::named("average-rate").with("window", "30 s"), 13);
    let (expected, variance) = calls.looks.iter().fold((0.0, 0.0), |sum, (mean, _)| {
        let part = mean - mean.floor();
        (sum.0 + mean, sum.1 + part * (1.0 - part))
    });
    let recruited: f64 = calls.looks.iter().map(|(_, n)| n).sum();
    let off = (recruited - expected).abs();
    assert!(expected > 100.0, "too few to tell anything: {expected}");
    assert!(
        off <= 3.0 * variance.sqrt(),
        "{recruited} recruited, {expected} expected, error {}",
        variance.sqrt()
    );
}

fn quick(experiment: &str) -> Report {
    let lab = Lab::new(true, 2, &());
    reproduce(&lab, &Inputs::default(), &[experiment.to_owned()]).expect("it can be run")
}

fn ours(report: &Report, id: &str) -> f64 {
    let claim = |(_, claim): (_, &Claim)| (claim.stated.id == id).then(|| claim.ours.map(|ours| ours.mean));
    report.claims().find_map(claim).flatten().unwrap_or_else(|| panic!("{id} was not measured"))
}

#[test]
fn after_a_step_pid_settles_sooner_than_rules() {
    let report = quick("elasticity");
    assert!(ours(&report, "elasticity-settles-size") > 1.2);
    assert!(ours(&report, "elasticity-settles-throughput") > 1.2);
    // The bars imply the load and the rate of a worker: the static pool does what the paper's did.
    assert!((ours(&report, "elasticity-throughput-static") - 1.17).abs() < 0.05);
}

#[test]
fn without_replacement_a_pool_is_the_worst() {
    let report = quick("stability");
    assert!(ours(&report, "stability-none") > 3.0);
    assert!(ours(&report, "stability-average-none") > 3.0);
}

#[test]
fn moving_people_does_more_work_and_by_preference_they_like_it_more() {
    let report = quick("balance");
    assert!(ours(&report, "balance-throughput-none") > 1.5);
    assert!(ours(&report, "balance-preference") > 1.1);
    assert!(ours(&report, "balance-preference-none") > 1.1);
}

#[test]
fn a_report_is_the_same_every_time_in_every_form() {
    let (one, two) = (quick("stability"), quick("stability"));
    let json = muster_papers::json::claims(&one);
    assert_eq!(json, muster_papers::json::claims(&two));
    let list = json.as_array().expect("a list");
    assert_eq!(list.len(), 7);
    for claim in list {
        for key in ["id", "claim", "paper", "ours", "interval", "verdict", "note"] {
            assert!(claim.get(key).is_some(), "{key} is missing in {claim}");
        }
    }
    let page = muster_papers::page::html(&one);
    assert!(page.starts_with("<!doctype html>") && page.contains("stability-average-rules"));
    let text = muster_papers::text::report(&one, muster_report::paint::Paint::Plain);
    assert!(text.contains("too short runs for the verdicts to mean anything"), "{text}");
}

#[test]
fn experiments_are_named() {
    let names: Vec<&str> = experiments().collect();
    assert_eq!(names, ["elasticity", "stability", "balance", "end-to-end", "look-ahead"]);
}
