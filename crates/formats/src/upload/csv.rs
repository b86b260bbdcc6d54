//! Tasks out of the rows of a table. Knows the header; how rows are read is known in `rows`.

use super::header::Header;
use super::{Common, Limits, Summary, Task};
use crate::gather::{Gather, Stop};
use crate::rows::{Row, Rows};

/// The state between chunks.
#[derive(Debug)]
pub(super) struct Csv {
    rows: Rows,
    header: Option<Header>,
}

impl Csv {
    pub(super) fn new(limits: Limits) -> Self {
        Self { rows: Rows::new(limits), header: None }
    }

    pub(super) fn feed(
        &mut self,
        chunk: &[u8],
        common: &mut Common,
        take: &mut dyn FnMut(Task),
    ) -> Result<(), Stop> {
        let Self { rows, header } = self;
        rows.feed(chunk, &mut common.gather, &mut |read, gather| {
            row(read, header, &common.needs, gather, take)
        })
    }

    pub(super) fn finish(
        &mut self,
        common: &mut Common,
        take: &mut dyn FnMut(Task),
    ) -> Result<Summary, Stop> {
        let Self { rows, header } = self;
        rows.finish(&mut common.gather, &mut |read, gather| row(read, header, &common.needs, gather, take))?;
        common.rows = self.rows.count();
        let header = self.header.take().unwrap_or_default();
        let inputs = header.inputs.into_iter().map(|(_, name)| name).collect();
        Ok(Summary { rows: common.rows, inputs, ignored: header.ignored })
    }
}

fn row(
    read: Row<'_>,
    header: &mut Option<Header>,
    needs: &[String],
    gather: &mut Gather,
    take: &mut dyn FnMut(Task),
) -> Result<(), Stop> {
    let Row { number, line, fields } = read;
    let Some(header) = header else {
        if number > 0 {
            // The header was refused, and without it no row means anything.
            return Err(Stop);
        }
        *header = Some(Header::read(fields, line, needs, gather)?);
        return Ok(());
    };
    if fields.len() != header.width {
        let count = format!("the header has {} columns, this row {}", header.width, fields.len());
        return gather.complain(line, format!("row {number}"), count);
    }
    take(Task { row: number, line, payload: payload(header, fields) });
    Ok(())
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
