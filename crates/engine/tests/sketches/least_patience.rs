//! Least patience first: the request of the client who can take the fewest disappointments, with a guard against starvation.
//!
//! From the patience paper: `k` is how many infinitely late answers a client would bear; it is fixed while a request waits, so
//! it is memory. A request that has waited twice the mean response goes before all others.

use std::collections::BTreeMap;

use expect_test::expect;
use muster_engine::fact::Why;
use muster_engine::ids::JobId;
use muster_engine::policy::dispatch::order::LaneOrder;
use muster_engine::policy::dispatch::{Choice, Dispatch};
use muster_engine::policy::settings::{Reader, SettingError};
use muster_engine::policy::{Change, Entry, Start, What, remember};
use muster_engine::state::job::LaneRef;
use muster_engine::state::tenant::Client;
use muster_engine::view::{Ask, View};

use crate::story::tell;

pub(crate) const ENTRY: Entry<dyn Dispatch> = Entry {
    name: "sketch-least-patience",
    about: "The client with the least patience left goes first; nobody waits for ever.",
    settings: &[],
    version: 1,
    start,
};

const OVERDUE: u16 = 1;
const LEAST: u16 = 2;

#[derive(Debug, Default)]
struct LeastPatience {
    oldest: LaneOrder<()>,
    by_patience: LaneOrder<u64>,
    /// For each job, `k` when it was first listed, in bits that compare.
    fixed: BTreeMap<JobId, u64>,
}

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    Reader::new(start.spec, ENTRY.settings)?;
    let mut policy = LeastPatience { fixed: start.recall()?.unwrap_or_default(), ..LeastPatience::default() };
    start.view.listed().into_iter().for_each(|lane| policy.list(lane, start.view));
    Ok(Box::new(policy))
}

/// How many infinitely late answers the client would bear, as a real number.
fn bears(client: &Client) -> f64 {
    let (patience, spec) = (client.patience, &client.spec);
    if patience < spec.threshold || patience <= 0.0 || spec.alpha_loss <= 0.0 {
        return 0.0;
    }
    if spec.threshold <= 0.0 || spec.alpha_loss >= 1.0 {
        return f64::INFINITY;
    }
    (libm::log(spec.threshold / patience) / libm::log(spec.alpha_loss)).max(0.0)
}

impl LeastPatience {
    fn list(&mut self, lane: LaneRef, view: View<'_>) {
        let job = view.job(lane);
        let client = job.client.and_then(|client| view.state.client(client));
        let key = *self.fixed.entry(job.id).or_insert(client.map_or(f64::INFINITY, bears).to_bits());
        self.oldest.insert((), lane, view);
        self.by_patience.insert(key, lane, view);
    }

    fn unlist(&mut self, lane: LaneRef, view: View<'_>) {
        self.oldest.remove((), lane, view);
        if let Some(key) = self.fixed.get(&view.job(lane).id) {
            self.by_patience.remove(*key, lane, view);
        }
    }
}

impl Dispatch for LeastPatience {
    fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => self.list(lane, view),
            What::Unlisted(lane) => self.unlist(lane, view),
            What::JobClosed { job, .. } => {
                self.fixed.remove(&job);
            }
            _ => {}
        }
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        let ((), oldest, task) = self.oldest.first(ask)?;
        let waited = ask.view.now().since(ask.view.job(oldest).opened(task));
        let seen = ask.view.pool().meter.total;
        if seen.completions > 0 && waited.0 >= 2 * (seen.latency / seen.completions) {
            let why = Why { code: OVERDUE, a: waited.0 as i64, b: 0 };
            return Some(Choice { lane: oldest, task, why });
        }
        let (key, lane, task) = self.by_patience.first(ask)?;
        let thousandths = (f64::from_bits(key) * 1000.0) as i64;
        Some(Choice { lane, task, why: Why { code: LEAST, a: thousandths, b: 0 } })
    }

    fn explain(&self, why: Why) -> String {
        match why.code {
            OVERDUE => "has waited twice the usual".to_owned(),
            _ => format!("bears {}.{:03} late answers", why.a / 1000, why.a % 1000),
        }
    }

    fn memory(&self) -> Vec<u8> {
        remember(&self.fixed)
    }
}

/// The cross client goes before the calm one, who came first; a quick answer makes it patient, and the calm one is next. The mean
/// response is about 5 s: at 12 s the job without a client has waited more than twice that, and goes before the fourth.
#[test]
fn the_least_patient_goes_first_until_somebody_has_waited_too_long() {
    let script = "
        usual
        set p dispatch sketch-least-patience
        client calm patience 0.9
        client cross patience 0.55
        submit anybody ann tag 1
        submit first ann tag 1 client calm
        submit second ann tag 1 client cross
        join a p person
        at 1s ask a
        at 5s answer a
        submit third ann tag 1 client cross
        ask a
        at 6s answer a
        ask a
        at 10s answer a
        at 12s submit fourth ann tag 1 client cross
        ask a
    ";
    expect![[r#"
        0s       p has dispatch sketch-least-patience
        0s       ann submits anybody: 1 tasks
        0s       ann submits first: 1 tasks
        0s       ann submits second: 1 tasks
        0s       a joins p
        1s       a asks
        1s       a gets second.0: lease 0 until 5min1s (bears 0.041 late answers)
        5s       a answers lease 0 (second.0)
        5s       second.0 by a counts
        5s       second is done
        5s       ann submits third: 1 tasks
        5s       a asks
        5s       a gets first.0: lease 1 until 5min5s (bears 0.255 late answers)
        6s       a answers lease 1 (first.0)
        6s       first.0 by a counts
        6s       first is done
        6s       a asks
        6s       a gets third.0: lease 2 until 5min6s (bears 0.534 late answers)
        10s      a answers lease 2 (third.0)
        10s      third.0 by a counts
        10s      third is done
        12s      ann submits fourth: 1 tasks
        12s      a asks
        12s      a gets anybody.0: lease 3 until 5min12s (has waited twice the usual)
    "#]]
    .assert_eq(&tell(script, super::registry()));
}
