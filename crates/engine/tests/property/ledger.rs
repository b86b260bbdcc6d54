//! The money, kept from the facts alone: who got what, who was charged, what is set aside, to the micro-unit.
//!
//! Knows nothing of the engine's state; [`Ledger::agree`] compares with it. Start at [`Ledger::note`].

use std::collections::BTreeMap;

use muster_engine::Time;
use muster_engine::fact::{Body, Decision, Fact, Grant, Input, Settlement, Verdict, Wages};
use muster_engine::ids::{JobId, KindId, PoolId, RecruitId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::spec::{Budget, KindSpec, Payer, Role, TenantSpec};
use muster_engine::state::State;

use crate::time_sheet::TimeSheet;

/// A tenant's account.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Account {
    budget: Option<Budget>,
    next: Option<Budget>,
    spent: Money,
    charged: Money,
    reserved: Money,
}

/// A job's account.
#[derive(Clone, Copy, Debug)]
struct JobAccount {
    tenant: TenantId,
    budget: Option<Money>,
    spent: Money,
    reserved: Money,
}

/// A lease in somebody's hands.
#[derive(Clone, Copy, Debug)]
struct Held {
    token: Token,
    job: JobId,
    tenant: TenantId,
    price: Money,
    granted: Time,
}

/// A worker as far as money goes.
#[derive(Debug)]
struct Payee {
    kind: KindId,
    pool: PoolId,
    earned: Money,
    sheet: TimeSheet,
    held: Option<Held>,
}

/// A pool's unpaid bills.
#[derive(Clone, Debug)]
struct PoolAccount {
    payer: Payer,
    due: Money,
    settled: Time,
    usage: BTreeMap<TenantId, u128>,
}

/// All accounts.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    now: Time,
    tenants: Vec<Account>,
    jobs: BTreeMap<JobId, JobAccount>,
    /// Whose job a lease was of: answers may come after the job is gone.
    owners: BTreeMap<JobId, TenantId>,
    kinds: Vec<KindSpec>,
    pools: Vec<PoolAccount>,
    workers: BTreeMap<WorkerId, Payee>,
    /// How many are still to come, and what is set aside for each.
    recruits: BTreeMap<RecruitId, (u32, Option<(TenantId, Money)>)>,
    paid: Money,
}

impl Ledger {
    pub(crate) fn note(&mut self, fact: &Fact) {
        self.now = fact.at;
        match &fact.body {
            Body::Input(input) => self.input(input),
            Body::Decision(decision) => self.decision(decision),
        }
    }

    fn input(&mut self, input: &Input) {
        match input {
            Input::TenantSet(id, spec) => self.set_tenant(*id, spec),
            Input::KindSet(_, spec) => self.kinds.push(*spec),
            Input::PoolSet(id, spec) => match self.pools.get_mut(id.index()) {
                Some(pool) => pool.payer = spec.payer,
                None => self.pools.push(PoolAccount {
                    payer: spec.payer,
                    due: Money::ZERO,
                    settled: self.now,
                    usage: BTreeMap::new(),
                }),
            },
            Input::JobSubmitted(id, spec) => {
                let (tenant, budget) = (spec.tenant, spec.budget);
                let account = JobAccount { tenant, budget, spent: Money::ZERO, reserved: Money::ZERO };
                self.jobs.insert(*id, account);
                self.owners.insert(*id, tenant);
            }
            Input::JobBudgetSet(id, budget) => self.job(*id).budget = *budget,
            Input::JobCancelled(id) => {
                let holds = |payee: &Payee| payee.held.is_some_and(|held| held.job == *id);
                let holders = self.workers.iter().filter(|(_, payee)| holds(payee));
                for worker in holders.map(|(worker, _)| *worker).collect::<Vec<_>>() {
                    self.end_lease(worker, Money::ZERO);
                }
            }
            Input::Joined(id, spec) => {
                let (kind, pool) = (spec.kind, spec.pool);
                let sheet = TimeSheet::new(self.kinds[kind.index()].role);
                self.workers.insert(*id, Payee { kind, pool, earned: Money::ZERO, sheet, held: None });
                if let Some(recruit) = spec.recruit {
                    self.recruits_come(recruit, 1);
                }
            }
            Input::Returned(id, _) | Input::TaskSkipped(id, _) | Input::JobSkipped(id, _) => {
                self.end_lease(*id, Money::ZERO);
            }
            Input::Left(id) => {
                self.end_lease(*id, Money::ZERO);
                self.stop(*id);
            }
            Input::Paused(id) | Input::Trained(id) => self.stop(*id),
            Input::RecruitFailed(id, n) => self.recruits_come(*id, *n),
            Input::Resumed(since, _) => {
                let now = self.now;
                let gap = now.since(*since);
                for payee in self.workers.values_mut() {
                    payee.sheet.gap(*since, now);
                    if let Some(held) = payee.held.as_mut() {
                        held.granted = held.granted + gap;
                    }
                }
            }
            _ => {}
        }
    }

    fn decision(&mut self, decision: &Decision) {
        let now = self.now;
        match decision {
            Decision::Leased(grant) => self.lease(grant),
            Decision::Parked(id) => self.worker(*id).sheet.wait(now),
            Decision::TrainingStarted(id, _) => self.worker(*id).sheet.train(now),
            Decision::Judged { worker, task, verdict, pay, .. } => {
                if let Some(payee) = self.workers.get_mut(worker) {
                    payee.earned += *pay;
                }
                self.paid += *pay;
                if *verdict == Verdict::Counted {
                    self.end_lease(*worker, *pay);
                } else {
                    let tenant = self.owners[&task.job];
                    self.charge(tenant, *pay);
                    if let Some(job) = self.jobs.get_mut(&task.job) {
                        job.spent += *pay;
                    }
                }
            }
            Decision::LeaseExpired(id, _) => self.end_lease(*id, Money::ZERO),
            Decision::JobClosed { job: id, .. } => {
                let job = self.jobs.remove(id).expect("closed once");
                assert_eq!(job.reserved, Money::ZERO, "{id} leaves money set aside");
            }
            Decision::Departed { worker, owed, .. } => {
                self.end_lease(*worker, Money::ZERO);
                self.pay(*worker, *owed);
                self.workers.remove(worker);
            }
            Decision::Moved { worker, to, owed } => {
                self.pay(*worker, *owed);
                self.stop(*worker);
                self.worker(*worker).pool = *to;
            }
            Decision::Recruiting { recruit, pool, kind, n, .. } => self.recruit(*recruit, *pool, *kind, *n),
            Decision::RecruitLost(id, n) => self.recruits_come(*id, *n),
            Decision::IntervalBegan(id) => {
                let account = &mut self.tenants[id.index()];
                account.spent = Money::ZERO;
                account.budget = account.next.take().or(account.budget);
            }
            Decision::Settled(id, settlement) => self.settle(*id, settlement),
            Decision::Billed { worker, cost, .. } => self.bill(*worker, *cost),
            _ => {}
        }
    }

    fn worker(&mut self, id: WorkerId) -> &mut Payee {
        self.workers.get_mut(&id).expect("told of a worker who is there")
    }

    fn job(&mut self, id: JobId) -> &mut JobAccount {
        self.jobs.get_mut(&id).expect("told of a live job")
    }

    fn set_tenant(&mut self, id: TenantId, spec: &TenantSpec) {
        if id.index() == self.tenants.len() {
            self.tenants.push(Account::default());
        }
        let account = &mut self.tenants[id.index()];
        account.next = None;
        match (account.budget, spec.budget) {
            (Some(old), Some(new)) if new.amount < old.amount || new.every != old.every => {
                account.next = Some(new);
            }
            (None, new) => (account.budget, account.spent) = (new, Money::ZERO),
            (_, new) => account.budget = new,
        }
    }

    fn charge(&mut self, tenant: TenantId, amount: Money) {
        let account = &mut self.tenants[tenant.index()];
        account.charged += amount;
        if account.budget.is_some() {
            account.spent += amount;
        }
    }

    fn lease(&mut self, grant: &Grant) {
        let (now, id) = (self.now, grant.task.job);
        let tenant = self.owners[&id];
        let account = &mut self.tenants[tenant.index()];
        account.reserved += grant.price;
        let all = account.spent + account.reserved;
        let free = grant.price.is_zero();
        let fits = account.budget.is_none_or(|budget| all <= budget.amount);
        assert!(free || fits, "a lease takes {tenant} above its budget");
        let job = self.job(id);
        job.reserved += grant.price;
        let fits = job.budget.is_none_or(|most| job.spent + job.reserved <= most);
        assert!(free || fits, "a lease takes {id} above its budget");
        let payee = self.worker(grant.worker);
        payee.sheet.stop(now);
        payee.held = Some(Held { token: grant.token, job: id, tenant, price: grant.price, granted: now });
    }

    /// The worker's lease is over, if it has one; `pay` of what was set aside is spent.
    fn end_lease(&mut self, id: WorkerId, pay: Money) {
        let (now, payee) = (self.now, self.worker(id));
        let (Some(held), pool) = (payee.held.take(), payee.pool) else { return };
        self.tenants[held.tenant.index()].reserved -= held.price;
        let job = self.job(held.job);
        job.reserved -= held.price;
        job.spent += pay;
        self.charge(held.tenant, pay);
        let pool = &mut self.pools[pool.index()];
        let used = now.since(held.granted.max(pool.settled)).0;
        *pool.usage.entry(held.tenant).or_default() += u128::from(used);
    }

    fn stop(&mut self, id: WorkerId) {
        let now = self.now;
        self.worker(id).sheet.stop(now);
    }

    /// Pays wages, after checking that they are what the time sheet says.
    fn pay(&mut self, id: WorkerId, owed: Wages) {
        let now = self.now;
        let payee = self.worker(id);
        payee.sheet.pay(now, owed);
        let pool = payee.pool;
        self.pools[pool.index()].due += owed.total();
        self.paid += owed.total();
    }

    fn bill(&mut self, id: WorkerId, price: Money) {
        let payee = &self.workers[&id];
        let Role::Machine { cost: said, .. } = self.kinds[payee.kind.index()].role else {
            panic!("{id} is billed and no machine")
        };
        assert_eq!(price, said);
        self.paid += price;
        let pool = payee.pool;
        match self.pools[pool.index()].payer {
            Payer::Tenant(tenant) => self.charge(tenant, price),
            Payer::Shared => self.pools[pool.index()].due += price,
        }
    }

    fn recruit(&mut self, id: RecruitId, pool: PoolId, kind: KindId, n: u32) {
        let set_aside = match (self.pools[pool.index()].payer, self.kinds[kind.index()].role) {
            (Payer::Tenant(tenant), Role::Machine { cost, .. }) => Some((tenant, cost)),
            _ => None,
        };
        if let Some((tenant, price)) = set_aside {
            self.tenants[tenant.index()].reserved += price.times(u64::from(n));
        }
        self.recruits.insert(id, (n, set_aside));
    }

    fn recruits_come(&mut self, id: RecruitId, come: u32) {
        let (n, set_aside) = self.recruits.get_mut(&id).expect("told of an order that is open");
        *n -= come;
        if let Some((tenant, price)) = *set_aside {
            self.tenants[tenant.index()].reserved -= price.times(u64::from(come));
        }
        if *n == 0 {
            self.recruits.remove(&id);
        }
    }

    fn settle(&mut self, id: PoolId, settlement: &Settlement) {
        let paid: BTreeMap<WorkerId, Wages> = settlement.paid.iter().copied().collect();
        let here = self.workers.iter().filter(|(_, payee)| payee.pool == id);
        for worker in here.map(|(worker, _)| *worker).collect::<Vec<_>>() {
            self.pay(worker, paid.get(&worker).copied().unwrap_or_default());
        }
        let charged: Money = settlement.charged.iter().map(|(_, amount)| *amount).sum();
        assert_eq!(charged + settlement.carried, self.pools[id.index()].due, "{id} charges what it paid");
        self.check_split(id, settlement);
        for (tenant, amount) in &settlement.charged {
            self.charge(*tenant, *amount);
        }
        let now = self.now;
        let pool = &mut self.pools[id.index()];
        (pool.due, pool.settled) = (settlement.carried, now);
        pool.usage.clear();
    }

    /// Each pays its share of the worker-time, to the micro-unit.
    fn check_split(&mut self, id: PoolId, settlement: &Settlement) {
        let now = self.now;
        let pool = &self.pools[id.index()];
        if let Payer::Tenant(tenant) = pool.payer {
            assert!(settlement.charged.iter().all(|(charged, _)| *charged == tenant));
            assert_eq!(settlement.carried, Money::ZERO);
            return;
        }
        let mut usage = pool.usage.clone();
        for held in self.workers.values().filter(|payee| payee.pool == id).filter_map(|payee| payee.held) {
            let used = now.since(held.granted.max(pool.settled)).0;
            *usage.entry(held.tenant).or_default() += u128::from(used);
        }
        let total: u128 = usage.values().sum();
        for (tenant, used) in usage {
            let charged = settlement.charged.iter().find(|(charged, _)| *charged == tenant);
            let charged = charged.map_or(0, |(_, amount)| amount.0 as u128);
            let fair = pool.due.0 as u128 * used;
            assert!((charged * total).abs_diff(fair) < total.max(1), "{tenant} is charged {charged}");
        }
        assert!(total == 0 || settlement.carried == Money::ZERO);
    }

    /// Whether there is money for another lease of a job.
    pub(crate) fn funds(&self, id: JobId, price: Money) -> bool {
        let job = &self.jobs[&id];
        let account = &self.tenants[job.tenant.index()];
        price.is_zero()
            || job.budget.is_none_or(|most| job.spent + job.reserved + price <= most)
                && account.budget.is_none_or(|most| account.spent + account.reserved + price <= most.amount)
    }

    /// The state says the same.
    pub(crate) fn agree(&self, state: &State) {
        assert_eq!(state.tenants().len(), self.tenants.len());
        for (id, (kept, told)) in state.tenants().iter().zip(&self.tenants).enumerate() {
            let account = Account {
                budget: kept.budget,
                next: kept.budget_next.flatten(),
                spent: kept.spent,
                charged: kept.charged,
                reserved: kept.reserved,
            };
            assert_eq!(account, *told, "tenant {id}");
        }
        for job in state.jobs() {
            let told = &self.jobs[&job.id];
            let kept = (job.tenant, job.budget, job.spent, job.reserved);
            assert_eq!(kept, (told.tenant, told.budget, told.spent, told.reserved), "{}", job.id);
        }
        for worker in state.workers() {
            let told = &self.workers[&worker.id];
            let kept = (worker.earned, worker.wages, worker.pool);
            assert_eq!(kept, (told.earned, told.sheet.paid(), told.pool), "{}", worker.id);
            assert_eq!(worker.lease.map(|lease| lease.token), told.held.map(|held| held.token));
        }
        self.agree_books(state);
    }

    fn agree_books(&self, state: &State) {
        let books = state.books();
        let due: Money = state.pools().iter().map(|pool| pool.due).sum();
        let told: Money = self.pools.iter().map(|pool| pool.due).sum();
        assert_eq!(due, told);
        assert_eq!(books.paid(), books.charged + due, "what was paid is charged or due");
        assert_eq!(books.paid(), self.paid);
        let charged: Money = self.tenants.iter().map(|account| account.charged).sum();
        assert_eq!(books.charged, charged);
    }
}
