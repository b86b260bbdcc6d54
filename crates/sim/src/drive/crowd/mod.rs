//! The crowd around the engine: hears every fact, counts it, and puts down what people do because of it.
//!
//! Does not decide who gets what; it only behaves. Invariant: what a person does is drawn from streams named by the person
//! and the task, never by the order of events, so that variants see the same people and the same work. Start at
//! [`Crowd::record`]; jobs are in `jobs`, comings and goings in `people`, leases and answers in `hands`.

mod hands;
mod jobs;
pub(crate) mod people;

use muster_engine::fact::{Body, Decision, Fact, Input, Recorder};
use muster_engine::state::State;
use muster_engine::view::Observation;
use muster_engine::{Span, Time};

use crate::lookup::Lookup;
use crate::measure::{Closing, Edges, Moment, Outcome, PoolMoment, Reader, Tally, Timeline};
use crate::model::{Horizon, Plan, Setup};

use super::Plans;
use super::demand::Stream;
use super::person::{Coming, Person};
use super::queue::Reopened;

use jobs::Live;
pub(crate) use jobs::usual_rate;

/// What is known of a demand once the engine is set up.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) stream: Stream,
    /// The pool of each step (of the one app of a batch).
    pub(crate) pools: Vec<u32>,
    /// Where each step is counted.
    pub(crate) cells: Vec<u32>,
    /// The app of each step.
    pub(crate) apps: Vec<u32>,
    /// Steps that open at once.
    pub(crate) roots: u32,
    pub(crate) is_batch: bool,
}

/// Everybody, and everything that is to come.
#[derive(Debug)]
pub(crate) struct Crowd<'a, R> {
    setup: &'a Setup,
    plan: &'a Plan,
    seed: u64,
    also: &'a mut R,
    pub(crate) agenda: Plans,
    people: Lookup<Person>,
    jobs: Lookup<Live>,
    reopened: Reopened,
    demands: Vec<Known>,
    /// How many were wanted so far, by pool and kind.
    wanted: Vec<Vec<u64>>,
    coming: Vec<Option<Coming>>,
    coming_free: Vec<u32>,
    /// Who is about to join.
    joining: Option<Coming>,
    /// When the one who is about to join has to go.
    pub(crate) goes_at: Option<Time>,
    /// What the next job is: demand, client, number.
    submitting: Option<(u32, Option<u32>, u64)>,
    pub(crate) demand_ended: Option<Time>,
    /// Streams and clients from which jobs may still come.
    sources: u64,
    pub(crate) tally: Tally,
    pub(crate) timeline: Timeline,
    pub(crate) edges: Edges,
    facts: u64,
}

impl<'a, R: Recorder> Crowd<'a, R> {
    pub(crate) fn new(setup: &'a Setup, plan: &'a Plan, seed: u64, also: &'a mut R) -> Self {
        let horizon = match plan.horizon {
            Horizon::Time(span) | Horizon::Drain(span) => span,
            Horizon::Jobs(n) => Span::from_secs_f64(n as f64 / usual_rate(setup).max(1e-9)),
        };
        let step = Span(horizon.0 / u64::from(plan.points.max(2)));
        Self {
            setup,
            plan,
            seed,
            also,
            agenda: Plans::new(),
            people: Lookup::new(),
            jobs: Lookup::new(),
            reopened: Reopened::default(),
            demands: Vec::new(),
            wanted: vec![vec![0; setup.kinds.len()]; setup.pools.len()],
            coming: Vec::new(),
            coming_free: Vec::new(),
            joining: None,
            goes_at: None,
            submitting: None,
            demand_ended: None,
            sources: 0,
            tally: Tally::new(setup.tenants.len(), setup.pools.len(), Time::ZERO + plan.warm_up),
            timeline: Timeline::new(step, plan.points),
            edges: Edges::default(),
            facts: 0,
        }
    }

    pub(crate) fn know(&mut self, mut demands: Vec<Known>) {
        for (known, demand) in demands.iter_mut().zip(&self.setup.demands) {
            let cell = |pool: &u32| self.tally.cell(demand.tenant, *pool as usize);
            known.cells = known.pools.iter().map(cell).collect();
        }
        self.demands = demands;
    }

    /// Counting begins: what set the engine up is not part of it.
    pub(crate) fn begin(&mut self) {
        self.edges = Edges::default();
    }

    /// How things stand now.
    pub(crate) fn moment(&self, state: &State) -> Moment {
        let now = self.agenda.now();
        let pool =
            |(tally, pool): (&crate::measure::PoolTally, &muster_engine::state::pool::Pool)| PoolMoment {
                queue: tally.queue.until(now),
                size: tally.size.until(now),
                busy: pool.meter.totals(now).busy,
                recommended: Observation::of(pool, now).recommended(),
            };
        Moment { at: now, pools: self.tally.pools.iter().zip(state.pools()).map(pool).collect() }
    }

    /// Little's law, which holds on every path: all waiting, slot by slot, is the area under the queues.
    pub(crate) fn check_little(&mut self, state: &State) {
        let now = self.agenda.now();
        let (waiting, slots) = self.reopened.still_waiting(state, now);
        let area: u128 = self.tally.pools.iter().map(|pool| pool.queue.until(now)).sum();
        assert_eq!(self.tally.waited_all + waiting, area, "waiting slot by slot, and moment by moment");
        self.edges.slots_waiting = slots;
        self.edges.jobs_left = state.job_count() as u64;
    }

    /// What the run has shown.
    pub(crate) fn outcome(mut self, state: &State, begin: &Closing, end: &Closing) -> Outcome {
        self.tally.add_up();
        let reader =
            Reader { setup: self.setup, tally: &self.tally, state, timeline: &self.timeline, begin, end };
        let readings = reader.readings();
        let waits = self.tally.tenants.into_iter().map(|tenant| tenant.waits).collect();
        let end = self.agenda.now();
        Outcome { readings, waits, timeline: self.timeline, edges: self.edges, facts: self.facts, end }
    }

    /// Most inputs are of no concern: what they lead to is.
    #[inline]
    fn see_input(&mut self, input: &Input, at: Time, state: &State) {
        match input {
            Input::JobSubmitted(job, spec) => self.see_submitted(*job, spec, at, state),
            Input::Joined(worker, _) => self.see_joined(*worker, at, state),
            Input::Returned(worker, _) => {
                self.edges.returned += 1;
                self.see_given_back(*worker, at, state);
            }
            Input::TaskSkipped(worker, _) | Input::JobSkipped(worker, _) => {
                self.edges.skipped += 1;
                self.see_given_back(*worker, at, state);
            }
            _ => {}
        }
    }

    #[inline]
    fn see_decision(&mut self, decision: &Decision, at: Time, state: &State) {
        match decision {
            Decision::Leased(grant) => self.see_leased(grant, at, state),
            Decision::Judged { worker, task, verdict, .. } => {
                self.see_judged(*worker, *task, *verdict, at, state);
            }
            Decision::Parked(worker) => self.see_parked(*worker, at),
            Decision::TrainingStarted(worker, app) => self.see_training(*worker, *app, at),
            Decision::LeaseExpired(worker, _) => self.see_expired(*worker, at, state),
            Decision::JobClosed { job, outcome, response, .. } => {
                self.see_closed(*job, *outcome, *response, at, state);
            }
            Decision::Departed { worker, why, .. } => self.see_departed(*worker, *why, at, state),
            Decision::Moved { worker, to, .. } => self.see_moved(*worker, *to, at, state),
            Decision::Recruiting { recruit, pool, kind, n, deadline } => {
                self.see_recruiting(Coming::called(*recruit, *pool), *kind, *n, (at, *deadline));
            }
            Decision::RecruitLost(_, n) => self.edges.recruits_lost += u64::from(*n),
            _ => {}
        }
    }
}

impl<R: Recorder> Recorder for Crowd<'_, R> {
    #[inline]
    fn record(&mut self, number: u64, fact: &Fact, state: &State) {
        self.facts = number + 1;
        match &fact.body {
            Body::Input(input) => self.see_input(input, fact.at, state),
            Body::Decision(decision) => self.see_decision(decision, fact.at, state),
        }
        self.also.record(number, fact, state);
    }
}
