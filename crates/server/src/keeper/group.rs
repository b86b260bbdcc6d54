//! A group: the facts, blobs and letters of the commands that are made durable together.
//!
//! The scribe writes facts down as the engine makes them, and notes what the server must react to. Nothing of a group is
//! visible to anybody before it is durable.

use std::collections::HashMap;

use muster_engine::fact::{Body, Decision, Departure, Fact, Input, Recorder, Verdict};
use muster_engine::ids::{AppId, JobId, TaskId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::state::State;
use muster_engine::{Span, Time};

use super::Letter;
use crate::frame;
use crate::journal::{Frame, Key};
use crate::payload::{AnswersOfGroup, Closing};

/// A lease, as a worker is told of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Who holds it.
    pub worker: WorkerId,
    /// What is to be done.
    pub task: TaskId,
    /// The fencing token.
    pub token: Token,
    /// The type of the task.
    pub app: AppId,
    /// Whose it is.
    pub tenant: TenantId,
    /// What an answer is worth.
    pub price: Money,
    /// Until when.
    pub deadline: Time,
    /// How often a sign of life is wanted.
    pub heartbeat: Option<Span>,
}

/// What the server reacts to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happened {
    /// A worker has a task.
    Leased(Held),
    /// A worker learns.
    Training(WorkerId, AppId),
    /// An answer was judged.
    Judged {
        /// Of which task.
        task: TaskId,
        /// Whether it counts.
        verdict: Verdict,
        /// What is paid.
        pay: Money,
        /// The number of this fact.
        number: u64,
    },
    /// A job is over.
    Closed(JobId, Closing),
    /// A worker is gone.
    Departed(WorkerId, Departure),
}

/// What one group of commands came to.
#[derive(Default)]
pub struct Group {
    /// Its facts.
    pub facts: Frame,
    /// Blobs that change.
    pub changes: Vec<(Key, Option<Vec<u8>>)>,
    /// Answers, gathered by job.
    pub answers: AnswersOfGroup,
    /// What is let out when all that is durable.
    pub letters: Vec<Letter>,
    /// What happened, in order.
    pub happened: Vec<Happened>,
    /// How many works it has.
    pub works: u64,
    /// Whether workers were called for, came or went.
    pub staffing: bool,
    /// Whether the directory has changed.
    pub directory_changed: bool,
    /// Where the last change of a blob stands, of the changes up to `indexed`.
    places: HashMap<Key, usize>,
    indexed: usize,
}

impl Group {
    /// An empty one whose first fact will have this number.
    #[must_use]
    pub fn new(first: u64) -> Self {
        Self { facts: frame::start(first), ..Self::default() }
    }

    /// What this group has made of a blob; `None` if it has left it alone.
    pub fn changed(&mut self, key: &[u8]) -> Option<Option<&Vec<u8>>> {
        for place in self.indexed..self.changes.len() {
            self.places.insert(self.changes[place].0.clone(), place);
        }
        self.indexed = self.changes.len();
        self.places.get(key).map(|place| self.changes[*place].1.as_ref())
    }
}

/// Whether a fact says that workers are called for, have come or are gone.
#[must_use]
pub fn is_staffing(fact: &Fact) -> bool {
    use Decision::{Departed, Recruiting};
    matches!(fact.body, Body::Decision(Recruiting { .. } | Departed { .. }) | Body::Input(Input::Joined(..)))
}

/// The lease that a worker holds.
#[must_use]
pub fn held(state: &State, worker: WorkerId) -> Option<Held> {
    let lease = state.worker(worker)?.lease.as_ref()?;
    let job = state.job(lease.task.job)?;
    Some(Held {
        worker,
        task: lease.task,
        token: lease.token,
        app: job.app_of(lease.task.index),
        tenant: job.tenant,
        price: lease.price,
        deadline: lease.deadline,
        heartbeat: lease.heartbeat,
    })
}

/// Writes facts into a group.
pub(super) struct Scribe<'a>(pub(super) &'a mut Group);

impl Recorder for Scribe<'_> {
    fn record(&mut self, number: u64, fact: &Fact, state: &State) {
        debug_assert_eq!(number, self.0.facts.end(), "facts are recorded in order, each once");
        frame::push(&mut self.0.facts, fact);
        self.0.staffing |= is_staffing(fact);
        let Body::Decision(decision) = &fact.body else { return };
        let happened = match decision {
            Decision::Leased(grant) => held(state, grant.worker).map(Happened::Leased),
            Decision::TrainingStarted(worker, app) => Some(Happened::Training(*worker, *app)),
            Decision::Judged { task, verdict, pay, .. } => {
                Some(Happened::Judged { task: *task, verdict: *verdict, pay: *pay, number })
            }
            Decision::JobClosed { job, outcome, spent, .. } => {
                Some(Happened::Closed(*job, Closing { at: fact.at, outcome: *outcome, spent: *spent }))
            }
            Decision::Departed { worker, why, .. } => Some(Happened::Departed(*worker, *why)),
            _ => None,
        };
        self.0.happened.extend(happened);
    }
}
