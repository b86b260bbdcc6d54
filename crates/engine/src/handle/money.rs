//! Wages paid and charged, machines billed, and whose money is short.

use crate::fact::{Decision, Departure, Purse, Recorder, Settlement, Wages};
use crate::ids::{PoolId, TenantId, WorkerId};
use crate::money::{Money, split};
use crate::spec::{Payer, Role};
use crate::state::State;
use crate::state::worker::{Standing, Worker};
use crate::table::Slot;
use crate::time::Time;

use super::Turn;

impl<R: Recorder> Turn<'_, R> {
    /// Says whose money has become short, and whose is enough again.
    pub(super) fn say_short(&mut self) {
        if self.engine.fx.purses.is_empty() {
            return;
        }
        let mut purses = std::mem::take(&mut self.engine.fx.purses);
        purses.sort_unstable();
        purses.dedup();
        for purse in purses.drain(..) {
            let short = self.state().is_short(purse);
            let Some(said) = self.engine.state.said_short(purse).map(|said| *said) else { continue };
            if short && !said {
                let left = self.left(purse).unwrap_or_default();
                self.decide(Decision::OutOfBudget(purse, left));
            } else if said && !short {
                self.decide(Decision::BackInBudget(purse));
            }
        }
        self.engine.fx.purses = purses;
    }

    fn left(&self, purse: Purse) -> Option<Money> {
        match purse {
            Purse::Tenant(id) => self.state().tenant(id)?.money_left(),
            Purse::Job(id) => self.state().job(id)?.money_left(),
        }
    }

    /// Begins a billing period, if the worker is a machine.
    pub(super) fn bill(&mut self, slot: Slot<Worker>) {
        let worker = &self.state().workers[slot];
        let Role::Machine { period, cost } = self.state().kinds[worker.kind.index()].role else { return };
        let from = worker.billed_until.unwrap_or(self.now);
        self.decide(Decision::Billed { worker: worker.id, cost, until: from + period });
    }

    /// A machine's billing period has ended: the next begins, or the machine goes if it cannot be paid for.
    pub(super) fn renew(&mut self, id: WorkerId) {
        let slot = self.state().worker_slot(id);
        let worker = &self.state().workers[slot];
        let payer = self.state().machine_cost(worker.pool, worker.kind);
        let fits = payer.is_none_or(|(tenant, cost)| self.state().tenants[tenant.index()].can_spend(cost));
        match worker.standing {
            Standing::Leased | Standing::Draining => {
                // What is in hand is finished; the machine costs on until then.
                self.bill(slot);
                if !fits {
                    self.release(slot, Departure::Unaffordable);
                }
            }
            _ if fits => self.bill(slot),
            _ => self.depart(slot, Departure::Unaffordable),
        }
    }

    /// Pays a pool's wages, and charges whoever pays for them.
    pub(super) fn settle(&mut self, pool: PoolId) {
        let settlement = self.state().settlement(pool, self.now);
        self.decide(Decision::Settled(pool, Box::new(settlement)));
    }
}

impl State {
    /// What a worker is owed at `now`, which may be later than the last fact.
    #[must_use]
    pub fn owed_at(&self, worker: &Worker, now: Time) -> Wages {
        self.owed(worker, now).0
    }

    fn settlement(&self, id: PoolId, now: Time) -> Settlement {
        let pool = &self.pools[id.index()];
        let members = pool.members.iter().filter_map(|id| self.workers.get(*id));
        let owed = members.map(|worker| (worker.id, self.owed_at(worker, now)));
        let paid: Vec<(WorkerId, Wages)> = owed.filter(|(_, owed)| *owed != Wages::default()).collect();
        let due = pool.due + paid.iter().map(|(_, owed)| owed.total()).sum();
        let charged = match pool.spec.payer {
            Payer::Tenant(tenant) => vec![(tenant, due)],
            Payer::Shared => self.split_by_use(id, due, now),
        };
        let charged: Vec<(TenantId, Money)> =
            charged.into_iter().filter(|(_, amount)| !amount.is_zero()).collect();
        let carried = due - charged.iter().map(|(_, amount)| *amount).sum();
        Settlement { paid, charged, carried }
    }

    /// Splits an amount between tenants by the worker-time they had since wages were last settled.
    fn split_by_use(&self, id: PoolId, amount: Money, now: Time) -> Vec<(TenantId, Money)> {
        let pool = &self.pools[id.index()];
        let mut usage = pool.usage.clone();
        usage.resize(self.tenants.len(), 0);
        for worker in pool.members.iter().filter_map(|id| self.workers.get(*id)) {
            if let Some(lease) = &worker.lease {
                let tenant = self.jobs[lease.at.0.job].tenant;
                let used = &mut usage[tenant.index()];
                *used = used.saturating_add(now.since(lease.granted.max(pool.settled)).0);
            }
        }
        let parts = split(amount, &usage).unwrap_or_default();
        (0..).map(TenantId).zip(parts).collect()
    }
}
