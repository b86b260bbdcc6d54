//! Dispatch: which slot does this worker get?
//!
//! Only listed lanes of apps the worker may do take part in a choice, and a lane with nothing for this worker is passed
//! over. A policy keeps its lanes in an order of its own, per app, and takes the first that fits: see [`order`].
//! To add one: a new file here, and a line in [`ALL`].

pub mod concession;
pub mod fair;
pub mod fifo;
pub mod keyed;
pub mod least_patience;
pub mod order;
pub mod rank;
pub mod round_robin;
pub mod share;
mod tried;
pub mod worker_conscious;

use crate::fact::{PlanEntry, Why};
use crate::ids::WorkerId;
use crate::policy::{Change, Entry};
use crate::state::job::LaneRef;
use crate::view::{Ask, View};

use order::Found;

/// All dispatch policies.
pub const ALL: &[Entry<dyn Dispatch>] = &[
    fifo::ENTRY,
    keyed::SHORTEST_FIRST,
    round_robin::ENTRY,
    fair::FAIR,
    fair::WEIGHTED_FAIR,
    worker_conscious::ENTRY,
    least_patience::ENTRY,
    keyed::PRIORITY,
];

/// Which slot does this worker get?
pub trait Dispatch: std::fmt::Debug + Send {
    /// Something changed in the pool. Called only when a fact is applied, with the state as it is afterwards; a lease, or the
    /// end of one, is told before what it does to listings, so the policy's own order is still that of the choice. A
    /// `LaneRef` is good until `JobClosed` names its job.
    fn note(&mut self, change: &Change, view: View<'_>);

    /// The slot for the worker who asks; `None` if there is nothing for it.
    fn choose(&self, ask: &Ask<'_>) -> Option<Choice>;

    /// A plan replaces the one before. Only `planned` follows plans.
    fn plan(&mut self, _plan: &[PlanEntry], _view: View<'_>) {}

    /// Whether it follows plans, and so needs a scaling policy that makes them.
    fn follows_plans(&self) -> bool {
        false
    }

    /// Who may take the work that has opened in a lane.
    fn takers(&self, _lane: LaneRef, _view: View<'_>) -> Takers {
        Takers::Anyone
    }

    /// In words, why a slot was chosen.
    fn explain(&self, why: Why) -> String;

    /// What the policy keeps of a lane, by name, for people who want to see it.
    fn figures(&self, _lane: LaneRef, _view: View<'_>) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// What it remembers, always the same bytes for the same memory.
    fn memory(&self, _view: View<'_>) -> Vec<u8> {
        Vec::new()
    }
}

/// A slot that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The lane.
    pub lane: LaneRef,
    /// The task in it.
    pub task: u32,
    /// What was decided beyond the obvious.
    pub why: Why,
}

impl Choice {
    /// The slot that was found.
    #[must_use]
    pub fn of(found: &Found, why: Why) -> Self {
        Self { lane: found.lane, task: found.task, why }
    }
}

/// Who may take work that has opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takers {
    /// Anyone who can: the matching policy picks.
    Anyone,
    /// These, if they wait, in this order.
    These(Vec<WorkerId>),
}
