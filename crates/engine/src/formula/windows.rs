//! What happened lately: counts in a window of time, and the rates that follow from them.
//!
//! Source: Cioppino, with the window open at its old end and closed at now: what happened exactly one window ago is out,
//! what happens now is in, so that windows that follow each other count everything once.

use std::ops::Add;

/// How many of the `times`, which rise, lie in (now - window, now]. `window` >= 0. Takes the logarithm of their number.
#[must_use]
pub fn count<T: Copy + PartialOrd + Add<Output = T>>(times: &[T], now: T, window: T) -> usize {
    // Added on the left, so that unsigned times do not go below zero.
    let gone = times.partition_point(|time| *time + window <= now);
    let come = times.partition_point(|time| *time <= now);
    come.saturating_sub(gone)
}

/// So many per unit of time; 0 for a window without length.
#[must_use]
pub fn rate(count: u64, window: f64) -> f64 {
    if window > 0.0 { count as f64 / window } else { 0.0 }
}

/// The rate at which one busy worker completes; `None` if nothing was completed or nobody was busy.
#[must_use]
pub fn service_rate(completions: u64, busy_time: f64) -> Option<f64> {
    (completions > 0 && busy_time > 0.0).then(|| completions as f64 / busy_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_open() {
        assert_eq!(count(&[0_u64, 10, 20], 20, 10), 1);
        assert_eq!(count(&[0_u64, 10, 11, 20, 21], 20, 10), 2);
        assert_eq!(count(&[5_u64], 3, 10), 0);
        assert_eq!(count::<f64>(&[], 3.0, 10.0), 0);
    }

    #[test]
    fn rates() {
        assert_eq!(rate(6, 3.0), 2.0);
        assert_eq!(rate(6, 0.0), 0.0);
        assert_eq!(service_rate(4, 8.0), Some(0.5));
        assert_eq!(service_rate(0, 8.0), None);
    }
}
