//! Tenants and clients: who pays, and for whom the work is done.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::formula::patience::{Temper, quality};
use crate::ids::JobId;
use crate::money::Money;
use crate::spec::{Budget, ClientSpec};
use crate::time::{Span, Time};

/// A tenant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tenant {
    /// Its share against other tenants'.
    pub weight: u32,
    /// What it may spend in this interval.
    pub budget: Option<Budget>,
    /// What it may spend from the next interval on, if that is another amount.
    pub budget_next: Option<Option<Budget>>,
    /// When this interval ends; never without a budget.
    pub interval_ends: Time,
    /// What it has spent in this interval.
    pub spent: Money,
    /// What is set aside for leases and for machines on their way.
    pub reserved: Money,
    /// What it has been charged since it began.
    pub charged: Money,
    /// Whether it has been said that its budget is short.
    pub short: bool,
    /// Its lanes with open slots, by price: kept only while there is a budget.
    #[serde(skip)]
    pub(crate) priced: BTreeSet<(Money, JobId, u16)>,
}

impl Tenant {
    pub(crate) fn new(weight: u32) -> Self {
        Self {
            weight,
            budget: None,
            budget_next: None,
            interval_ends: Time::MAX,
            spent: Money::ZERO,
            reserved: Money::ZERO,
            charged: Money::ZERO,
            short: false,
            priced: BTreeSet::new(),
        }
    }

    /// What it may still spend in this interval, with what is set aside taken off; `None` is no limit.
    #[must_use]
    pub fn money_left(&self) -> Option<Money> {
        self.budget.map(|budget| budget.amount - self.spent - self.reserved)
    }

    /// Whether so much can be spent. Nothing always can, also by who has spent too much already.
    #[must_use]
    pub fn can_spend(&self, amount: Money) -> bool {
        amount.is_zero() || self.money_left().is_none_or(|left| amount <= left)
    }
}

/// An end user with patience.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Client {
    /// The parameters of its patience.
    pub spec: ClientSpec,
    /// How patient it is now.
    pub patience: f64,
    /// Jobs in progress for it.
    pub waiting: u32,
    /// Jobs done for it.
    pub served: u64,
}

impl Client {
    pub(crate) fn new(spec: ClientSpec) -> Self {
        Self { spec, patience: spec.patience, waiting: 0, served: 0 }
    }

    /// The client has had its answer after `response`: patience moves towards how that compares with what it finds right.
    pub(crate) fn answered(&mut self, response: Span) {
        let took = response.as_secs_f64().max(1e-9);
        let quality = quality(self.spec.ideal.as_secs_f64(), self.spec.tolerance, took);
        self.patience = self.temper().after(self.patience, quality);
        self.served += 1;
    }

    /// Whether patience has run out.
    #[must_use]
    pub fn is_unhappy(&self) -> bool {
        self.temper().is_unhappy(self.patience)
    }

    fn temper(&self) -> Temper {
        Temper {
            kept_early: self.spec.alpha_gain,
            kept_late: self.spec.alpha_loss,
            unhappy_below: self.spec.threshold,
        }
    }
}
