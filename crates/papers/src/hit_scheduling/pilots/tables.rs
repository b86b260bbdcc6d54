//! The four tables of the authors' pilot runs, put together. `muster-formats` reads them; what belongs to what is known here.

use std::collections::BTreeMap;

use muster_engine::{Span, Time};
use muster_formats::trace::{Outcome, Trace};

/// No batch has more tasks.
const TASKS_MOST: u32 = 10_000;

/// An answer of a pilot run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// Run and batch, by place.
    pub(crate) run: usize,
    pub(crate) batch: usize,
    pub(crate) worker: usize,
    pub(crate) seconds: f64,
    /// When it came, if that is known.
    pub(crate) submit: Option<f64>,
}

/// A batch of a pilot run.
#[derive(Clone, Debug)]
pub(crate) struct PilotBatch {
    pub(crate) name: String,
    pub(crate) cents: u32,
    pub(crate) tasks: u32,
    pub(crate) slots: u8,
    pub(crate) published: f64,
    pub(crate) finished: Option<f64>,
}

/// A pilot run.
#[derive(Clone, Debug, Default)]
pub(crate) struct PilotRun {
    pub(crate) name: String,
    /// What the authors noted.
    pub(crate) note: String,
    pub(crate) batches: Vec<PilotBatch>,
    /// From when on, and for how long, people were there.
    pub(crate) stays: Vec<(f64, f64)>,
}

/// The authors' pilot runs.
#[derive(Clone, Debug, Default)]
pub struct Pilots {
    pub(crate) runs: Vec<PilotRun>,
    /// In the order in which they came.
    pub(crate) answers: Vec<Answer>,
}

/// A row of a side table, by column.
pub type Row = BTreeMap<String, String>;

/// The four tables of the pilot runs.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a> {
    /// `answers.csv`
    pub answers: &'a Trace,
    /// `sessions.csv`
    pub sessions: &'a Trace,
    /// `runs.csv`
    pub runs: &'a [Row],
    /// `batches.csv`
    pub batches: &'a [Row],
}

fn text<'r>(row: &'r Row, column: &str, table: &str) -> Result<&'r str, String> {
    row.get(column).map(String::as_str).ok_or_else(|| format!("{table}: column {column} is missing"))
}

fn number(row: &Row, column: &str, table: &str) -> Result<f64, String> {
    let written = text(row, column, table)?;
    let number = written.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| format!("{table}: {column} is '{written}'; allowed is a number of at least 0"))
}

fn pilot_batch(row: &Row) -> Result<PilotBatch, String> {
    let table = "batches.csv";
    let whole = |column| number(row, column, table).map(|it| it as u32);
    let finished = text(row, "finished_s", table)?;
    Ok(PilotBatch {
        name: text(row, "name", table)?.to_owned(),
        cents: (number(row, "reward_usd", table)? * 100.0).round() as u32,
        tasks: whole("num_tasks")?.clamp(1, TASKS_MOST),
        slots: whole("repetition")?.clamp(1, 20) as u8,
        published: number(row, "published_s", table)?,
        finished: if finished.is_empty() { None } else { Some(number(row, "finished_s", table)?) },
    })
}

impl Pilots {
    /// Puts the tables together; an error says what is wrong with them.
    pub fn read(tables: &Tables<'_>) -> Result<Self, String> {
        let mut pilots = Self::default();
        let mut places: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for row in tables.runs {
            let (name, note) = (text(row, "run", "runs.csv")?, text(row, "policy_note", "runs.csv")?);
            pilots.runs.push(PilotRun {
                name: name.to_owned(),
                note: note.to_owned(),
                ..PilotRun::default()
            });
        }
        for row in tables.batches {
            let (name, batch) = (text(row, "run", "batches.csv")?, text(row, "batch", "batches.csv")?);
            let unknown = || format!("batches.csv: run is '{name}', which is not in runs.csv");
            let run = pilots.runs.iter().position(|run| run.name == name).ok_or_else(unknown)?;
            places.insert(format!("{name}/{batch}"), (run, pilots.runs[run].batches.len()));
            pilots.runs[run].batches.push(pilot_batch(row)?);
        }
        pilots.read_answers(tables.answers, &places)?;
        for it in &tables.sessions.sessions {
            let name = it.job.map_or("", |job| tables.sessions.jobs.list()[job].as_str());
            let unknown =
                || format!("sessions.csv, line {}: run is '{name}', which is not in runs.csv", it.line);
            let run = pilots.runs.iter().position(|run| run.name == name).ok_or_else(unknown)?;
            pilots.runs[run].stays.push((it.start.as_secs_f64(), it.length.as_secs_f64()));
        }
        Ok(pilots)
    }

    fn read_answers(
        &mut self,
        trace: &Trace,
        places: &BTreeMap<String, (usize, usize)>,
    ) -> Result<(), String> {
        for it in trace.assignments.iter().filter(|it| it.outcome == Outcome::Answered) {
            let name = it.job.map_or("", |job| trace.jobs.list()[job].as_str());
            let unknown = || format!("answers.csv, line {}: '{name}' is not in batches.csv", it.line);
            let (run, batch) = *places.get(name).ok_or_else(unknown)?;
            let Some(seconds) = it.work.map(Span::as_secs_f64) else { continue };
            let submit = it.submit.map(Time::as_secs_f64);
            self.answers.push(Answer { run, batch, worker: it.worker, seconds, submit });
        }
        if self.answers.is_empty() {
            return Err("answers.csv: there are no answers with their length in it".to_owned());
        }
        Ok(())
    }
}
