//! From what somebody filled in to an answer, or what is wrong with each field.

use serde_json::{Map, Number, Value};

use super::{Choice, Field, Form, Kind};

/// What is wrong, by the field's name.
pub type Faults = Vec<(String, String)>;

impl Form {
    /// The answer that these values make; several values may have the same name. What the form does not ask is left out.
    pub fn read(&self, said: &[(String, String)]) -> Result<Map<String, Value>, Faults> {
        let (mut answer, mut faults) = (Map::new(), Faults::new());
        for field in &self.fields {
            let values = said.iter().filter(|(name, _)| *name == field.name);
            let values: Vec<&str> =
                values.map(|(_, value)| value.as_str()).filter(|value| !value.trim().is_empty()).collect();
            match field.read(&values) {
                Ok(value) => {
                    answer.insert(field.name.clone(), value);
                }
                Err(why) => faults.push((field.name.clone(), why)),
            }
        }
        if faults.is_empty() { Ok(answer) } else { Err(faults) }
    }
}

impl Field {
    fn read(&self, values: &[&str]) -> Result<Value, String> {
        match (&self.kind, values.first()) {
            (Kind::Choices(options), Some(_)) => values.iter().map(|value| chosen(options, value)).collect(),
            (_, None) if self.is_required => Err(self.wanted()),
            (Kind::Choices(_), None) => Ok(Value::Array(Vec::new())),
            (_, None) => Ok(Value::Null),
            (Kind::Choice(options), Some(value)) => chosen(options, value),
            (Kind::Text { most, .. }, Some(value)) => {
                let n = value.chars().count();
                if n > *most {
                    Err(format!("This has {n} letters; at most {most} are allowed."))
                } else {
                    Ok((*value).into())
                }
            }
            (Kind::Number { least, most, step }, Some(value)) => number(value, *least, *most, *step),
        }
    }

    /// What is to be done with a field that was left empty.
    fn wanted(&self) -> String {
        match self.kind {
            Kind::Choice(_) => "Choose one of these.",
            Kind::Choices(_) => "Choose at least one of these.",
            Kind::Text { .. } => "Write something here.",
            Kind::Number { .. } => "Write a number here.",
        }
        .to_owned()
    }
}

fn chosen(options: &[Choice], value: &str) -> Result<Value, String> {
    let found = options.iter().find(|option| option.value == value);
    found.map(|option| option.value.as_str().into()).ok_or_else(|| format!("'{value}' is not one of these."))
}

fn number(text: &str, least: Option<f64>, most: Option<f64>, step: Option<f64>) -> Result<Value, String> {
    let text = text.trim();
    let whole = text.parse::<i64>().ok().map(Number::from);
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
    let value = value.ok_or_else(|| format!("'{text}' is not a number."))?;
    if least.is_some_and(|least| value < least) || most.is_some_and(|most| value > most) {
        return Err(match (least, most) {
            (Some(least), Some(most)) => format!("{text} is not between {least} and {most}."),
            (Some(least), None) => format!("{text} is less than {least}."),
            _ => format!("{text} is more than {}.", most.unwrap_or_default()),
        });
    }
    let steps = step.map(|step| (value - least.unwrap_or(0.0)) / step);
    if steps.is_some_and(|steps| (steps - steps.round()).abs() > 1e-6) {
        return Err(format!("{text} is not in steps of {}.", step.unwrap_or_default()));
    }
    let number = whole.or_else(|| Number::from_f64(value));
    Ok(number.map_or(Value::Null, Value::Number))
}
