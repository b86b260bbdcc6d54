//! Facts as lines of JSON, out and in again, exactly.
//!
//! ```json
//! {"v":1,"number":12,"at":90000000000,"body":{"Input":{"Asked":3}}}
//! ```
//!
//! `v` is the version of this form, `number` the fact's place in the journal from 0, `at` its time in nanoseconds, `body` the
//! fact as the engine names it. A number that JSON has no word for (infinite, or undefined) cannot be written in `body`; the
//! fact is then shown as `shown`, and stands in `exact` as the engine's own bytes, in hexadecimal digits.
//!
//! Reading refuses the first line that is not a fact, or not the next one: what comes after it could not be applied anyway. What an
//! export has before its facts is passed over.
//! Does not know what facts do. Start at [`line()`] and [`Facts`].

use muster_engine::Time;
use muster_engine::fact::{Body, Fact};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::lines::{Lines, TooLong};
use crate::refusal::{At, Reason, Refusal, Refusals};
use crate::source::Source;

/// The version of the form of a line.
const VERSION: u8 = 1;

/// No longer line than this is read, in bytes: a job may have ten million tasks, each with its place and estimate.
const LINE_MOST: usize = 1 << 30;

#[derive(Serialize)]
struct Written<'a> {
    v: u8,
    number: u64,
    at: Time,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'a Body>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<&'a Body>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    v: u8,
    number: u64,
    at: Time,
    body: Option<Body>,
    #[expect(dead_code, reason = "for people; the same stands in `exact`")]
    shown: Option<IgnoredAny>,
    exact: Option<String>,
}

/// A fact as a line, without its end.
#[must_use]
pub fn line(number: u64, fact: &Fact) -> String {
    let written =
        Written { v: VERSION, number, at: fact.at, body: Some(&fact.body), shown: None, exact: None };
    let line = json(&written);
    // Numbers that JSON has no word for become null. Nothing else can fail to come back.
    if !line.contains("null") || read(&line).is_ok_and(|(_, read)| read == *fact) {
        return line;
    }
    json(&Written { body: None, shown: Some(&fact.body), exact: Some(hex(&fact.encode())), ..written })
}

fn json(written: &Written<'_>) -> String {
    serde_json::to_string(written).expect("facts are plain data")
}

/// A fact and its number out of a line; the error says what is wrong, and in which column.
fn read(line: &str) -> Result<(u64, Fact), (String, usize)> {
    let read: Read = serde_json::from_str(line).map_err(|error| not_a_fact(line, &error))?;
    let wrong = |what: &str| (what.to_owned(), 1);
    match (read.v, read.body, read.exact) {
        (VERSION, Some(body), None) => Ok((read.number, Fact { at: read.at, body })),
        (VERSION, None, Some(exact)) => {
            let bytes = unhex(&exact).ok_or_else(|| wrong("exact is not in hexadecimal digits"))?;
            let fact = Fact::decode(&bytes).filter(|fact| fact.at == read.at);
            Ok((read.number, fact.ok_or_else(|| wrong("exact is no fact of that time"))?))
        }
        (VERSION, ..) => Err(wrong("a fact stands either in body or in exact")),
        (version, ..) => Err(wrong(&later(version))),
    }
}

fn later(version: u8) -> String {
    format!("v is {version}; allowed is {VERSION}: the line was written by a later release")
}

fn not_a_fact(line: &str, error: &serde_json::Error) -> (String, usize) {
    #[derive(Deserialize)]
    struct Version {
        v: u8,
    }
    if let Ok(Version { v }) = serde_json::from_str(line)
        && v != VERSION
    {
        return (later(v), 1);
    }
    let message = error.to_string();
    let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    let cut = if error.is_eof() { "the line is cut off" } else { "this is not a fact" };
    (format!("{cut}: {what}"), error.column())
}

/// Facts on their way in, in chunks of any size.
#[derive(Debug)]
pub struct Facts {
    name: String,
    lines: Lines,
    next: Option<u64>,
}

enum Ended {
    TooLong(TooLong),
    Refused(Refusals),
}

impl From<TooLong> for Ended {
    fn from(long: TooLong) -> Self {
        Self::TooLong(long)
    }
}

impl Facts {
    /// Facts of a file. The first may have any number; after it each has the next one.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), lines: Lines::new(LINE_MOST), next: None }
    }

    /// The facts in the next chunk. An error is the end.
    pub fn feed(&mut self, chunk: &[u8], take: &mut dyn FnMut(u64, Fact)) -> Result<(), Refusals> {
        let Self { name, lines, next } = self;
        let fed =
            lines.feed(chunk, |number, line| one(name, number, line, next, take).map_err(Ended::Refused));
        fed.map_err(|ended| match ended {
            Ended::Refused(refused) => refused,
            Ended::TooLong(TooLong { line }) => {
                let long =
                    format!("the line has more than {LINE_MOST} bytes, which is the most that is taken");
                refusal(&self.name, At::line(line), long)
            }
        })
    }

    /// The end of the file, which may lack the last line's end.
    pub fn finish(mut self, take: &mut dyn FnMut(u64, Fact)) -> Result<(), Refusals> {
        match self.lines.finish() {
            Some((number, line)) => one(&self.name, number, &line, &mut self.next, take),
            None => Ok(()),
        }
    }
}

fn one(
    name: &str,
    number: u64,
    line: &[u8],
    next: &mut Option<u64>,
    take: &mut dyn FnMut(u64, Fact),
) -> Result<(), Refusals> {
    if line.trim_ascii().is_empty() || (next.is_none() && is_of_export(line)) {
        return Ok(());
    }
    let text = std::str::from_utf8(line)
        .map_err(|_| refusal(name, At::line(number), "the line is not UTF-8".to_owned()))?;
    let (found, fact) = read(text).map_err(|(what, column)| refusal(name, at(text, number, column), what))?;
    if let Some(next) = next.filter(|next| *next != found) {
        let gap = format!("number is {found}; allowed is {next}, the one after the line before");
        return Err(refusal(name, At::line(number), gap));
    }
    *next = Some(found.wrapping_add(1));
    take(found, fact);
    Ok(())
}

/// Whether a line is of what `muster export` writes before the facts.
#[must_use]
pub fn is_of_export(line: &[u8]) -> bool {
    line.starts_with(br#"{"muster_export":"#) || line.starts_with(br#"{"blob":"#)
}

fn refusal(name: &str, at: At, what: String) -> Refusals {
    Refusal { file: name.to_owned(), at: Some(at), field: String::new(), reason: Reason::Format(what) }.into()
}

/// A column of a line; columns are counted in bytes by the parser, in letters for people.
fn at(line: &str, number: u64, column: usize) -> At {
    let from = column.saturating_sub(1);
    let at = Source::new("", line).at(&(from..from + 1));
    At { line: usize::try_from(number).unwrap_or(usize::MAX), ..at }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests;
