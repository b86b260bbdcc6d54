//! Our own facts as a trace: so a recorded run is looked at, fitted and replayed like anybody else's.
//!
//! Workers, jobs and apps are named as the engine names them. Does not decide anything; facts that tell nothing of arrivals,
//! assignments or stays are only counted.

use std::collections::BTreeMap;

use muster_engine::Time;
use muster_engine::fact::{Body, Decision, Fact, Grant, Input};
use muster_engine::ids::{AppId, JobId, TaskId, Token, WorkerId};
use muster_engine::spec::{JobSpec, Work};

use super::{Arrival, Assignment, Outcome, Session, Shape, Trace};

/// What is under way while facts come.
#[derive(Debug, Default)]
pub struct OwnFacts {
    trace: Trace,
    leases: BTreeMap<Token, (Time, Grant)>,
    /// The lease of each worker who has one.
    held: BTreeMap<WorkerId, Token>,
    here: BTreeMap<WorkerId, (u64, Time, u32)>,
    jobs: BTreeMap<JobId, (Time, Work)>,
}

impl OwnFacts {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        let trace = Trace { shape: Shape::Facts, ..Trace::default() };
        Self { trace, ..Self::default() }
    }

    /// The next fact; its line is its number, counted from 1.
    pub fn add(&mut self, number: u64, fact: &Fact) {
        self.trace.rows += 1;
        let line = number.saturating_add(1);
        match &fact.body {
            Body::Input(input) => self.input(line, fact.at, input),
            Body::Decision(decision) => self.decision(line, fact.at, decision),
        }
    }

    /// The trace. Workers who are still there, and leases that are still held, are said to be.
    #[must_use]
    pub fn finish(mut self) -> Trace {
        for (worker, (line, ..)) in std::mem::take(&mut self.here) {
            self.trace.odd(line, format!("{worker} is still there at the end"), false);
        }
        for (token, (_, grant)) in std::mem::take(&mut self.leases) {
            self.trace.odd(0, format!("{} still holds {token} at the end", grant.worker), false);
        }
        self.trace
    }

    fn input(&mut self, line: u64, at: Time, input: &Input) {
        match input {
            Input::Joined(worker, _) => {
                self.here.insert(*worker, (line, at, 0));
            }
            Input::JobSubmitted(job, spec) => self.submitted(line, at, *job, spec),
            Input::Returned(_, token) => self.ended(line, at, *token, Outcome::Returned),
            Input::TaskSkipped(_, token) => self.ended(line, at, *token, Outcome::TaskSkipped),
            Input::JobSkipped(_, token) => self.ended(line, at, *token, Outcome::JobSkipped),
            _ => {}
        }
    }

    fn decision(&mut self, line: u64, at: Time, decision: &Decision) {
        match decision {
            Decision::Leased(grant) => {
                self.leases.insert(grant.token, (at, *grant));
                self.held.insert(grant.worker, grant.token);
            }
            Decision::Judged { token, .. } => self.ended(line, at, *token, Outcome::Answered),
            Decision::LeaseExpired(_, token) => self.ended(line, at, *token, Outcome::Expired),
            Decision::JobClosed { job, .. } => self.closed(line, at, *job),
            Decision::Departed { worker, .. } => self.departed(line, at, *worker),
            _ => {}
        }
    }

    /// One arrival for each app of the job, in the order in which the apps first stand there.
    fn submitted(&mut self, line: u64, at: Time, job: JobId, spec: &JobSpec) {
        let mut counts: Vec<(AppId, u32)> = Vec::new();
        match &spec.work {
            Work::Batch { app, tasks } => counts.push((*app, *tasks)),
            Work::Workflow(tasks) => {
                for task in tasks {
                    match counts.iter_mut().find(|(app, _)| *app == task.app) {
                        Some((_, n)) => *n += 1,
                        None => counts.push((task.app, 1)),
                    }
                }
            }
        }
        self.jobs.insert(job, (at, spec.work.clone()));
        let job = Some(self.trace.jobs.place(&job.to_string()));
        for (app, tasks) in counts {
            let app = Some(self.trace.apps.place(&app.to_string()));
            self.trace.arrivals.push(Arrival { line, at, job, app, tasks, slots: u32::from(spec.slots) });
        }
    }

    fn ended(&mut self, line: u64, at: Time, token: Token, outcome: Outcome) {
        let Some((start, grant)) = self.leases.remove(&token) else {
            // A late answer: its lease was over, and the assignment is there already.
            self.trace.odd(line, format!("{token} had ended before"), false);
            return;
        };
        self.held.remove(&grant.worker);
        if let Some((_, _, assignments)) = self.here.get_mut(&grant.worker) {
            *assignments += 1;
        }
        let worker = self.trace.workers.place(&grant.worker.to_string());
        let job = Some(self.trace.jobs.place(&grant.task.job.to_string()));
        let app = self.app_of(grant.task).map(|app| self.trace.apps.place(&app.to_string()));
        let created = self.jobs.get(&grant.task.job).map(|(at, _)| *at);
        let (start, submit, work) = (Some(start), Some(at), Some(at.since(start)));
        self.trace.assignments.push(Assignment {
            line,
            worker,
            job,
            app,
            created,
            start,
            submit,
            work,
            outcome,
        });
    }

    fn app_of(&self, task: TaskId) -> Option<AppId> {
        match &self.jobs.get(&task.job)?.1 {
            Work::Batch { app, .. } => Some(*app),
            Work::Workflow(tasks) => tasks.get(task.index as usize).map(|task| task.app),
        }
    }

    /// A job that was cancelled takes back what workers hold of it.
    fn closed(&mut self, line: u64, at: Time, job: JobId) {
        let of_job = self.leases.iter().filter(|(_, (_, grant))| grant.task.job == job);
        let tokens: Vec<Token> = of_job.map(|(token, _)| *token).collect();
        tokens.into_iter().for_each(|token| self.ended(line, at, token, Outcome::Withdrawn));
        self.jobs.remove(&job);
    }

    /// Who goes gives back what is in hand.
    fn departed(&mut self, line: u64, at: Time, worker: WorkerId) {
        if let Some(token) = self.held.get(&worker).copied() {
            self.ended(line, at, token, Outcome::Returned);
        }
        let Some((line, start, assignments)) = self.here.remove(&worker) else { return };
        let worker = self.trace.workers.place(&worker.to_string());
        let length = at.since(start);
        self.trace.sessions.push(Session { line, worker, job: None, start, length, assignments });
    }
}
