//! Figures from latencies: percentiles, misses, and the spread over repetitions.

/// The smallest latency that at least this share of the requests (0..=1) does not exceed.
pub fn percentile(latencies: &[f64], share: f64) -> f64 {
    let mut sorted = latencies.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(f64::NAN)
}

/// Requests that took longer than the target.
pub fn misses(latencies: &[f64], target: f64) -> usize {
    latencies.iter().filter(|latency| **latency > target).count()
}

/// Mean and spread of a few repetitions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Mean.
    pub mean: f64,
    /// Smallest.
    pub low: f64,
    /// Largest.
    pub high: f64,
    /// Half the width of the 95 % confidence interval of the mean (Student's t).
    pub half_width: f64,
}

/// Mean and spread.
pub fn summary(values: &[f64]) -> Summary {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    Summary {
        mean,
        low: values.iter().copied().fold(f64::INFINITY, f64::min),
        high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        half_width: student_t(values.len()) * (variance / n).sqrt(),
    }
}

/// The 97.5 % quantile of Student's t for a mean of `n` values.
fn student_t(n: usize) -> f64 {
    const QUANTILES: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    match n {
        0 | 1 => f64::INFINITY,
        2..=11 => QUANTILES[n - 2],
        12..=30 => 2.1,
        _ => 1.98,
    }
}
