//! The work that comes: when, how much, for whom, and how long its end users wait.

use std::sync::Arc;

use muster_engine::Span;
use muster_engine::money::Money;
use muster_engine::spec::ClientSpec;

use super::Curve;
use crate::law::Law;

/// A stream of jobs of one tenant.
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// What it is called.
    pub name: String,
    /// Who submits and pays, by place.
    pub tenant: usize,
    /// What a job consists of.
    pub task: Task,
    /// When jobs come.
    pub arrivals: Arrivals,
    /// Nothing comes before this.
    pub from: Span,
    /// Nothing comes from this on.
    pub until: Span,
    /// Jobs that are there at the beginning.
    pub backlog: u32,
    /// How many answers each task needs.
    pub slots: u8,
    /// What a person gets for an answer.
    pub price: Money,
    /// The jobs' priority.
    pub priority: u32,
    /// What a job may cost.
    pub budget: Option<Money>,
    /// How long a task takes, as the submitter says.
    pub expected: Option<Span>,
    /// Whether end users give up, and when.
    pub giving_up: Option<GivingUp>,
    /// The clients for whom jobs are done, in turn: how many, and how patient.
    pub clients: Option<(u32, ClientSpec)>,
    /// How long each task of each job took, in seconds, where that is recorded; the app's law holds for the rest.
    pub works: Option<Arc<[Box<[f32]>]>>,
}

/// What a job consists of.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// So many tasks of an app (at least one), independent of each other.
    Batch {
        /// The app, by place.
        app: usize,
        /// How many tasks.
        size: Law,
    },
    /// Tasks that depend on each other.
    Workflow(Arc<[Step]>),
}

/// A task of a workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The app, by place.
    pub app: usize,
    /// The steps that must be done before it, by place.
    pub after: Vec<usize>,
}

/// When jobs come.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// One after the other, with gaps by a law of mean 1 divided by the rate of the moment: Poisson if it is exponential.
    Renewal {
        /// Gaps, with a mean of 1.
        gap: Law,
        /// Jobs per second, where the curve is 1.
        rate: f64,
        /// How the rate changes.
        curve: Option<Curve>,
    },
    /// At these times, in order, with so many tasks each (0: as the size says).
    Recorded(Arc<[(Span, u32)]>),
    /// So many clients submit a job, wait until it is done, think, and submit the next.
    Closed {
        /// How many.
        clients: u32,
        /// How long they think, in seconds.
        thinking: Law,
    },
    /// Only what is there at the beginning.
    None,
}

/// When end users give up: after so many seconds without anybody having begun their job.
#[derive(Clone, Debug, PartialEq)]
pub struct GivingUp {
    /// After how many seconds.
    pub after: Law,
}

impl Demand {
    /// A stream of jobs of one task each, with everything else as it is by default.
    #[must_use]
    pub fn of(name: &str, tenant: usize, app: usize, arrivals: Arrivals) -> Self {
        Self {
            name: name.to_owned(),
            tenant,
            task: Task::Batch { app, size: Law::Fixed(1.0) },
            arrivals,
            from: Span::ZERO,
            until: Span::MAX,
            backlog: 0,
            slots: 1,
            price: Money::ZERO,
            priority: 1,
            budget: None,
            expected: None,
            giving_up: None,
            clients: None,
            works: None,
        }
    }

    /// How long a task took, if that is recorded: the n-th job's, by place.
    #[must_use]
    pub fn recorded_work(&self, job: u64, task: u32) -> Option<f64> {
        let works = self.works.as_ref()?;
        works.get(usize::try_from(job).ok()?)?.get(task as usize).map(|work| f64::from(*work))
    }
}

impl Arrivals {
    /// Poisson with this rate per second.
    #[must_use]
    pub const fn poisson(rate: f64) -> Self {
        Self::Renewal { gap: Law::Exponential(1.0), rate, curve: None }
    }
}
