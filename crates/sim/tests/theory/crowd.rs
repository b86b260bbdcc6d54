//! People and machines who come and go: churn, recruiting, shifts, training, bills.

use muster_engine::Span;
use muster_engine::ids::TenantId;
use muster_engine::money::Money;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{KindSpec, Payer};
use muster_sim::law::Law;
use muster_sim::measure::{Measure, Scope};
use muster_sim::model::{Arrivals, Returning, Setup, Shift, Staying};

use crate::support::{Effort, agrees, equals, queue, rates, readings, runs, saturated};

/// Everybody comes again, after so many seconds on average.
fn always_back(mean: f64) -> Option<Returning> {
    Some(Returning { share: 1.0, after: Law::Exponential(mean) })
}

/// A hundred people who leave with probability 0.1 after each task of two seconds, and are back 50 seconds later.
fn with_churn(mut setup: Setup) -> Setup {
    setup.kinds[0].leaving.after_task = 0.1;
    setup.kinds[0].returning = always_back(50.0);
    setup
}

#[test]
fn the_capacity_of_a_pool_with_churn() {
    let setup = with_churn(saturated(100, Law::Exponential(2.0)));
    let all = runs(&setup, 301, Effort { runs: 20, seconds: 2_000, warm_up: 500 });
    agrees("answers per second", &rates(&all), 14.285_7, 0.01);
    agrees("people there", &readings(&all, Scope::All, Measure::Size), 100.0 * 2.0 / 7.0, 0.01);
}

#[test]
fn waiting_in_a_pool_with_churn() {
    let setup = with_churn(queue(100, Law::Exponential(2.0), Arrivals::poisson(90.0 / 7.0)));
    let all = runs(&setup, 302, Effort { runs: 30, seconds: 10_000, warm_up: 1_000 });
    agrees("mean wait", &readings(&all, Scope::All, Measure::WaitMean), 0.635_58, 0.12);
}

#[test]
fn staying_by_any_hazard() {
    let cases = [
        (303, Law::weibull(30.0, 1.4), 30.0),
        (304, Law::weibull(30.0, 0.6), 30.0),
        (305, Law::log_normal(30.0, 60.0), 30.0),
    ];
    for (seed, law, mean) in cases {
        let mut setup = queue(100, Law::Fixed(1.0), Arrivals::None);
        setup.kinds[0].leaving.staying = Some(Staying { law: law.expect("a law"), drops: true });
        setup.kinds[0].returning = always_back(20.0);
        let all = runs(&setup, seed, Effort { runs: 20, seconds: 3_000, warm_up: 1_000 });
        let size = readings(&all, Scope::All, Measure::Size);
        agrees("people there", &size, 100.0 * mean / (mean + 20.0), 0.01);
    }
}

#[test]
fn who_has_nothing_to_do_loses_patience() {
    let mut setup = queue(100, Law::Fixed(1.0), Arrivals::None);
    setup.kinds[0].leaving.bored = Some(Law::Exponential(30.0));
    setup.kinds[0].returning = always_back(50.0);
    let all = runs(&setup, 306, Effort { runs: 20, seconds: 3_000, warm_up: 500 });
    agrees("people there", &readings(&all, Scope::All, Measure::Size), 100.0 * 30.0 / 80.0, 0.01);
}

#[test]
fn who_does_so_many_tasks_a_visit_and_learns_first() {
    // A visit: learning 20 s, five tasks of 2 s; then 30 s away.
    let mut setup = saturated(50, Law::Exponential(2.0));
    setup.apps[0].spec.training = Span::from_secs(20);
    setup.apps[0].training = Law::Exponential(20.0);
    setup.kinds[0].trained = false;
    setup.kinds[0].leaving.tasks = Some(Law::Fixed(5.0));
    setup.kinds[0].returning = always_back(30.0);
    let all = runs(&setup, 307, Effort { runs: 20, seconds: 5_000, warm_up: 500 });
    agrees("answers per second", &rates(&all), 50.0 * 5.0 / 60.0, 0.005);
}

#[test]
fn only_some_come_again() {
    // Each of 1000 people makes 1 / (1 - 0.8) visits on average.
    let mut setup = queue(1_000, Law::Fixed(1.0), Arrivals::None);
    setup.kinds[0].leaving.staying = Some(Staying { law: Law::Exponential(5.0), drops: false });
    setup.kinds[0].returning = Some(Returning { share: 0.8, after: Law::Exponential(5.0) });
    let all = runs(&setup, 308, Effort { runs: 20, seconds: 2_000, warm_up: 0 });
    let visits: Vec<f64> = all.iter().map(|outcome| outcome.edges.joined as f64 / 1_000.0).collect();
    agrees("visits", &visits, 5.0, 0.01);
}

/// A pool that calls a thousand people at the beginning, at once, and for so many seconds.
fn call(
    change: impl Fn(&mut Setup),
    seed: u64,
    runs_n: u32,
    seconds: u64,
) -> Vec<muster_sim::measure::Outcome> {
    let mut setup = queue(0, Law::Fixed(1.0), Arrivals::None);
    let scaling = PolicySpec::named("static").with("size", 1_000_u32).with("every", Span::from_secs(1));
    setup.pools[0].spec.policies.scaling = scaling;
    setup.pools[0].spec.recruit_within = Span::from_hours(1_000);
    change(&mut setup);
    runs(&setup, seed, Effort { runs: runs_n, seconds, warm_up: 0 })
}

#[test]
fn a_renewed_posting_is_as_fresh_as_at_first() {
    // Falling hazard: renewing helps. With F the law and r the renewal, the mean is the integral of 1 - F up to r,
    // divided by F(r).
    let (shape, mean, renew) = (0.5_f64, 90.0, 30.0);
    let law = Law::weibull(mean, shape).expect("a law");
    let Law::Weibull { scale, .. } = law else { panic!("{law:?}") };
    let beyond = |t: f64| (-(t / scale).powf(shape)).exp();
    let n = 300_000;
    let step = renew / f64::from(n);
    let area: f64 = (0..n).map(|i| beyond((f64::from(i) + 0.5) * step) * step).sum();
    let theory = area / (1.0 - beyond(renew));
    assert!(theory < 0.6 * mean, "{theory}");
    let seconds = 4_000;
    let all = call(
        |setup| {
            setup.kinds[0].recruiting.delay = law.clone();
            setup.kinds[0].recruiting.renew = Some(Span::from_secs_f64(renew));
        },
        309,
        10,
        seconds,
    );
    // The policy looks for the first time after a second.
    let size = readings(&all, Scope::All, Measure::Size);
    let delays: Vec<f64> = size.iter().map(|size| (1.0 - size / 1_000.0) * seconds as f64 - 1.0).collect();
    agrees("until a recruit is there", &delays, theory, 0.02);
}

#[test]
fn some_recruits_never_come() {
    // Each order brings 60 %; those lost at the deadline are called for again: 1 / 0.6 calls for each who comes.
    let all = call(
        |setup| {
            setup.kinds[0].recruiting.delay = Law::Exponential(5.0);
            setup.kinds[0].recruiting.come = 0.6;
            setup.pools[0].spec.recruit_within = Span::from_mins(5);
        },
        310,
        10,
        6_000,
    );
    assert!(all.iter().all(|outcome| outcome.edges.joined == 1_000), "{:?}", all[0].edges);
    let calls: Vec<f64> = all.iter().map(|outcome| outcome.edges.recruited as f64 / 1_000.0).collect();
    agrees("calls for each who comes", &calls, 1.0 / 0.6, 0.01);
}

#[test]
fn shifts_come_and_go_by_the_clock() {
    let mut setup = queue(2, Law::Fixed(1.0), Arrivals::None);
    setup.pools[0].shifts.push(Shift {
        kind: 0,
        workers: 6,
        from: Span::from_secs(100),
        length: Span::from_secs(300),
        every: Some(Span::from_secs(900)),
    });
    let all = runs(&setup, 311, Effort { runs: 2, seconds: 9_000, warm_up: 0 });
    equals("people there", readings(&all, Scope::All, Measure::Size)[0], 2.0 + 6.0 * 300.0 / 900.0);
    assert_eq!(all[0].edges.left, 60);
}

#[test]
fn the_last_period_begun_is_billed() {
    // Machines that live for an exponential time of mean m, billed by the period h: 1 / (1 - exp(-h / m)) periods.
    let mut setup = queue(2_000, Law::Fixed(1.0), Arrivals::None);
    setup.kinds[0].spec = KindSpec::machine(Money::units(1), Span::from_secs(60));
    setup.kinds[0].leaving.staying = Some(Staying { law: Law::Exponential(50.0), drops: true });
    setup.pools[0].spec.payer = Payer::Tenant(TenantId(0));
    let all = runs(&setup, 312, Effort { runs: 20, seconds: 7_200, warm_up: 0 });
    let costs = readings(&all, Scope::All, Measure::CostMachines);
    let periods: Vec<f64> = costs.iter().map(|per_hour| per_hour * 2.0 / 2_000.0).collect();
    agrees("periods", &periods, 1.431_013, 0.01);
}

#[test]
fn waiting_is_paid_by_the_hour() {
    // M/M/1 with load 0.5: idle half of the time.
    let mut setup = queue(1, Law::Exponential(1.0), Arrivals::poisson(0.5));
    setup.kinds[0].spec = KindSpec::person(Money::units(12));
    let all = runs(&setup, 313, Effort { runs: 20, seconds: 20_000, warm_up: 100 });
    agrees("wages", &readings(&all, Scope::All, Measure::CostWaiting), 6.0, 0.01);
    agrees("idle share", &readings(&all, Scope::All, Measure::IdleShare), 0.5, 0.01);
}
