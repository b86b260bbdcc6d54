//! `cheapest` and `fastest`: the worker of the kind that costs least for the task, or does it soonest.

use crate::ids::KindId;
use crate::policy::settings::Reader;
use crate::policy::{Change, Entry, Start};
use crate::spec::{KindSpec, Role};
use crate::state::worker::Worker;
use crate::table::Slot;
use crate::view::{Offer, View};

use super::Matching;
use super::waiting::Waiting;

/// How `cheapest` is named and started.
pub const CHEAPEST: Entry<dyn Matching> = Entry {
    name: "cheapest",
    about: "The worker whose time costs least for the task: cost per hour times the hours it takes that kind.",
    settings: &[],
    version: 1,
    start: |start| begin(start, By::Cost),
};

/// How `fastest` is named and started.
pub const FASTEST: Entry<dyn Matching> = Entry {
    name: "fastest",
    about: "The worker of the kind that does the task soonest.",
    settings: &[],
    version: 1,
    start: |start| begin(start, By::Time),
};

fn begin(start: Start<'_>, by: By) -> Result<Box<dyn Matching>, crate::policy::settings::SettingError> {
    Reader::new(start.spec, &[])?;
    let kind = |worker: &Worker, _, _: View<'_>| u64::from(worker.kind.0);
    Ok(Box::new(ByKind { by, waiting: Waiting::start(kind, start.view) }))
}

#[derive(Clone, Copy, Debug)]
enum By {
    Cost,
    Time,
}

#[derive(Debug)]
struct ByKind {
    by: By,
    waiting: Waiting,
}

impl ByKind {
    /// What the lane's next task costs on a kind, or how long it takes there; by speed alone if nothing is known of it.
    fn number(&self, kind: KindId, spec: &KindSpec, offer: &Offer<'_>) -> f64 {
        let (lane, job) = (offer.view.lane(offer.lane), offer.view.job(offer.lane));
        let task = lane.first_open().unwrap_or(0);
        let expected = offer.view.expected(job, task, kind);
        let time = expected.map_or(1.0 / spec.speed, crate::time::Span::as_secs_f64);
        match self.by {
            By::Time => time,
            By::Cost => time * cost_per_second(spec),
        }
    }
}

/// What an hour of a kind costs, as a rate.
fn cost_per_second(spec: &KindSpec) -> f64 {
    match spec.role {
        Role::Person { wage_waiting, .. } => wage_waiting.as_units_f64() / 3600.0,
        Role::Machine { period, cost } => cost.as_units_f64() / period.as_secs_f64(),
    }
}

impl Matching for ByKind {
    fn note(&mut self, change: &Change, view: View<'_>) {
        self.waiting.note(change, view);
    }

    fn choose(&self, offer: &Offer<'_>) -> Option<Slot<Worker>> {
        if offer.learning {
            return self.waiting.first(offer);
        }
        let idle = |kind: &KindId| offer.view.pool().kind(*kind).workers.idle > 0;
        let kinds = (0..).map(KindId).zip(offer.view.state.kinds()).filter(|(kind, _)| idle(kind));
        let mut kinds: Vec<(f64, KindId)> =
            kinds.map(|(kind, spec)| (self.number(kind, spec, offer), kind)).collect();
        kinds.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        kinds.into_iter().find_map(|(_, kind)| self.waiting.first_of(u64::from(kind.0), offer))
    }
}
