//! Workers: who is there, how they stand, and what they hold. Does not know why they got it.
//!
//! Invariant: a worker holds at most one lease, and holds one exactly when leased or draining.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::{AppId, JobId, KindId, PoolId, TaskId, TenantId, Token, WorkerId};
use crate::money::{Accrual, Money};
use crate::state::job::{Job, LaneRef};
use crate::table::{Named, Slot};
use crate::time::{Span, Time};

/// How a worker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Standing {
    /// Learns an app.
    Training,
    /// Waits for a task; a person is paid for it.
    Idle,
    /// Has a task.
    Leased,
    /// Is there, and has not asked for a task.
    Paused,
    /// Has a task, and goes when it is done.
    Draining,
    /// Is no longer there.
    Gone,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Training => "in training",
            Self::Idle => "idle",
            Self::Leased => "leased",
            Self::Paused => "paused",
            Self::Draining => "draining",
            Self::Gone => "gone",
        })
    }
}

/// A worker who is there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Worker {
    /// Its name.
    pub id: WorkerId,
    /// Its kind.
    pub kind: KindId,
    /// Where it is.
    pub pool: PoolId,
    /// How it stands.
    pub standing: Standing,
    /// Since when it stands so.
    pub since: Time,
    /// When it joined.
    pub joined: Time,
    /// When it was last heard of.
    pub heard: Time,
    /// What it holds.
    pub lease: Option<Lease>,
    /// What it learns.
    pub learning: Option<AppId>,
    /// What it has learned.
    pub trained: AppSet,
    /// How much it likes apps, by app.
    pub preferences: Vec<(AppId, f64)>,
    /// The job it last had a task of.
    pub last_job: Option<JobId>,
    /// The app it last had a task of.
    pub last_app: Option<AppId>,
    /// What it has earned by answers.
    pub earned: Money,
    /// What it has been paid for waiting and training.
    pub wages: Money,
    /// A machine's billing period ends then.
    pub billed_until: Option<Time>,
    /// Its place among those who wait: smaller waits longer.
    pub idle_seq: u64,
    /// Waiting and training not yet paid, without the stretch that runs since `since` or `paid_until`.
    pub(crate) unpaid: Unpaid,
    pub(crate) paid_until: Time,
    pub(crate) accrual: [Accrual; 2],
    /// Where to look for the next task of the lane it last had one of.
    #[serde(skip)]
    pub(crate) memo: Option<Memo>,
}

/// Time not yet paid.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Unpaid {
    pub(crate) waiting: Span,
    pub(crate) training: Span,
}

/// A slot in a worker's hands.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Lease {
    /// The fencing token.
    pub token: Token,
    /// What is to be done.
    pub task: TaskId,
    /// Since when.
    pub granted: Time,
    /// Until when, if signs of life keep coming.
    pub deadline: Time,
    /// How long without a sign of life, at most.
    pub heartbeat: Option<Span>,
    /// What is set aside for the answer.
    pub price: Money,
    /// How long it should take; zero if nothing was known.
    pub expected: Span,
    #[serde(skip)]
    pub(crate) at: LeaseAt,
}

/// Where the lease's task is kept. Found anew after a restart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeaseAt(pub(crate) LaneRef);

impl Default for LeaseAt {
    fn default() -> Self {
        Self(LaneRef { job: Slot::<Job>::default(), lane: 0 })
    }
}

/// A lease that ran out, whose answer may still come, also from one who is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Expired {
    pub(crate) worker: WorkerId,
    pub(crate) kind: KindId,
    pub(crate) task: TaskId,
    pub(crate) tenant: TenantId,
    pub(crate) price: Money,
    pub(crate) app: AppId,
    pub(crate) granted: Time,
}

/// So many expired leases are remembered; an answer to an older one is refused.
pub(crate) const EXPIRED_MOST: usize = 65_536;

/// All tasks before `from` of this lane's front are known not to be for this worker, as long as no task came back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memo {
    pub(crate) job: JobId,
    pub(crate) lane: u16,
    pub(crate) reopens: u32,
    pub(crate) from: u32,
}

impl Worker {
    /// How much the worker likes an app: 0 if it has not said.
    #[must_use]
    pub fn preference(&self, app: AppId) -> f64 {
        self.preferences.iter().find(|(known, _)| *known == app).map_or(0.0, |(_, liking)| *liking)
    }

    /// When the lease runs out if nothing is heard.
    #[must_use]
    pub fn lease_ends(&self) -> Option<Time> {
        let lease = self.lease.as_ref()?;
        let silent = lease.heartbeat.map_or(Time::MAX, |span| self.heard + span);
        Some(lease.deadline.min(silent))
    }
}

impl Named for Worker {
    type Id = WorkerId;
    fn id(&self) -> WorkerId {
        self.id
    }
}

/// A set of apps; small numbers take no memory of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppSet {
    low: u64,
    high: Vec<u64>,
}

impl AppSet {
    /// Whether `app` is in the set.
    #[must_use]
    pub fn contains(&self, app: AppId) -> bool {
        let bit = 1 << (app.0 % 64);
        match app.0 / 64 {
            0 => self.low & bit != 0,
            word => self.high.get(word as usize - 1).is_some_and(|bits| bits & bit != 0),
        }
    }

    /// Adds `app`.
    pub fn insert(&mut self, app: AppId) {
        let bit = 1 << (app.0 % 64);
        match app.0 / 64 {
            0 => self.low |= bit,
            word => {
                let word = word as usize - 1;
                if self.high.len() <= word {
                    self.high.resize(word + 1, 0);
                }
                self.high[word] |= bit;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn app_sets_hold_small_and_large_numbers() {
        let mut set = AppSet::default();
        for app in [0, 63, 64, 200] {
            assert!(!set.contains(AppId(app)));
            set.insert(AppId(app));
            assert!(set.contains(AppId(app)));
        }
        assert!(!set.contains(AppId(199)));
        assert!(!set.contains(AppId(100_000)));
    }
}
