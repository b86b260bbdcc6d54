//! Scaling, replacement and balance: looking, concluding, and carrying out the orders.

use std::collections::BTreeMap;

use crate::engine::BALANCE_VIEW;
use crate::fact::{Decision, Departure, Recorder};
use crate::ids::{KindId, PoolId, WorkerId};
use crate::money::Money;
use crate::policy::{Advice, Family, Order};
use crate::random::{Draws, Purpose};
use crate::state::State;
use crate::state::worker::Standing;
use crate::time::Time;
use crate::view::View;

use super::Turn;
use super::crowd::{RECRUIT_MOST, SET_ASIDE_MOST};

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
        self.cut_to_means(pool, &mut advice);
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
                Order::Recruit { kind, n } => {
                    self.recruit(pool, kind, n);
                }
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

    /// Cuts orders to recruit to what there is room for, and money if the kind costs some from the start.
    fn cut_to_means(&self, pool: PoolId, advice: &mut Advice) {
        let mut means =
            Means { state: self.state(), now: self.now, taken: Money::ZERO, called: BTreeMap::new() };
        let mut cut = false;
        advice.orders.retain_mut(|order| {
            let Order::Recruit { kind, n } = order else { return true };
            let most = means.take(pool, *kind, *n);
            cut |= most < *n;
            *n = most;
            most > 0
        });
        if cut {
            advice.assessment.reason.push_str("; cut to what there is money and room for");
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

/// What orders of one evaluation may still take.
struct Means<'a> {
    state: &'a State,
    now: Time,
    taken: Money,
    called: BTreeMap<KindId, u32>,
}

impl Means<'_> {
    /// As many of a kind as there are means for, up to `n`; they count as taken.
    fn take(&mut self, pool: PoolId, kind: KindId, n: u32) -> u32 {
        if self.state.kind(kind).is_none() {
            return 0;
        }
        let called = self.called.entry(kind).or_default();
        let room = self.state.room(kind).map_or(n, |room| room.saturating_sub(*called));
        let cost = self.state.machine_cost(pool, kind).filter(|(_, cost)| !cost.is_zero());
        let n = n.min(room).min(RECRUIT_MOST).min(cost.map_or(n, |(tenant, cost)| {
            let left = self.state.left_for_machines(tenant, self.now).unwrap_or(SET_ASIDE_MOST);
            let left = (left - self.taken).min(SET_ASIDE_MOST);
            u32::try_from(left.0.max(0) / cost.0).unwrap_or(u32::MAX)
        }));
        *called += n;
        self.taken += cost.map_or(Money::ZERO, |(_, cost)| cost.times(u64::from(n)));
        n
    }
}

fn finish(advice: &mut Advice, draws: &Draws) {
    advice.assessment.draws = draws.used();
    advice.assessment.orders = u32::try_from(advice.orders.len()).unwrap_or(u32::MAX);
}
