//! What happens when: events ordered by time, and at equal times in the order in which they were put down.
//!
//! A heap with four children per node; what is to happen at once skips the heap. Invariant: time never goes back, and
//! events at one moment come in sequence. Does not know what an event means.

use std::collections::VecDeque;

use muster_engine::Time;

/// Events to come.
#[derive(Clone, Debug)]
pub(crate) struct Agenda<E> {
    heap: Vec<Entry<E>>,
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
    #[inline]
    fn is_before(&self, other: &Self) -> bool {
        (self.at, self.sequence) < (other.at, other.sequence)
    }
}

const ARITY: usize = 4;

impl<E: Copy> Agenda<E> {
    pub(crate) fn new() -> Self {
        Self { heap: Vec::new(), soon: VecDeque::new(), now: Time::ZERO, sequence: 0 }
    }

    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// Time passes without an event.
    #[inline]
    pub(crate) fn advance(&mut self, now: Time) {
        debug_assert!(now >= self.now && self.next_at().is_none_or(|at| at >= now));
        self.now = now;
    }

    /// Puts an event down; what is in the past happens now.
    #[inline]
    pub(crate) fn put(&mut self, at: Time, event: E) {
        if at <= self.now {
            self.soon.push_back(event);
        } else if at < Time::MAX {
            self.sequence += 1;
            self.heap.push(Entry { at, sequence: self.sequence, event });
            self.rise(self.heap.len() - 1);
        }
    }

    /// When the next event is.
    #[inline]
    pub(crate) fn next_at(&self) -> Option<Time> {
        if self.soon.is_empty() { self.heap.first().map(|entry| entry.at) } else { Some(self.now) }
    }

    /// The next event; it is then its time.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<E> {
        // Events of this moment that lie in the heap were put down before it came, so before those in `soon`.
        let due = self.heap.first().is_some_and(|entry| entry.at <= self.now);
        if !due && let Some(event) = self.soon.pop_front() {
            return Some(event);
        }
        let entry = self.take_first()?;
        self.now = entry.at;
        Some(entry.event)
    }

    #[inline]
    fn take_first(&mut self) -> Option<Entry<E>> {
        let last = self.heap.pop()?;
        let Some(first) = self.heap.first_mut() else { return Some(last) };
        let first = std::mem::replace(first, last);
        self.sink(0);
        Some(first)
    }

    fn rise(&mut self, mut at: usize) {
        let entry = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if !entry.is_before(&self.heap[parent]) {
                break;
            }
            self.heap[at] = self.heap[parent];
            at = parent;
        }
        self.heap[at] = entry;
    }

    fn sink(&mut self, mut at: usize) {
        let entry = self.heap[at];
        loop {
            let first = at * ARITY + 1;
            if first >= self.heap.len() {
                break;
            }
            let end = (first + ARITY).min(self.heap.len());
            let mut least = first;
            for child in first + 1..end {
                if self.heap[child].is_before(&self.heap[least]) {
                    least = child;
                }
            }
            if !self.heap[least].is_before(&entry) {
                break;
            }
            self.heap[at] = self.heap[least];
            at = least;
        }
        self.heap[at] = entry;
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
