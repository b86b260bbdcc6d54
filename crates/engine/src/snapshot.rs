//! Snapshots: the whole state as bytes, always the same for the same state; and back.
//!
//! Two engines are equal if their snapshots are. Places in memory, indexes, timers and memos are left out: they are found
//! anew from the rest. Policies are written with name, version and memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::engine::{BALANCE_VIEW, Engine, Hosted};
use crate::ids::{ClientId, JobId, PoolId, RecruitId, TenantId};
use crate::policy::settings::{PolicySpec, SettingError};
use crate::policy::{Entry, Family, Registry, Start, find};
use crate::spec::KindSpec;
use crate::state::app::App;
use crate::state::job::{Job, LaneRef};
use crate::state::pool::Pool;
use crate::state::tenant::{Client, Tenant};
use crate::state::timers::Due;
use crate::state::worker::{LeaseAt, Worker};
use crate::state::{Books, Counters, Effects, Recruit, State};
use crate::time::Time;
use crate::view::View;

/// The version of the layout. A snapshot of another version is refused: rebuild from the facts.
const VERSION: u16 = 1;

#[derive(Serialize, Deserialize)]
struct Layout<J, W> {
    version: u16,
    seed: u64,
    now: Time,
    facts: u64,
    next: Counters,
    tenants: Vec<Tenant>,
    apps: Vec<App>,
    kinds: Vec<KindSpec>,
    pools: Vec<Pool>,
    clients: Vec<(ClientId, Client)>,
    jobs: Vec<J>,
    workers: Vec<W>,
    recruits: BTreeMap<RecruitId, Recruit>,
    books: Books,
    balance: PolicySpec,
    balance_at: Time,
    balance_draws: u64,
    memories: Vec<[Memory; 4]>,
    balance_memory: Memory,
}

/// What a policy remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Memory {
    version: u16,
    bytes: Vec<u8>,
}

/// Why a snapshot cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// The bytes are not a snapshot of this version.
    Unreadable,
    /// A policy it names is not there any more, or refuses its settings.
    Policy(SettingError),
}

impl std::fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable => {
                f.write_str("the snapshot cannot be read by this version; rebuild from the facts")
            }
            Self::Policy(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SnapshotError {}

impl Engine {
    /// The whole state as bytes.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let state = &self.state;
        let clients = state
            .client_ids
            .iter()
            .filter_map(|id| state.clients.get(*id).map(|client| (*id, client.clone())));
        let layout: Layout<&Job, &Worker> = Layout {
            version: VERSION,
            seed: state.seed,
            now: state.now,
            facts: state.facts,
            next: state.next,
            tenants: state.tenants.clone(),
            apps: state.apps.clone(),
            kinds: state.kinds.clone(),
            pools: state.pools.clone(),
            clients: clients.collect(),
            jobs: state.jobs(),
            workers: state.workers(),
            recruits: state.recruits.clone(),
            books: state.books,
            balance: state.balance.clone(),
            balance_at: state.balance_at,
            balance_draws: state.balance_draws,
            memories: self.memories(),
            balance_memory: Memory {
                version: version(&self.registry.balance, &state.balance),
                bytes: self.balance.memory(),
            },
        };
        postcard::to_allocvec(&layout).expect("the state is plain data")
    }

    fn memories(&self) -> Vec<[Memory; 4]> {
        let one = |(hosted, pool): (&Hosted, &Pool)| {
            let (registry, specs) = (&self.registry, &pool.spec.policies);
            [
                (version(&registry.dispatch, &specs.dispatch), hosted.dispatch.memory(self.view(pool.id))),
                (version(&registry.matching, &specs.matching), hosted.matching.memory()),
                (version(&registry.scaling, &specs.scaling), hosted.scaling.memory()),
                (version(&registry.replacement, &specs.replacement), hosted.replacement.memory()),
            ]
            .map(|(version, bytes)| Memory { version, bytes })
        };
        self.policies.iter().zip(&self.state.pools).map(one).collect()
    }

    /// The engine of a snapshot. A policy whose memory no longer fits starts anew; that is said as a fact when the driver
    /// sends `Command::Resume`.
    pub fn restore(bytes: &[u8], registry: Registry) -> Result<Self, SnapshotError> {
        let layout: Layout<Job, Worker> =
            postcard::from_bytes(bytes).map_err(|_| SnapshotError::Unreadable)?;
        if layout.version != VERSION {
            return Err(SnapshotError::Unreadable);
        }
        let (memories, balance_memory) = (layout.memories.clone(), layout.balance_memory.clone());
        let state = rebuild(layout);
        let mut engine = Self::with_registry(state.seed, registry);
        engine.state = state;
        engine.fx = Effects::default();
        engine.revive(&memories, &balance_memory).map_err(SnapshotError::Policy)?;
        Ok(engine)
    }

    fn revive(&mut self, memories: &[[Memory; 4]], balance: &Memory) -> Result<(), SettingError> {
        for (pool, memories) in self.state.pools.iter().zip(memories) {
            let view = View { state: &self.state, id: pool.id };
            let (registry, specs, again) = (&self.registry, &pool.spec.policies, &mut self.restarted);
            let hosted = Hosted {
                dispatch: wake_up(
                    &registry.dispatch,
                    Family::Dispatch,
                    &specs.dispatch,
                    view,
                    &memories[0],
                    again,
                )?,
                matching: wake_up(
                    &registry.matching,
                    Family::Matching,
                    &specs.matching,
                    view,
                    &memories[1],
                    again,
                )?,
                scaling: wake_up(
                    &registry.scaling,
                    Family::Scaling,
                    &specs.scaling,
                    view,
                    &memories[2],
                    again,
                )?,
                replacement: wake_up(
                    &registry.replacement,
                    Family::Replacement,
                    &specs.replacement,
                    view,
                    &memories[3],
                    again,
                )?,
            };
            self.policies.push(hosted);
        }
        let view = View { state: &self.state, id: BALANCE_VIEW };
        let (registry, spec) = (&self.registry.balance, &self.state.balance);
        self.balance = wake_up(registry, Family::Balance, spec, view, balance, &mut self.restarted)?;
        Ok(())
    }
}

/// Starts a policy with its memory, or anew if that does not fit.
fn wake_up<T: ?Sized>(
    entries: &[Entry<T>],
    family: Family,
    spec: &PolicySpec,
    view: View<'_>,
    memory: &Memory,
    restarted: &mut Vec<(PoolId, Family)>,
) -> Result<Box<T>, SettingError> {
    let entry = find(entries, family, spec)?;
    let bytes = (!memory.bytes.is_empty()).then_some(&memory.bytes[..]);
    if memory.version == entry.version
        && let Ok(policy) = (entry.start)(Start { spec, view, memory: bytes })
    {
        return Ok(policy);
    }
    restarted.push((view.id, family));
    (entry.start)(Start { spec, view, memory: None })
}

fn version<T: ?Sized>(entries: &[Entry<T>], spec: &PolicySpec) -> u16 {
    entries.iter().find(|entry| entry.name == spec.name).map_or(0, |entry| entry.version)
}

fn rebuild(layout: Layout<Job, Worker>) -> State {
    let mut state = State::new(layout.seed);
    state.now = layout.now;
    state.facts = layout.facts;
    state.next = layout.next;
    state.tenants = layout.tenants;
    state.apps = layout.apps;
    state.kinds = layout.kinds;
    state.pools = layout.pools;
    state.recruits = layout.recruits;
    state.books = layout.books;
    state.balance = layout.balance;
    state.balance_at = layout.balance_at;
    state.balance_draws = layout.balance_draws;
    for (id, client) in layout.clients {
        state.clients.insert(id, client);
        state.client_ids.insert(id);
    }
    for job in layout.jobs {
        state.jobs.insert(job.id, job);
    }
    for worker in layout.workers {
        let id = worker.id;
        let slot = state.workers.insert(id, worker);
        state.find_lease(slot);
        state.watch(slot);
        let billed = state.workers[slot].billed_until;
        state.timers.bill(slot, id, billed);
    }
    state.find_timers();
    for tenant in 0..state.tenants.len() {
        state.index_prices(TenantId(u32::try_from(tenant).expect("ids have 32 bits")), true);
    }
    state
}

impl State {
    fn find_lease(&mut self, slot: crate::table::Slot<Worker>) {
        let Some(task) = self.workers[slot].lease.as_ref().map(|lease| lease.task) else { return };
        let job: JobId = task.job;
        let found = self.jobs.find(job).expect("leases are of live jobs");
        let at = LaneRef { job: found, lane: self.jobs[found].lane_of(task.index) };
        if let Some(lease) = self.workers[slot].lease.as_mut() {
            lease.at = LeaseAt(at);
        }
    }

    fn find_timers(&mut self) {
        let mut all: Vec<(Due, Time)> = vec![(Due::Balance, self.balance_at)];
        all.extend(self.recruits.iter().map(|(id, recruit)| (Due::Recruit(*id), recruit.deadline)));
        let tenants = (0..).map(TenantId).zip(&self.tenants);
        all.extend(tenants.map(|(id, tenant)| (Due::Interval(id), tenant.interval_ends)));
        for pool in &self.pools {
            all.push((Due::Settle(pool.id), pool.settle_at));
            all.push((Due::Scaling(pool.id), pool.scaling_at));
            all.push((Due::Replacement(pool.id), pool.replacement_at));
        }
        for (due, at) in all {
            self.timers.reset(due, Time::MAX, at);
        }
    }
}
