//! The pool's clock: nanoseconds since the pool began. The only place of the crate that reads real time (under
//! shuttle a counter, so that a schedule can be repeated).

#[cfg(not(shuttle))]
use std::time::Instant;

#[derive(Debug)]
pub(crate) struct Clock {
    #[cfg(not(shuttle))]
    start: Instant,
    #[cfg(shuttle)]
    ticks: std::sync::atomic::AtomicU64,
}

impl Clock {
    #[cfg(not(shuttle))]
    pub(crate) fn new() -> Self {
        Self { start: Instant::now() }
    }

    #[cfg(not(shuttle))]
    pub(crate) fn now(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    #[cfg(shuttle)]
    pub(crate) fn new() -> Self {
        Self { ticks: std::sync::atomic::AtomicU64::new(0) }
    }

    #[cfg(shuttle)]
    pub(crate) fn now(&self) -> u64 {
        self.ticks.fetch_add(1000, std::sync::atomic::Ordering::Relaxed)
    }
}

/// Nanoseconds as milliseconds, the policies' unit.
pub(crate) fn ms(nanos: u64) -> f64 {
    nanos as f64 / 1e6
}
