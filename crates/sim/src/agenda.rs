//! What happens when: events ordered by time, and at equal times in the order in which they were put down.
//!
//! A heap with four children per node; what is to happen at once skips the heap. An event that is taken leaves its place
//! empty until something else is put down or wanted: most events put one down, which then needs no place of its own.
//! Invariant: time never goes back, and events at one moment come in sequence. Does not know what an event means.

use std::collections::VecDeque;

use muster_engine::Time;

/// Events to come.
#[derive(Clone, Debug)]
pub(crate) struct Agenda<E> {
    heap: Vec<Entry<E>>,
    /// The first entry of the heap was taken, and nothing has come in its place yet.
    is_open: bool,
    /// Events at `now`, put down while it was already `now`.
    soon: VecDeque<E>,
    now: Time,
    sequence: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    at: Time,
    sequence: u64,
    event: E,
}

impl<E> Entry<E> {
    /// Time and sequence in one number, which compares without a branch.
    #[inline]
    fn key(&self) -> u128 {
        u128::from(self.at.0) << 64 | u128::from(self.sequence)
    }
}

const ARITY: usize = 4;

impl<E: Copy> Agenda<E> {
    pub(crate) fn new() -> Self {
        Self { heap: Vec::new(), is_open: false, soon: VecDeque::new(), now: Time::ZERO, sequence: 0 }
    }

    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// Time passes without an event.
    #[inline]
    pub(crate) fn advance(&mut self, now: Time) {
        let next = self.next_at();
        debug_assert!(now >= self.now && next.is_none_or(|at| at >= now));
        self.now = now;
    }

    /// Puts an event down; what is in the past happens now.
    #[inline]
    pub(crate) fn put(&mut self, at: Time, event: E) {
        if at <= self.now {
            self.soon.push_back(event);
        } else if at < Time::MAX {
            self.sequence += 1;
            let entry = Entry { at, sequence: self.sequence, event };
            if self.is_open {
                self.is_open = false;
                self.sink(entry);
            } else {
                self.heap.push(entry);
                self.rise(entry);
            }
        }
    }

    /// Whether something was put down for this very moment.
    #[inline]
    pub(crate) fn has_more_now(&self) -> bool {
        !self.soon.is_empty()
    }

    /// When the next event is.
    #[inline]
    pub(crate) fn next_at(&mut self) -> Option<Time> {
        if !self.soon.is_empty() {
            return Some(self.now);
        }
        self.close();
        self.heap.first().map(|entry| entry.at)
    }

    /// The next event; it is then its time.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<E> {
        self.close();
        // Events of this moment that lie in the heap were put down before it came, so before those in `soon`.
        let due = self.heap.first().is_some_and(|entry| entry.at <= self.now);
        if !due && let Some(event) = self.soon.pop_front() {
            return Some(event);
        }
        let entry = self.heap.first().copied()?;
        self.is_open = true;
        self.now = entry.at;
        Some(entry.event)
    }

    /// The last entry takes the place of one that was taken.
    #[inline]
    fn close(&mut self) {
        if !self.is_open {
            return;
        }
        self.is_open = false;
        if let Some(last) = self.heap.pop()
            && !self.heap.is_empty()
        {
            self.sink(last);
        }
    }

    /// An entry goes up from the last place.
    #[inline]
    fn rise(&mut self, entry: Entry<E>) {
        let mut at = self.heap.len() - 1;
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if self.heap[parent].key() <= entry.key() {
                break;
            }
            self.heap[at] = self.heap[parent];
            at = parent;
        }
        self.heap[at] = entry;
    }

    /// An entry goes down from the first place.
    #[inline]
    fn sink(&mut self, entry: Entry<E>) {
        let (mut at, key) = (0, entry.key());
        while let Some((least, least_key)) = self.least_child(at)
            && least_key < key
        {
            self.heap[at] = self.heap[least];
            at = least;
        }
        self.heap[at] = entry;
    }

    #[inline]
    fn least_child(&self, at: usize) -> Option<(usize, u128)> {
        let first = at * ARITY + 1;
        if let Some([a, b, c, d]) = self.heap.get(first..first + ARITY) {
            let one = if b.key() < a.key() { (first + 1, b.key()) } else { (first, a.key()) };
            let two = if d.key() < c.key() { (first + 3, d.key()) } else { (first + 2, c.key()) };
            return Some(if two.1 < one.1 { two } else { one });
        }
        let children = self.heap.get(first..)?.iter().map(Entry::key);
        children.zip(first..).min().map(|(key, place)| (place, key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_in_sequence() {
        let mut agenda = Agenda::new();
        // A naive model beside it: a stable sort.
        let mut naive: Vec<(u64, u32)> = Vec::new();
        let mut bits = 1_u64;
        for i in 0..2_000_u32 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = 1 + (bits >> 55);
            agenda.put(Time(at), i);
            naive.push((at, i));
        }
        naive.sort_by_key(|(at, _)| *at);
        for (at, i) in naive {
            assert_eq!(agenda.next_at(), Some(Time(at)));
            assert_eq!((agenda.next(), agenda.now()), (Some(i), Time(at)));
        }
        assert_eq!(agenda.next(), None);
    }

    #[test]
    fn what_is_for_now_comes_after_what_was_already_for_now() {
        let mut agenda = Agenda::new();
        agenda.put(Time(5), 'a');
        agenda.put(Time(5), 'b');
        assert_eq!(agenda.next(), Some('a'));
        agenda.put(Time(5), 'c');
        agenda.put(Time(2), 'd');
        agenda.put(Time(6), 'e');
        let rest: Vec<char> = std::iter::from_fn(|| agenda.next()).collect();
        assert_eq!(rest, ['b', 'c', 'd', 'e']);
    }

    #[test]
    fn never_is_never() {
        let mut agenda = Agenda::new();
        agenda.put(Time::MAX, ());
        assert_eq!(agenda.next(), None);
    }
}
