//! Applying facts: the only way that state changes. Decides nothing, and cannot fail on facts that were recorded.

use crate::engine::{BALANCE_VIEW, Engine, start, start_balance, start_policies};
use crate::fact::{Assessment, Body, Decision, Departure, Fact, Input, Verdict};
use crate::ids::{AppId, PoolId, TaskId, Token, WorkerId};
use crate::money::Money;
use crate::policy::settings::PolicySpec;
use crate::policy::{Change, Family, What};
use crate::random::Purpose;
use crate::spec::PoolSpec;
use crate::state::app::App;
use crate::state::job::LaneRef;
use crate::state::meter::Meter;
use crate::state::pool::Pool;
use crate::state::purse::next_multiple;
use crate::state::tenant::Client;
use crate::state::timers::Due;
use crate::state::worker::{Standing, Worker};
use crate::state::{Recruit, State};
use crate::table::Slot;
use crate::time::{Span, Time};
use crate::view::View;

impl Engine {
    pub(crate) fn apply_one(&mut self, fact: &Fact) {
        debug_assert!(fact.at >= self.state.now, "time never goes back");
        self.state.now = fact.at;
        self.state.facts += 1;
        match &fact.body {
            Body::Input(input) => self.apply_input(input),
            Body::Decision(decision) => self.apply_decision(decision),
        }
        self.tell();
    }

    fn apply_input(&mut self, input: &Input) {
        let (state, fx) = (&mut self.state, &mut self.fx);
        match input {
            Input::Asked(worker) | Input::Answered(worker, _) | Input::Heard(worker) => {
                let slot = state.worker_slot(*worker);
                state.hear(slot);
            }
            Input::JobSubmitted(id, spec) => state.submit(*id, spec, fx),
            Input::Joined(id, spec) => state.join(*id, spec, fx),
            Input::Returned(worker, _) | Input::TaskSkipped(worker, _) => {
                let slot = state.worker_slot(*worker);
                state.hear(slot);
                state.return_lease(slot, matches!(input, Input::TaskSkipped(..)), fx);
            }
            Input::JobSkipped(worker, _) => self.skip_job(*worker),
            Input::Paused(worker) => {
                let slot = state.worker_slot(*worker);
                state.hear(slot);
                if state.workers[slot].standing == Standing::Training {
                    state.stop_learning(slot, false, fx);
                } else {
                    state.stand(slot, Standing::Paused, fx);
                }
            }
            Input::Trained(worker) => {
                let slot = state.worker_slot(*worker);
                state.stop_learning(slot, true, fx);
                state.hear(slot);
            }
            Input::Left(worker) => {
                let slot = state.worker_slot(*worker);
                state.leave(slot, fx);
            }
            Input::JobCancelled(job) => self.cancel_job(*job),
            Input::JobBudgetSet(job, budget) => {
                let slot = state.jobs.find(*job).expect("recorded of a live job");
                state.set_job_budget(slot, *budget, fx);
            }
            Input::RecruitFailed(recruit, n) => state.recruits_come(*recruit, *n, fx),
            Input::Resumed(since) => state.resume(*since, fx),
            Input::DrainAsked(_) | Input::RecruitAsked(..) | Input::MoveAsked(..) | Input::Woken => {}
            Input::TenantSet(..)
            | Input::AppSet(..)
            | Input::KindSet(..)
            | Input::PoolSet(..)
            | Input::PolicySet(..)
            | Input::BalanceSet(..)
            | Input::ClientSet(..)
            | Input::ClientRemoved(..)
            | Input::JobPrioritySet(..) => self.apply_setting(input),
        }
    }

    fn apply_setting(&mut self, input: &Input) {
        let (state, fx) = (&mut self.state, &mut self.fx);
        match input {
            Input::TenantSet(id, spec) => {
                state.set_tenant(*id, spec, fx);
                self.settings_changed();
            }
            Input::AppSet(id, spec) => {
                match state.apps.get_mut(id.index()) {
                    Some(app) => {
                        app.spec = *spec;
                        // Who waits may be able to do it without training now.
                        fx.anew.extend(app.routes.iter().map(|(_, pool)| *pool));
                    }
                    None => state.apps.push(App::new(*spec)),
                }
                self.settings_changed();
            }
            Input::KindSet(_, spec) => state.kinds.push(*spec),
            Input::PoolSet(id, spec) => self.set_pool(*id, spec),
            Input::PolicySet(pool, family, spec) => self.set_policy(*pool, *family, spec),
            Input::BalanceSet(spec) => self.set_balance(spec),
            Input::ClientSet(id, spec) => {
                state.next.client = id.0 + 1;
                state.clients.insert(*id, Client::new(*spec));
                state.client_ids.insert(*id);
            }
            Input::ClientRemoved(id) => {
                state.clients.remove(*id);
                state.client_ids.remove(id);
            }
            Input::JobPrioritySet(job, priority) => {
                let slot = state.jobs.find(*job).expect("recorded of a live job");
                state.jobs[slot].priority = *priority;
                self.settings_changed();
            }
            _ => unreachable!("only settings come here"),
        }
    }

    fn apply_decision(&mut self, decision: &Decision) {
        let (state, fx) = (&mut self.state, &mut self.fx);
        match decision {
            Decision::Leased(grant) => state.grant(grant, fx),
            Decision::Judged { worker, token, task, verdict, pay } => {
                state.judged(*worker, *token, *task, *verdict, *pay, fx);
            }
            Decision::Parked(worker) => {
                let slot = state.worker_slot(*worker);
                state.stand(slot, Standing::Idle, fx);
            }
            Decision::JobClosed(job, outcome) => state.close(*job, *outcome, fx),
            Decision::TrainingStarted(worker, app) => {
                let slot = state.worker_slot(*worker);
                state.learn(slot, *app, fx);
            }
            Decision::LeaseExpired(worker, _) => {
                let slot = state.worker_slot(*worker);
                state.lapse_lease(slot, fx);
            }
            Decision::Departed { worker, why, owed } => {
                let abandoned = matches!(why, Departure::Left | Departure::Vanished);
                state.depart(state.worker_slot(*worker), *owed, abandoned, fx);
            }
            Decision::Draining(worker) => {
                let slot = state.worker_slot(*worker);
                state.stand(slot, Standing::Draining, fx);
            }
            Decision::Moved { worker, to, owed } => {
                let slot = state.worker_slot(*worker);
                state.move_to(slot, *to, *owed, fx);
            }
            Decision::Recruiting { recruit, pool, kind, n, deadline } => {
                let reserved = state.machine_price(*pool, *kind);
                let order = Recruit { pool: *pool, kind: *kind, n: *n, deadline: *deadline, reserved };
                state.recruit(*recruit, order, fx);
            }
            Decision::RecruitLost(recruit, n) => state.recruits_come(*recruit, *n, fx),
            Decision::OutOfBudget(purse, _) => {
                state.said_short(*purse).into_iter().for_each(|short| *short = true);
            }
            Decision::BackInBudget(purse) => {
                state.said_short(*purse).into_iter().for_each(|short| *short = false);
            }
            Decision::IntervalBegan(tenant) => state.begin_interval(*tenant, fx),
            Decision::Settled(pool, settlement) => state.settle(*pool, settlement, fx),
            Decision::Billed { worker, price, until } => state.bill(*worker, *price, *until, fx),
            Decision::Evaluated(pool, family, assessment) => self.evaluated(*pool, *family, assessment),
            Decision::Balanced(assessment) => self.balanced(assessment),
            Decision::Planned(pool, plan) => {
                let view = View { state: &self.state, id: *pool };
                self.policies[pool.index()].dispatch.plan(plan, view);
            }
            Decision::PolicyRestarted(pool, family) => self.restart_policy(*pool, *family),
        }
    }

    fn skip_job(&mut self, worker: WorkerId) {
        let slot = self.state.worker_slot(worker);
        let lease = self.state.workers[slot].lease.as_ref().expect("recorded of a lease in hand");
        self.state.jobs[lease.at.0.job].skip_whole(worker);
        self.state.hear(slot);
        self.state.return_lease(slot, false, &mut self.fx);
    }

    fn cancel_job(&mut self, job: crate::ids::JobId) {
        let slot = self.state.jobs.find(job).expect("recorded of a live job");
        self.state.cancel(slot, &mut self.fx);
        for worker in self.state.holders(job) {
            let worker = self.state.worker_slot(worker);
            self.state.lapse_lease(worker, &mut self.fx);
        }
    }

    fn set_pool(&mut self, id: PoolId, spec: &PoolSpec) {
        let now = self.state.now;
        let state = &mut self.state;
        if id.index() == state.pools.len() {
            let mut pool = Pool::new(id, spec.clone(), now);
            pool.settle_at = now + spec.settle_every;
            state.timers.reset(Due::Settle(id), Time::MAX, pool.settle_at);
            state.pools.push(pool);
            self.route(id);
            let hosted = start_policies(&self.registry, View { state: &self.state, id }, &spec.policies)
                .expect("checked before it was recorded");
            self.policies.push(hosted);
            self.set_timers(id);
            return;
        }
        let pool = &mut state.pools[id.index()];
        let policies = std::mem::take(&mut pool.spec.policies);
        if spec.window != pool.spec.window {
            pool.meter = pool.meter.with_window(now, spec.window);
        }
        pool.spec = PoolSpec { policies, ..spec.clone() };
        pool.add_apps();
        for worker in pool.members.iter().copied().collect::<Vec<_>>() {
            let slot = self.state.worker_slot(worker);
            self.state.watch(slot);
        }
        self.route(id);
        self.settings_changed();
    }

    fn route(&mut self, id: PoolId) {
        let spec = &self.state.pools[id.index()].spec;
        for app in &spec.apps {
            let routes = &mut self.state.apps[app.index()].routes;
            if !routes.contains(&(spec.tenant, id)) {
                routes.push((spec.tenant, id));
            }
        }
    }

    /// Settings that several pools may depend on are others.
    fn settings_changed(&mut self) {
        for pool in &self.state.pools {
            self.fx.changes.push(Change { pool: pool.id, what: What::Changed });
        }
    }

    fn set_policy(&mut self, id: PoolId, family: Family, spec: &PolicySpec) {
        let specs = &mut self.state.pools[id.index()].spec.policies;
        match family {
            Family::Dispatch => specs.dispatch = spec.clone(),
            Family::Matching => specs.matching = spec.clone(),
            Family::Scaling => specs.scaling = spec.clone(),
            Family::Replacement => specs.replacement = spec.clone(),
            Family::Balance => return self.set_balance(spec),
        }
        self.restart_policy(id, family);
    }

    /// Starts a policy anew, without memory.
    fn restart_policy(&mut self, id: PoolId, family: Family) {
        let checked = "checked before it was recorded";
        let view = View { state: &self.state, id };
        if family == Family::Balance {
            let spec = self.state.balance.clone();
            return self.set_balance(&spec);
        }
        let (registry, specs) = (&self.registry, &self.state.pools[id.index()].spec.policies);
        let hosted = &mut self.policies[id.index()];
        match family {
            Family::Dispatch => {
                hosted.dispatch =
                    start(&registry.dispatch, family, &specs.dispatch, view, None).expect(checked);
            }
            Family::Matching => {
                hosted.matching =
                    start(&registry.matching, family, &specs.matching, view, None).expect(checked);
            }
            Family::Scaling => {
                hosted.scaling = start(&registry.scaling, family, &specs.scaling, view, None).expect(checked);
            }
            Family::Replacement | Family::Balance => {
                hosted.replacement =
                    start(&registry.replacement, family, &specs.replacement, view, None).expect(checked);
            }
        }
        if matches!(family, Family::Scaling | Family::Replacement) {
            self.set_timers(id);
        }
    }

    fn set_balance(&mut self, spec: &PolicySpec) {
        self.balance =
            start_balance(&self.registry, &self.state, spec, None).expect("checked before it was recorded");
        self.state.balance = spec.clone();
        let (from, now) = (self.state.balance_at, self.state.now);
        self.state.balance_at = self.balance.every().map_or(Time::MAX, |every| now + every);
        self.state.timers.reset(Due::Balance, from, self.state.balance_at);
    }

    /// When the pool's controllers look first: a period from now.
    fn set_timers(&mut self, id: PoolId) {
        let now = self.state.now;
        let (state, hosted) = (&mut self.state, &self.policies[id.index()]);
        let first = |every: Option<Span>| every.map_or(Time::MAX, |every| now + every);
        state.reset_control(id, Family::Scaling, first(hosted.scaling.every()));
        state.reset_control(id, Family::Replacement, first(hosted.replacement.every()));
    }

    fn evaluated(&mut self, id: PoolId, family: Family, assessment: &Assessment) {
        let now = self.state.now;
        let pool = &mut self.state.pools[id.index()];
        let scaling = family == Family::Scaling;
        let (purpose, at) = if scaling {
            (Purpose::Scaling, pool.scaling_at)
        } else {
            (Purpose::Replacement, pool.replacement_at)
        };
        pool.drawn(purpose, assessment.draws);
        if scaling && assessment.orders > 0 {
            pool.scaled = Some(now);
        }
        let view = View { state: &self.state, id };
        let hosted = &mut self.policies[id.index()];
        let controller = if scaling { &mut hosted.scaling } else { &mut hosted.replacement };
        controller.note(assessment, view);
        let next = controller.every().map_or(Time::MAX, |every| next_multiple(at, every, now));
        self.state.reset_control(id, family, next);
    }

    fn balanced(&mut self, assessment: &Assessment) {
        let (from, now) = (self.state.balance_at, self.state.now);
        self.state.balance_draws += u64::from(assessment.draws);
        self.balance.note(assessment, View { state: &self.state, id: BALANCE_VIEW });
        let every = self.balance.every();
        self.state.balance_at = every.map_or(Time::MAX, |every| next_multiple(from, every, now));
        self.state.timers.reset(Due::Balance, from, self.state.balance_at);
    }
}

impl Meter {
    /// The same totals, with a window of another length that begins now.
    fn with_window(&self, now: Time, window: Span) -> Self {
        let mut old = self.clone();
        old.advance(now);
        let mut meter = Self::new(now, window);
        meter.total = old.total;
        let (busy, idle) = old.attending();
        meter.workers(now, busy, idle);
        meter
    }
}

impl State {
    pub(crate) fn worker_slot(&self, id: WorkerId) -> Slot<Worker> {
        self.workers.find(id).expect("recorded of a worker who is there")
    }

    /// Who holds a lease of a job, by id.
    pub(crate) fn holders(&self, job: crate::ids::JobId) -> Vec<WorkerId> {
        let Some(kept) = self.jobs.get(job) else { return Vec::new() };
        let mut pools: Vec<PoolId> =
            kept.lanes().filter(|lane| lane.running > 0).map(|lane| lane.pool).collect();
        pools.sort_unstable();
        pools.dedup();
        let members = pools.iter().flat_map(|pool| self.pools[pool.index()].members.iter().copied());
        let holds = |worker: &WorkerId| {
            self.workers
                .get(*worker)
                .and_then(|worker| worker.lease.as_ref())
                .is_some_and(|l| l.task.job == job)
        };
        members.filter(holds).collect()
    }

    fn reset_control(&mut self, id: PoolId, family: Family, to: Time) {
        let pool = &mut self.pools[id.index()];
        let (due, at) = if family == Family::Scaling {
            (Due::Scaling(id), &mut pool.scaling_at)
        } else {
            (Due::Replacement(id), &mut pool.replacement_at)
        };
        let from = std::mem::replace(at, to);
        self.timers.reset(due, from, to);
    }

    fn judged(
        &mut self,
        worker: WorkerId,
        token: Token,
        task: TaskId,
        verdict: Verdict,
        pay: Money,
        fx: &mut crate::state::Effects,
    ) {
        let slot = self.worker_slot(worker);
        if verdict == Verdict::Counted {
            let lease = self.end_lease(slot, fx);
            let at = lease.at.0;
            let app = self.lane(at).app;
            self.pay_answer(at.job, slot, lease.price, pay, fx);
            self.count_answer(slot, app, self.now.since(lease.granted));
            self.fill_leased(at, task.index, fx);
            return;
        }
        let lapsed = self.workers[slot].lapsed.iter().position(|lapsed| lapsed.token == token);
        let lapsed = self.workers[slot].lapsed.remove(lapsed.expect("recorded of a lapsed lease"));
        let Some(job) = self.jobs.find(task.job) else {
            return self.pay_stray(lapsed.tenant, slot, pay, fx);
        };
        self.pay_answer(job, slot, Money::ZERO, pay, fx);
        if verdict == Verdict::LateCounted {
            let lane = self.jobs[job].lane_of(task.index);
            let (kind, pool) = (self.workers[slot].kind, self.jobs[job].lanes.get(lane).pool);
            self.pools[pool.index()].kind_mut(kind).completed += 1;
            self.fill_open(LaneRef { job, lane }, task.index, worker, fx);
        }
    }

    fn count_answer(&mut self, slot: Slot<Worker>, app: AppId, took: Span) {
        let worker = &self.workers[slot];
        self.pools[worker.pool.index()].kind_mut(worker.kind).completed += 1;
        self.apps[app.index()].took(took);
    }
}
