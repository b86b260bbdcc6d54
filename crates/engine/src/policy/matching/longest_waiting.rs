//! `longest-waiting`: the worker who has waited longest.

use crate::policy::settings::Reader;
use crate::policy::{Change, Entry};
use crate::state::worker::Worker;
use crate::table::Slot;
use crate::view::{Offer, View};

use super::Matching;
use super::waiting::Waiting;

/// How it is named and started.
pub const ENTRY: Entry<dyn Matching> = Entry {
    name: "longest-waiting",
    about: "The worker who has waited longest.",
    settings: &[],
    version: 1,
    start: |start| {
        Reader::new(start.spec, &[])?;
        Ok(Box::new(LongestWaiting(Waiting::start(|_, _, _| 0, start.view))))
    },
};

#[derive(Debug)]
struct LongestWaiting(Waiting);

impl Matching for LongestWaiting {
    fn note(&mut self, change: &Change, view: View<'_>) {
        self.0.note(change, view);
    }

    fn choose(&self, offer: &Offer<'_>) -> Option<Slot<Worker>> {
        self.0.first(offer)
    }
}
