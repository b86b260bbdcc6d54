//! Memory of a queued task: resident memory before and after a million are queued, each time in a fresh process.
//! So it holds all that a user pays for, the allocator's own included. Needs `/proc`.

use std::process::Command;

use muster_engine::policy::settings::PolicySpec;

use crate::figure::print;
use crate::workload::refuse;
use crate::world::World;

const TASKS: u32 = 1_000_000;
/// What a queued task should take at most.
const AIM: f64 = 150.0;
const CASES: [(&str, &str, u32); 4] =
    [("batch", "fifo", TASKS), ("jobs-of-100", "fifo", 100), ("jobs", "fifo", 1), ("jobs-fair", "fair", 1)];

/// Prints the bytes that a queued task takes in this process.
pub(crate) fn measure_here(name: &str) {
    let Some((_, dispatch, tasks)) = CASES.iter().find(|(known, ..)| *known == name) else {
        return refuse("--memory wants batch, jobs-of-100, jobs or jobs-fair");
    };
    let mut world = World::new(PolicySpec::named(dispatch), 1);
    let before = resident();
    for _ in 0..TASKS / tasks {
        world.submit(*tasks);
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        println!("{}", (after - before) / f64::from(TASKS));
    }
}

/// Resident memory of this process in bytes; `None` if the system does not say.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib * 1024.0)
}

fn in_fresh_process(name: &str) -> Option<f64> {
    let itself = std::env::current_exe().ok()?;
    let out = Command::new(itself).args(["--memory", name]).output().ok()?;
    String::from_utf8(out.stdout).ok()?.trim().parse().ok()
}

pub(crate) fn measure() {
    for (name, dispatch, tasks) in CASES {
        let title = format!("memory a queued task: {dispatch}, {tasks} a job");
        match in_fresh_process(name) {
            Some(bytes) => print(&title, bytes, "bytes", Some(("aim", AIM))),
            None => eprintln!("{title}: this system does not say"),
        }
    }
}
