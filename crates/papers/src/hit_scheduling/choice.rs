//! `self-chosen`: nobody schedules; people pick their batches themselves. The stated model of what attracts them.
//!
//! Whoever works on a batch goes on with it while it has something for them. Else they pick a batch by chance, each with a weight
//! of its open tasks to the power of `pull`: 0 is every batch alike, however large; 1 is every task alike; above that large batches
//! attract more than their tasks. A batch of several types gives one by chance, as MTurk does. A dispatch policy like any
//! other, so everything else is the engine. Not known by name outside the experiments.

use std::collections::BTreeMap;

use muster_engine::fact::Why;
use muster_engine::ids::JobId;
use muster_engine::policy::dispatch::{Choice, Dispatch};
use muster_engine::policy::settings::{PolicySpec, Reader, Setting, SettingError};
use muster_engine::policy::{Change, Entry, Registry, Start};
use muster_engine::state::job::LaneRef;
use muster_engine::view::{Ask, View};
use muster_sim::random::{Chance, Purpose};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "pull",
        meaning: "How much more a batch with more open tasks attracts: its weight is their number to this power.",
        default: "1",
    },
    Setting { name: "seed", meaning: "What chance begins with.", default: "0" },
];

const ENTRY: Entry<dyn Dispatch> = Entry {
    name: "self-chosen",
    about: "People pick batches themselves and go on with the one they have.",
    settings: SETTINGS,
    version: 1,
    start,
};

/// The usual policies, and this one.
pub(crate) fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.dispatch.push(ENTRY);
    registry
}

/// People pick batches themselves.
pub(crate) fn self_chosen(pull: f64, seed: u64) -> PolicySpec {
    // Settings are numbers with 53 bits.
    PolicySpec::named(ENTRY.name).with("pull", pull).with("seed", (seed >> 12) as f64)
}

#[derive(Debug)]
struct SelfChosen {
    pull: f64,
    seed: u64,
}

/// A batch with something for a worker: its lanes, each with the task that would be had.
type Open = BTreeMap<JobId, Vec<(LaneRef, u32)>>;

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    let reader = Reader::new(start.spec, SETTINGS)?;
    let pull = reader.number("pull", 1.0, 0.0, 100.0)?;
    let seed = reader.number("seed", 0.0, 0.0, 2_f64.powi(53))? as u64;
    Ok(Box::new(SelfChosen { pull, seed }))
}

impl SelfChosen {
    /// A draw that depends on who asks, when, and what for.
    fn unit(&self, ask: &Ask<'_>, what: u64) -> f64 {
        let who = Chance::of(self.seed, Purpose::Person, u64::from(ask.worker.id.0), what).bits();
        Chance::of(who, Purpose::Person, ask.view.now().0, what).unit()
    }

    fn pick<T>(&self, ask: &Ask<'_>, what: u64, weighted: &[(f64, T)]) -> Option<usize> {
        let total: f64 = weighted.iter().map(|(weight, _)| weight).sum();
        let mut left = self.unit(ask, what) * total;
        let found = weighted.iter().position(|(weight, _)| {
            left -= weight;
            left < 0.0
        });
        found.or_else(|| weighted.len().checked_sub(1))
    }
}

fn open(ask: &Ask<'_>) -> Open {
    let mut open = Open::new();
    for lane in ask.view.listed() {
        let able = ask.view.state.is_able(ask.worker, ask.view.lane(lane).app) != ask.learning;
        if let Some(task) = ask.task_in(lane).filter(|_| able) {
            open.entry(ask.view.job(lane).id).or_default().push((lane, task));
        }
    }
    open
}

impl Dispatch for SelfChosen {
    fn note(&mut self, _change: &Change, _view: View<'_>) {}

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        let open = open(ask);
        let slots = |lanes: &Vec<(LaneRef, u32)>| {
            lanes.iter().map(|(lane, _)| f64::from(ask.view.lane(*lane).open)).sum::<f64>()
        };
        let kept = ask.worker.last_job.and_then(|job| open.get(&job));
        let weighted: Vec<(f64, &Vec<(LaneRef, u32)>)> =
            open.values().map(|lanes| (libm::pow(slots(lanes), self.pull), lanes)).collect();
        let lanes = kept.or_else(|| Some(weighted[self.pick(ask, 0, &weighted)?].1))?;
        let of_types: Vec<(f64, (LaneRef, u32))> =
            lanes.iter().map(|it| (f64::from(ask.view.lane(it.0).open), *it)).collect();
        let (lane, task) = of_types[self.pick(ask, 1, &of_types)?].1;
        Some(Choice { lane, task, why: Why::default() })
    }

    fn explain(&self, _why: Why) -> String {
        "the worker's own choice".to_owned()
    }
}
