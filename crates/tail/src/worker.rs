//! A worker: one thread, its deque, and the jobs it has not shown to anyone yet. Pushing and taking back such a
//! private job costs a few instructions; only the oldest ones are moved to the deque, when thieves have emptied it.
//! Invariant: private jobs are `jobs[low..high]`, all of the current request, all newer than those in the deque.
//! Start at [`Worker::push`]; searching is in `search`, waiting in `wait`.

use crate::deque::Deque;
use crate::job::{Header, JobRef};
use crate::registry::{Registry, Slot};
use crate::request::Request;
use crate::sync::{Ordering, lock};
use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::Arc;

/// Private jobs at most; a deeper nest of joins runs in place.
const JOBS_MAX: usize = 512;

pub(crate) struct Worker {
    jobs: Box<[Cell<*const Header>; JOBS_MAX]>,
    low: Cell<usize>,
    high: Cell<usize>,
    slot: NonNull<Slot>,
    request: Cell<*const Request>,
    pub(crate) deque: Deque<JobRef>,
    pub(crate) index: usize,
    pub(crate) random: Cell<u64>,
    registry: Arc<Registry>,
}

#[cfg(not(shuttle))]
thread_local! {
    static CURRENT: Cell<*const Worker> = const { Cell::new(std::ptr::null()) };
}

#[cfg(shuttle)]
shuttle::thread_local! {
    static CURRENT: Cell<*const Worker> = Cell::new(std::ptr::null());
}

impl Worker {
    pub(crate) fn new(registry: Arc<Registry>, index: usize, deque: Deque<JobRef>) -> Self {
        Self {
            jobs: Box::new([const { Cell::new(std::ptr::null()) }; JOBS_MAX]),
            low: Cell::new(0),
            high: Cell::new(0),
            slot: NonNull::from(&*registry.slots[index]),
            request: Cell::new(std::ptr::null()),
            deque,
            index,
            random: Cell::new(index as u64 + 1),
            registry,
        }
    }

    /// Makes this the calling thread's worker while `live` runs.
    pub(crate) fn inhabit(&self, live: impl FnOnce(&Self)) {
        CURRENT.with(|current| current.set(self));
        live(self);
        CURRENT.with(|current| current.set(std::ptr::null()));
    }

    /// The calling thread's worker, if it is one. The reference is valid for as long as the thread runs pool code,
    /// which is as long as the caller's frame can exist.
    #[inline(always)]
    pub(crate) fn current<'a>() -> Option<&'a Self> {
        let worker = CURRENT.with(Cell::get);
        // SAFETY: set by `inhabit` on this very thread to a worker that outlives everything it runs, or null.
        unsafe { worker.as_ref() }
    }

    /// The same, if it belongs to this pool.
    pub(crate) fn current_of<'a>(registry: &Arc<Registry>) -> Option<&'a Self> {
        Self::current().filter(|worker| Arc::ptr_eq(&worker.registry, registry))
    }

    #[inline(always)]
    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    #[inline(always)]
    pub(crate) fn slot(&self) -> &Slot {
        // SAFETY: the slot lies in the registry's boxed slice, which the worker's Arc keeps alive and in place.
        unsafe { self.slot.as_ref() }
    }

    /// The current request.
    pub(crate) fn request(&self) -> Option<&Request> {
        // SAFETY: either null or the request whose code this thread is running, which lives until that code ends;
        // callers use it only from inside such code, or right after with a policy that watches (the slot holds it).
        unsafe { self.request.get().as_ref() }
    }

    pub(crate) fn request_ptr(&self) -> *const Request {
        self.request.get()
    }

    /// Adds a private job; `false` if there is no room, so that the caller runs it in place.
    #[inline(always)]
    pub(crate) fn push(&self, job: *const Header) -> bool {
        let high = self.high.get();
        let Some(place) = self.jobs.get(high) else { return false };
        place.set(job);
        self.high.set(high + 1);
        if self.slot().hungry.load(Ordering::Relaxed) {
            self.expose();
        }
        true
    }

    /// Takes the newest private job back; `false` if it is not private any more: then it is in the deque or gone.
    #[inline(always)]
    pub(crate) fn take_back(&self) -> bool {
        let high = self.high.get() - 1;
        self.high.set(high);
        if self.low.get() <= high {
            return true;
        }
        self.low.set(high);
        false
    }

    /// Shows the oldest private job to thieves.
    #[cold]
    #[inline(never)]
    fn expose(&self) {
        let low = self.low.get();
        if low < self.high.get() {
            self.low.set(low + 1);
            self.slot().hungry.store(false, Ordering::Relaxed);
            self.publish(self.jobs[low].get());
        }
    }

    /// Shows all private jobs: the worker is going to be busy with something else.
    pub(crate) fn expose_all(&self) {
        while self.low.get() < self.high.get() {
            self.expose();
        }
    }

    /// Puts a job of the current request into the deque and wakes someone for it.
    pub(crate) fn publish(&self, job: *const Header) {
        // SAFETY: the job is alive and not yet visible to anyone else.
        unsafe { (*job).belongs_to(self.request.get()) };
        self.republish(JobRef::new(job));
    }

    /// The same for a job whose request is set.
    pub(crate) fn republish(&self, job: JobRef) {
        self.deque.push(job);
        if !self.slot().closed.load(Ordering::Relaxed) {
            self.registry.announce();
        }
    }

    /// Goes over to another request (or none), and accounts the time that the last one took.
    pub(crate) fn switch_to(&self, next: *const Request) {
        let slot = self.slot();
        if self.registry.watches {
            let now = self.registry.clock.now();
            if let Some(request) = self.request() {
                request.add_processed(now.saturating_sub(slot.since.load(Ordering::Relaxed)));
            }
            slot.since.store(now, Ordering::Relaxed);
        }
        self.request.set(next);
        // SAFETY: the caller goes over to a request that is alive: it holds it, or one of its jobs.
        let request = unsafe { next.as_ref() };
        slot.request_id.store(request.map_or(0, |request| request.id), Ordering::Relaxed);
        let mut current = self.registry.watches.then(|| lock(&slot.current));
        slot.closed.store(request.is_some_and(Request::is_marked), Ordering::Release);
        if let Some(current) = &mut current {
            **current = request.map(share);
        }
    }

    /// Accounts a chunk that has just ended, and gives the request up if the policy is prompt and says so.
    pub(crate) fn tick(&self, now: u64) {
        if !self.registry.watches {
            return;
        }
        let Some(request) = self.request() else { return };
        let since = self.slot().since.load(Ordering::Relaxed);
        self.slot().since.store(now, Ordering::Relaxed);
        let processed = request.add_processed(now.saturating_sub(since));
        if self.registry.prompt && !request.is_marked() {
            self.judge(request, processed);
        }
    }

    /// Asks the policy about a request that has done so much.
    pub(crate) fn judge(&self, request: &Request, processed: u64) {
        if self.registry.policy.is_large(&self.registry.load(), &request.progress(processed)) {
            self.registry.mark(request);
        }
    }

    /// Whether this worker should leave the current request to its keeper at the next opportunity.
    pub(crate) fn should_leave(&self) -> bool {
        self.registry.prompt && self.request().is_some_and(Request::is_marked)
    }
}

/// One more owner of a request that is known by reference. Every request lives in an [`Arc`].
fn share(request: &Request) -> Arc<Request> {
    // SAFETY: all requests are made by `Arc::new` in `pool.rs`, and this one is alive, since it is borrowed.
    unsafe {
        Arc::increment_strong_count(request);
        Arc::from_raw(request)
    }
}
