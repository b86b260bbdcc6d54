//! The open slots: how they come, go to workers, come back and are filled. Does not know who chose.
//!
//! Invariant: a lane is listed with the dispatch policy exactly while it has open slots and money for one of them; its
//! pool's queue counts the open slots of listed lanes.

use crate::fact::Purse;
use crate::ids::{JobId, WorkerId};
use crate::policy::{Change, What};
use crate::spec::{Estimates, FlowTask, JobSpec, Work};
use crate::table::Slot;
use crate::time::Time;

use super::job::{Flow, Job, Lane, LaneRef, Lanes, Task, TaskState, Tasks};
use super::{Effects, State};

impl State {
    /// A job has come.
    pub(crate) fn submit(&mut self, id: JobId, spec: &JobSpec, fx: &mut Effects) {
        self.next.job = id.0 + 1;
        let job = self.new_job(id, spec);
        if let Some(client) = spec.client.and_then(|client| self.clients.get_mut(client)) {
            client.waiting += 1;
        }
        let slot = self.jobs.insert(id, job);
        match &spec.work {
            Work::Batch { tasks, .. } => {
                let lane = LaneRef { job: slot, lane: 0 };
                self.slots_arrived(lane, u64::from(*tasks) * u64::from(spec.slots), fx);
            }
            Work::Workflow(tasks) => {
                let ready: Vec<u32> =
                    (0..).zip(tasks).filter(|(_, task)| task.parents.is_empty()).map(|(i, _)| i).collect();
                for task in ready {
                    self.open_task(slot, task, fx);
                }
            }
        }
    }

    fn new_job(&mut self, id: JobId, spec: &JobSpec) -> Job {
        let n = spec.work.len();
        let (lanes, flow) = match &spec.work {
            Work::Batch { app, tasks } => {
                let mut lane = self.new_lane(spec, *app);
                lane.end = *tasks;
                (Lanes::one(lane), None)
            }
            Work::Workflow(tasks) => self.new_flow(spec, tasks),
        };
        let state = if flow.is_some() { TaskState::Waiting } else { TaskState::Open };
        Job {
            id,
            tenant: spec.tenant,
            priority: spec.priority,
            price: spec.price,
            slots: spec.slots,
            budget: spec.budget,
            spent: Default::default(),
            reserved: Default::default(),
            client: spec.client,
            expected: spec.expected,
            submitted: self.now,
            left: u32::try_from(n).expect("checked at submission"),
            short: false,
            tasks: Tasks::new(n, Task { state, ..Task::default() }),
            lanes,
            flow,
            estimates: (spec.estimates != Estimates::None).then(|| Box::new(spec.estimates.clone())),
            touched: Default::default(),
        }
    }

    fn new_lane(&mut self, spec: &JobSpec, app: crate::ids::AppId) -> Lane {
        let pool = self.apps[app.index()].route(spec.tenant).expect("checked at submission");
        let place = self.pools[pool.index()].place(app).expect("a route leads to a pool that serves the app");
        let seq = self.next.lane;
        self.next.lane += 1;
        Lane {
            seq,
            app,
            pool,
            open: 0,
            running: 0,
            listed: false,
            place: u16::try_from(place).expect("a pool serves at most 65535 apps"),
            reopens: 0,
            fresh: 0,
            end: 0,
            ahead: Default::default(),
            front: Default::default(),
        }
    }

    fn new_flow(&mut self, spec: &JobSpec, tasks: &[FlowTask]) -> (Lanes, Option<Box<Flow>>) {
        let mut lanes: Vec<Lane> = Vec::new();
        let mut lane_of = Vec::with_capacity(tasks.len());
        for task in tasks {
            let lane = lanes.iter().position(|lane| lane.app == task.app).unwrap_or_else(|| {
                lanes.push(self.new_lane(spec, task.app));
                lanes.len() - 1
            });
            lane_of.push(u16::try_from(lane).expect("checked at submission"));
        }
        (Lanes::new(lanes), Some(Box::new(flow_of(tasks, lane_of))))
    }

    /// A task's last parent is done, or it had none.
    fn open_task(&mut self, slot: Slot<Job>, task: u32, fx: &mut Effects) {
        let now = self.now;
        let job = &mut self.jobs[slot];
        job.tasks.as_mut_slice()[task as usize].state = TaskState::Open;
        let slots = job.slots;
        let flow = job.flow.as_mut().expect("only tasks of workflows wait");
        flow.opened[task as usize] = now;
        let lane = LaneRef { job: slot, lane: flow.lane[task as usize] };
        let kept = self.lane_mut(lane);
        kept.front.insert(task);
        kept.reopens = kept.reopens.wrapping_add(1);
        self.slots_arrived(lane, u64::from(slots), fx);
    }

    fn slots_arrived(&mut self, lane: LaneRef, slots: u64, fx: &mut Effects) {
        let now = self.now;
        let pool = self.lane(lane).pool;
        self.pools[pool.index()].meter.arrived(now, slots);
        self.more_open(lane, i64::try_from(slots).expect("checked at submission"), fx);
    }

    /// The lane has so many open slots more or fewer.
    fn more_open(&mut self, at: LaneRef, slots: i64, fx: &mut Effects) {
        let job = &mut self.jobs[at.job];
        let (id, tenant, price, budgeted) = (job.id, job.tenant, job.price, job.budget.is_some());
        let lane = job.lanes.get_mut(at.lane);
        let before = lane.open;
        lane.open = u32::try_from(i64::from(before) + slots).expect("open slots are counted exactly");
        let after = lane.open;
        let (pool, place, listed) =
            (&mut self.pools[lane.pool.index()], usize::from(lane.place), lane.listed);
        if listed {
            pool.queue = pool.queue.wrapping_add_signed(slots);
            pool.apps[place].open = pool.apps[place].open.wrapping_add_signed(slots);
        } else {
            pool.unfunded = pool.unfunded.wrapping_add_signed(slots);
        }
        let owner = &mut self.tenants[tenant.index()];
        if owner.budget.is_some() && (before == 0) != (after == 0) {
            if after > 0 {
                owner.priced.insert((price, id, at.lane));
            } else {
                owner.priced.remove(&(price, id, at.lane));
            }
            fx.purses.push(Purse::Tenant(tenant));
        }
        if budgeted {
            fx.purses.push(Purse::Job(id));
        }
        if slots > 0 && listed {
            let pool = self.lane(at).pool;
            fx.changes.push(Change { pool, what: What::Resized(at) });
            if self.pools[pool.index()].workers.idle > 0 {
                fx.opened.push(at);
            }
        }
        self.relist(at, fx);
    }

    /// Lists the lane with its pool's dispatch policy, or takes it off, as its open slots and money are now.
    pub(crate) fn relist(&mut self, at: LaneRef, fx: &mut Effects) {
        let job = &self.jobs[at.job];
        let lane = job.lanes.get(at.lane);
        let wanted = lane.open > 0 && self.is_funded(job);
        if lane.listed == wanted {
            return;
        }
        let (open, pool, place) = (u64::from(lane.open), lane.pool, usize::from(lane.place));
        let lane = self.lane_mut(at);
        lane.listed = wanted;
        let kept = &mut self.pools[pool.index()];
        if wanted {
            kept.unfunded -= open;
            kept.queue += open;
            kept.apps[place].open += open;
            if kept.workers.idle > 0 {
                fx.opened.push(at);
            }
        } else {
            kept.queue -= open;
            kept.apps[place].open -= open;
            kept.unfunded += open;
        }
        let what = if wanted { What::Listed(at) } else { What::Unlisted(at) };
        fx.changes.push(Change { pool, what });
    }

    fn is_funded(&self, job: &Job) -> bool {
        job.can_spend() && self.tenants[job.tenant.index()].can_spend(job.price)
    }

    /// An open slot of a task goes to a worker.
    pub(crate) fn take_slot(&mut self, at: LaneRef, task: u32, worker: WorkerId, fx: &mut Effects) {
        let job = &mut self.jobs[at.job];
        debug_assert!(job.open_slots(task) > 0, "only open slots are leased");
        job.tasks.as_mut_slice()[task as usize].leased += 1;
        if job.slots > 1 {
            job.touched.insert((task, worker));
        }
        let more = job.open_slots(task) > 0;
        job.lanes.get_mut(at.lane).lease(task, more);
        self.more_open(at, -1, fx);
    }

    /// A leased slot is open again.
    pub(crate) fn give_back(
        &mut self,
        at: LaneRef,
        task: u32,
        worker: WorkerId,
        skipped: bool,
        fx: &mut Effects,
    ) {
        let job = &mut self.jobs[at.job];
        if skipped {
            job.touched.insert((task, worker));
        } else if job.slots > 1 {
            job.touched.remove(&(task, worker));
        }
        let state = &mut job.tasks.as_mut_slice()[task as usize];
        state.leased -= 1;
        let open = state.state == TaskState::Open;
        let lane = job.lanes.get_mut(at.lane);
        lane.running -= 1;
        if open {
            lane.front.insert(task);
            lane.reopens = lane.reopens.wrapping_add(1);
            self.more_open(at, 1, fx);
        }
    }

    /// A leased slot is filled.
    pub(crate) fn fill_leased(&mut self, at: LaneRef, task: u32, fx: &mut Effects) {
        let job = &mut self.jobs[at.job];
        job.tasks.as_mut_slice()[task as usize].leased -= 1;
        job.lanes.get_mut(at.lane).running -= 1;
        self.fill(at, task, fx);
    }

    /// An open slot is filled by an answer that came late.
    pub(crate) fn fill_open(&mut self, at: LaneRef, task: u32, worker: WorkerId, fx: &mut Effects) {
        self.take_slot(at, task, worker, fx);
        self.fill_leased(at, task, fx);
    }

    fn fill(&mut self, at: LaneRef, task: u32, fx: &mut Effects) {
        let now = self.now;
        let job = &mut self.jobs[at.job];
        let opened = job.opened(task);
        let state = &mut job.tasks.as_mut_slice()[task as usize];
        state.answered += 1;
        let done = state.answered == job.slots;
        if done {
            state.state = TaskState::Done;
            job.left -= 1;
            job.forget(task);
        }
        let pool = job.lanes.get(at.lane).pool;
        let children: Vec<u32> = if done { job.finish(task) } else { Vec::new() };
        self.pools[pool.index()].meter.completed(now, now.since(opened));
        for child in children {
            self.open_task(at.job, child, fx);
        }
    }

    /// A job is no longer wanted: nothing of it is open any more, and what is in workers' hands does not
    /// open again when those leases are ended, one by one, after this.
    pub(crate) fn cancel(&mut self, slot: Slot<Job>, fx: &mut Effects) {
        let job = &mut self.jobs[slot];
        for task in job.tasks.as_mut_slice() {
            if matches!(task.state, TaskState::Waiting | TaskState::Open) {
                task.state = TaskState::Cancelled;
            }
        }
        for lane in 0..job.lanes.len() {
            let at = LaneRef { job: slot, lane };
            let lane = self.lane_mut(at);
            let open = i64::from(lane.open);
            lane.fresh = lane.end;
            lane.ahead.clear();
            lane.front.clear();
            if open > 0 {
                self.more_open(at, -open, fx);
            }
        }
    }
}

impl Job {
    /// Nobody needs to be kept from a task that is done.
    fn forget(&mut self, task: u32) {
        if self.slots > 1 {
            let of_task = (task, WorkerId(0))..=(task, WorkerId(u32::MAX));
            let gone: Vec<(u32, WorkerId)> = self.touched.range(of_task).copied().collect();
            gone.iter().for_each(|entry| {
                self.touched.remove(entry);
            });
        }
    }

    /// The task is done: which of its children have no parent left?
    fn finish(&mut self, task: u32) -> Vec<u32> {
        let Some(flow) = self.flow.as_mut() else { return Vec::new() };
        let (from, to) = (flow.children_from[task as usize], flow.children_from[task as usize + 1]);
        let mut ready = Vec::new();
        for child in &flow.children[from as usize..to as usize] {
            flow.parents_left[*child as usize] -= 1;
            if flow.parents_left[*child as usize] == 0 {
                ready.push(*child);
            }
        }
        ready
    }
}

fn flow_of(tasks: &[FlowTask], lane: Vec<u16>) -> Flow {
    let n = tasks.len();
    let mut children_from = vec![0_u32; n + 1];
    for task in tasks {
        for parent in &task.parents {
            children_from[*parent as usize + 1] += 1;
        }
    }
    for i in 0..n {
        children_from[i + 1] += children_from[i];
    }
    let mut at = children_from.clone();
    let mut children = vec![0_u32; children_from[n] as usize];
    for (i, task) in (0_u32..).zip(tasks) {
        for parent in &task.parents {
            let place = &mut at[*parent as usize];
            children[*place as usize] = i;
            *place += 1;
        }
    }
    Flow {
        lane,
        parents_left: tasks
            .iter()
            .map(|task| u32::try_from(task.parents.len()).expect("fewer than tasks"))
            .collect(),
        children_from,
        children,
        opened: vec![Time::ZERO; n],
    }
}
