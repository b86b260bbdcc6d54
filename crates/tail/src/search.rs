//! How a worker finds something to do: its own jobs, then what the policy says. The order of trying is in
//! `Worker::find`, one line per policy. Does not know how requests are cut into jobs.

use crate::deque::Steal;
use crate::job::JobRef;
use crate::policy::Order;
use crate::request::Request;
use crate::sync::{LOOKS, Ordering, spin_loop, yield_now};
use crate::worker::Worker;
use std::sync::Arc;

/// Something to do.
enum Found {
    Job(JobRef),
    Root(Arc<Request>),
}

impl Worker {
    /// The life of a worker: until the pool is closed and empty.
    pub(crate) fn live(&self) {
        self.registry().sleep.move_in(self.index);
        while let Some(found) = self.search() {
            self.do_all(found);
        }
    }

    /// The life of a spare worker: it works while blocked workers have given their cores back.
    pub(crate) fn live_as_spare(&self) {
        let registry = self.registry();
        let bed = self.index - registry.threads;
        registry.spares.move_in(bed);
        while !registry.is_over() {
            registry.spares.begin_search();
            registry.spares.lie_down(bed, || {
                registry.is_over() || (registry.cores_free.load(Ordering::SeqCst) > 0 && registry.has_work())
            });
            let _ = registry.spares.end_search();
            self.stand_in();
        }
    }

    /// Works on a core that was given back, for as long as it is not wanted again.
    fn stand_in(&self) {
        let free = &self.registry().cores_free;
        let take = |n: isize| (n > 0).then(|| n - 1);
        if free.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_err() {
            return;
        }
        while free.load(Ordering::SeqCst) >= 0
            && let Some(found) = self.find()
        {
            self.do_all(found);
        }
        free.fetch_add(1, Ordering::SeqCst);
    }

    /// Does what was found and everything local that follows from it.
    fn do_all(&self, found: Found) {
        match found {
            Found::Job(job) => self.run(job),
            Found::Root(request) => self.run_root(&request),
        }
        while let Some(job) = self.next_local() {
            self.run(job);
        }
        self.switch_to(std::ptr::null());
    }

    /// Looks around for a while, then sleeps, and so on; `None` when the pool is over.
    fn search(&self) -> Option<Found> {
        let registry = self.registry();
        registry.sleep.begin_search();
        let mut looks = 0;
        loop {
            if looks == 0 && registry.watches {
                self.check_all();
            }
            if let Some(found) = self.find() {
                if registry.sleep.end_search() && registry.has_work() {
                    registry.announce();
                }
                return Some(found);
            }
            if registry.is_over() {
                let _ = registry.sleep.end_search();
                return None;
            }
            looks += 1;
            if looks < LOOKS {
                pause(looks);
            } else {
                registry.sleep.lie_down(self.index, || registry.has_work() || registry.is_over());
                looks = 0;
            }
        }
    }

    fn find(&self) -> Option<Found> {
        let registry = self.registry();
        if let Some(job) = registry.take_stray() {
            return Some(Found::Job(job));
        }
        if let Some(request) = self.slot().take_inbox() {
            return Some(Found::Root(request));
        }
        match registry.policy.order(&registry.load()) {
            Order::StealFirst => self.steal().or_else(|| self.admit()),
            Order::AdmitFirst => self.admit().or_else(|| self.steal()),
        }
    }

    fn admit(&self) -> Option<Found> {
        self.registry().admit().map(Found::Root)
    }

    /// Tries every other worker once, from a random one on.
    fn steal(&self) -> Option<Found> {
        let slots = &self.registry().slots;
        let first = self.draw(slots.len());
        for place in (first..first + slots.len()).map(|place| place % slots.len()) {
            let slot = &slots[place];
            if place == self.index {
                continue;
            }
            if !slot.closed.load(Ordering::Acquire)
                && let Some(job) = self.steal_from(place)
                && let Some(job) = self.keep_or_hand(job)
            {
                return Some(Found::Job(job));
            }
            if let Some(request) = slot.take_inbox() {
                return Some(Found::Root(request));
            }
        }
        None
    }

    fn steal_from(&self, victim: usize) -> Option<JobRef> {
        let slot = &self.registry().slots[victim];
        loop {
            match slot.stealer.steal() {
                Steal::Success(job) => {
                    slot.hungry.store(true, Ordering::Relaxed);
                    return Some(job);
                }
                Steal::Retry => spin_loop(),
                Steal::Empty => break,
            }
        }
        if !slot.hungry.load(Ordering::Relaxed) {
            slot.hungry.store(true, Ordering::Relaxed);
        }
        None
    }

    /// A job of the own request from somebody else's deque: all that a waiting worker may take.
    pub(crate) fn steal_same(&self) -> Option<JobRef> {
        let request = self.request()?;
        if request.is_marked() {
            return None;
        }
        let slots = &self.registry().slots;
        let first = self.draw(slots.len());
        for place in (first..first + slots.len()).map(|place| place % slots.len()) {
            if place == self.index || slots[place].request_id.load(Ordering::Relaxed) != request.id {
                continue;
            }
            match self.steal_from(place) {
                Some(job) if std::ptr::eq(job.request(), request) => return Some(job),
                Some(job) => self.registry().push_stray(job),
                None => {}
            }
        }
        None
    }

    /// A job of a request that was given up goes to its keeper, if that is somebody else.
    pub(crate) fn keep_or_hand(&self, job: JobRef) -> Option<JobRef> {
        if !self.registry().prompt || job.is_help() {
            return Some(job);
        }
        // SAFETY: a request lives as long as one of its jobs has not been executed.
        let request = unsafe { &*job.request() };
        if request.is_marked() { request.keep_or_hand(self.index, job) } else { Some(job) }
    }

    /// What a thief does before it steals: sums up the work of all requests that run, and gives up the large ones.
    fn check_all(&self) {
        let registry = self.registry();
        let mut sums: Vec<(Arc<Request>, u64)> = Vec::new();
        let now = registry.clock.now();
        for slot in &registry.slots {
            let Ok(current) = slot.current.try_lock() else { continue };
            let Some(request) = current.as_ref().filter(|request| !request.is_marked()) else { continue };
            let extra = now.saturating_sub(slot.since.load(Ordering::Relaxed));
            match sums.iter_mut().find(|(other, _)| other.id == request.id) {
                Some((_, sum)) => *sum += extra,
                None => sums.push((request.clone(), request.processed() + extra)),
            }
        }
        for (request, processed) in sums {
            self.judge(&request, processed);
        }
    }

    /// A cheap random number below `n`; the quality hardly matters.
    fn draw(&self, n: usize) -> usize {
        let mut x = self.random.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.random.set(x);
        (x % n as u64) as usize
    }
}

/// Lets a little time pass: longer, and for others' benefit, the longer it has been in vain.
pub(crate) fn pause(looks: u32) {
    if looks.is_multiple_of(8) {
        yield_now();
    } else {
        (0..looks.min(32)).for_each(|_| spin_loop());
    }
}
