//! Fields of CSV as they are written. Knows quotes and spreadsheets, no answers.

/// What is done about fields that a spreadsheet would take for formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guard {
    /// They get an apostrophe in front.
    #[default]
    Spreadsheet,
    /// Nothing.
    Exact,
}

/// A line of fields, with its end.
pub(super) fn csv_line(fields: impl Iterator<Item = String>, guard: Guard) -> String {
    let fields: Vec<String> = fields.map(|field| quoted(&guarded(field, guard))).collect();
    fields.join(",") + "\r\n"
}

fn guarded(field: String, guard: Guard) -> String {
    let is_risky = field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    match guard {
        Guard::Spreadsheet if is_risky && !is_number(&field) => format!("'{field}"),
        _ => field,
    }
}

/// Whether it is a plain number, which is no formula.
fn is_number(field: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    field.bytes().all(is_digit) && field.parse::<f64>().is_ok()
}

fn quoted(field: &str) -> String {
    let needs_quotes = field.contains([',', '"', '\r', '\n']) || field.trim() != field;
    if needs_quotes { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
}
