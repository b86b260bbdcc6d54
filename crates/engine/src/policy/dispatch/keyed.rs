//! `shortest-first` and `priority`: lanes in the order of a number that they have.

use crate::fact::Why;
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Change, Entry, Start, What, remember};
use crate::state::job::LaneRef;
use crate::table::IdMap;
use crate::time::Span;
use crate::view::{Ask, View};

use super::order::LaneOrder;
use super::rank::Key;
use super::{Choice, Dispatch};

const SHORTEST_SETTINGS: &[Setting] = &[Setting {
    name: "per",
    meaning: "Whose time is compared: of one task, or of all that is open of the job (total).",
    default: "task",
}];

/// How `shortest-first` is named and started.
pub const SHORTEST_FIRST: Entry<dyn Dispatch> = Entry {
    name: "shortest-first",
    about: "The job with the shortest tasks, or with the least open work in total.",
    settings: SHORTEST_SETTINGS,
    version: 1,
    start: |start| {
        let reader = Reader::new(start.spec, SHORTEST_SETTINGS)?;
        let by = reader.word("per", &[("task", By::TaskTime), ("total", By::TotalTime)])?;
        Ok(Box::new(Keyed::start(by, start.view, &start.recall::<Vec<(u64, Key)>>()?.unwrap_or_default())))
    },
};

/// How `priority` is named and started.
pub const PRIORITY: Entry<dyn Dispatch> = Entry {
    name: "priority",
    about: "The job of the highest priority, whatever the others wait; the oldest of equals.",
    settings: &[],
    version: 1,
    start: |start: Start<'_>| -> Result<Box<dyn Dispatch>, SettingError> {
        Reader::new(start.spec, &[])?;
        Ok(Box::new(Keyed::start(By::Priority, start.view, &[])))
    },
};

/// What lanes are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    TaskTime,
    TotalTime,
    Priority,
}

#[derive(Debug)]
struct Keyed {
    by: By,
    order: LaneOrder,
    /// Under which key each listed lane stands, by the lane's number.
    keys: IdMap<Seq, Key>,
}

/// Keys as they are remembered, by the lane's number: what they were made of may have changed since.
pub(super) type Kept = [(u64, Key)];

/// Remembers the keys of all listed lanes.
pub(super) fn kept(keys: &IdMap<Seq, Key>, view: View<'_>) -> Vec<(u64, Key)> {
    let listed = view.listed().into_iter().map(|at| view.lane(at).seq);
    listed.filter_map(|seq| keys.get(Seq(seq)).map(|key| (seq, *key))).collect()
}

/// A lane's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seq(pub(super) u64);

impl crate::table::Key for Seq {
    fn number(self) -> u64 {
        self.0
    }
}

impl By {
    fn key(self, at: LaneRef, view: View<'_>) -> Key {
        let (lane, job) = (view.lane(at), view.job(at));
        let time = || {
            let usual = || view.state.app(lane.app).and_then(crate::state::app::App::expected);
            job.expected.or_else(usual).unwrap_or(Span::MAX).0
        };
        match self {
            Self::TaskTime => (time(), 0),
            Self::TotalTime => {
                let total = u128::from(time()) * u128::from(lane.open);
                ((total >> 64) as u64, total as u64)
            }
            Self::Priority => (u64::from(u32::MAX - job.priority), 0),
        }
    }
}

impl Keyed {
    /// All listed lanes, under the keys they had or, where there is none, have now.
    fn start(by: By, view: View<'_>, keys: &Kept) -> Self {
        let mut policy = Self { by, order: LaneOrder::default(), keys: IdMap::default() };
        for at in view.listed() {
            let kept = keys.binary_search_by_key(&view.lane(at).seq, |(seq, _)| *seq);
            policy.insert(kept.map_or_else(|_| by.key(at, view), |i| keys[i].1), at, view);
        }
        policy
    }

    fn list(&mut self, at: LaneRef, view: View<'_>) {
        self.insert(self.by.key(at, view), at, view);
    }

    fn insert(&mut self, key: Key, at: LaneRef, view: View<'_>) {
        self.keys.insert(Seq(view.lane(at).seq), key);
        self.order.insert(key, at, 0, view);
    }

    fn unlist(&mut self, at: LaneRef, view: View<'_>) {
        if let Some(key) = self.keys.remove(Seq(view.lane(at).seq)) {
            self.order.remove(key, at, view);
        }
    }

    fn relist(&mut self, at: LaneRef, view: View<'_>) {
        let seq = Seq(view.lane(at).seq);
        if self.keys.get(seq).is_some_and(|key| *key != self.by.key(at, view)) {
            self.unlist(at, view);
            self.list(at, view);
        }
    }
}

impl Dispatch for Keyed {
    fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => self.list(lane, view),
            What::Unlisted(lane) => self.unlist(lane, view),
            What::Leased { lane, .. } | What::Ended { lane, .. } | What::Resized(lane) => {
                if self.by != By::Priority {
                    self.relist(lane, view);
                }
            }
            What::Changed | What::Reweighted(_) => *self = Self::start(self.by, view, &[]),
            What::JobClosed { .. } | What::Joined(_) | What::Idle(_) | What::NotIdle { .. } => {}
        }
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        self.order.first(ask).map(|found| {
            let b = i64::try_from(found.rank.0.1).unwrap_or(i64::MAX);
            let a = i64::try_from(found.rank.0.0).unwrap_or(i64::MAX);
            Choice::of(&found, Why { code: self.by as u16, a, b })
        })
    }

    fn explain(&self, why: Why) -> String {
        let span = |nanos: i64| Span(nanos.unsigned_abs());
        match self.by {
            By::TaskTime => format!("the shortest tasks: {} each", span(why.a)),
            By::TotalTime => format!("the least open work: {} in total", span(why.b)),
            By::Priority => {
                format!("the highest priority: {}", u64::from(u32::MAX).abs_diff(why.a.unsigned_abs()))
            }
        }
    }

    fn memory(&self, view: View<'_>) -> Vec<u8> {
        // A priority can be seen at any time; how long tasks take is learned.
        if self.by == By::Priority { Vec::new() } else { remember(&kept(&self.keys, view)) }
    }

    fn figures(&self, lane: LaneRef, view: View<'_>) -> Vec<(&'static str, f64)> {
        let time = |key: Key| (u128::from(key.0) << 64 | u128::from(key.1)) as f64 / 1e9;
        match (self.by, self.by.key(lane, view)) {
            (By::TaskTime, key) => vec![("seconds per task", key.0 as f64 / 1e9)],
            (By::TotalTime, key) => vec![("seconds of open work", time(key))],
            (By::Priority, _) => vec![("priority", f64::from(view.job(lane).priority))],
        }
    }
}
