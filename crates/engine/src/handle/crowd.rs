//! Workers joining, pausing, learning, leaving, being recruited, drained and moved.

use crate::command::Reply;
use crate::fact::{Decision, Departure, Input, Recorder};
use crate::ids::{KindId, PoolId, RecruitId, WorkerId};
use crate::money::Money;
use crate::refusal::{Refusal, field};
use crate::spec::{Role, WorkerSpec};
use crate::state::State;
use crate::state::worker::{Standing, Worker};
use crate::table::Slot;

use super::Turn;

/// At most so much is set aside for one order.
pub(super) const SET_ASIDE_MOST: Money = Money::units(1_000_000_000);
/// At most so many workers are called for at once.
pub(super) const RECRUIT_MOST: u32 = 1_000_000;

impl<R: Recorder> Turn<'_, R> {
    pub(super) fn join(&mut self, mut spec: Box<WorkerSpec>) -> Result<Reply, Refusal> {
        self.state().check_worker(&spec)?;
        if spec.recruit.is_some_and(|id| !self.state().recruits.contains_key(&id)) {
            // Given up before the worker came: welcome all the same.
            spec.recruit = None;
        }
        let id = WorkerId(self.state().next.worker);
        self.input(Input::Joined(id, spec));
        let slot = self.state().worker_slot(id);
        self.bill(slot);
        Ok(Reply::Worker(id))
    }

    pub(super) fn pause(&mut self, id: WorkerId) -> Result<Reply, Refusal> {
        let slot = self.worker(id)?;
        let standing = self.state().workers[slot].standing;
        if matches!(standing, Standing::Leased | Standing::Draining) {
            let wanted = "pause before answering or returning it";
            return Err(Refusal::Standing { worker: id, standing, wanted });
        }
        self.input(Input::Paused(id));
        Ok(Reply::Done)
    }

    pub(super) fn trained(&mut self, id: WorkerId) -> Result<Reply, Refusal> {
        let slot = self.worker(id)?;
        let standing = self.state().workers[slot].standing;
        if standing != Standing::Training {
            return Err(Refusal::Standing { worker: id, standing, wanted: "finish a training" });
        }
        self.input(Input::Trained(id));
        Ok(self.serve(slot))
    }

    pub(super) fn leave(&mut self, id: WorkerId) -> Result<Reply, Refusal> {
        let slot = self.worker(id)?;
        self.input(Input::Left(id));
        self.depart(slot, Departure::Left);
        Ok(Reply::Done)
    }

    /// The worker is gone, and gets what it is owed.
    pub(super) fn depart(&mut self, slot: Slot<Worker>, why: Departure) {
        let worker = &self.state().workers[slot];
        let (id, owed) = (worker.id, self.state().owed_at(worker, self.now));
        self.decide(Decision::Departed { worker: id, why, owed });
    }

    pub(super) fn drain(&mut self, id: WorkerId) -> Result<Reply, Refusal> {
        let slot = self.worker(id)?;
        self.input(Input::DrainAsked(id));
        self.release(slot, Departure::Drained);
        Ok(Reply::Done)
    }

    /// Lets a worker go: at once if it has nothing in hand, else when that is done.
    pub(super) fn release(&mut self, slot: Slot<Worker>, why: Departure) {
        let worker = &self.state().workers[slot];
        match worker.standing {
            Standing::Leased => self.decide(Decision::Draining(worker.id)),
            Standing::Draining | Standing::Gone => {}
            Standing::Idle | Standing::Paused | Standing::Training => self.depart(slot, why),
        }
    }

    pub(super) fn recruit_by_hand(&mut self, pool: PoolId, kind: KindId, n: u32) -> Result<Reply, Refusal> {
        self.state().pool(pool).ok_or(Refusal::UnknownPool(pool))?;
        self.state().kind(kind).ok_or(Refusal::UnknownKind(kind))?;
        field((1..=RECRUIT_MOST).contains(&n), "n", n, "a whole number from 1 to 1000000")?;
        if let Some(room) = self.state().room(kind).filter(|room| n > *room) {
            return Err(Refusal::NoRoom { kind, room });
        }
        if let Some((tenant, cost)) = self.state().machine_cost(pool, kind) {
            let left = self.state().left_for_machines(tenant, self.now);
            let needed = cost.times(u64::from(n));
            field(needed <= SET_ASIDE_MOST, "n", n, "so many that at most 1000000000 is set aside for them")?;
            if !needed.is_zero() && left.is_some_and(|left| needed > left) {
                let left = left.map_or(0, |left| left.0);
                return Err(Refusal::OverBudget { tenant, left, needed: needed.0 });
            }
        }
        self.input(Input::RecruitAsked(pool, kind, n));
        Ok(Reply::Recruit(self.recruit(pool, kind, n)))
    }

    pub(super) fn recruit(&mut self, pool: PoolId, kind: KindId, n: u32) -> RecruitId {
        let state = self.state();
        let recruit = RecruitId(state.next.recruit);
        let within = state.pools[pool.index()].spec.recruit_within + state.kinds[kind.index()].boot;
        let deadline = self.now + within;
        self.decide(Decision::Recruiting { recruit, pool, kind, n, deadline });
        recruit
    }

    pub(super) fn recruit_failed(&mut self, id: RecruitId, n: u32) -> Result<Reply, Refusal> {
        let recruit = self.state().recruits.get(&id).ok_or(Refusal::UnknownRecruit(id))?;
        let most = recruit.n;
        field(
            (1..=most).contains(&n),
            "n",
            n,
            format_args!("a whole number from 1 to {most}, as many as are on their way"),
        )?;
        self.input(Input::RecruitFailed(id, n));
        Ok(Reply::Done)
    }

    pub(super) fn move_by_hand(&mut self, id: WorkerId, to: PoolId) -> Result<Reply, Refusal> {
        let slot = self.worker(id)?;
        self.state().pool(to).ok_or(Refusal::UnknownPool(to))?;
        let worker = &self.state().workers[slot];
        let standing = worker.standing;
        if worker.pool == to || matches!(standing, Standing::Leased | Standing::Draining) {
            return Err(Refusal::Standing { worker: id, standing, wanted: "move there now" });
        }
        self.input(Input::MoveAsked(id, to));
        self.relocate(slot, to);
        Ok(Reply::Done)
    }

    /// Moves a worker; one who waited waits, learns or works there.
    pub(super) fn relocate(&mut self, slot: Slot<Worker>, to: PoolId) {
        let worker = &self.state().workers[slot];
        let (id, waited) = (worker.id, worker.standing == Standing::Idle);
        let owed = self.state().owed_at(worker, self.now);
        self.decide(Decision::Moved { worker: id, to, owed });
        if waited {
            self.serve(slot);
        }
    }
}

impl State {
    fn check_worker(&self, spec: &WorkerSpec) -> Result<(), Refusal> {
        self.pool(spec.pool).ok_or(Refusal::UnknownPool(spec.pool))?;
        let kind = self.kind(spec.kind).ok_or(Refusal::UnknownKind(spec.kind))?;
        for app in spec.trained.iter().chain(spec.preferences.iter().map(|(app, _)| app)) {
            self.app(*app).ok_or(Refusal::UnknownApp(*app))?;
        }
        for (_, liking) in &spec.preferences {
            field((0.0..=1.0).contains(liking), "preferences", liking, "a number from 0 to 1")?;
        }
        let unordered = |role| {
            if self.room(spec.kind) == Some(0) {
                return Err(Refusal::NoRoom { kind: spec.kind, room: 0 });
            }
            self.check_machine(spec, role)
        };
        let Some(id) = spec.recruit else { return unordered(kind.role) };
        match self.recruits.get(&id) {
            Some(recruit) => {
                let fits = recruit.pool == spec.pool && recruit.kind == spec.kind;
                field(fits, "recruit", id, "an order for this pool and kind")
            }
            None if id.0 >= self.next.recruit => Err(Refusal::UnknownRecruit(id)),
            None => unordered(kind.role),
        }
    }

    /// A machine for which nothing was set aside starts only if its first billing period fits the budget.
    fn check_machine(&self, spec: &WorkerSpec, role: Role) -> Result<(), Refusal> {
        let Role::Machine { .. } = role else { return Ok(()) };
        match self.machine_cost(spec.pool, spec.kind) {
            Some((tenant, cost)) if !self.tenants[tenant.index()].can_spend(cost) => {
                let left = self.tenants[tenant.index()].money_left().map_or(0, |left| left.0);
                Err(Refusal::OverBudget { tenant, left, needed: cost.0 })
            }
            _ => Ok(()),
        }
    }
}
