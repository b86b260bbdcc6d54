//! The listed lanes of a job: nearly always one, which takes no memory of its own. In no order.

use crate::rare::Rare;
use crate::state::job::LaneRef;

#[derive(Debug, Default)]
pub(super) struct Listed {
    /// There is a first if there is any.
    first: Option<LaneRef>,
    rest: Rare<Vec<LaneRef>>,
}

impl Listed {
    pub(super) fn push(&mut self, lane: LaneRef) {
        if self.first.is_none() {
            self.first = Some(lane);
        } else {
            self.rest.push(lane);
        }
    }

    pub(super) fn remove(&mut self, lane: LaneRef) {
        if self.first == Some(lane) {
            self.first = if self.rest.is_empty() { None } else { self.rest.pop() };
        } else if !self.rest.is_empty() {
            self.rest.retain(|listed| *listed != lane);
        }
    }

    pub(super) fn contains(&self, lane: LaneRef) -> bool {
        self.first == Some(lane) || self.rest.contains(&lane)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = LaneRef> {
        self.first.into_iter().chain(self.rest.iter().copied())
    }
}
