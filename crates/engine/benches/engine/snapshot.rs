//! Snapshots: written and read back, per live task.

use muster_engine::Engine;
use muster_engine::policy::Registry;
use muster_engine::policy::settings::PolicySpec;

use crate::figure::{nanos_each, print};
use crate::world::World;

const SAMPLES: usize = 9;

/// So many jobs of so many tasks wait.
fn world(jobs: u32, tasks: u32) -> World {
    let mut world = World::new(PolicySpec::named("fair"), 1);
    for _ in 0..jobs {
        world.submit(tasks);
    }
    world
}

fn restore(bytes: &[u8]) -> Engine {
    Engine::restore(bytes, Registry::default()).expect("what was just written")
}

/// One takes long enough for a busy machine to interrupt most of them: the least is nearest to what it costs.
fn least(samples: impl Iterator<Item = f64>) -> f64 {
    samples.fold(f64::INFINITY, f64::min)
}

pub(crate) fn try_it() {
    let world = world(10, 3);
    let bytes = world.engine.snapshot();
    assert_eq!(restore(&bytes).snapshot(), bytes, "a snapshot reads back");
}

pub(crate) fn measure() {
    for (name, jobs, tasks) in [("a batch", 1, 1_000_000), ("a job each", 100_000, 1)] {
        let world = world(jobs, tasks);
        let n = u64::from(jobs) * u64::from(tasks);
        let bytes = world.engine.snapshot();
        let written = (0..SAMPLES).map(|_| nanos_each(n, || drop(world.engine.snapshot())));
        print(&format!("snapshot a task: {name}"), least(written), "ns", None);
        let read = (0..SAMPLES).map(|_| nanos_each(n, || drop(restore(&bytes))));
        print(&format!("restore a task: {name}"), least(read), "ns", None);
        print(&format!("snapshot's size a task: {name}"), bytes.len() as f64 / n as f64, "bytes", None);
    }
}
