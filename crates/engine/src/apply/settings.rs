//! What facts do to settings and policies: pools and their policies made and changed, evaluations remembered.

use crate::engine::{BALANCE_VIEW, Engine};
use crate::fact::{Assessment, Input};
use crate::hosted::{Hosted, no_balance, start_balance};
use crate::ids::PoolId;
use crate::policy::settings::PolicySpec;
use crate::policy::{Change, Family, What};
use crate::random::Purpose;
use crate::spec::{PoolPolicies, PoolSpec};
use crate::state::State;
use crate::state::app::App;
use crate::state::pool::Pool;
use crate::state::purse::next_multiple;
use crate::state::tenant::Client;
use crate::state::timers::Due;
use crate::time::Time;
use crate::view::View;

impl Engine {
    pub(super) fn apply_setting(&mut self, input: &Input) {
        let (state, fx) = (&mut self.state, &mut self.fx);
        match input {
            Input::TenantSet(id, spec) => {
                let known = state.tenant(*id).is_some();
                state.set_tenant(*id, spec, fx);
                if known {
                    self.settings_changed();
                }
            }
            Input::AppSet(id, spec) => match state.apps.get_mut(id.index()) {
                Some(app) => {
                    app.spec = *spec;
                    // Who waits may be able to do it without training now.
                    fx.anew.extend(app.routes.iter().map(|(_, pool)| *pool));
                    self.settings_changed();
                }
                None => state.apps.push(App::new(*spec)),
            },
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
                let pools = state.jobs[slot].pools();
                fx.changes
                    .extend(pools.into_iter().map(|pool| Change { pool, what: What::Reweighted(*job) }));
            }
            _ => unreachable!("only settings come here"),
        }
    }

    fn set_pool(&mut self, id: PoolId, spec: &PoolSpec) {
        if id.index() == self.state.pools.len() {
            return self.new_pool(id, spec);
        }
        let now = self.state.now;
        let pool = &mut self.state.pools[id.index()];
        let policies = std::mem::take(&mut pool.spec.policies);
        if spec.window != pool.spec.window {
            pool.meter = pool.meter.with_window(now, spec.window);
        }
        pool.spec = PoolSpec { policies, ..spec.clone() };
        pool.add_apps();
        // Signs of life count from now on: nobody was asked for any before.
        for worker in pool.members.iter().copied().collect::<Vec<_>>() {
            let slot = self.state.worker_slot(worker);
            self.state.workers[slot].heard = now;
            self.state.watch(slot);
        }
        self.route(id);
        self.settings_changed();
    }

    fn new_pool(&mut self, id: PoolId, spec: &PoolSpec) {
        let now = self.state.now;
        let mut pool = Pool::new(id, spec.clone(), now);
        pool.settle_at = now + spec.settle_every;
        self.state.timers.reset(Due::Settle(id), Time::MAX, pool.settle_at);
        self.state.pools.push(pool);
        self.route(id);
        let view = View { state: &self.state, id };
        let hosted = Hosted::start(&self.registry, view, &PoolPolicies::default());
        self.policies.push(hosted.expect("a registry holds the defaults"));
        crate::hosted::OF_A_POOL.into_iter().for_each(|family| self.restart_policy(id, family));
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
        *self.state.pools[id.index()].spec.policies.of(family) = spec.clone();
        self.restart_policy(id, family);
    }

    /// Starts a policy anew, without memory. One that this release does not know, or whose settings it refuses, gives way
    /// to the default until the driver has been told.
    pub(super) fn restart_policy(&mut self, id: PoolId, family: Family) {
        if family == Family::Balance {
            let spec = self.state.balance.clone();
            return self.set_balance(&spec);
        }
        let view = View { state: &self.state, id };
        let mut specs = self.state.pools[id.index()].spec.policies.clone();
        let hosted = &mut self.policies[id.index()];
        if hosted.switch(&self.registry, family, specs.of(family), view) {
            self.restarted.push((id, family));
        }
        let every = match family {
            Family::Scaling => hosted.scaling.every(),
            Family::Replacement => hosted.replacement.every(),
            _ => return,
        };
        let first = every.map_or(Time::MAX, |every| self.state.now + every);
        self.state.reset_control(id, family, first);
    }

    fn set_balance(&mut self, spec: &PolicySpec) {
        self.state.balance = spec.clone();
        let started = start_balance(&self.registry, &self.state, spec, None);
        if started.is_err() {
            self.restarted.push((BALANCE_VIEW, Family::Balance));
        }
        self.balance = started.unwrap_or_else(|_| no_balance(&self.registry, &self.state));
        let (from, now) = (self.state.balance_at, self.state.now);
        self.state.balance_at = self.balance.every().map_or(Time::MAX, |every| now + every);
        self.state.timers.reset(Due::Balance, from, self.state.balance_at);
    }

    pub(super) fn evaluated(&mut self, id: PoolId, family: Family, assessment: &Assessment) {
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

    pub(super) fn balanced(&mut self, assessment: &Assessment) {
        let (from, now) = (self.state.balance_at, self.state.now);
        self.state.balance_draws += u64::from(assessment.draws);
        self.balance.note(assessment, View { state: &self.state, id: BALANCE_VIEW });
        let every = self.balance.every();
        self.state.balance_at = every.map_or(Time::MAX, |every| next_multiple(from, every, now));
        self.state.timers.reset(Due::Balance, from, self.state.balance_at);
    }
}

impl State {
    /// When scaling or replacement looks next.
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
}
