//! Scaling, replacement and balance: looking, concluding, and carrying out the orders.

use crate::engine::BALANCE_VIEW;
use crate::fact::{Decision, Departure, Recorder};
use crate::ids::{KindId, PoolId, WorkerId};
use crate::money::Money;
use crate::policy::{Advice, Family, Order};
use crate::random::{Draws, Purpose};
use crate::state::worker::Standing;
use crate::view::View;

use super::Turn;

impl<R: Recorder> Turn<'_, R> {
    /// A pool's scaling or replacement policy looks at it.
    pub(super) fn evaluate(&mut self, pool: PoolId, family: Family) {
        let state = self.state();
        let (hosted, kept) = (&self.engine.policies[pool.index()], &state.pools[pool.index()]);
        let (controller, purpose) = match family {
            Family::Scaling => (&hosted.scaling, Purpose::Scaling),
            _ => (&hosted.replacement, Purpose::Replacement),
        };
        let mut draws = Draws::new(state.seed, purpose, pool, kept.draws[purpose as usize]);
        let mut advice = controller.advise(View { state, id: pool }, &mut draws);
        finish(&mut advice, &draws);
        self.decide(Decision::Evaluated(pool, family, Box::new(advice.assessment)));
        self.carry_out(pool, advice.orders);
    }

    /// The balance policy looks at all pools.
    pub(super) fn balance(&mut self) {
        let state = self.state();
        let mut draws = Draws::new(state.seed, Purpose::Balance, BALANCE_VIEW, state.balance_draws);
        let mut advice = self.engine.balance.advise(View { state, id: BALANCE_VIEW }, &mut draws);
        finish(&mut advice, &draws);
        self.decide(Decision::Balanced(Box::new(advice.assessment)));
        for order in advice.orders {
            if let Order::Move(worker, to) = order {
                self.move_idle(worker, to);
            }
        }
    }

    fn carry_out(&mut self, pool: PoolId, orders: Vec<Order>) {
        for order in orders {
            match order {
                Order::Recruit { kind, n } => self.recruit_affordable(pool, kind, n),
                Order::Release(worker) => {
                    if let Some(slot) = self.state().workers.find(worker) {
                        self.release(slot, Departure::Released);
                    }
                }
                Order::Move(worker, to) => self.move_idle(worker, to),
                Order::Plan(plan) => {
                    self.decide(Decision::Planned(pool, plan));
                    self.fill_pool(pool);
                }
            }
        }
    }

    /// Recruits as many as there is money for, if the kind costs money from the start; without a budget, no more than
    /// can be set aside at once.
    fn recruit_affordable(&mut self, pool: PoolId, kind: KindId, n: u32) {
        if self.state().kind(kind).is_none() {
            return;
        }
        let n = match self.state().machine_price(pool, kind) {
            Some((tenant, price)) if price.0 > 0 => {
                let left = self.left_for_machines(tenant).unwrap_or(Money::MOST).min(Money::MOST);
                n.min(u32::try_from(left.0.max(0) / price.0).unwrap_or(u32::MAX))
            }
            _ => n,
        };
        if n > 0 {
            self.recruit(pool, kind, n);
        }
    }

    /// Moves a worker who waits, between pools that take part in balancing.
    fn move_idle(&mut self, worker: WorkerId, to: PoolId) {
        let Some(slot) = self.state().workers.find(worker) else { return };
        let kept = &self.state().workers[slot];
        let takes_part = |id: PoolId| self.state().pool(id).is_some_and(|pool| pool.spec.balanced);
        if kept.standing == Standing::Idle && kept.pool != to && takes_part(kept.pool) && takes_part(to) {
            self.relocate(slot, to);
        }
    }
}

fn finish(advice: &mut Advice, draws: &Draws) {
    advice.assessment.draws = draws.used();
    advice.assessment.orders = u32::try_from(advice.orders.len()).unwrap_or(u32::MAX);
}
