//! A collection that is mostly empty: it takes the room of one pointer until something is in it. Written and read as the
//! collection itself, so snapshots do not tell the difference.

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A collection with a known empty one.
pub(crate) trait Collection: Default + 'static {
    const EMPTY: &'static Self;
    fn is_empty(&self) -> bool;
}

impl<T: 'static> Collection for Vec<T> {
    const EMPTY: &'static Self = &Self::new();
    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Ord + 'static> Collection for BTreeSet<T> {
    const EMPTY: &'static Self = &Self::new();
    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

/// A collection that is mostly empty.
#[derive(Clone, Debug)]
pub(crate) struct Rare<C>(Option<Box<C>>);

impl<C> Default for Rare<C> {
    fn default() -> Self {
        Self(None)
    }
}

impl<C: Collection> From<C> for Rare<C> {
    fn from(collection: C) -> Self {
        Self((!collection.is_empty()).then(|| Box::new(collection)))
    }
}

impl<C: Collection> Deref for Rare<C> {
    type Target = C;
    #[inline]
    fn deref(&self) -> &C {
        self.0.as_deref().unwrap_or(C::EMPTY)
    }
}

impl<C: Collection> DerefMut for Rare<C> {
    fn deref_mut(&mut self) -> &mut C {
        self.0.get_or_insert_default()
    }
}

impl<C: Collection + Serialize> Serialize for Rare<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, C: Collection + Deserialize<'de>> Deserialize<'de> for Rare<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        C::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_back_as_the_collection_it_is() {
        let mut rare: Rare<BTreeSet<u32>> = Rare::default();
        assert_eq!(
            postcard::to_allocvec(&rare).unwrap(),
            postcard::to_allocvec(&BTreeSet::<u32>::new()).unwrap()
        );
        assert_eq!(rare.first(), None);
        rare.insert(7);
        let bytes = postcard::to_allocvec(&rare).unwrap();
        assert_eq!(bytes, postcard::to_allocvec(&BTreeSet::from([7_u32])).unwrap());
        let again: Rare<BTreeSet<u32>> = postcard::from_bytes(&bytes).unwrap();
        assert!(again.contains(&7));
        rare.remove(&7);
        assert!(rare.is_empty());
        assert_eq!(size_of::<Rare<BTreeSet<u32>>>(), size_of::<usize>());
    }
}
