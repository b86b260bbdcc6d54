//! How things went over time: areas up to moments of an even grid, so any stretch has an exact mean.
//!
//! Invariant: never more than twice the wanted number of moments; when there are, every other one goes and the step doubles.

use muster_engine::{Span, Time};

/// Moments of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    step: Span,
    points: usize,
    moments: Vec<Moment>,
}

/// What has added up until a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// When.
    pub at: Time,
    /// For each pool.
    pub pools: Vec<PoolMoment>,
}

/// What has added up in a pool, in worker-nanoseconds and task-nanoseconds; and the recommended size of the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolMoment {
    /// Waiting slots, over time.
    pub queue: u128,
    /// Workers, over time.
    pub size: u128,
    /// Busy workers, over time.
    pub busy: u64,
    /// What size was recommended then.
    pub recommended: Option<u32>,
}

impl Timeline {
    pub(crate) fn new(step: Span, points: u32) -> Self {
        Self { step: Span(step.0.max(1)), points: points.max(2) as usize, moments: Vec::new() }
    }

    /// Puts a moment down and says when the next is wanted.
    pub(crate) fn put(&mut self, moment: Moment) -> Time {
        let at = moment.at;
        self.moments.push(moment);
        if self.moments.len() > 2 * self.points {
            let mut index = 0;
            self.moments.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.step = Span(self.step.0.saturating_mul(2));
        }
        at + self.step
    }

    /// The moments, in order.
    #[must_use]
    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }

    /// Means between neighbouring moments: `(seconds at the end, mean)` of what `area` picks.
    #[must_use]
    pub fn means(&self, pool: usize, area: impl Fn(&PoolMoment) -> u128) -> Vec<(f64, f64)> {
        let between = self.moments.windows(2).map(|two| {
            let grown = area(&two[1].pools[pool]) - area(&two[0].pools[pool]);
            let span = two[1].at.since(two[0].at).0.max(1);
            (two[1].at.as_secs_f64(), grown as f64 / span as f64)
        });
        between.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_areas_exact() {
        let mut timeline = Timeline::new(Span(10), 4);
        let mut at = Time::ZERO;
        // A queue of 3 all the time.
        for _ in 0..40 {
            let pools = vec![PoolMoment { queue: u128::from(at.0) * 3, ..PoolMoment::default() }];
            at = timeline.put(Moment { at, pools });
        }
        assert!(timeline.moments().len() <= 8);
        assert!(timeline.means(0, |pool| pool.queue).iter().all(|(_, mean)| *mean == 3.0));
    }
}
