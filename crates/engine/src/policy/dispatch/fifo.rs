//! `fifo`: the job that came first.

use crate::fact::Why;
use crate::policy::settings::{Reader, SettingError};
use crate::policy::{Change, Entry, Start, What};
use crate::view::{Ask, View};

use super::order::LaneOrder;
use super::rank::Key;
use super::{Choice, Dispatch};

/// How it is named and started.
pub const ENTRY: Entry<dyn Dispatch> = Entry {
    name: "fifo",
    about: "First come, first served: the oldest job that has something for the worker.",
    settings: &[],
    version: 1,
    start,
};

/// All lanes rank alike, so the older one goes first.
const ALIKE: Key = (0, 0);

#[derive(Debug, Default)]
struct Fifo {
    lanes: LaneOrder,
}

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    Reader::new(start.spec, ENTRY.settings)?;
    let mut policy = Fifo::default();
    for lane in start.view.listed() {
        policy.lanes.insert(ALIKE, lane, 0, start.view);
    }
    Ok(Box::new(policy))
}

impl Dispatch for Fifo {
    fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => self.lanes.insert(ALIKE, lane, 0, view),
            What::Unlisted(lane) => {
                self.lanes.remove(ALIKE, lane, view);
            }
            _ => {}
        }
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        self.lanes.first(ask).map(|found| Choice::of(&found, Why::default()))
    }

    fn explain(&self, _why: Why) -> String {
        "the oldest job with something for this worker".to_owned()
    }
}
