//! What can be done a number of times, for instruction counts. `cargo xtask bench` counts N and twice N and takes the
//! difference, so what a workload does before the first of them costs nothing.

use crate::decision::{self, By};
use crate::figure::Run;
use crate::life::{self, Come, Waits};
use crate::{pool_size, replay};

/// Something that can be done a number of times.
pub(crate) struct Workload {
    name: &'static str,
    unit: &'static str,
    n: u64,
    what: What,
}

enum What {
    Life(Come, Waits),
    Decision(By, u32),
    PoolSize,
    Apply(Come, &'static str),
}

pub(crate) const WORKLOADS: &[Workload] = &[
    life("life-batches-tasks-wait", Come::Batches, Waits::Tasks),
    life("life-batches-workers-wait", Come::Batches, Waits::Workers),
    life("life-jobs-tasks-wait", Come::Jobs, Waits::Tasks),
    life("life-jobs-workers-wait", Come::Jobs, Waits::Workers),
    decision("fifo-10-jobs", By::Fifo, 10),
    decision("fifo-1000-jobs", By::Fifo, 1_000),
    decision("fifo-100000-jobs", By::Fifo, 100_000),
    decision("fair-10-jobs", By::FairJobs, 10),
    decision("fair-1000-jobs", By::FairJobs, 1_000),
    decision("fair-100000-jobs", By::FairJobs, 100_000),
    decision("fair-tenants-10-jobs", By::FairTenants, 10),
    decision("fair-tenants-1000-jobs", By::FairTenants, 1_000),
    decision("fair-tenants-100000-jobs", By::FairTenants, 100_000),
    decision("worker-conscious-10-jobs", By::WorkerConscious, 10),
    decision("worker-conscious-1000-jobs", By::WorkerConscious, 1_000),
    decision("worker-conscious-100000-jobs", By::WorkerConscious, 100_000),
    decision("worker-conscious-concedes-100000-jobs", By::WorkerConsciousConcedes, 100_000),
    Workload { name: "pool-size-100000-workers", unit: "size", n: 20, what: What::PoolSize },
    apply("apply-batches", Come::Batches, "fifo"),
    apply("apply-jobs", Come::Jobs, "fifo"),
    apply("apply-jobs-fair", Come::Jobs, "fair"),
];

const fn life(name: &'static str, come: Come, waits: Waits) -> Workload {
    Workload { name, unit: "task", n: 18_000, what: What::Life(come, waits) }
}

const fn decision(name: &'static str, by: By, jobs: u32) -> Workload {
    Workload { name, unit: "decision", n: 5_000, what: What::Decision(by, jobs) }
}

const fn apply(name: &'static str, come: Come, dispatch: &'static str) -> Workload {
    Workload { name, unit: "fact", n: replay::FACTS_COUNTED as u64 / 2, what: What::Apply(come, dispatch) }
}

impl Workload {
    /// As `--counts` lists it.
    pub(crate) fn line(&self) -> String {
        format!("{} {} {}", self.name, self.unit, self.n)
    }

    pub(crate) fn start(&self) -> Run {
        match self.what {
            What::Life(come, waits) => life::start(come, waits),
            What::Decision(by, jobs) => decision::start(by, jobs),
            What::PoolSize => pool_size::start(),
            What::Apply(come, dispatch) => replay::start(come, dispatch),
        }
    }
}

/// Does the workload of a name so many times.
pub(crate) fn run(name: &str, n: &str) {
    let workload = WORKLOADS.iter().find(|workload| workload.name == name);
    match (workload, n.parse()) {
        (Some(workload), Ok(n)) => workload.start()(n),
        _ => refuse("--count wants a NAME that --counts lists, and a number after --n"),
    }
}

/// Says what was expected, and ends.
pub(crate) fn refuse(what: &str) {
    eprintln!("{what}");
    std::process::exit(2);
}
