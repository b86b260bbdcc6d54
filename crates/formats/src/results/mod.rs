//! Answers out: as lines of JSON, and as a table in CSV with columns `Input.*` and `Answer.*`.
//!
//! JSON is exact: inputs and answers stand there as they were given. The table is for people: texts as they are, numbers, flags,
//! lists and objects as JSON, nothing for null; an answer that is no object stands in the one column `Answer`. Fields are quoted
//! as RFC 4180 has it, lines end with CR LF, the encoding is UTF-8.
//!
//! Spreadsheets take a field that begins with `=`, `+`, `-`, `@`, a tab or a line end for a formula, and workers write the
//! fields. So under [`Guard::Spreadsheet`] such a field gets an apostrophe in front, which spreadsheets show as a text,
//! unless it is a number; under [`Guard::Exact`] it stays as it is, for programs.
//!
//! Does not know where answers are kept. Start at [`Answered`] and [`Table`]; several answers to one task are counted in
//! [`majority`], and compared in [`agreement`].

pub mod agreement;
mod cell;
pub mod majority;

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

pub use cell::Guard;
use cell::csv_line;

use crate::template::shown;

/// An answer to a task.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// The task's place in its job, from 0.
    pub task: u32,
    /// Who answered, as the requester may know it.
    pub worker: &'a str,
    /// What else is known of the answer, by name: when it came, how long it took.
    pub about: &'a [(&'a str, Value)],
    /// The task's inputs, as JSON.
    pub input: &'a str,
    /// The answer, as JSON.
    pub answer: &'a str,
}

/// An answer as a line of JSON, without its end.
#[must_use]
pub fn line(answered: &Answered<'_>) -> String {
    let mut out = format!("{{\"task\":{},\"worker\":{}", answered.task, Value::from(answered.worker));
    for (name, value) in answered.about {
        out += &format!(",{}:{value}", Value::from(*name));
    }
    out +=
        &format!(",\"input\":{},\"answer\":{}}}", on_one_line(answered.input), on_one_line(answered.answer));
    out
}

/// JSON as it was written, but on one line; what is no JSON becomes a text.
fn on_one_line(json: &str) -> String {
    // Line ends within texts are escaped in JSON, so all others are only space.
    match serde_json::from_str::<IgnoredAny>(json) {
        Ok(_) => json.trim().replace(['\n', '\r'], " "),
        Err(_) => Value::from(json).to_string(),
    }
}

/// The object of a JSON text; anything else stands alone under an empty name.
fn fields(json: &str) -> Map<String, Value> {
    match serde_json::from_str(json) {
        Ok(Value::Object(fields)) => fields,
        Ok(other) => Map::from_iter([(String::new(), other)]),
        Err(_) => Map::from_iter([(String::new(), Value::from(json))]),
    }
}

/// The columns of a table of answers: those of all answers together, so answers are seen twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    about: Vec<String>,
    inputs: Vec<String>,
    answers: Vec<String>,
}

impl Table {
    /// A table without columns.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for what an answer holds. Columns stand in the order in which they were first needed.
    pub fn widen(&mut self, answered: &Answered<'_>) {
        widen(&mut self.about, answered.about.iter().map(|(name, _)| *name));
        widen(&mut self.inputs, fields(answered.input).keys().map(String::as_str));
        widen(&mut self.answers, fields(answered.answer).keys().map(String::as_str));
    }

    /// The first line, with its end.
    #[must_use]
    pub fn header(&self, guard: Guard) -> String {
        let lead = ["task", "worker"].map(str::to_owned).into_iter();
        let inputs = self.inputs.iter().map(|name| column("Input", name));
        let answers = self.answers.iter().map(|name| column("Answer", name));
        csv_line(lead.chain(self.about.iter().cloned()).chain(inputs).chain(answers), guard)
    }

    /// The line of an answer, with its end. The error names a column that was not made room for.
    pub fn row(&self, answered: &Answered<'_>, guard: Guard) -> Result<String, String> {
        let about: Map<String, Value> =
            answered.about.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let lead = [answered.task.to_string(), answered.worker.to_owned()].into_iter();
        let about = cells(&self.about, &about, "")?;
        let inputs = cells(&self.inputs, &fields(answered.input), "Input")?;
        let answers = cells(&self.answers, &fields(answered.answer), "Answer")?;
        Ok(csv_line(lead.chain(about).chain(inputs).chain(answers), guard))
    }
}

fn widen<'a>(columns: &mut Vec<String>, names: impl Iterator<Item = &'a str>) {
    for name in names {
        if !columns.iter().any(|column| column == name) {
            columns.push(name.to_owned());
        }
    }
}

/// `Answer.x`, or `Answer` alone.
fn column(family: &str, name: &str) -> String {
    if name.is_empty() { family.to_owned() } else { format!("{family}.{name}") }
}

/// The values in the order of the columns; every value must have one.
fn cells(columns: &[String], values: &Map<String, Value>, family: &str) -> Result<Vec<String>, String> {
    match values.keys().find(|name| !columns.contains(name)) {
        Some(name) => Err(column(family, name).trim_start_matches('.').to_owned()),
        None => Ok(columns.iter().map(|name| values.get(name).map(shown).unwrap_or_default()).collect()),
    }
}

#[cfg(test)]
mod tests;
