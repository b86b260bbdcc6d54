//! `least-patience`: the client who is nearest to losing patience.
//!
//! Clients rank by how many more answers that never come they would bear; a job without a client bears any number. So
//! that nobody starves, a job that has waited twice the mean response time goes to the front, the oldest first.

use serde::{Deserialize, Serialize};

use crate::fact::{Outcome, Why};
use crate::formula::patience;
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Change, Entry, Start, What, remember};
use crate::state::job::LaneRef;
use crate::table::IdMap;
use crate::time::Span;
use crate::view::{Ask, View};

use super::keyed::{Seq, kept};
use super::order::{Found, LaneOrder};
use super::rank::Key;
use super::{Choice, Dispatch};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "overdue",
        meaning: "A job that has waited so many times the mean response time goes to the front.",
        default: "2",
    },
    Setting {
        name: "weight",
        meaning: "Which weight of the past tells what late answers do: loss (that of late answers) or gain (as printed).",
        default: "loss",
    },
];

/// How it is named and started.
pub const ENTRY: Entry<dyn Dispatch> = Entry {
    name: "least-patience",
    about: "The client who is nearest to losing patience; nobody waits for ever.",
    settings: SETTINGS,
    version: 1,
    start,
};

#[derive(Debug)]
struct LeastPatience {
    overdue: f64,
    by_gain: bool,
    by_patience: LaneOrder,
    by_age: LaneOrder,
    /// Under which key each listed lane stands: its patience does not change while it waits.
    keys: IdMap<Seq, Key>,
    answered: Answered,
}

/// Answers given to clients so far.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Answered {
    jobs: u64,
    /// How long they took together, in seconds.
    time: f64,
}

const ALIKE: Key = (0, 0);

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    let reader = Reader::new(start.spec, SETTINGS)?;
    let mut policy = LeastPatience {
        overdue: reader.number("overdue", 2.0, 1.0, 1000.0)?,
        by_gain: reader.word("weight", &[("loss", false), ("gain", true)])?,
        by_patience: LaneOrder::default(),
        by_age: LaneOrder::default(),
        keys: IdMap::default(),
        answered: Answered::default(),
    };
    let (answered, keys): (Answered, Vec<(u64, Key)>) = start.recall()?.unwrap_or_default();
    policy.answered = answered;
    for at in start.view.listed() {
        let kept = keys.binary_search_by_key(&start.view.lane(at).seq, |(seq, _)| *seq);
        let key = kept.map_or_else(|_| policy.key(at, start.view), |i| keys[i].1);
        policy.insert(key, at, start.view);
    }
    Ok(Box::new(policy))
}

impl LeastPatience {
    /// How many answers that never come the client would bear, in bits that compare; then how long it has waited.
    fn key(&self, at: LaneRef, view: View<'_>) -> Key {
        let job = view.job(at);
        let client = job.client.and_then(|client| view.state.client(client));
        let left = client.map_or(f64::INFINITY, |client| {
            let alpha = if self.by_gain { client.spec.alpha_gain } else { client.spec.alpha_loss };
            patience::late_answers_borne(client.patience, client.spec.threshold, alpha)
        });
        (left.max(0.0).to_bits(), job.submitted.0)
    }

    fn list(&mut self, at: LaneRef, view: View<'_>) {
        self.insert(self.key(at, view), at, view);
    }

    fn insert(&mut self, key: Key, at: LaneRef, view: View<'_>) {
        self.keys.insert(Seq(view.lane(at).seq), key);
        self.by_patience.insert(key, at, 0, view);
        self.by_age.insert(ALIKE, at, 0, view);
    }

    fn unlist(&mut self, at: LaneRef, view: View<'_>) {
        if let Some(key) = self.keys.remove(Seq(view.lane(at).seq)) {
            self.by_patience.remove(key, at, view);
            self.by_age.remove(ALIKE, at, view);
        }
    }

    /// The oldest job with something for the worker, if it has waited too long.
    fn overdue(&self, ask: &Ask<'_>) -> Option<Found> {
        let mean = (self.answered.jobs > 0).then(|| self.answered.time / self.answered.jobs as f64)?;
        let oldest = self.by_age.first(ask)?;
        let waited = ask.view.now().since(ask.view.job(oldest.lane).submitted);
        (waited.as_secs_f64() >= mean * self.overdue).then_some(oldest)
    }
}

impl Dispatch for LeastPatience {
    fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => self.list(lane, view),
            What::Unlisted(lane) => self.unlist(lane, view),
            What::JobClosed { outcome: Outcome::Done, response, .. } => {
                self.answered.jobs += 1;
                self.answered.time += response.as_secs_f64();
            }
            _ => {}
        }
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        if let Some(found) = self.overdue(ask) {
            let waited = ask.view.now().since(ask.view.job(found.lane).submitted);
            let a = i64::try_from(waited.0).unwrap_or(i64::MAX);
            return Some(Choice::of(&found, Why { code: 1, a, b: 0 }));
        }
        let found = self.by_patience.first(ask)?;
        Some(Choice::of(&found, Why { code: 0, a: found.rank.0.0.cast_signed(), b: 0 }))
    }

    fn explain(&self, why: Why) -> String {
        if why.code == 1 {
            return format!("it had waited {}, too long", Span(why.a.unsigned_abs()));
        }
        match f64::from_bits(why.a.cast_unsigned()) {
            k if k.is_finite() => format!("the least patient client: {k:.2} late answers from unhappy"),
            _ => "no client waits".to_owned(),
        }
    }

    fn memory(&self, view: View<'_>) -> Vec<u8> {
        remember(&(self.answered, kept(&self.keys, view)))
    }

    fn figures(&self, lane: LaneRef, view: View<'_>) -> Vec<(&'static str, f64)> {
        vec![("late answers borne", f64::from_bits(self.key(lane, view).0))]
    }
}
