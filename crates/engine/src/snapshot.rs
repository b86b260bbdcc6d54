//! Snapshots: the whole state as bytes, always the same for the same state; and back.
//!
//! Two engines are equal if their snapshots are. Places in memory, indexes, timers and memos are left out: they are found
//! anew from the rest. Policies are written with name, version and memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::engine::{BALANCE_VIEW, Engine};
use crate::hosted::{Hosted, Memory, balance_memory, revive_balance};
use crate::ids::{ClientId, JobId, RecruitId, TenantId, Token};
use crate::policy::settings::PolicySpec;
use crate::policy::{Family, Registry};
use crate::spec::KindSpec;
use crate::state::app::App;
use crate::state::job::{Job, LaneRef};
use crate::state::pool::Pool;
use crate::state::tenant::{Client, Tenant};
use crate::state::timers::Due;
use crate::state::worker::{Expired, LeaseAt, Worker};
use crate::state::{Books, Counters, Effects, Recruit, State};
use crate::time::Time;
use crate::view::View;

/// The version of the layout. A snapshot of another version is refused: rebuild from the facts.
const VERSION: u16 = 1;

#[derive(Serialize, Deserialize)]
struct Layout<J, W> {
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
    expired: BTreeMap<Token, Expired>,
    books: Books,
    balance: PolicySpec,
    balance_at: Time,
    balance_draws: u64,
    memories: Vec<[Memory; 4]>,
    balance_memory: Memory,
}

/// Why a snapshot cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// The bytes are not a snapshot of this version.
    Unreadable,
}

impl std::fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the snapshot cannot be read by this version; rebuild from the facts")
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
            expired: state.expired.clone(),
            books: state.books,
            balance: state.balance.clone(),
            balance_at: state.balance_at,
            balance_draws: state.balance_draws,
            memories: self.memories(),
            balance_memory: balance_memory(&self.registry, &state.balance, self.balance.as_ref()),
        };
        let bytes = VERSION.to_le_bytes().to_vec();
        postcard::to_extend(&layout, bytes).expect("the state is plain data")
    }

    fn memories(&self) -> Vec<[Memory; 4]> {
        let one = |(hosted, pool): (&Hosted, &Pool)| {
            hosted.memories(&self.registry, self.view(pool.id), &pool.spec.policies)
        };
        self.policies.iter().zip(&self.state.pools).map(one).collect()
    }

    /// The engine of a snapshot. A policy whose memory no longer fits starts anew; that is said as a fact when the driver
    /// sends `Command::Resume`.
    pub fn restore(bytes: &[u8], registry: Registry) -> Result<Self, SnapshotError> {
        let unreadable = SnapshotError::Unreadable;
        let (version, rest) = bytes.split_first_chunk().ok_or(unreadable)?;
        if u16::from_le_bytes(*version) != VERSION {
            return Err(unreadable);
        }
        let layout: Layout<Job, Worker> = postcard::from_bytes(rest).map_err(|_| unreadable)?;
        let (memories, balance_memory) = (layout.memories.clone(), layout.balance_memory.clone());
        let state = rebuild(layout);
        let mut engine = Self::with_registry(state.seed, registry);
        engine.state = state;
        engine.fx = Effects::default();
        engine.revive(&memories, &balance_memory);
        Ok(engine)
    }

    fn revive(&mut self, memories: &[[Memory; 4]], balance: &Memory) {
        for (pool, memories) in self.state.pools.iter().zip(memories) {
            let view = View { state: &self.state, id: pool.id };
            let (hosted, anew) = Hosted::revive(&self.registry, view, &pool.spec.policies, memories);
            self.restarted.extend(anew.into_iter().map(|family| (pool.id, family)));
            self.policies.push(hosted);
        }
        let (balance, anew) = revive_balance(&self.registry, &self.state, balance);
        self.balance = balance;
        if anew {
            self.restarted.push((BALANCE_VIEW, Family::Balance));
        }
    }
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
    state.expired = layout.expired;
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
