//! What random runs do not reach: the largest amounts, and policies whose memory no longer fits.

use muster_engine::fact::{Body, Decision, Fact, NoRecorder};
use muster_engine::ids::{AppId, KindId, PoolId, TenantId};
use muster_engine::money::Money;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::policy::{Family, Registry};
use muster_engine::spec::{AppSpec, KindSpec, Payer, PoolSpec, TenantSpec};
use muster_engine::{Command, Engine, Refusal, Span, Time};

use crate::drive::{Drive, run, seeds};

/// Machines of the highest price, paid by a tenant without a budget.
fn dear() -> Engine {
    let mut engine = Engine::new(1);
    let pool = PoolSpec { payer: Payer::Tenant(TenantId(0)), ..PoolSpec::serving(&[AppId(0)]) };
    for command in [
        Command::AddTenant(TenantSpec::default()),
        Command::AddApp(AppSpec::default()),
        Command::AddKind(KindSpec::machine(Money::MOST, Span::from_hours(1))),
        Command::AddPool(Box::new(pool)),
    ] {
        engine.handle(Time::ZERO, command, &mut NoRecorder).expect("nothing wrong with it");
    }
    engine
}

#[test]
fn the_dearest_machines_are_refused_or_counted_and_never_a_panic() {
    let mut engine = dear();
    let refused = engine.handle(Time::ZERO, Command::Recruit(PoolId(0), KindId(0), 1001), &mut NoRecorder);
    assert!(matches!(refused, Err(Refusal::Field { field: "n", .. })), "{refused:?}");
    for _ in 0..3 {
        let many = Command::Recruit(PoolId(0), KindId(0), 1000);
        engine.handle(Time::ZERO, many, &mut NoRecorder).expect("a thousand at a time are counted");
    }
    assert_eq!(engine.state().tenants()[0].reserved, Money::MOST.times(3000));
    let many = PolicySpec::named("static").with("size", 10_000_000_u32).with("most", 10_000_000_u32);
    let scaling = Command::SetPolicy(PoolId(0), Family::Scaling, many.with("step_most", 10_000_000_u32));
    engine.handle(Time::ZERO, scaling, &mut NoRecorder).expect("a size that may be wanted");
    engine.handle(Time::ZERO + Span::from_mins(1), Command::Wake, &mut NoRecorder).expect("a wake");
    let reserved = engine.state().tenants()[0].reserved;
    assert_eq!(reserved, Money::MOST.times(4000));
}

/// The policies of the next version, which cannot read the memories of this one.
fn next_version() -> Registry {
    let mut registry = Registry::default();
    registry.dispatch.iter_mut().filter(|entry| entry.name == "fair").for_each(|entry| entry.version += 1);
    registry.scaling.iter_mut().filter(|entry| entry.name == "pid-size").for_each(|entry| entry.version += 1);
    registry
}

#[test]
fn a_policy_whose_memory_no_longer_fits_begins_anew_and_says_so() {
    seeds("a_policy_whose_memory", 7000, 10, 300, |seed, steps| {
        let mut drive = Drive::new(seed);
        run(&mut drive, seed, steps, |_, _| {});
        let snapshot = drive.engine.snapshot();
        let mut engine = Engine::restore(&snapshot, next_version()).expect("another version of two policies");
        let now = engine.state().now();
        let mut facts: Vec<Fact> = Vec::new();
        let restarted = engine.restarted().to_vec();
        if !restarted.is_empty() {
            let refused = engine.handle(now, Command::Wake, &mut facts);
            assert_eq!(refused, Err(Refusal::MustResume));
        }
        engine.handle(now, Command::Resume(now, restarted), &mut facts).expect("going on");
        let expected: Vec<(PoolId, Family)> = drive
            .engine
            .state()
            .pools()
            .iter()
            .flat_map(|pool| {
                let fair = pool.spec.policies.dispatch.name == "fair";
                let pid = pool.spec.policies.scaling.name == "pid-size";
                let restarts = [(fair, Family::Dispatch), (pid, Family::Scaling)];
                restarts.into_iter().filter(|(it, _)| *it).map(|(_, family)| (pool.id, family))
            })
            .collect();
        let said = facts.iter().filter_map(|fact| match fact.body {
            Body::Decision(Decision::PolicyRestarted(pool, family)) => Some((pool, family)),
            _ => None,
        });
        assert_eq!(said.collect::<Vec<_>>(), expected);
        // Once it is a fact, it can be rebuilt.
        let mut again = Engine::restore(&snapshot, next_version()).expect("the same snapshot");
        facts.iter().for_each(|fact| again.apply(fact));
        assert!(again.snapshot() == engine.snapshot());
        assert_eq!(again.next_due(), engine.next_due());
    });
}
