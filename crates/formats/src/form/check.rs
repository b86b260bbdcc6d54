//! From what was written to a form: what is allowed where, and every refusal at once.

use serde::Deserialize;

use super::{Choice, Field, Form, Kind, Show};
use crate::refusal::{Reason, Refusal, Refusals};

const FIELDS_MOST: usize = 100;
const OPTIONS_MOST: usize = 200;
const NAME_MOST: usize = 100;
const LINES_MOST: u32 = 50;
/// No longer text than this can be asked for, in letters.
pub(super) const TEXT_MOST: usize = 20_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Said {
    show: Option<Vec<Show>>,
    fields: Vec<FieldSaid>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldSaid {
    name: String,
    #[serde(rename = "type")]
    kind: KindSaid,
    label: Option<String>,
    hint: Option<String>,
    required: Option<bool>,
    options: Option<Vec<OptionSaid>>,
    lines: Option<u32>,
    least: Option<f64>,
    most: Option<f64>,
    step: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KindSaid {
    Choice,
    Choices,
    Text,
    Number,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OptionSaid {
    Plain(String),
    Labelled { value: String, label: String },
}

struct Wrong<'a> {
    file: &'a str,
    found: Vec<Refusal>,
}

impl Wrong<'_> {
    /// Notes a value that is not allowed, unless `ok`.
    fn unless(&mut self, ok: bool, field: &str, value: impl std::fmt::Display, allowed: &str) {
        if !ok {
            let reason =
                Reason::Value { value: value.to_string(), allowed: allowed.to_owned(), nearest: None };
            self.found.push(Refusal {
                file: self.file.to_owned(),
                at: None,
                field: field.to_owned(),
                reason,
            });
        }
    }
}

pub(super) fn check(file: &str, said: Said) -> Result<Form, Refusals> {
    let mut wrong = Wrong { file, found: Vec::new() };
    let n = said.fields.len();
    wrong.unless(
        (1..=FIELDS_MOST).contains(&n),
        "fields",
        format_args!("a list of {n}"),
        "a list of 1 to 100",
    );
    let mut fields: Vec<Field> = Vec::new();
    for (i, it) in said.fields.into_iter().enumerate() {
        let place = format!("fields[{i}]");
        let twice = fields.iter().any(|field| field.name == it.name);
        wrong.unless(is_name(&it.name), &format!("{place}.name"), format_args!("'{}'", it.name), NAME);
        wrong.unless(
            !twice,
            &format!("{place}.name"),
            format_args!("'{}'", it.name),
            "a name that no other field has",
        );
        fields.push(field(it, &place, &mut wrong));
    }
    for (i, show) in said.show.iter().flatten().enumerate() {
        wrong.unless(
            !show.input.is_empty(),
            &format!("show[{i}].input"),
            "''",
            "the name of an input of the tasks",
        );
    }
    if wrong.found.is_empty() { Ok(Form { show: said.show, fields }) } else { Err(Refusals(wrong.found)) }
}

const NAME: &str = "1 to 100 letters, digits and _ - . such as \"verdict\"";

fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    !name.is_empty() && name.chars().count() <= NAME_MOST && name.chars().all(fits)
}

fn field(it: FieldSaid, place: &str, wrong: &mut Wrong<'_>) -> Field {
    misplaced(&it, place, wrong);
    let kind = match it.kind {
        KindSaid::Choice => Kind::Choice(options(it.options, place, wrong)),
        KindSaid::Choices => Kind::Choices(options(it.options, place, wrong)),
        KindSaid::Text => {
            let (lines, most) = (it.lines.unwrap_or(1), it.most.unwrap_or(TEXT_MOST as f64));
            wrong.unless((1..=LINES_MOST).contains(&lines), &format!("{place}.lines"), lines, "1 to 50");
            let fits = most.fract() == 0.0 && (1.0..=TEXT_MOST as f64).contains(&most);
            wrong.unless(fits, &format!("{place}.most"), most, "a whole number of letters from 1 to 20000");
            Kind::Text { lines, most: most as usize }
        }
        KindSaid::Number => {
            let (least, most, step) = (it.least, it.most, it.step);
            let ordered = least.zip(most).is_none_or(|(least, most)| least <= most);
            wrong.unless(
                ordered,
                &format!("{place}.least"),
                least.unwrap_or_default(),
                "not more than `most`",
            );
            wrong.unless(
                step.is_none_or(|step| step > 0.0),
                &format!("{place}.step"),
                step.unwrap_or_default(),
                "more than 0",
            );
            Kind::Number { least, most, step }
        }
    };
    // What may be left out by its nature is not demanded unless said.
    let is_required = it.required.unwrap_or(!matches!(kind, Kind::Choices(_)));
    Field {
        label: it.label.unwrap_or_else(|| it.name.clone()),
        name: it.name,
        hint: it.hint,
        is_required,
        kind,
    }
}

/// Settings that the field's type does not have.
fn misplaced(it: &FieldSaid, place: &str, wrong: &mut Wrong<'_>) {
    let is = |kinds: &[KindSaid]| kinds.contains(&it.kind);
    let said = [
        ("options", it.options.is_some(), is(&[KindSaid::Choice, KindSaid::Choices]), "choice and choices"),
        ("lines", it.lines.is_some(), is(&[KindSaid::Text]), "text"),
        ("least", it.least.is_some(), is(&[KindSaid::Number]), "number"),
        ("most", it.most.is_some(), is(&[KindSaid::Number, KindSaid::Text]), "number and text"),
        ("step", it.step.is_some(), is(&[KindSaid::Number]), "number"),
    ];
    for (name, is_said, is_known, types) in said {
        wrong.unless(
            !is_said || is_known,
            &format!("{place}.{name}"),
            "set",
            &format!("for the type {types} only"),
        );
    }
}

fn options(said: Option<Vec<OptionSaid>>, place: &str, wrong: &mut Wrong<'_>) -> Vec<Choice> {
    let said = said.unwrap_or_default();
    let (field, n) = (format!("{place}.options"), said.len());
    let wanted = "a list of 1 to 200, such as [\"yes\", {\"value\": \"no\", \"label\": \"No, remove it\"}]";
    wrong.unless((1..=OPTIONS_MOST).contains(&n), &field, format_args!("a list of {n}"), wanted);
    let mut choices: Vec<Choice> = Vec::new();
    for it in said {
        let choice = match it {
            OptionSaid::Plain(value) => Choice { label: value.clone(), value },
            OptionSaid::Labelled { value, label } => Choice { value, label },
        };
        let twice = choices.iter().any(|other| other.value == choice.value);
        wrong.unless(
            !twice && !choice.value.is_empty(),
            &field,
            format_args!("'{}'", choice.value),
            "values that differ, none empty",
        );
        choices.push(choice);
    }
    choices
}
