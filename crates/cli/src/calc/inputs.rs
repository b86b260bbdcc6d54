//! What was given to a calculator: from flags and from JSON, read and checked before anything is computed.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use muster_engine::policy::settings::nearest;
use muster_formats::quantity::MoneyRate;
use serde_json::{Map, Value};

use super::field::{Field, Given, WORKERS_MOST};
use crate::refusal::Refusal;

/// Fields by name, as they were written and as they were read.
#[derive(Debug)]
pub(crate) struct Inputs {
    fields: &'static [Field],
    given: BTreeMap<&'static str, (String, Given)>,
}

/// Reads a JSON object from a file, or from standard input if the path is `-`.
pub(crate) fn read(path: &Path, fields: &'static [Field]) -> Result<Vec<(&'static Field, String)>, Refusal> {
    let mut text = String::new();
    let read = if path.as_os_str() == "-" {
        std::io::stdin().read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text))
    };
    let allowed = |error| format!("a file that can be read, or - for standard input ({error})");
    read.map_err(|error| Refusal::value("input", path.display(), &allowed(error)))?;
    let wrong =
        |error: &dyn std::fmt::Display| Refusal::Together(format!("input is not a JSON object: {error}"));
    let object: Map<String, Value> = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    object.iter().map(|(key, value)| Ok((known(key, fields)?, written(key, value)?))).collect()
}

fn known(key: &str, fields: &'static [Field]) -> Result<&'static Field, Refusal> {
    fields.iter().find(|field| field.name == key).ok_or_else(|| Refusal::Unknown {
        key: key.to_owned(),
        nearest: nearest(key, fields.iter().map(|field| field.name)).map(str::to_owned),
        known: fields.iter().map(|field| field.name.to_owned()).collect(),
    })
}

/// A JSON value as it would be typed.
fn written(key: &str, value: &Value) -> Result<String, Refusal> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        Value::Array(items) => {
            Ok(items.iter().map(|item| written(key, item)).collect::<Result<Vec<_>, _>>()?.join(","))
        }
        Value::Null | Value::Object(_) => {
            Err(Refusal::value(key, value, "text, a number, true, false or a list"))
        }
    }
}

impl Inputs {
    /// Reads every value; what comes later goes before what came earlier.
    pub(crate) fn new(
        fields: &'static [Field],
        given: Vec<(&'static Field, String)>,
    ) -> Result<Self, Refusal> {
        let mut read = BTreeMap::new();
        for (field, text) in given {
            let value = field.kind.read(&text);
            let value = value.ok_or_else(|| Refusal::value(field.name, &text, &field.kind.allowed()))?;
            read.insert(field.name, (text, value));
        }
        Ok(Self { fields, given: read })
    }

    /// What was given, as it was written.
    pub(crate) fn written(&self) -> Map<String, Value> {
        self.given.iter().map(|(name, (text, _))| ((*name).to_owned(), Value::from(text.as_str()))).collect()
    }

    /// Whether a field was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Refuses a field without the one that gives it a meaning: nothing that was given is ignored.
    pub(crate) fn needs(&self, pairs: &[(&str, &str)]) -> Result<(), Refusal> {
        let lonely = pairs.iter().find(|(name, other)| self.has(name) && !self.has(other));
        lonely.map_or(Ok(()), |(name, other)| {
            Err(Refusal::Together(format!("{name} is given without {other}, and means nothing alone")))
        })
    }

    fn get(&self, name: &str) -> Option<&Given> {
        debug_assert!(self.fields.iter().any(|field| field.name == name), "no field {name}");
        self.given.get(name).map(|(_, given)| given)
    }

    fn missing(&self, name: &str) -> Refusal {
        let allowed = self.fields.iter().find(|field| field.name == name).map(|field| field.kind.allowed());
        Refusal::Missing { field: name.to_owned(), allowed: allowed.unwrap_or_default() }
    }

    /// A number, a rate per second, or a time in seconds; `None` if it was not given.
    pub(crate) fn maybe(&self, name: &str) -> Option<f64> {
        if let Some(Given::Number(number)) = self.get(name) { Some(*number) } else { None }
    }

    /// The same, which must be given.
    pub(crate) fn number(&self, name: &str) -> Result<f64, Refusal> {
        self.maybe(name).ok_or_else(|| self.missing(name))
    }

    /// The same, or what it is by default.
    pub(crate) fn number_or(&self, name: &str, default: f64) -> f64 {
        self.maybe(name).unwrap_or(default)
    }

    /// A whole number, which must be given.
    pub(crate) fn count(&self, name: &str) -> Result<u32, Refusal> {
        self.number(name).map(|number| number as u32)
    }

    /// A whole number, if it was given.
    pub(crate) fn maybe_count(&self, name: &str) -> Option<u32> {
        self.maybe(name).map(|number| number as u32)
    }

    /// Several numbers, which must be given.
    pub(crate) fn list(&self, name: &str) -> Result<&[f64], Refusal> {
        if let Some(Given::List(list)) = self.get(name) { Ok(list) } else { Err(self.missing(name)) }
    }

    /// Money per time, if it was given.
    pub(crate) fn money(&self, name: &str) -> Option<&MoneyRate> {
        if let Some(Given::Money(money)) = self.get(name) { Some(money) } else { None }
    }

    /// Money per time, which must be given.
    pub(crate) fn needed_money(&self, name: &str) -> Result<&MoneyRate, Refusal> {
        self.money(name).ok_or_else(|| self.missing(name))
    }

    /// Names; none if none were given.
    pub(crate) fn names(&self, name: &str) -> &[String] {
        if let Some(Given::Names(names)) = self.get(name) { names } else { &[] }
    }

    /// A word, or what it is by default.
    pub(crate) fn word<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        if let Some(Given::Word(word)) = self.get(name) { word } else { default }
    }

    /// Arrivals per second and services per second of one worker, of a load that can be computed.
    pub(crate) fn traffic(&self) -> Result<(f64, f64), Refusal> {
        let (arrivals, work) = (self.number("arrivals")?, self.number("work")?);
        let load = arrivals * work;
        if load > f64::from(WORKERS_MOST) {
            return Err(Refusal::Together(format!(
                "arrivals times work keeps {load:.0} workers busy; allowed is up to {WORKERS_MOST}"
            )));
        }
        Ok((arrivals, 1.0 / work))
    }
}
