//! Apps: how long their tasks take, as far as has been seen, and so how long a lease should be.

use serde::{Deserialize, Serialize};

use crate::ids::{PoolId, TenantId};
use crate::spec::{AppSpec, LeaseLength};
use crate::time::Span;

/// An app.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct App {
    /// What was said about it.
    pub spec: AppSpec,
    /// Which pool serves it: for one tenant, or for all others.
    pub routes: Vec<(Option<TenantId>, PoolId)>,
    /// How long its tasks took.
    pub seen: Durations,
}

impl App {
    pub(crate) fn new(spec: AppSpec) -> Self {
        Self { spec, routes: Vec::new(), seen: Durations::default() }
    }

    /// The pool that does this app's tasks for a tenant.
    #[must_use]
    pub fn route(&self, tenant: TenantId) -> Option<PoolId> {
        let own = self.routes.iter().find(|(only, _)| *only == Some(tenant));
        let open = || self.routes.iter().find(|(only, _)| only.is_none());
        own.or_else(open).map(|(_, pool)| *pool)
    }

    /// How long a task takes: as said, until enough have been seen.
    #[must_use]
    pub fn expected(&self) -> Option<Span> {
        match self.spec.expected {
            Some(said) if self.seen.count < SEEN_ENOUGH => Some(said),
            _ => self.seen.mean(),
        }
    }

    /// How long a lease given now may last.
    #[must_use]
    pub fn lease_length(&self) -> Span {
        match self.spec.lease {
            LeaseLength::Fixed(span) => span,
            LeaseLength::Learned { most, .. } if self.seen.classed < SEEN_ENOUGH => most,
            LeaseLength::Learned { factor, least, most } => {
                self.seen.late.scaled(factor).clamp(least, most.max(least))
            }
        }
    }

    pub(crate) fn took(&mut self, span: Span) {
        self.seen.note(span, matches!(self.spec.lease, LeaseLength::Learned { .. }));
    }
}

/// From so many completions on, what was seen counts more than what was said.
const SEEN_ENOUGH: u64 = 20;
/// When so many have been seen, the old ones begin to count half.
const SEEN_MOST: u64 = 4096;
/// The 95th percentile is found anew after so many.
const REFRESH_EVERY: u64 = 16;

/// How long tasks took, with the old forgotten slowly.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Durations {
    /// How many, weighted.
    pub count: u64,
    total: u64,
    /// The 95th percentile, as last found.
    late: Span,
    /// Four classes for each power of two; only kept where leases are learned.
    classes: Vec<u32>,
    /// How many are in the classes.
    classed: u64,
}

impl Durations {
    /// The mean.
    #[must_use]
    pub fn mean(&self) -> Option<Span> {
        (self.count > 0).then(|| Span(self.total / self.count))
    }

    fn note(&mut self, span: Span, classes: bool) {
        self.count += 1;
        self.total = self.total.saturating_add(span.0);
        if classes {
            self.classes.resize(256, 0);
            self.classes[class(span.0)] += 1;
            self.classed += 1;
            if self.classed.is_multiple_of(REFRESH_EVERY) || self.classed == SEEN_ENOUGH {
                self.late = self.quantile(95);
            }
        }
        if self.count >= SEEN_MOST {
            self.count /= 2;
            self.total /= 2;
            for class in &mut self.classes {
                *class /= 2;
            }
            self.classed = self.classes.iter().map(|n| u64::from(*n)).sum();
        }
    }

    /// The upper edge of the class in which so many per cent lie below.
    fn quantile(&self, percent: u64) -> Span {
        let all: u64 = self.classes.iter().map(|n| u64::from(*n)).sum();
        let mut below = 0;
        for (i, n) in self.classes.iter().enumerate() {
            below += u64::from(*n);
            if below * 100 >= all * percent {
                return Span(upper_edge(i));
            }
        }
        Span::MAX
    }
}

/// The power of two below `nanos`, and the two bits after it.
fn class(nanos: u64) -> usize {
    let power = nanos.max(4).ilog2();
    let bits = (nanos.max(4) >> (power - 2)) & 3;
    power as usize * 4 + bits as usize
}

fn upper_edge(class: usize) -> u64 {
    let (power, bits) = (class / 4, class % 4);
    if power < 2 {
        return 8;
    }
    let step = 1_u64 << (power - 2);
    (1_u64 << power).saturating_add(step.saturating_mul(bits as u64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned() -> App {
        App::new(AppSpec {
            lease: LeaseLength::Learned {
                factor: 3.0,
                least: Span::from_secs(10),
                most: Span::from_mins(30),
            },
            expected: Some(Span::from_secs(40)),
            ..AppSpec::default()
        })
    }

    #[test]
    fn a_lease_is_learned_from_completions() {
        let mut app = learned();
        assert_eq!(app.lease_length(), Span::from_mins(30));
        assert_eq!(app.expected(), Some(Span::from_secs(40)));
        for i in 0..200 {
            app.took(Span::from_secs(20 + i % 10));
        }
        // The 95th percentile is 29 s; a class is at most a fifth wide, and the factor is 3.
        let length = app.lease_length();
        assert!((Span::from_secs(87)..=Span::from_secs(105)).contains(&length), "{length}");
        assert_eq!(app.expected(), Some(Span::from_millis(24_500)));
    }

    #[test]
    fn a_lease_keeps_its_bounds_and_old_completions_fade() {
        let mut app = learned();
        for _ in 0..100 {
            app.took(Span::from_millis(5));
        }
        assert_eq!(app.lease_length(), Span::from_secs(10));
        for _ in 0..20_000 {
            app.took(Span::from_hours(2));
        }
        assert_eq!(app.lease_length(), Span::from_mins(30));
        assert!(app.seen.count < SEEN_MOST);
    }

    #[test]
    fn classes_hold_what_they_say() {
        for nanos in [0, 1, 4, 5, 7, 8, 1000, 123_456_789, u64::MAX / 2, u64::MAX] {
            assert!(upper_edge(class(nanos)) >= nanos.min(u64::MAX - 1), "{nanos}");
        }
    }
}
