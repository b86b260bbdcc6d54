//! A small deterministic generator of random choices. Knows nothing of what is chosen.

use muster_engine::Span;

/// Random choices from a seed (`SplitMix64`): the same on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Self(seed ^ 0x5DEE_CE66_D1CE_4E5B);
        dice.bits();
        dice
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number from 0 to `n - 1`; 0 if `n` is 0.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.bits() % n.max(1)
    }

    /// A number from `least` to `most`.
    pub(crate) fn from(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(u64::from(most - least) + 1) as u32
    }

    /// True in so many of 1000 cases.
    pub(crate) fn permille(&mut self, n: u64) -> bool {
        self.below(1000) < n
    }

    /// One of several.
    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// One of several, if there are any.
    pub(crate) fn any<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| self.pick(of))
    }

    /// A length of time up to `most`, in odd nanoseconds.
    pub(crate) fn span(&mut self, most: Span) -> Span {
        Span(self.below(most.0 + 1))
    }
}
