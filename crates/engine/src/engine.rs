//! The engine: one door in ([`Engine::handle`]), one way to change ([`Engine::apply`]), one question out
//! ([`Engine::next_due`]). Knows no clock and does nothing but decide.

use crate::command::{Command, Reply};
use crate::fact::{Fact, Recorder};
use crate::handle::Turn;
use crate::ids::PoolId;
use crate::policy::dispatch::Dispatch;
use crate::policy::matching::Matching;
use crate::policy::settings::{PolicySpec, SettingError};
use crate::policy::{Controller, Family, Registry, Start, find};
use crate::refusal::Refusal;
use crate::spec::PoolPolicies;
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

/// The policies of a pool, at work.
#[derive(Debug)]
pub(crate) struct Hosted {
    pub(crate) dispatch: Box<dyn Dispatch>,
    pub(crate) matching: Box<dyn Matching>,
    pub(crate) scaling: Box<dyn Controller>,
    pub(crate) replacement: Box<dyn Controller>,
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
        let balance = start_balance(&registry, &state, &state.balance, None)
            .expect("a registry holds the balance policy `none`");
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
        let mut turn = Turn { engine: self, now, recorder };
        let reply = turn.run(command)?;
        turn.follow_up();
        Ok(reply)
    }

    /// Applies a fact that was recorded before. Decides nothing.
    pub fn apply(&mut self, fact: &Fact) {
        self.apply_one(fact);
        self.fx.opened.clear();
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

/// Starts the policies of a pool, each with its memory if there is one.
pub(crate) fn start_policies(
    registry: &Registry,
    view: View<'_>,
    specs: &PoolPolicies,
) -> Result<Hosted, SettingError> {
    let hosted = Hosted {
        dispatch: start(&registry.dispatch, Family::Dispatch, &specs.dispatch, view, None)?,
        matching: start(&registry.matching, Family::Matching, &specs.matching, view, None)?,
        scaling: start(&registry.scaling, Family::Scaling, &specs.scaling, view, None)?,
        replacement: start(&registry.replacement, Family::Replacement, &specs.replacement, view, None)?,
    };
    check_plans(&hosted, &specs.dispatch)?;
    Ok(hosted)
}

/// Refuses a dispatch policy that follows plans where nobody makes any.
pub(crate) fn check_plans(hosted: &Hosted, dispatch: &PolicySpec) -> Result<(), SettingError> {
    if hosted.dispatch.follows_plans() && !hosted.scaling.plans() {
        return Err(SettingError::Needs {
            policy: dispatch.name.clone(),
            needs: "a scaling policy that makes plans".to_owned(),
        });
    }
    Ok(())
}

pub(crate) fn start<T: ?Sized>(
    entries: &[crate::policy::Entry<T>],
    family: Family,
    spec: &PolicySpec,
    view: View<'_>,
    memory: Option<&[u8]>,
) -> Result<Box<T>, SettingError> {
    (find(entries, family, spec)?.start)(Start { spec, view, memory })
}

/// Starts a balance policy. It sees all pools; the pool in its view means nothing.
pub(crate) fn start_balance(
    registry: &Registry,
    state: &State,
    spec: &PolicySpec,
    memory: Option<&[u8]>,
) -> Result<Box<dyn Controller>, SettingError> {
    let view = View { state, id: BALANCE_VIEW };
    start(&registry.balance, Family::Balance, spec, view, memory)
}

/// The pool of a balance policy's view, and of its random draws: none.
pub(crate) const BALANCE_VIEW: PoolId = PoolId(u32::MAX);
