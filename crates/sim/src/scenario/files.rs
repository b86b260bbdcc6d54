//! Files that a scenario names: read once each, by the caller's hand, and taken apart as tables of numbers.
//!
//! Does not open anything itself. A table has a line of headings; a heading that is a unit of time (`seconds`, `hours` ...)
//! says what the column is in. What is wrong in a file is refused with its line. Start at [`Files::sheet`].

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use muster_formats::document::Value;
use muster_formats::refusal::{At, Reason, Refusal};

/// Reads a file by the name that stands in the scenario.
pub type Load<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// So many rows are read at most.
const ROWS_MOST: usize = 10_000_000;
/// So much of a line is shown in a refusal, in letters.
const SHOWN_MOST: usize = 100;

/// Headings that are units of time, with their length in seconds.
const TIMES: [(&str, f64); 5] =
    [("milliseconds", 0.001), ("seconds", 1.0), ("minutes", 60.0), ("hours", 3600.0), ("days", 86_400.0)];

/// The headings of a column of times, for refusals.
pub(super) const TIME_HEADINGS: &str = "milliseconds, seconds, minutes, hours or days";

/// All files that were asked for, and what is wrong with them.
pub(super) struct Files<'a> {
    load: RefCell<&'a mut Load<'a>>,
    kept: RefCell<BTreeMap<String, Result<Rc<str>, String>>>,
    refused: RefCell<Vec<Refusal>>,
}

/// A table of numbers with headings.
pub(super) struct Sheet<'f, 'a> {
    files: &'f Files<'a>,
    name: String,
    text: Rc<str>,
    headings: Vec<String>,
}

impl<'a> Files<'a> {
    pub(super) fn new(load: &'a mut Load<'a>) -> Self {
        Self { load: RefCell::new(load), kept: RefCell::default(), refused: RefCell::default() }
    }

    /// What was wrong with files, each once.
    pub(super) fn refused(&self) -> Vec<Refusal> {
        let mut all: Vec<Refusal> = Vec::new();
        for refusal in self.refused.borrow().iter() {
            if !all.contains(refusal) {
                all.push(refusal.clone());
            }
        }
        all
    }

    /// The text of the file that a value names; what cannot be read is refused there.
    fn text(&self, value: &Value<'_>) -> Option<(String, Rc<str>)> {
        let Some(name) = value.as_text().filter(|name| !name.trim().is_empty()) else {
            value.refuse("the name of a file in quotes, as seen from the scenario file");
            return None;
        };
        let known = self.kept.borrow().get(name).cloned();
        let read = known.unwrap_or_else(|| {
            let bytes = (self.load.borrow_mut())(name);
            let text = bytes.and_then(|bytes| {
                String::from_utf8(bytes).map(Rc::from).map_err(|_| "it is not text in UTF-8".to_owned())
            });
            self.kept.borrow_mut().insert(name.to_owned(), text.clone());
            text
        });
        match read {
            Ok(text) => Some((name.to_owned(), text)),
            Err(why) => {
                value.complain(format!("the file '{name}' cannot be read: {why}"));
                None
            }
        }
    }

    /// The table in the file that a value names.
    pub(super) fn sheet(&self, value: &Value<'_>) -> Option<Sheet<'_, 'a>> {
        let (name, text) = self.text(value)?;
        let Some((_, first)) = lines(&text).next() else {
            self.refuse(
                &name,
                1,
                "",
                Reason::Format("the file is empty; it begins with headings".to_owned()),
            );
            return None;
        };
        let headings = first.split(',').map(|heading| heading.trim().to_lowercase()).collect();
        Some(Sheet { files: self, name, text, headings })
    }

    fn refuse(&self, file: &str, line: usize, text: &str, reason: Reason) {
        let shown: String =
            text.chars().take(SHOWN_MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let width = shown.chars().count();
        let at = At { line, column: 1, width, text: shown, mark_from: 0 };
        self.refused.borrow_mut().push(Refusal {
            file: file.to_owned(),
            at: Some(at),
            field: String::new(),
            reason,
        });
    }
}

impl Sheet<'_, '_> {
    /// The column of times and the length of its unit in seconds; if there is none, that is refused.
    pub(super) fn time_column(&self) -> Option<(usize, f64)> {
        let found = self.headings.iter().enumerate().find_map(|(at, heading)| {
            TIMES.iter().find(|(name, _)| name == heading).map(|(_, length)| (at, *length))
        });
        if found.is_none() {
            self.refuse_headings(&format!("a column of times, called {TIME_HEADINGS}"));
        }
        found
    }

    /// The column of this name, if there is one.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.headings.iter().position(|heading| heading == name)
    }

    /// The same, and refused if there is none.
    pub(super) fn column_required(&self, name: &str) -> Option<usize> {
        let found = self.column(name);
        if found.is_none() {
            self.refuse_headings(&format!("a column called {name}"));
        }
        found
    }

    fn refuse_headings(&self, allowed: &str) {
        let first = lines(&self.text).next().unwrap_or((1, ""));
        let reason = Reason::Format(format!(
            "the headings are '{}'; there must be {allowed}",
            self.headings.join(", ")
        ));
        self.files.refuse(&self.name, first.0, first.1, reason);
    }

    /// The rows after the headings: each with its line, and these columns as numbers from 0.
    pub(super) fn rows<const N: usize>(&self, columns: [usize; N]) -> Option<Vec<(usize, [f64; N])>> {
        let mut rows = Vec::new();
        for (line, text) in lines(&self.text).skip(1) {
            if rows.len() == ROWS_MOST {
                self.refuse(line, &format!("there are more than {ROWS_MOST} rows"));
                return None;
            }
            let cells: Vec<&str> = text.split(',').map(str::trim).collect();
            let mut row = [0.0; N];
            for (place, column) in columns.iter().enumerate() {
                let cell = cells.get(*column).copied().unwrap_or("");
                let number = cell.parse::<f64>().ok().filter(|number| *number >= 0.0 && number.is_finite());
                let Some(number) = number else {
                    let heading = &self.headings[*column];
                    self.refuse(
                        line,
                        &format!("{heading} is '{cell}'; allowed is a number from 0, such as 1.5"),
                    );
                    return None;
                };
                row[place] = number;
            }
            rows.push((line, row));
        }
        if rows.is_empty() {
            self.refuse(1, "there is no row after the headings");
            return None;
        }
        Some(rows)
    }

    /// Refuses a line, in a sentence.
    pub(super) fn refuse(&self, line: usize, sentence: &str) {
        let text = self.text.lines().nth(line.saturating_sub(1)).unwrap_or("");
        self.files.refuse(&self.name, line, text, Reason::Format(sentence.to_owned()));
    }
}

/// Lines with their numbers; empty ones and notes after `#` are left out.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}
