//! How much work comes to each pool, in workers kept busy: what can be said before anything is run.

use muster_engine::Span;
use muster_engine::ids::{AppId, TenantId};

use crate::model::{Arrivals, Demand, Horizon, Plan, Pool, Setup, Task};

/// How much work comes to a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Load {
    /// Workers kept busy by what comes.
    pub(super) busy: f64,
    /// Work that is there at the beginning, in seconds of one worker.
    pub(super) backlog: f64,
    /// Workers there on average.
    pub(super) there: f64,
    /// Whether some of what comes depends on how soon it is done: then no more are kept busy than is said.
    pub(super) is_closed: bool,
}

/// How long demand goes on, as far as it is known.
pub(super) fn length(plan: &Plan) -> Option<f64> {
    match plan.horizon {
        Horizon::Time(span) | Horizon::Drain(span) => Some(span.as_secs_f64()),
        Horizon::Jobs(_) => None,
    }
}

/// Jobs per second on average while a demand goes on; `None` if that depends on how soon they are done.
pub(super) fn jobs_per_second(demand: &Demand, plan: &Plan) -> Option<f64> {
    match &demand.arrivals {
        Arrivals::Renewal { rate, curve, .. } => {
            let until = length(plan).unwrap_or(86_400.0);
            let (from, to) = (demand.from.as_secs_f64(), demand.until.as_secs_f64().min(until));
            let mean = match curve {
                Some(curve) if to > from => (curve.area(to) - curve.area(from)) / (to - from),
                _ => 1.0,
            };
            Some(rate * mean)
        }
        Arrivals::Recorded(times) => {
            let span = times.last().map_or(0.0, |(at, _)| at.as_secs_f64());
            Some(if span > 0.0 { times.len() as f64 / span } else { 0.0 })
        }
        Arrivals::None => Some(0.0),
        Arrivals::Closed { .. } => None,
    }
}

/// Tasks of each app in a job of a demand.
fn tasks(demand: &Demand) -> Vec<(usize, f64)> {
    match &demand.task {
        Task::Workflow(steps) => steps.iter().map(|step| (step.app, 1.0)).collect(),
        Task::Batch { app, size } => {
            let recorded = match &demand.arrivals {
                Arrivals::Recorded(times) if !times.is_empty() => {
                    let said = times.iter().map(|(_, tasks)| f64::from(*tasks).max(0.0));
                    let unsaid = times.iter().filter(|(_, tasks)| *tasks == 0).count() as f64;
                    Some((said.sum::<f64>() + unsaid * size.mean()) / times.len() as f64)
                }
                _ => None,
            };
            vec![(*app, recorded.unwrap_or_else(|| size.mean()))]
        }
    }
}

/// Seconds that an answer takes a worker of a pool, on average over those there (or of the first kind, if nobody is).
pub(super) fn seconds(setup: &Setup, pool: &Pool, app: usize) -> f64 {
    let of_kind = |kind: usize| setup.apps[app].work_for(kind).mean() / setup.kinds[kind].spec.speed;
    let shifts = pool.shifts.iter().map(|shift| (shift.kind, shift.workers));
    let all: Vec<(usize, u32)> = pool.workers.iter().copied().chain(shifts).collect();
    let n: f64 = all.iter().map(|(_, n)| f64::from(*n)).sum();
    if n <= 0.0 {
        return of_kind(0);
    }
    let rate: f64 = all.iter().map(|(kind, n)| f64::from(*n) / of_kind(*kind)).sum();
    n / rate
}

/// The pool to which tasks of an app go.
pub(super) fn pool_of(setup: &Setup, tenant: usize, app: usize) -> Option<usize> {
    let serves = |pool: &Pool| pool.spec.apps.contains(&AppId(app as u32));
    let of = |tenant: Option<TenantId>| {
        setup.pools.iter().position(|pool| serves(pool) && pool.spec.tenant == tenant)
    };
    of(Some(TenantId(tenant as u32))).or_else(|| of(None))
}

/// The load of a pool.
pub(super) fn of_pool(setup: &Setup, place: usize, plan: &Plan) -> Load {
    let pool = &setup.pools[place];
    let mut load = Load { there: there(pool, plan), ..Load::default() };
    for demand in &setup.demands {
        for (app, tasks) in tasks(demand) {
            if pool_of(setup, demand.tenant, app) != Some(place) {
                continue;
            }
            let job = tasks * f64::from(demand.slots) * seconds(setup, pool, app);
            load.backlog += f64::from(demand.backlog) * job;
            match jobs_per_second(demand, plan) {
                Some(rate) => load.busy += rate * job * going(demand, plan),
                None => {
                    load.is_closed = true;
                    load.busy += closed_most(demand) * job / (closed_thinking(demand) + job).max(1e-9);
                }
            }
        }
    }
    load
}

/// How many clients submit for themselves.
fn closed_most(demand: &Demand) -> f64 {
    match demand.arrivals {
        Arrivals::Closed { clients, .. } => f64::from(clients),
        _ => 0.0,
    }
}

/// How long they think, in seconds.
fn closed_thinking(demand: &Demand) -> f64 {
    match &demand.arrivals {
        Arrivals::Closed { thinking, .. } => thinking.mean(),
        _ => 0.0,
    }
}

/// The share of the time in which a demand goes on.
fn going(demand: &Demand, plan: &Plan) -> f64 {
    let Some(all) = length(plan).filter(|all| *all > 0.0) else { return 1.0 };
    let until = if demand.until == Span::MAX { all } else { demand.until.as_secs_f64().min(all) };
    ((until - demand.from.as_secs_f64()) / all).clamp(0.0, 1.0)
}

/// Workers there by the clock, on average.
fn there(pool: &Pool, plan: &Plan) -> f64 {
    let always: f64 = pool.workers.iter().map(|(_, n)| f64::from(*n)).sum();
    let shift = |shift: &crate::model::Shift| {
        let round = shift.every.map(Span::as_secs_f64).or(length(plan)).unwrap_or(86_400.0);
        f64::from(shift.workers) * (shift.length.as_secs_f64() / round.max(1.0)).min(1.0)
    };
    always + pool.shifts.iter().map(shift).sum::<f64>()
}
