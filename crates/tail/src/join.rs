//! `join`: two closures, perhaps at the same time. The second is put aside as a private job; mostly nobody wants it,
//! and the worker runs it itself a moment later, for the price of a few instructions.

use crate::job::StackJob;
use crate::worker::Worker;
use std::panic::resume_unwind;

/// Runs both closures, perhaps in parallel, and gives both results. Outside a pool, one after the other.
///
/// # Panics
/// With the panic of the first closure, else of the second; never before both have ended.
///
/// ```
/// fn sum(values: &[u64]) -> u64 {
///     if values.len() < 1000 {
///         return values.iter().sum();
///     }
///     let (left, right) = values.split_at(values.len() / 2);
///     let (left, right) = muster_tail::join(|| sum(left), || sum(right));
///     left + right
/// }
/// let pool = muster_tail::Pool::builder().threads(2).build().unwrap();
/// let values: Vec<u64> = (0..10_000).collect();
/// assert_eq!(pool.run(|| sum(&values)), 49_995_000);
/// ```
#[inline]
pub fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    match Worker::current() {
        Some(worker) => join_on(worker, a, b),
        None => (a(), b()),
    }
}

#[inline(always)]
fn join_on<A, B, RA, RB>(worker: &Worker, a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA,
    B: FnOnce() -> RB + Send,
    RB: Send,
{
    let job = StackJob::new(b, worker.index);
    if !worker.push(job.header()) {
        let result = a();
        // SAFETY: the job was not pushed.
        return (result, unsafe { job.take() }());
    }
    let pending = Pending { worker, job: &job };
    let result_a = a();
    std::mem::forget(pending);
    if worker.take_back() {
        // SAFETY: the job was private until now, and is ours.
        return (result_a, unsafe { job.take() }());
    }
    (result_a, finish(worker, &job))
}

/// The second branch was shown to others: it is still in the deque, or somebody has it.
#[cold]
#[inline(never)]
fn finish<B, RB>(worker: &Worker, job: &StackJob<B, RB>) -> RB
where
    B: FnOnce() -> RB + Send,
    RB: Send,
{
    if worker.reclaim(job.header()) {
        // SAFETY: the job came out of the own deque, so nobody else has it.
        return unsafe { job.take() }();
    }
    worker.wait_for(&job.latch);
    // SAFETY: the latch is set.
    match unsafe { job.result() } {
        Ok(result) => result,
        Err(payload) => resume_unwind(payload),
    }
}

/// If the first branch panics, the second must still be gone before its frame is.
struct Pending<'a, F: FnOnce() -> R + Send, R: Send> {
    worker: &'a Worker,
    job: &'a StackJob<F, R>,
}

impl<F: FnOnce() -> R + Send, R: Send> Drop for Pending<'_, F, R> {
    #[cold]
    fn drop(&mut self) {
        // A branch that nobody has begun is dropped without being run, with the job.
        if !self.worker.take_back() && !self.worker.reclaim(self.job.header()) {
            self.worker.wait_for(&self.job.latch);
        }
    }
}

impl Worker {
    /// Takes a job back out of the own deque, running what lies above it; `false` if somebody else has it.
    fn reclaim(&self, job: *const crate::job::Header) -> bool {
        while let Some(next) = self.next_local() {
            if next == crate::job::JobRef::new(job) {
                return true;
            }
            self.run(next);
        }
        false
    }
}
