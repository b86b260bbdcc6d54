//! Facts as bytes, and engines rebuilt by a release that knows other policies.

use muster_engine::fact::{Body, Decision, Fact};
use muster_engine::ids::{AppId, KindId, PoolId, TenantId, WorkerId};
use muster_engine::money::Money;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::policy::{Family, Registry};
use muster_engine::spec::{AppSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, WorkerSpec};
use muster_engine::{Command, Engine, Refusal, Reply, Span, Time};

/// A few facts of a pool that comes to use `fair`.
fn some_facts() -> Vec<Fact> {
    let mut engine = Engine::new(1);
    let mut facts: Vec<Fact> = Vec::new();
    let fair = PolicySpec::named("fair").with("between", "jobs");
    for command in [
        Command::AddTenant(TenantSpec::default()),
        Command::AddApp(AppSpec::default()),
        Command::AddKind(KindSpec::person(Money::units(3))),
        Command::AddPool(Box::new(PoolSpec::serving(&[AppId(0)]))),
        Command::SetPolicy(PoolId(0), Family::Dispatch, fair),
        Command::Submit(Box::new(JobSpec::batch(TenantId(0), AppId(0), 3))),
        Command::Join(Box::new(WorkerSpec::of(PoolId(0), KindId(0)))),
        Command::Ask(WorkerId(0)),
    ] {
        engine.handle(Time::ZERO, command, &mut facts).expect("nothing wrong with it");
    }
    facts
}

#[test]
fn facts_are_written_and_read_back() {
    for fact in some_facts() {
        let bytes = fact.encode();
        assert_eq!(Fact::decode(&bytes), Some(fact));
        let mut newer = bytes.clone();
        newer[0] += 1;
        assert_eq!(Fact::decode(&newer), None, "another version is not guessed at");
        assert_eq!(Fact::decode(&bytes[..bytes.len() - 1]), None, "half a fact is none");
    }
    assert_eq!(Fact::decode(&[]), None);
}

#[test]
fn a_policy_that_is_gone_gives_way_and_that_is_said() {
    let mut registry = Registry::default();
    registry.dispatch.retain(|entry| entry.name != "fair");
    let mut engine = Engine::with_registry(1, registry);
    some_facts().iter().for_each(|fact| engine.apply(fact));
    assert_eq!(engine.restarted(), [(PoolId(0), Family::Dispatch)]);

    let now = Time::ZERO + Span::from_secs(1);
    let mut facts: Vec<Fact> = Vec::new();
    assert_eq!(engine.handle(now, Command::Wake, &mut facts), Err(Refusal::MustResume));
    let restarted = engine.restarted().to_vec();
    assert_eq!(engine.handle(now, Command::Resume(now, restarted), &mut facts), Ok(Reply::Done));
    let said = Body::Decision(Decision::PolicyRestarted(PoolId(0), Family::Dispatch));
    assert_eq!(facts.last().map(|fact| &fact.body), Some(&said));
    assert_eq!(engine.handle(now, Command::Wake, &mut facts), Ok(Reply::Done));
}

#[test]
fn a_snapshot_that_cannot_be_read_is_refused() {
    let engine = Engine::new(1);
    let snapshot = engine.snapshot();
    assert!(Engine::restore(&snapshot, Registry::default()).is_ok());
    assert!(Engine::restore(&snapshot[..snapshot.len() / 2], Registry::default()).is_err());
    assert!(Engine::restore(&[], Registry::default()).is_err());
    let mut newer = snapshot;
    newer[0] ^= 0xFF;
    assert!(Engine::restore(&newer, Registry::default()).is_err());
}
