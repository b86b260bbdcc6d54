//! What tasks say, what people answer to them, and what people are called. Knows nothing of when.
//!
//! [`Plain`] will do where nobody looks at the words; whoever wants sensible ones brings a [`Content`] of their own.

use std::fmt;

use serde_json::{Value, json};

/// Words for tasks, answers and people. The same for the same numbers, so that a run can be repeated.
pub trait Content: fmt::Debug + Send + Sync {
    /// What a task says: the demand it is of, its app, and its number among the demand's tasks so far.
    fn task(&self, demand: &str, app: &str, number: u64) -> Value;

    /// What somebody, by their number, answers to a task that has this place in its job.
    fn answer(&self, app: &str, task: &Value, place: u32, person: u64) -> Value;

    /// What somebody is called, by their kind and their number among all of it.
    fn name(&self, kind: &str, number: u64) -> String {
        format!("{kind} {}", number + 1)
    }
}

/// Numbered items, and one of three labels on which most people agree.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Content for Plain {
    fn task(&self, _demand: &str, _app: &str, number: u64) -> Value {
        json!({"item": number})
    }

    fn answer(&self, _app: &str, _task: &Value, place: u32, person: u64) -> Value {
        let label = (u64::from(place) + u64::from(person.is_multiple_of(7))) as usize % 3;
        let label = ["yes", "no", "unsure"][label];
        json!({"label": label})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_agree_on_a_label() {
        let labels: Vec<Value> = (1..8).map(|person| Plain.answer("", &Value::Null, 4, person)).collect();
        assert_eq!(labels.iter().filter(|label| **label == labels[0]).count(), 6);
        assert_eq!(Plain.name("person", 0), "person 1");
    }
}
