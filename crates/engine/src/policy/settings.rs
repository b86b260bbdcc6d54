//! How a policy is named and set: by the same words in scenario files, in the API and on the pages.
//!
//! Does not know any policy. A policy lists its [`Setting`]s; reading them refuses wrong values, and unknown names with the
//! nearest known one. Start at [`Reader`].

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::policy::rule::RuleError;
use crate::time::Span;

/// A policy by name, with what was set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PolicySpec {
    /// Its name, as in `weighted-fair`.
    pub name: String,
    /// What was set; the rest is as it is by default.
    pub settings: BTreeMap<String, Value>,
}

impl PolicySpec {
    /// A policy with everything as it is by default.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), settings: BTreeMap::new() }
    }

    /// The same with one more setting.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.settings.insert(name.to_owned(), value.into());
        self
    }
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A word, a length of time, a rule.
    Text(String),
    /// Several.
    List(Vec<Value>),
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}
impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}
impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(f64::from(number))
    }
}
impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
impl From<Span> for Value {
    fn from(span: Span) -> Self {
        Self::Text(format!("{} ns", span.0))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => flag.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => write!(f, "'{text}'"),
            Self::List(values) => {
                f.write_str("[")?;
                for (i, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
        }
    }
}

/// A setting that a policy knows: for pages, help and the check of what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// What it is if nothing is said, as a person would write it.
    pub default: &'static str,
}

/// What is wrong with a policy as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    /// There is no such policy in the family.
    UnknownPolicy {
        /// The question it should answer.
        family: &'static str,
        /// What was written.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The policy has no such setting.
    UnknownSetting {
        /// The policy.
        policy: String,
        /// What was written.
        name: String,
        /// The nearest that it has.
        nearest: Option<String>,
        /// All that it has.
        known: Vec<String>,
    },
    /// The value is not allowed.
    Value {
        /// The policy.
        policy: String,
        /// The setting.
        name: String,
        /// What was written.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A rule is wrong.
    Rule {
        /// The policy.
        policy: String,
        /// What is wrong, and where.
        error: RuleError,
    },
    /// The policy does not go with another one.
    Needs {
        /// The policy.
        policy: String,
        /// What it needs.
        needs: String,
    },
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownPolicy { family, name, known } => {
                write!(f, "there is no {family} policy '{name}'")?;
                if let Some(nearest) = nearest(name, known.iter().map(String::as_str)) {
                    write!(f, " (did you mean '{nearest}'?)")?;
                }
                write!(f, "; there are {}", known.join(", "))
            }
            Self::UnknownSetting { policy, name, nearest, known } => {
                write!(f, "{policy} has no setting '{name}'")?;
                if let Some(nearest) = nearest {
                    write!(f, " (did you mean '{nearest}'?)")?;
                }
                if known.is_empty() {
                    f.write_str("; it has none")
                } else {
                    write!(f, "; it has {}", known.join(", "))
                }
            }
            Self::Value { policy, name, value, allowed } => {
                write!(f, "{policy}: {name} is {value}; allowed is {allowed}")
            }
            Self::Rule { policy, error } => write!(f, "{policy}: {error}"),
            Self::Needs { policy, needs } => write!(f, "{policy} needs {needs}"),
        }
    }
}

impl std::error::Error for SettingError {}

/// Reads the settings of a policy, one by one, and checks that no other was written.
#[derive(Debug)]
pub struct Reader<'a> {
    spec: &'a PolicySpec,
}

impl<'a> Reader<'a> {
    /// Refuses settings that the policy does not know.
    pub fn new(spec: &'a PolicySpec, known: &[Setting]) -> Result<Self, SettingError> {
        for name in spec.settings.keys() {
            if !known.iter().any(|setting| setting.name == name) {
                return Err(SettingError::UnknownSetting {
                    policy: spec.name.clone(),
                    name: name.clone(),
                    nearest: nearest(name, known.iter().map(|setting| setting.name)).map(str::to_owned),
                    known: known.iter().map(|setting| setting.name.to_owned()).collect(),
                });
            }
        }
        Ok(Self { spec })
    }

    /// The name of the policy.
    #[must_use]
    pub fn policy(&self) -> String {
        self.spec.name.clone()
    }

    /// The refusal of a value.
    #[must_use]
    pub fn wrong(&self, name: &str, value: &Value, allowed: &str) -> SettingError {
        SettingError::Value {
            policy: self.spec.name.clone(),
            name: name.to_owned(),
            value: value.to_string(),
            allowed: allowed.to_owned(),
        }
    }

    /// What was set under `name`, if anything.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.spec.settings.get(name)
    }

    /// A number between `least` and `most`.
    pub fn number(&self, name: &str, default: f64, least: f64, most: f64) -> Result<f64, SettingError> {
        match self.value(name) {
            None => Ok(default),
            Some(Value::Number(number)) if (least..=most).contains(number) => Ok(*number),
            Some(value) => Err(self.wrong(name, value, &format!("a number from {least} to {most}"))),
        }
    }

    /// A whole number between `least` and `most`.
    pub fn whole(&self, name: &str, default: u32, least: u32, most: u32) -> Result<u32, SettingError> {
        match self.value(name) {
            None => Ok(default),
            Some(Value::Number(number))
                if libm::trunc(*number) == *number
                    && (f64::from(least)..=f64::from(most)).contains(number) =>
            {
                Ok(*number as u32)
            }
            Some(value) => Err(self.wrong(name, value, &format!("a whole number from {least} to {most}"))),
        }
    }

    /// Yes or no.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, SettingError> {
        match self.value(name) {
            None => Ok(default),
            Some(Value::Flag(flag)) => Ok(*flag),
            Some(value) => Err(self.wrong(name, value, "true or false")),
        }
    }

    /// A length of time that is not zero.
    pub fn span(&self, name: &str, default: Span) -> Result<Span, SettingError> {
        match self.value(name) {
            None => Ok(default),
            Some(value) => match value {
                Value::Text(text) => text.parse::<Span>().ok().filter(|span| !span.is_zero()),
                _ => None,
            }
            .ok_or_else(|| self.wrong(name, value, "a length of time above zero, such as 90 s or 1.5 h")),
        }
    }

    /// One of several words; the first is the default.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T, SettingError> {
        match self.value(name) {
            None => Ok(words[0].1),
            Some(value) => match value {
                Value::Text(text) => words.iter().find(|(word, _)| word == text).map(|(_, meaning)| *meaning),
                _ => None,
            }
            .ok_or_else(|| {
                let allowed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                self.wrong(name, value, &allowed.join(" or "))
            }),
        }
    }
}

/// The known word nearest to what was written, if it is near enough to be meant.
#[must_use]
pub fn nearest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|word| (distance(written, word), word))
        .filter(|(distance, word)| *distance <= 1 + word.len() / 4)
        .min()
        .map(|(_, word)| word)
}

/// How many letters must be changed, added or taken away (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [Setting; 2] = [
        Setting { name: "half_life", meaning: "", default: "1 h" },
        Setting { name: "kp", meaning: "", default: "0.5" },
    ];

    #[test]
    fn wrong_settings_are_refused_with_what_is_allowed() {
        let spec = PolicySpec::named("fair").with("halflife", "1 h");
        let error = Reader::new(&spec, &KNOWN).unwrap_err().to_string();
        assert_eq!(error, "fair has no setting 'halflife' (did you mean 'half_life'?); it has half_life, kp");

        let spec = PolicySpec::named("pid-size").with("kp", "much").with("half_life", 3_u32);
        let reader = Reader::new(&spec, &KNOWN).unwrap();
        assert_eq!(
            reader.number("kp", 0.5, 0.0, 10.0).unwrap_err().to_string(),
            "pid-size: kp is 'much'; allowed is a number from 0 to 10"
        );
        assert!(reader.span("half_life", Span::ZERO).is_err());
        assert!(reader.whole("kp", 1, 0, 9).is_err());
    }

    #[test]
    fn the_nearest_word_is_found_only_if_it_is_near() {
        assert_eq!(nearest("wieghted-fair", ["fifo", "weighted-fair"].into_iter()), Some("weighted-fair"));
        assert_eq!(nearest("lottery", ["fifo", "fair"].into_iter()), None);
    }
}
