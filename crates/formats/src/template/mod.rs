//! Templates: HTML with variables such as `${image_url}`, as MTurk and Turkle have them.
//!
//! Parsed once, with the place of each variable in the page, and filled with the inputs of a task. Nothing is ever executed
//! here, and what a task holds cannot become markup or script there: each value is written in the way of its place.
//!
//! | place | how a value is written |
//! |---|---|
//! | text, quoted attribute | `& < > " '` and the backtick as character references |
//! | comment | the same, and other dashes for dashes |
//! | address (`href`, `src` ...) | the same; one that would run script or names an unusual scheme becomes `about:invalid` |
//! | `<script>`, `onclick` ... | all but letters and digits as `\u0022`: write the variable within quotes there |
//! | `<style>`, `style` | all but letters and digits as `\000022` |
//!
//! Places where no way of writing is safe are refused when the template is parsed: names of tags and attributes, attributes
//! without quotes, `srcdoc`, addresses of scripts, and addresses that are scripts. `$${` stands for a plain `${`.
//!
//! Does not know tasks beyond their inputs. Start at [`Template`].

mod escape;
mod place;

use std::collections::BTreeSet;

use crate::refusal::nearest;
use serde_json::{Map, Value};

use crate::refusal::{Reason, Refusal, Refusals};
use crate::source::Source;
use place::{Place, Scanner, makes_scheme};

/// No longer template than this is taken, in bytes.
pub const TEMPLATE_MOST: usize = 1 << 20;

/// No longer name of a variable than this is taken, in letters.
const NAME_MOST: usize = 100;

/// A template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
    variables: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(String),
    Variable(String, Place),
}

/// How the variables of a template and the inputs of tasks go together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fit {
    /// Variables that no input fills, each with the nearest input.
    pub missing: Vec<(String, Option<String>)>,
    /// Inputs that no variable shows.
    pub unused: Vec<String>,
}

impl Template {
    /// Parses a template. `name` is what it is called in refusals; all that is wrong is said.
    pub fn parse(name: &str, text: &str) -> Result<Self, Refusals> {
        let source = Source::new(name, text);
        let refusal = |at, field: &str, sentence: String| Refusal {
            file: name.to_owned(),
            at,
            field: field.to_owned(),
            reason: Reason::Other(sentence),
        };
        if text.len() > TEMPLATE_MOST {
            let long = format!("the template has {} bytes; at most {TEMPLATE_MOST} are taken", text.len());
            return Err(refusal(None, "", long).into());
        }
        let mut wrong = Vec::new();
        let template = Self::gather(text, &mut |from, to, field, sentence| {
            wrong.push(refusal(Some(source.at(&(from..to))), field, sentence));
        });
        if wrong.is_empty() { Ok(template) } else { Err(Refusals(wrong)) }
    }

    fn gather(text: &str, refuse: &mut dyn FnMut(usize, usize, &str, String)) -> Self {
        let (mut template, mut scanner) = (Self { parts: Vec::new(), variables: Vec::new() }, Scanner::new());
        let mut seen = BTreeSet::new();
        let mut at = 0;
        while let Some(found) = text[at..].find("${").map(|found| at + found) {
            if text[at..found].ends_with('$') {
                template.literal(&text[at..found - 1], &mut scanner);
                template.literal("${", &mut scanner);
                at = found + 2;
                continue;
            }
            template.literal(&text[at..found], &mut scanner);
            let Some(name) = name_at(&text[found + 2..]) else {
                let how = "a variable is written as ${name}, with letters, digits, spaces and _ - . in its name; \
                           for a plain ${ write $${";
                refuse(found, found + 2, "", how.to_owned());
                template.literal("${", &mut scanner);
                at = found + 2;
                continue;
            };
            at = found + 2 + name.len() + 1;
            let name = name.trim();
            match scanner.variable() {
                Ok(place) if makes_scheme(place, &text[at..]) => {
                    refuse(
                        found,
                        at,
                        &format!("${{{name}}}"),
                        "the scheme of an address cannot be a variable".to_owned(),
                    );
                }
                Ok(place) => template.parts.push(Part::Variable(name.to_owned(), place)),
                Err(why) => refuse(found, at, &format!("${{{name}}}"), why.to_owned()),
            }
            if seen.insert(name.to_owned()) {
                template.variables.push(name.to_owned());
            }
        }
        template.literal(&text[at..], &mut scanner);
        template
    }

    fn literal(&mut self, text: &str, scanner: &mut Scanner) {
        scanner.literal(text);
        match self.parts.last_mut() {
            Some(Part::Literal(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.parts.push(Part::Literal(text.to_owned())),
        }
    }

    /// Its variables, in the order in which they first stand there.
    #[must_use]
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// How it goes together with these inputs.
    #[must_use]
    pub fn fit(&self, inputs: &[String]) -> Fit {
        let near = |name: &String| nearest(name, inputs.iter().map(String::as_str)).map(str::to_owned);
        let missing = self.variables.iter().filter(|name| !inputs.contains(name));
        let unused = inputs.iter().filter(|input| !self.variables.contains(input));
        Fit {
            missing: missing.map(|name| (name.clone(), near(name))).collect(),
            unused: unused.cloned().collect(),
        }
    }

    /// The page for a task with these inputs; the error names a variable that none of them fills.
    pub fn render(&self, inputs: &Map<String, Value>) -> Result<String, String> {
        let mut page = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) => page.push_str(text),
                Part::Variable(name, place) => {
                    let value = inputs.get(name).ok_or_else(|| name.clone())?;
                    escape::write(&shown(value), *place, &mut page);
                }
            }
        }
        Ok(page)
    }
}

/// A value as text: nothing for null, JSON for lists and objects.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The name before the next `}`, if it is one.
fn name_at(text: &str) -> Option<&str> {
    let name = &text[..text.find('}')?];
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    let fits = !name.trim().is_empty() && name.chars().count() <= NAME_MOST && name.chars().all(is_letter);
    fits.then_some(name)
}

#[cfg(test)]
mod tests;
