//! The shared queue of requests that have not begun: those with a target first, batch requests when none of
//! those waits, but never later than every 16th. Pure; the pool keeps it behind a lock, the virtual machine
//! does not. Invariant: within a lane, first come first served. Start at [`Lanes::pop`].

use std::collections::VecDeque;

/// After so many requests with a target, a waiting batch request has its turn: it must not starve.
pub const BATCH_EVERY: u32 = 16;

/// Two queues in one.
#[derive(Debug)]
pub struct Lanes<T> {
    timed: VecDeque<T>,
    batch: VecDeque<T>,
    timed_in_a_row: u32,
}

impl<T> Default for Lanes<T> {
    fn default() -> Self {
        Self { timed: VecDeque::new(), batch: VecDeque::new(), timed_in_a_row: 0 }
    }
}

impl<T> Lanes<T> {
    /// Puts a request at the end of its lane.
    pub fn push(&mut self, request: T, is_batch: bool) {
        if is_batch { self.batch.push_back(request) } else { self.timed.push_back(request) }
    }

    /// The next request to begin.
    pub fn pop(&mut self) -> Option<T> {
        let batch_turn = self.timed.is_empty() || self.timed_in_a_row >= BATCH_EVERY;
        if batch_turn && let Some(request) = self.batch.pop_front() {
            self.timed_in_a_row = 0;
            return Some(request);
        }
        self.timed_in_a_row = self.timed_in_a_row.saturating_add(1);
        self.timed.pop_front()
    }

    /// Takes out the first request that fits, wherever it stands.
    pub fn remove(&mut self, fits: impl Fn(&T) -> bool) -> Option<T> {
        let lanes = [&mut self.timed, &mut self.batch];
        lanes.into_iter().find_map(|lane| lane.iter().position(&fits).and_then(|place| lane.remove(place)))
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.timed.len() + self.batch.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
