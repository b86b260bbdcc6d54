//! What happened in a run, task by task: who had which, from when to when; and what follows from that. Hears facts, decides
//! nothing.
//!
//! Batches are numbered in the order in which they come, from 0. All times are seconds. Invariant: every
//! task that is handed out is answered by who has it, since nobody's time runs out here. Start at [`Diary`].

use std::collections::BTreeMap;

use muster_engine::fact::{Body, Decision, Fact, Input, Recorder};
use muster_engine::state::State;

/// One task in somebody's hands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) worker: u32,
    pub(crate) batch: usize,
    /// Its place in the batch.
    pub(crate) task: u32,
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Whether the worker's task before was of another batch.
    pub(crate) switched: bool,
}

#[derive(Clone, Copy, Debug)]
struct Batch {
    job: u64,
    came: f64,
    /// Slots not yet handed out.
    left: u64,
    running: u32,
    done: f64,
}

#[derive(Clone, Copy, Debug)]
struct Hand {
    last: usize,
    holds: Option<Stretch>,
}

/// What happened in a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diary {
    batches: Vec<Batch>,
    hands: BTreeMap<u32, Hand>,
    /// In the order in which they were finished.
    pub(crate) stretches: Vec<Stretch>,
    /// The greatest difference between batches in running tasks, right after any was handed out, while all had some left.
    pub(crate) uneven_most: u32,
}

impl Recorder for Diary {
    fn record(&mut self, _number: u64, fact: &Fact, _state: &State) {
        let at = fact.at.as_secs_f64();
        match &fact.body {
            Body::Input(Input::JobSubmitted(job, spec)) => {
                let left = spec.work.len() as u64 * u64::from(spec.slots);
                self.batches.push(Batch { job: job.0, came: at, left, running: 0, done: f64::NAN });
            }
            Body::Input(Input::Answered(worker, _)) => self.answered(worker.0, at),
            Body::Decision(Decision::Leased(grant)) => {
                self.leased(grant.worker.0, grant.task.job.0, grant.task.index, at);
            }
            Body::Decision(Decision::JobClosed { job, .. }) => {
                let batch = self.place(job.0);
                self.batches[batch].done = at;
            }
            _ => {}
        }
    }
}

impl Diary {
    /// The place of a batch: jobs are numbered as they come.
    fn place(&self, job: u64) -> usize {
        self.batches.binary_search_by_key(&job, |batch| batch.job).expect("only jobs that came are heard of")
    }

    fn leased(&mut self, worker: u32, job: u64, task: u32, from: f64) {
        let batch = self.place(job);
        let all_have_some = self.batches.iter().all(|it| it.left > 0);
        self.batches[batch].left -= 1;
        self.batches[batch].running += 1;
        if all_have_some {
            let running = || self.batches.iter().map(|it| it.running);
            let uneven = running().max().unwrap_or(0) - running().min().unwrap_or(0);
            self.uneven_most = self.uneven_most.max(uneven);
        }
        let switched = self.hands.get(&worker).is_some_and(|hand| hand.last != batch);
        let holds = Stretch { worker, batch, task, from, to: f64::NAN, switched };
        self.hands.insert(worker, Hand { last: batch, holds: Some(holds) });
    }

    fn answered(&mut self, worker: u32, to: f64) {
        let Some(held) = self.hands.get_mut(&worker).and_then(|hand| hand.holds.take()) else { return };
        self.batches[held.batch].running -= 1;
        self.stretches.push(Stretch { to, ..held });
    }

    /// How long a batch took from when it came; not a number if it was not done.
    pub(crate) fn response(&self, batch: usize) -> f64 {
        self.batches[batch].done - self.batches[batch].came
    }

    /// When a batch came.
    pub(crate) fn came(&self, batch: usize) -> f64 {
        self.batches[batch].came
    }

    /// When the last task was done.
    pub(crate) fn end(&self) -> f64 {
        self.stretches.last().map_or(f64::NAN, |last| last.to)
    }

    /// The share of tasks that followed one of another batch.
    pub(crate) fn switched(&self) -> f64 {
        mean(self.stretches.iter().map(|it| f64::from(u8::from(it.switched))))
    }

    /// How long a task took on average.
    pub(crate) fn task_time(&self) -> f64 {
        mean(self.stretches.iter().map(|it| it.to - it.from))
    }

    /// Until when every batch had tasks that nobody had yet.
    pub(crate) fn all_open_until(&self) -> f64 {
        let last = |batch: usize| {
            let of = self.stretches.iter().filter(|it| it.batch == batch);
            of.map(|it| it.from).fold(0.0, f64::max)
        };
        (0..self.batches.len()).map(last).fold(f64::INFINITY, f64::min)
    }

    /// How many workers were at work on some batches, on average between two times.
    pub(crate) fn busy(&self, which: impl Fn(usize) -> bool, (from, to): (f64, f64)) -> f64 {
        let within = |it: &Stretch| (it.to.min(to) - it.from.max(from)).max(0.0);
        self.stretches.iter().filter(|it| which(it.batch)).map(within).sum::<f64>() / (to - from)
    }

    /// How many tasks each worker did, most first.
    pub(crate) fn by_worker(&self) -> Vec<u32> {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        self.stretches.iter().for_each(|it| *counts.entry(it.worker).or_default() += 1);
        let mut counts: Vec<u32> = counts.into_values().collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        counts
    }
}

/// The mean; not a number if there is nothing.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0_u32), |(sum, n), value| (sum + value, n + 1));
    if n == 0 { f64::NAN } else { sum / f64::from(n) }
}
