//! Those who wait, in an order, per app: what every matching policy keeps.
//!
//! A policy gives each worker a number per app; smaller goes first, and of equals who has waited longest. Invariant: no
//! order depends on where things lie in memory, since no two have waited equally long.

use std::collections::BTreeSet;

use crate::ids::AppId;
use crate::policy::{Change, What};
use crate::state::worker::{Standing, Worker};
use crate::table::Slot;
use crate::view::{Offer, View};

/// The number of a worker for an app.
pub type Number = fn(&Worker, AppId, View<'_>) -> u64;

/// Who waits.
#[derive(Debug)]
pub struct Waiting {
    number: Number,
    /// Everybody, by since when.
    all: BTreeSet<(u64, Slot<Worker>)>,
    /// For each app of the pool those who can do it: by number, then by since when.
    able: Vec<BTreeSet<(u64, u64, Slot<Worker>)>>,
    /// Under which number each stands, by place of the worker and then of the app.
    numbers: Vec<Vec<u64>>,
}

impl Waiting {
    /// Everybody who waits in a pool.
    #[must_use]
    pub fn start(number: Number, view: View<'_>) -> Self {
        let mut waiting = Self { number, all: BTreeSet::new(), able: Vec::new(), numbers: Vec::new() };
        for worker in view.workers().filter(|worker| worker.standing == Standing::Idle) {
            let slot = view.state.workers.find(worker.id).expect("members are there");
            waiting.add(slot, view);
        }
        waiting
    }

    /// Something changed in the pool.
    #[inline]
    pub fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Idle(worker) => self.add(worker, view),
            What::NotIdle { worker, seq } => self.remove(worker, seq),
            What::Changed => *self = Self::start(self.number, view),
            _ => {}
        }
    }

    fn add(&mut self, slot: Slot<Worker>, view: View<'_>) {
        let worker = view.state.worker_at(slot);
        let apps = &view.pool().apps;
        if self.able.len() < apps.len() {
            self.able.resize_with(apps.len(), BTreeSet::new);
        }
        if self.numbers.len() <= slot.index() {
            self.numbers.resize_with(slot.index() + 1, Vec::new);
        }
        self.all.insert((worker.idle_seq, slot));
        let numbers = &mut self.numbers[slot.index()];
        numbers.clear();
        for (app, able) in apps.iter().zip(&mut self.able) {
            let number = (self.number)(worker, app.app, view);
            numbers.push(number);
            if view.state.is_able(worker, app.app) {
                able.insert((number, worker.idle_seq, slot));
            }
        }
    }

    fn remove(&mut self, slot: Slot<Worker>, seq: u64) {
        self.all.remove(&(seq, slot));
        for (able, number) in self.able.iter_mut().zip(&self.numbers[slot.index()]) {
            able.remove(&(*number, seq, slot));
        }
    }

    /// The first who fits.
    #[must_use]
    pub fn first(&self, offer: &Offer<'_>) -> Option<Slot<Worker>> {
        if offer.learning {
            return self.all.iter().map(|(_, worker)| *worker).find(|worker| offer.fits(*worker));
        }
        self.able(offer).find(|worker| offer.fits(*worker))
    }

    /// The first who fits, of those with a given number.
    #[must_use]
    pub fn first_of(&self, number: u64, offer: &Offer<'_>) -> Option<Slot<Worker>> {
        let least = Slot::new(0);
        let able = self.able.get(offer.place())?;
        let same = able.range((number, 0, least)..).take_while(|(known, ..)| *known == number);
        same.map(|(.., worker)| *worker).find(|worker| offer.fits(*worker))
    }

    fn able(&self, offer: &Offer<'_>) -> impl Iterator<Item = Slot<Worker>> + '_ {
        self.able.get(offer.place()).into_iter().flatten().map(|(.., worker)| *worker)
    }
}
