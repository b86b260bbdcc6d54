//! The random runs are not empty talk: everything that can happen does happen in them.

use std::collections::BTreeMap;

use muster_engine::fact::{Body, Decision, Fact};

use crate::drive::{Drive, run, seeds};

/// All inputs and decisions that random runs must contain, and what they are made of.
const EVERYTHING: &str = "TenantSet AppSet KindSet PoolSet PolicySet BalanceSet ClientSet ClientRemoved JobSubmitted \
    JobCancelled JobBudgetSet JobPrioritySet Joined Asked Answered Returned TaskSkipped JobSkipped Heard Paused Trained \
    Left DrainAsked RecruitAsked RecruitFailed MoveAsked Woken Resumed Leased Parked TrainingStarted Judged \
    LeaseExpired JobClosed Departed Draining Moved Recruiting RecruitLost Evaluated OutOfBudget BackInBudget \
    IntervalBegan Settled Billed Counted LateCounted LateKept Done Cancelled Vanished Released Drained Unaffordable";

/// Reasons to refuse that random runs must meet.
const REFUSALS: &str = "TimeWentBack UnknownTenant UnknownApp UnknownKind UnknownPool UnknownClient UnknownJob \
    UnknownWorker UnknownRecruit UnknownLease Field NoPool ServedTwice Cycle UnknownParent DuplicateParent Standing \
    ClientWaits Policy OverBudget";

type Counts = BTreeMap<String, u64>;

fn count(counts: &mut Counts, thing: &impl std::fmt::Debug) {
    let text = format!("{thing:?}");
    let name = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    *counts.entry(name.to_owned()).or_default() += 1;
}

fn count_fact(counts: &mut Counts, fact: &Fact) {
    match &fact.body {
        Body::Input(input) => count(counts, input),
        Body::Decision(decision) => {
            count(counts, decision);
            match decision {
                Decision::Judged { verdict, .. } => count(counts, verdict),
                Decision::JobClosed { outcome, .. } => count(counts, outcome),
                Decision::Departed { why, .. } => count(counts, why),
                _ => {}
            }
        }
    }
}

#[test]
fn everything_that_can_happen_happens() {
    let (mut counts, mut runs) = (Counts::new(), 0);
    seeds("everything_that_can_happen_happens", 6000, 16, 1000, |seed, steps| {
        run(&mut Drive::new(seed), seed, steps, |_, step| {
            step.facts.iter().for_each(|fact| count_fact(&mut counts, fact));
            step.outcome.as_ref().err().into_iter().for_each(|refusal| count(&mut counts, refusal));
        });
        runs += 1;
    });
    let all = EVERYTHING.split_whitespace().chain(REFUSALS.split_whitespace());
    let missing: Vec<&str> = all.filter(|name| !counts.contains_key(*name)).collect();
    assert!(runs == 1 || missing.is_empty(), "never happened: {missing:?} of {counts:?}");
}
