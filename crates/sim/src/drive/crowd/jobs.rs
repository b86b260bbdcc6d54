//! Jobs as the crowd knows them: when the next comes, who waits for it, when it is over.

use muster_engine::fact::{Outcome as Ending, Recorder};
use muster_engine::ids::JobId;
use muster_engine::spec::JobSpec;
use muster_engine::state::State;
use muster_engine::{Span, Time};

use crate::model::{Arrivals, Horizon, Setup};
use crate::random::{Chance, Purpose};

use super::super::Event;
use super::Crowd;

/// A job that lives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Live {
    pub(super) demand: u32,
    /// Whether anybody ever began on it.
    pub(super) begun: bool,
    client: Option<u32>,
    /// Its number among the jobs of its demand.
    pub(super) number: u64,
    pub(super) submitted: Time,
    /// Slots that are open from the beginning.
    opened: u32,
    /// Workers in its pool when it came.
    hands: u32,
    pub(super) worked: Span,
    pub(super) longest: Span,
}

impl Live {
    /// How long it would take with nobody else there, in nanoseconds: as long as its longest task, or as all of its work
    /// divided among the hands.
    #[inline]
    fn alone(&self) -> u64 {
        let work = if self.worked > self.longest { self.worked.0 / u64::from(self.hands.max(1)) } else { 0 };
        self.longest.0.max(work).max(1)
    }
}

/// Jobs per second of all demands together at their usual rates: how long so many jobs will take.
pub(crate) fn usual_rate(setup: &Setup) -> f64 {
    let rate = |arrivals: &Arrivals| match arrivals {
        Arrivals::Renewal { rate, .. } => *rate,
        Arrivals::Closed { clients, thinking } => f64::from(*clients) / thinking.mean().max(1e-9),
        Arrivals::Recorded(times) => {
            let span = times.last().map_or(0.0, |(at, _)| at.as_secs_f64());
            times.len() as f64 / span.max(1e-9)
        }
        Arrivals::None => 0.0,
    };
    setup.demands.iter().map(|demand| rate(&demand.arrivals)).sum()
}

impl<R: Recorder> Crowd<'_, R> {
    pub(crate) fn demand_begins(&mut self) {
        for place in 0..self.demands.len() {
            let demand = &self.setup.demands[place];
            let from = Time::ZERO + demand.from;
            if let Arrivals::Closed { clients, thinking } = &demand.arrivals {
                for client in 0..*clients {
                    let thing = (place as u64) << 32 | u64::from(client);
                    let mut chance = Chance::of(self.seed, Purpose::Thinking, thing, u64::MAX);
                    let after = Span::from_secs_f64(thinking.draw(&mut chance));
                    self.agenda.put(from + after, Event::Request(place as u32, client));
                }
            }
            if let Some(at) = self.demands[place].stream.next(demand, from) {
                self.agenda.put(at, Event::Arrive(place as u32));
            }
        }
    }

    pub(crate) fn end_demand(&mut self) {
        self.demand_ended = self.demand_ended.or(Some(self.agenda.now()));
    }

    /// Whether jobs of a demand may still come.
    #[inline]
    pub(crate) fn is_wanted(&self, demand: usize) -> bool {
        self.demand_ended.is_none() && self.agenda.now() < Time::ZERO + self.setup.demands[demand].until
    }

    /// A job arrives: puts the next one down, and says of how many tasks this one is (0: as the size says).
    #[inline]
    pub(crate) fn next_arrival(&mut self, place: usize) -> u32 {
        let (demand, stream) = (&self.setup.demands[place], &mut self.demands[place].stream);
        let tasks = stream.come(demand);
        if let Some(at) = stream.next(demand, self.agenda.now()) {
            self.agenda.put(at, Event::Arrive(place as u32));
        }
        tasks
    }

    /// The next job of a demand.
    #[inline]
    pub(crate) fn job(&mut self, place: usize, client: Option<u32>, tasks: u32) -> Box<JobSpec> {
        let stream = &mut self.demands[place].stream;
        self.submitting = Some((place as u32, client, stream.number));
        Box::new(stream.job(&self.setup.demands[place], (place, self.seed), client, tasks))
    }

    pub(crate) fn has_not_begun(&self, job: JobId) -> bool {
        self.jobs.get(job.0).is_some_and(|live| !live.begun)
    }

    #[inline(never)]
    pub(super) fn see_submitted(&mut self, job: JobId, spec: &JobSpec, at: Time, state: &State) {
        let (demand, client, number) = self.submitting.take().expect("jobs come from demands");
        let known = &self.demands[demand as usize];
        let tasks = spec.work.len() as u32;
        let opened = u32::from(spec.slots) * if known.is_batch { tasks } else { known.roots };
        let pool = known.pools[0] as usize;
        let live = Live {
            demand,
            begun: false,
            client,
            number,
            submitted: at,
            opened,
            hands: state.pools()[pool].workers.size(),
            worked: Span::ZERO,
            longest: Span::ZERO,
        };
        self.jobs.insert(job.0, live);
        self.see_queues(demand, at, state);
        self.edges.jobs_submitted += 1;
        self.edges.tasks_submitted += u64::from(tasks);
        let described = &self.setup.demands[demand as usize];
        if let Some(giving_up) = &described.giving_up {
            let mut chance = Chance::of(self.seed, Purpose::Patience, u64::from(demand), number);
            let after = Span::from_secs_f64(giving_up.after.draw(&mut chance));
            self.agenda.put(at + after, Event::GiveUp(job));
        }
        if let Horizon::Jobs(n) = self.plan.horizon
            && self.edges.jobs_submitted >= n
        {
            self.end_demand();
        }
    }

    #[inline]
    pub(super) fn see_queues(&mut self, demand: u32, at: Time, state: &State) {
        let known = &self.demands[demand as usize];
        for pool in &known.pools {
            self.tally.see_queue(*pool as usize, at, state);
        }
    }

    #[inline(never)]
    pub(super) fn see_closed(
        &mut self,
        job: JobId,
        outcome: Ending,
        response: Span,
        at: Time,
        state: &State,
    ) {
        let Some(live) = self.jobs.remove(job.0) else { return };
        let demand = &self.setup.demands[live.demand as usize];
        match outcome {
            Ending::Done => {
                let slowdown = response.0 as f64 / live.alone() as f64;
                self.tally.done(demand.tenant, live.submitted, response, slowdown);
                self.edges.jobs_done += 1;
            }
            Ending::Cancelled => {
                // Only jobs on which nobody began are given up.
                let wait = at.since(live.submitted);
                (0..live.opened).for_each(|_| self.tally.unqueued(wait));
                self.tally.gave_up(demand.tenant, live.submitted);
                self.edges.jobs_gave_up += 1;
                self.see_queues(live.demand, at, state);
            }
        }
        if let (Arrivals::Closed { thinking, .. }, Some(client)) = (&demand.arrivals, live.client) {
            let thing = u64::from(live.demand) << 32 | u64::from(client);
            let mut chance = Chance::of(self.seed, Purpose::Thinking, thing, live.number);
            let after = Span::from_secs_f64(thinking.draw(&mut chance));
            self.agenda.put(at + after, Event::Request(live.demand, client));
        }
    }
}
