//! What policies promise, on random runs through `Engine::handle`: each run is made by a seed, and a failing one prints a line
//! that reproduces it. `MUSTER_LONG=1` raises the counts; `MUSTER_SEED=n` runs one seed alone.
//!
//! A small outside ([`crowd`]) turns the engine; [`dispatch`], [`naive`] and [`replacement`] hold the promises.

mod crowd;
#[path = "../property/dice.rs"]
#[allow(dead_code, reason = "shared with the property tests, which throw more")]
mod dice;
mod dispatch;
mod naive;
mod replacement;

use std::panic::{catch_unwind, resume_unwind};

/// Runs a test on so many seeds. Says what reproduces a failure.
#[allow(clippy::disallowed_methods, reason = "tests are told how long to run by their environment")]
#[allow(clippy::print_stderr, reason = "a failing test says how to see it fail again")]
fn seeds(name: &str, runs: u64, test: impl Fn(u64) + std::panic::RefUnwindSafe) {
    let only = std::env::var("MUSTER_SEED").ok().and_then(|seed| seed.parse().ok());
    let runs = runs * if std::env::var("MUSTER_LONG").is_ok() { 100 } else { 1 };
    let seeds = only.map_or(0..runs, |seed: u64| seed..seed + 1);
    for seed in seeds {
        if let Err(panic) = catch_unwind(|| test(seed)) {
            eprintln!("reproduce: MUSTER_SEED={seed} cargo test -p muster-engine --test policies {name}");
            resume_unwind(panic);
        }
    }
}
