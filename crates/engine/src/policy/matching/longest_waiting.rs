//! `longest-waiting`: the worker who has waited longest.

use crate::line::Line;
use crate::policy::settings::{Reader, SettingError};
use crate::policy::{Change, Entry, Start, What};
use crate::state::worker::{Standing, Worker};
use crate::table::Slot;
use crate::view::{Offer, View};

use super::Matching;

/// How it is named and started.
pub const ENTRY: Entry<dyn Matching> = Entry {
    name: "longest-waiting",
    about: "The worker who has waited longest.",
    settings: &[],
    version: 1,
    start,
};

/// Who waits, by since when: those who could learn something here, and for each app those who can do it.
#[derive(Debug, Default)]
struct LongestWaiting {
    learners: Line<Slot<Worker>>,
    able: Vec<Line<Slot<Worker>>>,
}

fn start(start: Start<'_>) -> Result<Box<dyn Matching>, SettingError> {
    Reader::new(start.spec, ENTRY.settings)?;
    Ok(Box::new(LongestWaiting::of(start.view)))
}

impl LongestWaiting {
    fn of(view: View<'_>) -> Self {
        let mut policy = Self::default();
        let mut idle: Vec<&Worker> =
            view.workers().filter(|worker| worker.standing == Standing::Idle).collect();
        idle.sort_unstable_by_key(|worker| worker.idle_seq);
        for worker in idle {
            let slot = view.state.workers.find(worker.id).expect("members are there");
            policy.add(slot, view);
        }
        policy
    }

    fn add(&mut self, slot: Slot<Worker>, view: View<'_>) {
        let worker = view.state.worker_at(slot);
        let apps = &view.pool().apps;
        if self.able.len() < apps.len() {
            self.able.resize_with(apps.len(), Line::default);
        }
        let mut learns = false;
        for (app, able) in apps.iter().zip(&mut self.able) {
            if view.state.is_able(worker, app.app) {
                able.insert(worker.idle_seq, slot);
            } else {
                learns = true;
            }
        }
        if learns {
            self.learners.insert(worker.idle_seq, slot);
        }
    }
}

impl Matching for LongestWaiting {
    fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Idle(worker) => self.add(worker, view),
            What::NotIdle { seq, .. } => {
                self.learners.remove(seq);
                for able in &mut self.able {
                    able.remove(seq);
                }
            }
            What::Changed => *self = Self::of(view),
            _ => {}
        }
    }

    fn choose(&self, offer: &Offer<'_>) -> Option<Slot<Worker>> {
        let waiting = if offer.learning { Some(&self.learners) } else { self.able.get(offer.place()) };
        waiting?.iter().map(|(_, worker)| worker).find(|worker| offer.fits(*worker))
    }
}
