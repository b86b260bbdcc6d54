//! The parts of a document: tables with their keys, values with their places. Knows TOML and JSON, and no meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

/// A table among all tables of a document.
pub(crate) type TableId = usize;

/// A range of bytes in the text; `None` if there is no text.
pub(crate) type Place = Option<Range<usize>>;

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Text(String),
    Integer(i64),
    Number(f64),
    Flag(bool),
    /// A date or time; and whole numbers too large for 64 bits. As written.
    Odd(String),
    List(Vec<Rc<Node>>),
    Table(TableId),
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The way to it, as in `pool[1].policy.scaling`.
    pub(crate) path: String,
    pub(crate) place: Place,
    pub(crate) kind: Kind,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Place,
    pub(crate) value: Rc<Node>,
}

/// A table, and what has been asked of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableNode {
    pub(crate) path: String,
    pub(crate) place: Place,
    pub(crate) entries: BTreeMap<String, Entry>,
    /// Keys that a reader has asked for, whether they were there or not.
    pub(crate) asked: BTreeSet<String>,
    /// The tables that were laid over each other to make this one: what is asked here is asked there.
    pub(crate) made_of: Vec<TableId>,
}

/// All tables of a document; the first is the whole.
#[derive(Debug, Default)]
pub(crate) struct Tables(pub(crate) Vec<TableNode>);

impl Tables {
    pub(crate) fn of_toml(table: &DeTable<'_>) -> Self {
        let mut tables = Self::default();
        tables.table(table, "", None);
        tables
    }

    pub(crate) fn of_json(object: &serde_json::Map<String, serde_json::Value>) -> Self {
        let mut tables = Self::default();
        tables.object(object, "");
        tables
    }

    /// A new table with its place in the list taken before those in it.
    pub(crate) fn push(&mut self, table: TableNode) -> TableId {
        self.0.push(table);
        self.0.len() - 1
    }

    fn table(&mut self, table: &DeTable<'_>, path: &str, place: Place) -> TableId {
        let id = self.push(TableNode { path: path.to_owned(), place, ..TableNode::default() });
        for (key, value) in table {
            let value = self.value(value, join(path, key.get_ref()));
            let entry = Entry { key: Some(key.span()), value };
            self.0[id].entries.insert(key.get_ref().clone().into_owned(), entry);
        }
        id
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>, path: String) -> Rc<Node> {
        let place = Some(value.span());
        let kind = match value.get_ref() {
            DeValue::String(text) => Kind::Text(text.clone().into_owned()),
            DeValue::Integer(digits) => integer(digits),
            DeValue::Float(digits) => float(digits),
            DeValue::Boolean(flag) => Kind::Flag(*flag),
            DeValue::Datetime(date) => Kind::Odd(date.to_string()),
            DeValue::Array(items) => {
                let items = items.iter().enumerate();
                Kind::List(items.map(|(i, item)| self.value(item, format!("{path}[{i}]"))).collect())
            }
            DeValue::Table(table) => Kind::Table(self.table(table, &path, place.clone())),
        };
        Rc::new(Node { path, place, kind })
    }

    fn object(&mut self, object: &serde_json::Map<String, serde_json::Value>, path: &str) -> TableId {
        let id = self.push(TableNode { path: path.to_owned(), ..TableNode::default() });
        for (key, value) in object {
            // What is null is not there.
            if let Some(value) = self.json(value, join(path, key)) {
                self.0[id].entries.insert(key.clone(), Entry { key: None, value });
            }
        }
        id
    }

    fn json(&mut self, value: &serde_json::Value, path: String) -> Option<Rc<Node>> {
        use serde_json::Value;
        let kind = match value {
            Value::Null => return None,
            Value::Bool(flag) => Kind::Flag(*flag),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => Kind::Integer(whole),
                (None, Some(float)) => Kind::Number(float),
                (None, None) => Kind::Odd(number.to_string()),
            },
            Value::String(text) => Kind::Text(text.clone()),
            Value::Array(items) => {
                let items = items.iter().enumerate();
                let item = |(i, item)| {
                    let path = format!("{path}[{i}]");
                    let null = || {
                        Rc::new(Node { path: path.clone(), place: None, kind: Kind::Odd("null".to_owned()) })
                    };
                    self.json(item, path.clone()).unwrap_or_else(null)
                };
                Kind::List(items.map(item).collect())
            }
            Value::Object(object) => Kind::Table(self.object(object, &path)),
        };
        Some(Rc::new(Node { path, place: None, kind }))
    }
}

fn integer(digits: &DeInteger<'_>) -> Kind {
    match i64::from_str_radix(digits.as_str(), digits.radix()) {
        Ok(number) => Kind::Integer(number),
        Err(_) => Kind::Odd(digits.to_string()),
    }
}

fn float(digits: &DeFloat<'_>) -> Kind {
    match digits.as_str().parse() {
        Ok(number) => Kind::Number(number),
        Err(_) => Kind::Odd(digits.to_string()),
    }
}

/// A key's way: bare if it can be, in quotes if it must.
pub(crate) fn join(path: &str, key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let key = if !key.is_empty() && key.chars().all(is_bare) { key.to_owned() } else { format!("{key:?}") };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}
