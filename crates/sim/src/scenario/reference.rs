//! The reference of scenario files: a few words first, and then every key. What `docs/scenario.md` holds.

use std::fmt::Write as _;

use super::keys::{Form, Group, groups};

/// The reference in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut out = include_str!("reference.md").to_owned();
    let mut chapter = "";
    for group in groups() {
        if group.of != chapter {
            chapter = group.of;
            out.push_str(opening(chapter));
        }
        out.push_str(&if chapter.is_empty() { table(group) } else { choice(group) });
    }
    out
}

/// What stands before tables of which one is chosen.
fn opening(chapter: &str) -> &'static str {
    match chapter {
        "arrivals" => {
            "\n## Arrivals: `arrivals = { law = \"poisson\", ... }`\n\nWhen jobs come. Which keys there are depends on the law.\n"
        }
        "law" => {
            "\n## Laws: `{ law = \"log-normal\", mean = \"18 s\", sd = \"12 s\" }`\n\nHow long things take, and how many there are. A bare value is always that. Times are written with units, counts\nand factors without.\n"
        }
        _ => "\n## Aims: `recommend = { aim = \"wait\", ... }`\n\nWhat a recommended size should achieve.\n",
    }
}

fn table(group: &Group) -> String {
    format!("\n## `{}`\n\n{}\n\n{}", group.written, group.about, rows(group))
}

fn choice(group: &Group) -> String {
    format!("\n### {}\n\n{}\n\n{}", group.name, group.about, rows(group))
}

fn rows(group: &Group) -> String {
    let mut out =
        "| key | what it may be | default | meaning | example |\n|---|---|---|---|---|\n".to_owned();
    for key in group.keys {
        let (name, form) = (key.name, words(key.form));
        let example = if key.example.starts_with("[[") && !key.example.contains('"') {
            format!("`{}`", key.example)
        } else if matches!(key.form, Form::Table("crowd" | "policy")) && key.example.starts_with('[') {
            format!("`{}`", key.example)
        } else {
            format!("`{name} = {}`", key.example)
        };
        writeln!(out, "| `{name}` | {form} | {} | {} | {example} |", key.default, key.meaning)
            .expect("a text takes everything");
    }
    out
}

/// A form in words.
fn words(form: Form) -> String {
    match form {
        Form::Span => "time".to_owned(),
        Form::SpanOrZero => "time, or 0".to_owned(),
        Form::Rate => "rate".to_owned(),
        Form::Money => "money".to_owned(),
        Form::MoneyRate => "money per time".to_owned(),
        Form::Share => "share".to_owned(),
        Form::Whole => "whole number".to_owned(),
        Form::Number => "number".to_owned(),
        Form::Text => "text".to_owned(),
        Form::Flag => "true or false".to_owned(),
        Form::Word(words) => words.join(", "),
        Form::Name(what) => format!("name of {what}"),
        Form::Names(what) => format!("list of names of {what}"),
        Form::File => "name of a file".to_owned(),
        Form::Times(_) => "time, or a law of times".to_owned(),
        Form::Counts => "number, or a law of counts".to_owned(),
        Form::Numbers => "number, or a law of numbers".to_owned(),
        Form::Amount => "time or number".to_owned(),
        Form::Amounts => "list of times or numbers".to_owned(),
        Form::Parts => "list of laws".to_owned(),
        Form::PerKind => "whole number, or one by kind".to_owned(),
        Form::WorkOf => "a law of times by kind".to_owned(),
        Form::Likes => "number or law from 0 to 1, or one by app".to_owned(),
        Form::Points => "list of points".to_owned(),
        Form::Table(_) => "table".to_owned(),
        Form::Tables(_) => "list of tables".to_owned(),
        Form::SpanOr(_) => "time, or a table".to_owned(),
        Form::FileOr(_) => "name of a file, or a table".to_owned(),
        Form::OneOf(_) => "table".to_owned(),
        Form::Policy(_) => "policy".to_owned(),
    }
}
