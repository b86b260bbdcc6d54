//! Randomness without a generator: every draw is a function of the seed, what it is for, where, and a count.
//!
//! Does not know who draws. Invariant: the count advances only when the fact that used the draws is applied, so the
//! same seed and inputs give the same facts on every machine.

use serde::{Deserialize, Serialize};

use crate::ids::PoolId;

/// What a draw is for. Each purpose has a stream of its own in each pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Purpose {
    /// How people who leave are replaced.
    Replacement,
    /// How many workers there should be.
    Scaling,
    /// Who moves to another pool.
    Balance,
}

/// How many purposes there are.
pub(crate) const PURPOSES: usize = 3;

/// The `n`-th draw of a purpose in a pool: 64 random bits.
#[must_use]
pub fn draw(seed: u64, purpose: Purpose, pool: PoolId, n: u64) -> u64 {
    let lane = (u64::from(pool.0) << 8) | purpose as u64;
    let key = mix(seed ^ mix(lane.wrapping_mul(0xD6E8_FEB8_6659_FD93)));
    mix(key.wrapping_add(n.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

/// Stirs all bits (the finaliser of the `SplitMix64` generator).
const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// The draws that one evaluation uses, and how many it has used.
#[derive(Clone, Debug)]
pub struct Draws {
    seed: u64,
    purpose: Purpose,
    pool: PoolId,
    from: u64,
    used: u32,
}

impl Draws {
    pub(crate) fn new(seed: u64, purpose: Purpose, pool: PoolId, from: u64) -> Self {
        Self { seed, purpose, pool, from, used: 0 }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let bits = draw(self.seed, self.purpose, self.pool, self.from + u64::from(self.used));
        self.used += 1;
        bits
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number from 0 up to, but not including, `n` (0 if `n` is 0).
    pub fn below(&mut self, n: u64) -> u64 {
        u64::try_from((u128::from(self.bits()) * u128::from(n)) >> 64).expect("less than n")
    }

    pub(crate) fn used(&self) -> u32 {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_the_same_everywhere() {
        assert_eq!(draw(1, Purpose::Scaling, PoolId(0), 0), draw(1, Purpose::Scaling, PoolId(0), 0));
        let streams: std::collections::BTreeSet<u64> = (0..4)
            .flat_map(|pool| {
                [Purpose::Replacement, Purpose::Scaling, Purpose::Balance]
                    .map(|purpose| draw(1, purpose, PoolId(pool), 0))
            })
            .collect();
        assert_eq!(streams.len(), 12);
    }

    #[test]
    fn unit_draws_are_uniform() {
        let mut draws = Draws::new(7, Purpose::Balance, PoolId(3), 0);
        let n = 100_000;
        let mean = (0..n).map(|_| draws.unit()).sum::<f64>() / f64::from(n);
        // The standard error of the mean of n uniform draws is 1/sqrt(12 n) = 0.0009.
        assert!((mean - 0.5).abs() < 0.003, "{mean}");
        assert_eq!(draws.used(), 100_000);
    }
}
