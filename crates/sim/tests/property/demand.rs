//! Random demand: every way in which jobs come, and every kind of job.

use std::sync::Arc;

use muster_engine::Span;
use muster_engine::money::Money;
use muster_engine::spec::ClientSpec;
use muster_sim::law::Law;
use muster_sim::model::{Arrivals, Curve, Demand, GivingUp, Setup, Step, Task};

use crate::dice::Dice;

pub(crate) fn demand(dice: &mut Dice, setup: &Setup, place: u32) -> Demand {
    let tenant = dice.whole(0, setup.tenants.len() as u32 - 1) as usize;
    let arrivals = arrivals(dice);
    let mut demand = Demand::of(&format!("demand {place}"), tenant, 0, arrivals);
    demand.task = task(dice, setup.apps.len() as u32);
    if dice.happens(0.3) {
        demand.from = dice.span(0.0, 100.0);
        demand.until = demand.from + dice.span(0.0, 300.0);
    }
    demand.backlog = if dice.happens(0.3) { dice.whole(0, 10) } else { 0 };
    demand.slots = if dice.happens(0.3) { dice.whole(1, 3) as u8 } else { 1 };
    demand.price = Money(i64::from(dice.whole(0, 200_000)));
    demand.priority = dice.whole(1, 5);
    demand.budget = dice.maybe(0.2, |dice| Money(i64::from(dice.whole(0, 1_000_000))));
    demand.expected = dice.maybe(0.3, |dice| dice.span(1.0, 30.0));
    demand.giving_up = dice.maybe(0.3, |dice| GivingUp {
        after: if dice.happens(0.2) { Law::Fixed(0.0) } else { dice.law(20.0) },
    });
    demand.clients = dice.maybe(0.4, |dice| {
        let patience = dice.between(0.0, 1.0);
        (dice.whole(1, 20), ClientSpec { patience, ..ClientSpec::default() })
    });
    if let (Some((n, _)), Arrivals::Closed { clients, .. }) = (&mut demand.clients, &demand.arrivals) {
        *n = *clients;
    }
    demand
}

fn curve(dice: &mut Dice) -> Curve {
    let points: Vec<(f64, f64)> =
        (0..dice.whole(1, 5)).map(|i| (f64::from(i) * 60.0, dice.between(0.1, 3.0))).collect();
    let period = dice.happens(0.5).then_some(400.0);
    let curve =
        if dice.happens(0.5) { Curve::steps(&points, period) } else { Curve::slopes(&points, period) };
    curve.expect("a curve")
}

fn arrivals(dice: &mut Dice) -> Arrivals {
    match dice.whole(0, 6) {
        0 => Arrivals::None,
        1 => Arrivals::Closed { clients: dice.whole(1, 10), thinking: dice.law(10.0) },
        2 => {
            let mut times: Vec<(Span, u32)> =
                (0..dice.whole(1, 60)).map(|_| (dice.span(0.0, 500.0), dice.whole(0, 4))).collect();
            times.sort_unstable();
            Arrivals::Recorded(times.into())
        }
        _ => Arrivals::Renewal {
            gap: dice.law(1.0),
            rate: dice.between(0.02, 1.0),
            curve: dice.maybe(0.5, curve),
        },
    }
}

fn task(dice: &mut Dice, apps: u32) -> Task {
    let app = |dice: &mut Dice| dice.whole(0, apps - 1) as usize;
    if dice.happens(0.6) {
        let size = if dice.happens(0.5) { Law::Fixed(1.0) } else { Law::Uniform(0.0, 6.0) };
        return Task::Batch { app: app(dice), size };
    }
    let steps: Vec<Step> = (0..dice.whole(1, 5))
        .map(|place| Step {
            app: app(dice),
            after: (0..place).filter(|_| dice.happens(0.4)).map(|parent| parent as usize).collect(),
        })
        .collect();
    Task::Workflow(Arc::from(steps))
}
