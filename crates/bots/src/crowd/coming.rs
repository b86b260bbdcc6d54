//! Who comes, and what work comes: at the beginning, by shifts, by orders of the server, again; jobs by their laws.

use muster_sim::behave::{Somebody, Who, recruited};
use muster_sim::model::{Arrivals, Task};
use serde_json::{Value, json};

use super::{Crowd, Event};
use crate::Stop;

/// Somebody on their way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coming {
    pub(super) who: Who,
    pub(super) recruit: Option<u32>,
    /// They go after so many seconds, whatever else.
    pub(super) goes_after: Option<f64>,
}

/// Orders are looked for so often, in seconds of the wall.
const LOOK_EVERY: f64 = 1.0;

impl Crowd {
    /// Everything that is put down at the beginning.
    pub(super) fn begin(&mut self) {
        for pool in 0..self.settings.setup.pools.len() {
            let there = self.settings.setup.pools[pool].workers.clone();
            for (kind, n) in there {
                (0..n).for_each(|_| self.newcomer(pool, kind, None, None));
            }
            for shift in 0..self.settings.setup.pools[pool].shifts.len() {
                let from = self.settings.setup.pools[pool].shifts[shift].from.as_secs_f64();
                self.after(from, Event::Shift(pool, shift));
            }
        }
        for demand in 0..self.settings.setup.demands.len() {
            (0..self.settings.setup.demands[demand].backlog).for_each(|_| self.submit(demand));
            if matches!(self.settings.setup.demands[demand].arrivals, Arrivals::Closed { .. }) {
                let name = &self.settings.setup.demands[demand].name;
                (self.tell)(format!(
                    "demand '{name}' is of clients who wait for their job: nothing is submitted for it"
                ));
            }
            self.next_arrival(demand);
        }
        self.after(0.0, Event::LookForOrders);
    }

    fn number(&mut self, pool: usize, kind: usize) -> u64 {
        let number = self.numbers.entry((pool, kind)).or_default();
        *number += 1;
        *number - 1
    }

    /// Somebody new is at the door.
    fn newcomer(&mut self, pool: usize, kind: usize, recruit: Option<u32>, goes_after: Option<f64>) {
        let number = self.number(pool, kind);
        let who = Who { pool: pool as u32, kind: kind as u32, number, visit: 0 };
        self.at_the_door.push(Coming { who, recruit, goes_after });
    }

    fn put_coming(&mut self, after: f64, coming: Coming) {
        self.coming.insert(self.next_coming, coming);
        self.after(after, Event::Come(self.next_coming));
        self.next_coming += 1;
    }

    pub(super) fn come(&mut self, place: u64) {
        self.at_the_door.extend(self.coming.remove(&place));
    }

    pub(super) fn comes_again(&mut self, who: Who, after: f64) {
        let who = Who { visit: who.visit.saturating_add(1), ..who };
        self.put_coming(after, Coming { who, recruit: None, goes_after: None });
    }

    pub(super) fn shift(&mut self, pool: usize, place: usize) {
        if self.stopping > Stop::No {
            return;
        }
        let shift = self.settings.setup.pools[pool].shifts[place];
        (0..shift.workers)
            .for_each(|_| self.newcomer(pool, shift.kind, None, Some(shift.length.as_secs_f64())));
        if let Some(every) = shift.every {
            self.after(every.as_secs_f64(), Event::Shift(pool, place));
        }
    }

    /// What a worker says when joining.
    pub(super) fn introduction(&self, coming: &Coming) -> (Somebody, Value) {
        let (who, setup) = (coming.who, &self.settings.setup);
        let (pool, kind) = (&setup.pools[who.pool as usize], &setup.kinds[who.kind as usize]);
        let somebody = Somebody::new(who, kind, self.settings.seed);
        let likes = somebody.likes(kind, setup.apps.len()).into_iter();
        let likes: serde_json::Map<String, Value> =
            likes.map(|(app, liking)| (setup.apps[app].name.clone(), liking.into())).collect();
        let apps: Vec<&str> =
            pool.spec.apps.iter().map(|app| setup.apps[app.index()].name.as_str()).collect();
        let trained = if kind.trained { apps } else { Vec::new() };
        let name = self.settings.content.name(&kind.name, who.number);
        let body = json!({"pool": pool.name, "kind": kind.name, "name": name, "trained": trained,
            "preferences": likes, "recruit": coming.recruit});
        (somebody, body)
    }

    /// Orders that were not seen before are filled by people who come as long as recruiting takes, if they come.
    pub(super) fn fill(&mut self, orders: &Value) {
        for order in orders.as_array().map(Vec::as_slice).unwrap_or_default() {
            let setup = &self.settings.setup;
            let pool = setup.pools.iter().position(|pool| order["pool"] == *pool.name);
            let kind = setup.kinds.iter().position(|kind| order["kind"] == *kind.name);
            let number = order["recruit"].as_u64().and_then(|number| u32::try_from(number).ok());
            let (Some(pool), Some(kind), Some(number)) = (pool, kind, number) else { continue };
            if number < self.orders_seen {
                continue;
            }
            self.orders_seen = number + 1;
            for _ in 0..order["n"].as_u64().unwrap_or(0) {
                let who =
                    Who { pool: pool as u32, kind: kind as u32, number: self.number(pool, kind), visit: 0 };
                let after = recruited(&self.settings.setup.kinds[kind], self.settings.seed, who);
                if let Some(after) = after {
                    self.put_coming(after, Coming { who, recruit: Some(number), goes_after: None });
                }
            }
        }
        self.after(LOOK_EVERY * self.settings.speed, Event::LookForOrders);
    }

    pub(super) fn arrive(&mut self, demand: usize) {
        if self.stopping == Stop::No {
            self.submit(demand);
            self.next_arrival(demand);
        }
    }

    fn next_arrival(&mut self, demand: usize) {
        let now = self.now();
        let next = self.jobs[demand].next(&self.settings.setup.demands[demand], now);
        if let Some(at) = next.filter(|at| at.is_finite()) {
            self.after(at - now, Event::Arrive(demand));
        }
    }

    /// A job of a demand, as it is submitted.
    pub(super) fn job(&mut self, demand: usize) -> (Value, u32) {
        let size = self.jobs[demand].size(&self.settings.setup.demands[demand]);
        let first = self.tasks[demand];
        self.tasks[demand] += u64::from(size);
        let content = &self.settings.content;
        let setup = &self.settings.setup;
        let described = &setup.demands[demand];
        let mut body = json!({
            "tenant": setup.tenants[described.tenant].name, "name": described.name, "slots": described.slots,
            "price": described.price.as_units_f64(), "priority": described.priority,
            "budget": described.budget.map(|budget| budget.as_units_f64()),
            "expected": described.expected.map(|span| span.as_secs_f64()),
        });
        match &described.task {
            Task::Batch { app, .. } => {
                let app = setup.apps[*app].name.as_str();
                body["app"] = app.into();
                let numbers = (0..u64::from(size)).map(|item| first + item);
                body["tasks"] = numbers.map(|number| content.task(&described.name, app, number)).collect();
            }
            Task::Workflow(steps) => {
                let step = |step: &muster_sim::model::Step| json!({"app": setup.apps[step.app].name, "after": step.after});
                body["workflow"] = steps.iter().map(step).collect();
            }
        }
        (body, size)
    }
}
