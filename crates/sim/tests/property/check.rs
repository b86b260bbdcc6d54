//! What must hold of every run: nothing is lost, numbers are in their ranges, the same seed gives the same facts.

use muster_sim::measure::{Measure, Outcome, Reading, Scope, Unit};
use muster_sim::model::{Plan, Setup};

use crate::each;
use crate::setup::{anything, plan};
use crate::witness::{Witness, watched};

#[test]
fn nothing_is_lost_and_every_number_is_in_its_range() {
    each(250, 1, |dice| {
        let (setup, plan) = (anything(dice), plan(dice, 400.0));
        let (outcome, witness) = watched(&setup, &plan);
        adds_up(&outcome, &witness);
        in_range(&outcome, &setup);
        if dice.happens(0.2) {
            same_again(&setup, &plan, &outcome, &witness);
        }
    });
}

/// The cases are worth something only if everything happens in them.
#[test]
fn everything_happens_in_these_cases() {
    let mut seen = [0; 12];
    for case in 0..250 {
        let dice = &mut crate::dice::Dice::new(1, case);
        let (setup, plan) = (anything(dice), plan(dice, 400.0));
        let (outcome, witness) = watched(&setup, &plan);
        let edges = &outcome.edges;
        let all = [
            edges.answers,
            edges.jobs_gave_up,
            edges.skipped,
            edges.returned,
            edges.turned_away,
            edges.left,
            edges.released,
            witness.moved,
            witness.late,
            witness.expired,
            witness.trained,
            witness.lost,
        ];
        seen.iter_mut().zip(all).for_each(|(seen, n)| *seen += n);
    }
    assert!(seen.iter().all(|n| *n >= 20), "{seen:?}");
}

fn adds_up(outcome: &Outcome, witness: &Witness) {
    let edges = &outcome.edges;
    assert_eq!(edges.jobs_submitted, edges.jobs_done + edges.jobs_gave_up + edges.jobs_left, "{edges:?}");
    assert_eq!(edges.jobs_submitted, witness.jobs.len() as u64);
    let tasks: usize = witness.jobs.iter().map(|(_, _, spec)| spec.work.len()).sum();
    assert_eq!(edges.tasks_submitted, tasks as u64);
    assert_eq!(edges.joined, edges.left + edges.released + witness.workers, "{edges:?}");
    assert_eq!(edges.left + edges.released, witness.departed);
    assert_eq!(edges.recruited, witness.recruited);
    assert_eq!(edges.recruits_lost, witness.lost);
    assert_eq!(edges.recruited, witness.came + witness.lost + witness.on_their_way, "{edges:?}");
    assert_eq!(edges.leases_expired, witness.expired);
    assert_eq!(outcome.facts, witness.facts);
}

fn in_range(outcome: &Outcome, setup: &Setup) {
    for reading in &outcome.readings {
        let Some(value) = reading.value else { continue };
        assert!(value.is_finite() && value >= 0.0, "{reading:?}");
        match reading.measure.unit() {
            Unit::Share => assert!(value <= 1.0 + 1e-9, "{reading:?}"),
            Unit::PerHundred if reading.measure != Measure::Expired => assert!(value <= 100.0, "{reading:?}"),
            _ => {}
        }
        if matches!(reading.measure, Measure::Fairness | Measure::Preference) {
            assert!(value <= 1.0 + 1e-9, "{reading:?}");
        }
    }
    let tenants = (0..setup.tenants.len()).map(Scope::Tenant);
    let pools = (0..setup.pools.len()).map(Scope::Pool);
    for scope in std::iter::once(Scope::All).chain(tenants).chain(pools.clone()) {
        let quantiles = [Measure::WaitP50, Measure::WaitP95, Measure::WaitP99];
        let values: Vec<f64> = quantiles.iter().filter_map(|measure| of(outcome, scope, *measure)).collect();
        assert!(values.is_sorted() && (values.is_empty() || values.len() == 3), "{scope:?}: {values:?}");
    }
    let sum = |measure| pools.clone().filter_map(|scope| of(outcome, scope, measure)).sum::<f64>();
    for measure in [Measure::Queue, Measure::Size, Measure::Throughput] {
        near(measure, of(outcome, Scope::All, measure).unwrap_or(0.0), sum(measure));
    }
    let parts = [Measure::CostAnswers, Measure::CostWaiting, Measure::CostTraining, Measure::CostMachines];
    let parts = parts.iter().filter_map(|part| of(outcome, Scope::All, *part)).sum();
    near(Measure::Cost, of(outcome, Scope::All, Measure::Cost).unwrap_or(0.0), parts);
}

fn of(outcome: &Outcome, scope: Scope, measure: Measure) -> Option<f64> {
    let is_it = |reading: &&Reading| reading.scope == scope && reading.measure == measure;
    outcome.readings.iter().find(is_it).and_then(|reading| reading.value)
}

fn near(measure: Measure, whole: f64, parts: f64) {
    assert!((whole - parts).abs() <= 1e-6 * whole.max(1.0), "{measure:?}: {whole}, its parts {parts}");
}

fn same_again(setup: &Setup, plan: &Plan, outcome: &Outcome, witness: &Witness) {
    let (again, heard) = watched(setup, plan);
    assert_eq!((heard.hash, heard.facts), (witness.hash, witness.facts));
    assert_eq!(again.readings, outcome.readings);
    assert_eq!((again.edges, again.end), (outcome.edges, outcome.end));
}
