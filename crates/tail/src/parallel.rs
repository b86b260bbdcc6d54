//! What users call inside a request: loops and reductions over ranges and slices, and a word with the scheduler.
//! All of it also works outside a pool, in place and in order.

use crate::handle::Cancelled;
use crate::loops::{Body, Grain, run};
use crate::request::Request;
use crate::sync::{Mutex, lock};
use crate::worker::Worker;
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::resume_unwind;

/// Calls the closure for every index of the range, in parallel, in no particular order.
///
/// # Panics
/// With the first panic of the closure, after all others have ended.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// let pool = muster_tail::Pool::builder().threads(2).build().unwrap();
/// let sum = AtomicUsize::new(0);
/// pool.run(|| muster_tail::par_for(0..1000, |i| {
///     sum.fetch_add(i, Ordering::Relaxed);
/// }));
/// assert_eq!(sum.into_inner(), 499_500);
/// ```
pub fn par_for<F: Fn(usize) + Sync>(range: Range<usize>, each: F) {
    run(range, Grain::ByTime, &Each(|range: Range<usize>| range.for_each(&each)));
}

/// The same in chunks of so many indices: a fixed cut instead of one by time.
///
/// # Panics
/// If `grain` is 0; and as [`par_for`].
pub fn par_for_grain<F: Fn(usize) + Sync>(range: Range<usize>, grain: usize, each: F) {
    run(range, fixed(grain), &Each(|range: Range<usize>| range.for_each(&each)));
}

/// Calls the closure for every element of the slice, in parallel.
///
/// ```
/// let pool = muster_tail::Pool::builder().threads(2).build().unwrap();
/// let mut values = vec![1; 1000];
/// pool.run(|| muster_tail::par_for_each(&mut values, |value| *value += 1));
/// assert!(values.iter().all(|value| *value == 2));
/// ```
pub fn par_for_each<T: Send, F: Fn(&mut T) + Sync>(slice: &mut [T], each: F) {
    let parts = Parts::new(slice);
    run(0..parts.len, Grain::ByTime, &Each(|range| parts.get(range).iter_mut().for_each(&each)));
}

/// A slice from which each chunk of a loop borrows a part of its own.
struct Parts<'a, T> {
    first: *mut T,
    len: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: a chunk's part is moved to the thread that runs the chunk, which T: Send allows.
unsafe impl<T: Send> Sync for Parts<'_, T> {}

impl<'a, T> Parts<'a, T> {
    fn new(slice: &'a mut [T]) -> Self {
        Self { first: slice.as_mut_ptr(), len: slice.len(), slice: PhantomData }
    }

    #[allow(clippy::mut_from_ref, reason = "the loop hands out each index once, so the parts never overlap")]
    fn get(&self, range: Range<usize>) -> &mut [T] {
        debug_assert!(range.end <= self.len);
        // SAFETY: within the slice, which is borrowed for as long as `self`; the cursor gives each index to one chunk
        // only, and `get` is called once for each chunk.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(range.start), range.len()) }
    }
}

/// Maps every index and combines the results, in parallel. `combine` must be associative, and `identity` neutral;
/// the order of operands is kept, so it need not be commutative. How the range is cut depends on timing, so sums of
/// floating-point numbers may differ in their last bits: [`par_reduce_grain`] does not have that.
///
/// ```
/// let pool = muster_tail::Pool::builder().threads(2).build().unwrap();
/// let sum = pool.run(|| muster_tail::par_reduce(0..1001, || 0, |i| i * i, |a, b| a + b));
/// assert_eq!(sum, 333_833_500);
/// ```
pub fn par_reduce<T, I, M, C>(range: Range<usize>, identity: I, map: M, combine: C) -> T
where
    T: Send,
    I: Fn() -> T + Sync,
    M: Fn(usize) -> T + Sync,
    C: Fn(T, T) -> T + Sync,
{
    let fold = |mut sum: T, range: Range<usize>| {
        for i in range {
            sum = combine(sum, map(i));
        }
        sum
    };
    reduce(range, Grain::ByTime, &identity, &fold, &combine)
}

/// The same in chunks of so many indices: the same cut, so the same result to the last bit, on any number of threads.
///
/// # Panics
/// If `grain` is 0.
pub fn par_reduce_grain<T, I, M, C>(range: Range<usize>, grain: usize, identity: I, map: M, combine: C) -> T
where
    T: Send,
    I: Fn() -> T + Sync,
    M: Fn(usize) -> T + Sync,
    C: Fn(T, T) -> T + Sync,
{
    let fold = |mut sum: T, range: Range<usize>| {
        for i in range {
            sum = combine(sum, map(i));
        }
        sum
    };
    reduce(range, fixed(grain), &identity, &fold, &combine)
}

/// Maps every element of the slice and combines the results, as [`par_reduce`] does.
pub fn par_reduce_slice<E, T, I, M, C>(slice: &[E], identity: I, map: M, combine: C) -> T
where
    E: Sync,
    T: Send,
    I: Fn() -> T + Sync,
    M: Fn(&E) -> T + Sync,
    C: Fn(T, T) -> T + Sync,
{
    let fold =
        |sum: T, range: Range<usize>| slice[range].iter().fold(sum, |sum, value| combine(sum, map(value)));
    reduce(0..slice.len(), Grain::ByTime, &identity, &fold, &combine)
}

fn fixed(grain: usize) -> Grain {
    assert!(grain > 0, "the grain of a loop is at least 1");
    Grain::Fixed(grain)
}

fn reduce<T: Send>(
    range: Range<usize>,
    grain: Grain,
    identity: &(impl Fn() -> T + Sync),
    fold: &(impl Fn(T, Range<usize>) -> T + Sync),
    combine: &impl Fn(T, T) -> T,
) -> T {
    let sums = Mutex::new(Vec::new());
    run(range, grain, &Reduce { identity, fold, merge: grain == Grain::ByTime, sums: &sums });
    let mut sums = std::mem::take(&mut *lock(&sums));
    sums.sort_unstable_by_key(|sum: &Sum<T>| sum.range.start);
    sums.into_iter().map(|sum| sum.value).reduce(combine).unwrap_or_else(identity)
}

/// A loop without memory.
struct Each<F>(F);

impl<F: Fn(Range<usize>) + Sync> Body for Each<F> {
    type Local = ();
    fn local(&self) {}
    fn chunk(&self, (): &mut (), range: Range<usize>) {
        (self.0)(range);
    }
    fn leave(&self, (): ()) {}
}

/// The result of one stretch of the range.
struct Sum<T> {
    range: Range<usize>,
    value: T,
}

struct Reduce<'a, T, I, F> {
    identity: &'a I,
    fold: &'a F,
    /// Whether a chunk goes on with the sum of the chunk just before it.
    merge: bool,
    sums: &'a Mutex<Vec<Sum<T>>>,
}

impl<T: Send, I: Fn() -> T + Sync, F: Fn(T, Range<usize>) -> T + Sync> Body for Reduce<'_, T, I, F> {
    type Local = Vec<Sum<T>>;

    fn local(&self) -> Self::Local {
        Vec::new()
    }

    fn chunk(&self, local: &mut Self::Local, range: Range<usize>) {
        let continued = local.pop_if(|sum| self.merge && sum.range.end == range.start);
        let (start, value) = match continued {
            Some(sum) => (sum.range.start, sum.value),
            None => (range.start, (self.identity)()),
        };
        let end = range.end;
        local.push(Sum { range: start..end, value: (self.fold)(value, range) });
    }

    fn leave(&self, local: Self::Local) {
        lock(self.sums).extend(local);
    }
}

/// Inside a request that has been cancelled, unwinds out of it; otherwise nothing. Loops and spawned tasks do this by
/// themselves.
pub fn checkpoint() {
    if is_cancelled() {
        resume_unwind(Box::new(Cancelled));
    }
}

/// Whether the current request has been cancelled.
pub fn is_cancelled() -> bool {
    Worker::current()
        .is_some_and(|worker| worker.request().is_some_and(|request| worker.registry().is_cancelled(request)))
}

/// Whether the current request was admitted only degraded, so that it should do less.
pub fn is_degraded() -> bool {
    Worker::current().is_some_and(|worker| worker.request().is_some_and(Request::is_degraded))
}

/// Whether the current request has been given up: it runs on one core from now on, and may want to stop early.
pub fn is_given_up() -> bool {
    Worker::current().is_some_and(|worker| worker.request().is_some_and(Request::is_marked))
}
