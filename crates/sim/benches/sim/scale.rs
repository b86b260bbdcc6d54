//! How the time per task grows: a hundred pools, a worker for every ten tasks, from ten thousand tasks on.

use std::hint::black_box;

use muster_sim::model::Setup;

use crate::figure::{nanos_each, print};
use crate::model::{many, simulate};

const POOLS: u32 = 100;
const WORK: f64 = 2.0;
const TENANTS: u32 = 10;
const LEAST: u64 = 10_000;
/// The largest size of a usual run.
pub(crate) const USUAL: u64 = 1_000_000;
/// The largest size: a million workers.
pub(crate) const MOST: u64 = 10_000_000;

/// Workers in all, for whom instructions are counted. That is the algorithms' growth; times have the memory's too.
const COUNTED: [u32; 3] = [1_000, 10_000, 100_000];
/// Fewer tasks than these are not counted.
const COUNTED_LEAST: u32 = 20_000;

fn setup(workers: u64) -> Setup {
    let workers = (workers / u64::from(POOLS)) as u32;
    many(POOLS, workers, 0.9 * f64::from(workers) / WORK, WORK, TENANTS)
}

/// Nanoseconds per task of one run; joining counts.
fn once(tasks: u64) -> f64 {
    let setup = setup(tasks / 10);
    nanos_each(tasks, || {
        let outcome = simulate(&setup, 1, tasks);
        assert_eq!(outcome.edges.jobs_done, tasks);
    })
}

pub(crate) fn measure(most: u64) {
    let (mut tasks, mut least) = (LEAST, None);
    while tasks <= most {
        // Small sizes are over soon: the best of several.
        let times = (USUAL / tasks).clamp(1, 10);
        let nanos = (0..times).map(|_| once(tasks)).fold(f64::INFINITY, f64::min);
        let peer = least.map(|least| ("with 10000 tasks", least));
        print(&format!("a task of {tasks}, with {} workers in {POOLS} pools", tasks / 10), nanos, "ns", peer);
        least = least.or(Some(nanos));
        tasks *= 10;
    }
}

pub(crate) fn try_it() {
    let _ = once(LEAST);
}

pub(crate) fn list_counts() {
    for workers in COUNTED {
        println!("scale-{workers}-workers task {}", workers.max(COUNTED_LEAST));
    }
}

/// Runs what `list_counts` names; `false` if it names no such thing.
pub(crate) fn run_counted(name: &str, tasks: u64) -> bool {
    let workers = name.strip_prefix("scale-").and_then(|rest| rest.strip_suffix("-workers"));
    let Some(workers) = workers.and_then(|workers| workers.parse().ok()) else { return false };
    black_box(simulate(&setup(workers), 1, tasks).facts);
    true
}
