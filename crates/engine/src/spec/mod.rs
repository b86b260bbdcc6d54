//! What the outside says about tenants, apps, kinds, pools, clients, jobs and workers.
//!
//! Plain descriptions as they stand in facts; what lives because of them is in `state`. The engine checks them when they
//! come and refuses what is wrong (see `handle`).

mod job;
mod pool;

use serde::{Deserialize, Serialize};

use crate::ids::{AppId, KindId, PoolId, RecruitId};
use crate::money::Money;
use crate::time::Span;

pub use job::{Estimates, FlowTask, JobSpec, Work};
pub use pool::{Aim, Payer, PoolPolicies, PoolSpec, Recommend};

/// Weights and priorities go from 1 to this. Up to here, running slots divided by weight compare exactly as
/// floating-point numbers (see `policy::dispatch::share`).
pub const WEIGHT_MOST: u32 = 1_000_000;
/// The most answers a task may ask for.
pub const SLOTS_MOST: u8 = 100;

/// So much money per interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// What may be spent in an interval.
    pub amount: Money,
    /// How long an interval is.
    pub every: Span,
}

/// A tenant: who submits and pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TenantSpec {
    /// Its share against other tenants' under policies that use weights.
    pub weight: u32,
    /// What it may spend; `None` is no limit.
    pub budget: Option<Budget>,
}

impl Default for TenantSpec {
    fn default() -> Self {
        Self { weight: 1, budget: None }
    }
}

/// How long a lease may last.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LeaseLength {
    /// Always this long.
    Fixed(Span),
    /// Learned from completions: `factor` times their 95th percentile, between `least` and `most`.
    /// Until 20 have been seen: `most`.
    Learned {
        /// Times the 95th percentile.
        factor: f64,
        /// Never shorter.
        least: Span,
        /// Never longer.
        most: Span,
    },
}

/// Whether an answer that came after its lease had expired is paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LatePay {
    /// If it filled its slot after all.
    #[default]
    IfCounted,
    /// In any case.
    Always,
    /// Never.
    Never,
}

/// An app: a type of task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppSpec {
    /// How long learning it takes, on average; zero means that anybody can do it at once.
    pub training: Span,
    /// How long a lease may last.
    pub lease: LeaseLength,
    /// A lease is also lost after so long without a sign of life from the worker; `None` asks for none.
    pub heartbeat: Option<Span>,
    /// How long a task takes, as far as it is known beforehand; completions refine it.
    pub expected: Option<Span>,
    /// Whether late answers are paid.
    pub late_pay: LatePay,
}

impl Default for AppSpec {
    fn default() -> Self {
        Self {
            training: Span::ZERO,
            lease: LeaseLength::Fixed(Span::from_mins(30)),
            heartbeat: None,
            expected: None,
            late_pay: LatePay::default(),
        }
    }
}

/// What a worker of a kind is, and how it is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// A person: gets the job's price for an answer, and a wage while waiting and training.
    Person {
        /// Per hour of waiting for a task.
        wage_waiting: Money,
        /// Per hour of training.
        wage_training: Money,
    },
    /// A machine: costs so much for every billing period begun, whatever it does.
    Machine {
        /// How long a billing period is.
        period: Span,
        /// What it costs, due when it begins.
        cost: Money,
    },
}

/// A kind of worker.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindSpec {
    /// Person or machine, and what it costs.
    pub role: Role,
    /// Work done per unit of time, against 1 for the kind that estimates are made for.
    pub speed: f64,
    /// How long it takes from the order until it is there.
    pub boot: Span,
    /// There are no more of it than this, in all pools together; `None` is no limit.
    pub most: Option<u32>,
}

impl KindSpec {
    /// A person with this wage per hour of waiting, and the same for training.
    #[must_use]
    pub const fn person(wage: Money) -> Self {
        Self::of(Role::Person { wage_waiting: wage, wage_training: wage })
    }

    /// A machine that costs `cost` per `period`.
    #[must_use]
    pub const fn machine(cost: Money, period: Span) -> Self {
        Self::of(Role::Machine { period, cost })
    }

    const fn of(role: Role) -> Self {
        Self { role, speed: 1.0, boot: Span::ZERO, most: None }
    }
}

/// How patient a client is: the parameters of the patience model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClientSpec {
    /// Weight of the past when an answer came sooner than expected.
    pub alpha_gain: f64,
    /// Weight of the past when it came later (or just as expected).
    pub alpha_loss: f64,
    /// Below this patience the client is unhappy.
    pub threshold: f64,
    /// Patience to begin with.
    pub patience: f64,
    /// How many times the ideal response time the client finds right.
    pub tolerance: f64,
    /// The response time of an empty system.
    pub ideal: Span,
}

impl Default for ClientSpec {
    fn default() -> Self {
        Self {
            alpha_gain: 0.2,
            alpha_loss: 0.1,
            threshold: 0.5,
            patience: 0.9,
            tolerance: 1.0,
            ideal: Span::from_secs(10),
        }
    }
}

/// A worker who joins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerSpec {
    /// Where.
    pub pool: PoolId,
    /// Of which kind.
    pub kind: KindId,
    /// What the worker has learned already.
    pub trained: Vec<AppId>,
    /// How much the worker likes an app, from 0 to 1; apps not named count 0.
    pub preferences: Vec<(AppId, f64)>,
    /// The order that brought the worker, if one did.
    pub recruit: Option<RecruitId>,
}

impl WorkerSpec {
    /// A worker with everything else as it is by default.
    #[must_use]
    pub const fn of(pool: PoolId, kind: KindId) -> Self {
        Self { pool, kind, trained: Vec::new(), preferences: Vec::new(), recruit: None }
    }
}
