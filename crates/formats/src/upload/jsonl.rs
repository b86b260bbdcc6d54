//! Objects of JSON, one on every line. Keeps each as it was written; looks only at its keys.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::{Common, Limits, Summary, Task};
use crate::gather::Stop;
use crate::lines::{Lines, TooLong};
use crate::refusal::Reason;
use crate::source::Source;

/// The state between chunks.
#[derive(Debug)]
pub(super) struct Jsonl {
    lines: Lines,
    /// Keys seen so far, in order, and for looking up.
    inputs: Vec<String>,
    seen: BTreeSet<String>,
}

/// Why a chunk could not be read.
enum Ended {
    TooLong(TooLong),
    Stop(Stop),
}

impl From<TooLong> for Ended {
    fn from(long: TooLong) -> Self {
        Self::TooLong(long)
    }
}

impl From<Stop> for Ended {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl Jsonl {
    pub(super) fn new(limits: Limits) -> Self {
        Self { lines: Lines::new(limits.row_bytes_most), inputs: Vec::new(), seen: BTreeSet::new() }
    }

    pub(super) fn feed(
        &mut self,
        chunk: &[u8],
        common: &mut Common,
        take: &mut dyn FnMut(Task),
    ) -> Result<(), Stop> {
        let Self { lines, inputs, seen } = self;
        let fed = lines.feed(chunk, |number, line| {
            row(number, line, common, take, &mut |key| note(inputs, seen, key)).map_err(Ended::Stop)
        });
        fed.map_err(|ended| match ended {
            Ended::Stop(stop) => stop,
            Ended::TooLong(TooLong { line }) => {
                let most = common.limits.row_bytes_most;
                common.gather.stop(
                    line,
                    format!("the line has more than {most} bytes, which is the most that is taken"),
                )
            }
        })
    }

    pub(super) fn finish(
        &mut self,
        common: &mut Common,
        take: &mut dyn FnMut(Task),
    ) -> Result<Summary, Stop> {
        let Self { lines, inputs, seen } = self;
        if let Some((number, line)) = lines.finish() {
            row(number, &line, common, take, &mut |key| note(inputs, seen, key))?;
        }
        Ok(Summary { rows: common.rows, inputs: std::mem::take(&mut self.inputs), ignored: Vec::new() })
    }
}

/// The keys of all rows together are bounded by the columns that are allowed for one; beyond, they are no longer listed.
const LISTED_MOST: usize = 10_000;

fn note(inputs: &mut Vec<String>, seen: &mut BTreeSet<String>, key: &str) {
    if !seen.contains(key) && seen.len() < LISTED_MOST {
        seen.insert(key.to_owned());
        inputs.push(key.to_owned());
    }
}

fn row(
    line: u64,
    text: &[u8],
    common: &mut Common,
    take: &mut dyn FnMut(Task),
    note: &mut dyn FnMut(&str),
) -> Result<(), Stop> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Ok(());
    }
    let row = common.next_row(line)?;
    let Keys(keys) = match serde_json::from_slice(text) {
        Ok(keys) => keys,
        Err(error) => return refuse(line, row, text, &error, common),
    };
    let named = format!("row {row}");
    if keys.len() > common.limits.columns_most {
        let most = common.limits.columns_most;
        return common.gather.complain(
            line,
            named,
            format!("it has {} keys; at most {most} are taken", keys.len()),
        );
    }
    let missing: Vec<&str> =
        common.needs.iter().map(String::as_str).filter(|need| !keys.iter().any(|key| key == need)).collect();
    if !missing.is_empty() {
        let what = format!("the template needs {}, and the row has {}", missing.join(", "), keys.join(", "));
        return common.gather.complain(line, named, what);
    }
    keys.iter().for_each(|key| note(key));
    take(Task { row, line, payload: text.to_vec() });
    Ok(())
}

fn refuse(
    line: u64,
    row: u64,
    text: &[u8],
    error: &serde_json::Error,
    common: &mut Common,
) -> Result<(), Stop> {
    let source = Source::new("", &String::from_utf8_lossy(text));
    let from = error.column().saturating_sub(1);
    let mut at = source.at(&(from..from + 1));
    at.line = usize::try_from(line).unwrap_or(usize::MAX);
    let message = error.to_string();
    let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    let reason = Reason::Other(format!("it is not an object of JSON: {what}"));
    common.gather.refuse(at, format!("row {row}"), reason)
}

/// The keys of an object, whose values must be JSON too.
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(KeysVisitor)
    }
}

struct KeysVisitor;

impl<'de> Visitor<'de> for KeysVisitor {
    type Value = Keys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object such as {\"url\": \"...\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
        let (mut keys, mut seen) = (Vec::new(), BTreeSet::new());
        // Read as values, not skipped, so that what is nested too deeply is refused here and not later.
        while let Some((key, _)) = map.next_entry::<String, serde_json::Value>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("the key '{key}' stands there twice")));
            }
            keys.push(key);
        }
        Ok(Keys(keys))
    }
}
