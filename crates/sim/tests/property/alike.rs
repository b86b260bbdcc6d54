//! Common random numbers: variants that decide differently see the same demand, the same work and the same people.

use muster_engine::policy::settings::PolicySpec;
use muster_sim::model::{Arrivals, Setup};

use crate::dice::Dice;
use crate::each;
use crate::setup::{DISPATCH, anything, plain, plan};
use crate::witness::{Witness, watched};

/// The same with other dispatch policies.
fn otherwise(dice: &mut Dice, setup: &Setup) -> Setup {
    let mut other = setup.clone();
    for pool in &mut other.pools {
        let now = pool.spec.policies.dispatch.name.clone();
        let others: Vec<&str> = DISPATCH.iter().copied().filter(|name| *name != now).collect();
        pool.spec.policies.dispatch = PolicySpec::named(dice.one_of(&others));
    }
    other
}

/// Jobs do not come because others are done.
fn open(setup: &mut Setup) {
    for demand in &mut setup.demands {
        if let Arrivals::Closed { .. } = demand.arrivals {
            demand.arrivals = Arrivals::poisson(0.3);
        }
    }
}

#[test]
fn variants_see_the_same_demand() {
    each(40, 2, |dice| {
        let mut setup = anything(dice);
        open(&mut setup);
        let (other, plan) = (otherwise(dice, &setup), plan(dice, 300.0));
        let (one, two) = (watched(&setup, &plan).1, watched(&other, &plan).1);
        assert_eq!(one.jobs, two.jobs);
    });
}

#[test]
fn variants_see_the_same_work() {
    each(60, 3, |dice| {
        let mut setup = plain(dice);
        open(&mut setup);
        let (other, plan) = (otherwise(dice, &setup), plan(dice, 300.0));
        let (one, two) = (watched(&setup, &plan).1, watched(&other, &plan).1);
        for (task, work) in &one.work {
            let other = two.work.get(task).unwrap_or(work);
            assert_eq!(work, other, "{task}");
        }
    });
}

/// What the first people are like.
fn people(witness: &Witness, n: usize) -> Vec<String> {
    witness.joined.iter().take(n).map(|(_, spec)| format!("{spec:?}")).collect()
}

/// When the people of a visit each left.
fn leavings(witness: &Witness) -> Vec<muster_engine::Time> {
    let mut times: Vec<_> = witness.left.values().copied().collect();
    times.sort_unstable();
    times
}

#[test]
fn variants_see_the_same_people() {
    each(40, 4, |dice| {
        let mut setup = anything(dice);
        for kind in &mut setup.kinds {
            // Only the time in the pool counts.
            kind.leaving.after_task = 0.0;
            (kind.leaving.tasks, kind.leaving.bored) = (None, None);
            kind.leaving.staying.iter_mut().for_each(|staying| staying.drops = true);
        }
        for pool in &mut setup.pools {
            pool.spec.policies.scaling = PolicySpec::named("static");
            pool.spec.policies.replacement = PolicySpec::named("none");
            pool.shifts.clear();
        }
        let there: u32 = setup.pools.iter().flat_map(|pool| &pool.workers).map(|(_, n)| n).sum();
        let (other, plan) = (otherwise(dice, &setup), plan(dice, 300.0));
        let (one, two) = (watched(&setup, &plan).1, watched(&other, &plan).1);
        assert_eq!(people(&one, there as usize), people(&two, there as usize));
        // Machines may become too dear at another time.
        let persons =
            setup.kinds.iter().all(|kind| matches!(kind.spec.role, muster_engine::spec::Role::Person { .. }));
        if persons {
            assert_eq!(leavings(&one), leavings(&two));
        }
    });
}
