//! `fair`: whoever has least of the workers now. Ignores weights and priorities.

use crate::fact::Why;
use crate::policy::settings::{Reader, SettingError};
use crate::policy::{Change, Entry, Start};
use crate::view::{Ask, View};

use super::share::{self, Shares};
use super::{Choice, Dispatch};

/// How it is named and started.
pub const ENTRY: Entry<dyn Dispatch> = Entry {
    name: "fair",
    about: "Equal shares: the tenant (and of its jobs, the job) that has least of the workers goes first.",
    settings: share::SETTINGS,
    version: 1,
    start,
};

#[derive(Debug)]
struct Fair {
    shares: Shares,
}

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    let reader = Reader::new(start.spec, ENTRY.settings)?;
    Ok(Box::new(Fair { shares: Shares::start(&start, &reader, false)? }))
}

impl Dispatch for Fair {
    fn note(&mut self, change: &Change, view: View<'_>) {
        self.shares.note(change, view);
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        self.shares.first(ask).map(|(lane, task)| Choice { lane, task, why: Why::default() })
    }

    fn explain(&self, _why: Why) -> String {
        "the least share of the workers, of those with something for this worker".to_owned()
    }

    fn memory(&self) -> Vec<u8> {
        self.shares.memory()
    }
}
