//! A pool at a glance: everything that operations see of it, as numbers. Reads the engine's state, decides nothing.
//!
//! What a pool costs per hour is what it would cost if it stayed as it is now: wages of those who wait and learn, machines that are
//! there, and answers as fast as they come lately, each at the mean price of what is in people's hands.

use muster_engine::ids::{KindId, PoolId, TenantId};
use muster_engine::money::Money;
use muster_engine::spec::Role;
use muster_engine::state::State;
use muster_engine::state::pool::{Headcount, Pool};
use muster_engine::view::Observation;
use muster_engine::{Span, Time};

/// A pool at a glance.
#[derive(Clone, Debug, PartialEq)]
pub struct Glance {
    /// When.
    pub at: Time,
    /// Open slots that wait.
    pub queue: u64,
    /// Open slots that wait for money.
    pub unfunded: u64,
    /// Workers by standing.
    pub heads: Headcount,
    /// Workers on their way.
    pub coming: u32,
    /// How many there should be.
    pub recommended: Option<u32>,
    /// Slots that open, per second.
    pub arrivals: f64,
    /// Answers per second.
    pub answers: f64,
    /// Answers per second that one busy worker makes.
    pub service: Option<f64>,
    /// Mean time from opening to lease, lately.
    pub wait: Option<Span>,
    /// The share of attended time in which workers were busy.
    pub utilisation: f64,
    /// What it costs per hour.
    pub cost: Money,
    /// Tasks in hand by tenant, those with none left out.
    pub shares: Vec<(TenantId, u32)>,
}

impl Glance {
    /// How a pool is now.
    #[must_use]
    pub fn of(state: &State, id: PoolId) -> Option<Self> {
        let pool = state.pool(id)?;
        let seen = Observation::of(pool, state.now());
        let (shares, price_mean) = in_hand(state, pool);
        let answers = (price_mean * seen.throughput * 3600.0) as i64;
        Some(Self {
            at: state.now(),
            queue: seen.queue,
            unfunded: pool.unfunded,
            heads: pool.workers,
            coming: seen.in_flight,
            recommended: seen.recommended(),
            arrivals: seen.arrival_rate,
            answers: seen.throughput,
            service: seen.service_rate,
            wait: seen.wait,
            utilisation: seen.utilisation,
            cost: Money(answers.saturating_add(standing_cost(state, pool))),
            shares,
        })
    }

    /// Everybody who is there.
    #[must_use]
    pub fn there(&self) -> u32 {
        self.heads.size() + self.heads.draining
    }
}

/// Tasks in hand by tenant, and their mean price in micro-units.
fn in_hand(state: &State, pool: &Pool) -> (Vec<(TenantId, u32)>, f64) {
    let (mut counts, mut sum, mut n) = (vec![0_u32; state.tenants().len()], 0.0, 0_u32);
    let leases = pool.members.iter().filter_map(|id| state.worker(*id)?.lease.as_ref());
    for lease in leases {
        sum += lease.price.0 as f64;
        n += 1;
        let tenant = state.job(lease.task.job).map(|job| job.tenant);
        if let Some(count) = tenant.and_then(|tenant| counts.get_mut(tenant.index())) {
            *count += 1;
        }
    }
    let shares = (0..).map(TenantId).zip(counts).filter(|(_, n)| *n > 0).collect();
    (shares, if n == 0 { 0.0 } else { sum / f64::from(n) })
}

/// What those who are there cost per hour whatever they do, in micro-units.
fn standing_cost(state: &State, pool: &Pool) -> i64 {
    let of_kind = |kind: KindId| {
        let heads = pool.kind(kind).workers;
        match state.kind(kind).map(|kind| &kind.role) {
            Some(Role::Person { wage_waiting, wage_training }) => wage_waiting
                .0
                .saturating_mul(i64::from(heads.idle))
                .saturating_add(wage_training.0.saturating_mul(i64::from(heads.training))),
            Some(Role::Machine { period, cost }) if period.0 > 0 => {
                let per_hour = cost.0 as f64 * 3600.0 / period.as_secs_f64();
                (per_hour * f64::from(heads.size() + heads.draining)) as i64
            }
            _ => 0,
        }
    };
    (0..).map(KindId).take(pool.kinds.len()).map(of_kind).fold(0, i64::saturating_add)
}

/// All pools at a glance, by number.
#[must_use]
pub fn all(state: &State) -> Vec<Glance> {
    (0..).map(PoolId).take(state.pools().len()).filter_map(|id| Glance::of(state, id)).collect()
}
