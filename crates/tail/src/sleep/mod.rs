//! Sleep: how an idle worker lies down without missing work, and how work that appears wakes just enough workers.
//! Does not know what work is: it is told how to look. The protocol and its races are in README.md beside this
//! file. Invariant: work that was announced is seen by a searcher, by a last look, or by a worker that is woken.

use crate::sync::{AtomicU32, AtomicUsize, Mutex, Ordering, Thread, current, fence, lock, park};
use crossbeam_utils::CachePadded;
use std::ops::Range;

const AWAKE: u32 = 0;
const ASLEEP: u32 = 1;

/// The dormitory of a pool, or of one part of it.
pub(crate) struct Sleep {
    searching: CachePadded<AtomicUsize>,
    sleepers: CachePadded<AtomicUsize>,
    beds: Box<[CachePadded<Bed>]>,
}

struct Bed {
    state: AtomicU32,
    thread: Mutex<Option<Thread>>,
}

impl Sleep {
    pub(crate) fn new(beds: usize) -> Self {
        let bed = || CachePadded::new(Bed { state: AtomicU32::new(AWAKE), thread: Mutex::new(None) });
        Self {
            searching: CachePadded::new(AtomicUsize::new(0)),
            sleepers: CachePadded::new(AtomicUsize::new(0)),
            beds: (0..beds).map(|_| bed()).collect(),
        }
    }

    /// The calling thread will use this bed.
    pub(crate) fn move_in(&self, bed: usize) {
        *lock(&self.beds[bed].thread) = Some(current());
    }

    /// The worker begins to look for work: those who announce some may rely on it.
    pub(crate) fn begin_search(&self) {
        self.searching.fetch_add(1, Ordering::SeqCst);
    }

    /// The worker has found work. If nobody else is looking, the caller must see whether there is more.
    #[must_use]
    pub(crate) fn end_search(&self) -> bool {
        let last = self.searching.fetch_sub(1, Ordering::SeqCst) == 1;
        fence(Ordering::SeqCst); // pairs with the one in `announce`: the look that follows must see what it announced
        last
    }

    /// Lies down until woken, unless a last look finds work; a searcher before and after.
    pub(crate) fn lie_down(&self, bed: usize, last_look: impl FnOnce() -> bool) {
        let own = &self.beds[bed];
        own.state.store(ASLEEP, Ordering::SeqCst);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        self.searching.fetch_sub(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if last_look() {
            self.rouse(own);
        }
        while own.state.load(Ordering::SeqCst) == ASLEEP {
            park();
        }
        self.begin_search();
    }

    /// Work has been made visible. Wakes a worker, unless one is looking or none sleeps; whether one was woken.
    pub(crate) fn announce(&self) -> bool {
        fence(Ordering::SeqCst);
        if self.searching.load(Ordering::SeqCst) > 0 || self.sleepers.load(Ordering::SeqCst) == 0 {
            return false;
        }
        self.wake(0..self.beds.len())
    }

    /// Wakes the first sleeper in these beds.
    pub(crate) fn wake(&self, beds: Range<usize>) -> bool {
        for bed in &self.beds[beds] {
            if self.rouse(bed) {
                self.unpark(bed);
                return true;
            }
        }
        false
    }

    /// Wakes everyone.
    pub(crate) fn wake_all(&self) {
        for bed in &self.beds {
            if self.rouse(bed) {
                self.unpark(bed);
            }
        }
    }

    /// Unparks the thread of a bed, whatever it waits for.
    pub(crate) fn unpark_bed(&self, bed: usize) {
        self.unpark(&self.beds[bed]);
    }

    #[cfg(all(test, loom))]
    pub(crate) fn sleepers(&self) -> usize {
        self.sleepers.load(Ordering::SeqCst)
    }

    /// Takes a sleeper out of the count; only one of those who try succeeds.
    fn rouse(&self, bed: &Bed) -> bool {
        if bed.state.load(Ordering::SeqCst) == AWAKE {
            return false;
        }
        let taken = bed.state.swap(AWAKE, Ordering::SeqCst) == ASLEEP;
        if taken {
            self.sleepers.fetch_sub(1, Ordering::SeqCst);
        }
        taken
    }

    fn unpark(&self, bed: &Bed) {
        if let Some(thread) = &*lock(&bed.thread) {
            thread.unpark();
        }
    }
}

#[cfg(all(test, loom))]
mod loom_tests;
