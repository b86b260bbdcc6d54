//! CLAMShell's trace: one object of JSON with three lists of seconds, each in the order of time, of nobody in particular.

use muster_engine::Span;
use serde_json::{Map, Value};

use super::{Shape, Trace};
use crate::refusal::{At, Reason, Refusal, Refusals};
use crate::source::Source;

/// No larger file than this is read, in bytes.
const FILE_MOST: usize = 256 << 20;

/// The longest time that makes sense, in seconds: a hundred years.
const SECONDS_MOST: f64 = 3.2e9;

/// The lists, and what each holds.
const LISTS: [(&str, &str); 3] = [
    ("recruitments", "a list of seconds that workers took to come"),
    ("task_lens", "a list of seconds that tasks took"),
    ("pool_tenures", "a list of seconds that workers stayed"),
];

impl Trace {
    /// Reads CLAMShell's form. `name` is what the file is called in refusals.
    pub fn read_clamshell(name: &str, text: &str) -> Result<Self, Refusals> {
        let refusal = |at: Option<At>, field: &str, reason| Refusal {
            file: name.to_owned(),
            at,
            field: field.to_owned(),
            reason,
        };
        if text.len() > FILE_MOST {
            let long = format!("the file has {} bytes; at most {FILE_MOST} are read", text.len());
            return Err(refusal(None, "", Reason::Other(long)).into());
        }
        let object: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
            let reason = Reason::Format(format!("this is not an object of JSON: {what}"));
            refusal(Some(place(name, text, &error)), "", reason)
        })?;
        let mut trace = Self { shape: Shape::Clamshell, ..Self::default() };
        let mut wrong = Vec::new();
        for (list, allowed) in LISTS {
            match object.get(list).map(Value::as_array) {
                Some(Some(values)) => trace.samples(list, values),
                Some(None) => wrong.push(refusal(
                    None,
                    list,
                    Reason::Value { value: "no list".to_owned(), allowed: allowed.to_owned(), nearest: None },
                )),
                None => wrong.push(refusal(None, list, Reason::Missing { allowed: allowed.to_owned() })),
            }
        }
        for key in object.keys().filter(|key| LISTS.iter().all(|(list, _)| list != key)) {
            trace.odd(0, format!("'{key}' is none of the three lists"), false);
        }
        if wrong.is_empty() { Ok(trace) } else { Err(Refusals(wrong)) }
    }

    fn samples(&mut self, list: &str, values: &[Value]) {
        let mut spans = Vec::with_capacity(values.len());
        for (i, value) in values.iter().enumerate() {
            match value.as_f64().filter(|seconds| (0.0..=SECONDS_MOST).contains(seconds)) {
                Some(seconds) => spans.push(Span::from_secs_f64(seconds)),
                None => self.odd(
                    0,
                    format!("{list}[{i}] is {value}, not a number of seconds from 0 to {SECONDS_MOST}"),
                    false,
                ),
            }
        }
        self.rows += values.len() as u64;
        match list {
            "recruitments" => self.recruitments = spans,
            "task_lens" => self.works = spans,
            _ => self.stays = spans,
        }
    }
}

/// Where a parser stopped: it counts lines from 1, and columns in bytes.
fn place(name: &str, text: &str, error: &serde_json::Error) -> At {
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let from = before + error.column().saturating_sub(1);
    Source::new(name, text).at(&(from..from + 1))
}
