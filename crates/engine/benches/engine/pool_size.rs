//! How many workers there should be, where that is about 100,000: beside one plain pass of the Erlang B recursion, which
//! is the least that looking at every size would take.

use std::hint::black_box;

use muster_engine::formula::erlang::next_b;
use muster_engine::formula::pool_size::{Objective, best_size};

use crate::figure::{Run, in_turns, print};

const LOAD: f64 = 99_000.0;
/// What comes of it: up to here the plain recursion goes.
const SIZE: u32 = 99_035;
const SIZE_MOST: u32 = 1_000_000;

pub(crate) fn start() -> Run {
    let objective = Objective { eta: 0.5, cost_rate: 0.05 / 60.0, cost_of_idle: true };
    Box::new(move |n| {
        for _ in 0..n {
            let size = best_size(black_box(LOAD), 1.0, &objective, Some(SIZE_MOST));
            assert!(size.is_some(), "there is a best size");
        }
    })
}

fn start_plain() -> Run {
    Box::new(|n| {
        for _ in 0..n {
            black_box((1..=SIZE).fold(1.0, |blocked, size| next_b(blocked, black_box(LOAD), size)));
        }
    })
}

pub(crate) fn measure() {
    let (ours, plain) = in_turns(start(), start_plain(), 1);
    print("pool-size at 100000 workers", ours, "ns", Some(("plain Erlang B recursion", plain)));
}
