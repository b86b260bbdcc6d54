//! random-placement: each request goes to a random worker's deque, as TBB does by default; then plain stealing.

use super::{Placement, TailPolicy};

/// No shared queue: requests start in no particular order.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomPlacement;

impl TailPolicy for RandomPlacement {
    fn name(&self) -> &str {
        "random-placement"
    }
    fn placement(&self) -> Placement {
        Placement::RandomWorker
    }
}
