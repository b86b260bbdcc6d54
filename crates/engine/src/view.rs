//! What policies see: a pool in the state of the engine, and what has been observed there.
//!
//! Reads only. Policies that choose a slot get an [`Ask`], those that choose a worker an [`Offer`], those that look at a
//! pool from time to time a [`View`] with its [`Observation`].

use crate::formula::pool_size::Objective;
use crate::formula::target::{Churn, Target, least_size};
use crate::ids::{AppId, KindId, PoolId, TaskId};
use crate::spec::{Aim, Recommend};
use crate::state::State;
use crate::state::job::{Job, Lane, LaneRef};
use crate::state::pool::{Headcount, Pool};
use crate::state::worker::Worker;
use crate::table::Slot;
use crate::time::{Span, Time};

/// A pool, with everything around it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Everything.
    pub state: &'a State,
    /// The pool.
    pub id: PoolId,
}

impl<'a> View<'a> {
    /// The pool itself.
    #[must_use]
    pub fn pool(&self) -> &'a Pool {
        &self.state.pools()[self.id.index()]
    }

    /// The time of the last fact.
    #[must_use]
    pub fn now(&self) -> Time {
        self.state.now()
    }

    /// A lane.
    #[must_use]
    pub fn lane(&self, lane: LaneRef) -> &'a Lane {
        self.state.lane(lane)
    }

    /// The job of a lane.
    #[must_use]
    pub fn job(&self, lane: LaneRef) -> &'a Job {
        self.state.job_at(lane)
    }

    /// The lane of a task, if its job lives.
    #[must_use]
    pub fn lane_of(&self, task: TaskId) -> Option<LaneRef> {
        let job = self.state.jobs.find(task.job)?;
        Some(LaneRef { job, lane: self.state.jobs[job].lane_of(task.index) })
    }

    /// The lanes of this pool that are listed, in the order in which they were made. Takes as long as there are jobs:
    /// for starting a policy, not for choosing.
    #[must_use]
    pub fn listed(&self) -> Vec<LaneRef> {
        let mut lanes: Vec<(u64, LaneRef)> =
            self.all_lanes().filter(|(_, _, listed)| *listed).map(|(seq, at, _)| (seq, at)).collect();
        lanes.sort_unstable_by_key(|(seq, _)| *seq);
        lanes.into_iter().map(|(_, at)| at).collect()
    }

    /// All lanes of this pool, listed or not, in the order in which they were made.
    #[must_use]
    pub fn lanes(&self) -> Vec<LaneRef> {
        let mut lanes: Vec<(u64, LaneRef)> = self.all_lanes().map(|(seq, at, _)| (seq, at)).collect();
        lanes.sort_unstable_by_key(|(seq, _)| *seq);
        lanes.into_iter().map(|(_, at)| at).collect()
    }

    fn all_lanes(&self) -> impl Iterator<Item = (u64, LaneRef, bool)> {
        let pool = self.id;
        self.state.jobs.unordered().flat_map(move |(job, kept)| {
            (0..kept.lanes.len()).filter_map(move |lane| {
                let it = kept.lanes.get(lane);
                (it.pool == pool).then_some((it.seq, LaneRef { job, lane }, it.listed))
            })
        })
    }

    /// The workers of this pool, by id.
    pub fn workers(&self) -> impl Iterator<Item = &'a Worker> {
        let state = self.state;
        self.pool().members.iter().filter_map(move |id| state.worker(*id))
    }

    /// How long a task should take on a kind: as estimated for the task, or for the job, or as the app goes.
    #[must_use]
    pub fn expected(&self, job: &Job, task: u32, kind: KindId) -> Option<Span> {
        self.state.expected(job, task, kind)
    }

    /// What has been observed.
    #[must_use]
    pub fn observe(&self) -> Observation {
        Observation::of(self.pool(), self.now())
    }
}

impl State {
    /// How long a task should take on a kind: as estimated for the task, or for the job, or as the app goes.
    #[must_use]
    pub fn expected(&self, job: &Job, task: u32, kind: KindId) -> Option<Span> {
        let speed = self.kinds[kind.index()].speed;
        job.estimate(task, kind, speed).or_else(|| {
            let usual = job.expected.or_else(|| self.apps[job.app_of(task).index()].expected());
            usual.map(|span| if speed == 1.0 { span } else { span.scaled(1.0 / speed) })
        })
    }
}

/// What a pool looks like to a policy that decides on its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Open slots that wait.
    pub queue: u64,
    /// How long the window really is.
    pub window: Span,
    /// Slots that opened in the window.
    pub arrivals: u64,
    /// Answers that counted in the window.
    pub completions: u64,
    /// Workers who left in the window.
    pub departures: u64,
    /// Slots that open, per second.
    pub arrival_rate: f64,
    /// Answers per second of one busy worker; `None` if nobody has been busy.
    pub service_rate: Option<f64>,
    /// Workers who leave, per second.
    pub departure_rate: f64,
    /// Answers per second of the whole pool.
    pub throughput: f64,
    /// Mean time from opening to answer, of what was answered in the window.
    pub latency: Option<Span>,
    /// Mean time from opening to lease, of what was leased in the window.
    pub wait: Option<Span>,
    /// The share of idle and busy workers' time in which they were busy.
    pub utilisation: f64,
    /// Workers by standing.
    pub workers: Headcount,
    /// Workers on their way.
    pub in_flight: u32,
    rule: Recommend,
}

impl Observation {
    /// What can be observed in a pool at a moment.
    #[must_use]
    pub fn of(pool: &Pool, now: Time) -> Self {
        let (seen, window) = pool.meter.window(now);
        let per_second = |n: u64| if window.is_zero() { 0.0 } else { n as f64 / window.as_secs_f64() };
        let mean = |sum: u64, n: u64| (n > 0).then(|| Span(sum / n));
        let service_rate = if seen.completions > 0 && seen.busy > 0 {
            Some(seen.completions as f64 / Span(seen.busy).as_secs_f64())
        } else {
            pool.spec.recommend.service_prior.map(|span| 1.0 / span.as_secs_f64())
        };
        let arrival_rate = per_second(seen.arrivals);
        let attended = seen.busy.saturating_add(seen.idle);
        Self {
            queue: pool.queue,
            window,
            arrivals: seen.arrivals,
            completions: seen.completions,
            departures: seen.departures,
            arrival_rate,
            service_rate,
            departure_rate: per_second(seen.departures),
            throughput: per_second(seen.completions),
            latency: mean(seen.latency, seen.completions),
            wait: mean(seen.waited, seen.leases),
            utilisation: if attended == 0 { 0.0 } else { seen.busy as f64 / attended as f64 },
            workers: pool.workers,
            in_flight: pool.in_flight(),
            rule: pool.spec.recommend,
        }
    }

    /// How many workers there should be, by the pool's rule; `None` if it cannot be said yet, or no size will do. Takes as
    /// long as that size is large.
    #[must_use]
    pub fn recommended(&self) -> Option<u32> {
        let rule = &self.rule;
        let target = match rule.aim {
            Aim::Objective { eta, cost_per_second: cost_rate, cost_of_idle } => {
                Target::Objective(Objective { eta, cost_rate, cost_of_idle })
            }
            Aim::Wait(span) => Target::Wait(span.as_secs_f64()),
            Aim::Within(span, share) => Target::Within { time: span.as_secs_f64(), share },
            Aim::Occupancy(share) => Target::Occupancy(share),
            Aim::Money { waiting_minute, worker_hour } => {
                Target::Money { waiting: waiting_minute / 60.0, wage: worker_hour / 3600.0 }
            }
        };
        let size = least_size(self.arrival_rate, self.service_rate?, &target, Some(rule.size_most))?;
        let Some(delay) = rule.recruitment_delay else { return Some(size) };
        let each = self.departure_rate / f64::from(self.workers.size().max(1));
        let churn = Churn { departure_rate: each, recruitment_delay: delay.as_secs_f64() };
        Some(churn.positions(size).min(rule.size_most))
    }

    /// How many workers the pool has, or will have when those on their way have come.
    #[must_use]
    pub fn size(&self, with_in_flight: bool) -> u32 {
        self.workers.size() + if with_in_flight { self.in_flight } else { 0 }
    }
}

/// A worker wants a task: what the dispatch policy is asked.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The pool.
    pub view: View<'a>,
    /// Who asks.
    pub worker: &'a Worker,
    /// Whether this is about what the worker could learn, rather than what it can do.
    pub learning: bool,
}

impl Ask<'_> {
    /// Whether tasks of the app at a place in the pool's list take part in the choice.
    #[must_use]
    pub fn may(&self, place: usize) -> bool {
        let app = &self.view.pool().apps[place];
        let able = self.view.state.is_able(self.worker, app.app);
        if self.learning { !able && app.open > u64::from(app.learning) } else { able }
    }

    /// The first task of a lane that the worker may take.
    #[must_use]
    pub fn task_in(&self, lane: LaneRef) -> Option<u32> {
        self.view.state.offers(self.worker, lane)
    }
}

/// A lane has work for somebody who waits: what the matching policy is asked.
#[derive(Clone, Copy, Debug)]
pub struct Offer<'a> {
    /// The pool.
    pub view: View<'a>,
    /// The lane.
    pub lane: LaneRef,
    /// Whether somebody is wanted who would have to learn the app first.
    pub learning: bool,
}

impl<'a> Offer<'a> {
    /// The app of the lane.
    #[must_use]
    pub fn app(&self) -> AppId {
        self.view.lane(self.lane).app
    }

    /// Where the app stands in the pool's list.
    #[must_use]
    pub fn place(&self) -> usize {
        usize::from(self.view.lane(self.lane).place)
    }

    /// A worker at its place.
    #[must_use]
    pub fn worker(&self, slot: Slot<Worker>) -> &'a Worker {
        self.view.state.worker_at(slot)
    }

    /// Whether the worker can take a task of the lane (or learn to).
    #[must_use]
    pub fn fits(&self, slot: Slot<Worker>) -> bool {
        let worker = self.worker(slot);
        self.view.state.is_able(worker, self.app()) != self.learning
            && self.view.state.offers(worker, self.lane).is_some()
    }
}
