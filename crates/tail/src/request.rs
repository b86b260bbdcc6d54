//! A request inside the pool: what its caller asked for, the work done so far, whether it was given up or cancelled,
//! and the pieces that others have handed to the one worker that keeps it. Does not know its result's type.
//! Invariant: while handed pieces wait, there is a keeper, and it looks at them before it leaves or sleeps.

use crate::job::JobRef;
use crate::policy::{Goal, Progress};
use crate::sync::{AtomicU8, AtomicU64, Mutex, Ordering, lock};
use std::collections::VecDeque;

const MARKED: u8 = 1;
const CANCELLED: u8 = 2;
const DEGRADED: u8 = 4;

/// What the pool runs for a request; knows the closure and where its result goes.
pub(crate) trait Root: Send {
    /// Runs the closure, if it has not been cancelled before.
    fn run(&mut self);
    /// Tells the one who waits.
    fn finish(self: Box<Self>);
}

pub(crate) struct Request {
    pub(crate) id: u64,
    /// Nanoseconds of the pool's clock.
    pub(crate) arrival: u64,
    pub(crate) goal: Goal,
    pub(crate) weight: f64,
    pub(crate) work_known: Option<f64>,
    processed: AtomicU64,
    flags: AtomicU8,
    root: Mutex<Option<Box<dyn Root>>>,
    handed: Mutex<Handed>,
}

/// Pieces that other workers have left, and who takes care of them: the worker that began the request, if it is
/// awake; else the first that has a piece.
#[derive(Default)]
struct Handed {
    home: Option<usize>,
    home_awake: bool,
    keeper: Option<usize>,
    pieces: VecDeque<JobRef>,
}

/// What a request is asked for with.
pub(crate) struct Terms {
    pub(crate) goal: Goal,
    pub(crate) weight: f64,
    pub(crate) work_known: Option<f64>,
    pub(crate) degraded: bool,
}

impl Request {
    pub(crate) fn new(id: u64, arrival: u64, terms: &Terms, root: Box<dyn Root>) -> Self {
        Self {
            id,
            arrival,
            goal: terms.goal,
            weight: terms.weight,
            work_known: terms.work_known,
            processed: AtomicU64::new(0),
            flags: AtomicU8::new(if terms.degraded { DEGRADED | MARKED } else { 0 }),
            root: Mutex::new(Some(root)),
            handed: Mutex::new(Handed::default()),
        }
    }

    /// The closure, for the one who begins (or refuses) the request.
    pub(crate) fn take_root(&self) -> Option<Box<dyn Root>> {
        lock(&self.root).take()
    }

    pub(crate) fn add_processed(&self, nanos: u64) -> u64 {
        self.processed.fetch_add(nanos, Ordering::Relaxed) + nanos
    }

    pub(crate) fn processed(&self) -> u64 {
        self.processed.load(Ordering::Relaxed)
    }

    /// What a policy may know, given the nanoseconds done so far.
    pub(crate) fn progress(&self, processed: u64) -> Progress {
        let processed = crate::clock::ms(processed);
        Progress { processed, work_known: self.work_known, goal: self.goal, weight: self.weight }
    }

    /// Gives the request up; whether this call did it.
    pub(crate) fn mark(&self) -> bool {
        self.flags.fetch_or(MARKED, Ordering::Relaxed) & MARKED == 0
    }

    pub(crate) fn is_marked(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & MARKED != 0
    }

    pub(crate) fn cancel(&self) {
        self.flags.fetch_or(CANCELLED, Ordering::Relaxed);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & CANCELLED != 0
    }

    pub(crate) fn is_degraded(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & DEGRADED != 0
    }

    /// This worker has begun the request.
    pub(crate) fn begin(&self, worker: usize) {
        let mut handed = lock(&self.handed);
        handed.home = Some(worker);
        handed.home_awake = true;
    }

    /// Leaves a piece to the keeper; gives it back if the worker is the keeper, or has become it now.
    pub(crate) fn keep_or_hand(&self, worker: usize, piece: JobRef) -> Option<JobRef> {
        let mut handed = lock(&self.handed);
        let home = handed.home.filter(|_| handed.home_awake);
        if *handed.keeper.get_or_insert(home.unwrap_or(worker)) == worker {
            return Some(piece);
        }
        handed.pieces.push_back(piece);
        None
    }

    /// The next handed piece, if the worker is the keeper. Without one it is the keeper no longer.
    pub(crate) fn next_handed(&self, worker: usize) -> Option<JobRef> {
        let mut handed = lock(&self.handed);
        if handed.keeper != Some(worker) {
            return None;
        }
        let piece = handed.pieces.pop_front();
        if piece.is_none() {
            handed.keeper = None;
        }
        piece
    }

    /// The worker is about to block. `false` if it keeps pieces that it must see to first.
    pub(crate) fn may_block(&self, worker: usize) -> bool {
        let mut handed = lock(&self.handed);
        let keeps = handed.keeper == Some(worker);
        if keeps && !handed.pieces.is_empty() {
            return false;
        }
        if keeps {
            handed.keeper = None;
        }
        if handed.home == Some(worker) {
            handed.home_awake = false;
        }
        true
    }

    /// The worker goes on after it has blocked.
    pub(crate) fn goes_on(&self, worker: usize) {
        let mut handed = lock(&self.handed);
        if handed.home == Some(worker) {
            handed.home_awake = true;
        }
    }
}
