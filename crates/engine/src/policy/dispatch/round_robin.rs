//! `round-robin`: the jobs in turn.

use serde::{Deserialize, Serialize};

use crate::fact::Why;
use crate::policy::settings::{Reader, SettingError};
use crate::policy::{Change, Entry, Start, What, remember};
use crate::view::{Ask, View};

use super::order::{LaneOrder, fitting};
use super::rank::Key;
use super::{Choice, Dispatch};

/// How it is named and started.
pub const ENTRY: Entry<dyn Dispatch> = Entry {
    name: "round-robin",
    about: "The jobs in turn: after a job, the next younger one; after the youngest, the oldest.",
    settings: &[],
    version: 1,
    start,
};

/// All lanes rank alike, so they stand in the order in which they were made.
const ALIKE: Key = (0, 0);

#[derive(Debug, Default)]
struct RoundRobin {
    lanes: LaneOrder,
    memory: Memory,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Memory {
    /// The number of the lane from which the next turn goes on.
    from: u64,
}

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    Reader::new(start.spec, ENTRY.settings)?;
    let mut policy = RoundRobin { memory: start.recall()?.unwrap_or_default(), ..RoundRobin::default() };
    for lane in start.view.listed() {
        policy.lanes.insert(ALIKE, lane, 0, start.view);
    }
    Ok(Box::new(policy))
}

impl Dispatch for RoundRobin {
    fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => self.lanes.insert(ALIKE, lane, 0, view),
            What::Unlisted(lane) => {
                self.lanes.remove(ALIKE, lane, view);
            }
            What::Leased { lane, .. } => self.memory.from = view.lane(lane).seq + 1,
            _ => {}
        }
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        let from = (ALIKE, self.memory.from);
        let lanes = || self.lanes.open_to(ask);
        let later = lanes().filter_map(|lanes| fitting(lanes.from(from), ask)).min_by_key(|found| found.rank);
        let found = later.or_else(|| self.lanes.first(ask))?;
        Some(Choice::of(&found, Why::default()))
    }

    fn explain(&self, _why: Why) -> String {
        "its turn, after the job served before".to_owned()
    }

    fn memory(&self, _view: View<'_>) -> Vec<u8> {
        remember(&self.memory)
    }
}
