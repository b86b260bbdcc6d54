//! One value of a document, as a reader holds it. Knows its place, not what it should be.

use std::rc::Rc;

use crate::refusal::nearest;

use super::form::{Form, Wrong};
use super::node::{Kind, Node};
use super::{Document, Table};
use crate::refusal::Reason;
use crate::source::shortened;

/// One value of a document.
#[derive(Clone, Debug)]
pub struct Value<'d> {
    pub(super) document: &'d Document,
    pub(super) node: Rc<Node>,
}

impl<'d> Value<'d> {
    pub(super) fn kind(&self) -> &Kind {
        &self.node.kind
    }

    /// The way to it, as in `pool[1].policy.scaling`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.node.path
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self.kind() {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one; whole numbers too.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self.kind() {
            Kind::Integer(number) => Some(*number as f64),
            Kind::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Yes or no, if it is that.
    #[must_use]
    pub fn as_flag(&self) -> Option<bool> {
        match self.kind() {
            Kind::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The items, if it is a list.
    #[must_use]
    pub fn as_list(&self) -> Option<Vec<Value<'d>>> {
        let Kind::List(items) = self.kind() else { return None };
        Some(items.iter().map(|node| Value { document: self.document, node: Rc::clone(node) }).collect())
    }

    /// The table, if it is one.
    #[must_use]
    pub fn as_table(&self) -> Option<Table<'d>> {
        match self.kind() {
            Kind::Table(id) => Some(Table { document: self.document, id: *id }),
            _ => None,
        }
    }

    /// The value in this form; what is wrong is refused.
    #[must_use]
    pub fn read<T>(&self, form: &Form<'_, T>) -> Option<T> {
        match (form.read)(self) {
            Ok(read) => Some(read),
            Err(wrong) => {
                self.refuse_as(wrong, &form.allowed);
                None
            }
        }
    }

    /// Refuses the value: `allowed` says what it may be, with an example.
    pub fn refuse(&self, allowed: impl Into<String>) {
        self.refuse_meant(allowed, None);
    }

    /// Refuses a word that is none of those known, with the nearest of them.
    pub fn refuse_word(&self, known: &[&str]) {
        let near = self.as_text().and_then(|text| nearest(text, known.iter().copied()));
        self.refuse_meant(known.join(", "), near.map(str::to_owned));
    }

    /// Refuses the value for another reason, said in a sentence.
    pub fn complain(&self, sentence: impl Into<String>) {
        self.document.refuse(&self.node.place, self.node.path.clone(), Reason::Other(sentence.into()));
    }

    /// Refuses a part of a text, from one letter of it to another, for a reason said in a sentence.
    pub fn complain_within(&self, from: usize, to: usize, sentence: impl Into<String>) {
        let place = self.within(from, to).or_else(|| self.node.place.clone());
        self.document.refuse(&place, self.node.path.clone(), Reason::Other(sentence.into()));
    }

    /// Where a part of a text stands, if it is written without escapes between simple quotes.
    fn within(&self, from: usize, to: usize) -> Option<std::ops::Range<usize>> {
        let (text, place) = (self.as_text()?, self.node.place.as_ref()?);
        let written = self.document.source.as_ref()?.text.get(place.clone())?;
        let byte = |letter: usize| text.char_indices().nth(letter).map_or(text.len(), |(at, _)| at);
        let is_plain = written.get(1..written.len().checked_sub(1)?) == Some(text);
        is_plain.then(|| place.start + 1 + byte(from)..place.start + 1 + byte(to))
    }

    fn refuse_meant(&self, allowed: impl Into<String>, nearest: Option<String>) {
        let reason = Reason::Value { value: self.repeated(), allowed: allowed.into(), nearest };
        self.document.refuse(&self.node.place, self.node.path.clone(), reason);
    }

    pub(super) fn refuse_as(&self, wrong: Wrong, allowed: &str) {
        match wrong {
            Wrong::NotAllowed => self.refuse(allowed),
            Wrong::Meant(nearest) => self.refuse_meant(allowed, nearest),
            Wrong::Allowed(allowed) => self.refuse(allowed),
            Wrong::Said => {}
        }
    }

    /// The value as a refusal repeats it.
    fn repeated(&self) -> String {
        match self.kind() {
            Kind::Text(text) => format!("'{}'", shortened(text)),
            Kind::Integer(number) => number.to_string(),
            Kind::Number(number) => number.to_string(),
            Kind::Flag(flag) => flag.to_string(),
            Kind::Odd(written) => shortened(written),
            Kind::List(_) => "a list".to_owned(),
            Kind::Table(_) => "a table".to_owned(),
        }
    }

    /// Money in one document is in one currency: the first that is named.
    pub(super) fn one_currency(&self, currency: &str) -> Result<(), Wrong> {
        let line = self.document.at(&self.node.place).map(|at| at.line);
        let mut kept = self.document.currency.borrow_mut();
        let (first, said) = kept.get_or_insert_with(|| (currency.to_owned(), line));
        if first == currency {
            return Ok(());
        }
        let said = said.map(|line| format!(", as in line {line}")).unwrap_or_default();
        Err(Wrong::Allowed(format!("money in one currency: {first}{said}")))
    }
}
