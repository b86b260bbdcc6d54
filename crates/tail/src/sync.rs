//! The primitives of threads, from the standard library or from the model checker that this build is for
//! (`--cfg loom`, `--cfg shuttle`). Nothing else in the crate names them otherwise.

#[cfg(not(any(loom, shuttle)))]
mod chosen {
    pub(crate) use std::hint::spin_loop;
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicIsize, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };
    pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use std::thread::{Builder, JoinHandle, Thread, current, park, yield_now};

    /// How often an idle worker looks around before it lies down.
    pub(crate) const LOOKS: u32 = 64;
}

#[cfg(loom)]
mod chosen {
    pub(crate) use loom::sync::atomic::{AtomicU32, AtomicUsize, Ordering, fence};
    pub(crate) use loom::sync::{Mutex, MutexGuard};
    pub(crate) use loom::thread::{Thread, current, park};
}

#[cfg(shuttle)]
mod chosen {
    pub(crate) use shuttle::hint::spin_loop;
    pub(crate) use shuttle::sync::atomic::{
        AtomicBool, AtomicIsize, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };
    pub(crate) use shuttle::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use shuttle::thread::{Builder, JoinHandle, Thread, current, park, yield_now};

    pub(crate) const LOOKS: u32 = 2;
}

pub(crate) use chosen::*;

/// Locks, whatever a panic elsewhere may have said about the lock: what our locks guard is never left half done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
