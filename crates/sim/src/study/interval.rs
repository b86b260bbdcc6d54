//! Confidence intervals: how well a mean is known.

use serde::Serialize;

/// A mean and half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// Half the width; infinite if there was only one value.
    pub half: f64,
    /// Of how many values.
    pub n: u32,
}

impl Interval {
    /// The mean of values that are independent of each other, with Student's interval.
    #[must_use]
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (mut n, mut mean, mut squares) = (0_u32, 0.0, 0.0);
        for value in values {
            n += 1;
            let off = value - mean;
            mean += off / f64::from(n);
            squares += off * (value - mean);
        }
        if n == 0 {
            return None;
        }
        let half = if n == 1 {
            f64::INFINITY
        } else {
            let error = libm::sqrt(squares / f64::from(n - 1) / f64::from(n));
            if error > 0.0 { t_quantile(0.95, n - 1) * error } else { 0.0 }
        };
        Some(Self { mean, half, n })
    }

    /// Whether zero lies outside: a difference that is not chance.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.mean.abs() > self.half
    }

    /// The ends.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        (self.mean - self.half, self.mean + self.half)
    }
}

/// The `t` within which a Student variable of so many degrees of freedom lies with this probability, on both sides of zero.
#[must_use]
pub fn t_quantile(probability: f64, freedom: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while within(high, freedom) < probability && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if within(middle, freedom) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The probability of lying between `-t` and `t`: finite sums for whole degrees of freedom (Abramowitz and Stegun 26.7.3,
/// 26.7.4). Beyond a thousand it does not differ in the digits that matter.
fn within(t: f64, freedom: u32) -> f64 {
    let freedom = freedom.clamp(1, 1000);
    let angle = libm::atan(t / libm::sqrt(f64::from(freedom)));
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let square = cosine * cosine;
    if freedom.is_multiple_of(2) {
        let (mut term, mut sum) = (1.0, 1.0);
        for k in (2..freedom).step_by(2) {
            term *= square * f64::from(k - 1) / f64::from(k);
            sum += term;
        }
        return sine * sum;
    }
    let (mut term, mut sum) = (cosine, if freedom > 1 { cosine } else { 0.0 });
    for k in (3..freedom).step_by(2) {
        term *= square * f64::from(k - 1) / f64::from(k);
        sum += term;
    }
    2.0 / std::f64::consts::PI * (angle + sine * sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        let tables = [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (9, 2.262),
            (10, 2.228),
            (19, 2.093),
            (29, 2.045),
            (120, 1.980),
        ];
        for (freedom, wanted) in tables {
            let got = t_quantile(0.95, freedom);
            assert!((got - wanted).abs() < 6e-4, "{freedom}: {got}");
        }
        assert!((t_quantile(0.95, 1_000_000) - 1.962).abs() < 1e-3);
    }

    #[test]
    fn an_interval_of_a_few_values() {
        let interval = Interval::of([4.0, 6.0, 8.0].into_iter()).unwrap();
        assert_eq!((interval.mean, interval.n), (6.0, 3));
        assert!((interval.half - 4.302_652_7 * 2.0 / 3.0_f64.sqrt()).abs() < 1e-6);
        assert!(interval.is_clear());
        assert_eq!(Interval::of([5.0].into_iter()).unwrap().half, f64::INFINITY);
        assert_eq!(Interval::of([5.0, 5.0].into_iter()).unwrap().half, 0.0);
        assert_eq!(Interval::of(std::iter::empty()), None);
    }
}
