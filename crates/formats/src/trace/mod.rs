//! Traces: what happened somewhere else, out of tables and lists of many makes, in one model.
//!
//! No row is dropped silently: every row is either in the trace, or among `Trace::odd` with its line and the reason, or both.
//! Times are counted from 1970 where the file says so, else from its own beginning. Does not know laws or scenarios. Start at
//! [`Trace::read_table`], [`Trace::read_clamshell`] and, for our own facts, [`OwnFacts`].

mod clamshell;
pub mod columns;
mod moment;
mod own;
mod rows;

use std::collections::BTreeMap;

use muster_engine::{Span, Time};

pub use columns::{ColumnMap, Field, Shape};
pub use own::OwnFacts;

/// What happened, as far as the file tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// What kind of file it is.
    pub shape: Shape,
    /// How many rows (or numbers) the file has.
    pub rows: u64,
    /// Whoever worked, by name; others refer to it by place.
    pub workers: Names,
    /// Jobs, batches.
    pub jobs: Names,
    /// Types of tasks.
    pub apps: Names,
    /// Work that came.
    pub arrivals: Vec<Arrival>,
    /// Work that was done, or not wanted.
    pub assignments: Vec<Assignment>,
    /// Workers who were there.
    pub sessions: Vec<Session>,
    /// Requests of people who waited.
    pub calls: Vec<Call>,
    /// How long workers took to come once they were called for, in the order of the file; of nobody in particular.
    pub recruitments: Vec<Span>,
    /// How long tasks took, likewise.
    pub works: Vec<Span>,
    /// How long workers stayed, likewise.
    pub stays: Vec<Span>,
    /// Rows in which something is odd.
    pub odd: Vec<Odd>,
}

/// Names in the order in which they came, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    list: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Names {
    /// All of them.
    #[must_use]
    pub fn list(&self) -> &[String] {
        &self.list
    }

    fn place(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        self.list.push(name.to_owned());
        self.places.insert(name.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }
}

/// Work that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The line in the file, from 1.
    pub line: u64,
    /// When.
    pub at: Time,
    /// Of which job.
    pub job: Option<usize>,
    /// Of which app.
    pub app: Option<usize>,
    /// How many tasks.
    pub tasks: u32,
    /// How many answers each needs.
    pub slots: u32,
}

/// What became of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was answered.
    Answered,
    /// The worker did not want the task.
    TaskSkipped,
    /// The worker did not want the job.
    JobSkipped,
    /// The worker gave it back.
    Returned,
    /// It was not answered in time.
    Expired,
    /// Its job was cancelled meanwhile.
    Withdrawn,
}

/// A task in a worker's hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The line in the file, from 1.
    pub line: u64,
    /// Who.
    pub worker: usize,
    /// Of which job.
    pub job: Option<usize>,
    /// Of which app.
    pub app: Option<usize>,
    /// When the task came, if that is known.
    pub created: Option<Time>,
    /// When the worker took it.
    pub start: Option<Time>,
    /// When the worker was done.
    pub submit: Option<Time>,
    /// How long it took.
    pub work: Option<Span>,
    /// What became of it.
    pub outcome: Outcome,
}

impl Assignment {
    /// How long an answer took, as far as the file tells.
    #[must_use]
    pub fn took(&self) -> Option<Span> {
        let answered = self.outcome == Outcome::Answered;
        answered.then(|| self.work.or_else(|| Some(self.submit?.since(self.start?)))).flatten()
    }

    /// When an answer was begun and how long it took, as far as the file tells.
    #[must_use]
    pub fn timed(&self) -> Option<(Time, Span)> {
        let took = self.took()?;
        let start = self.start.or_else(|| self.submit.map(|submit| submit - took))?;
        Some((start, took))
    }
}

/// A worker who was there for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// The line in the file, from 1; 0 if it was put together from assignments.
    pub line: u64,
    /// Who.
    pub worker: usize,
    /// In which job, if in one.
    pub job: Option<usize>,
    /// From when on.
    pub start: Time,
    /// For how long.
    pub length: Span,
    /// How many assignments it holds, if that is known.
    pub assignments: u32,
}

/// A request of somebody who waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The line in the file, from 1.
    pub line: u64,
    /// When it came.
    pub at: Time,
    /// How long it waited.
    pub wait: Span,
    /// How long it was served; `None` if the one who waited gave up.
    pub service: Option<Span>,
}

/// Something odd in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odd {
    /// The line in the file, from 1.
    pub line: u64,
    /// What is odd.
    pub what: String,
    /// Whether the row is in the trace all the same.
    pub kept: bool,
}

impl Trace {
    /// The stays of workers in jobs, put together from their assignments: what follows within `gap` of the end before belongs
    /// to the same stay. Assignments without both times are left out, and so are skips.
    #[must_use]
    pub fn sessions_within(&self, gap: Span) -> Vec<Session> {
        self.joined_up(gap, |it| it.job)
    }

    /// Stays of workers, whatever they worked on: who begins the next task within `gap` of the end of the one before is still there.
    #[must_use]
    pub fn stays_within(&self, gap: Span) -> Vec<Session> {
        self.joined_up(gap, |_| None)
    }

    fn joined_up(&self, gap: Span, job: impl Fn(&Assignment) -> Option<usize>) -> Vec<Session> {
        let timed = |it: &Assignment| {
            let (start, took) = it.timed()?;
            Some(((it.worker, job(it)), start, it.submit.unwrap_or(start + took)))
        };
        let mut spans: Vec<_> = self.assignments.iter().filter_map(timed).collect();
        spans.sort_unstable();
        let mut sessions: Vec<Session> = Vec::new();
        for ((worker, job), start, end) in spans {
            match sessions.last_mut() {
                Some(last)
                    if (last.worker, last.job) == (worker, job)
                        && start <= last.start + last.length + gap =>
                {
                    last.length = last.length.max(end.since(last.start));
                    last.assignments += 1;
                }
                _ => sessions.push(Session {
                    line: 0,
                    worker,
                    job,
                    start,
                    length: end.since(start),
                    assignments: 1,
                }),
            }
        }
        sessions
    }

    fn odd(&mut self, line: u64, what: impl Into<String>, kept: bool) {
        self.odd.push(Odd { line, what: what.into(), kept });
    }
}

#[cfg(test)]
mod tests;
