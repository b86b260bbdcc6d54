//! What the outside says about tenants, apps, kinds, pools, clients, jobs and workers.
//!
//! Plain descriptions as they stand in facts; what lives because of them is in `state`. Each can check itself
//! (see [`crate::refusal`]); the engine refuses what does not pass.

use serde::{Deserialize, Serialize};

use crate::ids::{AppId, ClientId, KindId, PoolId, RecruitId, TenantId};
use crate::money::Money;
use crate::policy::settings::PolicySpec;
use crate::time::Span;

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
        price: Money,
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
}

impl KindSpec {
    /// A person with this wage per hour of waiting, and the same for training.
    #[must_use]
    pub const fn person(wage: Money) -> Self {
        Self { role: Role::Person { wage_waiting: wage, wage_training: wage }, speed: 1.0, boot: Span::ZERO }
    }

    /// A machine that costs `price` per `period`.
    #[must_use]
    pub const fn machine(price: Money, period: Span) -> Self {
        Self { role: Role::Machine { period, price }, speed: 1.0, boot: Span::ZERO }
    }
}

/// Who pays for waiting, training and machines in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Payer {
    /// This tenant.
    Tenant(TenantId),
    /// The tenants whose tasks the pool's workers did, each by its share of the worker-time of the interval.
    Shared,
}

/// How the recommended size of a pool is found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recommend {
    /// How much waiting weighs against cost, from 0 (cost alone) to 1 (waiting alone).
    pub eta: f64,
    /// What a waiting worker costs per second, in the currency's unit.
    pub cost_per_second: f64,
    /// Whether the cost counts idle workers (`c - a`) or follows the paper as printed (`c - E[L]`).
    pub cost_of_idle: bool,
    /// The mean time a task takes until the pool has seen completions of its own.
    pub service_prior: Option<Span>,
    /// No recommendation above this.
    pub size_most: u32,
}

impl Default for Recommend {
    fn default() -> Self {
        Self {
            eta: 0.5,
            cost_per_second: 0.05 / 60.0,
            cost_of_idle: true,
            service_prior: None,
            size_most: 100_000,
        }
    }
}

/// A pool: the apps it serves and how it is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoolSpec {
    /// What its workers do.
    pub apps: Vec<AppId>,
    /// Only this tenant's tasks, if given. Such a pool goes before one for all tenants.
    pub tenant: Option<TenantId>,
    /// Who pays for what is not a task's price.
    pub payer: Payer,
    /// How often waiting and training are paid and charged.
    pub settle_every: Span,
    /// Over how long rates are measured.
    pub window: Span,
    /// A worker not heard of for so long has left; `None` trusts the driver to say so.
    pub presence: Option<Span>,
    /// A recruit that has not come so long after the order (and its kind's boot time) is lost.
    pub recruit_within: Span,
    /// Whether workers may be moved out of and into this pool.
    pub balanced: bool,
    /// How the recommended size is found.
    pub recommend: Recommend,
    /// Which policies it starts with.
    pub policies: PoolPolicies,
}

/// The policies of a pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoolPolicies {
    /// Which slot does this worker get?
    pub dispatch: PolicySpec,
    /// Which idle worker gets an arriving task?
    pub matching: PolicySpec,
    /// How many workers, of which kind?
    pub scaling: PolicySpec,
    /// How do we make up for people who leave?
    pub replacement: PolicySpec,
}

impl Default for PoolPolicies {
    fn default() -> Self {
        Self {
            dispatch: PolicySpec::named("fifo"),
            matching: PolicySpec::named("longest-waiting"),
            scaling: PolicySpec::named("static"),
            replacement: PolicySpec::named("none"),
        }
    }
}

impl PoolSpec {
    /// A pool for these apps with everything else as it is by default.
    #[must_use]
    pub fn serving(apps: &[AppId]) -> Self {
        Self {
            apps: apps.to_vec(),
            tenant: None,
            payer: Payer::Shared,
            settle_every: Span::from_mins(15),
            window: Span::from_mins(5),
            presence: None,
            recruit_within: Span::from_mins(10),
            balanced: true,
            recommend: Recommend::default(),
            policies: PoolPolicies::default(),
        }
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

/// How long tasks take, as far as the submitter knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Estimates {
    /// Not said.
    #[default]
    None,
    /// One per task, for a worker of speed 1.
    PerTask(Vec<Span>),
    /// For each task one per kind of `kinds`, task by task.
    PerTaskAndKind {
        /// The kinds, in the order of the columns.
        kinds: Vec<KindId>,
        /// Row after row.
        spans: Vec<Span>,
    },
}

/// A task of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowTask {
    /// Its type.
    pub app: AppId,
    /// The places of the tasks that must be done before it.
    pub parents: Vec<u32>,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// Tasks that do not depend on each other.
    Batch {
        /// Their type.
        app: AppId,
        /// How many.
        tasks: u32,
    },
    /// Tasks that do.
    Workflow(Vec<FlowTask>),
}

impl Work {
    /// How many tasks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Batch { tasks, .. } => *tasks as usize,
            Self::Workflow(tasks) => tasks.len(),
        }
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A job: what a tenant submits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobSpec {
    /// Who submits and pays.
    pub tenant: TenantId,
    /// What is to be done.
    pub work: Work,
    /// Its share against the tenant's other jobs, under policies that use priorities.
    pub priority: u32,
    /// What a person gets for an answer that counts.
    pub price: Money,
    /// How many answers each task needs, from different workers.
    pub slots: u8,
    /// What the whole job may cost; `None` leaves it to the tenant's budget.
    pub budget: Option<Money>,
    /// For whom it is done.
    pub client: Option<ClientId>,
    /// How long a task takes, if the submitter knows; else the app's figure holds.
    pub expected: Option<Span>,
    /// More exactly, task by task.
    pub estimates: Estimates,
}

impl JobSpec {
    /// A batch with everything else as it is by default.
    #[must_use]
    pub fn batch(tenant: TenantId, app: AppId, tasks: u32) -> Self {
        Self::of(tenant, Work::Batch { app, tasks })
    }

    /// A workflow with everything else as it is by default.
    #[must_use]
    pub fn workflow(tenant: TenantId, tasks: Vec<FlowTask>) -> Self {
        Self::of(tenant, Work::Workflow(tasks))
    }

    fn of(tenant: TenantId, work: Work) -> Self {
        Self {
            tenant,
            work,
            priority: 1,
            price: Money::ZERO,
            slots: 1,
            budget: None,
            client: None,
            expected: None,
            estimates: Estimates::None,
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
