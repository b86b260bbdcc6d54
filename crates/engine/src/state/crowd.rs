//! Workers coming, working, learning, waiting and going. Does not know why they are sent or kept.
//!
//! Every change of standing goes through [`State::stand`], so that counts, pay and timers are always right.

use crate::fact::{Grant, Wages};
use crate::ids::{AppId, PoolId, WorkerId};
use crate::money::Accrual;
use crate::policy::{Change, What};
use crate::spec::{Role, WorkerSpec};
use crate::table::Slot;
use crate::time::{Span, Time};

use super::worker::{AppSet, EXPIRED_MOST, Expired, Lease, LeaseAt, Memo, Standing, Unpaid, Worker};
use super::{Effects, State};

/// How a task comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Back {
    /// Anybody may get it, the same worker too.
    Returned,
    /// The worker does not want it.
    SkippedTask,
    /// The worker wants nothing of its job.
    SkippedJob,
}

impl State {
    /// A worker has joined.
    pub(crate) fn join(&mut self, id: WorkerId, spec: &WorkerSpec, fx: &mut Effects) {
        self.next.worker = id.0 + 1;
        let mut trained = AppSet::default();
        for app in &spec.trained {
            trained.insert(*app);
        }
        let worker = Worker {
            id,
            kind: spec.kind,
            pool: spec.pool,
            standing: Standing::Gone,
            since: self.now,
            joined: self.now,
            heard: self.now,
            lease: None,
            learning: None,
            trained,
            preferences: spec.preferences.clone(),
            last_job: None,
            last_app: None,
            earned: Default::default(),
            wages: Default::default(),
            billed_until: None,
            idle_seq: 0,
            unpaid: Unpaid::default(),
            paid_until: self.now,
            accrual: [Accrual::default(); 2],
            memo: None,
        };
        let slot = self.workers.insert(id, worker);
        self.pools[spec.pool.index()].members.insert(id);
        self.stand(slot, Standing::Paused, fx);
        fx.changes.push(Change { pool: spec.pool, what: What::Joined(slot) });
        if let Some(recruit) = spec.recruit {
            self.recruits_come(recruit, 1, fx);
        }
    }

    /// From now on the worker stands so.
    pub(crate) fn stand(&mut self, slot: Slot<Worker>, to: Standing, fx: &mut Effects) {
        let now = self.now;
        let seq = self.next.idle;
        let worker = &mut self.workers[slot];
        let from = worker.standing;
        if from == Standing::Idle {
            worker.unpaid.waiting += worker.open_stretch(now);
            let what = What::NotIdle { worker: slot, seq: worker.idle_seq };
            fx.changes.push(Change { pool: worker.pool, what });
        } else if from == Standing::Training {
            worker.unpaid.training += worker.open_stretch(now);
        }
        worker.standing = to;
        worker.since = now;
        let (pool, kind) = (worker.pool, worker.kind);
        if to == Standing::Idle {
            worker.idle_seq = seq;
            self.next.idle += 1;
            fx.changes.push(Change { pool, what: What::Idle(slot) });
        }
        self.pools[pool.index()].step(now, kind, from, to);
        self.watch(slot);
    }

    /// A sign of life.
    pub(crate) fn hear(&mut self, slot: Slot<Worker>) {
        let worker = &mut self.workers[slot];
        worker.heard = self.now;
        let by_lease = worker.lease.as_ref().is_some_and(|lease| lease.heartbeat.is_some());
        if by_lease || self.pools[worker.pool.index()].spec.presence.is_some() {
            self.watch(slot);
        }
    }

    /// Sets the timer for what happens if nothing is heard of the worker.
    #[inline]
    pub(crate) fn watch(&mut self, slot: Slot<Worker>) {
        let worker = &self.workers[slot];
        let lease = worker.lease_ends().unwrap_or(Time::MAX);
        let presence = self.pools[worker.pool.index()].spec.presence;
        let silent = presence.map_or(Time::MAX, |span| worker.heard + span);
        let at = if worker.standing == Standing::Gone { Time::MAX } else { lease.min(silent) };
        self.timers.watch(slot, worker.id, Some(at));
    }

    /// A worker gets a task.
    pub(crate) fn grant(&mut self, grant: &Grant, fx: &mut Effects) {
        let slot = self.workers.find(grant.worker).expect("leases go to workers who are there");
        let job = self.jobs.find(grant.task.job).expect("leases are of live jobs");
        let lane = self.jobs[job].lane_of(grant.task.index);
        let at = super::job::LaneRef { job, lane };
        self.next.token = grant.token.0 + 1;
        let opened = self.jobs[job].opened(grant.task.index);
        let (app, pool, tenant) = (self.lane(at).app, self.lane(at).pool, self.jobs[job].tenant);
        let heartbeat = self.apps[app.index()].spec.heartbeat;
        let now = self.now;
        let worker = &mut self.workers[slot];
        worker.lease = Some(Lease {
            token: grant.token,
            task: grant.task,
            granted: now,
            deadline: grant.deadline,
            heartbeat,
            price: grant.price,
            expected: grant.expected,
            at: LeaseAt(at),
        });
        worker.last_job = Some(grant.task.job);
        worker.last_app = Some(app);
        worker.heard = now;
        self.stand(slot, Standing::Leased, fx);
        self.workers[slot].memo = self.memo(slot, at, grant.task.index);
        // Before what the lease does to lanes: who conceded is known by the order as it was when the choice was made.
        let what = What::Leased { lane: at, tenant, worker: slot, expected: grant.expected, why: grant.why };
        fx.changes.push(Change { pool, what });
        self.take_slot(at, grant.task.index, grant.worker, fx);
        self.reserve(job, grant.price, fx);
        self.pools[pool.index()].meter.leased(now, now.since(opened));
    }

    /// Where the worker need not look again, if it gets the first task that it may take.
    fn memo(&self, slot: Slot<Worker>, at: super::job::LaneRef, task: u32) -> Option<Memo> {
        let job = &self.jobs[at.job];
        if job.touched.is_empty() || self.offers(&self.workers[slot], at) != Some(task) {
            return None;
        }
        let reopens = job.lanes.get(at.lane).reopens;
        Some(Memo { job: job.id, lane: at.lane, reopens, from: task + 1 })
    }

    /// The worker's lease is over, however it ended: the worker pauses, or is gone if it was draining.
    /// What becomes of slot and money is the caller's.
    pub(crate) fn end_lease(&mut self, slot: Slot<Worker>, skipped: bool, fx: &mut Effects) -> Lease {
        let now = self.now;
        let worker = &mut self.workers[slot];
        let lease = worker.lease.take().expect("only a lease that is held can end");
        let (id, pool, draining) = (worker.id, worker.pool, worker.standing == Standing::Draining);
        self.stand(slot, if draining { Standing::Gone } else { Standing::Paused }, fx);
        let at = lease.at.0;
        let tenant = self.jobs[at.job].tenant;
        let settled = self.pools[pool.index()].settled;
        self.pools[pool.index()].used(tenant, now.since(lease.granted.max(settled)));
        let what = What::Ended {
            lane: at,
            tenant,
            worker: id,
            skipped,
            granted: lease.granted,
            held: now.since(lease.granted),
            expected: lease.expected,
        };
        fx.changes.push(Change { pool, what });
        lease
    }

    /// The worker gives its task back.
    pub(crate) fn return_lease(&mut self, slot: Slot<Worker>, back: Back, fx: &mut Effects) {
        let lease = self.end_lease(slot, back != Back::Returned, fx);
        let worker = self.workers[slot].id;
        self.release(lease.at.0.job, lease.price, fx);
        self.give_back(lease.at.0, lease.task.index, worker, back == Back::SkippedTask, fx);
    }

    /// The worker's lease runs out, or its job is cancelled; an answer may still come.
    pub(crate) fn expire_lease(&mut self, slot: Slot<Worker>, fx: &mut Effects) {
        let worker = &self.workers[slot];
        let (id, kind) = (worker.id, worker.kind);
        let lease = *worker.lease.as_ref().expect("only a lease that is held can expire");
        let app = self.lane(lease.at.0).app;
        let job = &self.jobs[lease.at.0.job];
        let (tenant, price) = (job.tenant, job.price);
        self.return_lease(slot, Back::Returned, fx);
        let (task, granted) = (lease.task, lease.granted);
        self.expired.insert(lease.token, Expired { worker: id, kind, task, tenant, price, app, granted });
        if self.expired.len() > EXPIRED_MOST {
            self.expired.pop_first();
        }
    }

    /// The worker begins to learn an app.
    pub(crate) fn learn(&mut self, slot: Slot<Worker>, app: AppId, fx: &mut Effects) {
        self.workers[slot].learning = Some(app);
        self.stand(slot, Standing::Training, fx);
        self.count_learning(slot, 1, fx);
    }

    /// The worker has learned it, or stops learning.
    pub(crate) fn stop_learning(&mut self, slot: Slot<Worker>, learned: bool, fx: &mut Effects) {
        self.count_learning(slot, -1, fx);
        let app = self.workers[slot].learning.take();
        if let (true, Some(app)) = (learned, app) {
            self.workers[slot].trained.insert(app);
        }
        self.stand(slot, Standing::Paused, fx);
    }

    fn count_learning(&mut self, slot: Slot<Worker>, change: i32, fx: &mut Effects) {
        let worker = &self.workers[slot];
        let pool = &mut self.pools[worker.pool.index()];
        let place = worker.learning.and_then(|app| pool.place(app));
        if let Some(place) = place {
            let learning = &mut pool.apps[place].learning;
            *learning = learning.saturating_add_signed(change);
        }
        if change < 0 && pool.workers.idle > 0 {
            // What this worker would have learned is somebody else's to learn.
            fx.anew.push(worker.pool);
        }
    }

    /// The worker is no longer available: what it has in hand goes back.
    pub(crate) fn leave(&mut self, slot: Slot<Worker>, fx: &mut Effects) {
        if self.workers[slot].lease.is_some() {
            self.expire_lease(slot, fx);
        }
        if self.workers[slot].learning.is_some() {
            self.stop_learning(slot, false, fx);
        }
        if self.workers[slot].standing != Standing::Gone {
            self.stand(slot, Standing::Gone, fx);
        }
    }

    /// The worker is gone and paid.
    pub(crate) fn depart(&mut self, slot: Slot<Worker>, owed: Wages, abandoned: bool, fx: &mut Effects) {
        self.leave(slot, fx);
        self.pay_wages(slot, owed);
        let id = self.workers[slot].id;
        let pool = self.workers[slot].pool;
        self.timers.watch(slot, id, None);
        self.timers.bill(slot, id, None);
        self.pools[pool.index()].members.remove(&id);
        if abandoned {
            let now = self.now;
            self.pools[pool.index()].meter.departed(now);
        }
        self.workers.remove(id);
    }

    /// The worker goes to another pool, where it pauses until it learns, waits or works.
    pub(crate) fn move_to(&mut self, slot: Slot<Worker>, to: PoolId, owed: Wages, fx: &mut Effects) {
        self.leave(slot, fx);
        self.pay_wages(slot, owed);
        let id = self.workers[slot].id;
        let from = self.workers[slot].pool;
        self.pools[from.index()].members.remove(&id);
        self.pools[to.index()].members.insert(id);
        self.workers[slot].pool = to;
        self.workers[slot].heard = self.now;
        self.stand(slot, Standing::Paused, fx);
        fx.changes.push(Change { pool: to, what: What::Joined(slot) });
    }

    /// What a worker is owed for waiting and training up to `now`, and what its accruals carry once that is paid.
    pub(crate) fn owed(&self, worker: &Worker, now: Time) -> (Wages, [Accrual; 2]) {
        let Role::Person { wage_waiting, wage_training } = self.kinds[worker.kind.index()].role else {
            return (Wages::default(), worker.accrual);
        };
        let open = worker.open_stretch(now);
        let stretch = |standing| if worker.standing == standing { open } else { Span::ZERO };
        let [mut waiting, mut training] = worker.accrual;
        let owed = Wages {
            waiting: waiting.add(wage_waiting, worker.unpaid.waiting + stretch(Standing::Idle)),
            training: training.add(wage_training, worker.unpaid.training + stretch(Standing::Training)),
        };
        (owed, [waiting, training])
    }

    /// What all workers together have earned by waiting and training up to `now` and have not been paid yet. Takes as long
    /// as there are workers.
    #[must_use]
    pub fn unpaid(&self, now: Time) -> Wages {
        self.workers.unordered().fold(Wages::default(), |sum, (_, worker)| {
            let (owed, _) = self.owed(worker, now);
            Wages { waiting: sum.waiting + owed.waiting, training: sum.training + owed.training }
        })
    }

    /// Pays a worker what it is owed; the pool must charge somebody for it.
    pub(crate) fn pay_wages(&mut self, slot: Slot<Worker>, owed: Wages) {
        let now = self.now;
        let (_, accrual) = self.owed(&self.workers[slot], now);
        let worker = &mut self.workers[slot];
        worker.accrual = accrual;
        worker.unpaid = Unpaid::default();
        worker.paid_until = now;
        worker.wages += owed.total();
        self.books.waiting += owed.waiting;
        self.books.training += owed.training;
        self.pools[worker.pool.index()].due += owed.total();
    }

    /// The driver stood still from `since` until now: leases run on, and that time is not paid.
    pub(crate) fn resume(&mut self, since: Time, fx: &mut Effects) {
        let gap = self.now.since(since);
        for id in self.workers().iter().map(|worker| worker.id).collect::<Vec<_>>() {
            let slot = self.workers.find(id).expect("just listed");
            self.resume_worker(slot, since, gap);
        }
        for (id, recruit) in self.recruits.clone() {
            let deadline = recruit.deadline + gap;
            self.timers.reset(super::timers::Due::Recruit(id), recruit.deadline, deadline);
            self.recruits.get_mut(&id).expect("just listed").deadline = deadline;
        }
        for pool in &mut self.pools {
            pool.meter.skip(since, gap);
        }
        fx.opened.clear();
    }

    fn resume_worker(&mut self, slot: Slot<Worker>, since: Time, gap: Span) {
        let now = self.now;
        let worker = &mut self.workers[slot];
        let before = worker.open_stretch(since.min(now));
        match worker.standing {
            Standing::Idle => worker.unpaid.waiting += before,
            Standing::Training => worker.unpaid.training += before,
            _ => {}
        }
        worker.paid_until = now;
        worker.heard = now;
        if let Some(lease) = worker.lease.as_mut() {
            lease.deadline = lease.deadline + gap;
            lease.granted = lease.granted + gap;
        }
        self.watch(slot);
    }
}

impl Worker {
    /// How long the worker has stood so, as far as it is not paid yet.
    fn open_stretch(&self, now: Time) -> Span {
        now.since(self.since.max(self.paid_until))
    }
}
