//! Money set aside, spent and charged, and what that opens and closes for dispatch. Does not know why it is spent.
//!
//! Invariant (see [`super::Books`]): what was paid is what was charged, plus what pools have not charged yet.

use crate::fact::{Purse, Settlement};
use crate::ids::{JobId, PoolId, RecruitId, TenantId, WorkerId};
use crate::money::Money;
use crate::spec::{Budget, Payer, Role, TenantSpec};
use crate::table::Slot;
use crate::time::Time;

use super::job::{Job, LaneRef};
use super::timers::Due;
use super::{Effects, Recruit, State};

impl State {
    /// Sets the price of a lease aside.
    pub(crate) fn reserve(&mut self, job: Slot<Job>, price: Money, fx: &mut Effects) {
        self.move_money(job, price, Money::ZERO, fx);
    }

    /// Sets it free again.
    pub(crate) fn release(&mut self, job: Slot<Job>, price: Money, fx: &mut Effects) {
        self.move_money(job, -price, Money::ZERO, fx);
    }

    /// Pays a worker for an answer, from what was set aside (or, for a late one, from what is there).
    pub(crate) fn pay_answer(&mut self, job: Slot<Job>, reserved: Money, pay: Money, fx: &mut Effects) {
        self.move_money(job, -reserved, pay, fx);
    }

    /// Changes what a job and its tenant have set aside and spent.
    fn move_money(&mut self, slot: Slot<Job>, reserved: Money, spent: Money, fx: &mut Effects) {
        if reserved.is_zero() && spent.is_zero() {
            return;
        }
        let job = &mut self.jobs[slot];
        job.reserved += reserved;
        job.spent += spent;
        let (id, tenant, budgeted) = (job.id, job.tenant, job.budget.is_some());
        self.books.answers += spent;
        self.charge(tenant, reserved, spent, fx);
        if budgeted {
            self.relist_job(slot, fx);
            fx.purses.push(Purse::Job(id));
        }
    }

    /// Pays for an answer whose job is gone: its tenant is charged all the same.
    pub(crate) fn pay_stray(&mut self, tenant: TenantId, pay: Money, fx: &mut Effects) {
        self.books.answers += pay;
        self.charge(tenant, Money::ZERO, pay, fx);
    }

    /// Changes what a tenant has set aside and spent; what it can no longer pay for leaves dispatch, what it can pay for
    /// again comes back.
    fn charge(&mut self, id: TenantId, reserved: Money, spent: Money, fx: &mut Effects) {
        let tenant = &mut self.tenants[id.index()];
        let before = tenant.money_left();
        tenant.reserved += reserved;
        tenant.charged += spent;
        self.books.charged += spent;
        if tenant.budget.is_some() {
            tenant.spent += spent;
        }
        self.money_moved(id, before, fx);
    }

    fn money_moved(&mut self, id: TenantId, before: Option<Money>, fx: &mut Effects) {
        let tenant = &self.tenants[id.index()];
        let after = tenant.money_left();
        if before == after {
            return;
        }
        let bounds = |left: Option<Money>| left.unwrap_or(Money(i64::MAX));
        let (low, high) = (bounds(before).min(bounds(after)), bounds(before).max(bounds(after)));
        let from = (low, JobId(u64::MAX), u16::MAX);
        let to = (high, JobId(u64::MAX), u16::MAX);
        let crossed: Vec<(JobId, u16)> =
            tenant.priced.range(from..=to).map(|(_, job, lane)| (*job, *lane)).collect();
        for (job, lane) in crossed {
            if let Some(job) = self.jobs.find(job) {
                self.relist(LaneRef { job, lane }, fx);
            }
        }
        fx.purses.push(Purse::Tenant(id));
    }

    fn relist_job(&mut self, slot: Slot<Job>, fx: &mut Effects) {
        for lane in 0..self.jobs[slot].lanes.len() {
            self.relist(LaneRef { job: slot, lane }, fx);
        }
    }

    /// A job has another budget.
    pub(crate) fn set_job_budget(&mut self, slot: Slot<Job>, budget: Option<Money>, fx: &mut Effects) {
        self.jobs[slot].budget = budget;
        self.relist_job(slot, fx);
        fx.purses.push(Purse::Job(self.jobs[slot].id));
    }

    /// Whether open work waits only for money.
    pub(crate) fn is_short(&self, purse: Purse) -> bool {
        match purse {
            Purse::Tenant(id) => {
                let tenant = &self.tenants[id.index()];
                let dearest = tenant.priced.last().map(|(price, _, _)| *price);
                dearest.is_some_and(|price| !tenant.can_spend(price))
            }
            Purse::Job(id) => self.jobs.get(id).is_some_and(|job| {
                let open = job.lanes().any(|lane| lane.open > 0);
                open && !job.can_spend()
            }),
        }
    }

    /// Whether it has been said that money is short there; `None` if it is gone.
    pub(crate) fn said_short(&mut self, purse: Purse) -> Option<&mut bool> {
        match purse {
            Purse::Tenant(id) => Some(&mut self.tenants[id.index()].short),
            Purse::Job(id) => self.jobs.find(id).map(|slot| &mut self.jobs[slot].short),
        }
    }

    /// A tenant is there, or has changed. A lower budget waits for the next interval.
    pub(crate) fn set_tenant(&mut self, id: TenantId, spec: &TenantSpec, fx: &mut Effects) {
        if id.index() == self.tenants.len() {
            self.tenants.push(super::tenant::Tenant::new(spec.weight));
        }
        let tenant = &mut self.tenants[id.index()];
        tenant.weight = spec.weight;
        tenant.budget_next = None;
        match (tenant.budget, spec.budget) {
            (Some(old), Some(new)) if new.every != old.every || new.amount < old.amount => {
                tenant.budget_next = Some(Some(new));
            }
            (_, new) => self.set_budget(id, new, fx),
        }
    }

    /// The budget is this from now on.
    fn set_budget(&mut self, id: TenantId, budget: Option<Budget>, fx: &mut Effects) {
        let now = self.now;
        let tenant = &mut self.tenants[id.index()];
        let before = tenant.money_left();
        if tenant.budget.is_none() {
            tenant.spent = Money::ZERO;
        }
        let (old_end, fresh) = (tenant.interval_ends, tenant.budget.is_none());
        tenant.budget = budget;
        tenant.interval_ends = match budget {
            None => Time::MAX,
            Some(budget) if fresh => now + budget.every,
            Some(_) => old_end,
        };
        let end = tenant.interval_ends;
        self.timers.reset(Due::Interval(id), old_end, end);
        self.index_prices(id, fresh);
        self.money_moved(id, before, fx);
        fx.purses.push(Purse::Tenant(id));
        if budget.is_none() {
            self.tenants[id.index()].priced.clear();
        }
    }

    /// Keeps the lanes of a tenant by price while it has a budget.
    pub(crate) fn index_prices(&mut self, id: TenantId, fresh: bool) {
        if self.tenants[id.index()].budget.is_none() {
            return;
        }
        if fresh {
            let priced = self.jobs.unordered().filter(|(_, job)| job.tenant == id).flat_map(|(_, job)| {
                let open = (0..).zip(job.lanes()).filter(|(_, lane)| lane.open > 0);
                open.map(|(lane, _)| (job.price, job.id, lane)).collect::<Vec<_>>()
            });
            self.tenants[id.index()].priced = priced.collect();
        }
    }

    /// A tenant's next interval begins.
    pub(crate) fn begin_interval(&mut self, id: TenantId, fx: &mut Effects) {
        let tenant = &mut self.tenants[id.index()];
        let before = tenant.money_left();
        let old_end = tenant.interval_ends;
        if let Some(next) = tenant.budget_next.take() {
            tenant.budget = next;
        }
        tenant.spent = Money::ZERO;
        tenant.interval_ends = match tenant.budget {
            None => Time::MAX,
            // One at a time, also when the wake is late: what is due in each interval finds its own budget.
            Some(budget) => old_end + budget.every,
        };
        let end = tenant.interval_ends;
        self.timers.reset(Due::Interval(id), old_end, end);
        self.money_moved(id, before, fx);
    }

    /// Workers are called for: the first billing period of each machine is set aside.
    pub(crate) fn recruit(&mut self, id: RecruitId, recruit: Recruit, fx: &mut Effects) {
        self.next.recruit = id.0 + 1;
        self.timers.reset(Due::Recruit(id), Time::MAX, recruit.deadline);
        self.pools[recruit.pool.index()].kind_mut(recruit.kind).in_flight += recruit.n;
        self.recruits.insert(id, recruit);
        if let Some((tenant, price)) = recruit.reserved {
            self.charge(tenant, price.times(u64::from(recruit.n)), Money::ZERO, fx);
        }
    }

    /// Some of those called for are there, or will not come.
    pub(crate) fn recruits_come(&mut self, id: RecruitId, n: u32, fx: &mut Effects) {
        let Some(recruit) = self.recruits.get_mut(&id) else { return };
        let n = n.min(recruit.n);
        recruit.n -= n;
        let recruit = *recruit;
        self.pools[recruit.pool.index()].kind_mut(recruit.kind).in_flight -= n;
        if recruit.n == 0 {
            self.recruits.remove(&id);
            self.timers.reset(Due::Recruit(id), recruit.deadline, Time::MAX);
        }
        if let Some((tenant, price)) = recruit.reserved {
            self.charge(tenant, -price.times(u64::from(n)), Money::ZERO, fx);
        }
    }

    /// Who pays for a machine in a pool at once, and what a billing period of it costs; `None` if nobody does.
    #[must_use]
    pub fn machine_cost(&self, pool: PoolId, kind: crate::ids::KindId) -> Option<(TenantId, Money)> {
        match (self.pools[pool.index()].spec.payer, self.kinds[kind.index()].role) {
            (Payer::Tenant(tenant), Role::Machine { cost, .. }) => Some((tenant, cost)),
            _ => None,
        }
    }

    /// What a tenant can still spend on new machines at `now`, if those it has go on; `None` is no limit.
    #[must_use]
    pub fn left_for_machines(&self, tenant: TenantId, now: Time) -> Option<Money> {
        let due = self.timers.billing_due(now).map(|slot| &self.workers[slot]);
        let renewals = due.filter_map(|worker| self.machine_cost(worker.pool, worker.kind));
        let committed: Money = renewals.filter(|(payer, _)| *payer == tenant).map(|(_, cost)| cost).sum();
        self.tenants[tenant.index()].money_left().map(|left| left - committed)
    }

    /// How many more workers of a kind there is room for, in all pools together; `None` is no limit.
    #[must_use]
    pub fn room(&self, kind: crate::ids::KindId) -> Option<u32> {
        let there = |pool: &super::pool::Pool| {
            let count = pool.kind(kind);
            count.workers.size() + count.workers.draining + count.in_flight
        };
        let most = self.kinds[kind.index()].most?;
        Some(most.saturating_sub(self.pools.iter().map(there).sum()))
    }

    /// A machine's billing period begins.
    pub(crate) fn bill(&mut self, id: WorkerId, cost: Money, until: Time, fx: &mut Effects) {
        let slot = self.workers.find(id).expect("machines that are there are billed");
        self.workers[slot].billed_until = Some(until);
        self.timers.bill(slot, id, Some(until));
        self.books.machines += cost;
        let pool = self.workers[slot].pool;
        match self.pools[pool.index()].spec.payer {
            Payer::Tenant(tenant) => self.charge(tenant, Money::ZERO, cost, fx),
            Payer::Shared => self.pools[pool.index()].due += cost,
        }
    }

    /// Wages of an interval are paid and charged.
    pub(crate) fn settle(&mut self, pool: PoolId, settlement: &Settlement, fx: &mut Effects) {
        for (worker, owed) in &settlement.paid {
            if let Some(slot) = self.workers.find(*worker) {
                self.pay_wages(slot, *owed);
            }
        }
        for (tenant, amount) in &settlement.charged {
            self.charge(*tenant, Money::ZERO, *amount, fx);
        }
        let now = self.now;
        let kept = &mut self.pools[pool.index()];
        kept.due = settlement.carried;
        kept.settled = now;
        kept.usage.clear();
        let (from, to) = (kept.settle_at, next_multiple(kept.settle_at, kept.spec.settle_every, now));
        kept.settle_at = to;
        self.timers.reset(Due::Settle(pool), from, to);
    }
}

/// The first of `from`, `from + every`, ... that is after `now`.
pub(crate) fn next_multiple(from: Time, every: crate::time::Span, now: Time) -> Time {
    if from > now || every.is_zero() {
        return from;
    }
    let steps = now.since(from).0 / every.0 + 1;
    from + crate::time::Span(steps.saturating_mul(every.0))
}
