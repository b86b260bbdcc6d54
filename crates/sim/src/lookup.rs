//! A map for look-ups by number only. It cannot be iterated, so its order cannot be seen.

use std::hash::{BuildHasherDefault, Hasher};

/// Spreads integers over the table: one multiplication, the same on every machine.
#[derive(Clone, Copy, Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// Live things by number.
#[allow(clippy::disallowed_types, reason = "this is the one place that hides the order")]
#[derive(Clone, Debug)]
pub(crate) struct Lookup<T>(hashbrown::HashMap<u64, T, BuildHasherDefault<Spread>>);

impl<T> Lookup<T> {
    pub(crate) fn new() -> Self {
        Self(Default::default())
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<&T> {
        self.0.get(&key)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        self.0.get_mut(&key)
    }

    #[inline]
    pub(crate) fn insert(&mut self, key: u64, value: T) {
        self.0.insert(key, value);
    }

    #[inline]
    pub(crate) fn remove(&mut self, key: u64) -> Option<T> {
        self.0.remove(&key)
    }
}
