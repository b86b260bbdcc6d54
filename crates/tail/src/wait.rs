//! How a worker runs jobs and waits. A worker that waits in a join may help its own request, but never begins or
//! joins another one: a long task there would hold up what it waits for. If there is nothing to help with, it
//! gives its core to a spare worker and sleeps. Start at [`Worker::wait_for`].

use crate::job::JobRef;
use crate::latch::Latch;
use crate::request::Request;
use crate::search::pause;
use crate::sync::{LOOKS, Ordering, park};
use crate::worker::Worker;
use std::sync::Arc;

impl Worker {
    /// The newest job of the own deque that is not somebody else's to keep.
    pub(crate) fn next_local(&self) -> Option<JobRef> {
        while let Some(job) = self.deque.pop() {
            self.slot().hungry.store(self.registry().slots.len() > 1, Ordering::Relaxed);
            if let Some(job) = self.keep_or_hand(job) {
                return Some(job);
            }
        }
        None
    }

    /// Runs a job, as part of its request.
    pub(crate) fn run(&self, job: JobRef) {
        let (before, request) = (self.request_ptr(), job.request());
        if before != request {
            self.switch_to(request);
        }
        // SAFETY: the reference came out of a deque or queue, which gives each out once.
        unsafe { job.execute(self) };
        if self.registry().prompt {
            self.see_to_handed();
        }
        if before != request && !before.is_null() {
            self.switch_to(before);
        }
    }

    /// Runs the pieces that others have handed to this worker as the keeper of the current request.
    fn see_to_handed(&self) {
        // The slot holds the request, since the policy watches; so it is alive even if that was its last job.
        while let Some(piece) = self.next_handed() {
            // SAFETY: as in `run`.
            unsafe { piece.execute(self) };
        }
    }

    fn next_handed(&self) -> Option<JobRef> {
        let request = self.request().filter(|request| request.is_marked())?;
        request.next_handed(self.index)
    }

    /// Begins a request and runs it to its end.
    pub(crate) fn run_root(&self, request: &Arc<Request>) {
        let (registry, before) = (self.registry(), self.request_ptr());
        self.switch_to(Arc::as_ptr(request));
        if registry.prompt {
            request.begin(self.index);
        }
        if registry.watches {
            let progress = request.progress(0);
            if registry.policy.is_large_at_start(&registry.load(), &progress) {
                registry.mark(request);
            }
        }
        let mut root = request.take_root().expect("a request is begun once");
        if !registry.is_cancelled(request) {
            root.run();
        }
        self.switch_to(before);
        registry.finish(request);
        root.finish();
    }

    /// Waits until the latch is set, helping the own request meanwhile.
    pub(crate) fn wait_for(&self, latch: &Latch) {
        self.expose_all();
        let mut looks = 0;
        while !latch.is_set() {
            if let Some(job) = self.next_of_own() {
                self.run(job);
                looks = 0;
            } else if looks < LOOKS {
                looks += 1;
                pause(looks);
            } else if self.may_block() {
                self.block(|| latch.wait(park));
            }
        }
    }

    fn next_of_own(&self) -> Option<JobRef> {
        let handed = || if self.registry().prompt { self.next_handed() } else { None };
        self.next_local().or_else(handed).or_else(|| self.steal_same())
    }

    fn may_block(&self) -> bool {
        !self.registry().prompt || self.request().is_none_or(|request| request.may_block(self.index))
    }

    /// Blocks the thread; its core is free for others meanwhile, and the time is nobody's work.
    fn block<R>(&self, wait: impl FnOnce() -> R) -> R {
        let request = self.request_ptr();
        self.switch_to(std::ptr::null());
        self.registry().give_core_back();
        let result = wait();
        self.registry().take_core_again();
        self.switch_to(request);
        if self.registry().prompt
            && let Some(request) = self.request()
        {
            request.goes_on(self.index);
        }
        result
    }

    /// Waits inside one request for another: runs it here if nobody has begun it, else blocks.
    pub(crate) fn help_or_yield<R>(
        &self,
        request: &Arc<Request>,
        is_done: impl Fn() -> bool,
        take: impl FnOnce() -> R,
    ) -> R {
        self.expose_all();
        while !self.may_block() {
            let piece = self.next_handed();
            piece.into_iter().for_each(|piece| self.run(piece));
        }
        let own = self.request_ptr();
        if let Some(waiting) = self.registry().withdraw(request) {
            self.run_root(&waiting);
        }
        if is_done() {
            // SAFETY: the code that waits belongs to this request, so it is alive; or it is null.
            if let Some(own) = unsafe { own.as_ref() } {
                own.goes_on(self.index);
            }
            return take();
        }
        self.block(take)
    }
}
