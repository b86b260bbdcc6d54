//! `fifo`: the job that came first.

use crate::fact::Why;
use crate::line::Line;
use crate::policy::settings::{Reader, SettingError};
use crate::policy::{Change, Entry, Start, What};
use crate::state::job::LaneRef;
use crate::view::{Ask, View};

use super::{Choice, Dispatch};

/// How it is named and started.
pub const ENTRY: Entry<dyn Dispatch> = Entry {
    name: "fifo",
    about: "First come, first served: the oldest job that has something for the worker.",
    settings: &[],
    version: 1,
    start,
};

/// For each app of the pool, its listed lanes by age.
#[derive(Debug, Default)]
struct Fifo {
    apps: Vec<Line<LaneRef>>,
}

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    Reader::new(start.spec, ENTRY.settings)?;
    let mut policy = Fifo::default();
    for lane in start.view.listed() {
        policy.list(lane, start.view);
    }
    Ok(Box::new(policy))
}

impl Fifo {
    fn list(&mut self, at: LaneRef, view: View<'_>) {
        let lane = view.lane(at);
        let place = usize::from(lane.place);
        if self.apps.len() <= place {
            self.apps.resize_with(place + 1, Line::default);
        }
        self.apps[place].insert(lane.seq, at);
    }
}

impl Dispatch for Fifo {
    fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => self.list(lane, view),
            What::Unlisted(at) => {
                let lane = view.lane(at);
                self.apps[usize::from(lane.place)].remove(lane.seq);
            }
            _ => {}
        }
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        let fits = |lanes: &Line<LaneRef>| {
            lanes.iter().find_map(|(seq, lane)| ask.task_in(lane).map(|task| (seq, lane, task)))
        };
        let candidates = (0..).zip(&self.apps).filter(|(place, _)| ask.may(*place));
        let oldest = candidates.filter_map(|(_, lanes)| fits(lanes)).min_by_key(|(seq, ..)| *seq);
        oldest.map(|(_, lane, task)| Choice { lane, task, why: Why::default() })
    }

    fn explain(&self, _why: Why) -> String {
        "the oldest job with something for this worker".to_owned()
    }
}
