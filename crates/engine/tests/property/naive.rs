//! The kernel a second time, obviously right and slow: plain lists, no index, everything counted when it is asked for.
//!
//! Follows the facts; what it expects of them is in [`crate::predict`]. Money is the [`Ledger`]'s.

use std::collections::BTreeMap;

use muster_engine::fact::{Body, Decision, Fact, Grant, Input, Verdict};
use muster_engine::ids::{AppId, JobId, PoolId, TaskId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::policy::Family;
use muster_engine::policy::settings::{PolicySpec, Value};
use muster_engine::spec::{AppSpec, JobSpec, PoolSpec, Role, Work, WorkerSpec};

use crate::ledger::Ledger;

/// A task and who has to do with it.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) app: AppId,
    pub(crate) parents: Vec<u32>,
    pub(crate) leased: Vec<WorkerId>,
    pub(crate) answered: Vec<WorkerId>,
    pub(crate) skipped: Vec<WorkerId>,
}

#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) tenant: TenantId,
    pub(crate) price: Money,
    pub(crate) slots: usize,
    pub(crate) tasks: Vec<Task>,
    /// Its apps in order, and the pool of each.
    pub(crate) lanes: Vec<(AppId, PoolId)>,
    pub(crate) skipped: Vec<WorkerId>,
    pub(crate) cancelled: bool,
}

/// A lease in hand, or one that ran out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) token: Token,
    pub(crate) task: TaskId,
    pub(crate) app: AppId,
    pub(crate) price: Money,
}

#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) pool: PoolId,
    pub(crate) person: bool,
    pub(crate) trained: Vec<AppId>,
    pub(crate) preferences: Vec<(AppId, f64)>,
    /// Its number in the row of those who wait.
    pub(crate) waits: Option<u64>,
    pub(crate) learning: Option<AppId>,
    pub(crate) held: Option<Held>,
    pub(crate) draining: bool,
}

/// A lease that ran out, whose answer may still come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expired {
    pub(crate) worker: WorkerId,
    pub(crate) person: bool,
    pub(crate) held: Held,
}

/// What is counted for `fair`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Measure {
    Slots,
    Dispatches,
    Time,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Policy {
    Fifo,
    Fair { tenants: bool, measure: Measure },
}

/// What `fair` remembers of a tenant or job: when it was last served, and how often, from where the others were.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Past {
    pub(crate) served: u64,
    pub(crate) pass: u64,
    /// Of a tenant: the pass of its job last served.
    pub(crate) pass_job: u64,
}

#[derive(Debug)]
pub(crate) struct Pool {
    pub(crate) apps: Vec<AppId>,
    tenant: Option<TenantId>,
    pub(crate) policy: Policy,
    dispatches: u64,
    pass: u64,
    pub(crate) tenants: BTreeMap<TenantId, Past>,
    pub(crate) jobs: BTreeMap<JobId, Past>,
    /// The lanes listed when last looked.
    listed: Vec<(JobId, AppId)>,
}

/// The second model.
#[derive(Debug, Default)]
pub(crate) struct Naive {
    pub(crate) apps: Vec<AppSpec>,
    kinds: Vec<Role>,
    pub(crate) pools: Vec<Pool>,
    pub(crate) jobs: BTreeMap<JobId, Job>,
    pub(crate) workers: BTreeMap<WorkerId, Worker>,
    pub(crate) expired: Vec<Expired>,
    waited: u64,
}

impl Naive {
    /// A fact has happened; the ledger knows it already.
    pub(crate) fn apply(&mut self, fact: &Fact, ledger: &Ledger) {
        match &fact.body {
            Body::Input(input) => self.input(input),
            Body::Decision(decision) => self.decision(decision),
        }
        self.look_at_lists(ledger);
    }

    fn input(&mut self, input: &Input) {
        match input {
            Input::AppSet(id, spec) => match self.apps.get_mut(id.index()) {
                Some(app) => *app = *spec,
                None => self.apps.push(*spec),
            },
            Input::KindSet(_, spec) => self.kinds.push(spec.role),
            Input::PoolSet(id, spec) => self.set_pool(*id, spec),
            Input::PolicySet(id, Family::Dispatch, spec) => self.pools[id.index()].start(spec),
            Input::JobSubmitted(id, spec) => self.submit(*id, spec),
            Input::JobCancelled(id) => self.cancel(*id),
            Input::Joined(id, spec) => self.join(*id, spec),
            Input::Left(id) => {
                self.lapse(*id);
                self.stop(*id);
            }
            Input::Returned(id, _) => {
                self.give_back(*id);
                self.stop(*id);
            }
            Input::TaskSkipped(id, _) => {
                let held = self.give_back(*id).expect("skipped what is in hand");
                self.task(held.task).skipped.push(*id);
            }
            Input::JobSkipped(id, _) => {
                let held = self.give_back(*id).expect("skipped what is in hand");
                self.jobs.get_mut(&held.task.job).expect("a live job").skipped.push(*id);
            }
            Input::Paused(id) => self.stop(*id),
            Input::Trained(id) => {
                let worker = self.worker(*id);
                worker.trained.extend(worker.learning);
                self.stop(*id);
            }
            _ => {}
        }
    }

    fn decision(&mut self, decision: &Decision) {
        match decision {
            Decision::Leased(grant) => self.lease(grant),
            Decision::Parked(id) => {
                self.waited += 1;
                let number = self.waited;
                self.worker(*id).waits = Some(number);
            }
            Decision::TrainingStarted(id, app) => {
                self.stop(*id);
                self.worker(*id).learning = Some(*app);
            }
            Decision::Judged { worker, token, task, verdict, .. } => {
                if *verdict == Verdict::Counted {
                    self.give_back(*worker);
                } else {
                    self.expired.retain(|expired| expired.held.token != *token);
                }
                if *verdict != Verdict::LateKept {
                    self.task(*task).answered.push(*worker);
                }
            }
            Decision::LeaseExpired(id, _) => self.lapse(*id),
            Decision::JobClosed { job: id, .. } => {
                self.jobs.remove(id);
                for pool in &mut self.pools {
                    pool.jobs.remove(id);
                }
            }
            Decision::Departed { worker, .. } => {
                self.lapse(*worker);
                self.workers.remove(worker);
            }
            Decision::Draining(id) => self.worker(*id).draining = true,
            Decision::Moved { worker, to, .. } => {
                self.stop(*worker);
                self.worker(*worker).pool = *to;
            }
            _ => {}
        }
    }

    fn worker(&mut self, id: WorkerId) -> &mut Worker {
        self.workers.get_mut(&id).expect("told of a worker who is there")
    }

    fn task(&mut self, id: TaskId) -> &mut Task {
        &mut self.jobs.get_mut(&id.job).expect("told of a live job").tasks[id.index as usize]
    }

    /// Neither waiting nor learning.
    fn stop(&mut self, id: WorkerId) {
        let worker = self.worker(id);
        (worker.waits, worker.learning) = (None, None);
    }

    fn set_pool(&mut self, id: PoolId, spec: &PoolSpec) {
        if let Some(pool) = self.pools.get_mut(id.index()) {
            pool.apps.clone_from(&spec.apps);
            return;
        }
        let mut pool = Pool {
            apps: spec.apps.clone(),
            tenant: spec.tenant,
            policy: Policy::Fifo,
            dispatches: 0,
            pass: 0,
            tenants: BTreeMap::new(),
            jobs: BTreeMap::new(),
            listed: Vec::new(),
        };
        pool.start(&spec.policies.dispatch);
        self.pools.push(pool);
    }

    fn route(&self, tenant: TenantId, app: AppId) -> PoolId {
        let serves = |only: Option<TenantId>| {
            let place = self.pools.iter().position(|pool| pool.tenant == only && pool.apps.contains(&app));
            place.map(|place| PoolId(place as u32))
        };
        serves(Some(tenant)).or_else(|| serves(None)).expect("somebody serves it")
    }

    fn submit(&mut self, id: JobId, spec: &JobSpec) {
        let flow: Vec<(AppId, Vec<u32>)> = match &spec.work {
            Work::Batch { app, tasks } => vec![(*app, Vec::new()); *tasks as usize],
            Work::Workflow(tasks) => tasks.iter().map(|task| (task.app, task.parents.clone())).collect(),
        };
        let mut lanes: Vec<(AppId, PoolId)> = Vec::new();
        for (app, _) in &flow {
            if !lanes.iter().any(|(known, _)| known == app) {
                lanes.push((*app, self.route(spec.tenant, *app)));
            }
        }
        let task = |(app, parents)| Task {
            app,
            parents,
            leased: Vec::new(),
            answered: Vec::new(),
            skipped: Vec::new(),
        };
        let job = Job {
            tenant: spec.tenant,
            price: spec.price,
            slots: usize::from(spec.slots),
            tasks: flow.into_iter().map(task).collect(),
            lanes,
            skipped: Vec::new(),
            cancelled: false,
        };
        self.jobs.insert(id, job);
    }

    fn join(&mut self, id: WorkerId, spec: &WorkerSpec) {
        let worker = Worker {
            pool: spec.pool,
            person: matches!(self.kinds[spec.kind.index()], Role::Person { .. }),
            trained: spec.trained.clone(),
            preferences: spec.preferences.clone(),
            waits: None,
            learning: None,
            held: None,
            draining: false,
        };
        self.workers.insert(id, worker);
    }

    fn lease(&mut self, grant: &Grant) {
        self.stop(grant.worker);
        let app = self.task(grant.task).app;
        self.task(grant.task).leased.push(grant.worker);
        let job = &self.jobs[&grant.task.job];
        let (tenant, price) = (job.tenant, job.price);
        let worker = self.worker(grant.worker);
        worker.held = Some(Held { token: grant.token, task: grant.task, app, price });
        let pool = worker.pool;
        self.pools[pool.index()].served(tenant, grant.task.job);
    }

    /// The worker's lease is over, if it has one.
    fn give_back(&mut self, id: WorkerId) -> Option<Held> {
        let held = self.worker(id).held.take()?;
        self.task(held.task).leased.retain(|worker| *worker != id);
        Some(held)
    }

    /// The same, and its answer may still come.
    fn lapse(&mut self, id: WorkerId) {
        let person = self.worker(id).person;
        if let Some(held) = self.give_back(id) {
            self.expired.push(Expired { worker: id, person, held });
        }
    }

    fn cancel(&mut self, id: JobId) {
        self.jobs.get_mut(&id).expect("a live job").cancelled = true;
        let holds = |worker: &Worker| worker.held.is_some_and(|held| held.task.job == id);
        let holders = self.workers.iter().filter(|(_, worker)| holds(worker));
        for worker in holders.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.lapse(worker);
        }
    }

    /// One who has open work again starts where the others are now (share = dispatches).
    fn look_at_lists(&mut self, ledger: &Ledger) {
        for place in 0..self.pools.len() {
            let listed: Vec<(JobId, AppId)> = self.listed(PoolId(place as u32), ledger);
            let before = std::mem::replace(&mut self.pools[place].listed, listed.clone());
            let owner = |job: &JobId| self.jobs.get(job).map(|job| job.tenant);
            let mut had_tenants: Vec<TenantId> = before.iter().filter_map(|(job, _)| owner(job)).collect();
            let mut had_jobs: Vec<JobId> = before.iter().map(|(job, _)| *job).collect();
            let new: Vec<JobId> =
                listed.iter().filter(|lane| !before.contains(lane)).map(|(job, _)| *job).collect();
            for job in new {
                let tenant = self.jobs[&job].tenant;
                let pool = &mut self.pools[place];
                pool.comes(tenant, job, !had_tenants.contains(&tenant), !had_jobs.contains(&job));
                had_tenants.push(tenant);
                had_jobs.push(job);
            }
        }
    }
}

impl Pool {
    fn start(&mut self, spec: &PolicySpec) {
        let word = |name: &str| match spec.settings.get(name) {
            Some(Value::Text(word)) => word.clone(),
            _ => String::new(),
        };
        let measure = match word("share").as_str() {
            "dispatches" => Measure::Dispatches,
            "time" => Measure::Time,
            _ => Measure::Slots,
        };
        let fair = Policy::Fair { tenants: word("between") != "jobs", measure };
        self.policy = if spec.name == "fifo" { Policy::Fifo } else { fair };
        (self.dispatches, self.pass) = (0, 0);
        self.tenants.clear();
        self.jobs.clear();
    }

    /// Between jobs alone, all are of one group.
    pub(crate) fn group(&self, tenant: TenantId) -> TenantId {
        if matches!(self.policy, Policy::Fair { tenants: true, .. }) { tenant } else { TenantId(0) }
    }

    fn served(&mut self, tenant: TenantId, job: JobId) {
        self.dispatches += 1;
        let group = self.group(tenant);
        let of_job = self.jobs.entry(job).or_default();
        let of_group = self.tenants.entry(group).or_default();
        self.pass = of_group.pass;
        of_group.pass_job = of_job.pass;
        for past in [of_group, of_job] {
            past.served = self.dispatches;
            past.pass += 1;
        }
    }

    fn comes(&mut self, tenant: TenantId, job: JobId, tenant_anew: bool, job_anew: bool) {
        let group = self.group(tenant);
        let all_anew = if group == tenant && matches!(self.policy, Policy::Fair { tenants: true, .. }) {
            tenant_anew
        } else {
            false
        };
        let of_group = self.tenants.entry(group).or_default();
        if all_anew {
            of_group.pass = of_group.pass.max(self.pass);
        }
        let pass = of_group.pass_job;
        if job_anew {
            let of_job = self.jobs.entry(job).or_default();
            of_job.pass = of_job.pass.max(pass);
        }
    }
}
