//! A table of a document, as a reader asks it for keys. Does not know which keys there should be; whoever asks does.

use std::ops::RangeInclusive;
use std::rc::Rc;

use muster_engine::Span;
use muster_engine::money::Money;

use super::form::{self, Form};
use super::node::{Place, TableId, TableNode, join};
use super::{Document, Given, Value};
use crate::quantity::MoneyRate;
use crate::refusal::Reason;

/// A table of a document.
#[derive(Clone, Copy, Debug)]
pub struct Table<'d> {
    pub(super) document: &'d Document,
    pub(super) id: TableId,
}

/// Something named by a word, with settings if it was written as a table.
#[derive(Clone, Debug)]
pub struct Named<'d> {
    /// The word.
    pub name: String,
    /// Where it stands.
    pub word: Value<'d>,
    /// The rest of the table; `None` if there was only the word.
    pub settings: Option<Table<'d>>,
}

impl<'d> Table<'d> {
    /// The document it is a part of.
    #[must_use]
    pub fn document(self) -> &'d Document {
        self.document
    }

    /// The way to it, as in `pool[1].policy`; empty for the whole.
    #[must_use]
    pub fn path(self) -> String {
        self.node(|node| node.path.clone())
    }

    /// The value of a key in this form.
    pub fn get<T>(self, key: &str, form: &Form<'_, T>) -> Given<'d, T> {
        let written = self.value(key);
        let read = written.as_ref().and_then(|value| value.read(form));
        Given { table: self, key: key.to_owned(), allowed: form.allowed.clone(), written, read }
    }

    /// A length of time above zero.
    pub fn span(self, key: &str) -> Given<'d, Span> {
        self.get(key, &form::span())
    }

    /// A length of time, perhaps zero.
    pub fn span_or_zero(self, key: &str) -> Given<'d, Span> {
        self.get(key, &form::span_or_zero())
    }

    /// A rate from 0, per second.
    pub fn rate(self, key: &str) -> Given<'d, f64> {
        self.get(key, &form::rate())
    }

    /// An amount of money from 0.
    pub fn money(self, key: &str) -> Given<'d, Money> {
        self.get(key, &form::money())
    }

    /// Money per time from 0.
    pub fn money_rate(self, key: &str) -> Given<'d, MoneyRate> {
        self.get(key, &form::money_rate())
    }

    /// A share from 0 to 1, also as `5 %`.
    pub fn share(self, key: &str) -> Given<'d, f64> {
        self.get(key, &form::share())
    }

    /// A text of at least one letter.
    pub fn text(self, key: &str) -> Given<'d, String> {
        self.get(key, &form::text())
    }

    /// A whole number in a range.
    pub fn integer<N>(self, key: &str, range: RangeInclusive<N>) -> Given<'d, N>
    where
        N: TryFrom<i64> + PartialOrd + std::fmt::Display,
    {
        self.get(key, &form::integer(range))
    }

    /// A number in a range; `0.0..=f64::INFINITY` is any from 0.
    pub fn number(self, key: &str, range: RangeInclusive<f64>) -> Given<'d, f64> {
        self.get(key, &form::number(range))
    }

    /// Yes or no.
    pub fn flag(self, key: &str) -> Given<'d, bool> {
        self.get(key, &form::flag())
    }

    /// One of several words, each with its meaning.
    pub fn choice<T: Clone>(self, key: &str, words: &[(&str, T)]) -> Given<'d, T> {
        self.get(key, &form::choice(words))
    }

    /// The name of something else in the file: its place among `names`. `what` is as in `an app`.
    pub fn name_of(self, key: &str, what: &str, names: &[String]) -> Given<'d, usize> {
        self.get(key, &form::name_of(what, names))
    }

    /// A list, each item in this form; every wrong item is refused.
    pub fn list<T>(self, key: &str, form: &Form<'_, T>) -> Given<'d, Vec<T>> {
        self.given(key, format!("a list, each {}", form.allowed), |value| {
            let items = value.as_list().ok_or(())?;
            Ok(all(items.iter().map(|item| item.read(form)).collect()))
        })
    }

    /// A table.
    pub fn table(self, key: &str) -> Given<'d, Table<'d>> {
        self.given(key, "a table".to_owned(), |value| value.as_table().map(Some).ok_or(()))
    }

    /// A list of tables, as `[[key]]` makes one.
    pub fn tables(self, key: &str) -> Given<'d, Vec<Table<'d>>> {
        self.given(key, format!("a list of tables: [[{key}]]"), |value| {
            let items = value.as_list().ok_or(())?;
            let table = |item: &Value<'d>| {
                item.as_table().or_else(|| {
                    item.refuse("a table");
                    None
                })
            };
            Ok(all(items.iter().map(table).collect()))
        })
    }

    /// A word, or a table in which the word stands under `tag`: `"static"` or `{ name = "pid-size", kp = 0.5 }`.
    pub fn named(self, key: &str, tag: &str) -> Given<'d, Named<'d>> {
        let allowed = format!("a name in quotes, or a table with {tag}");
        self.given(key, allowed, |value| {
            if let Some(table) = value.as_table() {
                let given = table.text(tag);
                let word = given.written().cloned();
                let name = given.required();
                if name.is_none() {
                    table.leave();
                }
                return Ok(name.zip(word).map(|(name, word)| Named { name, word, settings: Some(table) }));
            }
            let name = value.as_text().filter(|name| !name.trim().is_empty()).ok_or(())?;
            Ok(Some(Named { name: name.to_owned(), word: value.clone(), settings: None }))
        })
    }

    /// Whatever stands under a key. It counts as asked for.
    #[must_use]
    pub fn value(self, key: &str) -> Option<Value<'d>> {
        self.ask(key);
        self.node(|node| node.entries.get(key).map(|entry| Rc::clone(&entry.value)))
            .map(|node| Value { document: self.document, node })
    }

    /// Leaves all keys alone, known or not: what they mean depends on something that was refused.
    pub fn leave(self) {
        self.keys().iter().for_each(|key| self.ask(key));
    }

    /// All keys, in order. None of them counts as asked for.
    #[must_use]
    pub fn keys(self) -> Vec<String> {
        self.node(|node| node.entries.keys().cloned().collect())
    }

    /// Whether a key is there. It does not count as asked for.
    #[must_use]
    pub fn has(self, key: &str) -> bool {
        self.node(|node| node.entries.contains_key(key))
    }

    /// Refuses something about the table as a whole, or what is under a key if it is there, in a sentence.
    pub fn complain(self, key: &str, sentence: impl Into<String>) {
        match self.value(key) {
            Some(value) => value.complain(sentence),
            None => self.document.refuse(&self.place(), self.path(), Reason::Other(sentence.into())),
        }
    }

    /// Marks a key as known here, and in the tables this one was made of.
    fn ask(self, key: &str) {
        let tables = &mut self.document.tables.borrow_mut().0;
        let mut ids = vec![self.id];
        while let Some(id) = ids.pop() {
            tables[id].asked.insert(key.to_owned());
            ids.extend(&tables[id].made_of);
        }
    }

    /// `Err`: not allowed. `Ok(None)`: refused already.
    fn given<T>(
        self,
        key: &str,
        allowed: String,
        read: impl FnOnce(&Value<'d>) -> Result<Option<T>, ()>,
    ) -> Given<'d, T> {
        let written = self.value(key);
        let read = written.as_ref().and_then(|value| {
            read(value).unwrap_or_else(|()| {
                value.refuse(&allowed);
                None
            })
        });
        Given { table: self, key: key.to_owned(), allowed, written, read }
    }

    pub(super) fn path_of(self, key: &str) -> String {
        join(&self.path(), key)
    }

    pub(super) fn place(self) -> Place {
        self.node(|node| node.place.clone())
    }

    pub(super) fn node<T>(self, see: impl FnOnce(&TableNode) -> T) -> T {
        see(&self.document.tables.borrow().0[self.id])
    }
}

/// All, if none is missing; every one has been looked at by then.
fn all<T>(items: Vec<Option<T>>) -> Option<Vec<T>> {
    items.into_iter().collect()
}
