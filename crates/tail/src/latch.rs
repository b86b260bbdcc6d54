//! Latches: one worker waits until another says "done". A latch lies on the waiter's stack, so it may be gone the
//! moment it is set: whoever sets it must not touch it afterwards. Does not know jobs or pools.
//! Start at [`Latch::set`].

use crate::sync::{AtomicU32, AtomicUsize, Ordering};

const UNSET: u32 = 0;
const ASLEEP: u32 = 1;
const SET: u32 = 2;

/// Set once, by anyone; waited for by its owner alone.
pub(crate) struct Latch {
    state: AtomicU32,
}

impl Latch {
    pub(crate) fn new() -> Self {
        Self { state: AtomicU32::new(UNSET) }
    }

    pub(crate) fn is_set(&self) -> bool {
        self.state.load(Ordering::Acquire) == SET
    }

    /// Blocks the owner until the latch is set. `park` may return early.
    pub(crate) fn wait(&self, park: impl Fn()) {
        let _ = self.state.compare_exchange(UNSET, ASLEEP, Ordering::Relaxed, Ordering::Relaxed);
        while !self.is_set() {
            park();
        }
    }

    /// Sets the latch, and calls `unpark` if the owner has gone to sleep.
    ///
    /// # Safety
    /// `latch` is valid until this call makes it set. `unpark` does not touch it: the owner may be gone by then.
    pub(crate) unsafe fn set(latch: *const Self, unpark: impl FnOnce()) {
        // SAFETY: valid by the caller's promise, as the latch is not set yet; this is the last access.
        let before = unsafe { (*latch).state.swap(SET, Ordering::AcqRel) };
        if before == ASLEEP {
            unpark();
        }
    }
}

/// A latch that is set when as many parts have been released as were added.
pub(crate) struct CountLatch {
    parts: AtomicUsize,
    latch: Latch,
}

impl CountLatch {
    /// With one part: the owner's.
    pub(crate) fn new() -> Self {
        Self { parts: AtomicUsize::new(1), latch: Latch::new() }
    }

    /// One more part. Called only by one who holds a part, so the latch cannot be set meanwhile.
    pub(crate) fn add(&self) {
        self.parts.fetch_add(1, Ordering::Relaxed);
    }

    /// Releases a part; the last one sets the latch.
    ///
    /// # Safety
    /// The caller holds a part of `this`, which is therefore valid; it does not use `this` afterwards. `unpark` as
    /// for [`Latch::set`].
    pub(crate) unsafe fn release(this: *const Self, unpark: impl FnOnce()) {
        // SAFETY: valid, because the caller's part keeps the owner waiting.
        let last = unsafe { (*this).parts.fetch_sub(1, Ordering::AcqRel) == 1 };
        if last {
            // SAFETY: nobody else holds a part and the latch is not set, so the owner still waits.
            unsafe { Latch::set(&raw const (*this).latch, unpark) };
        }
    }

    pub(crate) fn latch(&self) -> &Latch {
        &self.latch
    }
}

#[cfg(all(test, loom))]
#[allow(clippy::undocumented_unsafe_blocks, reason = "loom itself checks these accesses")]
mod loom_tests {
    use super::*;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    struct Shared {
        latch: Latch,
        value: UnsafeCell<u32>,
    }

    #[test]
    fn a_waiter_wakes_and_sees_what_was_written() {
        loom::model(|| {
            let shared = Arc::new(Shared { latch: Latch::new(), value: UnsafeCell::new(0) });
            let (setter, owner) = (shared.clone(), thread::current());
            let other = thread::spawn(move || {
                setter.value.with_mut(|value| unsafe { *value = 7 });
                unsafe { Latch::set(&raw const setter.latch, || owner.unpark()) };
            });
            shared.latch.wait(thread::park);
            shared.value.with(|value| assert_eq!(unsafe { *value }, 7));
            other.join().unwrap();
        });
    }

    struct Counted {
        latch: CountLatch,
        values: [UnsafeCell<u32>; 2],
    }

    #[test]
    fn the_last_of_several_parts_wakes_the_waiter() {
        loom::model(|| {
            let shared = Arc::new(Counted {
                latch: CountLatch::new(),
                values: [UnsafeCell::new(0), UnsafeCell::new(0)],
            });
            let workers: Vec<_> = (0..2)
                .map(|i| {
                    shared.latch.add();
                    let (part, owner) = (shared.clone(), thread::current());
                    thread::spawn(move || {
                        part.values[i].with_mut(|value| unsafe { *value = 1 });
                        unsafe { CountLatch::release(&raw const part.latch, || owner.unpark()) };
                    })
                })
                .collect();
            unsafe { CountLatch::release(&raw const shared.latch, || ()) };
            shared.latch.latch().wait(thread::park);
            for value in &shared.values {
                value.with(|value| assert_eq!(unsafe { *value }, 1));
            }
            workers.into_iter().for_each(|worker| worker.join().unwrap());
        });
    }
}
