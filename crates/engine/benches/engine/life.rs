//! One task's life: submitted, leased, answered. Nobody records; at most 10,000 tasks live.

use muster_engine::fact::Recorder;
use muster_engine::policy::settings::PolicySpec;

use crate::figure::{Run, in_turns, print};
use crate::reference::BareQueue;
use crate::world::{WORKERS, World};

/// How tasks come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Come {
    /// Many in one job.
    Batches,
    /// Each as a job of its own, as customers do in a simulation.
    Jobs,
}

/// Who waits for whom.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    /// Tasks for workers: dispatch chooses.
    Tasks,
    /// Workers for tasks: matching chooses.
    Workers,
}

const BATCH: u32 = 9_000;
const BACKLOG: u32 = 1_000;
/// While workers wait, half of them work.
const HALF: u32 = WORKERS / 2;

pub(crate) struct Lives<R> {
    pub(crate) world: World<R>,
    come: Come,
    waits: Waits,
    /// Submitted and not yet leased.
    waiting: u32,
}

impl<R: Recorder> Lives<R> {
    pub(crate) fn new(mut world: World<R>, come: Come, waits: Waits) -> Self {
        let mut waiting = 0;
        if waits == Waits::Tasks {
            match come {
                Come::Batches => world.submit(BATCH),
                Come::Jobs => (0..BACKLOG).for_each(|_| world.submit(1)),
            }
            waiting = if come == Come::Batches { BATCH - WORKERS } else { BACKLOG - WORKERS };
        }
        world.all_ask();
        if (come, waits) == (Come::Jobs, Waits::Workers) {
            (0..HALF).for_each(|_| world.submit(1));
        }
        Self { world, come, waits, waiting }
    }

    /// A task comes, one is leased, and one is answered.
    pub(crate) fn live(&mut self) {
        self.world.step();
        match self.come {
            Come::Jobs => self.world.submit(1),
            Come::Batches if self.waiting == 0 => {
                self.waiting = if self.waits == Waits::Tasks { BATCH } else { HALF };
                self.world.submit(self.waiting);
            }
            Come::Batches => {}
        }
        self.waiting = self.waiting.saturating_sub(1);
        let worker = self.world.answer();
        self.world.ask(worker);
    }
}

pub(crate) fn start(come: Come, waits: Waits) -> Run {
    let mut lives = Lives::new(World::new(PolicySpec::named("fifo"), 1), come, waits);
    Box::new(move |n| (0..n).for_each(|_| lives.live()))
}

fn start_bare(waits: Waits) -> Run {
    let (tasks, busy) = if waits == Waits::Tasks { (BACKLOG, WORKERS) } else { (HALF, HALF) };
    let mut queue = BareQueue::new(WORKERS, tasks, busy);
    Box::new(move |n| (0..n).for_each(|_| queue.live()))
}

pub(crate) fn measure() {
    let cases = [
        ("life of a task: batches, tasks wait", Come::Batches, Waits::Tasks),
        ("life of a task: batches, workers wait", Come::Batches, Waits::Workers),
        ("life of a task: a job each, tasks wait", Come::Jobs, Waits::Tasks),
        ("life of a task: a job each, workers wait", Come::Jobs, Waits::Workers),
    ];
    for (name, come, waits) in cases {
        let (ours, bare) = in_turns(start(come, waits), start_bare(waits), 1_000);
        print(name, ours, "ns", Some(("bare queue", bare)));
    }
}
