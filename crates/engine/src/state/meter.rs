//! What is measured in a pool, over a window that slides: counts, and worker-time by what workers do.
//!
//! Does not know what the numbers are for. The window is kept in 60 buckets: it covers the last full ones and
//! the one that runs. Invariant: memory does not grow with what happens. Start at `Meter::advance`.

use serde::{Deserialize, Serialize};

use crate::time::{Span, Time};

/// Into so many parts the window is cut.
const BUCKETS: usize = 60;

/// What happened in a part of the window, or in all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Slots that opened for the first time.
    pub arrivals: u64,
    /// Answers that count.
    pub completions: u64,
    /// Leases given.
    pub leases: u64,
    /// Workers who left of their own accord.
    pub departures: u64,
    /// Nanoseconds that slots waited before they were leased.
    pub waited: u64,
    /// Nanoseconds from opening to answer.
    pub latency: u64,
    /// Worker-nanoseconds with a task.
    pub busy: u64,
    /// Worker-nanoseconds waiting for one.
    pub idle: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.arrivals += other.arrivals;
        self.completions += other.completions;
        self.leases += other.leases;
        self.departures += other.departures;
        self.waited = self.waited.saturating_add(other.waited);
        self.latency = self.latency.saturating_add(other.latency);
        self.busy = self.busy.saturating_add(other.busy);
        self.idle = self.idle.saturating_add(other.idle);
    }
}

/// The measurements of a pool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Meter {
    /// Everything since the pool began; worker-time only up to the last change (see [`Meter::totals`]).
    pub total: Counts,
    began: Time,
    bucket: Span,
    buckets: Vec<Counts>,
    /// The running bucket, and when it ends.
    current: usize,
    ends: Time,
    /// Until when worker-time has been counted, and how many are busy and idle since then.
    counted: Time,
    busy: u32,
    idle: u32,
}

impl Meter {
    pub(crate) fn new(now: Time, window: Span) -> Self {
        let bucket = Span((window.0 / BUCKETS as u64).max(1));
        Self {
            total: Counts::default(),
            began: now,
            bucket,
            buckets: vec![Counts::default(); BUCKETS + 1],
            current: 0,
            ends: now + bucket,
            counted: now,
            busy: 0,
            idle: 0,
        }
    }

    /// Counts worker-time up to `now`, and lets go of what has left the window.
    #[inline]
    pub(crate) fn advance(&mut self, now: Time) {
        if now == self.counted {
            return;
        }
        if now >= self.ends {
            self.roll(now);
        }
        self.count_time(now);
    }

    fn count_time(&mut self, now: Time) {
        let span = now.since(self.counted).0;
        self.counted = now;
        let (busy, idle) =
            (span.saturating_mul(u64::from(self.busy)), span.saturating_mul(u64::from(self.idle)));
        let bucket = &mut self.buckets[self.current];
        bucket.busy = bucket.busy.saturating_add(busy);
        bucket.idle = bucket.idle.saturating_add(idle);
        self.total.busy = self.total.busy.saturating_add(busy);
        self.total.idle = self.total.idle.saturating_add(idle);
    }

    fn roll(&mut self, now: Time) {
        let mut steps = 0;
        while now >= self.ends && steps <= BUCKETS {
            self.count_time(self.ends);
            self.current = (self.current + 1) % self.buckets.len();
            self.buckets[self.current] = Counts::default();
            self.ends = self.ends + self.bucket;
            steps += 1;
        }
        if now >= self.ends {
            // The whole window has passed: what lies before it is counted in the total alone.
            let missed = now.since(self.ends).0 / self.bucket.0;
            let skipped = Span(missed.saturating_mul(self.bucket.0));
            self.count_past(self.ends + skipped);
            self.ends = self.ends + skipped + self.bucket;
        }
    }

    /// Worker-time in a stretch longer than the window: every bucket of it is equally full.
    fn count_past(&mut self, to: Time) {
        let span = to.since(self.counted).0;
        self.counted = to;
        let full = |n: u32| self.bucket.0.saturating_mul(u64::from(n));
        let (busy, idle) = (full(self.busy), full(self.idle));
        for (i, bucket) in self.buckets.iter_mut().enumerate() {
            let running = i == self.current;
            *bucket = Counts::default();
            if !running {
                (bucket.busy, bucket.idle) = (busy, idle);
            }
        }
        self.total.busy = self.total.busy.saturating_add(span.saturating_mul(u64::from(self.busy)));
        self.total.idle = self.total.idle.saturating_add(span.saturating_mul(u64::from(self.idle)));
    }

    /// The same totals, with a window of another length that begins now.
    pub(crate) fn with_window(&self, now: Time, window: Span) -> Self {
        let mut old = self.clone();
        old.advance(now);
        Self { total: old.total, busy: old.busy, idle: old.idle, ..Self::new(now, window) }
    }

    /// Nothing was measured from `since` for `gap`: time stood still.
    pub(crate) fn skip(&mut self, since: Time, gap: Span) {
        self.advance(since.max(self.counted));
        self.began = self.began + gap;
        self.ends = self.ends + gap;
        self.counted = self.counted + gap;
    }

    /// Everything since the pool began, up to `now`.
    #[must_use]
    pub fn totals(&self, now: Time) -> Counts {
        let mut meter = self.clone();
        meter.advance(now);
        meter.total
    }

    /// From `now` on so many more or fewer workers are busy and idle.
    #[inline]
    pub(crate) fn workers(&mut self, now: Time, busy: i32, idle: i32) {
        self.advance(now);
        self.busy = self.busy.saturating_add_signed(busy);
        self.idle = self.idle.saturating_add_signed(idle);
    }

    #[inline]
    pub(crate) fn arrived(&mut self, now: Time, slots: u64) {
        self.advance(now);
        self.buckets[self.current].arrivals += slots;
        self.total.arrivals += slots;
    }

    #[inline]
    pub(crate) fn leased(&mut self, now: Time, waited: Span) {
        self.advance(now);
        for counts in [&mut self.buckets[self.current], &mut self.total] {
            counts.leases += 1;
            counts.waited = counts.waited.saturating_add(waited.0);
        }
    }

    #[inline]
    pub(crate) fn completed(&mut self, now: Time, latency: Span) {
        self.advance(now);
        for counts in [&mut self.buckets[self.current], &mut self.total] {
            counts.completions += 1;
            counts.latency = counts.latency.saturating_add(latency.0);
        }
    }

    pub(crate) fn departed(&mut self, now: Time) {
        self.advance(now);
        self.buckets[self.current].departures += 1;
        self.total.departures += 1;
    }

    /// The window as it is at `now`, and how long it is: less than asked for while the pool is young.
    #[must_use]
    pub fn window(&self, now: Time) -> (Counts, Span) {
        let mut meter = self.clone();
        meter.advance(now);
        let mut sum = Counts::default();
        for bucket in &meter.buckets {
            sum.add(bucket);
        }
        let covered = Span(meter.bucket.0.saturating_mul(BUCKETS as u64));
        let running = meter.ends - meter.bucket;
        (sum, now.since((running - covered).max(meter.began)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(s: u64) -> Time {
        Time::ZERO + Span::from_secs(s)
    }

    #[test]
    fn the_window_forgets_and_the_total_does_not() {
        let mut meter = Meter::new(secs(0), Span::from_secs(60));
        for s in 0..100 {
            meter.arrived(secs(s), 2);
        }
        let (window, span) = meter.window(secs(99));
        assert_eq!(span, Span::from_secs(60));
        assert_eq!(window.arrivals, 2 * 61);
        assert_eq!(meter.total.arrivals, 200);
        assert_eq!(meter.window(secs(10_000)).0.arrivals, 0);
    }

    #[test]
    fn worker_time_is_exact_whatever_the_steps() {
        for step in [1, 7, 61, 500] {
            let mut meter = Meter::new(secs(0), Span::from_secs(60));
            meter.workers(secs(0), 3, 1);
            let mut now = 0;
            while now < 3000 {
                now += step;
                meter.advance(secs(now));
            }
            assert_eq!(meter.total.busy, 3 * Span::from_secs(now).0, "step {step}");
            let (window, span) = meter.window(secs(now));
            assert_eq!(window.busy, 3 * span.0, "step {step}");
            assert_eq!(window.idle, span.0, "step {step}");
        }
    }

    #[test]
    fn a_young_window_is_short() {
        let mut meter = Meter::new(secs(100), Span::from_secs(60));
        meter.arrived(secs(105), 10);
        let (window, span) = meter.window(secs(110));
        assert_eq!((window.arrivals, span), (10, Span::from_secs(10)));
    }
}
