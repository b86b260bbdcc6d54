//! Tenants, apps, kinds, pools, clients and policies: what there is, and how it is set.

use crate::command::Reply;
use crate::fact::{Input, Recorder};
use crate::hosted::{Hosted, start_balance};
use crate::ids::{AppId, ClientId, KindId, PoolId, TenantId};
use crate::policy::Family;
use crate::policy::settings::{PolicySpec, SettingError};
use crate::refusal::{Refusal, field};
use crate::spec::{
    Aim, AppSpec, ClientSpec, KindSpec, LeaseLength, Payer, PoolSpec, Recommend, Role, TenantSpec,
};
use crate::state::State;
use crate::state::pool::Pool;
use crate::time::Span;
use crate::view::View;

use super::Turn;
use super::submit::{check_money, check_span, check_weight};

impl<R: Recorder> Turn<'_, R> {
    pub(super) fn set_tenant(&mut self, id: Option<TenantId>, spec: TenantSpec) -> Result<Reply, Refusal> {
        let new = TenantId(number(self.state().tenants.len()));
        let at = known(id, new, self.state().tenants.len(), Refusal::UnknownTenant)?;
        check_weight("weight", spec.weight)?;
        if let Some(budget) = spec.budget {
            check_money("budget", budget.amount)?;
            check_interval("budget interval", budget.every)?;
        }
        self.input(Input::TenantSet(at, spec));
        Ok(id.map_or(Reply::Tenant(at), |_| Reply::Done))
    }

    pub(super) fn set_app(&mut self, id: Option<AppId>, spec: AppSpec) -> Result<Reply, Refusal> {
        let new = AppId(number(self.state().apps.len()));
        let at = known(id, new, self.state().apps.len(), Refusal::UnknownApp)?;
        check_app(&spec)?;
        self.input(Input::AppSet(at, spec));
        Ok(id.map_or(Reply::App(at), |_| Reply::Done))
    }

    pub(super) fn add_kind(&mut self, spec: KindSpec) -> Result<Reply, Refusal> {
        let id = KindId(number(self.state().kinds.len()));
        check_kind(&spec)?;
        self.input(Input::KindSet(id, spec));
        Ok(Reply::Kind(id))
    }

    pub(super) fn add_pool(&mut self, spec: Box<PoolSpec>) -> Result<Reply, Refusal> {
        let id = PoolId(number(self.state().pools.len()));
        self.state().check_pool(id, &spec)?;
        self.try_policies(&spec)?;
        self.input(Input::PoolSet(id, spec));
        Ok(Reply::Pool(id))
    }

    pub(super) fn set_pool(&mut self, id: PoolId, spec: Box<PoolSpec>) -> Result<Reply, Refusal> {
        let old = self.state().pool(id).ok_or(Refusal::UnknownPool(id))?;
        self.state().check_pool(id, &spec)?;
        let named: Vec<String> = spec.apps.iter().map(ToString::to_string).collect();
        let allowed = "the apps of before, and more after them";
        field(spec.apps.starts_with(&old.spec.apps), "apps", named.join(", "), allowed)?;
        let whose = spec.tenant.map_or("all".to_owned(), |tenant| tenant.to_string());
        field(spec.tenant == old.spec.tenant, "tenant", whose, "the one of before")?;
        self.input(Input::PoolSet(id, spec));
        Ok(Reply::Done)
    }

    /// Starts the policies on a copy of the pool as it would be, to see whether they start.
    fn try_policies(&self, spec: &PoolSpec) -> Result<(), SettingError> {
        let mut trial = State::new(0);
        trial.tenants.clone_from(&self.state().tenants);
        trial.apps.clone_from(&self.state().apps);
        trial.kinds.clone_from(&self.state().kinds);
        trial.pools.push(Pool::new(PoolId(0), spec.clone(), self.now));
        let view = View { state: &trial, id: PoolId(0) };
        Hosted::start(&self.engine.registry, view, &spec.policies).map(|_| ())
    }

    pub(super) fn set_policy(
        &mut self,
        pool: PoolId,
        family: Family,
        spec: PolicySpec,
    ) -> Result<Reply, Refusal> {
        if family == Family::Balance {
            return self.set_balance(spec);
        }
        let kept = self.state().pool(pool).ok_or(Refusal::UnknownPool(pool))?;
        let mut policies = kept.spec.policies.clone();
        *policies.of(family) = spec.clone();
        // What is refused must be refused before it is a fact: the policies are started once to see.
        Hosted::start(&self.engine.registry, self.engine.view(pool), &policies)?;
        self.input(Input::PolicySet(pool, family, spec));
        if family == Family::Dispatch {
            self.fill_pool(pool);
        }
        Ok(Reply::Done)
    }

    pub(super) fn set_balance(&mut self, spec: PolicySpec) -> Result<Reply, Refusal> {
        start_balance(&self.engine.registry, self.state(), &spec, None)?;
        self.input(Input::BalanceSet(spec));
        Ok(Reply::Done)
    }

    pub(super) fn add_client(&mut self, spec: ClientSpec) -> Result<Reply, Refusal> {
        let share = |name, value| field((0.0..=1.0).contains(&value), name, value, "a number from 0 to 1");
        share("alpha_gain", spec.alpha_gain)?;
        share("alpha_loss", spec.alpha_loss)?;
        let level =
            |name, value| field((0.0..=1e6).contains(&value), name, value, "a number from 0 to 1000000");
        level("threshold", spec.threshold)?;
        level("patience", spec.patience)?;
        level("tolerance", spec.tolerance)?;
        check_period("ideal", spec.ideal)?;
        let id = ClientId(self.state().next.client);
        self.input(Input::ClientSet(id, spec));
        Ok(Reply::Client(id))
    }

    pub(super) fn remove_client(&mut self, id: ClientId) -> Result<Reply, Refusal> {
        let client = self.state().client(id).ok_or(Refusal::UnknownClient(id))?;
        if client.waiting > 0 {
            return Err(Refusal::ClientWaits(id));
        }
        self.input(Input::ClientRemoved(id));
        Ok(Reply::Done)
    }
}

fn number(len: usize) -> u32 {
    u32::try_from(len).expect("ids have 32 bits")
}

/// The id to set: the new one, or one that exists.
fn known<I: Copy + crate::table::Key>(
    id: Option<I>,
    new: I,
    len: usize,
    refusal: fn(I) -> Refusal,
) -> Result<I, Refusal> {
    match id {
        Some(id) if id.number() >= len as u64 => Err(refusal(id)),
        Some(id) => Ok(id),
        None => Ok(new),
    }
}

/// What comes again and again must not come without end in no time.
fn check_period(name: &'static str, span: Span) -> Result<(), Refusal> {
    let allowed = "a length of time from 1 ms to 30 years";
    field((Span::from_millis(1)..=super::submit::SPAN_MOST).contains(&span), name, span, allowed)
}

/// What is a fact each time it comes must not come too often.
fn check_interval(name: &'static str, span: Span) -> Result<(), Refusal> {
    let allowed = "a length of time from 1 s to 30 years";
    field((Span::from_secs(1)..=super::submit::SPAN_MOST).contains(&span), name, span, allowed)
}

/// A pool serves at most so many apps.
const APPS_MOST: usize = 1000;

fn check_app(spec: &AppSpec) -> Result<(), Refusal> {
    check_span("training", spec.training)?;
    match spec.lease {
        LeaseLength::Fixed(span) => check_period("lease", span)?,
        LeaseLength::Learned { factor, least, most } => {
            field((1.0..=1000.0).contains(&factor), "lease factor", factor, "a number from 1 to 1000")?;
            check_period("least lease", least)?;
            check_period("most lease", most)?;
            field(least <= most, "least lease", least, "no more than the most lease")?;
        }
    }
    spec.heartbeat.map_or(Ok(()), |span| check_period("heartbeat", span))?;
    spec.expected.map_or(Ok(()), |span| check_span("expected", span))
}

fn check_kind(spec: &KindSpec) -> Result<(), Refusal> {
    match spec.role {
        Role::Person { wage_waiting, wage_training } => {
            check_money("wage_waiting", wage_waiting)?;
            check_money("wage_training", wage_training)?;
        }
        Role::Machine { period, cost } => {
            check_interval("billing period", period)?;
            check_money("cost", cost)?;
        }
    }
    field((1e-6..=1e6).contains(&spec.speed), "speed", spec.speed, "a number from 0.000001 to 1000000")?;
    check_span("boot", spec.boot)
}

fn check_recommend(rule: &Recommend) -> Result<(), Refusal> {
    let share = |name, value: f64| field((0.0..=1.0).contains(&value), name, value, "a number from 0 to 1");
    let inner = |name, value: f64| {
        field(value > 0.0 && value < 1.0, name, value, "a number between 0 and 1, without both")
    };
    let money =
        |name, value: f64| field((0.0..=1e6).contains(&value), name, value, "a number from 0 to 1000000");
    match rule.aim {
        Aim::Objective { eta, cost_per_second, .. } => {
            share("eta", eta)?;
            money("cost_per_second", cost_per_second)?;
        }
        Aim::Wait(span) => check_period("wait", span)?,
        Aim::Within(span, part) => {
            check_span("within", span)?;
            inner("share served", part)?;
        }
        Aim::Occupancy(part) => inner("occupancy", part)?,
        Aim::Money { waiting_minute, worker_hour } => {
            money("waiting_minute", waiting_minute)?;
            money("worker_hour", worker_hour)?;
            field(worker_hour > 0.0, "worker_hour", worker_hour, "more than 0")?;
        }
    }
    rule.recruitment_delay.map_or(Ok(()), |span| check_span("recruitment_delay", span))?;
    rule.service_prior.map_or(Ok(()), |span| check_period("service_prior", span))
}

impl State {
    fn check_pool(&self, id: PoolId, spec: &PoolSpec) -> Result<(), Refusal> {
        field((1..=APPS_MOST).contains(&spec.apps.len()), "apps", spec.apps.len(), "from 1 to 1000 apps")?;
        let most = spec.recommend.size_most;
        field(most <= 1_000_000, "size_most", most, "at most 1000000")?;
        if let Some(tenant) = spec.tenant {
            self.tenant(tenant).ok_or(Refusal::UnknownTenant(tenant))?;
        }
        if let Payer::Tenant(tenant) = spec.payer {
            self.tenant(tenant).ok_or(Refusal::UnknownTenant(tenant))?;
        }
        for (i, app) in spec.apps.iter().enumerate() {
            let known = self.app(*app).ok_or(Refusal::UnknownApp(*app))?;
            field(!spec.apps[..i].contains(app), "apps", app, "each app once")?;
            let taken = known.routes.iter().find(|(tenant, pool)| *tenant == spec.tenant && *pool != id);
            if let Some((_, pool)) = taken {
                return Err(Refusal::ServedTwice { app: *app, pool: *pool });
            }
        }
        check_interval("settle_every", spec.settle_every)?;
        check_period("window", spec.window)?;
        spec.presence.map_or(Ok(()), |span| check_period("presence", span))?;
        check_span("recruit_within", spec.recruit_within)?;
        check_recommend(&spec.recommend)
    }
}
