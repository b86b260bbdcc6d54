//! When jobs come, as it is written: `{ law = "poisson", rate = "12 /min", curve = "curves/workday.csv" }`.
//!
//! Does not know what jobs are. Laws of gaps are described by how irregular they are, since their mean is the rate's
//! business. Start at [`read`].

use std::sync::Arc;

use muster_engine::Span;
use muster_formats::document::{Table, Value};

use super::demand::TASKS_MOST;
use super::law::{self, Of};
use super::{Context, curve};
use crate::law::{Law, LawError};
use crate::model::Arrivals;

/// The laws of arrivals that can be named.
pub(super) const LAWS: [&str; 11] = [
    "poisson",
    "deterministic",
    "log-normal",
    "gamma",
    "weibull",
    "pareto",
    "uniform",
    "empirical",
    "recorded",
    "closed",
    "none",
];

/// So many clients submit and wait at most.
pub(super) const CLIENTS_MOST: u32 = 100_000;

/// When jobs come, and how long their tasks took if that is recorded.
#[derive(Default)]
pub(super) struct Read {
    pub(super) arrivals: Option<Arrivals>,
    pub(super) works: Option<Works>,
}

/// How long each task of each job took, in seconds.
type Works = Arc<[Box<[f32]>]>;

impl From<Arrivals> for Read {
    fn from(arrivals: Arrivals) -> Self {
        Self { arrivals: Some(arrivals), works: None }
    }
}

/// The arrivals under a key; none if nothing is said.
pub(super) fn read(table: Table<'_>, key: &str, cx: &Context<'_>) -> Read {
    let Some(value) = table.value(key) else { return Read::default() };
    let Some(table) = value.as_table() else {
        if value.as_text() != Some("none") {
            value.refuse("a table such as { law = \"poisson\", rate = \"12 /min\" }");
        }
        return Read::default();
    };
    let given = table.text("law");
    let word = given.written().cloned();
    match (given.required(), word) {
        (Some(name), Some(word)) => of_law(table, &name, &word, cx).unwrap_or_default(),
        _ => {
            table.leave();
            Read::default()
        }
    }
}

fn of_law(table: Table<'_>, name: &str, word: &Value<'_>, cx: &Context<'_>) -> Option<Read> {
    match name {
        "recorded" => recorded(table, cx),
        "closed" => {
            let clients = table.integer("clients", 1..=CLIENTS_MOST).required();
            let thinking = law::required(table, "thinking", Of::Time, cx);
            Some(Arrivals::Closed { clients: clients?, thinking: thinking? }.into())
        }
        "none" => Some(Read::default()),
        _ if LAWS.contains(&name) => renewal(table, name, cx).map(Read::from),
        _ => {
            word.refuse_word(&LAWS);
            table.leave();
            None
        }
    }
}

fn renewal(table: Table<'_>, name: &str, cx: &Context<'_>) -> Option<Arrivals> {
    let gap = gap(table, name, cx);
    let curve = curve::read(table, cx);
    let rate = rate(table, gap.as_ref().filter(|_| name == "empirical").map(Law::mean));
    let gap = gap?;
    let mean = gap.mean();
    if !(mean > 0.0 && mean.is_finite()) {
        table.complain("law", "the gaps have no mean above 0");
        return None;
    }
    Some(Arrivals::Renewal { gap: gap.scaled(1.0 / mean), rate: rate?, curve })
}

/// The law of gaps, of any mean.
fn gap(table: Table<'_>, name: &str, cx: &Context<'_>) -> Option<Law> {
    let number = |key: &str, least: f64, most: f64| table.number(key, least..=most);
    let made: Result<Law, LawError> = match name {
        "poisson" => Law::exponential(1.0),
        "deterministic" => Law::fixed(1.0),
        "log-normal" => Law::log_normal(1.0, number("cv", 0.0, 100.0).required()?),
        "gamma" => Law::gamma(1.0, number("cv", 0.01, 100.0).required()?),
        "weibull" => Law::weibull(1.0, number("shape", 0.05, 100.0).required()?),
        "pareto" => Law::pareto(1.0, number("shape", 1.01, 100.0).required()?),
        "uniform" => {
            let spread = table.share("spread").or(1.0);
            Law::uniform(1.0 - spread, 1.0 + spread)
        }
        _ => return law::of_table(table, Of::Time, cx),
    };
    made.map_err(|error| table.complain("law", format!("{} must be {}", error.field, error.allowed))).ok()
}

/// Jobs per second: `rate`, or one `every` so long.
fn rate(table: Table<'_>, mean_gap: Option<f64>) -> Option<f64> {
    let above_zero = "a rate above 0, such as 12 /min";
    let rate = table.rate("rate").check(|rate| *rate > 0.0, above_zero);
    let every = table.span("every");
    match (rate.is_absent(), every.is_absent()) {
        (false, true) => rate.optional(),
        (true, false) => every.optional().map(|every| 1.0 / every.as_secs_f64()),
        (false, false) => {
            table.complain("every", "the rate is said already; give one of rate and every");
            None
        }
        (true, true) => {
            let known = mean_gap.filter(|mean| *mean > 0.0).map(|mean| 1.0 / mean);
            if known.is_none() {
                let _ = rate.required();
            }
            known
        }
    }
}

/// A file with a column of times. A row is a job, of as many tasks as a column `tasks` says; or a task, if a column `job`
/// says which rows are one job. A column `work_seconds` says how long the task of the row took.
fn recorded(table: Table<'_>, cx: &Context<'_>) -> Option<Read> {
    let named = table.text("file");
    let file = named.written().cloned();
    named.required()?;
    let sheet = cx.files.sheet(&file?)?;
    let (time, unit) = sheet.time_column()?;
    let [job, tasks, work] = ["job", "tasks", "work_seconds"].map(|name| sheet.column(name));
    if tasks.is_some() && (job.is_some() || work.is_some()) {
        sheet.refuse(1, "a row is a job if there are tasks, and a task if there is a job or work_seconds: leave tasks out");
        return None;
    }
    let rows = sheet.rows([time, job.unwrap_or(time), tasks.unwrap_or(time), work.unwrap_or(time)])?;
    if let Some(two) = rows.windows(2).find(|two| two[0].1[0] > two[1].1[0]) {
        sheet.refuse(two[1].0, "its time is before that of the row before");
        return None;
    }
    let is_count = |count: f64| count.fract() == 0.0 && count <= f64::from(TASKS_MOST);
    if let Some((line, _)) = rows.iter().find(|(_, row)| tasks.is_some() && !is_count(row[2])) {
        sheet.refuse(*line, &format!("tasks is a whole number up to {TASKS_MOST}; 0 is as the size says"));
        return None;
    }
    let is_same = |one: &Row, other: &Row| job.is_some() && one.1[1] == other.1[1];
    let jobs: Vec<&[Row]> = rows.chunk_by(is_same).collect();
    let arrival = |rows: &&[Row]| {
        let said = if tasks.is_some() { rows[0].1[2] as u32 } else { 0 };
        let counted = if job.is_some() || work.is_some() { rows.len() as u32 } else { said };
        (Span::from_secs_f64(rows[0].1[0] * unit), counted)
    };
    let works = |rows: &&[Row]| rows.iter().map(|row| row.1[3] as f32).collect::<Box<[f32]>>();
    Some(Read {
        arrivals: Some(Arrivals::Recorded(jobs.iter().map(arrival).collect())),
        works: work.map(|_| jobs.iter().map(works).collect()),
    })
}

/// A line of a file, with its time, job, tasks and work.
type Row = (usize, [f64; 4]);
