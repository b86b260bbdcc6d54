//! Random kinds of worker: all that people and machines can do.

use muster_engine::money::Money;
use muster_engine::spec::{KindSpec, Payer, Role};
use muster_sim::law::Law;
use muster_sim::model::{Kind, Leaving, Likes, Pausing, Recruiting, Returning, Setup, Skipping, Staying};

use crate::dice::Dice;

pub(crate) fn kind(dice: &mut Dice, place: u32, apps: usize) -> Kind {
    let mut spec = if dice.happens(0.3) {
        KindSpec::machine(Money(i64::from(dice.whole(0, 500_000))), dice.span(5.0, 120.0))
    } else {
        KindSpec::person(Money(i64::from(dice.whole(0, 10_000_000))))
    };
    spec.speed = dice.between(0.5, 2.0);
    spec.boot = dice.span(0.0, 20.0);
    let mut kind = Kind::steady(&format!("kind {place}"), spec);
    if dice.happens(0.5) {
        kind.speed = Law::log_normal(1.0, 0.4).expect("a law");
    }
    kind.recruiting = recruiting(dice);
    kind.leaving = leaving(dice);
    kind.returning =
        dice.maybe(0.5, |dice| Returning { share: dice.between(0.0, 1.0), after: dice.law(30.0) });
    kind.likes = likes(dice, apps);
    if dice.happens(0.5) {
        kind.skipping = skipping(dice);
    }
    if dice.happens(0.3) {
        kind.pausing = Pausing { share: dice.between(0.0, 1.0), law: dice.law(5.0) };
    }
    kind.trained = dice.happens(0.6);
    kind
}

fn recruiting(dice: &mut Dice) -> Recruiting {
    Recruiting {
        delay: dice.law(20.0),
        renew: dice.maybe(0.3, |dice| dice.span(0.0, 30.0)),
        come: if dice.happens(0.5) { 1.0 } else { dice.between(0.0, 1.0) },
    }
}

fn leaving(dice: &mut Dice) -> Leaving {
    Leaving {
        after_task: if dice.happens(0.5) { dice.between(0.0, 0.4) } else { 0.0 },
        staying: dice.maybe(0.3, |dice| Staying { law: dice.law(60.0), drops: dice.happens(0.5) }),
        tasks: dice.maybe(0.2, |dice| dice.law(5.0)),
        bored: dice.maybe(0.3, |dice| dice.law(20.0)),
    }
}

fn likes(dice: &mut Dice, apps: usize) -> Likes {
    if dice.happens(0.5) {
        return Likes::None;
    }
    let named = dice.maybe(0.5, |dice| (dice.whole(0, apps as u32 - 1) as usize, dice.law(0.5)));
    Likes::Each { apps: named.into_iter().collect(), others: dice.law(0.5) }
}

fn skipping(dice: &mut Dice) -> Skipping {
    let mut share = || if dice.happens(0.5) { dice.between(0.0, 0.2) } else { 0.0 };
    let (task, job, give_back, abandon) = (share(), share(), share(), share());
    let after = if dice.happens(0.3) { Law::Fixed(0.0) } else { dice.law(3.0) };
    Skipping { task, job, give_back, abandon, after }
}

/// Sometimes there is a limit to a kind. Those who are there at the beginning fit in, and can be paid for.
pub(crate) fn bound(dice: &mut Dice, setup: &mut Setup) {
    for place in 0..setup.kinds.len() {
        let workers = setup.pools.iter().flat_map(|pool| &pool.workers);
        let there: u32 = workers.filter(|(kind, _)| *kind == place).map(|(_, n)| n).sum();
        setup.kinds[place].spec.most = dice.maybe(0.3, |dice| there + dice.whole(0, 5));
    }
    let machines: Vec<bool> =
        setup.kinds.iter().map(|kind| matches!(kind.spec.role, Role::Machine { .. })).collect();
    for pool in &mut setup.pools {
        if pool.spec.payer == Payer::Shared || setup.tenants.iter().any(|tenant| tenant.spec.budget.is_some())
        {
            pool.workers.retain(|(kind, _)| !machines[*kind]);
        }
    }
}

/// Nobody is faster, skips or wanders off in the middle of a task.
pub(crate) fn steady(_dice: &mut Dice, setup: &mut Setup) {
    for kind in &mut setup.kinds {
        kind.spec.speed = 1.0;
        kind.speed = Law::Fixed(1.0);
        kind.skipping = Skipping::default();
        if let Some(staying) = &mut kind.leaving.staying {
            staying.drops = false;
        }
    }
}
