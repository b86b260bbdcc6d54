//! The server's benchmarks: cycles per second beside a bare prototype, time until a task is in a waiting worker's hands, memory
//! of a queued task, recovery, and how long pages take.
//!
//! `cargo xtask bench serve` runs them and shows the figures. Server and prototype are processes of their own, this one makes
//! the load; all on one machine. Without `--bench` each only runs a little, as a test. `--counts` has nothing to count: what
//! is measured here is processes. `--only NAME` measures one of them, `--long` takes its time. Start at [`SECTIONS`].

#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its figures")]

mod child;
mod client;
mod cycles;
mod figure;
mod hands;
mod memory;
mod pages;
mod prototype;
mod recovery;

use std::time::Duration;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let long = args.iter().any(|arg| arg == "--long");
    let bench = args.iter().any(|arg| arg == "--bench");
    // Cargo adds `--bench` to what is asked for by name.
    let words: Vec<&str> =
        args.iter().map(String::as_str).filter(|arg| !["--bench", "--long"].contains(arg)).collect();
    match words[..] {
        [] if bench => SECTIONS.iter().for_each(|(_, measure)| measure(long)),
        [] => try_all(),
        ["--counts", ..] => {}
        ["--serve", file] => child::serve(file),
        ["--prototype", file] => child::prototype(file),
        ["--memory", tasks, queued] => memory::measure_here(tasks, queued),
        ["--recover", file] => recovery::recover_here(file),
        ["--only", name] if SECTIONS.iter().any(|(known, _)| *known == name) => {
            SECTIONS.iter().filter(|(known, _)| *known == name).for_each(|(_, measure)| measure(long));
        }
        _ => eprintln!(
            "wants --bench, or --only cycles, hands, memory, recovery or pages; and --long for the full sizes"
        ),
    }
}

/// A part of the benchmark: its name, and what measures it; `true` for the sizes that the aims are stated for where they take minutes.
type Section = (&'static str, fn(bool));

/// What is measured.
const SECTIONS: [Section; 5] = [
    ("cycles", |long| cycles::measure(Duration::from_secs(3), if long { 5 } else { 3 })),
    ("hands", |long| hands::measure(10_000, 1_000, if long { 30 } else { 10 })),
    ("memory", |_| memory::measure(1_000_000)),
    ("recovery", |long| recovery::measure(if long { 10_000_000 } else { 2_000_000 })),
    ("pages", |long| pages::measure(1, if long { 100 } else { 30 })),
];

/// A little of everything: that it still works.
fn try_all() {
    cycles::measure(Duration::from_millis(50), 1);
    hands::measure(20, 100, 1);
    memory::measure(2_000);
    recovery::measure(2_000);
    pages::measure(20, 1);
}
