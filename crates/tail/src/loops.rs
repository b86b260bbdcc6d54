//! The machinery of parallel loops: a shared cursor from which the owner and its helpers take chunks, until it is at
//! the end. A helper can leave after any chunk, at no cost; the owner stays, so the loop always ends. Does not know
//! what a chunk does. Chunks grow until one takes about [`CHUNK_NANOS`]. Start at [`run`].

use crate::handle::Cancelled;
use crate::job::{Header, JobRef, Payload};
use crate::latch::CountLatch;
use crate::sync::{AtomicUsize, Mutex, Ordering, lock};
use crate::worker::Worker;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// How long a chunk should take: long against the cost of taking it, short against any target.
const CHUNK_NANOS: u64 = 50_000;

/// Chunks by time begin and end at multiples of this, once they are larger.
const EVEN: usize = 64;

/// What a loop does; one value is shared by all who take part.
pub(crate) trait Body: Sync {
    /// What one participant carries from chunk to chunk.
    type Local;
    fn local(&self) -> Self::Local;
    fn chunk(&self, local: &mut Self::Local, range: Range<usize>);
    /// A participant is done.
    fn leave(&self, local: Self::Local);
}

/// How the range is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Grain {
    /// By time: chunks of about [`CHUNK_NANOS`].
    #[default]
    ByTime,
    /// So many elements; chunk borders do not depend on anything else.
    Fixed(usize),
}

#[repr(C)]
struct Loop<'a, B> {
    header: Header,
    latch: CountLatch,
    owner: usize,
    cursor: AtomicUsize,
    end: usize,
    grain: Grain,
    /// The chunk size that was right last, for helpers to start with.
    size: AtomicUsize,
    threads: usize,
    panic: Mutex<Option<Payload>>,
    body: &'a B,
}

/// Runs the body over the range: in parallel inside a pool, in place outside.
pub(crate) fn run<B: Body>(range: Range<usize>, grain: Grain, body: &B) {
    let Some(worker) = Worker::current() else { return run_in_place(range, grain, body) };
    if range.is_empty() {
        return;
    }
    let shared = Loop::new(worker, range, grain, body);
    let several = worker.registry().slots.len() > 1 && shared.remaining() > shared.fixed().unwrap_or(1);
    if several {
        shared.latch.add();
        worker.publish(&raw const shared.header);
    }
    shared.take_part(worker, true);
    // SAFETY: this is the owner's own part; it does not sleep yet, so it needs no unparking.
    unsafe { CountLatch::release(&raw const shared.latch, || ()) };
    worker.wait_for(shared.latch.latch());
    let panic = lock(&shared.panic).take();
    if let Some(payload) = panic {
        resume_unwind(payload);
    }
}

fn run_in_place<B: Body>(range: Range<usize>, grain: Grain, body: &B) {
    let mut local = body.local();
    match grain {
        Grain::ByTime if range.is_empty() => {}
        Grain::ByTime => body.chunk(&mut local, range),
        Grain::Fixed(size) => {
            let end = range.end;
            range
                .step_by(size)
                .for_each(|low| body.chunk(&mut local, low..end.min(low.saturating_add(size))));
        }
    }
    body.leave(local);
}

impl<'a, B: Body> Loop<'a, B> {
    fn new(worker: &Worker, range: Range<usize>, grain: Grain, body: &'a B) -> Self {
        Self {
            header: Header::new(Self::execute, true),
            latch: CountLatch::new(),
            owner: worker.index,
            cursor: AtomicUsize::new(range.start),
            end: range.end,
            grain,
            size: AtomicUsize::new(1),
            threads: worker.registry().threads,
            panic: Mutex::new(None),
            body,
        }
    }

    fn fixed(&self) -> Option<usize> {
        match self.grain {
            Grain::Fixed(size) => Some(size),
            Grain::ByTime => None,
        }
    }

    fn remaining(&self) -> usize {
        self.end.saturating_sub(self.cursor.load(Ordering::Relaxed))
    }

    /// A helper has come: it makes room for the next one, and takes part.
    unsafe fn execute(header: *const Header, worker: &Worker) {
        let this = header.cast::<Self>();
        // SAFETY: the header is the first field of this very type; the part that came with the job keeps it alive.
        let shared = unsafe { &*this };
        if shared.remaining() > 0 && !worker.should_leave() {
            shared.latch.add();
            worker.republish(JobRef::new(header));
            shared.take_part(worker, false);
        }
        let owner = shared.owner;
        // SAFETY: releases the part that came with the job; `shared` is not used afterwards.
        unsafe { CountLatch::release(&raw const (*this).latch, || worker.registry().unpark(owner)) };
    }

    /// Takes chunks until none is left, or until there is a reason to leave.
    fn take_part(&self, worker: &Worker, is_owner: bool) {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut local = self.body.local();
            self.take_chunks(worker, is_owner, &mut local);
            self.body.leave(local);
        }));
        if let Err(payload) = outcome {
            self.cursor.store(self.end, Ordering::Relaxed);
            lock(&self.panic).get_or_insert(payload);
        }
    }

    fn take_chunks(&self, worker: &Worker, is_owner: bool, local: &mut B::Local) {
        let clock = &worker.registry().clock;
        let mut size = self.fixed().unwrap_or_else(|| self.size.load(Ordering::Relaxed));
        let mut before = clock.now();
        while let Some(range) = self.take(size) {
            let len = range.len();
            self.body.chunk(local, range);
            let now = clock.now();
            if self.grain == Grain::ByTime {
                size = self.resize(size, len, now.saturating_sub(before));
            }
            before = now;
            worker.tick(now);
            self.stop_if_cancelled(worker);
            if !is_owner && worker.should_leave() {
                return;
            }
        }
    }

    /// The next chunk: no more than `size`, and by time no more than a fair part of what is left.
    fn take(&self, size: usize) -> Option<Range<usize>> {
        let mut low = self.cursor.load(Ordering::Relaxed);
        loop {
            let left = self.end.saturating_sub(low);
            if left == 0 {
                return None;
            }
            let fair = if self.grain == Grain::ByTime { (left / (2 * self.threads)).max(1) } else { left };
            let high = self.even(low, low + size.min(fair));
            match self.cursor.compare_exchange_weak(low, high, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(low..high),
                Err(now) => low = now,
            }
        }
    }

    /// Moves the end of a large chunk to a multiple of [`EVEN`], where the next one starts better for the caches.
    fn even(&self, low: usize, high: usize) -> usize {
        let is_large = self.grain == Grain::ByTime && high - low > EVEN && high < self.end;
        if is_large { high - high % EVEN } else { high }
    }

    /// Grows chunks that were too short, at most eightfold, and shrinks those that were too long.
    fn resize(&self, size: usize, len: usize, nanos: u64) -> usize {
        if len < size && nanos < CHUNK_NANOS {
            return size;
        }
        let fitting = len as u64 * CHUNK_NANOS / nanos.max(1);
        let next = usize::try_from(fitting).unwrap_or(usize::MAX).clamp(1, len.saturating_mul(8));
        self.size.store(next, Ordering::Relaxed);
        next
    }

    fn stop_if_cancelled(&self, worker: &Worker) {
        if worker.request().is_some_and(|request| worker.registry().is_cancelled(request)) {
            resume_unwind(Box::new(Cancelled));
        }
    }
}
