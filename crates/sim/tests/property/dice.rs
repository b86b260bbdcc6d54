//! Dice for random set-ups: seeded, so that a case is a number.

use muster_engine::Span;
use muster_sim::law::Law;
use muster_sim::random::{Chance, Purpose};

pub(crate) struct Dice(Chance);

impl Dice {
    pub(crate) fn new(salt: u64, case: u64) -> Self {
        Self(Chance::of(salt, Purpose::Replication, case, 7))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A whole number from `least` to `most`.
    pub(crate) fn whole(&mut self, least: u32, most: u32) -> u32 {
        least + (self.bits() % u64::from(most - least + 1)) as u32
    }

    pub(crate) fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.0.unit()
    }

    pub(crate) fn happens(&mut self, probability: f64) -> bool {
        self.0.happens(probability)
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.whole(0, all.len() as u32 - 1) as usize]
    }

    pub(crate) fn maybe<T>(&mut self, probability: f64, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.happens(probability).then(|| make(self))
    }

    pub(crate) fn span(&mut self, least: f64, most: f64) -> Span {
        Span::from_secs_f64(self.between(least, most))
    }

    /// Any law with this mean, or near it.
    pub(crate) fn law(&mut self, mean: f64) -> Law {
        let law = match self.whole(0, 8) {
            0 => Law::fixed(mean),
            1 | 2 => Law::exponential(mean),
            3 => Law::log_normal(mean, mean * self.between(0.1, 3.0)),
            4 => Law::gamma(mean, mean * self.between(0.1, 2.0)),
            5 => Law::weibull(mean, self.between(0.5, 3.0)),
            6 => Law::pareto(mean / 3.0, 1.5),
            7 => Law::uniform(0.0, 2.0 * mean),
            _ => Law::empirical(vec![mean / 2.0, mean, mean * 1.5]),
        };
        law.expect("a law")
    }
}
