//! The engine: one door in ([`Engine::handle`]), one way to change ([`Engine::apply`]), one question out
//! ([`Engine::next_due`]). Knows no clock and does nothing but decide.

use crate::command::{Command, Reply};
use crate::fact::{Fact, Recorder};
use crate::handle::Turn;
use crate::hosted::{Hosted, no_balance};
use crate::ids::{AppId, JobId, PoolId};
use crate::policy::settings::PolicySpec;
use crate::policy::{Controller, Family, Registry, Start, find};
use crate::refusal::Refusal;
use crate::state::job::LaneRef;
use crate::state::{Effects, State};
use crate::time::Time;
use crate::view::View;

/// No job may have more tasks than this, unless the driver says otherwise.
pub const TASKS_PER_JOB_MOST: u32 = 10_000_000;

/// The engine.
#[derive(Debug)]
pub struct Engine {
    pub(crate) state: State,
    pub(crate) policies: Vec<Hosted>,
    pub(crate) balance: Box<dyn Controller>,
    pub(crate) registry: Registry,
    pub(crate) tasks_per_job_most: u32,
    /// Policies whose memory could not be used; said when the driver resumes.
    pub(crate) restarted: Vec<(PoolId, Family)>,
    pub(crate) fx: Effects,
}

impl Engine {
    /// An empty engine with the policies that come with it.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::with_registry(seed, Registry::default())
    }

    /// An empty engine with these policies.
    #[must_use]
    pub fn with_registry(seed: u64, registry: Registry) -> Self {
        let state = State::new(seed);
        let balance = no_balance(&registry, &state);
        Self {
            state,
            policies: Vec::new(),
            balance,
            registry,
            tasks_per_job_most: TASKS_PER_JOB_MOST,
            restarted: Vec::new(),
            fx: Effects::default(),
        }
    }

    /// Refuses jobs with more tasks than this from now on. A limit of the driver's, not part of the state.
    pub fn limit_tasks_per_job(&mut self, most: u32) {
        self.tasks_per_job_most = most;
    }

    /// Policies whose memory could not be used, or that this release does not know, after the engine was rebuilt: to be said
    /// with `Command::Resume` before anything else.
    #[must_use]
    pub fn restarted(&self) -> &[(PoolId, Family)] {
        &self.restarted
    }

    /// All that the engine knows.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The policies that can be named.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Decides what a command means. Every change it makes is a fact, given to the recorder in order. A refused command
    /// changes nothing.
    pub fn handle<R: Recorder>(
        &mut self,
        now: Time,
        command: Command,
        recorder: &mut R,
    ) -> Result<Reply, Refusal> {
        if now < self.state.now {
            return Err(Refusal::TimeWentBack { now, last: self.state.now });
        }
        if !self.restarted.is_empty() && !matches!(command, Command::Resume(..)) {
            return Err(Refusal::MustResume);
        }
        let mut turn = Turn { engine: self, now, recorder };
        let reply = turn.run(command)?;
        turn.follow_up();
        Ok(reply)
    }

    /// Applies a fact that was recorded before. Decides nothing.
    pub fn apply(&mut self, fact: &Fact) {
        self.apply_one(fact);
        self.fx.opened.clear();
        self.fx.anew.clear();
        self.fx.purses.clear();
    }

    /// When the engine next wants `Command::Wake`; `None` if it waits for nothing but commands.
    #[must_use]
    pub fn next_due(&self) -> Option<Time> {
        self.state.timers.next_at()
    }

    /// In words, why a lease was given, as the pool's dispatch policy of now puts it.
    #[must_use]
    pub fn explain(&self, pool: PoolId, why: crate::fact::Why) -> Option<String> {
        self.policies.get(pool.index()).map(|hosted| hosted.dispatch.explain(why))
    }

    /// In words, why a lease was given, as the dispatch policy that gave it puts it: for facts from before a switch.
    #[must_use]
    pub fn explain_as(&self, policy: &PolicySpec, pool: PoolId, why: crate::fact::Why) -> Option<String> {
        self.state.pool(pool)?;
        let entry = find(&self.registry.dispatch, Family::Dispatch, policy).ok()?;
        let start = Start { spec: policy, view: self.view(pool), memory: None };
        (entry.start)(start).ok().map(|policy| policy.explain(why))
    }

    /// What the dispatch policies keep of a job, by app and name, for people who want to see it.
    #[must_use]
    pub fn figures(&self, job: JobId) -> Vec<(AppId, &'static str, f64)> {
        let Some(slot) = self.state.jobs.find(job) else { return Vec::new() };
        let lanes = (0..self.state.jobs[slot].lanes.len()).map(|lane| LaneRef { job: slot, lane });
        let of = |at: LaneRef| {
            let lane = self.state.lane(at);
            let policy = &self.policies[lane.pool.index()].dispatch;
            let figures = policy.figures(at, self.view(lane.pool)).into_iter();
            figures.map(|(name, value)| (lane.app, name, value)).collect::<Vec<_>>()
        };
        lanes.flat_map(of).collect()
    }

    pub(crate) fn view(&self, id: PoolId) -> View<'_> {
        View { state: &self.state, id }
    }

    /// Tells the policies what applying a fact has changed.
    pub(crate) fn tell(&mut self) {
        let mut changes = std::mem::take(&mut self.fx.changes);
        for change in &changes {
            let view = View { state: &self.state, id: change.pool };
            let hosted = &mut self.policies[change.pool.index()];
            hosted.dispatch.note(change, view);
            hosted.matching.note(change, view);
        }
        changes.clear();
        self.fx.changes = changes;
    }
}

/// The pool of a balance policy's view, and of its random draws: none.
pub(crate) const BALANCE_VIEW: PoolId = PoolId(u32::MAX);
