//! Counting the state anew: whatever the engine keeps as a number is what a recount gives.

use std::collections::BTreeMap;

use muster_engine::ids::{AppId, KindId};
use muster_engine::money::Money;
use muster_engine::state::State;
use muster_engine::state::job::{Job, TaskState};
use muster_engine::state::pool::{Headcount, Pool};
use muster_engine::state::worker::Standing;
use muster_engine::view::View;
use muster_engine::{Engine, Time};

/// All recounts.
pub(crate) fn recount(engine: &Engine) {
    let state = engine.state();
    for job in state.jobs() {
        check_lanes(job, state);
    }
    for pool in state.pools() {
        check_workers(pool, state);
        check_queue(pool, state);
        check_nobody_waits_in_vain(pool, state);
    }
    check_shortness(state);
    assert_eq!(engine.next_due(), next_due(state), "the next moment something is due");
}

fn add(count: &mut Headcount, standing: Standing) {
    match standing {
        Standing::Training => count.training += 1,
        Standing::Idle => count.idle += 1,
        Standing::Leased => count.leased += 1,
        Standing::Paused => count.paused += 1,
        Standing::Draining => count.draining += 1,
        Standing::Gone => panic!("nobody who is gone is kept"),
    }
}

fn check_workers(pool: &Pool, state: &State) {
    let mut all = Headcount::default();
    let mut kinds: BTreeMap<KindId, Headcount> = BTreeMap::new();
    let mut learning: BTreeMap<AppId, u32> = BTreeMap::new();
    let workers = state.workers();
    let here = workers.iter().filter(|worker| worker.pool == pool.id);
    let mut members = Vec::new();
    for worker in here {
        members.push(worker.id);
        add(&mut all, worker.standing);
        add(kinds.entry(worker.kind).or_default(), worker.standing);
        assert_eq!(worker.learning.is_some(), worker.standing == Standing::Training);
        assert_eq!(
            worker.lease.is_some(),
            matches!(worker.standing, Standing::Leased | Standing::Draining),
            "{}",
            worker.id
        );
        worker.learning.into_iter().for_each(|app| *learning.entry(app).or_default() += 1);
    }
    assert_eq!(members, pool.members.iter().copied().collect::<Vec<_>>());
    assert_eq!(all, pool.workers);
    for kind in (0..state.kinds().len() as u32).map(KindId) {
        let kept = pool.kind(kind);
        assert_eq!(kept.workers, kinds.get(&kind).copied().unwrap_or_default());
        let coming = state.recruits().values().filter(|it| it.pool == pool.id && it.kind == kind);
        assert_eq!(kept.in_flight, coming.map(|recruit| recruit.n).sum::<u32>());
    }
    for app in &pool.apps {
        assert_eq!(app.learning, learning.get(&app.app).copied().unwrap_or(0), "learning {}", app.app);
    }
}

fn funded(job: &Job, state: &State) -> bool {
    let tenant = state.tenant(job.tenant).expect("jobs have tenants");
    let of_tenant = tenant.budget.map(|budget| budget.amount - tenant.spent - tenant.reserved);
    let of_job = job.budget.map(|budget| budget - job.spent - job.reserved);
    let pays = |left: Option<Money>| left.is_none_or(|left| job.price <= left);
    job.price.is_zero() || pays(of_tenant) && pays(of_job)
}

fn check_lanes(job: &Job, state: &State) {
    for lane in job.lanes() {
        let mine = (0_u32..).zip(job.tasks()).filter(|(task, _)| job.app_of(*task) == lane.app);
        let (mut open, mut running) = (0, 0);
        for (_, task) in mine {
            running += u32::from(task.leased);
            if task.state == TaskState::Open {
                open += u32::from(job.slots - task.leased - task.answered);
            }
        }
        assert_eq!((lane.open, lane.running), (open, running), "{}", job.id);
        assert_eq!(lane.listed, open > 0 && funded(job, state), "{} is listed", job.id);
    }
}

fn check_queue(pool: &Pool, state: &State) {
    let (mut queue, mut unfunded) = (0, 0);
    let mut open: BTreeMap<AppId, u64> = BTreeMap::new();
    for job in state.jobs() {
        for lane in job.lanes().filter(|lane| lane.pool == pool.id) {
            if lane.listed {
                queue += u64::from(lane.open);
                *open.entry(lane.app).or_default() += u64::from(lane.open);
            } else {
                unfunded += u64::from(lane.open);
            }
        }
    }
    assert_eq!((pool.queue, pool.unfunded), (queue, unfunded), "{}", pool.id);
    for app in &pool.apps {
        assert_eq!(app.open, open.get(&app.app).copied().unwrap_or(0));
    }
}

/// Nobody waits who could do, or should learn, what is there.
fn check_nobody_waits_in_vain(pool: &Pool, state: &State) {
    let view = View { state, id: pool.id };
    let listed = view.listed();
    for worker in view.workers().filter(|worker| worker.standing == Standing::Idle) {
        for at in &listed {
            let (job, lane) = (view.job(*at), view.lane(*at));
            if state.offers(worker, *at).is_none() {
                continue;
            }
            assert!(!state.is_able(worker, lane.app), "{} waits while {} is open", worker.id, job.id);
            let app = pool.apps.iter().find(|app| app.app == lane.app).expect("served here");
            assert!(app.open <= u64::from(app.learning), "{} could learn {}", worker.id, lane.app);
        }
    }
}

/// It has been said whose money is short, and of nobody else.
fn check_shortness(state: &State) {
    let jobs = state.jobs();
    for (id, tenant) in state.tenants().iter().enumerate() {
        let left = tenant.money_left();
        let mut mine = jobs.iter().filter(|job| job.tenant.index() == id);
        let waits = |job: &Job| job.lanes().any(|lane| lane.open > 0);
        let dear = |job: &Job| !job.price.is_zero() && left.is_some_and(|left| job.price > left);
        let short = mine.any(|job| waits(job) && dear(job));
        assert_eq!(tenant.short, short, "tenant {id} is short of money");
    }
    for job in jobs {
        let open = job.lanes().any(|lane| lane.open > 0);
        let dear = job.money_left().is_some_and(|left| job.price > left);
        let short = open && dear && !job.price.is_zero();
        assert_eq!(job.short, short, "{} is short of money", job.id);
    }
}

/// The first thing due, looking at everything.
fn next_due(state: &State) -> Option<Time> {
    let mut all: Vec<Time> = Vec::new();
    for worker in state.workers() {
        all.extend(worker.lease_ends());
        all.extend(worker.billed_until);
        let presence = state.pools()[worker.pool.index()].spec.presence;
        all.extend(presence.map(|span| worker.heard + span));
    }
    all.extend(state.recruits().values().map(|recruit| recruit.deadline));
    all.extend(state.tenants().iter().map(|tenant| tenant.interval_ends));
    for pool in state.pools() {
        all.extend([pool.settle_at, pool.scaling_at, pool.replacement_at]);
    }
    all.push(state.balance_at());
    all.into_iter().filter(|at| *at != Time::MAX).min()
}
