//! The JSON schema of scenario files, for editors: completes keys, shows what they mean, marks slips while typing.
//!
//! Made of [`super::keys`] and of the policies that the engine knows. A schema cannot say everything the parser checks, and
//! allows what a variant may leave out. Start at [`schema`].

use muster_engine::policy::Registry;
use muster_engine::policy::settings::Setting;
use muster_formats::policy::FAMILIES;
use serde_json::{Map, Value, json};

use super::keys::{Form, Group, Key, choices, group, groups};

/// A length of time as a pattern.
const SPAN: &str = r"^\s*([0-9]*\.?[0-9]+\s*(d|h|min|m|s|ms|us|ns)\s*)+$";

/// What a law is of.
#[derive(Clone, Copy)]
enum Of {
    Times,
    Counts,
    Numbers,
}

/// The schema.
#[must_use]
pub fn schema(registry: &Registry) -> Value {
    let mut definitions = Map::new();
    for table in groups().filter(|group| group.of.is_empty()) {
        definitions.insert(table.name.to_owned(), table_of(table, Of::Times));
    }
    for (name, of) in [("times", Of::Times), ("counts", Of::Counts), ("numbers", Of::Numbers)] {
        definitions.insert(name.to_owned(), law(of, &[]));
    }
    for more in ["recruiting", "staying"] {
        let keys = group(more).map_or(&[][..], |group| group.keys);
        definitions.insert(format!("times-{more}"), law(Of::Times, keys));
    }
    definitions.insert("arrivals".to_owned(), one_of("arrivals", "law", &[]));
    definitions.insert("recommend".to_owned(), one_of("recommend", "aim", &[]));
    for family in FAMILIES {
        definitions.insert(format!("policy-{}", family.name()), policy(&registry.describe(family)));
    }
    let mut top = group("scenario").map_or(Value::Null, |top| table_of(top, Of::Times));
    top["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    top["title"] = json!("Muster scenario");
    top["required"] = json!(["app"]);
    top["definitions"] = Value::Object(definitions);
    top
}

fn table_of(table: &Group, of: Of) -> Value {
    let mut properties = Map::new();
    for key in table.keys {
        properties.insert(key.name.to_owned(), property(key, of));
    }
    json!({ "type": "object", "description": table.about, "properties": properties, "additionalProperties": false })
}

/// What a key may hold, with what it means.
fn property(key: &Key, of: Of) -> Value {
    let mut value = form(key.form, of);
    let text = format!("{} Default: {}. Example: {} = {}", key.meaning, key.default, key.name, key.example);
    // Beside a reference nothing else is looked at, so it is put into a list of one.
    if value.get("$ref").is_some() {
        value = json!({ "allOf": [value] });
    }
    value["description"] = json!(text);
    value
}

fn refer(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

fn list_of(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn any_of(choices: &[Value]) -> Value {
    json!({ "anyOf": choices })
}

fn span() -> Value {
    json!({ "type": "string", "pattern": SPAN })
}

fn amount(of: Of) -> Value {
    match of {
        Of::Times => any_of(&[span(), json!({ "const": 0 })]),
        Of::Counts | Of::Numbers => json!({ "type": "number", "minimum": 0 }),
    }
}

fn form(form: Form, of: Of) -> Value {
    match form {
        Form::Span => span(),
        Form::SpanOrZero => amount(Of::Times),
        Form::Rate => json!({ "type": "string", "pattern": r"^\s*[0-9.eE+-]+\s*/\s*[a-z]+\s*$" }),
        Form::Money => json!({ "type": "string", "pattern": r"^\s*[0-9]*\.?[0-9]*\s*[A-Z]{3}\s*$" }),
        Form::MoneyRate => {
            json!({ "type": "string", "pattern": r"^\s*[0-9.eE+-]+\s*[A-Z]{3}\s*/\s*[a-z]+\s*$" })
        }
        Form::Share => any_of(&[
            json!({ "type": "number", "minimum": 0, "maximum": 1 }),
            json!({ "type": "string", "pattern": r"^\s*[0-9.eE+-]+\s*%?\s*$" }),
        ]),
        Form::Whole => json!({ "type": "integer", "minimum": 0 }),
        Form::Number => json!({ "type": "number", "minimum": 0 }),
        Form::Text | Form::Name(_) | Form::File => json!({ "type": "string" }),
        Form::Names(_) => list_of(&json!({ "type": "string" })),
        Form::Flag => json!({ "type": "boolean" }),
        Form::Word(words) => json!({ "enum": words }),
        Form::Table(name) => refer(name),
        Form::Tables(name) => list_of(&refer(name)),
        Form::Points => {
            let point = json!([amount(Of::Times), { "type": "number", "minimum": 0 }]);
            list_of(&json!({ "type": "array", "items": point, "minItems": 2, "maxItems": 2 }))
        }
        Form::Policy(family) => refer(&format!("policy-{family}")),
        other => composed(other, of),
    }
}

/// Forms made of others.
fn composed(form: Form, of: Of) -> Value {
    let by_name = |of_each: Value| json!({ "type": "object", "additionalProperties": of_each });
    match form {
        Form::Times("") => refer("times"),
        Form::Times(more) => refer(&format!("times-{more}")),
        Form::Counts => refer("counts"),
        Form::Numbers => refer("numbers"),
        Form::Amounts => list_of(&amount(of)),
        Form::Parts => list_of(&json!({ "type": "object", "required": ["law"] })),
        Form::PerKind => {
            let whole = json!({ "type": "integer", "minimum": 0 });
            any_of(&[whole.clone(), by_name(whole)])
        }
        Form::WorkOf => by_name(refer("times")),
        Form::Likes => any_of(&[refer("numbers"), by_name(refer("numbers"))]),
        Form::SpanOr(name) => any_of(&[span(), refer(name)]),
        Form::FileOr(name) => any_of(&[json!({ "type": "string" }), refer(name)]),
        Form::OneOf(name) => refer(name),
        _ => amount(of),
    }
}

/// A bare value, or one of the laws.
fn law(of: Of, more: &[Key]) -> Value {
    let mut laws = branches("law", "law", of, more);
    laws.insert(0, amount(of));
    any_of(&laws)
}

fn one_of(name: &'static str, tag: &str, more: &[Key]) -> Value {
    let mut all = branches(name, tag, Of::Times, more);
    let words: Vec<&str> = choices(name).map(|choice| choice.name).collect();
    all.insert(0, json!({ "enum": words }));
    any_of(&all)
}

/// One table for each choice, and one for a variant that leaves the choice as it is.
fn branches(name: &'static str, tag: &str, of: Of, more: &[Key]) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    let mut every = Map::new();
    for choice in choices(name) {
        let mut table = table_of(choice, of);
        for key in more {
            table["properties"][key.name] = property(key, of);
        }
        if let Some(properties) = table["properties"].as_object() {
            every.extend(properties.clone());
        }
        table["properties"][tag] = json!({ "const": choice.name });
        table["required"] = json!([tag]);
        all.push(table);
    }
    every.remove(tag);
    all.push(json!({ "type": "object", "properties": every, "additionalProperties": false }));
    all
}

/// A name, or a table with the name and its settings.
fn policy(entries: &[(&'static str, &'static str, &'static [Setting])]) -> Value {
    let names: Vec<&str> = entries.iter().map(|(name, ..)| *name).collect();
    let mut all = vec![json!({ "enum": names })];
    for (name, about, settings) in entries {
        let mut properties = Map::new();
        properties.insert("name".to_owned(), json!({ "const": name }));
        for setting in *settings {
            let text = format!("{} Default: {}.", setting.meaning, setting.default);
            properties.insert(setting.name.to_owned(), json!({ "description": text }));
        }
        all.push(json!({
            "type": "object", "description": about, "properties": properties, "required": ["name"],
            "additionalProperties": false,
        }));
    }
    any_of(&all)
}
