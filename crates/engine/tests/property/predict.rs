//! What the second model expects: who gets what, who learns, who waits, what an answer is worth, when a job is over.
//!
//! A worker who asks gets exactly the model's choice. Work that has opened goes to somebody who waits: to the one who has
//! waited longest of those it fits, who then gets the model's choice. Start at [`Predict::note`].

use std::collections::VecDeque;

use muster_engine::fact::{Body, Decision, Fact, Grant, Input, Outcome, Verdict};
use muster_engine::ids::{AppId, JobId, PoolId, TaskId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::spec::LatePay;

use crate::ledger::Ledger;
use crate::naive::{Job, Measure, Naive, Past, Policy, Worker};

/// What must be decided next.
#[derive(Clone, Debug, PartialEq)]
enum Expect {
    Serve(WorkerId),
    Judged(WorkerId, Token, TaskId, Verdict, Money),
    Closed(JobId, Outcome),
    Departed(WorkerId),
}

/// The second model and what it expects.
#[derive(Debug, Default)]
pub(crate) struct Predict {
    model: Naive,
    ledger: Ledger,
    expected: VecDeque<Expect>,
    /// Choices that were compared exactly.
    pub(crate) compared: u64,
}

impl Predict {
    /// A fact: if it is a decision that the model can make, the model makes it too.
    pub(crate) fn note(&mut self, fact: &Fact) {
        if let Body::Decision(decision) = &fact.body {
            self.compare(decision);
        }
        let idle_before = match &fact.body {
            Body::Decision(Decision::Moved { worker, .. }) => self.model.workers[worker].waits.is_some(),
            _ => false,
        };
        if let Body::Input(input) = &fact.body {
            self.expect(input);
        }
        self.ledger.note(fact);
        self.model.apply(fact, &self.ledger);
        if let (true, Body::Decision(Decision::Moved { worker, .. })) = (idle_before, &fact.body) {
            self.expected.push_back(Expect::Serve(*worker));
        }
    }

    /// The command is over: nothing is left that should have been decided.
    pub(crate) fn end(&mut self) {
        if let Some(Expect::Serve(worker)) = self.expected.front().cloned() {
            // One who waited already, and for whom there is nothing, goes on waiting without a word.
            assert!(self.model.workers[&worker].waits.is_some(), "{worker} was to be served");
            assert_eq!(self.model.choose(worker, false, &self.ledger), None);
            assert_eq!(self.lessons(worker), []);
            self.expected.pop_front();
        }
        assert!(self.expected.is_empty(), "not decided: {:?}", self.expected);
    }

    /// What an input must lead to.
    fn expect(&mut self, input: &Input) {
        match input {
            Input::Asked(worker) | Input::Trained(worker) => self.expected.push_back(Expect::Serve(*worker)),
            Input::Answered(worker, token) => self.expect_verdict(*worker, *token),
            Input::JobCancelled(job) => self.expected.push_back(Expect::Closed(*job, Outcome::Cancelled)),
            Input::Returned(worker, _) | Input::TaskSkipped(worker, _) | Input::JobSkipped(worker, _)
                if self.model.workers[worker].draining =>
            {
                self.expected.push_back(Expect::Departed(*worker));
            }
            Input::Left(worker) => self.expected.push_back(Expect::Departed(*worker)),
            _ => {}
        }
    }

    fn expect_verdict(&mut self, id: WorkerId, token: Token) {
        let worker = self.model.workers.get(&id);
        let in_time = worker.and_then(|worker| worker.held).filter(|held| held.token == token);
        let mut late = self.model.expired.iter().filter(|late| late.worker == id && late.held.token == token);
        let (held, person) = match (in_time, late.next()) {
            (Some(held), _) => (held, worker.is_some_and(|worker| worker.person)),
            (None, Some(late)) => (late.held, late.person),
            (None, None) => panic!("an answer to no lease is refused"),
        };
        let verdict = match self.model.jobs.get(&held.task.job) {
            _ if in_time.is_some() => Verdict::Counted,
            Some(job) if job.takes_late(held.task.index, id) => Verdict::LateCounted,
            _ => Verdict::LateKept,
        };
        let late_pay = self.model.apps[held.app.index()].late_pay;
        let paid = match verdict {
            Verdict::Counted => true,
            Verdict::LateCounted => late_pay != LatePay::Never,
            Verdict::LateKept => late_pay == LatePay::Always,
        };
        let pay = if paid && person { held.price } else { Money::ZERO };
        self.expected.push_back(Expect::Judged(id, token, held.task, verdict, pay));
        let last = |job: &Job| {
            let missing: usize = job.tasks.iter().map(|task| job.slots - task.answered.len()).sum();
            missing == 1
        };
        if verdict != Verdict::LateKept && self.model.jobs.get(&held.task.job).is_some_and(last) {
            self.expected.push_back(Expect::Closed(held.task.job, Outcome::Done));
        }
        if in_time.is_some() && worker.is_some_and(|worker| worker.draining) {
            self.expected.push_back(Expect::Departed(id));
        }
    }

    fn compare(&mut self, decision: &Decision) {
        match (self.expected.front().cloned(), decision) {
            (Some(Expect::Serve(worker)), Decision::Leased(grant)) if grant.worker == worker => {
                self.check_choice(grant);
            }
            (Some(Expect::Serve(worker)), Decision::TrainingStarted(learner, app)) if *learner == worker => {
                assert_eq!(self.model.choose(worker, false, &self.ledger), None);
                assert!(self.lessons(worker).contains(app), "{worker} learns {app}");
            }
            (Some(Expect::Serve(worker)), Decision::Parked(parked)) if *parked == worker => {
                assert_eq!(self.model.choose(worker, false, &self.ledger), None, "{worker} is parked");
                assert_eq!(self.lessons(worker), [], "{worker} is parked");
            }
            (Some(expected), Decision::Judged { worker, token, task, verdict, pay }) => {
                assert_eq!(expected, Expect::Judged(*worker, *token, *task, *verdict, *pay));
            }
            (Some(expected), Decision::JobClosed { job, outcome, .. }) => {
                assert_eq!(expected, Expect::Closed(*job, *outcome));
            }
            (Some(expected), Decision::Departed { worker, .. }) => {
                assert_eq!(expected, Expect::Departed(*worker));
            }
            (None | Some(Expect::Serve(_)), _) => return self.compare_follow_up(decision),
            (Some(expected), decision) => panic!("expected {expected:?}, not {decision:?}"),
        }
        self.expected.pop_front();
    }

    /// Decisions that nobody asked for: what has opened goes to those who wait.
    fn compare_follow_up(&mut self, decision: &Decision) {
        if let Some(Expect::Serve(worker)) = self.expected.front().cloned() {
            // The one who asked again was not served: it waits already, and nothing is there for it.
            assert!(self.model.workers[&worker].waits.is_some(), "{worker} was to be served first");
            self.expected.pop_front();
        }
        match decision {
            Decision::Leased(grant) => {
                self.check_choice(grant);
                let worker = &self.model.workers[&grant.worker];
                assert!(worker.waits.is_some(), "{} did not wait", grant.worker);
                assert!(self.is_first(grant.worker, worker.pool, None), "{} goes first", grant.worker);
            }
            Decision::TrainingStarted(id, app) => {
                let worker = &self.model.workers[id];
                assert!(worker.waits.is_some(), "{id} did not wait");
                assert!(self.model.wants_learners(worker.pool, *app, &self.ledger), "{app} has learners");
                assert!(self.is_first(*id, worker.pool, Some(*app)), "{id} is not first to learn {app}");
            }
            Decision::Judged { .. } | Decision::Parked(_) | Decision::JobClosed { .. } => {
                panic!("nothing asked for {decision:?}")
            }
            _ => {}
        }
    }

    /// Whether for some listed lane (of the app to learn) the worker has waited longest of those it fits.
    fn is_first(&self, id: WorkerId, pool: PoolId, learn: Option<AppId>) -> bool {
        let mut waiting: Vec<(u64, WorkerId)> = Vec::new();
        for (other, worker) in &self.model.workers {
            waiting.extend(worker.waits.filter(|_| worker.pool == pool).map(|number| (number, *other)));
        }
        waiting.sort_unstable();
        let lanes = self.model.listed(pool, &self.ledger);
        lanes.into_iter().filter(|(_, app)| learn.is_none_or(|learn| learn == *app)).any(|(job, app)| {
            let fits = |worker: WorkerId| {
                self.model.is_able(worker, app) != learn.is_some()
                    && self.model.jobs[&job].task_for(worker, app).is_some()
            };
            waiting.iter().find(|(_, worker)| fits(*worker)).is_some_and(|(_, first)| *first == id)
        })
    }

    fn check_choice(&mut self, grant: &Grant) {
        let worker = grant.worker;
        let price = self.model.jobs[&grant.task.job].price;
        let person = self.model.workers[&worker].person;
        assert_eq!(grant.price, if person { price } else { Money::ZERO });
        let all = self.model.candidates(worker, false, &self.ledger);
        assert!(all.contains(&(grant.task.job, grant.task.index)), "{worker} may not take {}", grant.task);
        let pool = self.model.workers[&worker].pool;
        if self.is_by_time(pool) {
            return;
        }
        self.compared += 1;
        let (job, index) = self.model.choose(worker, false, &self.ledger).expect("there is something");
        assert_eq!(grant.task, TaskId { job, index }, "{worker} of {pool} gets");
    }

    /// Shares of worker-time are left to the engine: here it is only checked that the choice was allowed.
    fn is_by_time(&self, pool: PoolId) -> bool {
        matches!(self.model.pools[pool.index()].policy, Policy::Fair { measure: Measure::Time, .. })
    }

    /// What a worker for whom there is nothing should learn: one app, or one of several where the model cannot tell.
    fn lessons(&self, id: WorkerId) -> Vec<AppId> {
        let worker = &self.model.workers[&id];
        let apps = &self.model.pools[worker.pool.index()].apps;
        let app_of = |(job, index): (JobId, u32)| self.model.jobs[&job].tasks[index as usize].app;
        if let Some(first) = self.model.choose(id, true, &self.ledger) {
            let all = self.model.candidates(id, true, &self.ledger).into_iter().map(app_of);
            return if self.is_by_time(worker.pool) { all.collect() } else { vec![app_of(first)] };
        }
        if apps.iter().any(|app| self.model.is_able(id, *app)) {
            return Vec::new();
        }
        let liking = |app: AppId| worker.liking(app);
        let best = apps.iter().map(|app| liking(*app)).fold(0.0, f64::max);
        apps.iter().copied().find(|app| liking(*app) >= best).into_iter().collect()
    }
}

impl Worker {
    fn liking(&self, app: AppId) -> f64 {
        self.preferences.iter().find(|(known, _)| *known == app).map_or(0.0, |(_, liking)| *liking)
    }
}

impl Job {
    fn is_open(&self, task: u32) -> bool {
        let done = |task: &u32| self.tasks[*task as usize].answered.len() == self.slots;
        !self.cancelled && !done(&task) && self.tasks[task as usize].parents.iter().all(done)
    }

    fn open_slots(&self, task: u32) -> usize {
        let it = &self.tasks[task as usize];
        if self.is_open(task) { self.slots - it.leased.len() - it.answered.len() } else { 0 }
    }

    fn has_to_do_with(&self, task: u32, worker: WorkerId) -> bool {
        let task = &self.tasks[task as usize];
        [&task.leased, &task.answered, &task.skipped].iter().any(|workers| workers.contains(&worker))
    }

    fn takes_late(&self, task: u32, worker: WorkerId) -> bool {
        self.open_slots(task) > 0 && !self.has_to_do_with(task, worker)
    }

    fn of_app(&self, app: AppId) -> impl Iterator<Item = u32> {
        (0_u32..).zip(&self.tasks).filter(move |(_, task)| task.app == app).map(|(index, _)| index)
    }

    /// The first task of an app that the worker may take.
    fn task_for(&self, worker: WorkerId, app: AppId) -> Option<u32> {
        let may = |task: &u32| self.open_slots(*task) > 0 && !self.has_to_do_with(*task, worker);
        self.of_app(app).find(may).filter(|_| !self.skipped.contains(&worker))
    }
}

impl Naive {
    fn is_able(&self, worker: WorkerId, app: AppId) -> bool {
        self.apps[app.index()].training.is_zero() || self.workers[&worker].trained.contains(&app)
    }

    /// The jobs and apps with open slots in a pool, and money for one, oldest first.
    pub(crate) fn listed(&self, pool: PoolId, ledger: &Ledger) -> Vec<(JobId, AppId)> {
        let mut lanes = Vec::new();
        for (id, job) in &self.jobs {
            for (app, _) in job.lanes.iter().filter(|(_, at)| *at == pool) {
                let open: usize = job.of_app(*app).map(|task| job.open_slots(task)).sum();
                if open > 0 && ledger.funds(*id, job.price) {
                    lanes.push((*id, *app));
                }
            }
        }
        lanes
    }

    /// Whether more slots of an app wait than workers learn it.
    fn wants_learners(&self, pool: PoolId, app: AppId, ledger: &Ledger) -> bool {
        let listed = self.listed(pool, ledger).into_iter().filter(|(_, of)| *of == app);
        let open: usize = listed
            .map(|(job, _)| {
                let job = &self.jobs[&job];
                job.of_app(app).map(|task| job.open_slots(task)).sum::<usize>()
            })
            .sum();
        let learners = self.workers.values().filter(|it| it.pool == pool && it.learning == Some(app));
        open > learners.count()
    }

    /// What the worker may take (or learn to do), one task for each job and app, oldest first.
    fn candidates(&self, id: WorkerId, learning: bool, ledger: &Ledger) -> Vec<(JobId, u32)> {
        let pool = self.workers[&id].pool;
        let may = |app: AppId| {
            let able = self.is_able(id, app);
            if learning { !able && self.wants_learners(pool, app, ledger) } else { able }
        };
        let lanes = self.listed(pool, ledger).into_iter().filter(|(_, app)| may(*app));
        lanes.filter_map(|(job, app)| self.jobs[&job].task_for(id, app).map(|task| (job, task))).collect()
    }

    /// What the worker gets: the first of those whose share is least.
    fn choose(&self, id: WorkerId, learning: bool, ledger: &Ledger) -> Option<(JobId, u32)> {
        let pool = self.workers[&id].pool;
        let all = self.candidates(id, learning, ledger);
        let (tenants, measure) = match self.pools[pool.index()].policy {
            Policy::Fifo => return all.first().copied(),
            Policy::Fair { tenants, measure } => (tenants, measure),
        };
        let kept = &self.pools[pool.index()];
        let running = |fits: &dyn Fn(JobId) -> bool| {
            let here = self.workers.values().filter(|worker| worker.pool == pool);
            here.filter_map(|worker| worker.held).filter(|held| fits(held.task.job)).count() as u64
        };
        let share = |past: Past, running: u64| match measure {
            Measure::Dispatches => past.pass,
            Measure::Slots | Measure::Time => running,
        };
        let key = |(job, _): &(JobId, u32)| {
            let of_job = kept.jobs.get(job).copied().unwrap_or_default();
            let share_job = share(of_job, running(&|other| other == *job));
            if !tenants {
                return (0, 0, 0, share_job, 0);
            }
            let tenant = self.jobs[job].tenant;
            let of_tenant = kept.tenants.get(&tenant).copied().unwrap_or_default();
            let share_tenant = share(of_tenant, running(&|other| self.jobs[&other].tenant == tenant));
            (share_tenant, of_tenant.served, tenant.0, share_job, of_job.served)
        };
        // Of equals the first, which is the oldest.
        all.into_iter().min_by_key(key)
    }
}
