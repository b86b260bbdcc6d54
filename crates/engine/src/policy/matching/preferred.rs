//! `preferred`: the worker who likes the app best.

use crate::policy::settings::Reader;
use crate::policy::{Change, Entry};
use crate::state::worker::Worker;
use crate::table::Slot;
use crate::view::{Offer, View};

use super::Matching;
use super::waiting::Waiting;

/// How it is named and started.
pub const ENTRY: Entry<dyn Matching> = Entry {
    name: "preferred",
    about: "The worker who likes the app best; of equals, who has waited longest.",
    settings: &[],
    version: 1,
    start: |start| {
        Reader::new(start.spec, &[])?;
        // Preferences lie between 0 and 1, so their bits compare as they do; more liking is a smaller number.
        let dislike = |worker: &Worker, app, _: View<'_>| !worker.preference(app).to_bits();
        Ok(Box::new(Preferred(Waiting::start(dislike, start.view))))
    },
};

#[derive(Debug)]
struct Preferred(Waiting);

impl Matching for Preferred {
    fn note(&mut self, change: &Change, view: View<'_>) {
        self.0.note(change, view);
    }

    fn choose(&self, offer: &Offer<'_>) -> Option<Slot<Worker>> {
        self.0.first(offer)
    }
}
