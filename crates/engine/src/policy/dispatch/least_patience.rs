//! `least-patience`: the client who is nearest to losing patience.
//!
//! Clients rank by how many more answers that never come they would bear; a job without a client bears any number. So
//! that nobody starves, a job that has waited twice the mean response time goes to the front, the oldest first.

use crate::fact::Why;
use crate::formula::patience;
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Change, Entry, Start, What};
use crate::state::job::LaneRef;
use crate::table::Table;
use crate::time::Span;
use crate::view::{Ask, View};

use super::keyed::Seq;
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
    keys: Table<Seq, Key>,
}

const ALIKE: Key = (0, 0);

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    let reader = Reader::new(start.spec, SETTINGS)?;
    let mut policy = LeastPatience {
        overdue: reader.number("overdue", 2.0, 1.0, 1000.0)?,
        by_gain: reader.word("weight", &[("loss", false), ("gain", true)])?,
        by_patience: LaneOrder::default(),
        by_age: LaneOrder::default(),
        keys: Table::default(),
    };
    for lane in start.view.listed() {
        policy.list(lane, start.view);
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
        let key = self.key(at, view);
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
        let done = &ask.view.pool().meter.total;
        let mean = (done.completions > 0).then(|| Span(done.latency / done.completions))?;
        let oldest = self.by_age.first(ask)?;
        let waited = ask.view.now().since(ask.view.job(oldest.lane).submitted);
        (waited >= mean.scaled(self.overdue)).then_some(oldest)
    }
}

impl Dispatch for LeastPatience {
    fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => self.list(lane, view),
            What::Unlisted(lane) => self.unlist(lane, view),
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

    fn figures(&self, lane: LaneRef, view: View<'_>) -> Vec<(&'static str, f64)> {
        vec![("late answers borne", f64::from_bits(self.key(lane, view).0))]
    }
}
