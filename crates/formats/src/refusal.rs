//! What is wrong with a file: where, which field, which value, and what is allowed.
//!
//! Does not know how a file is read. A [`Refusal`] prints as compilers do, with the line and marks under the place, and
//! gives its parts away for JSON. Start at [`Refusal`]; [`Refusals`] are all those of one file.

use std::fmt;

use serde_json::{Map, Value, json};

/// No more refusals than this are printed; the rest is counted.
const PRINTED_MOST: usize = 20;

/// A place in a file, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The line.
    pub line: usize,
    /// The column, in letters; 0 if only the line is known.
    pub column: usize,
    /// How many letters are meant.
    pub width: usize,
    /// The line as shown: of a very long one the part around the column, and spaces for control characters.
    pub text: String,
    /// How many letters of `text` stand before the place.
    pub mark_from: usize,
}

impl At {
    pub(crate) fn new(
        line: usize,
        column: usize,
        width: usize,
        shown: &(String, usize),
        before: usize,
    ) -> Self {
        Self { line, column, width, text: shown.0.clone(), mark_from: before - shown.1 }
    }

    /// A place of which only the line is known.
    pub(crate) fn line(line: u64) -> Self {
        let line = usize::try_from(line).unwrap_or(usize::MAX);
        Self { line, column: 0, width: 0, text: String::new(), mark_from: 0 }
    }
}

/// Why it is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A value that is not allowed.
    Value {
        /// As it was written.
        value: String,
        /// What is allowed, with an example.
        allowed: String,
        /// The word that may have been meant.
        nearest: Option<String>,
    },
    /// Something that must be there.
    Missing {
        /// What it is, with an example.
        allowed: String,
    },
    /// A key or column that nobody knows.
    Unknown {
        /// As it was written.
        key: String,
        /// The known one that may have been meant.
        nearest: Option<String>,
        /// All that are known here.
        known: Vec<String>,
    },
    /// A text that does not follow the format.
    Format(String),
    /// Anything else, in a sentence.
    Other(String),
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The file's name, as the caller gave it.
    pub file: String,
    /// Where; `None` if it is nowhere in particular.
    pub at: Option<At>,
    /// The way to the field, as in `pool[1].policy.scaling`; empty for the whole file.
    pub field: String,
    /// Why.
    pub reason: Reason,
}

impl Refusal {
    /// What is wrong, in a sentence without the place.
    #[must_use]
    pub fn message(&self) -> String {
        let meant = |nearest: &Option<String>| {
            nearest.as_ref().map(|word| format!(" (did you mean '{word}'?)")).unwrap_or_default()
        };
        let field = if self.field.is_empty() { "the file" } else { &self.field };
        match &self.reason {
            Reason::Value { value, allowed, nearest } => {
                format!("{field} is {value}{}; allowed is {allowed}", meant(nearest))
            }
            Reason::Missing { allowed } => format!("{field} is missing; it is {allowed}"),
            Reason::Unknown { key, nearest, known } if known.is_empty() => {
                format!("{} has no '{key}'{}; nothing can be set there", owner(field, key), meant(nearest))
            }
            Reason::Unknown { key, nearest, known } => {
                format!("{} has no '{key}'{}; it has {}", owner(field, key), meant(nearest), known.join(", "))
            }
            Reason::Format(message) => message.clone(),
            Reason::Other(sentence) if self.field.is_empty() => sentence.clone(),
            Reason::Other(sentence) => format!("{field}: {sentence}"),
        }
    }

    /// The parts as a JSON object: file, line, column, field, value, allowed, nearest, known, message; what there is of them.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut parts = Map::new();
        let mut put = |name: &str, value: Value| parts.insert(name.to_owned(), value);
        put("file", json!(self.file));
        if let Some(at) = &self.at {
            put("line", json!(at.line));
            if at.column > 0 {
                put("column", json!(at.column));
            }
        }
        if !self.field.is_empty() {
            put("field", json!(self.field));
        }
        match &self.reason {
            Reason::Value { value, allowed, .. } => {
                put("value", json!(value));
                put("allowed", json!(allowed));
            }
            Reason::Missing { allowed } => {
                put("allowed", json!(allowed));
            }
            Reason::Unknown { key, known, .. } => {
                put("value", json!(key));
                put("known", json!(known));
            }
            Reason::Format(_) | Reason::Other(_) => {}
        }
        if let Reason::Value { nearest: Some(nearest), .. } | Reason::Unknown { nearest: Some(nearest), .. } =
            &self.reason
        {
            put("nearest", json!(nearest));
        }
        put("message", json!(self.message()));
        Value::Object(parts)
    }
}

/// No longer word than this, in bytes, is compared with others: nobody means another one by it.
const WORD_MOST: usize = 200;

/// The known word nearest to what was written, if it is near enough to be meant.
pub(crate) fn nearest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if written.len() > WORD_MOST { None } else { muster_engine::policy::settings::nearest(written, known) }
}

/// In what the unknown key stands: the field without the key, which is in quotes if it is an odd one.
fn owner<'a>(field: &'a str, key: &str) -> &'a str {
    let without = field.strip_suffix(&format!("{key:?}")).or_else(|| field.strip_suffix(key));
    match without.map(|owner| owner.trim_end_matches('.')) {
        None | Some("") => "the file",
        Some(owner) => owner,
    }
}

impl fmt::Display for Refusal {
    /// The sentence, the place, the line, and marks under it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        let Some(at) = &self.at else { return write!(f, "\n --> {}", self.file) };
        let number = at.line.to_string();
        let gap = " ".repeat(number.len());
        write!(f, "\n{gap}--> {}:{}", self.file, at.line)?;
        if at.column == 0 {
            return Ok(());
        }
        write!(f, ":{}", at.column)?;
        let room = at.text.chars().count().saturating_sub(at.mark_from);
        let marks = "^".repeat(at.width.min(room).max(1));
        write!(f, "\n{gap} |\n{number} | {}\n{gap} | {}{marks}", at.text, " ".repeat(at.mark_from))
    }
}

impl std::error::Error for Refusal {}

/// Everything that is wrong with a file, in the order in which it stands there. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusals(pub Vec<Refusal>);

impl Refusals {
    /// All of them as a JSON list.
    #[must_use]
    pub fn to_json(&self) -> Value {
        Value::Array(self.0.iter().map(Refusal::to_json).collect())
    }
}

impl From<Refusal> for Refusals {
    fn from(refusal: Refusal) -> Self {
        Self(vec![refusal])
    }
}

impl fmt::Display for Refusals {
    /// One after the other with an empty line between them; of very many the first, and how many more there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, refusal) in self.0.iter().take(PRINTED_MOST).enumerate() {
            let between = if i == 0 { "" } else { "\n\n" };
            write!(f, "{between}{refusal}")?;
        }
        match self.0.len().saturating_sub(PRINTED_MOST) {
            0 => Ok(()),
            more => write!(f, "\n\nand {more} more"),
        }
    }
}

impl std::error::Error for Refusals {}
