//! Studies: the same numbers on any number of threads, enough runs and no more, and telling what is done when stopped.

use std::sync::atomic::{AtomicUsize, Ordering};

use muster_engine::Span;
use muster_engine::ids::AppId;
use muster_engine::money::Money;
use muster_engine::policy::Registry;
use muster_engine::spec::{KindSpec, PoolSpec};
use muster_sim::law::Law;
use muster_sim::measure::{Measure, Scope};
use muster_sim::model::{
    App, Arrivals, Demand, Horizon, Kind, Plan, Pool, Replications, Scenario, Setup, Tenant, Variant,
};
use muster_sim::study::{Options, Progress, Study, StudyError, study};

fn setup(workers: u32) -> Setup {
    let mut setup = Setup::new();
    setup.tenants.push(Tenant::new("everybody"));
    setup.apps.push(App::new("work", Law::Exponential(30.0)));
    setup.kinds.push(Kind::steady("people", KindSpec::person(Money::units(6))));
    let mut pool = Pool::new("pool", PoolSpec::serving(&[AppId(0)]));
    pool.workers.push((0, workers));
    setup.pools.push(pool);
    setup.demands.push(Demand::of("requests", 0, 0, Arrivals::poisson(0.1)));
    setup
}

fn scenario(replications: Replications) -> Scenario {
    let variant = |name: &str, workers| Variant { name: name.to_owned(), setup: setup(workers) };
    Scenario {
        name: "four or five".to_owned(),
        about: String::new(),
        currency: "USD".to_owned(),
        plan: Plan {
            horizon: Horizon::Time(Span::from_hours(3)),
            warm_up: Span::from_mins(10),
            replications,
            seed: 5,
            points: 20,
        },
        variants: vec![variant("four", 4), variant("five", 5)],
    }
}

fn run(scenario: &Scenario, threads: usize, watch: &dyn Progress) -> Result<Study, StudyError> {
    study(scenario, Options { threads, registry: &Registry::default(), watch })
}

#[test]
fn any_number_of_threads_gives_the_same_numbers() {
    let until = Replications::Until { measure: Measure::WaitMean, within: 0.15, least: 4, most: 60 };
    for replications in [Replications::Fixed(7), until] {
        let scenario = scenario(replications);
        let told = |threads| format!("{:?}", run(&scenario, threads, &()).unwrap().summary(&scenario));
        let one = told(1);
        assert_eq!(one, told(3));
        assert_eq!(one, told(16));
    }
}

#[test]
fn runs_stop_when_the_interval_is_narrow_enough() {
    let until = |within| Replications::Until { measure: Measure::WaitMean, within, least: 4, most: 60 };
    let coarse = run(&scenario(until(0.5)), 2, &()).unwrap();
    let fine = run(&scenario(until(0.1)), 2, &()).unwrap();
    assert!(coarse.replications < fine.replications && fine.replications < 60, "{}", fine.replications);
    assert!(!fine.imprecise && !fine.stopped);
    for variant in &fine.variants {
        let interval = variant.interval(Scope::All, Measure::WaitMean).unwrap();
        assert!(interval.half <= 0.1 * interval.mean, "{interval:?}");
    }
    let hopeless = run(
        &scenario(Replications::Until { measure: Measure::WaitMean, within: 1e-6, least: 2, most: 5 }),
        2,
        &(),
    );
    let hopeless = hopeless.unwrap();
    assert!(hopeless.imprecise && !hopeless.stopped && hopeless.replications == 5);
}

#[test]
fn paired_differences_are_narrower_than_the_intervals() {
    let study = run(&scenario(Replications::Fixed(12)), 2, &()).unwrap();
    let [four, five] = &study.variants[..] else { panic!("two variants") };
    let difference = five.against(four, Scope::All, Measure::WaitMean).unwrap();
    let alone = four.interval(Scope::All, Measure::WaitMean).unwrap();
    assert!(difference.interval.is_clear() && difference.interval.mean < 0.0, "{difference:?}");
    assert!(difference.interval.half < alone.half, "{difference:?}, alone {alone:?}");
    // The same jobs came in both.
    assert_eq!(four.edges.jobs_submitted, five.edges.jobs_submitted);
}

/// Stops after so many runs.
struct StopAfter(usize, AtomicUsize);

impl Progress for StopAfter {
    fn progress(&self, _number: usize, _most: usize, share: f64, _answers: u64) {
        if share >= 1.0 {
            self.1.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn stopped(&self) -> bool {
        self.1.load(Ordering::SeqCst) >= self.0
    }
}

#[test]
fn what_is_done_is_told_when_stopped() {
    let scenario = scenario(Replications::Fixed(50));
    let some = run(&scenario, 1, &StopAfter(7, AtomicUsize::new(0))).unwrap();
    assert!(some.stopped);
    assert_eq!(some.replications, 3, "three complete rounds of two variants");
    let none = run(&scenario, 1, &StopAfter(1, AtomicUsize::new(0)));
    assert_eq!(none.unwrap_err(), StudyError::Stopped);
}
