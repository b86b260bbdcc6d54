//! When jobs come, and what they are. Knows nothing of those who do them.

use muster_engine::ids::{AppId, ClientId, TenantId};
use muster_engine::spec::{Estimates, FlowTask, JobSpec, Work};
use muster_engine::{Span, Time};

use crate::law::Law;
use crate::model::{Arrivals, Demand, Task};
use crate::random::{Chance, Purpose};

use super::person::{at_least_one, span};

/// A demand, as far as it has come.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    chance: Chance,
    /// How many jobs have come: the number of the next.
    pub(crate) number: u64,
    /// How many recorded arrivals have come.
    recorded: usize,
    /// The first client of this demand.
    pub(crate) first_client: u32,
}

impl Stream {
    pub(crate) fn new(seed: u64, place: usize, first_client: u32) -> Self {
        let chance = Chance::of(seed, Purpose::Arrival, place as u64, 0);
        Self { chance, number: 0, recorded: 0, first_client }
    }

    /// When the next job comes after `now`; with how many tasks, if that is recorded.
    #[inline]
    pub(crate) fn next(&mut self, demand: &Demand, now: Time) -> Option<Time> {
        match &demand.arrivals {
            Arrivals::Renewal { gap, rate, curve } => {
                let units = gap.draw(&mut self.chance) / rate;
                let at = match curve {
                    None => now + span(units),
                    Some(curve) => Time::ZERO + Span::from_secs_f64(curve.after(now.as_secs_f64(), units)),
                };
                Some(at).filter(|at| *at < Time::ZERO + demand.until)
            }
            Arrivals::Recorded(times) => {
                let (at, _) = times.get(self.recorded)?;
                Some(Time::ZERO + *at).filter(|at| *at < Time::ZERO + demand.until)
            }
            Arrivals::Closed { .. } | Arrivals::None => None,
        }
    }

    /// A recorded arrival has come: with how many tasks, 0 if that is not recorded.
    #[inline]
    pub(crate) fn come(&mut self, demand: &Demand) -> u32 {
        let Arrivals::Recorded(times) = &demand.arrivals else { return 0 };
        let tasks = times.get(self.recorded).map_or(0, |(_, tasks)| *tasks);
        self.recorded += 1;
        tasks
    }

    /// The next job, for this client if one asks; of so many tasks, if that is known.
    #[inline]
    pub(crate) fn job(
        &mut self,
        demand: &Demand,
        (place, seed): (usize, u64),
        client: Option<u32>,
        tasks: u32,
    ) -> JobSpec {
        let client = demand.clients.map(|(n, _)| {
            let turn = client.unwrap_or((self.number % u64::from(n.max(1))) as u32);
            ClientId(self.first_client + turn)
        });
        let work = match &demand.task {
            Task::Batch { app, size } => {
                let n = match size {
                    _ if tasks > 0 => tasks,
                    Law::Fixed(size) if *size <= 1.0 => 1,
                    _ => at_least_one(size, &mut Chance::of(seed, Purpose::Size, place as u64, self.number)),
                };
                Work::Batch { app: AppId(*app as u32), tasks: n }
            }
            Task::Workflow(steps) => Work::Workflow(
                steps
                    .iter()
                    .map(|step| FlowTask {
                        app: AppId(step.app as u32),
                        parents: step.after.iter().map(|parent| *parent as u32).collect(),
                    })
                    .collect(),
            ),
        };
        self.number += 1;
        JobSpec {
            tenant: TenantId(demand.tenant as u32),
            work,
            priority: demand.priority,
            price: demand.price,
            slots: demand.slots,
            budget: demand.budget,
            client,
            expected: demand.expected,
            estimates: Estimates::None,
        }
    }
}
