//! Memory: the most that a process ever held, each case in a fresh process. So it holds all that a user pays for, the
//! allocator's own included. Needs `/proc`.

use std::process::Command;

use muster_sim::law::Law;
use muster_sim::model::{Arrivals, Setup, Task};

use crate::figure::print;
use crate::model::{M1, many, simulate};
use crate::refuse;

const MANY: u32 = 1_000_000;

/// A million of something that lives, in a run that hardly does anything else.
fn living(name: &str) -> Option<Setup> {
    let mut setup = many(1, 1, 1.0, 1e-9, 1);
    setup.demands[0].arrivals = Arrivals::None;
    match name {
        "nothing" => setup.demands[0].backlog = 1,
        "workers" => {
            setup.pools[0].workers = vec![(0, MANY)];
            setup.demands[0].backlog = 1;
        }
        "jobs" => setup.demands[0].backlog = MANY,
        "batch" => {
            setup.demands[0].backlog = 1;
            setup.demands[0].task = Task::Batch { app: 0, size: Law::Fixed(f64::from(MANY)) };
        }
        _ => return None,
    }
    Some(setup)
}

/// Prints the bytes that this process has held at most.
pub(crate) fn measure_here(name: &str) {
    match (living(name), name.strip_prefix("finished-").and_then(|n| n.parse().ok())) {
        (Some(setup), _) => drop(simulate(&setup, 1, u64::MAX)),
        (None, Some(tasks)) => drop(simulate(&M1.setup(), 1, tasks)),
        (None, None) => refuse("--memory wants nothing, workers, jobs, batch or finished-N"),
    }
    if let Some(bytes) = most_held() {
        println!("{bytes}");
    }
}

/// The most memory that this process held, in bytes; `None` if the system does not say.
fn most_held() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib * 1024.0)
}

fn in_fresh_process(name: &str) -> Option<f64> {
    let itself = std::env::current_exe().ok()?;
    let out = Command::new(itself).args(["--memory", name]).output().ok()?;
    String::from_utf8(out.stdout).ok()?.trim().parse().ok()
}

pub(crate) fn measure() {
    let Some(nothing) = in_fresh_process("nothing") else {
        eprintln!("memory: this system does not say");
        return;
    };
    for (name, title) in [
        ("workers", "a worker"),
        ("jobs", "a waiting task, one a job"),
        ("batch", "a waiting task of a batch"),
    ] {
        if let Some(bytes) = in_fresh_process(name) {
            print(&format!("memory, {title}"), (bytes - nothing) / f64::from(MANY), "bytes", None);
        }
    }
    let finished = (in_fresh_process("finished-1000000"), in_fresh_process("finished-10000000"));
    if let (Some(few), Some(many)) = finished {
        let mib = |bytes: f64| bytes / f64::from(1 << 20);
        let peer = ("after 1000000", mib(few));
        print("memory after 10000000 finished tasks", mib(many), "MiB", Some(peer));
    }
}
