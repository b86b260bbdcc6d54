//! Tasks out of an upload: CSV or JSONL, in chunks of any size, one JSON object per task.
//!
//! Never holds more than one row. Every problem is named with its line, row and column, and reading goes on to find the
//! others; whether the tasks handed out so far count is for the caller to say: [`Upload::finish`] is `Ok` only if all do.
//!
//! - CSV (RFC 4180, UTF-8, commas): the header names the columns. If some are called `Input.x`, as in files of MTurk and
//!   Turkle, these are the inputs, named `x`, and all others are ignored; else every column is an input, but for `Answer.*`.
//!   What is ignored is said. Payload: an object with a text for every input.
//! - JSONL: an object on every line; blank lines do not count. Payload: the line as it was written.
//!
//! Does not know apps or templates, but can be told which inputs are needed. Start at [`Upload`].

mod csv;
mod header;
mod jsonl;

use std::io::Read;

use crate::gather::{Gather, Stop};
use crate::refusal::Refusals;
use crate::rows::too_many;

pub use crate::rows::Limits;
pub use header::Ignored;

/// A task of an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Which row, from 1; the header and blank lines do not count.
    pub row: u64,
    /// In which line it begins, from 1.
    pub line: u64,
    /// A JSON object.
    pub payload: Vec<u8>,
}

/// What was uploaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many tasks.
    pub rows: u64,
    /// The inputs, in the order in which they were first seen.
    pub inputs: Vec<String>,
    /// Columns that are no inputs, and why.
    pub ignored: Vec<Ignored>,
}

/// Why an upload could not be read.
#[derive(Debug)]
pub enum Failure {
    /// The file is wrong.
    Refused(Refusals),
    /// The file could not be read to its end.
    Reading(std::io::Error),
}

/// What all formats have.
#[derive(Debug)]
struct Common {
    limits: Limits,
    needs: Vec<String>,
    gather: Gather,
    rows: u64,
}

#[derive(Debug)]
enum Format {
    Csv(Box<csv::Csv>),
    Jsonl(jsonl::Jsonl),
}

/// An upload on its way.
#[derive(Debug)]
pub struct Upload {
    common: Common,
    format: Format,
    /// The first bytes, until there are enough to see what the file is.
    head: Option<Vec<u8>>,
    stopped: bool,
}

/// So many bytes tell what a file is.
const HEAD: usize = 4;

impl Upload {
    /// A table with a header. `name` is what it is called in refusals.
    #[must_use]
    pub fn csv(name: &str, limits: Limits) -> Self {
        Self::new(name, limits, Format::Csv(Box::new(csv::Csv::new(limits))))
    }

    /// An object on every line.
    #[must_use]
    pub fn jsonl(name: &str, limits: Limits) -> Self {
        Self::new(name, limits, Format::Jsonl(jsonl::Jsonl::new(limits)))
    }

    fn new(name: &str, limits: Limits, format: Format) -> Self {
        let common = Common { limits, needs: Vec::new(), gather: Gather::new(name), rows: 0 };
        Self { common, format, head: Some(Vec::new()), stopped: false }
    }

    /// The same, but rows without these inputs are refused: the variables of a template.
    #[must_use]
    pub fn needing(mut self, inputs: &[String]) -> Self {
        self.common.needs = inputs.to_vec();
        self
    }

    /// Reads the next chunk; whole rows in it become tasks. An error is the end: the rest need not be sent.
    pub fn feed(&mut self, chunk: &[u8], take: &mut dyn FnMut(Task)) -> Result<(), Refusals> {
        let result = match self.head.take() {
            None => self.parse(chunk, take),
            Some(mut head) => {
                head.extend_from_slice(chunk);
                if head.len() < HEAD {
                    self.head = Some(head);
                    return Ok(());
                }
                self.begin(&head, take)
            }
        };
        result.map_err(|stop| self.stop(stop))
    }

    /// The end of the file: all that was wrong, or what there was.
    pub fn finish(mut self, take: &mut dyn FnMut(Task)) -> Result<Summary, Refusals> {
        let end = match self.head.take() {
            _ if self.stopped => Err(Stop),
            Some(head) => self.begin(&head, take),
            None => Ok(()),
        };
        let summary = end.and_then(|()| match &mut self.format {
            Format::Csv(csv) => csv.finish(&mut self.common, take),
            Format::Jsonl(jsonl) => jsonl.finish(&mut self.common, take),
        });
        if summary.is_ok() && self.common.rows == 0 && self.common.gather.is_empty() {
            let _ = self.common.gather.stop(1, "there is no row in the file, so there is no task");
        }
        match summary {
            Ok(summary) if self.common.gather.is_empty() => Ok(summary),
            _ => Err(self.common.gather.all()),
        }
    }

    /// Reads all of it.
    pub fn read(mut self, mut from: impl Read, take: &mut dyn FnMut(Task)) -> Result<Summary, Failure> {
        let mut buffer = vec![0; 64 << 10];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return self.finish(take).map_err(Failure::Refused),
                Ok(n) => self.feed(&buffer[..n], take).map_err(Failure::Refused)?,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::Reading(error)),
            }
        }
    }

    /// The first bytes: says what is no text at all, and leaves a byte-order mark away.
    fn begin(&mut self, head: &[u8], take: &mut dyn FnMut(Task)) -> Result<(), Stop> {
        let foreign = [
            (&b"\xff\xfe"[..], "it is encoded as UTF-16: save it as UTF-8"),
            (b"\xfe\xff", "it is encoded as UTF-16: save it as UTF-8"),
            (b"PK\x03\x04", "it is a spreadsheet or an archive: save it as CSV in UTF-8"),
            (b"\x1f\x8b", "it is compressed: unpack it first"),
        ];
        if let Some((_, what)) = foreign.iter().find(|(magic, _)| head.starts_with(magic)) {
            return Err(self.common.gather.stop(1, format!("the file cannot be read as text: {what}")));
        }
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        // The table's reader would leave away a second mark if it saw it whole: the first byte alone shows it none, so that
        // it does not matter in which pieces a file comes.
        let (first, rest) = text.split_at(text.len().min(1));
        self.parse(first, take)?;
        self.parse(rest, take)
    }

    fn parse(&mut self, chunk: &[u8], take: &mut dyn FnMut(Task)) -> Result<(), Stop> {
        match &mut self.format {
            _ if self.stopped => Err(Stop),
            _ if chunk.is_empty() => Ok(()),
            Format::Csv(csv) => csv.feed(chunk, &mut self.common, take),
            Format::Jsonl(jsonl) => jsonl.feed(chunk, &mut self.common, take),
        }
    }

    fn stop(&mut self, Stop: Stop) -> Refusals {
        self.stopped = true;
        self.common.gather.all()
    }
}

impl Common {
    /// Counts a row; refuses one too many.
    fn next_row(&mut self, line: u64) -> Result<u64, Stop> {
        if self.rows == self.limits.rows_most {
            return Err(self.gather.stop(line, too_many(self.limits.rows_most)));
        }
        self.rows += 1;
        Ok(self.rows)
    }
}

#[cfg(test)]
mod tests;
