//! What is said about a job: what is to be done, for whom and for how much.

use serde::{Deserialize, Serialize};

use crate::ids::{AppId, ClientId, KindId, TenantId};
use crate::money::Money;
use crate::time::Span;

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
