//! `fair` and `weighted-fair`: whoever has least of the workers now; the second divides by weights and priorities.

use crate::fact::Why;
use crate::policy::settings::{Reader, SettingError};
use crate::policy::{Change, Entry, Start};
use crate::state::job::LaneRef;
use crate::view::{Ask, View};

use super::share::{self, Shares};
use super::{Choice, Dispatch};

/// How `fair` is named and started.
pub const FAIR: Entry<dyn Dispatch> = Entry {
    name: "fair",
    about: "Equal shares: the tenant (and of its jobs, the job) that has least of the workers goes first.",
    settings: &share::SETTINGS,
    version: 1,
    start: |start| self::start(start, false),
};

/// How `weighted-fair` is named and started.
pub const WEIGHTED_FAIR: Entry<dyn Dispatch> = Entry {
    name: "weighted-fair",
    about: "Shares in proportion to tenants' weights and jobs' priorities.",
    settings: &share::SETTINGS,
    version: 1,
    start: |start| self::start(start, true),
};

#[derive(Debug)]
struct Fair {
    shares: Shares,
    weighted: bool,
}

fn start(start: Start<'_>, weighted: bool) -> Result<Box<dyn Dispatch>, SettingError> {
    let reader = Reader::new(start.spec, &share::SETTINGS)?;
    Ok(Box::new(Fair { shares: Shares::start(&start, &reader, weighted)?, weighted }))
}

impl Dispatch for Fair {
    fn note(&mut self, change: &Change, view: View<'_>) {
        self.shares.note(change, view);
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        self.shares.first(ask).map(|found| Choice::of(&found, Why::default()))
    }

    fn explain(&self, _why: Why) -> String {
        let by = if self.weighted { " for its weight" } else { "" };
        format!("the least share of the workers{by}, of those with something for this worker")
    }

    fn figures(&self, lane: LaneRef, view: View<'_>) -> Vec<(&'static str, f64)> {
        self.shares.figures(lane, view).map_or(Vec::new(), |(share, _)| vec![("share", share)])
    }

    fn memory(&self, view: View<'_>) -> Vec<u8> {
        self.shares.memory(view)
    }
}
