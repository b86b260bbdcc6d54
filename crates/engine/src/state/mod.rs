//! All that the engine knows at a moment. Changes only when a fact is applied (see `apply`), decides nothing.
//!
//! Start at [`State`]. Its parts: [`job`] and `queue` hold the work, [`worker`] and `crowd` the workers, [`tenant`]
//! and `purse` the money, [`pool`] and [`meter`] what is measured, [`timers`] what is due when.

pub(crate) mod answer;
pub mod app;
pub(crate) mod crowd;
pub mod job;
pub mod meter;
pub mod pool;
pub(crate) mod purse;
pub(crate) mod queue;
pub mod tenant;
pub mod timers;
pub mod worker;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::fact::Purse;
use crate::ids::{AppId, ClientId, JobId, KindId, PoolId, RecruitId, TenantId, Token, WorkerId};
use crate::money::Money;
use crate::policy::Change;
use crate::policy::settings::PolicySpec;
use crate::spec::KindSpec;
use crate::table::{IdMap, Slot, Table};
use crate::time::Time;

use app::App;
use job::{Job, Lane, LaneRef};
use pool::Pool;
use tenant::{Client, Tenant};
use timers::Timers;
use worker::{Expired, Worker};

/// The state of the engine.
#[derive(Clone, Debug)]
pub struct State {
    /// The seed of all random draws.
    pub seed: u64,
    pub(crate) now: Time,
    pub(crate) facts: u64,
    pub(crate) next: Counters,
    pub(crate) tenants: Vec<Tenant>,
    pub(crate) apps: Vec<App>,
    pub(crate) kinds: Vec<KindSpec>,
    pub(crate) pools: Vec<Pool>,
    pub(crate) clients: IdMap<ClientId, Client>,
    pub(crate) client_ids: std::collections::BTreeSet<ClientId>,
    pub(crate) jobs: Table<JobId, Job>,
    pub(crate) workers: Table<WorkerId, Worker>,
    pub(crate) recruits: BTreeMap<RecruitId, Recruit>,
    /// Leases that ran out, whose answers may still come, by age: at most [`worker::EXPIRED_MOST`].
    pub(crate) expired: BTreeMap<Token, Expired>,
    pub(crate) books: Books,
    pub(crate) balance: PolicySpec,
    pub(crate) balance_at: Time,
    pub(crate) balance_draws: u64,
    pub(crate) timers: Timers,
}

/// The next number of each kind of name.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) client: u32,
    pub(crate) job: u64,
    pub(crate) lane: u64,
    pub(crate) worker: u32,
    pub(crate) recruit: u32,
    pub(crate) token: u64,
    pub(crate) idle: u64,
}

/// Workers called for and not yet come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recruit {
    /// For which pool.
    pub pool: PoolId,
    /// Of which kind.
    pub kind: KindId,
    /// How many are still to come.
    pub n: u32,
    /// When they are given up.
    pub deadline: Time,
    /// What is set aside for the first billing period of each, and whose money that is.
    pub reserved: Option<(TenantId, Money)>,
}

/// Sums over everything ever paid. What workers got and machines cost is what tenants were charged, plus what pools
/// have not charged yet, to the micro-unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Books {
    /// Paid for answers.
    pub answers: Money,
    /// Paid for waiting.
    pub waiting: Money,
    /// Paid for training.
    pub training: Money,
    /// Paid for machines.
    pub machines: Money,
    /// Charged to tenants.
    pub charged: Money,
}

impl Books {
    /// All that was paid.
    #[must_use]
    pub fn paid(&self) -> Money {
        self.answers + self.waiting + self.training + self.machines
    }
}

/// What applying a fact sets off, for the engine to follow up. Not part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    /// What policies must be told.
    pub(crate) changes: Vec<Change>,
    /// Lanes that have new work while somebody idles in their pool.
    pub(crate) opened: Vec<LaneRef>,
    /// Pools where those who wait may now do or learn what they could not before.
    pub(crate) anew: Vec<PoolId>,
    /// Whose money may have become short, or enough again.
    pub(crate) purses: Vec<Purse>,
}

impl State {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            now: Time::ZERO,
            facts: 0,
            next: Counters::default(),
            tenants: Vec::new(),
            apps: Vec::new(),
            kinds: Vec::new(),
            pools: Vec::new(),
            clients: IdMap::default(),
            client_ids: Default::default(),
            jobs: Table::default(),
            workers: Table::default(),
            recruits: BTreeMap::new(),
            expired: BTreeMap::new(),
            books: Books::default(),
            balance: PolicySpec::named("none"),
            balance_at: Time::MAX,
            balance_draws: 0,
            timers: Timers::default(),
        }
    }

    /// The time of the last fact.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// How many facts there have been.
    #[must_use]
    pub fn facts(&self) -> u64 {
        self.facts
    }

    /// All tenants, by id.
    #[must_use]
    pub fn tenants(&self) -> &[Tenant] {
        &self.tenants
    }

    /// A tenant.
    #[must_use]
    pub fn tenant(&self, id: TenantId) -> Option<&Tenant> {
        self.tenants.get(id.index())
    }

    /// An app.
    #[must_use]
    pub fn app(&self, id: AppId) -> Option<&App> {
        self.apps.get(id.index())
    }

    /// All apps, by id.
    #[must_use]
    pub fn apps(&self) -> &[App] {
        &self.apps
    }

    /// All kinds of workers, by id.
    #[must_use]
    pub fn kinds(&self) -> &[KindSpec] {
        &self.kinds
    }

    /// A kind of workers.
    #[must_use]
    pub fn kind(&self, id: KindId) -> Option<&KindSpec> {
        self.kinds.get(id.index())
    }

    /// All pools, by id.
    #[must_use]
    pub fn pools(&self) -> &[Pool] {
        &self.pools
    }

    /// A pool.
    #[must_use]
    pub fn pool(&self, id: PoolId) -> Option<&Pool> {
        self.pools.get(id.index())
    }

    /// A client.
    #[must_use]
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.get(id)
    }

    /// A live job.
    #[must_use]
    pub fn job(&self, id: JobId) -> Option<&Job> {
        self.jobs.get(id)
    }

    /// How many jobs live.
    #[must_use]
    pub fn job_count(&self) -> usize {
        self.jobs.len()
    }

    /// All live jobs, by id. Takes as long as there are jobs.
    #[must_use]
    pub fn jobs(&self) -> Vec<&Job> {
        let mut jobs: Vec<&Job> = self.jobs.unordered().map(|(_, job)| job).collect();
        jobs.sort_unstable_by_key(|job| job.id);
        jobs
    }

    /// A worker who is there.
    #[must_use]
    pub fn worker(&self, id: WorkerId) -> Option<&Worker> {
        self.workers.get(id)
    }

    /// How many workers are there.
    #[must_use]
    pub fn worker_count(&self) -> usize {
        self.workers.len()
    }

    /// All workers who are there, by id. Takes as long as there are workers.
    #[must_use]
    pub fn workers(&self) -> Vec<&Worker> {
        let mut workers: Vec<&Worker> = self.workers.unordered().map(|(_, worker)| worker).collect();
        workers.sort_unstable_by_key(|worker| worker.id);
        workers
    }

    /// Recruit orders not yet filled, by id.
    #[must_use]
    pub fn recruits(&self) -> &BTreeMap<RecruitId, Recruit> {
        &self.recruits
    }

    /// The sums over everything ever paid.
    #[must_use]
    pub fn books(&self) -> &Books {
        &self.books
    }

    /// The balance policy in use.
    #[must_use]
    pub fn balance(&self) -> &PolicySpec {
        &self.balance
    }

    /// When the balance policy looks next.
    #[must_use]
    pub fn balance_at(&self) -> Time {
        self.balance_at
    }

    /// The job of a lane.
    #[must_use]
    pub fn job_at(&self, lane: LaneRef) -> &Job {
        &self.jobs[lane.job]
    }

    /// A lane.
    #[must_use]
    pub fn lane(&self, lane: LaneRef) -> &Lane {
        self.jobs[lane.job].lanes.get(lane.lane)
    }

    pub(crate) fn lane_mut(&mut self, lane: LaneRef) -> &mut Lane {
        self.jobs[lane.job].lanes.get_mut(lane.lane)
    }

    pub(crate) fn worker_slot(&self, id: WorkerId) -> Slot<Worker> {
        self.workers.find(id).expect("recorded of a worker who is there")
    }

    /// A worker at its place.
    #[must_use]
    pub fn worker_at(&self, slot: Slot<Worker>) -> &Worker {
        &self.workers[slot]
    }

    /// Whether a worker may do an app without learning it first.
    #[must_use]
    pub fn is_able(&self, worker: &Worker, app: AppId) -> bool {
        self.apps[app.index()].spec.training.is_zero() || worker.trained.contains(app)
    }

    /// The first task of a lane that a worker may take.
    #[must_use]
    pub fn offers(&self, worker: &Worker, lane: LaneRef) -> Option<u32> {
        let job = &self.jobs[lane.job];
        let from = worker
            .memo
            .filter(|memo| memo.job == job.id && memo.lane == lane.lane)
            .filter(|memo| memo.reopens == job.lanes.get(lane.lane).reopens)
            .map_or(0, |memo| memo.from);
        job.offers(lane.lane, worker.id, from)
    }
}
