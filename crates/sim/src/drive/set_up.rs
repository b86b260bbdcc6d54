//! From a description to an engine that is ready to run, and what the crowd must know of it.

use muster_engine::fact::{NoRecorder, Recorder};
use muster_engine::ids::{AppId, TenantId};
use muster_engine::policy::Registry;
use muster_engine::{Command, Engine, Refusal, Time};

use crate::model::{Setup, Task};
use crate::random::{Chance, Purpose};

use super::crowd::{Crowd, Known};
use super::demand::Stream;
use super::{Run, RunError, refused};

/// The engine with everything but people and jobs, and the crowd around it.
pub(super) fn build<'a, R: Recorder>(
    what: Run<'a>,
    also: &'a mut R,
) -> Result<(Engine, Crowd<'a, R>), RunError> {
    let seed = Chance::of(what.plan.seed, Purpose::Replication, u64::from(what.number), 0).bits();
    let engine_seed = Chance::of(seed, Purpose::Engine, 0, 0).bits();
    let mut engine = Engine::with_registry(engine_seed, what.registry.clone());
    let mut crowd = Crowd::new(what.setup, what.plan, seed, also);
    for (name, command) in commands(what.setup) {
        let told = engine.handle(Time::ZERO, command, &mut crowd);
        told.map_err(|refusal| refused(name, refusal))?;
    }
    let demands = known(what.setup, &engine, seed)?;
    crowd.know(demands);
    Ok((engine, crowd))
}

/// Whether the engine takes what is described; nothing is run.
pub fn check(setup: &Setup, registry: &Registry) -> Result<(), RunError> {
    let mut engine = Engine::with_registry(0, registry.clone());
    for (name, command) in commands(setup) {
        let told = engine.handle(Time::ZERO, command, &mut NoRecorder);
        told.map_err(|refusal| refused(name, refusal))?;
    }
    known(setup, &engine, 0).map(|_| ())
}

/// What the engine is told at the beginning, each with what it is about.
fn commands(setup: &Setup) -> Vec<(String, Command)> {
    let tenants = setup
        .tenants
        .iter()
        .map(|tenant| (format!("tenant '{}'", tenant.name), Command::AddTenant(tenant.spec)));
    let apps = setup.apps.iter().map(|app| (format!("app '{}'", app.name), Command::AddApp(app.spec)));
    let kinds = setup.kinds.iter().map(|kind| (format!("kind '{}'", kind.name), Command::AddKind(kind.spec)));
    let pools = setup
        .pools
        .iter()
        .map(|pool| (format!("pool '{}'", pool.name), Command::AddPool(Box::new(pool.spec.clone()))));
    let balance = ("balance".to_owned(), Command::SetBalance(setup.balance.clone()));
    let clients = setup.demands.iter().flat_map(|demand| {
        let (n, spec) = demand.clients.unwrap_or_default();
        (0..n).map(move |_| (format!("demand '{}': clients", demand.name), Command::AddClient(spec)))
    });
    tenants.chain(apps).chain(kinds).chain(pools).chain([balance]).chain(clients).collect()
}

/// Where the work of each demand goes.
fn known(setup: &Setup, engine: &Engine, seed: u64) -> Result<Vec<Known>, RunError> {
    let mut first_client = 0;
    let mut all = Vec::with_capacity(setup.demands.len());
    for (place, demand) in setup.demands.iter().enumerate() {
        let apps: Vec<u32> = match &demand.task {
            Task::Batch { app, .. } => vec![*app as u32],
            Task::Workflow(steps) => steps.iter().map(|step| step.app as u32).collect(),
        };
        let tenant = TenantId(demand.tenant as u32);
        let pool = |app: &u32| {
            let served = engine.state().app(AppId(*app)).and_then(|known| known.route(tenant));
            let none = || refused(format!("demand '{}'", demand.name), Refusal::NoPool(tenant, AppId(*app)));
            served.map(|pool| pool.0).ok_or_else(none)
        };
        let pools = apps.iter().map(pool).collect::<Result<Vec<u32>, RunError>>()?;
        let roots = match &demand.task {
            Task::Batch { .. } => 0,
            Task::Workflow(steps) => steps.iter().filter(|step| step.after.is_empty()).count() as u32,
        };
        let is_batch = matches!(demand.task, Task::Batch { .. });
        let stream = Stream::new(seed, place, first_client);
        first_client += demand.clients.map_or(0, |(n, _)| n);
        all.push(Known { stream, pools, cells: Vec::new(), apps, roots, is_batch });
    }
    Ok(all)
}
