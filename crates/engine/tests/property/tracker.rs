//! Tasks, slots and leases, kept from the facts alone: no task is lost, none is answered twice over.
//!
//! Knows nothing of the engine's state; [`Tracker::agree`] compares with it.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::fact::{Body, Decision, Fact, Grant, Input, Outcome, Verdict};
use muster_engine::ids::{JobId, TaskId, Token, WorkerId};
use muster_engine::spec::{JobSpec, Work};
use muster_engine::state::State;
use muster_engine::state::job::TaskState;

/// A job as the facts tell of it.
#[derive(Debug)]
struct Job {
    slots: usize,
    parents: Vec<Vec<u32>>,
    /// For each task, whose answers count.
    counted: Vec<Vec<WorkerId>>,
    cancelled: bool,
}

/// All that the facts tell about tasks.
#[derive(Debug, Default)]
pub(crate) struct Tracker {
    jobs: BTreeMap<JobId, Job>,
    leases: BTreeMap<WorkerId, (Token, TaskId)>,
    workers: BTreeSet<WorkerId>,
    token_last: Option<Token>,
    submitted: u64,
}

impl Tracker {
    pub(crate) fn note(&mut self, fact: &Fact) {
        match &fact.body {
            Body::Input(input) => self.input(input),
            Body::Decision(decision) => self.decision(decision),
        }
    }

    fn input(&mut self, input: &Input) {
        match input {
            Input::JobSubmitted(id, spec) => self.submit(*id, spec),
            Input::JobCancelled(id) => {
                self.leases.retain(|_, (_, task)| task.job != *id);
                self.jobs.get_mut(id).expect("cancelled while it lives").cancelled = true;
            }
            Input::Joined(worker, _) => assert!(self.workers.insert(*worker), "{worker} joins once"),
            Input::Returned(worker, token)
            | Input::TaskSkipped(worker, token)
            | Input::JobSkipped(worker, token) => self.ends(*worker, *token),
            Input::Left(worker) => {
                self.leases.remove(worker);
            }
            _ => {}
        }
    }

    fn decision(&mut self, decision: &Decision) {
        match decision {
            Decision::Leased(grant) => self.lease(grant),
            Decision::Judged { worker, token, task, verdict, .. } => {
                if *verdict == Verdict::Counted {
                    self.ends(*worker, *token);
                }
                if *verdict != Verdict::LateKept {
                    self.count(*worker, *task);
                }
            }
            Decision::LeaseExpired(worker, token) => self.ends(*worker, *token),
            Decision::JobClosed { job: id, outcome, .. } => self.close(*id, *outcome),
            Decision::Departed { worker, .. } => {
                self.leases.remove(worker);
                assert!(self.workers.remove(worker), "{worker} departs once");
            }
            _ => {}
        }
    }

    fn submit(&mut self, id: JobId, spec: &JobSpec) {
        assert_eq!(id.0, self.submitted, "jobs are numbered in order");
        self.submitted += 1;
        let parents = match &spec.work {
            Work::Batch { tasks, .. } => vec![Vec::new(); *tasks as usize],
            Work::Workflow(tasks) => tasks.iter().map(|task| task.parents.clone()).collect(),
        };
        let counted = vec![Vec::new(); parents.len()];
        self.jobs.insert(id, Job { slots: usize::from(spec.slots), parents, counted, cancelled: false });
    }

    fn lease(&mut self, grant: &Grant) {
        let (worker, task) = (grant.worker, grant.task);
        assert!(self.token_last < Some(grant.token), "a later lease has a larger token");
        self.token_last = Some(grant.token);
        assert!(self.workers.contains(&worker), "{worker} is there");
        let job = self.jobs.get(&task.job).expect("a lease is of a live job");
        assert!(job.is_open(task.index), "{task} is open");
        assert!(!job.counted[task.index as usize].contains(&worker), "{worker} has answered {task}");
        let running = self.running(task);
        let answered = job.counted[task.index as usize].len();
        assert!(answered + running < job.slots, "{task} has a slot open");
        let before = self.leases.insert(worker, (grant.token, task));
        assert!(before.is_none(), "{worker} has one lease");
    }

    fn running(&self, task: TaskId) -> usize {
        self.leases.values().filter(|(_, leased)| *leased == task).count()
    }

    fn ends(&mut self, worker: WorkerId, token: Token) {
        let held = self.leases.remove(&worker);
        assert_eq!(held.map(|(held, _)| held), Some(token), "{worker} held that lease");
    }

    fn count(&mut self, worker: WorkerId, task: TaskId) {
        let running = self.running(task);
        let job = self.jobs.get_mut(&task.job).expect("what counts is of a live job");
        assert!(!job.cancelled, "nothing counts for a cancelled job");
        let counted = &mut job.counted[task.index as usize];
        assert!(!counted.contains(&worker), "{worker} counts twice for {task}");
        counted.push(worker);
        assert!(counted.len() + running <= job.slots, "{task} has more than its slots");
    }

    fn close(&mut self, id: JobId, outcome: Outcome) {
        let job = self.jobs.remove(&id).expect("a job is closed once");
        let done = job.counted.iter().all(|counted| counted.len() == job.slots);
        assert_eq!(outcome == Outcome::Cancelled, job.cancelled, "{id} closed as {outcome:?}");
        assert!(job.cancelled || done, "{id} is not done");
        assert!(self.leases.values().all(|(_, task)| task.job != id), "{id} is closed while leased");
    }

    /// The state says the same: no job, task, slot or lease more or less.
    pub(crate) fn agree(&self, state: &State) {
        let live: Vec<JobId> = state.jobs().iter().map(|job| job.id).collect();
        assert_eq!(live, self.jobs.keys().copied().collect::<Vec<_>>());
        let workers = state.workers();
        assert_eq!(workers.iter().map(|worker| worker.id).collect::<BTreeSet<_>>(), self.workers);
        for worker in workers {
            let held = worker.lease.map(|lease| (lease.token, lease.task));
            assert_eq!(held, self.leases.get(&worker.id).copied(), "{}", worker.id);
        }
        for (id, job) in &self.jobs {
            self.agree_job(*id, job, state);
        }
    }

    fn agree_job(&self, id: JobId, job: &Job, state: &State) {
        let kept = state.job(id).expect("just listed");
        let full = |task: &usize| job.counted[*task].len() == job.slots;
        let left = (0..job.counted.len()).filter(|task| !full(task)).count();
        assert!(left > 0, "{id} is done and not closed");
        assert_eq!(kept.left as usize, left);
        for (index, task) in kept.tasks().iter().enumerate() {
            let place = index as u32;
            let life = if full(&index) {
                TaskState::Done
            } else if job.is_open(place) {
                TaskState::Open
            } else {
                TaskState::Waiting
            };
            assert_eq!(task.state, life, "{id} task {index}");
            assert_eq!(usize::from(task.answered), job.counted[index].len(), "{id} task {index}");
            assert_eq!(usize::from(task.leased), self.running(kept.task_id(place)), "{id} task {index}");
        }
    }
}

impl Job {
    fn is_open(&self, task: u32) -> bool {
        let done = |task: &u32| self.counted[*task as usize].len() == self.slots;
        !self.cancelled && !done(&task) && self.parents[task as usize].iter().all(done)
    }
}
