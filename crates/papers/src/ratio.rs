//! How many times as much: the ratio of two means over the same runs, with its interval.

use muster_sim::study::{Interval, t_quantile};

/// The mean of the first divided by the mean of the second, run by run paired, with the jackknife's interval: it holds for
/// skewed denominators, and needs none of them to be positive alone. `None` if the second are zero on average, or there is
/// nothing.
#[must_use]
pub fn of_means(pairs: &[(f64, f64)]) -> Option<Interval> {
    let n = pairs.len();
    let (above, below) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    if n == 0 || below <= 0.0 {
        return None;
    }
    let ratio = above / below;
    if n == 1 {
        return Some(Interval { mean: ratio, half: f64::INFINITY, n: 1 });
    }
    let without = |pair: &(f64, f64)| {
        let rest = below - pair.1;
        if rest > 0.0 { (above - pair.0) / rest } else { ratio }
    };
    let others: Vec<f64> = pairs.iter().map(without).collect();
    let centre = others.iter().sum::<f64>() / n as f64;
    let squares: f64 = others.iter().map(|other| (other - centre) * (other - centre)).sum();
    let error = libm::sqrt(squares * (n - 1) as f64 / n as f64);
    let freedom = u32::try_from(n - 1).unwrap_or(u32::MAX);
    let half = if error > 0.0 { t_quantile(0.95, freedom) * error } else { 0.0 };
    Some(Interval { mean: ratio, half, n: freedom + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_of_equal_shares_is_exact() {
        let ratio = of_means(&[(2.0, 1.0), (4.0, 2.0), (6.0, 3.0)]).unwrap();
        assert_eq!((ratio.mean, ratio.n), (2.0, 3));
        assert!(ratio.half < 1e-12);
    }

    #[test]
    fn with_a_constant_denominator_it_is_students_interval() {
        let ratio = of_means(&[(4.0, 2.0), (6.0, 2.0), (8.0, 2.0)]).unwrap();
        let plain = Interval::of([2.0, 3.0, 4.0].into_iter()).unwrap();
        assert!((ratio.mean - plain.mean).abs() < 1e-12 && (ratio.half - plain.half).abs() < 1e-9);
    }

    #[test]
    fn nothing_to_divide_by_is_no_ratio() {
        assert_eq!(of_means(&[]), None);
        assert_eq!(of_means(&[(1.0, 0.0), (2.0, 0.0)]), None);
        assert_eq!(of_means(&[(3.0, 2.0)]).unwrap().half, f64::INFINITY);
    }
}
