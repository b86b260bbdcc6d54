//! Laws of chance as they are written: `"18 s"`, or `{ law = "log-normal", mean = "18 s", sd = "12 s" }`.
//!
//! Does not know what a law is for, only what it is of: times are written with units, counts and factors without. Start at
//! [`at`].

use muster_formats::document::form::{self, Form};
use muster_formats::document::{Table, Value};

use super::Context;
use super::files::TIME_HEADINGS;
use crate::law::{Law, LawError};

/// What a law is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Lengths of time, in seconds.
    Time,
    /// How many: whole numbers.
    Count,
    /// Factors and degrees.
    Number,
}

/// The laws that can be named.
pub(super) const LAWS: [&str; 9] =
    ["fixed", "exponential", "log-normal", "gamma", "weibull", "pareto", "uniform", "mixture", "empirical"];

/// No count or factor is above this.
const NUMBER_MOST: f64 = 1e9;

impl Of {
    /// One value.
    fn form(self) -> Form<'static, f64> {
        match self {
            Self::Time => {
                let allowed = "a length of time, such as 90 s or 1.5 h";
                form::span_or_zero().then(allowed, |span| Some(span.as_secs_f64()))
            }
            Self::Count | Self::Number => form::number(0.0..=NUMBER_MOST),
        }
    }

    fn allowed(self) -> &'static str {
        match self {
            Self::Time => {
                "a length of time such as 18 s, or a law such as { law = \"exponential\", mean = \"18 s\" }"
            }
            Self::Count => "a number such as 5, or a law such as { law = \"uniform\", least = 1, most = 10 }",
            Self::Number => {
                "a number such as 0.8, or a law such as { law = \"uniform\", least = 0, most = 1 }"
            }
        }
    }
}

/// The law under a key; `None` if there is none, or it was refused.
pub(super) fn at(table: Table<'_>, key: &str, of: Of, cx: &Context<'_>) -> Option<Law> {
    table.value(key).and_then(|value| of_value(&value, of, cx))
}

/// The law under a key that must be there.
pub(super) fn required(table: Table<'_>, key: &str, of: Of, cx: &Context<'_>) -> Option<Law> {
    let form = Form::new(of.allowed(), |_: &Value<'_>| Ok(()));
    table.get(key, &form).required()?;
    at(table, key, of, cx)
}

/// A value as a law: a bare one is always that.
pub(super) fn of_value(value: &Value<'_>, of: Of, cx: &Context<'_>) -> Option<Law> {
    match value.as_table() {
        Some(table) => of_table(table, of, cx),
        None => value.read(&of.form().then(of.allowed(), Some)).map(Law::Fixed),
    }
}

/// The law that a table describes. Only its own keys are asked for.
pub(super) fn of_table(table: Table<'_>, of: Of, cx: &Context<'_>) -> Option<Law> {
    let given = table.text("law");
    let word = given.written().cloned();
    let (Some(name), Some(word)) = (given.required(), word) else {
        table.leave();
        return None;
    };
    let law = match name.as_str() {
        "fixed" => Law::fixed(one(table, "value", of)?),
        "exponential" => Law::exponential(one(table, "mean", of)?),
        "log-normal" | "gamma" => {
            let make = if name == "gamma" { Law::gamma } else { Law::log_normal };
            two(one(table, "mean", of), one(table, "sd", of), make)?
        }
        "weibull" => two(one(table, "mean", of), number(table, "shape"), Law::weibull)?,
        "pareto" => two(one(table, "least", of), number(table, "shape"), Law::pareto)?,
        "uniform" => two(one(table, "least", of), one(table, "most", of), Law::uniform)?,
        "mixture" => Law::mixture(parts(table, of, cx)?),
        "empirical" => Law::empirical(values(table, of, cx)?),
        _ => {
            word.refuse_word(&LAWS);
            table.leave();
            return None;
        }
    };
    law.map_err(|error| refuse(table, &error)).ok()
}

fn one(table: Table<'_>, key: &str, of: Of) -> Option<f64> {
    table.get(key, &of.form()).required()
}

fn number(table: Table<'_>, key: &str) -> Option<f64> {
    table.number(key, 0.0..=NUMBER_MOST).required()
}

/// Both figures are read before either is missed.
fn two(
    first: Option<f64>,
    second: Option<f64>,
    make: fn(f64, f64) -> Result<Law, LawError>,
) -> Option<Result<Law, LawError>> {
    Some(make(first?, second?))
}

/// Figures that make no law together.
fn refuse(table: Table<'_>, error: &LawError) {
    match table.value(error.field) {
        Some(value) => value.refuse(error.allowed),
        None => table.complain("law", format!("{} must be {}", error.field, error.allowed)),
    }
}

fn parts(table: Table<'_>, of: Of, cx: &Context<'_>) -> Option<Vec<(f64, Law)>> {
    let parts = table.tables("parts").required()?;
    let read = |part: &Table<'_>| {
        let weight = part.number("weight", 0.0..=NUMBER_MOST).or(1.0);
        of_table(*part, of, cx).map(|law| (weight, law))
    };
    let read: Vec<Option<(f64, Law)>> = parts.iter().map(read).collect();
    read.into_iter().collect()
}

/// Recorded values: in place, or in a file with a column of times, or one called `value`.
fn values(table: Table<'_>, of: Of, cx: &Context<'_>) -> Option<Vec<f64>> {
    let here = table.list("values", &of.form());
    let file = table.value("file");
    match (here.is_absent(), file) {
        (true, Some(file)) => from_file(&file, of, cx),
        (false, None) => here.optional(),
        (false, Some(file)) => {
            file.complain("the values stand in the list already; give one of values and file");
            None
        }
        (true, None) => {
            let in_file = match of {
                Of::Time => TIME_HEADINGS,
                Of::Count | Of::Number => "value",
            };
            table.complain(
                "values",
                format!("give values in a list, or a file with a column called {in_file}"),
            );
            None
        }
    }
}

fn from_file(file: &Value<'_>, of: Of, cx: &Context<'_>) -> Option<Vec<f64>> {
    let sheet = cx.files.sheet(file)?;
    let (column, unit) = match of {
        Of::Time => sheet.time_column()?,
        Of::Count | Of::Number => (sheet.column_required("value")?, 1.0),
    };
    Some(sheet.rows([column])?.into_iter().map(|(_, [value])| value * unit).collect())
}
