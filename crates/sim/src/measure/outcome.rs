//! What one run has shown, in numbers. Made of the tally and the engine's own books when the run is over.

use std::ops::AddAssign;

use hdrhistogram::Histogram;
use muster_engine::fact::Wages;
use muster_engine::money::Money;
use muster_engine::state::State;
use muster_engine::state::meter::Counts as MeterCounts;
use muster_engine::{Span, Time};
use serde::Serialize;

use super::tally::{PoolTally, Tally, TenantTally, waits};
use super::{Measure, Scope, Timeline};
use crate::model::Setup;

/// One number of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// What it is about.
    pub scope: Scope,
    /// What was measured.
    pub measure: Measure,
    /// The number; `None` if there was nothing to measure.
    pub value: Option<f64>,
}

/// What became of everything: nothing is counted twice, and nothing is forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Edges {
    /// Jobs that came.
    pub jobs_submitted: u64,
    /// Tasks that came.
    pub tasks_submitted: u64,
    /// Jobs done.
    pub jobs_done: u64,
    /// Jobs whose end users gave up.
    pub jobs_gave_up: u64,
    /// Jobs not done when the run ended.
    pub jobs_left: u64,
    /// Slots waiting when the run ended.
    pub slots_waiting: u64,
    /// Answers that counted.
    pub answers: u64,
    /// Answers that came too late to count.
    pub answers_late: u64,
    /// Leases that ran out.
    pub leases_expired: u64,
    /// Tasks and jobs that workers skipped.
    pub skipped: u64,
    /// Tasks that workers gave back.
    pub returned: u64,
    /// Workers who joined.
    pub joined: u64,
    /// Workers for whom there was no room, or no money, when they came.
    pub turned_away: u64,
    /// Workers who left of their own accord.
    pub left: u64,
    /// Workers who were released.
    pub released: u64,
    /// Workers called for.
    pub recruited: u64,
    /// Recruits who did not come.
    pub recruits_lost: u64,
}

impl AddAssign for Edges {
    fn add_assign(&mut self, other: Self) {
        self.jobs_submitted += other.jobs_submitted;
        self.tasks_submitted += other.tasks_submitted;
        self.jobs_done += other.jobs_done;
        self.jobs_gave_up += other.jobs_gave_up;
        self.jobs_left += other.jobs_left;
        self.slots_waiting += other.slots_waiting;
        self.answers += other.answers;
        self.answers_late += other.answers_late;
        self.leases_expired += other.leases_expired;
        self.skipped += other.skipped;
        self.returned += other.returned;
        self.joined += other.joined;
        self.turned_away += other.turned_away;
        self.left += other.left;
        self.released += other.released;
        self.recruited += other.recruited;
        self.recruits_lost += other.recruits_lost;
    }
}

/// What one run has shown.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The numbers, always in the same order for the same set-up.
    pub readings: Vec<Reading>,
    /// Waiting times in microseconds, for each tenant.
    pub waits: Vec<Histogram<u64>>,
    /// How things went over time.
    pub timeline: Timeline,
    /// What became of everything, warm-up included.
    pub edges: Edges,
    /// Facts recorded.
    pub facts: u64,
    /// When the run ended.
    pub end: Time,
}

/// The engine's sums at a moment: what is measured is the difference between two of these.
#[derive(Clone, Debug)]
pub(crate) struct Closing {
    at: Time,
    answers: Money,
    waiting: Money,
    training: Money,
    machines: Money,
    pools: Vec<(u128, u128, MeterCounts)>,
}

impl Closing {
    /// The sums now. Wages earned and not yet paid are counted in.
    pub(crate) fn of(tally: &Tally, state: &State, now: Time) -> Self {
        let (books, unpaid): (_, Wages) = (state.books(), state.unpaid(now));
        let pool = |(pool, engine): (&PoolTally, &muster_engine::state::pool::Pool)| {
            (pool.queue.until(now), pool.size.until(now), engine.meter.totals(now))
        };
        Self {
            at: now,
            answers: books.answers,
            waiting: books.waiting + unpaid.waiting,
            training: books.training + unpaid.training,
            machines: books.machines,
            pools: tally.pools.iter().zip(state.pools()).map(pool).collect(),
        }
    }
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

fn seconds(nanos: u128) -> f64 {
    nanos as f64 / 1e9
}

/// The quantile of a histogram of microseconds, in seconds.
fn quantile(waits: &Histogram<u64>, share: f64) -> Option<f64> {
    (!waits.is_empty()).then(|| waits.value_at_quantile(share) as f64 / 1e6)
}

/// Makes the readings of a run.
pub(crate) struct Reader<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) tally: &'a Tally,
    pub(crate) state: &'a State,
    pub(crate) timeline: &'a Timeline,
    pub(crate) begin: &'a Closing,
    pub(crate) end: &'a Closing,
}

impl Reader<'_> {
    pub(crate) fn readings(&self) -> Vec<Reading> {
        let mut all = self.overall();
        for (place, tenant) in self.tally.tenants.iter().enumerate() {
            self.tenant(tenant, Scope::Tenant(place), &mut all);
        }
        for (place, pool) in self.tally.pools.iter().enumerate() {
            self.pool(pool, place, &mut all);
        }
        all
    }

    fn hours(&self) -> f64 {
        self.end.at.since(self.begin.at).as_secs_f64() / 3600.0
    }

    fn overall(&self) -> Vec<Reading> {
        let (tally, counts, hours) = (self.tally, &self.tally.counts, self.hours());
        let answers: u64 = tally.tenants.iter().map(|tenant| tenant.answers).sum();
        let money = |pick: fn(&Closing) -> Money| (pick(self.end) - pick(self.begin)).as_units_f64();
        let parts = [
            (Measure::CostAnswers, money(|sums| sums.answers)),
            (Measure::CostWaiting, money(|sums| sums.waiting)),
            (Measure::CostTraining, money(|sums| sums.training)),
            (Measure::CostMachines, money(|sums| sums.machines)),
        ];
        let cost: f64 = parts.iter().map(|(_, part)| part).sum();
        let per_hundred = |n: u64| ratio(100.0 * n as f64, counts.leases as f64);
        let mut all = Whole::of(tally).readings(Scope::All, hours);
        let pools = 0..tally.pools.len();
        let (busy, idle) = pools.clone().map(|place| self.worker_time(place)).fold((0.0, 0.0), add);
        let queue: f64 = pools.clone().map(|place| self.mean_of(place, |sums| sums.0)).sum();
        let size: f64 = pools.clone().map(|place| self.mean_of(place, |sums| sums.1)).sum();
        let gaps: Vec<(f64, f64)> = pools.filter_map(|place| self.recommended(place)).collect();
        let summed =
            |pick: fn(&(f64, f64)) -> f64| (!gaps.is_empty()).then(|| gaps.iter().map(pick).sum::<f64>());
        let put =
            |all: &mut Vec<Reading>, measure, value| all.push(Reading { scope: Scope::All, measure, value });
        put(&mut all, Measure::Queue, Some(queue));
        put(&mut all, Measure::Cost, ratio(cost, hours));
        parts.iter().for_each(|(measure, part)| put(&mut all, *measure, ratio(*part, hours)));
        put(&mut all, Measure::CostPerAnswer, ratio(cost, answers as f64));
        put(&mut all, Measure::IdleShare, ratio(idle, busy + idle));
        put(&mut all, Measure::Size, Some(size));
        put(&mut all, Measure::Recommended, summed(|(recommended, _)| *recommended));
        put(&mut all, Measure::SizeGap, summed(|(_, gap)| *gap));
        put(&mut all, Measure::SwitchesJob, per_hundred(counts.switches_job));
        put(&mut all, Measure::SwitchesApp, per_hundred(counts.switches_app));
        put(&mut all, Measure::Fairness, self.fairness());
        put(&mut all, Measure::Preference, ratio(counts.liked, counts.likes as f64));
        put(&mut all, Measure::Joined, ratio(counts.joined as f64, hours));
        put(&mut all, Measure::Left, ratio(counts.left as f64, hours));
        put(&mut all, Measure::Moved, ratio(counts.moved as f64, hours));
        put(&mut all, Measure::Expired, per_hundred(counts.expired));
        put(&mut all, Measure::Patience, self.patience());
        all
    }

    fn tenant(&self, tenant: &TenantTally, scope: Scope, all: &mut Vec<Reading>) {
        all.extend(Whole::of_tenant(tenant).readings(scope, self.hours()));
        let worked: u128 = self.tally.tenants.iter().map(|tenant| tenant.worked).sum();
        let value = ratio(tenant.worked as f64, worked as f64);
        all.push(Reading { scope, measure: Measure::Share, value });
    }

    fn pool(&self, pool: &PoolTally, place: usize, all: &mut Vec<Reading>) {
        let scope = Scope::Pool(place);
        let mut put = |measure, value| all.push(Reading { scope, measure, value });
        let (busy, idle) = self.worker_time(place);
        let recommended = self.recommended(place);
        put(Measure::Throughput, ratio(pool.answers as f64, self.hours()));
        put(Measure::WaitMean, ratio(seconds(pool.waited), pool.begun as f64));
        put(Measure::WaitP50, quantile(&pool.waits, 0.5));
        put(Measure::WaitP95, quantile(&pool.waits, 0.95));
        put(Measure::WaitP99, quantile(&pool.waits, 0.99));
        put(Measure::Queue, Some(self.mean_of(place, |sums| sums.0)));
        put(Measure::IdleShare, ratio(idle, busy + idle));
        put(Measure::Size, Some(self.mean_of(place, |sums| sums.1)));
        put(Measure::Recommended, recommended.map(|(size, _)| size));
        put(Measure::SizeGap, recommended.map(|(_, gap)| gap));
    }

    /// Busy and idle seconds of a pool's workers.
    fn worker_time(&self, place: usize) -> (f64, f64) {
        let (begin, end) = (&self.begin.pools[place].2, &self.end.pools[place].2);
        (Span(end.busy - begin.busy).as_secs_f64(), Span(end.idle - begin.idle).as_secs_f64())
    }

    /// The mean over time of an area.
    fn mean_of(&self, place: usize, pick: fn(&(u128, u128, MeterCounts)) -> u128) -> f64 {
        let grown = pick(&self.end.pools[place]) - pick(&self.begin.pools[place]);
        ratio(grown as f64, self.end.at.since(self.begin.at).0 as f64).unwrap_or(0.0)
    }

    /// The recommended size and how far the size is from it, on average over the moments at which there is one.
    fn recommended(&self, place: usize) -> Option<(f64, f64)> {
        let (mut sum, mut gap, mut n) = (0.0, 0.0, 0.0);
        for two in self.timeline.moments().windows(2).filter(|two| two[0].at >= self.begin.at) {
            let (before, now) = (&two[0].pools[place], &two[1].pools[place]);
            let Some(recommended) = now.recommended else { continue };
            let span = two[1].at.since(two[0].at).0.max(1);
            let size = (now.size - before.size) as f64 / span as f64;
            sum += f64::from(recommended);
            gap += (size - f64::from(recommended)).abs();
            n += 1.0;
        }
        (n > 0.0).then(|| (sum / n, gap / n))
    }

    /// Jain's index of the tenants' shares divided by their weights, over tenants who had any job.
    fn fairness(&self) -> Option<f64> {
        let with_work =
            self.tally.tenants.iter().zip(&self.setup.tenants).filter(|(tally, _)| tally.begun > 0);
        let shares: Vec<f64> =
            with_work.map(|(tally, tenant)| tally.worked as f64 / f64::from(tenant.spec.weight)).collect();
        let sum: f64 = shares.iter().sum();
        let squares: f64 = shares.iter().map(|share| share * share).sum();
        (shares.len() > 1).then(|| ratio(sum * sum, shares.len() as f64 * squares)).flatten()
    }

    fn patience(&self) -> Option<f64> {
        let clients: u32 =
            self.setup.demands.iter().filter_map(|demand| demand.clients).map(|(n, _)| n).sum();
        let each = (0..clients).filter_map(|id| self.state.client(muster_engine::ids::ClientId(id)));
        ratio(each.map(|client| client.patience).sum(), f64::from(clients))
    }
}

fn add(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 + b.0, a.1 + b.1)
}

/// What tenants have in common with all of them together.
struct Whole {
    waits: Histogram<u64>,
    waited: u128,
    begun: u64,
    answers: u64,
    jobs: u64,
    gave_up: u64,
    response: u128,
    slowdown: f64,
}

impl Whole {
    fn of_tenant(tenant: &TenantTally) -> Self {
        Self {
            waits: tenant.waits.clone(),
            waited: tenant.waited,
            begun: tenant.begun,
            answers: tenant.answers,
            jobs: tenant.jobs,
            gave_up: tenant.gave_up,
            response: tenant.response,
            slowdown: tenant.slowdown,
        }
    }

    fn of(tally: &Tally) -> Self {
        let none = Self {
            waits: waits(),
            waited: 0,
            begun: 0,
            answers: 0,
            jobs: 0,
            gave_up: 0,
            response: 0,
            slowdown: 0.0,
        };
        tally.tenants.iter().fold(none, |mut sum, tenant| {
            sum.waits.add(&tenant.waits).expect("histograms that grow take everything");
            sum.waited += tenant.waited;
            sum.begun += tenant.begun;
            sum.answers += tenant.answers;
            sum.jobs += tenant.jobs;
            sum.gave_up += tenant.gave_up;
            sum.response += tenant.response;
            sum.slowdown += tenant.slowdown;
            sum
        })
    }

    fn readings(&self, scope: Scope, hours: f64) -> Vec<Reading> {
        let ended = (self.jobs + self.gave_up) as f64;
        let values = [
            (Measure::Throughput, ratio(self.answers as f64, hours)),
            (Measure::WaitMean, ratio(seconds(self.waited), self.begun as f64)),
            (Measure::WaitP50, quantile(&self.waits, 0.5)),
            (Measure::WaitP95, quantile(&self.waits, 0.95)),
            (Measure::WaitP99, quantile(&self.waits, 0.99)),
            (Measure::ResponseMean, ratio(seconds(self.response), self.jobs as f64)),
            (Measure::Slowdown, ratio(self.slowdown, self.jobs as f64)),
            (Measure::GaveUp, ratio(self.gave_up as f64, ended)),
        ];
        values.into_iter().map(|(measure, value)| Reading { scope, measure, value }).collect()
    }
}
