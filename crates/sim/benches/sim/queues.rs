//! A million customers and a hundred workers: the whole engine and all statistics beside the loop by hand, in turns.

use std::hint::black_box;

use crate::figure::{in_turns, print};
use crate::hand;
use crate::model::{M1, M2S, Queue, mean_wait, simulate};

const CUSTOMERS: u64 = 1_000_000;
const ROUNDS: usize = 7;
/// So many customers are enough to count instructions.
const COUNTED: u64 = 20_000;

pub(crate) fn measure() {
    for queue in [M1, M2S] {
        let setup = queue.setup();
        let mut seeds = 1..;
        let mut waits = (Vec::new(), Vec::new());
        let mut by_hand = seeds.clone();
        let (ours, theirs) = in_turns(
            ROUNDS,
            CUSTOMERS,
            |n| waits.0.push(mean_wait(&simulate(&setup, seeds.next().unwrap_or(1), n))),
            |n| waits.1.push(hand::mean_wait(queue, by_hand.next().unwrap_or(1), n)),
        );
        check(queue, &waits.0, &waits.1);
        let name = format!("{}, a customer", queue.name);
        print(&name, ours, "ns", Some(("a hand-written loop, 4-ary heap", theirs)));
    }
}

/// Both must have simulated the same queue: a wrong one may be as fast as you like.
fn check(queue: Queue, ours: &[f64], by_hand: &[f64]) {
    let mean = |waits: &[f64]| waits.iter().sum::<f64>() / waits.len() as f64;
    let (ours, by_hand, name) = (mean(ours), mean(by_hand), queue.name);
    eprintln!("{name}: mean wait {ours:.5} s, by hand {by_hand:.5} s, theory {:.5} s", queue.wait);
    for wait in [ours, by_hand] {
        assert!(
            (0.5..2.0).contains(&(wait / queue.wait)),
            "{name}: a mean wait of {wait} s is another queue's"
        );
    }
}

pub(crate) fn list_counts() {
    for queue in [M1, M2S] {
        println!("{} customer {COUNTED}", queue.name);
        println!("{}-by-hand customer {COUNTED}", queue.name);
    }
}

/// Runs what `list_counts` names; `false` if it names no such thing.
pub(crate) fn run_counted(name: &str, n: u64) -> bool {
    let (name, is_by_hand) = name.strip_suffix("-by-hand").map_or((name, false), |name| (name, true));
    let Some(queue) = [M1, M2S].into_iter().find(|queue| queue.name == name) else { return false };
    if is_by_hand {
        black_box(hand::mean_wait(queue, 1, n));
    } else {
        black_box(simulate(&queue.setup(), 1, n).facts);
    }
    true
}

pub(crate) fn try_each() {
    for queue in [M1, M2S] {
        let outcome = simulate(&queue.setup(), 1, 2_000);
        assert_eq!(outcome.edges.jobs_done, 2_000);
        assert!(hand::mean_wait(queue, 1, 2_000) >= 0.0);
    }
}
