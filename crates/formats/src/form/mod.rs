//! Forms: what a task shows and what it asks, so that no HTML is needed.
//!
//! ```json
//! {
//!   "show": [{"input": "photo", "as": "image"}, {"input": "text", "label": "What was written"}],
//!   "fields": [
//!     {"name": "verdict", "label": "Is it allowed?", "type": "choice", "options": ["yes", {"value": "no", "label": "No, remove it"}]},
//!     {"name": "tags", "type": "choices", "options": ["spam", "rude"], "required": false},
//!     {"name": "total", "type": "number", "least": 0, "step": 0.01},
//!     {"name": "note", "type": "text", "lines": 3, "required": false}
//!   ]
//! }
//! ```
//!
//! Without `show`, all inputs of a task are shown, addresses of pictures as pictures. Does not know pages: how a form looks is theirs.
//! Start at [`Form::parse`]; [`Form::read`] makes an answer of what somebody filled in.

mod check;
mod read;

pub use read::Faults;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::refusal::{At, Reason, Refusal, Refusals};
use crate::template::shown;

/// A form.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// What of a task is shown, in this order; everything if not said.
    pub show: Option<Vec<Show>>,
    /// What is asked, in this order.
    pub fields: Vec<Field>,
}

/// An input that is shown.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// Which.
    pub input: String,
    /// What stands above it.
    pub label: Option<String>,
    /// In which way.
    #[serde(rename = "as", default)]
    pub way: Way,
}

/// The way an input is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// As text.
    #[default]
    Text,
    /// As the picture at this address.
    Image,
    /// As a link to this address.
    Link,
}

/// Something that is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name in the answer.
    pub name: String,
    /// The question.
    pub label: String,
    /// What helps to answer it.
    pub hint: Option<String>,
    /// Whether it must be answered.
    pub is_required: bool,
    /// What is wanted.
    pub kind: Kind,
}

/// What a field wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// One of these.
    Choice(Vec<Choice>),
    /// Any of these.
    Choices(Vec<Choice>),
    /// A text.
    Text {
        /// So many lines are shown.
        lines: u32,
        /// So many letters at most.
        most: usize,
    },
    /// A number.
    Number {
        /// Not less.
        least: Option<f64>,
        /// Not more.
        most: Option<f64>,
        /// In these steps.
        step: Option<f64>,
    },
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As it stands in the answer.
    pub value: String,
    /// As it is shown.
    pub label: String,
}

/// Something to show of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What stands above it.
    pub label: String,
    /// The text, or the address.
    pub value: String,
    /// In which way.
    pub way: Way,
}

impl Form {
    /// Parses a form, in JSON. `name` is what it is called in refusals; all that is wrong is said.
    pub fn parse(name: &str, text: &str) -> Result<Self, Refusals> {
        let said: check::Said = serde_json::from_str(text).map_err(|error| {
            let at = Some(At::line(error.line() as u64));
            let reason = Reason::Format(format!("{name}: {error}"));
            Refusals::from(Refusal { file: name.to_owned(), at, field: String::new(), reason })
        })?;
        check::check(name, said)
    }

    /// A form for apps that have none: everything is shown, and a text is wanted.
    #[must_use]
    pub fn plain() -> Self {
        let kind = Kind::Text { lines: 4, most: check::TEXT_MOST };
        let (name, label) = ("answer".to_owned(), "Your answer".to_owned());
        Self { show: None, fields: vec![Field { name, label, hint: None, is_required: true, kind }] }
    }

    /// What is to be shown of a task with this payload.
    #[must_use]
    pub fn shown(&self, payload: &Value) -> Vec<Shown> {
        let Value::Object(inputs) = payload else {
            let value = shown(payload);
            return if value.is_empty() {
                Vec::new()
            } else {
                vec![Shown { label: String::new(), way: guess(&value), value }]
            };
        };
        match &self.show {
            Some(show) => show.iter().map(|show| chosen(show, inputs)).collect(),
            None => inputs.iter().map(|(name, value)| given(name, value)).collect(),
        }
    }
}

fn chosen(show: &Show, inputs: &Map<String, Value>) -> Shown {
    let value = inputs.get(&show.input).map(shown).unwrap_or_default();
    let way = if show.way == Way::Text || is_address(&value) { show.way } else { Way::Text };
    Shown { label: show.label.clone().unwrap_or_else(|| show.input.clone()), value, way }
}

fn given(name: &str, value: &Value) -> Shown {
    let value = shown(value);
    Shown { label: name.to_owned(), way: guess(&value), value }
}

/// Whether a value is an address that a page may load or link to.
fn is_address(value: &str) -> bool {
    let small = value.trim().to_ascii_lowercase();
    let is_picture = small.starts_with("data:image/") && !small.starts_with("data:image/svg");
    small.starts_with("https://") || small.starts_with("http://") || is_picture
}

/// How a value is best shown if nobody says.
fn guess(value: &str) -> Way {
    let small = value.trim().to_ascii_lowercase();
    let path = small.split(['?', '#']).next().unwrap_or_default();
    let pictures = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif"];
    match is_address(value) && !small.contains(char::is_whitespace) {
        true if small.starts_with("data:") || pictures.iter().any(|ending| path.ends_with(ending)) => {
            Way::Image
        }
        true => Way::Link,
        false => Way::Text,
    }
}

#[cfg(test)]
mod tests;
