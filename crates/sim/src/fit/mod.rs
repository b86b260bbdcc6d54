//! Laws fitted to recorded values, and how well they fit. Knows no files: values in seconds come in, laws go out.
//!
//! Each law is fitted by greatest likelihood; the Kolmogorov-Smirnov distance says how far its distribution is from the
//! recorded one at most. The best is the nearest, and if none is near the values themselves can be used
//! ([`Law::Empirical`]). Start at [`fit`].

mod special;

use crate::law::Law;

use special::{digamma, gamma_p, normal, trigamma};

/// A law fitted to values.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// What kind of law, as scenario files name it.
    pub name: &'static str,
    /// The law.
    pub law: Law,
    /// The greatest distance between its distribution and that of the values, from 0 to 1.
    pub distance: f64,
}

/// Values with what is usually asked of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// How many.
    pub n: usize,
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The least, the 5th, 25th, 50th, 75th, 95th and 99th percentiles, and the greatest.
    pub quantiles: [f64; 8],
}

/// The shares of which [`Described::quantiles`] are, 0 and 1 included.
pub const SHARES: [f64; 8] = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0];

/// What the values are like; `None` if there are none.
#[must_use]
pub fn describe(values: &[f64]) -> Option<Described> {
    let sorted = sorted(values);
    let n = sorted.len();
    if n == 0 {
        return None;
    }
    let mean = sorted.iter().sum::<f64>() / n as f64;
    let squares: f64 = sorted.iter().map(|x| (x - mean) * (x - mean)).sum();
    let sd = if n > 1 { libm::sqrt(squares / (n - 1) as f64) } else { 0.0 };
    Some(Described { n, mean, sd, quantiles: SHARES.map(|share| quantile_of(&sorted, share)) })
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> =
        values.iter().copied().filter(|value| value.is_finite() && *value >= 0.0).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The value below which this share of sorted values lies, between neighbours by a straight line.
fn quantile_of(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let (low, rest) = (at as usize, at - libm::floor(at));
    let next = sorted[(low + 1).min(sorted.len() - 1)];
    sorted[low] + (next - sorted[low]) * rest
}

/// All laws that can be fitted to the values, the nearest first. Values that are negative or not finite are left out; laws
/// that need values above zero are fitted to those above zero.
#[must_use]
pub fn fit(values: &[f64]) -> Vec<Fit> {
    let sorted = sorted(values);
    let above: Vec<f64> = sorted.iter().copied().filter(|value| *value > 0.0).collect();
    if above.len() < 2 || above.first() == above.last() {
        let only = sorted.last().copied().and_then(|value| Law::fixed(value).ok());
        return only.map(|law| Fit { name: "fixed", distance: 0.0, law }).into_iter().collect();
    }
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    let candidates = [
        ("exponential", Law::exponential(mean).ok()),
        ("log-normal", log_normal(&above)),
        ("gamma", gamma(&above)),
        ("weibull", weibull(&above)),
        ("pareto", pareto(&above)),
    ];
    let mut fits: Vec<Fit> = candidates
        .into_iter()
        .filter_map(|(name, law)| law.map(|law| Fit { name, distance: distance(&law, &sorted), law }))
        .collect();
    fits.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    fits
}

/// Pairs of quantiles, the law's and the values': on the diagonal where they agree.
#[must_use]
pub fn quantile_pairs(law: &Law, values: &[f64], most: usize) -> Vec<(f64, f64)> {
    let sorted = sorted(values);
    if sorted.is_empty() {
        return Vec::new();
    }
    let n = most.min(sorted.len()).max(1);
    let shares = (0..n).map(|i| (i as f64 + 0.5) / n as f64);
    shares.map(|share| (law.quantile(share), quantile_of(&sorted, share))).collect()
}

/// The Kolmogorov-Smirnov distance of a law from sorted values.
#[must_use]
pub fn distance(law: &Law, sorted: &[f64]) -> f64 {
    let n = sorted.len() as f64;
    let at = sorted.iter().enumerate().map(|(i, value)| {
        let below = law.distribution(*value);
        (below - i as f64 / n).abs().max(((i + 1) as f64 / n - below).abs())
    });
    at.fold(0.0, f64::max)
}

fn log_normal(values: &[f64]) -> Option<Law> {
    let n = values.len() as f64;
    let mu = values.iter().map(|value| libm::log(*value)).sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (libm::log(*value) - mu) * (libm::log(*value) - mu)).sum();
    let sigma = libm::sqrt(squares / n);
    (sigma > 0.0).then_some(Law::LogNormal { mu, sigma })
}

fn gamma(values: &[f64]) -> Option<Law> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let off = libm::log(mean) - values.iter().map(|value| libm::log(*value)).sum::<f64>() / n;
    if off <= 0.0 || !off.is_finite() {
        return None;
    }
    // The root of log(shape) - digamma(shape) = off, from the usual first guess.
    let mut shape = (3.0 - off + libm::sqrt((off - 3.0) * (off - 3.0) + 24.0 * off)) / (12.0 * off);
    for _ in 0..50 {
        let step = (libm::log(shape) - digamma(shape) - off) / (1.0 / shape - trigamma(shape));
        let next = (shape - step).max(shape / 10.0);
        if (next - shape).abs() <= 1e-12 * shape {
            break;
        }
        shape = next;
    }
    (shape.is_finite() && shape > 0.0).then_some(Law::Gamma { shape, scale: mean / shape })
}

fn weibull(values: &[f64]) -> Option<Law> {
    let n = values.len() as f64;
    let logs = values.iter().map(|value| libm::log(*value)).sum::<f64>() / n;
    // The likelihood's slope in the shape falls through zero once: halve the interval.
    let slope = |shape: f64| {
        let (mut sum, mut weighted) = (0.0, 0.0);
        let greatest = values.last().copied().unwrap_or(1.0);
        for value in values {
            let power = libm::pow(value / greatest, shape);
            sum += power;
            weighted += power * libm::log(*value);
        }
        1.0 / shape + logs - weighted / sum
    };
    let (mut low, mut high) = (0.05, 100.0);
    if slope(low) < 0.0 || slope(high) > 0.0 {
        return None;
    }
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let shape = f64::midpoint(low, high);
    let mean = values.iter().map(|value| libm::pow(*value, shape)).sum::<f64>() / n;
    let scale = libm::pow(mean, 1.0 / shape);
    (scale.is_finite() && scale > 0.0).then_some(Law::Weibull { shape, scale })
}

fn pareto(values: &[f64]) -> Option<Law> {
    let least = *values.first()?;
    let logs: f64 = values.iter().map(|value| libm::log(value / least)).sum();
    (logs > 0.0).then(|| values.len() as f64 / logs).and_then(|shape| Law::pareto(least, shape).ok())
}

impl Law {
    /// The probability of a value of at most this.
    #[must_use]
    pub fn distribution(&self, value: f64) -> f64 {
        if value < 0.0 {
            return 0.0;
        }
        match self {
            Self::Fixed(at) => f64::from(u8::from(value >= *at)),
            Self::Exponential(mean) => -libm::expm1(-value / mean),
            Self::LogNormal { .. } if value <= 0.0 => 0.0,
            Self::LogNormal { mu, sigma } => normal((libm::log(value) - mu) / sigma),
            Self::Gamma { shape, scale } => gamma_p(*shape, value / scale),
            Self::Weibull { shape, scale } => -libm::expm1(-libm::pow(value / scale, *shape)),
            Self::Pareto { least, .. } if value < *least => 0.0,
            Self::Pareto { least, shape } => 1.0 - libm::pow(least / value, *shape),
            Self::Uniform(least, most) if most > least => ((value - least) / (most - least)).clamp(0.0, 1.0),
            Self::Uniform(least, _) => f64::from(u8::from(value >= *least)),
            Self::Mixture(parts) => {
                let mut before = 0.0;
                let weighted = parts.iter().map(|(cumulative, law)| {
                    let weight = cumulative - std::mem::replace(&mut before, *cumulative);
                    weight * law.distribution(value)
                });
                weighted.sum()
            }
            Self::Empirical(values) => {
                values.partition_point(|known| *known <= value) as f64 / values.len() as f64
            }
        }
    }

    /// The least value whose probability of not being exceeded is at least this share.
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        while self.distribution(high) < share && high < 1e18 {
            high *= 2.0;
        }
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if self.distribution(middle) >= share {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Chance, Purpose};

    fn drawn(law: &Law, n: usize) -> Vec<f64> {
        let mut chance = Chance::of(23, Purpose::Work, 0, 0);
        (0..n).map(|_| law.draw(&mut chance)).collect()
    }

    #[test]
    fn the_law_that_made_the_values_is_found() {
        let laws = [
            ("exponential", Law::exponential(30.0).unwrap()),
            ("log-normal", Law::log_normal(18.0, 12.0).unwrap()),
            ("gamma", Law::gamma(50.0, 20.0).unwrap()),
            ("weibull", Law::weibull(300.0, 2.5).unwrap()),
            ("pareto", Law::pareto(2.0, 1.5).unwrap()),
        ];
        for (name, law) in laws {
            let values = drawn(&law, 20_000);
            let found = fit(&values);
            // An exponential law is also a gamma and a Weibull law, which may lie a hair nearer.
            let fitted = found.iter().find(|fit| fit.name == name).expect("it is among them");
            assert!(fitted.distance < 1.36 / 20_000_f64.sqrt() * 1.2, "{name}: {found:?}");
            assert!(fitted.distance <= found[0].distance + 0.003, "{name}: {found:?}");
            let (is, was) = (fitted.law.quantile(0.9), law.quantile(0.9));
            assert!((is / was - 1.0).abs() < 0.05, "{name}: 90 % below {is}, was {was}");
        }
    }

    #[test]
    fn distributions_are_those_of_the_draws() {
        for law in [
            Law::gamma(5.0, 9.0).unwrap(),
            Law::gamma(5.0, 1.0).unwrap(),
            Law::weibull(7.0, 0.7).unwrap(),
            Law::mixture(vec![(1.0, Law::Exponential(5.5)), (9.0, Law::Exponential(0.5))]).unwrap(),
            Law::uniform(2.0, 6.0).unwrap(),
        ] {
            let mut values = drawn(&law, 20_000);
            values.sort_by(f64::total_cmp);
            let off = distance(&law, &values);
            assert!(off < 1.63 / 20_000_f64.sqrt(), "{law:?}: {off}");
            for share in [0.1, 0.5, 0.99] {
                assert!((law.distribution(law.quantile(share)) - share).abs() < 1e-9, "{law:?}");
            }
        }
    }

    #[test]
    fn few_or_equal_values_are_no_trouble() {
        assert_eq!(fit(&[]), []);
        assert_eq!(fit(&[3.0, 3.0])[0].law, Law::Fixed(3.0));
        assert!(!fit(&[1.0, 2.0]).is_empty());
        assert!(!fit(&[0.0, f64::NAN, 1.0, 2.0, -4.0]).is_empty());
        assert_eq!(describe(&[]), None);
        let described = describe(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((described.mean, described.quantiles[3], described.quantiles[7]), (2.5, 2.5, 4.0));
    }
}
