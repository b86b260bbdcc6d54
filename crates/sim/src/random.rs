//! Chance, in streams that do not touch each other: each purpose, thing and count has its own.
//!
//! Two variants of a scenario see the same people and the same work, however differently they decide, because a draw is
//! named by what it is for and not by when it is made (common random numbers). Knows no laws. Start at [`Chance::of`].

use std::convert::Infallible;

use rand::TryRng;

/// What a draw is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// When jobs come.
    Arrival = 1,
    /// How large a job is.
    Size,
    /// How long a task takes.
    Work,
    /// How long an end user waits before giving up.
    Patience,
    /// How long a client thinks before the next request.
    Thinking,
    /// How long recruiting takes.
    Recruiting,
    /// What a person is like, and does of their own accord.
    Person,
    /// How long learning takes.
    Training,
    /// What a replication begins with.
    Replication,
    /// What the engine draws.
    Engine,
    /// Whether and when somebody comes again.
    Returning,
}

/// A generator (`SplitMix64`): eight bytes, the same draws on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance(u64);

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

impl Chance {
    /// The stream of this purpose for this thing, named by two numbers.
    #[must_use]
    #[inline]
    pub fn of(seed: u64, purpose: Purpose, thing: u64, number: u64) -> Self {
        let start = mix(seed.wrapping_add((purpose as u64).wrapping_mul(GOLDEN)));
        let thing = mix(start.wrapping_add(thing.wrapping_mul(GOLDEN)));
        Self(mix(thing.wrapping_add(number.wrapping_mul(GOLDEN))))
    }

    /// The stream of this purpose for what somebody or something does for the n-th time.
    #[must_use]
    #[inline]
    pub(crate) fn again(self, purpose: Purpose, thing: u64, number: u64) -> Self {
        Self::of(self.0, purpose, thing, number)
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// A number from 0 up to, not including, 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether something of this probability happens.
    #[inline]
    pub fn happens(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.unit() < probability
    }
}

impl TryRng for Chance {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.bits() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            let drawn = self.bits().to_le_bytes();
            chunk.copy_from_slice(&drawn[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_repeatable_and_apart() {
        let first = |purpose, thing, number| Chance::of(7, purpose, thing, number).bits();
        assert_eq!(first(Purpose::Work, 1, 2), first(Purpose::Work, 1, 2));
        assert_ne!(first(Purpose::Work, 1, 2), first(Purpose::Work, 2, 1));
        assert_ne!(first(Purpose::Work, 1, 2), first(Purpose::Size, 1, 2));
    }

    #[test]
    fn neighbouring_streams_are_not_alike() {
        // The mean of first draws over many neighbouring streams is that of independent ones.
        let n = 100_000;
        let units: Vec<f64> = (0..n).map(|i| Chance::of(3, Purpose::Work, 0, i).unit()).collect();
        let mean = units.iter().sum::<f64>() / n as f64;
        let lagged = units.windows(2).map(|two| (two[0] - 0.5) * (two[1] - 0.5)).sum::<f64>() / n as f64;
        // Standard errors: 0.2887 / sqrt(n), and 1/12 / sqrt(n).
        assert!((mean - 0.5).abs() < 3.5 * 0.2887 / (n as f64).sqrt(), "{mean}");
        assert!(lagged.abs() < 3.5 / 12.0 / (n as f64).sqrt(), "{lagged}");
    }
}
