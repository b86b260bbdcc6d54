//! What is due when. At equal times in the order in which it was put down.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tokio::time::Instant;

#[derive(Debug)]
pub(super) struct Agenda<E> {
    entries: BinaryHeap<Reverse<(Instant, u64, E)>>,
    number: u64,
}

impl<E: Ord> Default for Agenda<E> {
    fn default() -> Self {
        Self { entries: BinaryHeap::new(), number: 0 }
    }
}

impl<E: Ord> Agenda<E> {
    pub(super) fn put(&mut self, at: Instant, event: E) {
        self.entries.push(Reverse((at, self.number, event)));
        self.number += 1;
    }

    pub(super) fn next_at(&self) -> Option<Instant> {
        self.entries.peek().map(|Reverse((at, ..))| *at)
    }

    pub(super) fn take_due(&mut self, now: Instant) -> Option<E> {
        if self.next_at()? > now {
            return None;
        }
        self.entries.pop().map(|Reverse((.., event))| event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_due_comes_in_order() {
        let now = Instant::now();
        let mut agenda = Agenda::default();
        for (millis, event) in [(30, 'c'), (10, 'b'), (10, 'a'), (50, 'd')] {
            agenda.put(now + Duration::from_millis(millis), event);
        }
        let due = now + Duration::from_millis(30);
        let taken: String = std::iter::from_fn(|| agenda.take_due(due)).collect();
        assert_eq!(taken, "bac");
        assert_eq!(agenda.next_at(), Some(now + Duration::from_millis(50)));
    }
}
