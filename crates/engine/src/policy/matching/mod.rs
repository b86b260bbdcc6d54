//! Matching: which idle worker gets an arriving task? To add an answer: a new file here, and a line in [`ALL`].

pub mod by_kind;
pub mod last_on_this_job;
pub mod longest_waiting;
pub mod preferred;
pub mod waiting;

use crate::policy::{Change, Entry};
use crate::state::worker::Worker;
use crate::table::Slot;
use crate::view::{Offer, View};

/// All matching policies.
pub const ALL: &[Entry<dyn Matching>] =
    &[longest_waiting::ENTRY, by_kind::CHEAPEST, by_kind::FASTEST, last_on_this_job::ENTRY, preferred::ENTRY];

/// Which idle worker gets an arriving task?
pub trait Matching: std::fmt::Debug + Send {
    /// Something changed in the pool. Called only when a fact is applied, with the state as it is afterwards.
    fn note(&mut self, change: &Change, view: View<'_>);

    /// The idle worker for a lane that has work; `None` if nobody fits.
    fn choose(&self, offer: &Offer<'_>) -> Option<Slot<Worker>>;

    /// What it remembers, always the same bytes for the same memory.
    fn memory(&self) -> Vec<u8> {
        Vec::new()
    }
}
