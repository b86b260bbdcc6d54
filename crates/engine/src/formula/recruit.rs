//! How many to recruit for those who leave.
//!
//! Source: Cioppino, pool stability. Departures are counted in a window; what left on average during a step is recruited at
//! each step, the fraction by chance, so that the expectation is exact. Times are whole numbers of any one unit.

/// Average rate: `departures * step / window`, the whole part, and one more if `draw` (uniform in [0, 1)) lies below the
/// rest. With a step of 1 s and a window in seconds this is the rule of the paper. 0 for a window without length.
#[must_use]
pub fn average_rate(departures: u64, step: u64, window: u64, draw: f64) -> u64 {
    let Some(window) = std::num::NonZeroU64::new(window) else { return 0 };
    let window = u128::from(window.get());
    let lost = u128::from(departures) * u128::from(step);
    let more = draw < fraction(lost % window, window);
    u64::try_from(lost / window).unwrap_or(u64::MAX).saturating_add(u64::from(more))
}

fn fraction(rest: u128, window: u128) -> f64 {
    rest as f64 / window as f64
}

/// What [`average_rate`] recruits on average.
#[must_use]
pub fn average_rate_mean(departures: u64, step: u64, window: u64) -> f64 {
    if window == 0 { 0.0 } else { departures as f64 * step as f64 / window as f64 }
}

/// A rule: `n` while the pool is smaller than `threshold`.
#[must_use]
pub fn rule(size: u64, threshold: i64, n: u64) -> u64 {
    if is_below(size, threshold) { n } else { 0 }
}

/// Hybrid: the average rate while the pool is smaller than `threshold`, else nobody.
#[must_use]
pub fn hybrid(size: u64, threshold: i64, departures: u64, step: u64, window: u64, draw: f64) -> u64 {
    if is_below(size, threshold) { average_rate(departures, step, window, draw) } else { 0 }
}

/// A threshold may lie below zero: "recommended - 5" for a small pool.
fn is_below(size: u64, threshold: i64) -> bool {
    u64::try_from(threshold).is_ok_and(|threshold| size < threshold)
}
