//! Where live things are kept: a dense slab with a look-up by id.
//!
//! Invariant: nothing here can be seen in an order that is not that of the ids, so the order of a hash table and
//! the re-use of places never reach a decision. Start at [`Table`].

use std::hash::{BuildHasherDefault, Hasher};
use std::marker::PhantomData;

use hashbrown::HashTable;

/// An id that can be looked up.
pub trait Key: Copy + Eq + Ord {
    /// The number that names it.
    fn number(self) -> u64;
}

/// Spreads integers over the table: one multiplication, the same on every machine.
#[derive(Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// A map for look-ups only. It cannot be iterated, so its order cannot be seen.
#[allow(clippy::disallowed_types, reason = "this is the one place that hides the order")]
#[derive(Clone, Debug)]
pub(crate) struct IdMap<K, V> {
    inner: hashbrown::HashMap<u64, V, BuildHasherDefault<Spread>>,
    key: PhantomData<K>,
}

impl<K, V> Default for IdMap<K, V> {
    fn default() -> Self {
        Self { inner: Default::default(), key: PhantomData }
    }
}

impl<K: Key, V> IdMap<K, V> {
    pub(crate) fn get(&self, key: K) -> Option<&V> {
        self.inner.get(&key.number())
    }

    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.inner.get_mut(&key.number())
    }

    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.inner.insert(key.number(), value)
    }

    pub(crate) fn remove(&mut self, key: K) -> Option<V> {
        self.inner.remove(&key.number())
    }
}

/// A place in a [`Table`]. Good only while the thing lives; never stored in a fact or a snapshot.
#[derive(Debug)]
pub struct Slot<T>(pub(crate) u32, PhantomData<fn() -> T>);

impl<T> Slot<T> {
    pub(crate) const fn new(place: u32) -> Self {
        Self(place, PhantomData)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl<T> Clone for Slot<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slot<T> {}
impl<T> PartialEq for Slot<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Slot<T> {}
impl<T> PartialOrd for Slot<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Slot<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}
impl<T> Default for Slot<T> {
    /// A place where nothing is.
    fn default() -> Self {
        Self::new(u32::MAX)
    }
}

/// A thing that knows its id.
pub trait Named {
    /// The id's type.
    type Id: Key;

    /// Its id.
    fn id(&self) -> Self::Id;
}

/// Things by id, kept dense, their places re-used.
#[derive(Clone, Debug)]
pub struct Table<K, T> {
    entries: Vec<Option<T>>,
    free: Vec<u32>,
    /// Places by what their thing is named: the ids themselves are not kept twice.
    places: HashTable<u32>,
    key: PhantomData<K>,
}

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self { entries: Vec::new(), free: Vec::new(), places: HashTable::new(), key: PhantomData }
    }
}

impl<K: Key, T: Named<Id = K>> Table<K, T> {
    /// How many live here.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Whether nothing lives here.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place of `key`.
    #[must_use]
    pub fn find(&self, key: K) -> Option<Slot<T>> {
        let is_it = |place: &u32| is_named(&self.entries, *place, key);
        self.places.find(spread(key), is_it).map(|place| Slot::new(*place))
    }

    /// The thing named `key`.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&T> {
        self.find(key).map(|slot| &self[slot])
    }

    pub(crate) fn insert(&mut self, key: K, value: T) -> Slot<T> {
        debug_assert!(value.id() == key && self.find(key).is_none(), "an id is given once");
        let place = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            u32::try_from(self.entries.len() - 1).expect("fewer than 2^32 live things")
        });
        self.entries[place as usize] = Some(value);
        let again =
            |place: &u32| self.entries[*place as usize].as_ref().map_or(0, |thing| spread(thing.id()));
        self.places.insert_unique(spread(key), place, again);
        Slot::new(place)
    }

    pub(crate) fn remove(&mut self, key: K) -> Option<T> {
        self.take(key).map(|(_, thing)| thing)
    }

    /// Takes the thing named `key` out, and says where it was.
    pub(crate) fn take(&mut self, key: K) -> Option<(Slot<T>, T)> {
        let is_it = |place: &u32| is_named(&self.entries, *place, key);
        let (place, _) = self.places.find_entry(spread(key), is_it).ok()?.remove();
        self.free.push(place);
        self.entries[place as usize].take().map(|thing| (Slot::new(place), thing))
    }

    /// Everything that lives, in no particular order: sort before anything can be seen.
    pub(crate) fn unordered(&self) -> impl Iterator<Item = (Slot<T>, &T)> {
        self.entries.iter().enumerate().filter_map(|(place, entry)| {
            entry
                .as_ref()
                .map(|value| (Slot::new(u32::try_from(place).expect("checked at insertion")), value))
        })
    }
}

fn is_named<K: Key, T: Named<Id = K>>(entries: &[Option<T>], place: u32, key: K) -> bool {
    entries[place as usize].as_ref().is_some_and(|thing| thing.id() == key)
}

fn spread<K: Key>(key: K) -> u64 {
    let mut hasher = Spread::default();
    hasher.write_u64(key.number());
    hasher.finish()
}

impl<K, T> std::ops::Index<Slot<T>> for Table<K, T> {
    type Output = T;
    fn index(&self, slot: Slot<T>) -> &T {
        self.entries[slot.index()].as_ref().expect("a place is used only while the thing lives")
    }
}

impl<K, T> std::ops::IndexMut<Slot<T>> for Table<K, T> {
    fn index_mut(&mut self, slot: Slot<T>) -> &mut T {
        self.entries[slot.index()].as_mut().expect("a place is used only while the thing lives")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::WorkerId;

    #[derive(Debug, PartialEq)]
    struct Thing(WorkerId);

    impl Named for Thing {
        type Id = WorkerId;
        fn id(&self) -> WorkerId {
            self.0
        }
    }

    #[test]
    fn places_are_reused_and_ids_are_not_confused() {
        let mut table: Table<WorkerId, Thing> = Table::default();
        let first = table.insert(WorkerId(7), Thing(WorkerId(7)));
        assert_eq!(table.remove(WorkerId(7)), Some(Thing(WorkerId(7))));
        let second = table.insert(WorkerId(8), Thing(WorkerId(8)));
        assert_eq!(first, second);
        assert_eq!(table.get(WorkerId(7)), None);
        assert_eq!(table.get(WorkerId(8)), Some(&Thing(WorkerId(8))));
        assert_eq!(table.len(), 1);
    }

    #[test]
    fn many_are_found_again() {
        let mut table: Table<WorkerId, Thing> = Table::default();
        for id in 0..5000 {
            table.insert(WorkerId(id), Thing(WorkerId(id)));
            if id >= 700 {
                assert_eq!(table.remove(WorkerId(id - 700)), Some(Thing(WorkerId(id - 700))));
            }
        }
        assert_eq!(table.len(), 700);
        assert!((0..5000).all(|id| table.find(WorkerId(id)).is_some() == (id >= 4300)));
    }
}
