//! Replacement: the expectation of `average-rate`, and the threshold of `hybrid`.

use std::sync::Mutex;

use muster_engine::fact::{Body, Decision, Fact};
use muster_engine::ids::{AppId, TenantId, WorkerId};
use muster_engine::policy::Family;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{Aim, JobSpec};
use muster_engine::view::View;
use muster_engine::{Command, Engine, Span, Time};

use crate::crowd::{self, POOL, send};
use crate::dice::Dice;
use crate::seeds;

/// How many were recruited; `None` if the policy did not look.
fn recruited(facts: &[Fact]) -> Option<u32> {
    let looked =
        |fact: &Fact| matches!(fact.body, Body::Decision(Decision::Evaluated(_, Family::Replacement, _)));
    facts.iter().any(looked).then(|| {
        let orders = facts.iter().map(|fact| match &fact.body {
            Body::Decision(Decision::Recruiting { n, .. }) => *n,
            _ => 0,
        });
        orders.sum()
    })
}

fn leave(engine: &mut Engine, at: Time, n: u32) {
    let ids: Vec<WorkerId> =
        engine.state().workers().iter().map(|worker| worker.id).take(n as usize).collect();
    for id in ids {
        send(engine, at, Command::Leave(id));
    }
}

/// Whatever the engine draws, it is one of the two whole numbers around `departures * step / window`, and on average just that.
#[test]
fn average_rate_recruits_what_left_on_average() {
    let all = Mutex::new((0.0, 0.0));
    seeds("average_rate_recruits", 12, |seed| {
        let mut dice = Dice::new(seed);
        let (step, steps, left) = (dice.from(1, 4), dice.from(50, 400), dice.from(1, 900));
        let window = step * steps;
        let policy = PolicySpec::named("average-rate")
            .with("every", Span::from_secs(u64::from(step)))
            .with("window", Span::from_secs(u64::from(window)));
        let (mut sum, mut looks) = (0_u64, 0_u64);
        let rate = f64::from(left) * f64::from(step) / f64::from(window);
        for engine_seed in 0..10 {
            let spec = policy.clone();
            let mut engine = crowd::engine(seed * 100 + engine_seed, &mut dice, 1, |pool| {
                pool.policies.replacement = spec;
            });
            for _ in 0..left {
                let command = crowd::newcomer(&mut dice, 1);
                send(&mut engine, Time::ZERO, command);
            }
            leave(&mut engine, Time(1), left);
            for look in 1..=u64::from(steps) {
                let at = Time::ZERO + Span::from_secs(u64::from(step) * look);
                let n = recruited(&send(&mut engine, at, Command::Wake)).expect("it looks at every step");
                // Just when the window is over, those who left at its beginning (1 ns later) are still in it.
                let (least, most) = (rate.floor(), (rate - 1e-12).floor() + 1.0);
                assert!((least..=most).contains(&f64::from(n)), "{n} recruited at a rate of {rate}");
                (sum, looks) = (sum + u64::from(n), looks + 1);
            }
        }
        let part = rate.fract();
        let (off, variance) = (sum as f64 - rate * looks as f64, part * (1.0 - part) * looks as f64);
        assert!(off.abs() <= 5.0 * variance.sqrt() + 1e-6, "{off} off {rate} each in {looks} looks");
        let mut all = all.lock().expect("no run has failed");
        *all = (all.0 + off, all.1 + variance);
    });
    // One run in four hundred is off by three standard errors; all together are not.
    let (off, variance) = *all.lock().expect("no run has failed");
    assert!(off.abs() <= 3.0 * variance.sqrt() + 1e-6, "{off} too many in all, variance {variance}");
}

/// `hybrid` recruits nobody while the pool, as it counts it, is at its threshold or above; below it does.
#[test]
fn hybrid_never_recruits_at_or_above_its_threshold() {
    seeds("hybrid_never_recruits", 40, |seed| {
        let mut dice = Dice::new(seed);
        let (threshold, counts, fixed) = (dice.from(1, 12), dice.permille(500), dice.permille(500));
        let base = PolicySpec::named("hybrid")
            .with("every", Span::from_secs(1))
            .with("window", Span::from_secs(u64::from(dice.from(1, 5))))
            .with("count_in_flight", counts);
        let policy = if fixed { base.with("below", threshold) } else { base.with("short_by", threshold % 4) };
        let mut engine = crowd::engine(seed, &mut dice, 1, |pool| {
            pool.policies.replacement = policy;
            pool.recommend.service_prior = Some(Span::from_secs(10));
            pool.recommend.aim = Aim::Occupancy(0.7);
            pool.window = Span::from_secs(60);
            pool.recruit_within = Span::from_hours(10);
        });
        let mut with_recruits = 0;
        for second in 1..=200 {
            let now = Time(second * 1_000_000_000);
            let size = View { state: engine.state(), id: POOL }.observe().size(counts);
            let n = recruited(&send(&mut engine, now, Command::Wake)).expect("it looks every second");
            let best = View { state: engine.state(), id: POOL }.observe().recommended();
            let below =
                if fixed { size < threshold } else { best.is_some_and(|best| size + threshold % 4 < best) };
            assert!(below || n == 0, "second {second}: {n} recruited at {size}, recommended {best:?}");
            with_recruits += u32::from(n > 0);
            for _ in 0..dice.below(3) {
                let command = crowd::newcomer(&mut dice, 1);
                send(&mut engine, now, command);
            }
            let gone = dice.from(0, 3);
            leave(&mut engine, now, gone);
            if dice.permille(300) {
                let spec = JobSpec::batch(TenantId(0), AppId(0), dice.from(1, 8));
                send(&mut engine, now, Command::Submit(Box::new(spec)));
            }
        }
        assert!(with_recruits > 0 || counts || threshold < 3 || !fixed, "nobody was ever recruited");
    });
}
