//! The server's benchmarks: cycles per second beside a bare prototype, time until a task is in a waiting worker's hands, memory
//! of a queued task, and recovery.
//!
//! `cargo xtask bench serve` runs them and shows the figures. Server and prototype are processes of their own, this one makes
//! the load; all on one machine. Without `--bench` each only runs a little, as a test. `--counts` has nothing to count: what
//! is measured here is processes. Start at [`measure_all`].

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its figures")]

mod child;
mod client;
mod cycles;
mod figure;
mod hands;
mod memory;
mod prototype;
mod recovery;

use std::time::Duration;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["--bench"] => measure_all(),
        [] => try_all(),
        ["--counts", ..] => {}
        ["--serve", file] => child::serve(file),
        ["--prototype", file] => child::prototype(file),
        ["--memory", tasks] => memory::measure_here(tasks),
        ["--recover", file] => recovery::recover_here(file),
        ["--only", "cycles"] => cycles::measure(Duration::from_secs(3), 3),
        ["--only", "hands"] => hands::measure(10_000, 1_000, 10),
        ["--only", "memory"] => memory::measure(),
        ["--only", "recovery"] => recovery::measure(10_000_000),
        _ => eprintln!("wants --bench, or --only cycles, hands, memory or recovery"),
    }
}

fn measure_all() {
    cycles::measure(Duration::from_secs(3), 3);
    hands::measure(10_000, 1_000, 10);
    memory::measure();
    recovery::measure(10_000_000);
}

/// A little of everything: that it still works.
fn try_all() {
    cycles::measure(Duration::from_millis(50), 1);
    hands::measure(20, 100, 1);
    recovery::measure(2_000);
}
