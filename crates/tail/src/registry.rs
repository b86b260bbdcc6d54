//! What the workers of a pool share: the queue of requests, the deques to steal from, who works on what, and the
//! counts that policies look at. Does not run anything itself. Start at [`Registry::submit`] and
//! [`Registry::has_work`].

use crate::clock::{Clock, ms};
use crate::deque::Stealer;
use crate::job::JobRef;
use crate::lanes::Lanes;
use crate::policy::{Finished, Goal, Load, Placement, Serialise, TailPolicy};
use crate::request::Request;
use crate::sleep::Sleep;
use crate::sync::{AtomicBool, AtomicIsize, AtomicU64, AtomicUsize, Mutex, Ordering, fence, lock};
use crossbeam_utils::CachePadded;
use std::collections::VecDeque;
use std::sync::Arc;

pub(crate) struct Registry {
    pub(crate) policy: Box<dyn TailPolicy>,
    /// The policy's fixed answers, asked once.
    pub(crate) watches: bool,
    pub(crate) prompt: bool,
    placement: Placement,
    pub(crate) threads: usize,
    pub(crate) slots: Box<[CachePadded<Slot>]>,
    pub(crate) sleep: Sleep,
    pub(crate) spares: Sleep,
    /// Cores that blocked workers have given back; negative while more workers run than there are cores.
    pub(crate) cores_free: AtomicIsize,
    lanes: Mutex<Lanes<Arc<Request>>>,
    waiting: AtomicUsize,
    active: AtomicUsize,
    /// Jobs that fell into the hands of a worker that must not run them.
    strays: Mutex<VecDeque<JobRef>>,
    strays_len: AtomicUsize,
    closing: AtomicBool,
    aborting: AtomicBool,
    ids: AtomicU64,
    finished: AtomicU64,
    marked: AtomicU64,
    pub(crate) clock: Clock,
}

/// What others may see of one worker.
pub(crate) struct Slot {
    pub(crate) stealer: Stealer<JobRef>,
    /// Whether thieves would like to find something here.
    pub(crate) hungry: AtomicBool,
    /// Whether its jobs belong to a request that was given up.
    pub(crate) closed: AtomicBool,
    /// The request it works on (0: none), for those who look for work of the same request.
    pub(crate) request_id: AtomicU64,
    /// Since when, in nanoseconds of the pool's clock.
    pub(crate) since: AtomicU64,
    /// The request itself, for those who sum up the work done.
    pub(crate) current: Mutex<Option<Arc<Request>>>,
    inbox: Mutex<VecDeque<Arc<Request>>>,
    inbox_len: AtomicUsize,
}

impl Slot {
    /// `alone`: there are no thieves, so nothing is ever shown to them.
    pub(crate) fn new(stealer: Stealer<JobRef>, alone: bool) -> Self {
        Self {
            stealer,
            hungry: AtomicBool::new(!alone),
            closed: AtomicBool::new(false),
            request_id: AtomicU64::new(0),
            since: AtomicU64::new(0),
            current: Mutex::new(None),
            inbox: Mutex::new(VecDeque::new()),
            inbox_len: AtomicUsize::new(0),
        }
    }

    pub(crate) fn take_inbox(&self) -> Option<Arc<Request>> {
        if self.inbox_len.load(Ordering::Acquire) == 0 {
            return None;
        }
        let request = lock(&self.inbox).pop_front()?;
        self.inbox_len.fetch_sub(1, Ordering::Release);
        Some(request)
    }

    fn has_work(&self) -> bool {
        self.inbox_len.load(Ordering::Acquire) > 0
            || (!self.closed.load(Ordering::Acquire) && !self.stealer.is_empty())
    }
}

impl Registry {
    pub(crate) fn new(policy: Box<dyn TailPolicy>, threads: usize, slots: Vec<Slot>) -> Self {
        let (watches, serialise, placement) = (policy.watches(), policy.serialise(), policy.placement());
        let spares = slots.len() - threads;
        Self {
            policy,
            watches,
            prompt: watches && serialise == Serialise::Prompt,
            placement,
            threads,
            slots: slots.into_iter().map(CachePadded::new).collect(),
            sleep: Sleep::new(threads),
            spares: Sleep::new(spares),
            cores_free: AtomicIsize::new(0),
            lanes: Mutex::new(Lanes::default()),
            waiting: AtomicUsize::new(0),
            active: AtomicUsize::new(0),
            strays: Mutex::new(VecDeque::new()),
            strays_len: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            aborting: AtomicBool::new(false),
            ids: AtomicU64::new(0),
            finished: AtomicU64::new(0),
            marked: AtomicU64::new(0),
            clock: Clock::new(),
        }
    }

    pub(crate) fn load(&self) -> Load {
        let active = self.active.load(Ordering::Relaxed);
        Load { active, waiting: self.waiting.load(Ordering::Relaxed), cores: self.threads }
    }

    pub(crate) fn totals(&self) -> (u64, u64) {
        (self.finished.load(Ordering::Relaxed), self.marked.load(Ordering::Relaxed))
    }

    pub(crate) fn next_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// A request has arrived: it waits where the policy wants it.
    pub(crate) fn submit(&self, request: Arc<Request>) {
        self.active.fetch_add(1, Ordering::Relaxed);
        self.policy.arrived(ms(request.arrival), &self.load(), request.goal);
        match self.placement {
            Placement::Shared => {
                let is_batch = request.goal == Goal::Batch;
                let mut lanes = lock(&self.lanes);
                lanes.push(request, is_batch);
                self.waiting.store(lanes.len(), Ordering::Release);
            }
            Placement::RandomWorker => {
                let slot = &self.slots[scatter(request.id) as usize % self.threads];
                lock(&slot.inbox).push_back(request);
                slot.inbox_len.fetch_add(1, Ordering::Release);
            }
        }
        self.announce();
    }

    /// The next request to begin.
    pub(crate) fn admit(&self) -> Option<Arc<Request>> {
        if self.waiting.load(Ordering::Acquire) == 0 {
            return None;
        }
        let mut lanes = lock(&self.lanes);
        let request = lanes.pop();
        self.waiting.store(lanes.len(), Ordering::Release);
        request
    }

    /// Takes this request out of the queue, if it still waits.
    pub(crate) fn withdraw(&self, request: &Arc<Request>) -> Option<Arc<Request>> {
        let fits = |other: &Arc<Request>| Arc::ptr_eq(other, request);
        let mut lanes = lock(&self.lanes);
        let found = lanes.remove(fits);
        self.waiting.store(lanes.len(), Ordering::Release);
        drop(lanes);
        found.or_else(|| self.slots.iter().find_map(|slot| slot.withdraw(fits)))
    }

    /// Work has become visible: wakes a worker if need be, or a spare one if a core was given back.
    pub(crate) fn announce(&self) {
        if !self.sleep.announce() && self.cores_free.load(Ordering::SeqCst) > 0 {
            self.spares.announce();
        }
    }

    /// Whether an idle worker would find something.
    pub(crate) fn has_work(&self) -> bool {
        self.waiting.load(Ordering::Acquire) > 0
            || self.strays_len.load(Ordering::Acquire) > 0
            || self.slots.iter().any(|slot| slot.has_work())
    }

    pub(crate) fn push_stray(&self, job: JobRef) {
        lock(&self.strays).push_back(job);
        self.strays_len.fetch_add(1, Ordering::Release);
        self.announce();
    }

    pub(crate) fn take_stray(&self) -> Option<JobRef> {
        if self.strays_len.load(Ordering::Acquire) == 0 {
            return None;
        }
        let job = lock(&self.strays).pop_front()?;
        self.strays_len.fetch_sub(1, Ordering::Release);
        Some(job)
    }

    /// Gives a request up: whoever works on it closes the deque.
    pub(crate) fn mark(&self, request: &Request) {
        if !request.mark() {
            return;
        }
        self.marked.fetch_add(1, Ordering::Relaxed);
        for slot in &self.slots {
            let current = lock(&slot.current);
            if current.as_ref().is_some_and(|other| other.id == request.id) {
                slot.closed.store(true, Ordering::Release);
            }
        }
    }

    pub(crate) fn finish(&self, request: &Request) {
        let now = self.clock.now();
        let (work, latency) = (ms(request.processed()), ms(now.saturating_sub(request.arrival)));
        self.policy.finished(&Finished { now: ms(now), work, latency });
        self.finished.fetch_add(1, Ordering::Relaxed);
        let last = self.active.fetch_sub(1, Ordering::SeqCst) == 1;
        if last && self.closing.load(Ordering::SeqCst) {
            self.wake_everyone();
        }
    }

    pub(crate) fn cancel(&self, request: &Arc<Request>) {
        request.cancel();
        if let Some(waiting) = self.withdraw(request) {
            self.refuse(&waiting);
        }
    }

    /// Ends a request that has not begun.
    pub(crate) fn refuse(&self, request: &Request) {
        let root = request.take_root();
        self.finish(request);
        if let Some(root) = root {
            root.finish();
        }
    }

    pub(crate) fn is_cancelled(&self, request: &Request) -> bool {
        request.is_cancelled() || self.aborting.load(Ordering::Relaxed)
    }

    /// No more requests; those that are here run to their end, or are cancelled.
    pub(crate) fn close(&self, abort: bool) {
        if abort {
            self.aborting.store(true, Ordering::SeqCst);
        }
        self.closing.store(true, Ordering::SeqCst);
        self.wake_everyone();
    }

    /// Whether workers may go home.
    pub(crate) fn is_over(&self) -> bool {
        self.closing.load(Ordering::SeqCst) && self.active.load(Ordering::SeqCst) == 0
    }

    pub(crate) fn unpark(&self, worker: usize) {
        match worker.checked_sub(self.threads) {
            None => self.sleep.unpark_bed(worker),
            Some(spare) => self.spares.unpark_bed(spare),
        }
    }

    /// A worker blocks: its core is free for a spare worker, if there is something to do.
    pub(crate) fn give_core_back(&self) {
        self.cores_free.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if self.has_work() {
            self.spares.announce();
        }
    }

    pub(crate) fn take_core_again(&self) {
        self.cores_free.fetch_sub(1, Ordering::SeqCst);
    }

    fn wake_everyone(&self) {
        self.sleep.wake_all();
        self.spares.wake_all();
    }
}

impl Slot {
    fn withdraw(&self, fits: impl Fn(&Arc<Request>) -> bool) -> Option<Arc<Request>> {
        let mut inbox = lock(&self.inbox);
        let place = inbox.iter().position(fits)?;
        self.inbox_len.fetch_sub(1, Ordering::Release);
        inbox.remove(place)
    }
}

/// Scrambles a counter, so that placement looks random and needs no shared state.
fn scatter(id: u64) -> u64 {
    (id.wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 33
}
