//! Figures of the pool beside its peers, all in one run: `cargo bench -p muster-tail --bench tail [-- NAME...]`.
//!
//! Prints one JSON object per figure on standard output, remarks on standard error. `--counts` lists the workloads
//! for instruction counts, `--count NAME --n N` runs one of them N times and nothing else.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its figures")]

mod bookkeeping;
mod counts;
mod joins;
mod loops;
mod measure;
mod tbb;
mod wake;

type Part = (&'static str, fn());

const PARTS: [Part; 4] =
    [("join", joins::run), ("loop", loops::run), ("wake", wake::run), ("bookkeeping", bookkeeping::run)];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--counts"] => counts::list(),
        ["--count", name, "--n", n] => counts::run(name, n.parse().expect("a number after --n")),
        ref names => run_parts(names),
    }
}

fn run_parts(names: &[&str]) {
    for (name, run) in PARTS {
        if names.is_empty() || names.contains(&name) {
            run();
        }
    }
}
