//! Rows of a CSV file as it comes in chunks.
//!
//! Uses the parser below the usual reader of that library, which writes into a buffer that it is given: so a row that never
//! ends is refused at the limit instead of filling the memory. Stricter than that parser in one thing: quotes must come in
//! pairs, else half a file could become one field unnoticed.

use csv_core::ReadRecordResult;

use super::header::Header;
use super::{Common, Limits, Summary, Task};
use crate::gather::Stop;

/// The state between chunks.
#[derive(Debug)]
pub(super) struct Csv {
    parser: csv_core::Reader,
    /// The fields of the row so far, one after the other, and where each ends.
    fields: Vec<u8>,
    filled: usize,
    ends: Vec<usize>,
    ended: usize,
    header: Option<Header>,
    /// The line being read, from 1.
    line: u64,
    /// The line in which the row began.
    row_line: u64,
    begun: bool,
    quotes: u64,
}

impl Csv {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            parser: csv_core::Reader::new(),
            fields: vec![0; (4 << 10).min(limits.row_bytes_most + 1)],
            filled: 0,
            ends: vec![0; 32],
            ended: 0,
            header: None,
            line: 1,
            row_line: 1,
            begun: false,
            quotes: 0,
        }
    }

    pub(super) fn feed(
        &mut self,
        chunk: &[u8],
        common: &mut Common,
        take: &mut dyn FnMut(Task),
    ) -> Result<(), Stop> {
        let mut rest = chunk;
        while !rest.is_empty() {
            let read = self.step(rest, common, take)?;
            rest = &rest[read..];
        }
        Ok(())
    }

    /// The end of the file also ends the last row.
    pub(super) fn finish(
        &mut self,
        common: &mut Common,
        take: &mut dyn FnMut(Task),
    ) -> Result<Summary, Stop> {
        while !self.is_over(common, take)? {}
        let header = self.header.clone().unwrap_or_default();
        let inputs = header.inputs.into_iter().map(|(_, name)| name).collect();
        Ok(Summary { rows: common.rows, inputs, ignored: header.ignored })
    }

    /// Tells the parser that nothing more comes; whether it has handed out everything.
    fn is_over(&mut self, common: &mut Common, take: &mut dyn FnMut(Task)) -> Result<bool, Stop> {
        let (fields, ends) = (&mut self.fields[self.filled..], &mut self.ends[self.ended..]);
        let (result, _, wrote, ended) = self.parser.read_record(&[], fields, ends);
        self.filled += wrote;
        self.ended += ended;
        self.after(&result, common, take)?;
        Ok(result == ReadRecordResult::End)
    }

    /// Parses up to the end of a row, or of a buffer; how many bytes were read.
    fn step(&mut self, input: &[u8], common: &mut Common, take: &mut dyn FnMut(Task)) -> Result<usize, Stop> {
        let (fields, ends) = (&mut self.fields[self.filled..], &mut self.ends[self.ended..]);
        let (result, read, wrote, ended) = self.parser.read_record(input, fields, ends);
        self.filled += wrote;
        self.ended += ended;
        self.count(&input[..read]);
        self.after(&result, common, take)?;
        Ok(read)
    }

    fn after(
        &mut self,
        result: &ReadRecordResult,
        common: &mut Common,
        take: &mut dyn FnMut(Task),
    ) -> Result<(), Stop> {
        match result {
            ReadRecordResult::InputEmpty | ReadRecordResult::End => Ok(()),
            ReadRecordResult::OutputFull => self.more_room(common),
            ReadRecordResult::OutputEndsFull => self.more_columns(common),
            ReadRecordResult::Record => {
                let done = self.record(common, take);
                (self.filled, self.ended, self.quotes, self.begun) = (0, 0, 0, false);
                done
            }
        }
    }

    /// Counts lines and quotes of what was read.
    fn count(&mut self, read: &[u8]) {
        for byte in read {
            if !self.begun && !matches!(byte, b'\r' | b'\n') {
                self.begun = true;
                self.row_line = self.line;
            }
            self.line += u64::from(*byte == b'\n');
            self.quotes += u64::from(*byte == b'"');
        }
    }

    fn more_room(&mut self, common: &mut Common) -> Result<(), Stop> {
        let most = common.limits.row_bytes_most;
        if self.fields.len() > most {
            let hint = if self.quotes % 2 == 1 { "; perhaps a quote is not closed" } else { "" };
            let long = format!(
                "the row that begins here has more than {most} bytes, which is the most that is taken{hint}"
            );
            return Err(common.gather.stop(self.row_line, long));
        }
        self.fields.resize((2 * self.fields.len()).min(most + 1), 0);
        Ok(())
    }

    fn more_columns(&mut self, common: &mut Common) -> Result<(), Stop> {
        let most = common.limits.columns_most;
        if self.ends.len() > most {
            let wide = format!(
                "the row that begins here has more than {most} columns, which is the most that is taken"
            );
            return Err(common.gather.stop(self.row_line, wide));
        }
        self.ends.resize((2 * self.ends.len()).min(most + 1), 0);
        Ok(())
    }

    fn record(&mut self, common: &mut Common, take: &mut dyn FnMut(Task)) -> Result<(), Stop> {
        let line = self.row_line;
        if self.ended > common.limits.columns_most {
            return self.more_columns(common);
        }
        let is_header = self.header.is_none();
        let row = if is_header { 0 } else { common.next_row(line)? };
        let named = if is_header { "the header".to_owned() } else { format!("row {row}") };
        if self.quotes % 2 == 1 {
            let open =
                "a quote is not closed; a quote within a field is written twice, and the field in quotes";
            return common.gather.complain(line, named, open);
        }
        let Some(fields) = self.texts(&named, common)? else { return Ok(()) };
        let Some(header) = &self.header else {
            self.header = Some(Header::read(&fields, line, common)?);
            return Ok(());
        };
        if fields.len() != header.width {
            let count = format!("the header has {} columns, this row {}", header.width, fields.len());
            return common.gather.complain(line, named, count);
        }
        take(Task { row, line, payload: payload(header, &fields) });
        Ok(())
    }

    /// The fields as texts; `None` if one is none, which is said.
    fn texts(&self, named: &str, common: &mut Common) -> Result<Option<Vec<&str>>, Stop> {
        let mut texts = Vec::with_capacity(self.ended);
        let mut from = 0;
        for (i, to) in self.ends[..self.ended].iter().enumerate() {
            match std::str::from_utf8(&self.fields[from..*to]) {
                Ok(text) => texts.push(text),
                Err(error) => {
                    let field = format!("{named}, column {}", i + 1);
                    let byte = error.valid_up_to() + 1;
                    let what = format!("it is not UTF-8 from its byte {byte} on: save the file as UTF-8");
                    common.gather.complain(self.row_line, field, what)?;
                    return Ok(None);
                }
            }
            from = *to;
        }
        Ok(Some(texts))
    }
}

/// `{"url":"..."}`, in the order of the columns.
fn payload(header: &Header, fields: &[&str]) -> Vec<u8> {
    let mut out = String::from("{");
    for (i, (at, name)) in header.inputs.iter().enumerate() {
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let comma = if i == 0 { "" } else { "," };
        out += &format!("{comma}{}:{}", text(name), text(fields[*at]));
    }
    out.push('}');
    out.into_bytes()
}
