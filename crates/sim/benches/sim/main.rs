//! The simulator's benchmarks: two queues of a hundred workers with the whole engine beside a hand-written loop and
//! beside SimPy and Ciw; how the time per task grows; memory.
//!
//! `cargo xtask bench sim` runs them and shows the figures. Each figure that has one stands beside a reference, measured in
//! the same run in turns with it: times move from hour to hour, ratios less so. `--counts` and `--count` are for
//! instruction counts. `cargo bench -p muster-sim --bench sim -- --scale` adds the largest size, which takes a minute or so
//! and several GiB. Without `--bench` everything only runs a little, as a test. Start at [`measure_all`].

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock; the simulator it measures does not"
)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its figures")]

mod figure;
mod hand;
mod memory;
mod model;
mod peers;
mod queues;
mod scale;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["--bench"] => measure_all(),
        ["--scale", ..] => scale::measure(scale::MOST),
        ["--queues", ..] => queues::measure(),
        [] => try_all(),
        ["--counts", ..] => list_counts(),
        ["--count", name, "--n", n, ..] => run_counted(name, n),
        ["--memory", name] => memory::measure_here(name),
        _ => refuse("wants --bench, --scale, --queues, --counts, or --count NAME --n N"),
    }
}

fn measure_all() {
    queues::measure();
    peers::measure();
    scale::measure(scale::USUAL);
    memory::measure();
}

fn list_counts() {
    queues::list_counts();
    scale::list_counts();
}

fn run_counted(name: &str, n: &str) {
    let is_known = n.parse().is_ok_and(|n| queues::run_counted(name, n) || scale::run_counted(name, n));
    if !is_known {
        refuse("--count wants a NAME that --counts lists, and a number after --n");
    }
}

/// Runs a little of everything: that it still works.
fn try_all() {
    queues::try_each();
    scale::try_it();
    println!("each ran");
}

/// Says what was expected, and ends.
fn refuse(what: &str) {
    eprintln!("{what}");
    std::process::exit(2);
}
