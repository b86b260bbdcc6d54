//! The deque of a worker: its owner pushes and pops at one end, thieves take from the other. crossbeam's, or under
//! shuttle (which cannot see into crossbeam) a locked one that behaves alike.

#[cfg(not(shuttle))]
mod chosen {
    pub(crate) use crossbeam_deque::{Steal, Stealer, Worker as Deque};

    pub(crate) fn new<T>() -> Deque<T> {
        Deque::new_lifo()
    }
}

#[cfg(shuttle)]
mod chosen {
    use crate::sync::{Mutex, lock};
    pub(crate) use crossbeam_deque::Steal;
    use std::collections::VecDeque;
    use std::sync::Arc;

    pub(crate) struct Deque<T>(Arc<Mutex<VecDeque<T>>>);
    pub(crate) struct Stealer<T>(Arc<Mutex<VecDeque<T>>>);

    pub(crate) fn new<T>() -> Deque<T> {
        Deque(Arc::new(Mutex::new(VecDeque::new())))
    }

    impl<T> Deque<T> {
        pub(crate) fn push(&self, value: T) {
            lock(&self.0).push_back(value);
        }
        pub(crate) fn pop(&self) -> Option<T> {
            lock(&self.0).pop_back()
        }
        pub(crate) fn stealer(&self) -> Stealer<T> {
            Stealer(self.0.clone())
        }
    }

    impl<T> Stealer<T> {
        pub(crate) fn steal(&self) -> Steal<T> {
            lock(&self.0).pop_front().map_or(Steal::Empty, Steal::Success)
        }
        pub(crate) fn is_empty(&self) -> bool {
            lock(&self.0).is_empty()
        }
    }
}

pub(crate) use chosen::*;
