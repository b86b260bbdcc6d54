//! Bare references: the least that anybody could do. No tenants, no money, no observation, no facts.

use std::collections::{BTreeSet, VecDeque};
use std::hint::black_box;

/// A queue of tasks, and workers with a task and its token.
pub(crate) struct BareQueue {
    tasks: VecDeque<u64>,
    idle: VecDeque<u32>,
    held: Vec<Option<(u64, u64)>>,
    next_task: u64,
    next_token: u64,
    answered: u64,
}

impl BareQueue {
    /// Of these tasks, the first `busy` go to workers.
    pub(crate) fn new(workers: u32, tasks: u32, busy: u32) -> Self {
        let mut queue = Self {
            tasks: VecDeque::new(),
            idle: (0..workers).collect(),
            held: vec![None; workers as usize],
            next_task: 0,
            next_token: 0,
            answered: 0,
        };
        (0..tasks).for_each(|_| queue.submit());
        (0..busy).for_each(|_| queue.lease());
        queue
    }

    pub(crate) fn live(&mut self) {
        self.submit();
        self.lease();
        let token = self.answered;
        self.answered += 1;
        let worker = u32::try_from(token % self.held.len() as u64).expect("few workers");
        self.answer(black_box(worker), black_box(token));
        self.idle.push_back(worker);
        self.lease();
    }

    fn submit(&mut self) {
        self.tasks.push_back(self.next_task);
        self.next_task += 1;
    }

    fn lease(&mut self) {
        if self.tasks.is_empty() {
            return;
        }
        let Some(worker) = self.idle.pop_front() else { return };
        let Some(task) = self.tasks.pop_front() else { return };
        self.held[worker as usize] = Some((task, self.next_token));
        self.next_token += 1;
    }

    fn answer(&mut self, worker: u32, token: u64) {
        let held = self.held[worker as usize].take();
        assert!(
            held.is_some_and(|(task, known)| known == token && task < self.next_task),
            "held by the worker"
        );
    }
}

/// Jobs in one ordered set by running slots, ties by age.
pub(crate) struct BareShares {
    order: BTreeSet<(u32, u32)>,
    running: Vec<u32>,
    held: Vec<u32>,
    answered: usize,
}

impl BareShares {
    pub(crate) fn new(workers: u32, jobs: u32) -> Self {
        let order = (0..jobs).map(|job| (0, job)).collect();
        let mut shares = Self { order, running: vec![0; jobs as usize], held: Vec::new(), answered: 0 };
        for _ in 0..workers {
            let job = shares.choose();
            shares.held.push(job);
        }
        shares
    }

    /// A worker answers and gets a task of the job that has least.
    pub(crate) fn decide(&mut self) {
        let worker = self.answered % self.held.len();
        self.answered += 1;
        let job = self.held[worker];
        let running = self.running[job as usize];
        self.rekey(job, running, running - 1);
        self.held[worker] = black_box(self.choose());
    }

    fn choose(&mut self) -> u32 {
        let (running, job) = *self.order.first().expect("there are jobs");
        self.rekey(job, running, running + 1);
        job
    }

    fn rekey(&mut self, job: u32, from: u32, to: u32) {
        self.order.remove(&(from, job));
        self.order.insert((to, job));
        self.running[job as usize] = to;
    }
}
