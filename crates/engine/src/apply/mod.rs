//! Applying facts: the only way that state changes. Decides nothing anew.
//!
//! What a fact does to work, workers and money is in `state`; what it does to settings and policies is in [`settings`].

mod settings;

use crate::engine::Engine;
use crate::fact::{Body, Decision, Departure, Fact, Input};
use crate::ids::WorkerId;
use crate::state::Recruit;
use crate::state::answer::Judged;
use crate::state::crowd::Back;
use crate::state::worker::Standing;
use crate::view::View;

impl Engine {
    pub(crate) fn apply_one(&mut self, fact: &Fact) {
        debug_assert!(fact.at >= self.state.now, "time never goes back");
        self.state.now = fact.at;
        self.state.facts += 1;
        match &fact.body {
            Body::Input(input) => self.apply_input(input),
            Body::Decision(decision) => self.apply_decision(decision),
        }
        self.tell();
    }

    fn apply_input(&mut self, input: &Input) {
        let (state, fx) = (&mut self.state, &mut self.fx);
        match input {
            Input::Asked(worker) | Input::Answered(worker, _) | Input::Heard(worker) => {
                // One who is gone may still answer.
                state.workers.find(*worker).into_iter().for_each(|slot| state.hear(slot));
            }
            Input::JobSubmitted(id, spec) => state.submit(*id, spec, fx),
            Input::Joined(id, spec) => state.join(*id, spec, fx),
            Input::Returned(worker, _) => {
                let slot = state.worker_slot(*worker);
                state.hear(slot);
                state.return_lease(slot, Back::Returned, fx);
            }
            Input::TaskSkipped(worker, _) => {
                let slot = state.worker_slot(*worker);
                state.hear(slot);
                state.return_lease(slot, Back::SkippedTask, fx);
            }
            Input::JobSkipped(worker, _) => self.skip_job(*worker),
            Input::Paused(worker) => {
                let slot = state.worker_slot(*worker);
                state.hear(slot);
                if state.workers[slot].standing == Standing::Training {
                    state.stop_learning(slot, false, fx);
                } else {
                    state.stand(slot, Standing::Paused, fx);
                }
            }
            Input::Trained(worker) => {
                let slot = state.worker_slot(*worker);
                state.stop_learning(slot, true, fx);
                state.hear(slot);
            }
            Input::Left(worker) => {
                let slot = state.worker_slot(*worker);
                state.leave(slot, fx);
            }
            Input::JobCancelled(job) => self.cancel_job(*job),
            Input::JobBudgetSet(job, budget) => {
                let slot = state.jobs.find(*job).expect("recorded of a live job");
                state.set_job_budget(slot, *budget, fx);
            }
            Input::RecruitFailed(recruit, n) => state.recruits_come(*recruit, *n, fx),
            Input::Resumed(since, _) => {
                state.resume(*since, fx);
                self.restarted.clear();
            }
            Input::DrainAsked(_) | Input::RecruitAsked(..) | Input::MoveAsked(..) | Input::Woken => {}
            Input::TenantSet(..)
            | Input::AppSet(..)
            | Input::KindSet(..)
            | Input::PoolSet(..)
            | Input::PolicySet(..)
            | Input::BalanceSet(..)
            | Input::ClientSet(..)
            | Input::ClientRemoved(..)
            | Input::JobPrioritySet(..) => self.apply_setting(input),
        }
    }

    fn apply_decision(&mut self, decision: &Decision) {
        let (state, fx) = (&mut self.state, &mut self.fx);
        match decision {
            Decision::Leased(grant) => state.grant(grant, fx),
            Decision::Judged { worker, token, task, verdict, pay } => {
                let (worker, token, task) = (*worker, *token, *task);
                state.judged(Judged { worker, token, task, verdict: *verdict, pay: *pay }, fx);
            }
            Decision::Parked(worker) => {
                let slot = state.worker_slot(*worker);
                state.stand(slot, Standing::Idle, fx);
            }
            Decision::JobClosed { job, outcome, .. } => state.close(*job, *outcome, fx),
            Decision::TrainingStarted(worker, app) => {
                let slot = state.worker_slot(*worker);
                state.learn(slot, *app, fx);
            }
            Decision::LeaseExpired(worker, _) => {
                let slot = state.worker_slot(*worker);
                state.expire_lease(slot, fx);
            }
            Decision::Departed { worker, why, owed } => {
                let abandoned = matches!(why, Departure::Left | Departure::Vanished);
                state.depart(state.worker_slot(*worker), *owed, abandoned, fx);
            }
            Decision::Draining(worker) => {
                let slot = state.worker_slot(*worker);
                state.stand(slot, Standing::Draining, fx);
            }
            Decision::Moved { worker, to, owed } => {
                let slot = state.worker_slot(*worker);
                state.move_to(slot, *to, *owed, fx);
            }
            Decision::Recruiting { recruit, pool, kind, n, deadline } => {
                let reserved = state.machine_cost(*pool, *kind);
                let order = Recruit { pool: *pool, kind: *kind, n: *n, deadline: *deadline, reserved };
                state.recruit(*recruit, order, fx);
            }
            Decision::RecruitLost(recruit, n) => state.recruits_come(*recruit, *n, fx),
            Decision::OutOfBudget(purse, _) => {
                state.said_short(*purse).into_iter().for_each(|short| *short = true);
            }
            Decision::BackInBudget(purse) => {
                state.said_short(*purse).into_iter().for_each(|short| *short = false);
            }
            Decision::IntervalBegan(tenant) => state.begin_interval(*tenant, fx),
            Decision::Settled(pool, settlement) => state.settle(*pool, settlement, fx),
            Decision::Billed { worker, cost, until } => state.bill(*worker, *cost, *until, fx),
            Decision::Evaluated(pool, family, assessment) => self.evaluated(*pool, *family, assessment),
            Decision::Balanced(assessment) => self.balanced(assessment),
            Decision::Planned(pool, plan) => {
                let view = View { state: &self.state, id: *pool };
                self.policies[pool.index()].dispatch.plan(plan, view);
            }
            Decision::PolicyRestarted(pool, family) => {
                self.restart_policy(*pool, *family);
                // That it could not go on as it was has been said with this fact.
                self.restarted.retain(|restarted| *restarted != (*pool, *family));
            }
        }
    }

    fn skip_job(&mut self, worker: WorkerId) {
        let slot = self.state.worker_slot(worker);
        self.state.hear(slot);
        let lease = self.state.workers[slot].lease.as_ref().expect("recorded of a lease in hand");
        self.state.jobs[lease.at.0.job].skip_whole(worker);
        self.state.return_lease(slot, Back::SkippedJob, &mut self.fx);
    }

    fn cancel_job(&mut self, job: crate::ids::JobId) {
        let slot = self.state.jobs.find(job).expect("recorded of a live job");
        self.state.cancel(slot, &mut self.fx);
        for worker in self.state.holders(job) {
            let worker = self.state.worker_slot(worker);
            self.state.expire_lease(worker, &mut self.fx);
        }
    }
}
