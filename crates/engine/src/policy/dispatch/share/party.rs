//! One who has a share: how it is counted, weighed and compared.
//!
//! Keys are non-negative floating-point numbers compared by their bits. For running slots that is exact: with slots below
//! 2^31 and weights up to 10^6, two different fractions differ by more than the rounding of a division.

use serde::{Deserialize, Serialize};

use crate::ids::{JobId, TenantId};
use crate::policy::dispatch::rank::Key;
use crate::policy::settings::{Reader, SettingError};
use crate::time::{Span, Time};
use crate::view::View;

/// Whose shares are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Tenants, then a tenant's jobs.
    Tenants,
    /// Jobs alone.
    Jobs,
}

/// What a share is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Running slots.
    Slots,
    /// Dispatches.
    Dispatches,
    /// Worker-time, fading.
    Time,
}

/// How shares are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) between: Between,
    pub(super) measure: Measure,
    pub(super) half_life: Span,
    pub(super) weighted: bool,
}

impl Rule {
    pub(super) fn read(reader: &Reader<'_>, weighted: bool) -> Result<Self, SettingError> {
        Ok(Self {
            between: reader.word("between", &[("tenants", Between::Tenants), ("jobs", Between::Jobs)])?,
            measure: reader.word(
                "share",
                &[("slots", Measure::Slots), ("dispatches", Measure::Dispatches), ("time", Measure::Time)],
            )?,
            half_life: reader.span("half_life", Span::from_hours(1))?,
            weighted,
        })
    }

    pub(super) fn key(&self, party: &Party) -> Key {
        let share = match self.measure {
            Measure::Slots => f64::from(party.running) / party.weight,
            Measure::Dispatches => party.past.pass,
            Measure::Time => party.past.time / party.weight,
        };
        let tie = if self.between == Between::Jobs { 0 } else { party.past.served };
        (share.to_bits(), tie)
    }

    /// How many half-lives lie between two times.
    pub(super) fn half_lives(&self, from: Time, to: Time) -> f64 {
        (to.0 as f64 - from.0 as f64) / self.half_life.0 as f64
    }

    /// A tenant's weight, a job's priority; between jobs alone, both.
    pub(super) fn weight(&self, of: Of, view: View<'_>) -> f64 {
        let tenant = |id: TenantId| view.state.tenant(id).map_or(1.0, |tenant| f64::from(tenant.weight));
        if !self.weighted {
            return 1.0;
        }
        match (of, self.between) {
            (Of::Group(_), Between::Jobs) => 1.0,
            (Of::Group(id), Between::Tenants) => tenant(id),
            (Of::Job(id), between) => view.state.job(id).map_or(1.0, |job| {
                let own = f64::from(job.priority);
                if between == Between::Jobs { own * tenant(job.tenant) } else { own }
            }),
        }
    }

    pub(super) fn party(&self, of: Of, view: View<'_>) -> Party {
        let weight = self.weight(of, view);
        let mut party = Party { past: Past::default(), running: 0, weight, key: (0, 0) };
        party.key = self.key(&party);
        party
    }

    pub(super) fn group_of(&self, tenant: TenantId) -> TenantId {
        if self.between == Between::Jobs { TenantId(0) } else { tenant }
    }
}

/// Whose weight.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    /// A tenant's, or that of all jobs together.
    Group(TenantId),
    /// A job's.
    Job(JobId),
}

/// The part of a party that cannot be seen from the pool.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Past {
    /// Dispatches divided by weight, from where the others were when it came.
    pub(super) pass: f64,
    /// Worker-time in seconds, times two to the number of half-lives from the base to when it was spent.
    pub(super) time: f64,
    /// When it was last served, as a count of dispatches.
    pub(super) served: u64,
}

/// One who has a share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Party {
    pub(super) past: Past,
    pub(super) running: u32,
    pub(super) weight: f64,
    /// Under which key it stands in the rankings.
    pub(super) key: Key,
}

#[cfg(test)]
mod tests {
    #[test]
    fn fractions_of_slots_and_weights_compare_exactly_as_floats() {
        let mut random = 88_u64;
        let mut next = |most: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 20) % most
        };
        for _ in 0..200_000 {
            let (a, b) = (next(1 << 31), 1 + next(1_000_000));
            // Near misses and exact multiples are what could go wrong.
            let (c, d) = match next(3) {
                0 => (a + next(3), b + next(3)),
                1 => (a / 3 * 2, (b / 3 * 2).max(1)),
                _ => (next(1 << 31), 1 + next(1_000_000)),
            };
            let exact = (u128::from(a) * u128::from(d)).cmp(&(u128::from(c) * u128::from(b)));
            let float = (a as f64 / b as f64).to_bits().cmp(&(c as f64 / d as f64).to_bits());
            assert_eq!(exact, float, "{a}/{b} against {c}/{d}");
        }
    }
}
