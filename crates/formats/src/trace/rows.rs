//! Rows of a table into a trace, one by one: assignments, arrivals, calls, stays. Knows what a row of each kind must hold.

use std::io::Read;

use muster_engine::{Span, Time};

use super::columns::{ColumnMap, Columns, Field, Shape};
use super::{Arrival, Assignment, Call, Outcome, Session, Trace, moment};
use crate::gather::{Gather, Stop};
use crate::refusal::Refusals;
use crate::rows::{Limits, Row, Rows};
use crate::source::shortened;
use crate::upload::Failure;

/// So many rows that cannot be read are listed; beyond, the file is taken for broken.
const BROKEN_MOST: usize = 10_000;

/// What is wrong with a row that is left out.
type Wrong = String;

impl Trace {
    /// Reads a table in CSV. What it is is seen from the names of its columns, or said by `map`.
    pub fn read_table(name: &str, mut from: impl Read, map: &ColumnMap) -> Result<Self, Failure> {
        let mut reader = Reader { trace: Self::default(), columns: None };
        let mut gather = Gather::up_to(name, BROKEN_MOST);
        let mut rows = Rows::new(Limits { rows_most: 100_000_000, ..Limits::default() });
        let mut buffer = vec![0; 64 << 10];
        let stopped = loop {
            let read = match from.read(&mut buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Failure::Reading(error)),
            };
            let mut each = |row: Row<'_>, gather: &mut Gather| reader.row(row, map, gather);
            let done = match read {
                0 => rows.finish(&mut gather, &mut each),
                read => rows.feed(&buffer[..read], &mut gather, &mut each),
            };
            if done.is_err() || read == 0 {
                break done.is_err();
            }
        };
        reader.trace.rows = rows.count();
        if stopped || reader.columns.is_none() {
            if gather.is_empty() {
                gather.stop(1, "there is no header in the file");
            }
            return Err(Failure::Refused(gather.all()));
        }
        reader.trace.note_broken(&gather.all());
        Ok(reader.trace)
    }

    /// Rows that are no rows are odd, and left out.
    fn note_broken(&mut self, refused: &Refusals) {
        for refusal in &refused.0 {
            let line = refusal.at.as_ref().map_or(0, |at| at.line as u64);
            self.odd(line, refusal.message(), false);
        }
        self.odd.sort_by_key(|odd| odd.line);
    }
}

struct Reader {
    trace: Trace,
    columns: Option<Columns>,
}

impl Reader {
    fn row(&mut self, row: Row<'_>, map: &ColumnMap, gather: &mut Gather) -> Result<(), Stop> {
        if row.number == 0 {
            let columns = Columns::find(row.fields, map).map_err(|wrong| gather.stop(row.line, wrong))?;
            self.trace.shape = columns.shape();
            self.columns = Some(columns);
            return Ok(());
        }
        let Some(columns) = &self.columns else { return Err(Stop) };
        if row.fields.len() != columns.width {
            let what = format!("the header has {} columns, this row {}", columns.width, row.fields.len());
            self.trace.odd(row.line, what, false);
            return Ok(());
        }
        let cells = Cells { columns, row };
        let read = match self.trace.shape {
            Shape::Assignments => cells.assignment(&mut self.trace),
            Shape::Arrivals => cells.arrival(&mut self.trace),
            Shape::Calls => cells.call(&mut self.trace),
            Shape::Sessions => cells.session(&mut self.trace),
            Shape::Side | Shape::Clamshell | Shape::Facts => Ok(()),
        };
        if let Err(wrong) = read {
            self.trace.odd(row.line, wrong, false);
        }
        Ok(())
    }
}

/// A row with the meaning of its columns.
#[derive(Clone, Copy)]
struct Cells<'a> {
    columns: &'a Columns,
    row: Row<'a>,
}

impl Cells<'_> {
    /// What stands there; `None` if there is no such column, or nothing in it.
    fn text(&self, field: Field) -> Option<&str> {
        let place = self.columns.places.get(&field)?;
        Some(self.row.fields[*place].trim()).filter(|text| !text.is_empty())
    }

    fn read<T>(&self, field: Field, read: fn(&str) -> Option<T>, allowed: &str) -> Result<Option<T>, Wrong> {
        let Some(text) = self.text(field) else { return Ok(None) };
        let wrong = || format!("{} is '{}'; allowed is {allowed}", field.name(), shortened(text));
        read(text).map(Some).ok_or_else(wrong)
    }

    fn moment(&self, field: Field) -> Result<Option<Time>, Wrong> {
        self.read(field, moment::moment, moment::MOMENT)
    }

    fn length(&self, field: Field) -> Result<Option<Span>, Wrong> {
        self.read(field, moment::length, moment::LENGTH)
    }

    fn count(&self, field: Field) -> Result<Option<u32>, Wrong> {
        self.read(field, |text| text.parse().ok(), "a whole number")
    }

    fn assignment(&self, trace: &mut Trace) -> Result<(), Wrong> {
        let line = self.row.line;
        let (start, submit) = (self.moment(Field::Start)?, self.moment(Field::Submit)?);
        let (created, said) = (self.moment(Field::Created)?, self.length(Field::Work)?);
        let outcome =
            self.read(Field::Outcome, outcome, "answer, skip or batch_skip")?.unwrap_or(Outcome::Answered);
        let worker = self.text(Field::Worker).ok_or("worker is empty")?;
        let between = match start.zip(submit) {
            Some((start, submit)) if submit < start => return Err("submit is before start".to_owned()),
            both => both.map(|(start, submit)| submit.since(start)),
        };
        let work = said.or(between);
        if let (Some(said), Some(between)) = (said, between)
            && said.0.abs_diff(between.0) > 1_000_000_000
        {
            trace.odd(line, format!("work is {said}, and from start to submit it is {between}"), true);
        }
        if work.is_none() && outcome == Outcome::Answered {
            trace.odd(line, "how long it took is not said", true);
        }
        let worker = trace.workers.place(worker);
        let (job, app) = (self.job(trace), self.app(trace));
        trace.assignments.push(Assignment { line, worker, job, app, created, start, submit, work, outcome });
        Ok(())
    }

    fn arrival(&self, trace: &mut Trace) -> Result<(), Wrong> {
        let at = self.moment(Field::Arrival)?.ok_or("arrival is empty")?;
        let (tasks, slots) = (self.count(Field::Tasks)?.unwrap_or(1), self.count(Field::Slots)?.unwrap_or(1));
        let (job, app) = (self.job(trace), self.app(trace));
        trace.arrivals.push(Arrival { line: self.row.line, at, job, app, tasks, slots });
        Ok(())
    }

    fn call(&self, trace: &mut Trace) -> Result<(), Wrong> {
        let at = self.moment(Field::Arrival)?.ok_or("arrival is empty")?;
        let wait = self.length(Field::Wait)?.ok_or("wait is empty")?;
        let service = self.length(Field::Service)?;
        let served = self.read(Field::Outcome, is_served, "served or abandoned (also agent or hang)")?;
        let abandoned = self.read(Field::Abandoned, is_yes, "yes or no (also true or false, 1 or 0)")?;
        let seems_served = || service.is_some_and(|service| !service.is_zero());
        let is_served = served.or(abandoned.map(|abandoned| !abandoned)).unwrap_or_else(seems_served);
        if is_served && service.is_none() {
            return Err("it was served, and for how long is not said".to_owned());
        }
        let service = service.filter(|_| is_served);
        trace.calls.push(Call { line: self.row.line, at, wait, service });
        Ok(())
    }

    fn session(&self, trace: &mut Trace) -> Result<(), Wrong> {
        let start = self.moment(Field::SessionStart)?.ok_or("session_start is empty")?;
        let length = self.length(Field::SessionLength)?.ok_or("session_length is empty")?;
        let worker = trace.workers.place(self.text(Field::Worker).ok_or("worker is empty")?);
        let job = self.job(trace);
        trace.sessions.push(Session { line: self.row.line, worker, job, start, length, assignments: 0 });
        Ok(())
    }

    fn job(&self, trace: &mut Trace) -> Option<usize> {
        let name = match (self.text(Field::Run), self.text(Field::Job)) {
            (Some(run), Some(job)) => format!("{run}/{job}"),
            (run, job) => run.or(job)?.to_owned(),
        };
        Some(trace.jobs.place(&name))
    }

    fn app(&self, trace: &mut Trace) -> Option<usize> {
        self.text(Field::App).map(|name| trace.apps.place(name))
    }
}

fn outcome(text: &str) -> Option<Outcome> {
    match text.to_lowercase().as_str() {
        "answer" | "answered" | "submitted" | "approved" => Some(Outcome::Answered),
        "skip" | "task_skip" => Some(Outcome::TaskSkipped),
        "batch_skip" | "job_skip" => Some(Outcome::JobSkipped),
        _ => None,
    }
}

fn is_served(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "served" | "agent" | "answered" => Some(true),
        "abandoned" | "hang" | "lost" => Some(false),
        _ => None,
    }
}

fn is_yes(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "yes" | "true" | "1" => Some(true),
        "no" | "false" | "0" => Some(false),
        _ => None,
    }
}
