//! `last-on-this-job`: the worker whose last task was of the same job; else who has waited longest.

use std::collections::BTreeSet;

use crate::ids::JobId;
use crate::policy::settings::Reader;
use crate::policy::{Change, Entry, What};
use crate::state::worker::{Standing, Worker};
use crate::table::Slot;
use crate::view::{Offer, View};

use super::Matching;
use super::waiting::Waiting;

/// How it is named and started.
pub const ENTRY: Entry<dyn Matching> = Entry {
    name: "last-on-this-job",
    about: "A worker whose last task was of the same job; if none waits, who has waited longest.",
    settings: &[],
    version: 1,
    start: |start| {
        Reader::new(start.spec, &[])?;
        Ok(Box::new(LastOnThisJob::of(start.view)))
    },
};

#[derive(Debug)]
struct LastOnThisJob {
    waiting: Waiting,
    /// Who waits, by last job and then by since when.
    by_job: BTreeSet<(JobId, u64, Slot<Worker>)>,
    /// The last job of each who waits, by place.
    jobs: Vec<Option<JobId>>,
}

impl LastOnThisJob {
    fn of(view: View<'_>) -> Self {
        let waiting = Waiting::start(|_, _, _| 0, view);
        let mut policy = Self { waiting, by_job: BTreeSet::new(), jobs: Vec::new() };
        for worker in view.workers().filter(|worker| worker.standing == Standing::Idle) {
            let slot = view.state.workers.find(worker.id).expect("members are there");
            policy.add(slot, view);
        }
        policy
    }

    fn add(&mut self, slot: Slot<Worker>, view: View<'_>) {
        let worker = view.state.worker_at(slot);
        if self.jobs.len() <= slot.index() {
            self.jobs.resize(slot.index() + 1, None);
        }
        self.jobs[slot.index()] = worker.last_job;
        self.by_job.extend(worker.last_job.map(|job| (job, worker.idle_seq, slot)));
    }
}

impl Matching for LastOnThisJob {
    fn note(&mut self, change: &Change, view: View<'_>) {
        self.waiting.note(change, view);
        match change.what {
            What::Idle(worker) => self.add(worker, view),
            What::NotIdle { worker, seq } => {
                if let Some(job) = self.jobs[worker.index()].take() {
                    self.by_job.remove(&(job, seq, worker));
                }
            }
            _ => {}
        }
    }

    fn choose(&self, offer: &Offer<'_>) -> Option<Slot<Worker>> {
        let job = offer.view.job(offer.lane).id;
        let same = self.by_job.range((job, 0, Slot::new(0))..).take_while(|(known, ..)| *known == job);
        let known = same.map(|(.., worker)| *worker).find(|worker| offer.fits(*worker));
        known.or_else(|| self.waiting.first(offer))
    }
}
