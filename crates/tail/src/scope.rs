//! `scope` and `spawn`: any number of tasks that may borrow from the frame of the scope, which ends when all have.

use crate::handle::Cancelled;
use crate::job::{Header, Payload};
use crate::latch::CountLatch;
use crate::request::Request;
use crate::sync::{Mutex, lock};
use crate::worker::Worker;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Where tasks are spawned; see [`scope`].
pub struct Scope<'scope> {
    latch: CountLatch,
    owner: usize,
    /// The request that the scope belongs to; null outside a pool.
    request: *const Request,
    panic: Mutex<Option<Payload>>,
    /// Invariant in its lifetime, so that tasks cannot borrow anything that ends before the scope.
    marker: PhantomData<fn(&'scope ()) -> &'scope ()>,
}

// SAFETY: the latch and the panic are made for sharing; the request is only compared, never followed.
unsafe impl Sync for Scope<'_> {}

impl std::fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

/// Runs the closure, which may spawn tasks, and returns when it and all of them have ended. Outside a pool, tasks run
/// as they are spawned.
///
/// # Panics
/// With the closure's panic, else with the first of a task's; never before all have ended.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
/// let pool = muster_tail::Pool::builder().threads(2).build().unwrap();
/// let sum = AtomicU32::new(0);
/// pool.run(|| {
///     muster_tail::scope(|s| {
///         for i in 0..10 {
///             let sum = &sum;
///             s.spawn(move |_| {
///                 sum.fetch_add(i, Ordering::Relaxed);
///             });
///         }
///     });
/// });
/// assert_eq!(sum.into_inner(), 45);
/// ```
pub fn scope<'scope, F, R>(body: F) -> R
where
    F: FnOnce(&Scope<'scope>) -> R,
{
    let worker = Worker::current();
    let scope = Scope {
        latch: CountLatch::new(),
        owner: worker.map_or(0, |worker| worker.index),
        request: worker.map_or(std::ptr::null(), Worker::request_ptr),
        panic: Mutex::new(None),
        marker: PhantomData,
    };
    let result = catch_unwind(AssertUnwindSafe(|| body(&scope)));
    // SAFETY: this is the owner's own part; it sets the latch itself if it was the last, so nobody needs unparking.
    unsafe { CountLatch::release(&raw const scope.latch, || ()) };
    if let Some(worker) = worker {
        worker.wait_for(scope.latch.latch());
    }
    let panic = lock(&scope.panic).take();
    match (result, panic) {
        (Ok(result), None) => result,
        (Err(payload), _) | (Ok(_), Some(payload)) => resume_unwind(payload),
    }
}

impl<'scope> Scope<'scope> {
    /// Adds a task; it may spawn more through the scope that it is given.
    pub fn spawn<F>(&self, task: F)
    where
        F: FnOnce(&Scope<'scope>) + Send + 'scope,
    {
        // From outside the scope's own request (another pool, another request), a task runs in place: it must not
        // outlive the request whose job it would be.
        let worker = Worker::current()
            .filter(|worker| !self.request.is_null() && worker.request_ptr() == self.request);
        let Some(worker) = worker else { return self.run(task) };
        self.latch.add();
        let job = Box::new(Task { header: Header::new(Task::<F>::execute, false), scope: self, task });
        worker.publish(Box::into_raw(job).cast::<Header>());
    }

    /// Runs a task, unless the request has been cancelled, and keeps its panic.
    fn run<F: FnOnce(&Self)>(&self, task: F) {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            crate::checkpoint();
            task(self);
        }));
        if let Err(payload) = outcome {
            let mut panic = lock(&self.panic);
            // A real panic says more than the cancellation that it may have caused elsewhere.
            if panic.as_ref().is_none_or(|before| before.is::<Cancelled>()) {
                *panic = Some(payload);
            }
        }
    }
}

#[repr(C)]
struct Task<'s, 'scope, F> {
    header: Header,
    scope: &'s Scope<'scope>,
    task: F,
}

impl<'scope, F: FnOnce(&Scope<'scope>) + Send + 'scope> Task<'_, 'scope, F> {
    unsafe fn execute(header: *const Header, worker: &Worker) {
        // SAFETY: made by `spawn` from a box of this very type, and executed once.
        let job = unsafe { Box::from_raw(header.cast_mut().cast::<Self>()) };
        let scope = job.scope;
        scope.run(job.task);
        let owner = scope.owner;
        // SAFETY: this task's part of the latch keeps the scope alive until here; not used afterwards.
        unsafe { CountLatch::release(&raw const scope.latch, || worker.registry().unpark(owner)) };
    }
}
