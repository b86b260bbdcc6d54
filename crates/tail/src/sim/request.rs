//! A request of the virtual machine: when it arrives, how much work it brings, and into which loops the work
//! falls. Does not know who runs it.

use crate::policy::{Goal, Progress};

/// A request that is offered to the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer {
    /// When it arrives.
    pub arrival: f64,
    /// How much work it brings.
    pub work: f64,
    /// What it is meant to achieve.
    pub goal: Goal,
    /// How much a miss of it counts.
    pub weight: f64,
}

impl Offer {
    /// A request with the usual goal and weight.
    pub fn new(arrival: f64, work: f64) -> Self {
        Self { arrival, work, goal: Goal::Usual, weight: 1.0 }
    }
}

/// How the work of every request falls into leaves and loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The largest leaf: a request has ceil(work / grain) equal leaves.
    pub grain: f64,
    /// Leaves of one parallel loop at most; the next loop starts when all are done. `None`: one loop for all.
    pub loop_leaves: Option<u32>,
    /// Share of the work that is sequential, spread before the loops.
    pub sequential: f64,
}

impl Shape {
    /// One parallel loop with leaves of at most `grain`.
    pub fn one_loop(grain: f64) -> Self {
        Self { grain, loop_leaves: None, sequential: 0.0 }
    }

    /// Loops of at most `loop_leaves` leaves, one after the other.
    pub fn loops(grain: f64, loop_leaves: u32) -> Self {
        Self { grain, loop_leaves: Some(loop_leaves), sequential: 0.0 }
    }
}

/// A request that has arrived.
pub(super) struct Live {
    pub(super) offer: Offer,
    leaves_left: u32,
    leaf: f64,
    sequential_per_leaf: f64,
    between: bool,
    /// Leaves of the current stage that have not ended.
    pub(super) stage_left: u32,
    /// Length of the leaves of the current stage.
    pub(super) stage_leaf: f64,
    accumulated: f64,
    workers: u32,
    starts: f64,
    pub(super) marked: bool,
    /// The number of the machine's check that looked at it last.
    pub(super) checked: u64,
}

impl Live {
    pub(super) fn new(offer: Offer, shape: &Shape) -> Self {
        let parallel = offer.work * (1.0 - shape.sequential);
        let leaves = (parallel / shape.grain).ceil().max(1.0);
        Self {
            offer,
            leaves_left: leaves as u32,
            leaf: parallel / leaves,
            sequential_per_leaf: offer.work * shape.sequential / leaves,
            between: true,
            stage_left: 0,
            stage_leaf: 0.0,
            accumulated: 0.0,
            workers: 0,
            starts: 0.0,
            marked: false,
            checked: 0,
        }
    }

    /// Moves on to the next stage; how many leaves it has, or `None` if the request is done.
    pub(super) fn next_stage(&mut self, shape: &Shape) -> Option<u32> {
        if self.leaves_left == 0 {
            return None;
        }
        let leaves = shape.loop_leaves.unwrap_or(u32::MAX).min(self.leaves_left);
        if self.between && shape.sequential > 0.0 {
            self.between = false;
            return Some(self.stage(1, self.sequential_per_leaf * f64::from(leaves)));
        }
        self.between = true;
        self.leaves_left -= leaves;
        Some(self.stage(leaves, self.leaf))
    }

    fn stage(&mut self, leaves: u32, leaf: f64) -> u32 {
        (self.stage_left, self.stage_leaf) = (leaves, leaf);
        leaves
    }

    pub(super) fn leaf_starts(&mut self, now: f64) {
        self.workers += 1;
        self.starts += now;
    }

    pub(super) fn leaf_ends(&mut self, start: f64, now: f64) {
        self.workers -= 1;
        self.starts -= start;
        self.accumulated += now - start;
        self.stage_left -= 1;
    }

    /// What is known about it now.
    pub(super) fn progress(&self, now: f64) -> Progress {
        Progress {
            processed: self.accumulated + f64::from(self.workers) * now - self.starts,
            work_known: Some(self.offer.work),
            goal: self.offer.goal,
            weight: self.offer.weight,
        }
    }
}
