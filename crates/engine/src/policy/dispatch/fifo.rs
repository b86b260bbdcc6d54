//! `fifo`: the job that came first.

use crate::fact::Why;
use crate::policy::settings::{Reader, SettingError};
use crate::policy::{Change, Entry, Start, What};
use crate::view::{Ask, View};

use super::order::LaneOrder;
use super::{Choice, Dispatch};

/// How it is named and started.
pub const ENTRY: Entry<dyn Dispatch> = Entry {
    name: "fifo",
    about: "First come, first served: the oldest job that has something for the worker.",
    settings: &[],
    version: 1,
    start,
};

#[derive(Debug, Default)]
struct Fifo {
    lanes: LaneOrder<()>,
}

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    Reader::new(start.spec, ENTRY.settings)?;
    let mut policy = Fifo::default();
    for lane in start.view.listed() {
        policy.lanes.insert((), lane, start.view);
    }
    Ok(Box::new(policy))
}

impl Dispatch for Fifo {
    fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => self.lanes.insert((), lane, view),
            What::Unlisted(lane) => {
                self.lanes.remove((), lane, view);
            }
            _ => {}
        }
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        self.lanes.first(ask).map(|((), lane, task)| Choice { lane, task, why: Why::default() })
    }

    fn explain(&self, _why: Why) -> String {
        "the oldest job with something for this worker".to_owned()
    }
}
