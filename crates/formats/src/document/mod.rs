//! A table written in TOML (or JSON), from which a reader takes keys, and which says all that is wrong in one go.
//!
//! A reader asks for each key with the form that its value must have. What is wrong is gathered, with its place, and reading
//! goes on; keys that nobody asked for are unknown, and refused with the nearest known one. Does not know what keys mean.
//!
//! ```
//! use muster_formats::document::Document;
//!
//! let text = "horizon = \"8 h\"\nreplicatons = 20\n";
//! let read = Document::read("day.toml", text, |top| {
//!     let horizon = top.span("horizon").required();
//!     let replications = top.integer("replications", 1..=10_000_u32).or(1);
//!     Some((horizon?, replications))
//! });
//! assert_eq!(read.unwrap_err().to_string(), "\
//! the file has no 'replicatons' (did you mean 'replications'?); it has horizon, replications
//!  --> day.toml:2:1
//!   |
//! 2 | replicatons = 20
//!   | ^^^^^^^^^^^");
//! ```
//!
//! Invariant: [`Document::finish`] is `Ok` only if no value was refused and every key of every table that was read has been
//! asked for. Start at [`Table`].

pub mod form;
mod given;
mod node;
mod overlay;
mod table;
mod value;

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::refusal::nearest;
use toml::de::DeTable;

use crate::refusal::{At, Reason, Refusal, Refusals};
use crate::source::Source;
use node::{Kind, Place, TableId, Tables, join};

pub use given::Given;
pub use table::{Named, Table};
pub use value::Value;

/// No longer text than this is read.
pub const TEXT_MOST: usize = 16 << 20;

/// So many refusals are gathered at most: beyond, nobody reads them.
const REFUSED_MOST: usize = 1000;

/// So many breaches of the format are said at most: one often brings others after it.
const FORMAT_MOST: usize = 5;

/// A document and what has been found wrong with it.
#[derive(Debug)]
pub struct Document {
    source: Option<Source>,
    name: String,
    tables: RefCell<Tables>,
    refused: RefCell<Vec<Refusal>>,
    /// The currency that money in this document is in, and in which line it was first said.
    currency: RefCell<Option<(String, Option<usize>)>>,
}

impl Document {
    /// Reads a text in TOML. `name` is what it is called in refusals.
    pub fn parse(name: &str, text: &str) -> Result<Self, Refusals> {
        if text.len() > TEXT_MOST {
            let reason = format!("the file has {} bytes; at most {TEXT_MOST} are read", text.len());
            let refusal = Refusal {
                file: name.to_owned(),
                at: None,
                field: String::new(),
                reason: Reason::Other(reason),
            };
            return Err(refusal.into());
        }
        let source = Source::new(name, text);
        let (table, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            return Err(format_errors(&source, &errors));
        }
        Ok(Self::of(name, Some(source), Tables::of_toml(table.get_ref())))
    }

    /// The same from an object of JSON, which has no lines: for the API.
    #[must_use]
    pub fn of_json(name: &str, object: &serde_json::Map<String, serde_json::Value>) -> Self {
        Self::of(name, None, Tables::of_json(object))
    }

    fn of(name: &str, source: Option<Source>, tables: Tables) -> Self {
        let (refused, currency) = (RefCell::default(), RefCell::default());
        Self { source, name: name.to_owned(), tables: RefCell::new(tables), refused, currency }
    }

    /// Parses, lets `read` take what it knows, and finishes. A reader that returns `None` has refused something.
    pub fn read<T>(name: &str, text: &str, read: impl FnOnce(Table<'_>) -> Option<T>) -> Result<T, Refusals> {
        let document = Self::parse(name, text)?;
        let out = read(document.top());
        document.finish_with(out)
    }

    /// All that was wrong, or what was read.
    pub fn finish_with<T>(self, out: Option<T>) -> Result<T, Refusals> {
        let file = self.name.clone();
        self.finish()?;
        let reason = Reason::Other("the file could not be read".to_owned());
        out.ok_or_else(|| Refusal { file, at: None, field: String::new(), reason }.into())
    }

    /// The whole.
    #[must_use]
    pub fn top(&self) -> Table<'_> {
        Table { document: self, id: 0 }
    }

    /// The currency of all money that was read so far.
    #[must_use]
    pub fn currency(&self) -> Option<String> {
        self.currency.borrow().as_ref().map(|(currency, _)| currency.clone())
    }

    /// Refuses what nobody asked for, and says all that was wrong, in the order of the text.
    pub fn finish(self) -> Result<(), Refusals> {
        self.refuse_unknown(0, &mut BTreeSet::new());
        let mut refused = self.refused.into_inner();
        refused.sort_by_key(|refusal| refusal.at.as_ref().map(|at| (at.line, at.column)));
        let mut kept: Vec<Refusal> = Vec::new();
        for refusal in refused {
            if !kept.contains(&refusal) {
                kept.push(refusal);
            }
        }
        if kept.is_empty() { Ok(()) } else { Err(Refusals(kept)) }
    }

    /// Keys of this table, and of those in it, that no reader has asked for. Tables that were not read are left alone.
    fn refuse_unknown(&self, id: TableId, seen: &mut BTreeSet<TableId>) {
        let table = self.tables.borrow().0[id].clone();
        if !seen.insert(id) || (table.asked.is_empty() && id != 0) {
            return;
        }
        for (key, entry) in &table.entries {
            if self.refused.borrow().len() >= REFUSED_MOST {
                return;
            }
            if table.asked.contains(key) {
                entry.value.tables().into_iter().for_each(|inner| self.refuse_unknown(inner, seen));
                continue;
            }
            let reason = Reason::Unknown {
                key: key.clone(),
                nearest: nearest(key, table.asked.iter().map(String::as_str)).map(str::to_owned),
                known: table.asked.iter().cloned().collect(),
            };
            self.refuse(&entry.key, join(&table.path, key), reason);
        }
    }

    fn at(&self, place: &Place) -> Option<At> {
        self.source.as_ref().zip(place.as_ref()).map(|(source, place)| source.at(place))
    }

    fn refuse(&self, place: &Place, field: String, reason: Reason) {
        let refusal = Refusal { file: self.name.clone(), at: self.at(place), field, reason };
        let mut refused = self.refused.borrow_mut();
        if refused.len() < REFUSED_MOST {
            refused.push(refusal);
        }
    }
}

impl node::Node {
    /// The tables in this value.
    fn tables(&self) -> Vec<TableId> {
        match &self.kind {
            Kind::Table(id) => vec![*id],
            Kind::List(items) => items.iter().flat_map(|item| item.tables()).collect(),
            _ => Vec::new(),
        }
    }
}

/// One for each line in which something breaks the format, and not too many.
fn format_errors(source: &Source, errors: &[toml::de::Error]) -> Refusals {
    let refusal = |error: &toml::de::Error| Refusal {
        file: source.name.clone(),
        at: error.span().map(|span| source.at(&span)),
        field: String::new(),
        reason: Reason::Format(format!("this is not TOML: {}", error.message())),
    };
    let mut refusals: Vec<Refusal> = errors.iter().map(refusal).collect();
    refusals.sort_by_key(|refusal| refusal.at.as_ref().map(|at| (at.line, at.column)));
    refusals.dedup_by_key(|refusal| refusal.at.as_ref().map(|at| at.line));
    refusals.truncate(FORMAT_MOST);
    Refusals(refusals)
}

#[cfg(test)]
mod tests;
