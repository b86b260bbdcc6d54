//! Laws of chance: how long things take, how many there are. Knows no units; a caller takes seconds or counts.
//!
//! A law is described by what people know of it (mean and standard deviation, or recorded values) and is checked when it
//! is made, so drawing never fails. Start at [`Law`].

use std::sync::Arc;

use rand_distr::{Distribution, Exp1, Gamma, StandardNormal};

use crate::random::Chance;

/// A law, ready to be drawn from. Draws are never negative.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// Always this.
    Fixed(f64),
    /// Memoryless, with this mean.
    Exponential(f64),
    /// The logarithm is normal with this mean and deviation.
    LogNormal {
        /// Mean of the logarithm.
        mu: f64,
        /// Standard deviation of the logarithm.
        sigma: f64,
    },
    /// Gamma.
    Gamma {
        /// Above 1 more regular than exponential, below 1 less.
        shape: f64,
        /// Mean divided by shape.
        scale: f64,
    },
    /// Weibull: the hazard grows with time for a shape above 1, and falls for one below.
    Weibull {
        /// How the hazard changes.
        shape: f64,
        /// The 63rd percentile.
        scale: f64,
    },
    /// Pareto: a long tail.
    Pareto {
        /// The least value.
        least: f64,
        /// The smaller, the longer the tail; the mean exists above 1.
        shape: f64,
    },
    /// Any value in between is as likely as any other.
    Uniform(f64, f64),
    /// One of several laws, with these cumulative probabilities.
    Mixture(Arc<[(f64, Law)]>),
    /// One of the recorded values, each as likely.
    Empirical(Arc<[f64]>),
}

/// Why a law cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawError {
    /// Which of its figures is wrong.
    pub field: &'static str,
    /// What is allowed.
    pub allowed: &'static str,
}

fn check(good: bool, field: &'static str, allowed: &'static str) -> Result<(), LawError> {
    if good { Ok(()) } else { Err(LawError { field, allowed }) }
}

fn positive(value: f64, field: &'static str) -> Result<(), LawError> {
    check(value > 0.0 && value.is_finite(), field, "a finite number above 0")
}

impl Law {
    /// Always this value.
    pub fn fixed(value: f64) -> Result<Self, LawError> {
        check(value >= 0.0 && value.is_finite(), "value", "a finite number of at least 0")?;
        Ok(Self::Fixed(value))
    }

    /// Memoryless.
    pub fn exponential(mean: f64) -> Result<Self, LawError> {
        positive(mean, "mean")?;
        Ok(Self::Exponential(mean))
    }

    /// Log-normal with this mean and standard deviation (of the value, not of its logarithm).
    pub fn log_normal(mean: f64, sd: f64) -> Result<Self, LawError> {
        positive(mean, "mean")?;
        check(sd >= 0.0 && sd.is_finite(), "sd", "a finite number of at least 0")?;
        let variance = libm::log1p((sd / mean) * (sd / mean));
        Ok(Self::LogNormal { mu: libm::log(mean) - variance / 2.0, sigma: libm::sqrt(variance) })
    }

    /// Gamma with this mean and standard deviation.
    pub fn gamma(mean: f64, sd: f64) -> Result<Self, LawError> {
        positive(mean, "mean")?;
        positive(sd, "sd")?;
        let shape = (mean / sd) * (mean / sd);
        positive(shape, "sd")?;
        Ok(Self::Gamma { shape, scale: mean / shape })
    }

    /// Weibull with this mean and shape.
    pub fn weibull(mean: f64, shape: f64) -> Result<Self, LawError> {
        positive(mean, "mean")?;
        check((0.05..=100.0).contains(&shape), "shape", "a number from 0.05 to 100")?;
        Ok(Self::Weibull { shape, scale: mean / libm::tgamma(1.0 + 1.0 / shape) })
    }

    /// Pareto from `least` on.
    pub fn pareto(least: f64, shape: f64) -> Result<Self, LawError> {
        positive(least, "least")?;
        check((0.05..=100.0).contains(&shape), "shape", "a number from 0.05 to 100")?;
        Ok(Self::Pareto { least, shape })
    }

    /// Anything from `least` to `most`.
    pub fn uniform(least: f64, most: f64) -> Result<Self, LawError> {
        check(least >= 0.0 && least.is_finite(), "least", "a finite number of at least 0")?;
        check(most >= least && most.is_finite(), "most", "a finite number of at least `least`")?;
        Ok(Self::Uniform(least, most))
    }

    /// One of these laws, with probabilities in proportion to these weights.
    pub fn mixture(parts: Vec<(f64, Self)>) -> Result<Self, LawError> {
        let total: f64 = parts.iter().map(|(weight, _)| *weight).sum();
        let each = parts.iter().all(|(weight, _)| *weight >= 0.0);
        check(
            each && total > 0.0 && total.is_finite(),
            "weight",
            "numbers of at least 0 that are not all 0",
        )?;
        let mut sum = 0.0;
        let cumulative = parts.into_iter().map(|(weight, law)| {
            sum += weight / total;
            (sum, law)
        });
        Ok(Self::Mixture(cumulative.collect()))
    }

    /// One of these values, each as likely.
    pub fn empirical(values: Vec<f64>) -> Result<Self, LawError> {
        check(!values.is_empty(), "values", "at least one")?;
        let good = values.iter().all(|value| *value >= 0.0 && value.is_finite());
        check(good, "values", "finite numbers of at least 0")?;
        let mut values = values;
        values.sort_by(f64::total_cmp);
        Ok(Self::Empirical(values.into()))
    }

    /// A draw.
    #[must_use]
    #[inline]
    pub fn draw(&self, chance: &mut Chance) -> f64 {
        match self {
            Self::Fixed(value) => *value,
            Self::Exponential(mean) => {
                let unit: f64 = Exp1.sample(chance);
                unit * mean
            }
            other => other.draw_rarer(chance),
        }
    }

    fn draw_rarer(&self, chance: &mut Chance) -> f64 {
        match self {
            Self::Fixed(_) | Self::Exponential(_) => self.draw(chance),
            Self::LogNormal { mu, sigma } => {
                let normal: f64 = StandardNormal.sample(chance);
                libm::exp(mu + sigma * normal)
            }
            Self::Gamma { shape, scale } => {
                Gamma::new(*shape, *scale).map_or(shape * scale, |gamma| gamma.sample(chance))
            }
            Self::Weibull { shape, scale } => {
                let unit: f64 = Exp1.sample(chance);
                scale * libm::pow(unit, 1.0 / shape)
            }
            Self::Pareto { least, shape } => least * libm::pow(1.0 - chance.unit(), -1.0 / shape),
            Self::Uniform(least, most) => least + (most - least) * chance.unit(),
            Self::Mixture(parts) => {
                let unit = chance.unit();
                let last = parts.len() - 1;
                let at = parts.iter().position(|(cumulative, _)| unit < *cumulative).unwrap_or(last);
                parts[at].1.draw(chance)
            }
            Self::Empirical(values) => {
                let at = (chance.unit() * values.len() as f64) as usize;
                values[at.min(values.len() - 1)]
            }
        }
    }

    /// The mean; infinite for a tail that is too long to have one.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match self {
            Self::Fixed(value) | Self::Exponential(value) => *value,
            Self::LogNormal { mu, sigma } => libm::exp(mu + sigma * sigma / 2.0),
            Self::Gamma { shape, scale } => shape * scale,
            Self::Weibull { shape, scale } => scale * libm::tgamma(1.0 + 1.0 / shape),
            Self::Pareto { shape, .. } if *shape <= 1.0 => f64::INFINITY,
            Self::Pareto { least, shape } => least * shape / (shape - 1.0),
            Self::Uniform(least, most) => f64::midpoint(*least, *most),
            Self::Mixture(parts) => {
                let mut before = 0.0;
                let weighted = parts.iter().map(|(cumulative, law)| {
                    let weight = cumulative - std::mem::replace(&mut before, *cumulative);
                    weight * law.mean()
                });
                weighted.sum()
            }
            Self::Empirical(values) => values.iter().sum::<f64>() / values.len() as f64,
        }
    }

    /// The same law, stretched: every draw is this many times as large.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        match self {
            Self::Fixed(value) => Self::Fixed(value * factor),
            Self::Exponential(mean) => Self::Exponential(mean * factor),
            Self::LogNormal { mu, sigma } => Self::LogNormal { mu: mu + libm::log(factor), sigma: *sigma },
            Self::Gamma { shape, scale } => Self::Gamma { shape: *shape, scale: scale * factor },
            Self::Weibull { shape, scale } => Self::Weibull { shape: *shape, scale: scale * factor },
            Self::Pareto { least, shape } => Self::Pareto { least: least * factor, shape: *shape },
            Self::Uniform(least, most) => Self::Uniform(least * factor, most * factor),
            Self::Mixture(parts) => {
                Self::Mixture(parts.iter().map(|(weight, law)| (*weight, law.scaled(factor))).collect())
            }
            Self::Empirical(values) => Self::Empirical(values.iter().map(|value| value * factor).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    /// Mean and standard deviation of many draws.
    fn seen(law: &Law, n: u32) -> (f64, f64) {
        let mut chance = Chance::of(11, Purpose::Work, 0, 0);
        let draws: Vec<f64> = (0..n).map(|_| law.draw(&mut chance)).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / f64::from(n - 1);
        (mean, variance.sqrt())
    }

    #[test]
    fn laws_have_the_mean_and_spread_they_were_made_with() {
        let n = 200_000;
        let cases = [
            (Law::exponential(3.0), 3.0, 3.0),
            (Law::log_normal(18.0, 12.0), 18.0, 12.0),
            (Law::gamma(5.0, 2.0), 5.0, 2.0),
            (Law::weibull(300.0, 1.4), 300.0, 216.8),
            (Law::uniform(2.0, 6.0), 4.0, 4.0 / 12.0_f64.sqrt()),
            (Law::fixed(2.5), 2.5, 0.0),
            (Law::pareto(1.0, 5.0), 1.25, 0.3227),
            (Law::empirical(vec![1.0, 2.0, 6.0]), 3.0, 2.1602),
            (Law::mixture(vec![(1.0, Law::Exponential(5.5)), (9.0, Law::Exponential(0.5))]), 1.0, 2.3452),
        ];
        for (law, mean, sd) in cases {
            let law = law.unwrap();
            let (got, spread) = seen(&law, n);
            let error = sd / f64::from(n).sqrt();
            assert!((got - mean).abs() <= 4.0 * error + 1e-12, "{law:?}: mean {got}");
            assert!((spread - sd).abs() <= 0.03 * sd + 1e-9, "{law:?}: spread {spread}");
            assert!((law.mean() - mean).abs() < 1e-9, "{law:?}: says {}", law.mean());
            let (stretched, _) = seen(&law.scaled(2.0), n);
            assert!((stretched - 2.0 * got).abs() < 1e-9 * got.max(1.0), "{law:?}: stretched {stretched}");
        }
    }

    #[test]
    fn what_is_no_law_is_refused_by_its_figure() {
        assert_eq!(Law::exponential(0.0).unwrap_err().field, "mean");
        assert_eq!(Law::log_normal(1.0, f64::NAN).unwrap_err().field, "sd");
        assert_eq!(Law::weibull(1.0, 0.0).unwrap_err().field, "shape");
        assert_eq!(Law::uniform(3.0, 2.0).unwrap_err().field, "most");
        assert_eq!(Law::empirical(vec![]).unwrap_err().field, "values");
        assert_eq!(Law::mixture(vec![]).unwrap_err().field, "weight");
    }
}
