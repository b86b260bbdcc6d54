//! Jobs: pieces of a request that a deque can hold. A job is referred to by its header, which knows how to execute
//! it; where the job lives (on a stack, on the heap) is the business of the one who made it.
//! Invariant: a [`JobRef`] is executed exactly once, and what it points to lives until then.

use crate::latch::Latch;
use crate::request::Request;
use crate::worker::Worker;
use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a panic carries.
pub(crate) type Payload = Box<dyn Any + Send>;

/// How a job is executed, by the worker that has taken it.
type Execute = unsafe fn(*const Header, &Worker);

/// The head of every job, always its first field.
#[repr(C)]
pub(crate) struct Header {
    execute: Execute,
    /// Its request; set before the job becomes visible to others.
    request: Cell<*const Request>,
    /// Whether executing it may be refused at no cost (a helping hand for a loop that its owner finishes anyway).
    pub(crate) is_help: bool,
}

impl Header {
    pub(crate) fn new(execute: Execute, is_help: bool) -> Self {
        Self { execute, request: Cell::new(std::ptr::null()), is_help }
    }

    pub(crate) fn belongs_to(&self, request: *const Request) {
        self.request.set(request);
    }
}

/// A job that waits to be executed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct JobRef(*const Header);

// SAFETY: a job is made so that any worker may execute it (its closure is Send); the reference itself is an address.
unsafe impl Send for JobRef {}

impl JobRef {
    pub(crate) fn new(header: *const Header) -> Self {
        Self(header)
    }

    /// The job's request.
    pub(crate) fn request(&self) -> *const Request {
        // SAFETY: a job that has not been executed is alive; its request was set before it became visible.
        unsafe { (*self.0).request.get() }
    }

    pub(crate) fn is_help(&self) -> bool {
        // SAFETY: as above.
        unsafe { (*self.0).is_help }
    }

    /// Executes the job.
    ///
    /// # Safety
    /// Called once for each reference.
    pub(crate) unsafe fn execute(self, worker: &Worker) {
        // SAFETY: the job is alive, since it has not been executed.
        unsafe { ((*self.0).execute)(self.0, worker) }
    }
}

/// The second branch of a join, on the stack of the worker that joined.
#[repr(C)]
pub(crate) struct StackJob<F, R> {
    header: Header,
    pub(crate) latch: Latch,
    owner: usize,
    func: UnsafeCell<Option<F>>,
    result: UnsafeCell<Option<Result<R, Payload>>>,
}

impl<F: FnOnce() -> R + Send, R: Send> StackJob<F, R> {
    #[inline(always)]
    pub(crate) fn new(func: F, owner: usize) -> Self {
        Self {
            header: Header::new(Self::execute, false),
            latch: Latch::new(),
            owner,
            func: UnsafeCell::new(Some(func)),
            result: UnsafeCell::new(None),
        }
    }

    #[inline(always)]
    pub(crate) fn header(&self) -> *const Header {
        &raw const self.header
    }

    /// The closure, for the owner to run it in place.
    ///
    /// # Safety
    /// Nobody else has executed the job or will.
    #[inline(always)]
    pub(crate) unsafe fn take(&self) -> F {
        // SAFETY: only the owner has access, by the caller's promise.
        unsafe { (*self.func.get()).take() }.expect("a job is run once")
    }

    /// What the thief left.
    ///
    /// # Safety
    /// The latch is set.
    pub(crate) unsafe fn result(&self) -> Result<R, Payload> {
        // SAFETY: the thief wrote before it set the latch, and does not touch the job any more.
        unsafe { (*self.result.get()).take() }.expect("an executed job has a result")
    }

    unsafe fn execute(header: *const Header, worker: &Worker) {
        let job = header.cast::<Self>();
        // SAFETY: the header is the first field of this very type; the owner waits for the latch, so the job is alive
        // and ours alone.
        let (func, owner) = unsafe { ((*job).take(), (*job).owner) };
        let result = catch_unwind(AssertUnwindSafe(func));
        // SAFETY: as above; setting the latch is the last access.
        unsafe {
            *(*job).result.get() = Some(result);
            Latch::set(&raw const (*job).latch, || worker.registry().unpark(owner));
        }
    }
}
