//! Policies: five questions, each with several answers, one file per answer.
//!
//! A policy sees a view and returns a choice. It owns its index and its memory; both change only in `note`, which is called
//! when a fact is applied, never when a choice is made. What is not to be seen from the pool (concessions made, sums of
//! errors) is its memory, and is kept in snapshots. Start at [`dispatch::Dispatch`], [`matching::Matching`] and
//! [`Controller`]; [`Registry`] knows them all by name.

pub mod balance;
pub mod dispatch;
pub mod matching;
pub mod replacement;
pub mod rule;
pub mod scaling;
pub mod settings;

use serde::{Deserialize, Serialize};

use crate::fact::{Assessment, Outcome, PlanEntry, Why};
use crate::ids::{JobId, KindId, PoolId, TenantId, WorkerId};
use crate::random::Draws;
use crate::state::job::LaneRef;
use crate::state::worker::Worker;
use crate::table::Slot;
use crate::time::{Span, Time};
use crate::view::View;

use dispatch::Dispatch;
use matching::Matching;
use settings::{PolicySpec, Setting, SettingError};

/// A question that policies answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Family {
    /// Which slot does this worker get?
    Dispatch,
    /// Which idle worker gets an arriving task?
    Matching,
    /// How many workers, of which kind?
    Scaling,
    /// How do we make up for people who leave?
    Replacement,
    /// Should idle workers move to another pool?
    Balance,
}

impl Family {
    /// Its name in scenario files, API and pages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dispatch => "dispatch",
            Self::Matching => "matching",
            Self::Scaling => "scaling",
            Self::Replacement => "replacement",
            Self::Balance => "balance",
        }
    }
}

/// Something that changed in a pool, for the dispatch and matching policies there.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Where.
    pub pool: PoolId,
    /// What.
    pub what: What,
}

/// What changed.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// A lane has open work, and money for it.
    Listed(LaneRef),
    /// A lane has no longer both.
    Unlisted(LaneRef),
    /// A listed lane has more or less open work than before, other than by a lease.
    Resized(LaneRef),
    /// A slot went to a worker.
    Leased {
        /// Of which lane.
        lane: LaneRef,
        /// Whose.
        tenant: TenantId,
        /// To whom.
        worker: Slot<Worker>,
        /// How long it should take; zero if nothing is known.
        expected: Span,
        /// What the policy decided beyond the obvious.
        why: Why,
    },
    /// A lease is over.
    Ended {
        /// Of which lane.
        lane: LaneRef,
        /// Whose.
        tenant: TenantId,
        /// Who held it; may be gone.
        worker: WorkerId,
        /// Whether the worker does not want the task or job.
        skipped: bool,
        /// When it was given.
        granted: Time,
        /// How long it was held.
        held: Span,
        /// How long it should have taken.
        expected: Span,
    },
    /// A job is over; its lanes are gone.
    JobClosed {
        /// Which.
        job: JobId,
        /// Whose.
        tenant: TenantId,
        /// How it ended.
        outcome: Outcome,
        /// How long it took from its submission.
        response: Span,
    },
    /// A job has another priority.
    Reweighted(JobId),
    /// Settings of tenants, jobs, apps or the pool are others: look anew.
    Changed,
    /// A worker has come to the pool.
    Joined(Slot<Worker>),
    /// A worker waits for a task.
    Idle(Slot<Worker>),
    /// A worker does so no longer.
    NotIdle {
        /// Who; may be gone.
        worker: Slot<Worker>,
        /// Its place among those who waited.
        seq: u64,
    },
}

/// What a policy that looks at a pool from time to time wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Call for workers.
    Recruit {
        /// Of which kind.
        kind: KindId,
        /// How many.
        n: u32,
    },
    /// Let a worker go; a busy one drains.
    Release(WorkerId),
    /// Send a worker to another pool.
    Move(WorkerId, PoolId),
    /// Do these tasks there and then; replaces the plan before.
    Plan(Vec<PlanEntry>),
}

/// What such a policy concludes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// What it saw and concluded, for the log and for its own memory.
    pub assessment: Assessment,
    /// What it wants done, in this order.
    pub orders: Vec<Order>,
}

/// A policy that looks from time to time and gives orders: scaling, replacement and balance.
pub trait Controller: std::fmt::Debug + Send {
    /// How often it wants to look; `None` is never.
    fn every(&self) -> Option<Span>;

    /// Looks at the pool and concludes. A balance policy looks at all pools of the state; its view is of no one pool, so it
    /// must not ask for `view.pool()`.
    fn advise(&self, view: View<'_>, draws: &mut Draws) -> Advice;

    /// What was concluded is a fact now: remember it.
    fn note(&mut self, assessment: &Assessment, view: View<'_>);

    /// Whether its orders contain plans, for `planned` to follow.
    fn plans(&self) -> bool {
        false
    }

    /// What it remembers, always the same bytes for the same memory.
    fn memory(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// With what a policy starts: when it is first used, switched to, or rebuilt.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Its name and settings.
    pub spec: &'a PolicySpec,
    /// The pool as it is: the policy builds its index from it.
    pub view: View<'a>,
    /// What it remembered when it was last written down; `None` if it starts anew.
    pub memory: Option<&'a [u8]>,
}

impl Start<'_> {
    /// Reads the memory written with `postcard`; `None` if the policy starts anew.
    pub fn recall<T: serde::de::DeserializeOwned>(&self) -> Result<Option<T>, SettingError> {
        let decode = |bytes| {
            postcard::from_bytes(bytes).map_err(|_| SettingError::Needs {
                policy: self.spec.name.clone(),
                needs: "a memory that it can read".to_owned(),
            })
        };
        self.memory.map(decode).transpose()
    }
}

/// A memory as bytes.
pub fn remember<T: Serialize>(memory: &T) -> Vec<u8> {
    postcard::to_allocvec(memory).expect("memories are plain data")
}

/// A policy that can be named: one line in a table.
#[derive(Debug)]
pub struct Entry<T: ?Sized> {
    /// Its name, as a person writes it.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What can be set.
    pub settings: &'static [Setting],
    /// Changes when an older memory no longer fits.
    pub version: u16,
    /// Starts it.
    pub start: fn(Start<'_>) -> Result<Box<T>, SettingError>,
}

impl<T: ?Sized> Clone for Entry<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: ?Sized> Copy for Entry<T> {}

/// All policies by name. Researchers may add their own.
#[derive(Clone, Debug)]
pub struct Registry {
    /// Which slot does this worker get?
    pub dispatch: Vec<Entry<dyn Dispatch>>,
    /// Which idle worker gets an arriving task?
    pub matching: Vec<Entry<dyn Matching>>,
    /// How many workers, of which kind?
    pub scaling: Vec<Entry<dyn Controller>>,
    /// How do we make up for people who leave?
    pub replacement: Vec<Entry<dyn Controller>>,
    /// Should idle workers move to another pool?
    pub balance: Vec<Entry<dyn Controller>>,
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            dispatch: dispatch::ALL.to_vec(),
            matching: matching::ALL.to_vec(),
            scaling: scaling::ALL.to_vec(),
            replacement: replacement::ALL.to_vec(),
            balance: balance::ALL.to_vec(),
        }
    }
}

impl Registry {
    /// The names, sentences and settings of a family's policies.
    #[must_use]
    pub fn describe(&self, family: Family) -> Vec<(&'static str, &'static str, &'static [Setting])> {
        fn rows<T: ?Sized>(entries: &[Entry<T>]) -> Vec<(&'static str, &'static str, &'static [Setting])> {
            entries.iter().map(|entry| (entry.name, entry.about, entry.settings)).collect()
        }
        match family {
            Family::Dispatch => rows(&self.dispatch),
            Family::Matching => rows(&self.matching),
            Family::Scaling => rows(&self.scaling),
            Family::Replacement => rows(&self.replacement),
            Family::Balance => rows(&self.balance),
        }
    }
}

/// The policy of a name.
pub(crate) fn find<T: ?Sized>(
    entries: &[Entry<T>],
    family: Family,
    spec: &PolicySpec,
) -> Result<Entry<T>, SettingError> {
    entries.iter().find(|entry| entry.name == spec.name).copied().ok_or_else(|| SettingError::UnknownPolicy {
        family: family.name(),
        name: spec.name.clone(),
        known: entries.iter().map(|entry| entry.name.to_owned()).collect(),
    })
}
