//! Ranks and rankings: an order over lanes (or tenants) in which the first that fits is served.
//!
//! Invariant: a rank ends with a number of its own, so no order depends on where things lie in memory.

use std::collections::BTreeSet;

/// A share divided by weight in bits that compare, or another key; then a tie-break of the policy's.
pub type Key = (u64, u64);

/// A place in an order: a key, then the number of what stands there.
pub type Rank = (Key, u64);

/// Things in the order of their ranks.
pub trait Ranking<V>: Default + std::fmt::Debug + Send {
    /// Adds something that has conceded so often.
    fn insert(&mut self, rank: Rank, value: V, conceded: u32);

    /// Takes something away; how often it has conceded.
    fn remove(&mut self, rank: Rank, value: V) -> u32;

    /// Whether nothing is there.
    fn is_empty(&self) -> bool;

    /// The first.
    fn first(&self) -> Option<(Rank, V)>;

    /// All, in order.
    fn iter(&self) -> impl Iterator<Item = (Rank, V)> + '_;

    /// How often something has conceded.
    fn conceded(&self, rank: Rank) -> u32;
}

/// A ranking that knows no concessions.
#[derive(Clone, Debug)]
pub struct Plain<V>(BTreeSet<(Rank, V)>);

impl<V> Default for Plain<V> {
    fn default() -> Self {
        Self(BTreeSet::new())
    }
}

impl<V: Ord + Copy + Least> Plain<V> {
    /// All from a rank on, in order.
    pub fn from(&self, rank: Rank) -> impl Iterator<Item = (Rank, V)> + '_ {
        self.0.range((rank, V::LEAST)..).copied()
    }
}

impl<V: Ord + Copy + std::fmt::Debug + Send> Ranking<V> for Plain<V> {
    fn insert(&mut self, rank: Rank, value: V, _conceded: u32) {
        self.0.insert((rank, value));
    }

    fn remove(&mut self, rank: Rank, value: V) -> u32 {
        self.0.remove(&(rank, value));
        0
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn first(&self) -> Option<(Rank, V)> {
        self.0.first().copied()
    }

    fn iter(&self) -> impl Iterator<Item = (Rank, V)> + '_ {
        self.0.iter().copied()
    }

    fn conceded(&self, _rank: Rank) -> u32 {
        0
    }
}

/// Has a value that no other is below.
pub trait Least {
    /// That value.
    const LEAST: Self;
}
