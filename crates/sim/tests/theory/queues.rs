//! One queue: Erlang's formulas, Pollaczek and Khinchine's, machine repair, priorities.

use muster_engine::policy::settings::PolicySpec;
use muster_sim::law::Law;
use muster_sim::measure::{Measure, Scope};
use muster_sim::model::{Arrivals, Demand, GivingUp, Tenant};

use crate::support::{Effort, agrees, queue, rates, readings, runs, waited_longer};

/// The mean wait of everybody, in all runs.
fn mean_waits(all: &[muster_sim::measure::Outcome]) -> Vec<f64> {
    readings(all, Scope::All, Measure::WaitMean)
}

#[test]
fn erlang_c() {
    let setup = queue(100, Law::Exponential(2.0), Arrivals::poisson(45.0));
    let all = runs(&setup, 101, Effort { runs: 20, seconds: 2_000, warm_up: 100 });
    agrees("mean wait", &mean_waits(&all), 0.043_388, 0.06);
    agrees("share that waits", &waited_longer(&all, 0.0), 0.216_940, 0.04);
    agrees("share that waits longer than 0.2 s", &waited_longer(&all, 0.2), 0.079_808, 0.06);
}

#[test]
fn erlang_b() {
    let mut setup = queue(100, Law::Exponential(2.0), Arrivals::poisson(45.0));
    setup.demands[0].giving_up = Some(GivingUp { after: Law::Fixed(0.0) });
    let all = runs(&setup, 102, Effort { runs: 20, seconds: 1_000, warm_up: 100 });
    agrees("share blocked", &readings(&all, Scope::All, Measure::GaveUp), 0.026_957, 0.03);
}

#[test]
fn erlang_a() {
    let mut setup = queue(100, Law::Exponential(2.0), Arrivals::poisson(55.0));
    setup.demands[0].giving_up = Some(GivingUp { after: Law::Exponential(10.0) });
    let all = runs(&setup, 103, Effort { runs: 20, seconds: 1_000, warm_up: 100 });
    agrees("share that gives up", &readings(&all, Scope::All, Measure::GaveUp), 0.091_479, 0.02);
    // Of all, those who give up included: by Little's law the queue divided by the rate.
    let waits: Vec<f64> =
        readings(&all, Scope::All, Measure::Queue).iter().map(|queue| queue / 55.0).collect();
    agrees("mean wait of all", &waits, 0.914_79, 0.02);
}

#[test]
fn one_server_by_pollaczek_and_khinchine() {
    let h2 = Law::mixture(vec![(0.1, Law::Exponential(5.5)), (0.9, Law::Exponential(0.5))]);
    let cases = [
        (104, Law::Fixed(1.0), 2.0, 0.02),
        (105, Law::Exponential(1.0), 4.0, 0.03),
        (106, h2.expect("a law"), 13.0, 0.05),
    ];
    for (seed, work, theory, coarse) in cases {
        let setup = queue(1, work.clone(), Arrivals::poisson(0.8));
        let all = runs(&setup, seed, Effort { runs: 20, seconds: 50_000, warm_up: 2_000 });
        agrees(&format!("mean wait for {work:?}"), &mean_waits(&all), theory, coarse);
    }
}

#[test]
fn machine_repair() {
    let arrivals = Arrivals::Closed { clients: 50, thinking: Law::Exponential(10.0) };
    let setup = queue(4, Law::Exponential(1.0), arrivals);
    let all = runs(&setup, 107, Effort { runs: 20, seconds: 5_000, warm_up: 200 });
    agrees("repairs per second", &rates(&all), 3.884_98, 0.01);
    agrees("response", &readings(&all, Scope::All, Measure::ResponseMean), 2.870_07, 0.02);
}

#[test]
fn priorities_without_interruption() {
    let mut setup = queue(10, Law::Exponential(1.0), Arrivals::poisson(4.5));
    setup.tenants.push(Tenant::new("the others"));
    setup.demands.push(Demand::of("other requests", 1, 0, Arrivals::poisson(4.5)));
    setup.demands[0].priority = 2;
    setup.pools[0].spec.policies.dispatch = PolicySpec::named("priority");
    let all = runs(&setup, 108, Effort { runs: 20, seconds: 5_000, warm_up: 300 });
    let waits = |place| readings(&all, Scope::Tenant(place), Measure::WaitMean);
    agrees("the first class", &waits(0), 0.121_588, 0.03);
    agrees("the second class", &waits(1), 1.215_875, 0.06);
}
