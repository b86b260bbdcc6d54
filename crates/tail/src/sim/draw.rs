//! Random draws for the virtual machine: a small seeded generator, the laws of work and of arrivals. The same
//! seed gives the same requests in every run.

use super::request::Offer;

/// A seeded generator (SplitMix64): small, fast, good enough to draw workloads.
#[derive(Clone, Debug)]
pub struct Draw {
    state: u64,
}

impl Draw {
    /// A stream of its own for each seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in 0..n.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// Uniform in the open interval (0, 1).
    pub fn unit(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    /// Exponential with this mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * self.unit().ln()
    }

    /// Log-normal with this mean and standard deviation (of the variable, not of its logarithm).
    pub fn log_normal(&mut self, mean: f64, sd: f64) -> f64 {
        let variance = (1.0 + (sd / mean).powi(2)).ln();
        let normal = (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos();
        (mean.ln() - variance / 2.0 + variance.sqrt() * normal).exp()
    }

    /// Log-uniform between two bounds.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }
}

/// A law of work, in milliseconds where it has numbers of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Like the paper's web search (its histogram is printed only as a picture): mean 10 ms, 96.5 % in 4..55 ms
    /// falling off exponentially, 3.5 % log-uniform in 55..200 ms.
    BingLike,
    /// Like the paper's option pricing (printed only as a picture): log-normal 10/7 ms, kept to 4..52 ms, so that
    /// the largest is 13 times the smallest.
    FinanceLike,
    /// Log-normal.
    LogNormal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        sd: f64,
    },
    /// 98 % of size 1, 2 % of this size.
    TwoSizes {
        /// The size of the large ones.
        large: f64,
    },
}

impl Law {
    /// Draws one work.
    pub fn draw(&self, draw: &mut Draw) -> f64 {
        match *self {
            Self::BingLike if draw.unit() < 0.035 => draw.log_uniform(55.0, 200.0),
            Self::BingLike => kept(4.0, 55.0, || 4.0 + draw.exponential(2.29)),
            Self::FinanceLike => kept(4.0, 52.0, || draw.log_normal(10.0, 7.0)),
            Self::LogNormal { mean, sd } => draw.log_normal(mean, sd),
            Self::TwoSizes { large } => {
                if draw.unit() < 0.02 {
                    large
                } else {
                    1.0
                }
            }
        }
    }

    /// Draws so many works: what a provider would have profiled.
    pub fn sample(&self, seed: u64, count: usize) -> Vec<f64> {
        let mut draw = Draw::new(seed);
        (0..count).map(|_| self.draw(&mut draw)).collect()
    }
}

/// Draws until the value lies between the bounds.
fn kept(low: f64, high: f64, mut draw: impl FnMut() -> f64) -> f64 {
    loop {
        let value = draw();
        if (low..=high).contains(&value) {
            return value;
        }
    }
}

/// The law of the times between arrivals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrivals {
    /// Exponential times: a Poisson stream with this many arrivals per unit of time.
    Poisson {
        /// Arrivals per unit of time.
        rate: f64,
    },
    /// Log-normal times.
    LogNormal {
        /// Mean time between arrivals.
        mean: f64,
        /// Its standard deviation.
        sd: f64,
    },
}

impl Arrivals {
    fn gap(&self, draw: &mut Draw) -> f64 {
        match *self {
            Self::Poisson { rate } => draw.exponential(1.0 / rate),
            Self::LogNormal { mean, sd } => draw.log_normal(mean, sd),
        }
    }
}

/// Draws `count` requests; arrivals and works come from streams of their own, so that a change of one law leaves
/// the other's draws alone.
pub fn workload(law: &Law, arrivals: &Arrivals, count: usize, seed: u64) -> Vec<Offer> {
    let mut works = Draw::new(seed.wrapping_mul(2));
    let mut gaps = Draw::new(seed.wrapping_mul(2) + 1);
    let mut now = 0.0;
    let mut offer = || {
        now += arrivals.gap(&mut gaps);
        Offer::new(now, law.draw(&mut works))
    };
    (0..count).map(|_| offer()).collect()
}
