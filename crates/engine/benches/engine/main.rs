//! The engine's benchmarks: what a task's life, a decision, a pool's size, a fact and a snapshot cost, and how much
//! memory a task takes.
//!
//! `cargo xtask bench engine` runs them and shows the figures. Each figure that has one stands beside a bare reference,
//! measured in the same run in turns with it: times move from hour to hour, ratios less so. `--counts` and `--count` are
//! for instruction counts, which hardly move at all. Without `--bench` each workload only runs a few steps, as a test.
//! Start at [`measure_all`].

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock; the engine it measures does not"
)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its figures")]

mod decision;
mod figure;
mod life;
mod memory;
mod pool_size;
mod reference;
mod replay;
mod snapshot;
mod workload;
mod world;

use workload::WORKLOADS;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["--bench"] => measure_all(),
        [] => try_all(),
        ["--counts", ..] => WORKLOADS.iter().for_each(|workload| println!("{}", workload.line())),
        ["--count", name, "--n", n, ..] => workload::run(name, n),
        ["--memory", name] => memory::measure_here(name),
        _ => workload::refuse("wants --bench, --counts, or --count NAME --n N"),
    }
}

fn measure_all() {
    life::measure();
    decision::measure();
    pool_size::measure();
    replay::measure();
    snapshot::measure();
    memory::measure();
}

/// Runs a little of everything: that it still works.
fn try_all() {
    for workload in WORKLOADS {
        workload.start()(200);
    }
    decision::try_each();
    snapshot::try_it();
    println!("each of {} workloads ran", WORKLOADS.len() + 1);
}
