//! Commands that must be refused.

use muster_engine::ids::{AppId, ClientId, JobId, PoolId, RecruitId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::policy::Family;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{
    AppSpec, ClientSpec, FlowTask, JobSpec, KindSpec, LeaseLength, PoolSpec, TenantSpec, WorkerSpec,
};
use muster_engine::state::State;
use muster_engine::{Command, Span};

use crate::dice::Dice;
use crate::setup;

/// Something that is wrong whatever the state.
pub(crate) fn any(dice: &mut Dice, state: &State) -> Command {
    match dice.below(4) {
        0 => unknown(dice),
        1 => wrong_setting(dice, state),
        2 => wrong_policy(dice),
        _ => wrong_job(dice, state),
    }
}

fn unknown(dice: &mut Dice) -> Command {
    let (_, _, kind, pool) = setup::nowhere();
    let (worker, token, job) = (WorkerId(u32::MAX), Token(u64::MAX), JobId(u64::MAX));
    match dice.below(15) {
        14 => Command::Join(Box::new(WorkerSpec::of(PoolId(0), kind))),
        0 => Command::Ask(worker),
        1 => Command::Answer(worker, token),
        2 => Command::SkipJob(worker, token),
        3 => Command::Heartbeat(worker),
        4 => Command::Pause(worker),
        5 => Command::Drain(worker),
        6 => Command::Move(worker, pool),
        7 => Command::CancelJob(job),
        8 => Command::SetJobBudget(job, None),
        9 => Command::RecruitFailed(RecruitId(u32::MAX), 1),
        10 => Command::Recruit(pool, kind, 1),
        11 => Command::RemoveClient(ClientId(u32::MAX)),
        12 => Command::Join(Box::new(WorkerSpec::of(pool, kind))),
        _ => Command::Leave(worker),
    }
}

fn wrong_setting(dice: &mut Dice, state: &State) -> Command {
    let (tenant, app, _, pool) = setup::nowhere();
    match dice.below(9) {
        0 => Command::SetTenant(tenant, TenantSpec::default()),
        1 => Command::AddTenant(TenantSpec { weight: 0, budget: None }),
        2 => Command::SetApp(app, AppSpec::default()),
        3 => Command::AddApp(AppSpec { lease: LeaseLength::Fixed(Span::ZERO), ..AppSpec::default() }),
        4 => Command::AddKind(KindSpec { speed: f64::NAN, ..KindSpec::person(Money(1)) }),
        5 => Command::AddPool(Box::new(PoolSpec::serving(&[app]))),
        6 => Command::AddPool(Box::new(PoolSpec::serving(&[AppId(0)]))),
        7 => Command::SetPool(pool, Box::new(PoolSpec::serving(&[AppId(0)]))),
        _ => {
            let mut spec = state.pools()[0].spec.clone();
            spec.apps.reverse();
            spec.settle_every = Span::ZERO;
            Command::SetPool(state.pools()[0].id, Box::new(spec))
        }
    }
}

fn wrong_policy(dice: &mut Dice) -> Command {
    let (_, _, _, nowhere) = setup::nowhere();
    let pool = PoolId(0);
    match dice.below(5) {
        0 => Command::SetPolicy(pool, Family::Dispatch, PolicySpec::named("fare")),
        1 => Command::SetPolicy(pool, Family::Scaling, PolicySpec::named("static").with("kind", 77_u32)),
        2 => Command::SetPolicy(nowhere, Family::Scaling, PolicySpec::named("static")),
        3 => Command::SetBalance(PolicySpec::named("none").with("omega", 1.0)),
        _ => Command::AddClient(ClientSpec { alpha_gain: f64::NAN, ..ClientSpec::default() }),
    }
}

fn wrong_job(dice: &mut Dice, state: &State) -> Command {
    let (tenant, app) = (TenantId(0), AppId(0));
    let unserved = setup::apps(state).find(|app| state.apps()[app.index()].route(tenant).is_none());
    let flow = |parents: [&[u32]; 2]| {
        let tasks = parents.map(|parents| FlowTask { app, parents: parents.to_vec() });
        JobSpec::workflow(tenant, tasks.to_vec())
    };
    let spec = match dice.below(9) {
        8 => JobSpec::batch(tenant, unserved.unwrap_or(AppId(99)), 1),
        0 => flow([&[1], &[0]]),
        1 => flow([&[0], &[]]),
        2 => flow([&[], &[7]]),
        3 => flow([&[], &[0, 0]]),
        4 => JobSpec::batch(tenant, app, 0),
        5 => JobSpec { slots: 0, ..JobSpec::batch(tenant, app, 1) },
        6 => JobSpec { price: Money(-1), ..JobSpec::batch(tenant, app, 1) },
        _ => JobSpec::batch(tenant, AppId(99), 1),
    };
    Command::Submit(Box::new(spec))
}
