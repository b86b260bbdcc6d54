//! Why a command is not accepted: exact reasons, as values. A refused command changes nothing and is no fact.

use std::fmt;

use crate::ids::{AppId, ClientId, JobId, KindId, PoolId, RecruitId, TenantId, Token, WorkerId};
use crate::policy::settings::SettingError;
use crate::state::worker::Standing;
use crate::time::Time;

/// Why not.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// Time would go back.
    TimeWentBack {
        /// The time given.
        now: Time,
        /// The time of the last fact.
        last: Time,
    },
    /// The engine was rebuilt, and what became of its policies must be said first.
    MustResume,
    /// No such tenant.
    UnknownTenant(TenantId),
    /// No such app.
    UnknownApp(AppId),
    /// No such kind.
    UnknownKind(KindId),
    /// No such pool.
    UnknownPool(PoolId),
    /// No such client.
    UnknownClient(ClientId),
    /// No such job, or it is closed.
    UnknownJob(JobId),
    /// No such worker, or the worker has left.
    UnknownWorker(WorkerId),
    /// No such recruit order, or all of it has come.
    UnknownRecruit(RecruitId),
    /// The worker never had this lease, or has used it up.
    UnknownLease(WorkerId, Token),
    /// A value that is not allowed.
    Field {
        /// Where it stands.
        field: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        allowed: String,
    },
    /// No pool serves this app for this tenant.
    NoPool(TenantId, AppId),
    /// Two pools would serve the same tasks.
    ServedTwice {
        /// The app.
        app: AppId,
        /// The pool that serves it already.
        pool: PoolId,
    },
    /// Tasks that wait for each other, one of them named.
    Cycle {
        /// A task on the cycle.
        task: u32,
    },
    /// A task waits for one that does not exist.
    UnknownParent {
        /// The task.
        task: u32,
        /// What it waits for.
        parent: u32,
    },
    /// A task waits for another twice.
    DuplicateParent {
        /// The task.
        task: u32,
        /// What it waits for.
        parent: u32,
    },
    /// The worker cannot do that as things stand.
    Standing {
        /// Who.
        worker: WorkerId,
        /// How things stand.
        standing: Standing,
        /// What was wanted.
        wanted: &'static str,
    },
    /// The client has work in progress.
    ClientWaits(ClientId),
    /// A policy does not exist, or its settings are wrong.
    Policy(SettingError),
    /// There is no room for so many workers of a kind.
    NoRoom {
        /// The kind.
        kind: KindId,
        /// For how many there is room.
        room: u32,
    },
    /// What the machines would cost does not fit the payer's budget.
    OverBudget {
        /// Who pays.
        tenant: TenantId,
        /// What is left, in micro-units.
        left: i64,
        /// What is needed, in micro-units.
        needed: i64,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeWentBack { now, last } => write!(f, "time cannot go back from {last} to {now}"),
            Self::MustResume => f.write_str("policies have started anew since; resume first"),
            Self::UnknownTenant(id) => write!(f, "there is no {id}"),
            Self::UnknownApp(id) => write!(f, "there is no {id}"),
            Self::UnknownKind(id) => write!(f, "there is no {id}"),
            Self::UnknownPool(id) => write!(f, "there is no {id}"),
            Self::UnknownClient(id) => write!(f, "there is no {id}"),
            Self::UnknownJob(id) => write!(f, "there is no {id}, or it is closed"),
            Self::UnknownWorker(id) => write!(f, "there is no {id}, or the worker has left"),
            Self::UnknownRecruit(id) => write!(f, "there is no {id}, or all of it has come"),
            Self::UnknownLease(worker, token) => {
                write!(f, "{worker} does not hold {token}; it may have been answered or returned already")
            }
            Self::Field { field, value, allowed } => write!(f, "{field} is {value}; allowed is {allowed}"),
            Self::NoPool(tenant, app) => write!(f, "no pool serves {app} for {tenant}"),
            Self::ServedTwice { app, pool } => write!(f, "{app} is served by {pool} already"),
            Self::Cycle { task } => write!(f, "task {task} waits for itself, by way of its parents"),
            Self::UnknownParent { task, parent } => {
                write!(f, "task {task} waits for task {parent}, which does not exist")
            }
            Self::DuplicateParent { task, parent } => {
                write!(f, "task {task} names its parent {parent} twice")
            }
            Self::Standing { worker, standing, wanted } => {
                write!(f, "{worker} is {standing} and cannot {wanted}")
            }
            Self::ClientWaits(id) => write!(f, "{id} still waits for work in progress"),
            Self::Policy(error) => error.fmt(f),
            Self::NoRoom { kind, room } => {
                write!(f, "there is room for {room} more of {kind}, not for so many")
            }
            Self::OverBudget { tenant, left, needed } => write!(
                f,
                "{tenant} has {} left in this interval, and {} would be needed",
                crate::money::Money(*left),
                crate::money::Money(*needed)
            ),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<SettingError> for Refusal {
    fn from(error: SettingError) -> Self {
        Self::Policy(error)
    }
}

/// Refuses a value outside its bounds.
pub(crate) fn field<T: fmt::Display>(
    ok: bool,
    field: &'static str,
    value: T,
    allowed: impl fmt::Display,
) -> Result<(), Refusal> {
    if ok {
        Ok(())
    } else {
        Err(Refusal::Field { field, value: value.to_string(), allowed: allowed.to_string() })
    }
}
