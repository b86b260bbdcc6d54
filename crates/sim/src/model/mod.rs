//! What a simulation is told: the demand, the crowd, the pools and the policies, resolved to numbers and ids.
//!
//! Plain descriptions; how they are written in a scenario file is in `scenario`, what becomes of them in `drive`. Ids are
//! places in these lists: app 2 is `apps[2]`. Start at [`Scenario`].

mod crowd;
mod curve;
mod demand;
mod pool;

use muster_engine::Span;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{AppSpec, TenantSpec};

use crate::law::Law;

pub use crowd::{Kind, Leaving, Likes, Pausing, Recruiting, Returning, Skipping, Staying};
pub use curve::{Curve, CurveError};
pub use demand::{Arrivals, Demand, GivingUp, Step, Task};
pub use pool::{Pool, Shift};

/// One question to the future: a plan of how to ask it, and the variants to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What it is called.
    pub name: String,
    /// What it is about, in a few sentences.
    pub about: String,
    /// The currency of all money in it, as in `USD`.
    pub currency: String,
    /// How long and how often.
    pub plan: Plan,
    /// What to compare; the first is what the others are compared with.
    pub variants: Vec<Variant>,
}

/// How long and how often a scenario is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// When the run ends.
    pub horizon: Horizon,
    /// Nothing before this is measured.
    pub warm_up: Span,
    /// How many independent runs.
    pub replications: Replications,
    /// What all chance begins with.
    pub seed: u64,
    /// How many points a curve over time has.
    pub points: u32,
}

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// At this time; what waits then is counted as waiting.
    Time(Span),
    /// Demand ends at this time, and the run when all work is done.
    Drain(Span),
    /// Demand ends after so many jobs, and the run when all work is done.
    Jobs(u64),
}

/// How many independent runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Replications {
    /// So many.
    Fixed(u32),
    /// Until the 95 % interval of a measure is so narrow in every variant.
    Until {
        /// The measure.
        measure: crate::measure::Measure,
        /// Half the interval's width as a share of the mean.
        within: f64,
        /// No fewer than this.
        least: u32,
        /// No more than this.
        most: u32,
    },
}

impl Replications {
    /// The most runs there will be.
    #[must_use]
    pub const fn most(&self) -> u32 {
        match self {
            Self::Fixed(n) | Self::Until { most: n, .. } => *n,
        }
    }
}

/// One of the alternatives that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// What it is called.
    pub name: String,
    /// What is simulated.
    pub setup: Setup,
}

/// Everything that is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Who submits and pays.
    pub tenants: Vec<Tenant>,
    /// The types of task.
    pub apps: Vec<App>,
    /// The kinds of worker, and how they behave.
    pub kinds: Vec<Kind>,
    /// The pools.
    pub pools: Vec<Pool>,
    /// The work that comes.
    pub demands: Vec<Demand>,
    /// Who moves between pools.
    pub balance: PolicySpec,
}

/// A tenant.
#[derive(Clone, Debug, PartialEq)]
pub struct Tenant {
    /// What it is called.
    pub name: String,
    /// What the engine is told.
    pub spec: TenantSpec,
}

/// A type of task.
#[derive(Clone, Debug, PartialEq)]
pub struct App {
    /// What it is called.
    pub name: String,
    /// What the engine is told. Its `training` is the mean; what learning really takes is drawn.
    pub spec: AppSpec,
    /// How long a task takes somebody of speed 1, in seconds.
    pub work: Law,
    /// The same for particular kinds, by place.
    pub work_of: Vec<(usize, Law)>,
    /// How long learning takes, in seconds.
    pub training: Law,
    /// Whether practice makes faster.
    pub practice: Option<Practice>,
    /// What changing to this app from another costs each time, in seconds.
    pub switch_app: Law,
    /// What changing to another job of the same app costs, in seconds.
    pub switch_job: Law,
}

impl App {
    /// An app whose tasks take so long, with everything else as it is by default.
    #[must_use]
    pub fn new(name: &str, work: Law) -> Self {
        let never = Law::Fixed(0.0);
        Self {
            name: name.to_owned(),
            spec: AppSpec::default(),
            work,
            work_of: Vec::new(),
            training: never.clone(),
            practice: None,
            switch_app: never.clone(),
            switch_job: never,
        }
    }

    /// How long a task takes somebody of this kind (and speed 1).
    #[must_use]
    #[inline]
    pub fn work_for(&self, kind: usize) -> &Law {
        if self.work_of.is_empty() {
            return &self.work;
        }
        self.work_of.iter().find(|(of, _)| *of == kind).map_or(&self.work, |(_, law)| law)
    }
}

/// Learning by doing: the first task of an app takes `first` times as long as usual, and each doubling of the tasks done
/// takes `rate` of what is left over usual away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Practice {
    /// How many times as long the first task takes.
    pub first: f64,
    /// How much of the excess is left after each doubling, from 0 to 1.
    pub rate: f64,
}

impl Practice {
    /// How many times as long as usual a task takes after so many of them.
    #[must_use]
    pub fn factor(&self, done: u32) -> f64 {
        let doublings = libm::log2(f64::from(done) + 1.0);
        1.0 + (self.first - 1.0) * libm::pow(self.rate, doublings)
    }
}

impl Setup {
    /// An empty set-up, to be filled.
    #[must_use]
    pub fn new() -> Self {
        Self {
            tenants: Vec::new(),
            apps: Vec::new(),
            kinds: Vec::new(),
            pools: Vec::new(),
            demands: Vec::new(),
            balance: PolicySpec::named("none"),
        }
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self::new()
    }
}

impl Tenant {
    /// A tenant of weight 1 without a budget.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), spec: TenantSpec::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn practice_takes_the_excess_away_by_doublings() {
        let practice = Practice { first: 2.0, rate: 0.5 };
        let factors: Vec<f64> = [0, 1, 3, 7].map(|done| practice.factor(done)).to_vec();
        assert_eq!(factors, [2.0, 1.5, 1.25, 1.125]);
    }
}
