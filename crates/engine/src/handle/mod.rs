//! Handling commands: what they mean, and whether they are refused. Nothing here changes state but by committing facts.
//!
//! One command is one [`Turn`]. It refuses before it commits anything; then come the input and the decisions made of it;
//! at last [`Turn::follow_up`] gives new work to those who wait and says whose money is short. Start at [`Turn::run`].

mod control;
mod crowd;
mod money;
mod setup;
mod submit;
mod wake;
mod work;

use crate::command::{Command, Reply};
use crate::engine::Engine;
use crate::fact::{Body, Decision, Fact, Input, Recorder};
use crate::refusal::Refusal;
use crate::state::State;
use crate::time::Time;

/// The handling of one command.
pub(crate) struct Turn<'a, R> {
    pub(crate) engine: &'a mut Engine,
    pub(crate) now: Time,
    pub(crate) recorder: &'a mut R,
}

impl<R: Recorder> Turn<'_, R> {
    /// One door: every command has its line.
    pub(crate) fn run(&mut self, command: Command) -> Result<Reply, Refusal> {
        match command {
            Command::Ask(worker) => self.ask(worker),
            Command::Answer(worker, token) => self.answer(worker, token),
            Command::Submit(spec) => self.submit(spec),
            Command::Return(worker, token) => self.give_back(worker, token, Input::Returned(worker, token)),
            Command::SkipTask(worker, token) => {
                self.give_back(worker, token, Input::TaskSkipped(worker, token))
            }
            Command::SkipJob(worker, token) => {
                self.give_back(worker, token, Input::JobSkipped(worker, token))
            }
            Command::Heartbeat(worker) => self.heartbeat(worker),
            Command::CancelJob(job) => self.cancel_job(job),
            Command::SetJobBudget(job, budget) => self.set_job_budget(job, budget),
            Command::SetJobPriority(job, priority) => self.set_job_priority(job, priority),
            Command::Join(spec) => self.join(spec),
            Command::Pause(worker) => self.pause(worker),
            Command::Trained(worker) => self.trained(worker),
            Command::Leave(worker) => self.leave(worker),
            Command::Drain(worker) => self.drain(worker),
            Command::Recruit(pool, kind, n) => self.recruit_by_hand(pool, kind, n),
            Command::RecruitFailed(recruit, n) => self.recruit_failed(recruit, n),
            Command::Move(worker, pool) => self.move_by_hand(worker, pool),
            Command::AddTenant(spec) => self.set_tenant(None, spec),
            Command::SetTenant(id, spec) => self.set_tenant(Some(id), spec),
            Command::AddApp(spec) => self.set_app(None, spec),
            Command::SetApp(id, spec) => self.set_app(Some(id), spec),
            Command::AddKind(spec) => self.add_kind(spec),
            Command::AddPool(spec) => self.add_pool(spec),
            Command::SetPool(id, spec) => self.set_pool(id, spec),
            Command::SetPolicy(pool, family, spec) => self.set_policy(pool, family, spec),
            Command::SetBalance(spec) => self.set_balance(spec),
            Command::AddClient(spec) => self.add_client(spec),
            Command::RemoveClient(id) => self.remove_client(id),
            Command::Wake => self.wake(),
            Command::Resume(since, restarted) => self.resume(since, restarted),
        }
    }

    pub(crate) fn state(&self) -> &State {
        &self.engine.state
    }

    /// The outside did this.
    pub(crate) fn input(&mut self, input: Input) {
        self.commit(Body::Input(input));
    }

    /// The engine decides this.
    pub(crate) fn decide(&mut self, decision: Decision) {
        self.commit(Body::Decision(decision));
    }

    #[inline]
    fn commit(&mut self, body: Body) {
        let fact = Fact { at: self.now, body };
        self.engine.apply_one(&fact);
        self.recorder.record(self.engine.state.facts - 1, &fact, &self.engine.state);
    }

    /// Gives work that has opened to those who wait, and says whose money is short.
    pub(crate) fn follow_up(&mut self) {
        let mut next = 0;
        while let Some(lane) = self.engine.fx.opened.get(next).copied() {
            next += 1;
            let before = self.engine.fx.opened.len();
            self.fill_lane(lane);
            debug_assert!(self.engine.fx.opened.len() >= before, "filling a lane closes no job");
        }
        self.engine.fx.opened.clear();
        let mut anew = std::mem::take(&mut self.engine.fx.anew);
        anew.sort_unstable();
        anew.dedup();
        anew.drain(..).for_each(|pool| self.fill_pool(pool));
        self.engine.fx.anew = anew;
        self.say_short();
    }
}
