//! Rows of a CSV file as it comes in chunks: their fields as texts, and where they begin. Does not know what they mean.
//!
//! Uses the parser below the usual reader of that library, which writes into a buffer that it is given: so a row that never
//! ends is refused at the limit instead of filling the memory. Stricter than that parser in one thing: quotes must come in
//! pairs, else half a file could become one field unnoticed.

use csv_core::ReadRecordResult;

use crate::gather::{Gather, Stop};

/// How much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rows, without the header.
    pub rows_most: u64,
    /// Columns of CSV, or keys of an object.
    pub columns_most: usize,
    /// Bytes of one row.
    pub row_bytes_most: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows_most: 10_000_000, columns_most: 1000, row_bytes_most: 1 << 20 }
    }
}

/// A row that could be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    /// Which, from 1; 0 is the header.
    pub(crate) number: u64,
    /// The line in which it begins, from 1.
    pub(crate) line: u64,
    pub(crate) fields: &'a [&'a str],
}

/// What is done with each row.
pub(crate) type Each<'e> = &'e mut dyn FnMut(Row<'_>, &mut Gather) -> Result<(), Stop>;

/// The state between chunks.
#[derive(Debug)]
pub(crate) struct Rows {
    limits: Limits,
    parser: csv_core::Reader,
    /// The fields of the row so far, one after the other, and where each ends.
    fields: Vec<u8>,
    filled: usize,
    ends: Vec<usize>,
    ended: usize,
    /// The number of the next row; 0 is the header.
    next: u64,
    /// The line being read, from 1.
    line: u64,
    /// The line in which the row began.
    row_line: u64,
    begun: bool,
    quotes: u64,
}

impl Rows {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            parser: csv_core::Reader::new(),
            fields: vec![0; (4 << 10).min(limits.row_bytes_most + 1)],
            filled: 0,
            ends: vec![0; 32],
            ended: 0,
            next: 0,
            limits,
            line: 1,
            row_line: 1,
            begun: false,
            quotes: 0,
        }
    }

    pub(crate) fn feed(&mut self, chunk: &[u8], gather: &mut Gather, each: Each<'_>) -> Result<(), Stop> {
        let mut rest = chunk;
        while !rest.is_empty() {
            let read = self.step(rest, gather, each)?;
            rest = &rest[read..];
        }
        Ok(())
    }

    /// The end of the file also ends the last row.
    pub(crate) fn finish(&mut self, gather: &mut Gather, each: Each<'_>) -> Result<(), Stop> {
        while !self.is_over(gather, each)? {}
        Ok(())
    }

    /// How many rows there were, without the header; wrong ones too.
    pub(crate) fn count(&self) -> u64 {
        self.next.saturating_sub(1)
    }

    /// Tells the parser that nothing more comes; whether it has handed out everything.
    fn is_over(&mut self, gather: &mut Gather, each: Each<'_>) -> Result<bool, Stop> {
        let (fields, ends) = (&mut self.fields[self.filled..], &mut self.ends[self.ended..]);
        let (result, _, wrote, ended) = self.parser.read_record(&[], fields, ends);
        self.filled += wrote;
        self.ended += ended;
        self.after(&result, gather, each)?;
        Ok(result == ReadRecordResult::End)
    }

    /// Parses up to the end of a row, or of a buffer; how many bytes were read.
    fn step(&mut self, input: &[u8], gather: &mut Gather, each: Each<'_>) -> Result<usize, Stop> {
        let (fields, ends) = (&mut self.fields[self.filled..], &mut self.ends[self.ended..]);
        let (result, read, wrote, ended) = self.parser.read_record(input, fields, ends);
        self.filled += wrote;
        self.ended += ended;
        self.tally(&input[..read]);
        self.after(&result, gather, each)?;
        Ok(read)
    }

    fn after(&mut self, result: &ReadRecordResult, gather: &mut Gather, each: Each<'_>) -> Result<(), Stop> {
        match result {
            ReadRecordResult::InputEmpty | ReadRecordResult::End => Ok(()),
            ReadRecordResult::OutputFull => self.more_room(gather),
            ReadRecordResult::OutputEndsFull => self.more_columns(gather),
            ReadRecordResult::Record => {
                let done = self.record(gather, each);
                (self.filled, self.ended, self.quotes, self.begun) = (0, 0, 0, false);
                done
            }
        }
    }

    /// Counts lines and quotes of what was read.
    fn tally(&mut self, read: &[u8]) {
        for byte in read {
            if !self.begun && !matches!(byte, b'\r' | b'\n') {
                self.begun = true;
                self.row_line = self.line;
            }
            self.line += u64::from(*byte == b'\n');
            self.quotes += u64::from(*byte == b'"');
        }
    }

    fn more_room(&mut self, gather: &mut Gather) -> Result<(), Stop> {
        let most = self.limits.row_bytes_most;
        if self.fields.len() > most {
            let hint = if self.quotes % 2 == 1 { "; perhaps a quote is not closed" } else { "" };
            let long = format!(
                "the row that begins here has more than {most} bytes, which is the most that is taken{hint}"
            );
            return Err(gather.stop(self.row_line, long));
        }
        self.fields.resize((2 * self.fields.len()).min(most + 1), 0);
        Ok(())
    }

    fn more_columns(&mut self, gather: &mut Gather) -> Result<(), Stop> {
        let most = self.limits.columns_most;
        if self.ends.len() > most {
            let wide = format!(
                "the row that begins here has more than {most} columns, which is the most that is taken"
            );
            return Err(gather.stop(self.row_line, wide));
        }
        self.ends.resize((2 * self.ends.len()).min(most + 1), 0);
        Ok(())
    }

    fn record(&mut self, gather: &mut Gather, each: Each<'_>) -> Result<(), Stop> {
        if self.ended > self.limits.columns_most {
            return self.more_columns(gather);
        }
        let (number, line) = (self.next, self.row_line);
        if number > self.limits.rows_most {
            return Err(gather.stop(line, too_many(self.limits.rows_most)));
        }
        self.next += 1;
        let named = if number == 0 { "the header".to_owned() } else { format!("row {number}") };
        if self.quotes % 2 == 1 {
            let open =
                "a quote is not closed; a quote within a field is written twice, and the field in quotes";
            return gather.complain(line, named, open);
        }
        match self.texts(&named, gather)? {
            Some(fields) => each(Row { number, line, fields: &fields }, gather),
            None => Ok(()),
        }
    }

    /// The fields as texts; `None` if one is none, which is said.
    fn texts(&self, named: &str, gather: &mut Gather) -> Result<Option<Vec<&str>>, Stop> {
        let mut texts = Vec::with_capacity(self.ended);
        let mut from = 0;
        for (i, to) in self.ends[..self.ended].iter().enumerate() {
            match std::str::from_utf8(&self.fields[from..*to]) {
                Ok(text) => texts.push(text),
                Err(error) => {
                    let field = format!("{named}, column {}", i + 1);
                    let byte = error.valid_up_to() + 1;
                    let what = format!("it is not UTF-8 from its byte {byte} on: save the file as UTF-8");
                    gather.complain(self.row_line, field, what)?;
                    return Ok(None);
                }
            }
            from = *to;
        }
        Ok(Some(texts))
    }
}

/// What is said where there are too many rows.
pub(crate) fn too_many(rows_most: u64) -> String {
    format!("there are more than {rows_most} rows, which is the most that is taken")
}
