//! When jobs come, as it is written: `{ law = "poisson", rate = "12 /min", curve = "curves/workday.csv" }`.
//!
//! Does not know what jobs are. Laws of gaps are described by how irregular they are, since their mean is the rate's
//! business. Start at [`read`].

use muster_engine::Span;
use muster_formats::document::{Table, Value};

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

/// The arrivals under a key; none if nothing is said.
pub(super) fn read(table: Table<'_>, key: &str, cx: &Context<'_>) -> Arrivals {
    let Some(value) = table.value(key) else { return Arrivals::None };
    let Some(table) = value.as_table() else {
        if value.as_text() != Some("none") {
            value.refuse("a table such as { law = \"poisson\", rate = \"12 /min\" }");
        }
        return Arrivals::None;
    };
    let given = table.text("law");
    let word = given.written().cloned();
    match (given.required(), word) {
        (Some(name), Some(word)) => of_law(table, &name, &word, cx).unwrap_or(Arrivals::None),
        _ => {
            table.leave();
            Arrivals::None
        }
    }
}

fn of_law(table: Table<'_>, name: &str, word: &Value<'_>, cx: &Context<'_>) -> Option<Arrivals> {
    match name {
        "recorded" => recorded(table, cx),
        "closed" => {
            let clients = table.integer("clients", 1..=CLIENTS_MOST).required();
            let thinking = law::required(table, "thinking", Of::Time, cx);
            Some(Arrivals::Closed { clients: clients?, thinking: thinking? })
        }
        "none" => Some(Arrivals::None),
        _ if LAWS.contains(&name) => renewal(table, name, cx),
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

/// A file with a column of times, and perhaps one called `tasks`.
fn recorded(table: Table<'_>, cx: &Context<'_>) -> Option<Arrivals> {
    let named = table.text("file");
    let file = named.written().cloned();
    named.required()?;
    let sheet = cx.files.sheet(&file?)?;
    let (time, unit) = sheet.time_column()?;
    let rows = match sheet.column("tasks") {
        Some(tasks) => sheet.rows([time, tasks])?,
        None => sheet.rows([time])?.into_iter().map(|(line, [at])| (line, [at, 0.0])).collect(),
    };
    if let Some(two) = rows.windows(2).find(|two| two[0].1[0] > two[1].1[0]) {
        sheet.refuse(two[1].0, "its time is before that of the row before");
        return None;
    }
    let is_count = |tasks: f64| tasks.fract() == 0.0 && tasks <= f64::from(super::demand::TASKS_MOST);
    if let Some((line, _)) = rows.iter().find(|(_, [_, tasks])| !is_count(*tasks)) {
        let most = super::demand::TASKS_MOST;
        sheet.refuse(*line, &format!("tasks is a whole number up to {most}; 0 is as the size says"));
        return None;
    }
    let arrival = |(_, [at, tasks]): &(usize, [f64; 2])| (Span::from_secs_f64(at * unit), *tasks as u32);
    Some(Arrivals::Recorded(rows.iter().map(arrival).collect()))
}
