//! Pools, who is there at the beginning, and shifts.

use muster_engine::Span;
use muster_engine::spec::PoolSpec;

/// A pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// What it is called.
    pub name: String,
    /// What the engine is told.
    pub spec: PoolSpec,
    /// Who is there at the beginning: kind by place, and how many.
    pub workers: Vec<(usize, u32)>,
    /// Who comes and goes by the clock.
    pub shifts: Vec<Shift>,
}

/// Workers who come and go by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The kind, by place.
    pub kind: usize,
    /// How many.
    pub workers: u32,
    /// When they come.
    pub from: Span,
    /// How long they stay; a task in hand is finished.
    pub length: Span,
    /// They come again after so long, as in every day.
    pub every: Option<Span>,
}

impl Pool {
    /// A pool without anybody in it.
    #[must_use]
    pub fn new(name: &str, spec: PoolSpec) -> Self {
        Self { name: name.to_owned(), spec, workers: Vec::new(), shifts: Vec::new() }
    }
}
