//! `shortest-first` and `priority`: lanes in the order of a number that they have.

use crate::fact::Why;
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Change, Entry, Start, What};
use crate::state::job::LaneRef;
use crate::table::IdMap;
use crate::time::Span;
use crate::view::{Ask, View};

use super::order::{Found, LaneOrder, fitting};
use super::rank::{Key, Ranking};
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
        Ok(Box::new(Keyed::start(by, start.view)))
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
        Ok(Box::new(Keyed::start(By::Priority, start.view)))
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
    /// Lanes of jobs that do not say how long a task takes: by multiples of what is usual in their app, which changes for
    /// all of them at once.
    usual: LaneOrder,
    /// Under which key each listed lane stands, by the lane's number.
    keys: IdMap<Seq, Key>,
}

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
    fn start(by: By, view: View<'_>) -> Self {
        let (order, usual) = (LaneOrder::default(), LaneOrder::default());
        let mut policy = Self { by, order, usual, keys: IdMap::default() };
        view.listed().into_iter().for_each(|at| policy.list(at, view));
        policy
    }

    /// Whether the lane goes by what is usual in its app.
    fn is_usual(&self, at: LaneRef, view: View<'_>) -> bool {
        self.by != By::Priority && view.job(at).expected.is_none()
    }

    /// The key under which the lane stands, in the order of its kind.
    fn standing(&self, at: LaneRef, view: View<'_>) -> Key {
        match self.by {
            By::TotalTime if self.is_usual(at, view) => (u64::from(view.lane(at).open), 0),
            By::TaskTime if self.is_usual(at, view) => (0, 0),
            _ => self.by.key(at, view),
        }
    }

    fn order_of(&mut self, at: LaneRef, view: View<'_>) -> &mut LaneOrder {
        if self.is_usual(at, view) { &mut self.usual } else { &mut self.order }
    }

    fn list(&mut self, at: LaneRef, view: View<'_>) {
        let key = self.standing(at, view);
        self.keys.insert(Seq(view.lane(at).seq), key);
        self.order_of(at, view).insert(key, at, 0, view);
    }

    fn unlist(&mut self, at: LaneRef, view: View<'_>) {
        if let Some(key) = self.keys.remove(Seq(view.lane(at).seq)) {
            self.order_of(at, view).remove(key, at, view);
        }
    }

    fn relist(&mut self, at: LaneRef, view: View<'_>) {
        let seq = Seq(view.lane(at).seq);
        if self.keys.get(seq).is_some_and(|key| *key != self.standing(at, view)) {
            self.unlist(at, view);
            self.list(at, view);
        }
    }

    /// The first lane that goes by what is usual, with its key as of now.
    fn first_usual(&self, ask: &Ask<'_>) -> Option<Found> {
        let found = self.usual.open_to(ask).filter_map(|lanes| fitting(lanes.iter(), ask));
        let ranked = found.map(|it| Found { rank: (self.by.key(it.lane, ask.view), it.rank.1), ..it });
        ranked.min_by_key(|found| found.rank)
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
            What::Changed | What::Reweighted(_) => *self = Self::start(self.by, view),
            What::JobClosed { .. } | What::Joined(_) | What::Idle(_) | What::NotIdle { .. } => {}
        }
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        let first = [self.order.first(ask), self.first_usual(ask)].into_iter().flatten();
        first.min_by_key(|found| found.rank).map(|found| {
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

    fn figures(&self, lane: LaneRef, view: View<'_>) -> Vec<(&'static str, f64)> {
        let time = |key: Key| (u128::from(key.0) << 64 | u128::from(key.1)) as f64 / 1e9;
        match (self.by, self.by.key(lane, view)) {
            (By::TaskTime, key) => vec![("seconds per task", key.0 as f64 / 1e9)],
            (By::TotalTime, key) => vec![("seconds of open work", time(key))],
            (By::Priority, _) => vec![("priority", f64::from(view.job(lane).priority))],
        }
    }
}
