//! Workers asking, answering and giving back; idle workers getting what has opened.

use crate::command::Reply;
use crate::fact::{Decision, Departure, Grant, Input, Outcome, Recorder, Verdict};
use crate::hosted::Hosted;
use crate::ids::{AppId, JobId, TaskId, Token, WorkerId};
use crate::money::Money;
use crate::policy::dispatch::{Choice, Takers};
use crate::refusal::Refusal;
use crate::spec::{LatePay, Role};
use crate::state::State;
use crate::state::job::LaneRef;
use crate::state::worker::{Expired, Standing, Worker};
use crate::table::Slot;
use crate::time::Span;
use crate::view::{Ask, Offer, View};

use super::Turn;

impl<R: Recorder> Turn<'_, R> {
    pub(super) fn worker(&self, id: WorkerId) -> Result<Slot<Worker>, Refusal> {
        self.state().workers.find(id).ok_or(Refusal::UnknownWorker(id))
    }

    fn hosted(&self, slot: Slot<Worker>) -> (&Hosted, View<'_>) {
        let pool = self.state().workers[slot].pool;
        (&self.engine.policies[pool.index()], self.engine.view(pool))
    }

    pub(super) fn ask(&mut self, id: WorkerId) -> Result<Reply, Refusal> {
        let slot = self.worker(id)?;
        let standing = self.state().workers[slot].standing;
        if !matches!(standing, Standing::Idle | Standing::Paused) {
            return Err(Refusal::Standing { worker: id, standing, wanted: "ask for a task" });
        }
        self.input(Input::Asked(id));
        Ok(self.serve(slot))
    }

    /// Gives a worker who wants a task one, or something to learn, or lets it wait.
    pub(super) fn serve(&mut self, slot: Slot<Worker>) -> Reply {
        let id = self.state().workers[slot].id;
        if let Some(choice) = self.choose(slot, false) {
            let (task, token) = self.lease(slot, &choice);
            return Reply::Leased(task, token);
        }
        if let Some(app) = self.lesson(slot) {
            self.decide(Decision::TrainingStarted(id, app));
            return Reply::Training(app);
        }
        if self.state().workers[slot].standing != Standing::Idle {
            self.decide(Decision::Parked(id));
        }
        Reply::Parked
    }

    fn choose(&self, slot: Slot<Worker>, learning: bool) -> Option<Choice> {
        let (hosted, view) = self.hosted(slot);
        let choice = hosted.dispatch.choose(&Ask { view, worker: view.state.worker_at(slot), learning });
        choice.filter(|choice| view.state.job_at(choice.lane).open_slots(choice.task) > 0)
    }

    /// What a worker for whom there is nothing should learn: what waits, or, if it can do nothing here, what it likes best.
    fn lesson(&self, slot: Slot<Worker>) -> Option<AppId> {
        let (state, worker) = (self.state(), &self.state().workers[slot]);
        let apps = &state.pools[worker.pool.index()].apps;
        if apps.iter().all(|app| state.is_able(worker, app.app)) {
            return None;
        }
        if let Some(choice) = self.choose(slot, true) {
            return Some(state.lane(choice.lane).app);
        }
        if apps.iter().any(|app| state.is_able(worker, app.app)) {
            return None;
        }
        let liking = |app: AppId| worker.preference(app);
        apps.iter().map(|app| app.app).rev().max_by(|a, b| liking(*a).total_cmp(&liking(*b)))
    }

    fn lease(&mut self, slot: Slot<Worker>, choice: &Choice) -> (TaskId, Token) {
        let state = self.state();
        let worker = &state.workers[slot];
        let (lane, job) = (state.lane(choice.lane), state.job_at(choice.lane));
        let person = matches!(state.kinds[worker.kind.index()].role, Role::Person { .. });
        let grant = Grant {
            worker: worker.id,
            task: job.task_id(choice.task),
            token: Token(state.next.token),
            price: if person { job.price } else { Money::ZERO },
            deadline: self.now + state.apps[lane.app.index()].lease_length(),
            expected: state.expected(job, choice.task, worker.kind).unwrap_or(Span::ZERO),
            why: choice.why,
        };
        self.decide(Decision::Leased(grant));
        (grant.task, grant.token)
    }

    /// Gives what has opened in a lane to those who wait, or has somebody learn it.
    pub(super) fn fill_lane(&mut self, at: LaneRef) {
        while self.state().lane(at).listed {
            let Some(slot) = self.taker(at) else { break };
            let Some(choice) = self.choose(slot, false) else { break };
            self.lease(slot, &choice);
        }
        let lane = self.state().lane(at);
        let (app, pool, place) = (lane.app, lane.pool, usize::from(lane.place));
        if self.state().apps[app.index()].spec.training.is_zero() {
            return;
        }
        while self.state().lane(at).listed && self.wants_learners(pool, place) {
            let view = self.engine.view(pool);
            let offer = Offer { view, lane: at, learning: true };
            let Some(slot) = self.engine.policies[pool.index()].matching.choose(&offer) else { break };
            let worker = self.state().workers[slot].id;
            self.decide(Decision::TrainingStarted(worker, app));
        }
    }

    fn wants_learners(&self, pool: crate::ids::PoolId, place: usize) -> bool {
        let app = &self.state().pools[pool.index()].apps[place];
        app.open > u64::from(app.learning)
    }

    /// The idle worker who gets something of the lane.
    fn taker(&self, at: LaneRef) -> Option<Slot<Worker>> {
        let pool = self.state().lane(at).pool;
        let (hosted, view) = (&self.engine.policies[pool.index()], self.engine.view(pool));
        match hosted.dispatch.takers(at, view) {
            Takers::Anyone => hosted.matching.choose(&Offer { view, lane: at, learning: false }),
            Takers::These(workers) => {
                let waits = |slot: &Slot<Worker>| self.state().workers[*slot].standing == Standing::Idle;
                let there = workers.into_iter().filter_map(|id| self.state().workers.find(id));
                there.filter(waits).find(|slot| self.choose(*slot, false).is_some())
            }
        }
    }

    /// Lets everybody who waits in a pool choose anew what to do or learn, the one who has waited longest first.
    pub(super) fn fill_pool(&mut self, pool: crate::ids::PoolId) {
        let view = self.engine.view(pool);
        let mut idle: Vec<(u64, WorkerId)> = view
            .workers()
            .filter(|worker| worker.standing == Standing::Idle)
            .map(|worker| (worker.idle_seq, worker.id))
            .collect();
        idle.sort_unstable();
        for (_, id) in idle {
            let slot = self.state().worker_slot(id);
            if let Some(choice) = self.choose(slot, false) {
                self.lease(slot, &choice);
            } else if let Some(choice) = self.choose(slot, true) {
                let app = self.state().lane(choice.lane).app;
                self.decide(Decision::TrainingStarted(id, app));
            }
        }
    }

    pub(super) fn answer(&mut self, id: WorkerId, token: Token) -> Result<Reply, Refusal> {
        let state = self.state();
        let slot = state.workers.find(id);
        let lease = slot.and_then(|slot| state.workers[slot].lease.as_ref());
        let Some(lease) = lease.filter(|lease| lease.token == token) else {
            return self.answer_late(id, token);
        };
        let (task, job, pay) = (lease.task, lease.at.0.job, lease.price);
        self.input(Input::Answered(id, token));
        self.decide(Decision::Judged { worker: id, token, task, verdict: Verdict::Counted, pay });
        if self.state().jobs[job].left == 0 {
            self.close(task.job, Outcome::Done);
        }
        slot.into_iter().for_each(|slot| self.depart_if_gone(slot));
        Ok(Reply::Judged(Verdict::Counted))
    }

    /// An answer to a lease that is over, perhaps of a worker who is gone.
    fn answer_late(&mut self, id: WorkerId, token: Token) -> Result<Reply, Refusal> {
        let state = self.state();
        let expired = state.expired.get(&token).filter(|expired| expired.worker == id);
        let Some(expired) = expired else {
            let known = state.worker(id).is_some();
            return Err(if known { Refusal::UnknownLease(id, token) } else { Refusal::UnknownWorker(id) });
        };
        let (task, verdict) = (expired.task, state.judge_late(expired));
        let pay = state.pay_late(expired, verdict);
        self.input(Input::Answered(id, token));
        self.decide(Decision::Judged { worker: id, token, task, verdict, pay });
        if self.state().job(task.job).is_some_and(|job| job.left == 0) {
            self.close(task.job, Outcome::Done);
        }
        self.state().workers.find(id).into_iter().for_each(|slot| self.depart_if_gone(slot));
        Ok(Reply::Judged(verdict))
    }

    /// A job is over.
    pub(super) fn close(&mut self, id: JobId, outcome: Outcome) {
        let Some(job) = self.state().job(id) else { return };
        let (client, spent, response) = (job.client, job.spent, self.now.since(job.submitted));
        self.decide(Decision::JobClosed { job: id, outcome, client, response, spent });
    }

    /// A draining worker whose lease is over goes.
    pub(super) fn depart_if_gone(&mut self, slot: Slot<Worker>) {
        if self.state().workers[slot].standing == Standing::Gone {
            self.depart(slot, Departure::Drained);
        }
    }

    pub(super) fn give_back(&mut self, id: WorkerId, token: Token, input: Input) -> Result<Reply, Refusal> {
        let slot = self.worker(id)?;
        let held = self.state().workers[slot].lease.as_ref().map(|lease| lease.token);
        if held != Some(token) {
            return Err(Refusal::UnknownLease(id, token));
        }
        self.input(input);
        self.depart_if_gone(slot);
        Ok(Reply::Done)
    }

    pub(super) fn heartbeat(&mut self, id: WorkerId) -> Result<Reply, Refusal> {
        self.worker(id)?;
        self.input(Input::Heard(id));
        Ok(Reply::Done)
    }
}

impl State {
    /// Whether an answer to an expired lease still fills its slot: if one is open, and none of the task is this worker's.
    fn judge_late(&self, expired: &Expired) -> Verdict {
        let task = expired.task;
        let lease = self.worker(expired.worker).and_then(|worker| worker.lease.as_ref());
        let holds = lease.is_some_and(|lease| lease.task == task);
        let open = self.jobs.get(task.job).is_some_and(|job| {
            job.open_slots(task.index) > 0 && !job.touched.contains(&(task.index, expired.worker))
        });
        if open && !holds { Verdict::LateCounted } else { Verdict::LateKept }
    }

    /// What a late answer is paid. It may overdraw a budget: what was set aside for it is free again, and may be spent.
    fn pay_late(&self, expired: &Expired, verdict: Verdict) -> Money {
        let person = matches!(self.kinds[expired.kind.index()].role, Role::Person { .. });
        let paid = match self.apps[expired.app.index()].spec.late_pay {
            LatePay::IfCounted => verdict == Verdict::LateCounted,
            LatePay::Always => true,
            LatePay::Never => false,
        };
        if person && paid { expired.price } else { Money::ZERO }
    }
}
