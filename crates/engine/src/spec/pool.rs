//! What is said about a pool: whom it serves, who pays, how it is run.

use serde::{Deserialize, Serialize};

use crate::ids::{AppId, TenantId};
use crate::policy::Family;
use crate::policy::settings::PolicySpec;
use crate::time::Span;

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
    /// What the size should achieve.
    pub aim: Aim,
    /// The mean time a task takes until the pool has seen completions of its own.
    pub service_prior: Option<Span>,
    /// If given, workers who leave while others are being recruited, which takes so long on average, are added; the
    /// recommendation then counts workers on their way.
    pub recruitment_delay: Option<Span>,
    /// No recommendation above this.
    pub size_most: u32,
}

/// What a recommended size should achieve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Aim {
    /// Waiting (in seconds) and cost together are least, as in the Cioppino paper.
    Objective {
        /// How much waiting weighs against cost, from 0 (cost alone) to 1 (waiting alone).
        eta: f64,
        /// What a waiting worker costs per second, in the currency's unit.
        cost_per_second: f64,
        /// Whether the cost counts idle workers (`c - a`) or follows the paper as printed (`c - E[L]`).
        cost_of_idle: bool,
    },
    /// The mean wait is at most this.
    Wait(Span),
    /// At least this share begins within this time.
    Within(Span, f64),
    /// Workers are busy for at most this share of their time.
    Occupancy(f64),
    /// Waiting and workers together cost least.
    Money {
        /// What a minute less of waiting is worth, in the currency's unit.
        waiting_minute: f64,
        /// What a worker costs per hour, in the currency's unit.
        worker_hour: f64,
    },
}

impl Default for Recommend {
    fn default() -> Self {
        let aim = Aim::Objective { eta: 0.5, cost_per_second: 0.05 / 60.0, cost_of_idle: true };
        Self { aim, service_prior: None, recruitment_delay: None, size_most: 100_000 }
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

impl PoolPolicies {
    /// The policy of one family.
    pub(crate) fn of(&mut self, family: Family) -> &mut PolicySpec {
        match family {
            Family::Dispatch => &mut self.dispatch,
            Family::Matching => &mut self.matching,
            Family::Scaling => &mut self.scaling,
            Family::Replacement => &mut self.replacement,
            Family::Balance => unreachable!("a pool has no balance policy of its own"),
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
