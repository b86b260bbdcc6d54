//! Several answers to one task, counted: what most of them say, field by field.
//!
//! Each answer has one vote for each of its fields; null and missing fields are no votes. What has more votes than any other
//! value wins, whether or not it has more than half of them; of equals none wins, and all of them are named. Values are equal
//! if they are the same JSON: `1` and `"1"` are not. Does not know who answered.

use serde_json::{Map, Value};

use super::cell::{Guard, csv_line};
use super::{column, fields};
use crate::template::shown;

/// The count of one field.
#[derive(Clone, Debug, PartialEq)]
pub struct Vote {
    /// The field; empty if answers are no objects.
    pub field: String,
    /// The values with the most votes, in the order of their first votes: one, or several that are tied.
    pub first: Vec<Value>,
    /// How many votes each of them has.
    pub votes: usize,
    /// How many votes there are.
    pub of: usize,
}

impl Vote {
    /// What has won; `None` if several are tied.
    #[must_use]
    pub fn winner(&self) -> Option<&Value> {
        if let [winner] = &self.first[..] { Some(winner) } else { None }
    }

    /// Whether what has won has more than half of the votes.
    #[must_use]
    pub fn is_absolute(&self) -> bool {
        self.winner().is_some() && 2 * self.votes > self.of
    }

    fn to_json(&self) -> Value {
        let counted = [("votes", self.votes), ("of", self.of)];
        let mut out: Map<String, Value> =
            counted.into_iter().map(|(name, n)| (name.to_owned(), Value::from(n))).collect();
        match self.winner() {
            Some(winner) => out.insert("value".to_owned(), winner.clone()),
            None => out.insert("tied".to_owned(), Value::Array(self.first.clone())),
        };
        Value::Object(out)
    }
}

/// Counts the answers to one task, each given as JSON. Fields stand in the order of their names.
#[must_use]
pub fn count(answers: &[&str]) -> Vec<Vote> {
    let answers: Vec<Map<String, Value>> = answers.iter().map(|answer| fields(answer)).collect();
    names(&answers).into_iter().filter_map(|name| count_field(name, &answers)).collect()
}

/// The fields that answers have, in order.
pub(super) fn names(answers: &[Map<String, Value>]) -> Vec<&String> {
    let mut names: Vec<&String> = answers.iter().flat_map(Map::keys).collect();
    names.sort();
    names.dedup();
    names
}

/// How many votes each value of a field has, in the order of their first votes.
pub(super) fn tally<'a>(name: &str, answers: &'a [Map<String, Value>]) -> Vec<(&'a Value, usize)> {
    let given = answers.iter().filter_map(|answer| answer.get(name)).filter(|value| !value.is_null());
    let mut counts: Vec<(&Value, usize)> = Vec::new();
    for value in given {
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, votes)) => *votes += 1,
            None => counts.push((value, 1)),
        }
    }
    counts
}

/// `None` if nobody has a vote for it.
fn count_field(name: &str, answers: &[Map<String, Value>]) -> Option<Vote> {
    let counts = tally(name, answers);
    let votes = counts.iter().map(|(_, votes)| *votes).max()?;
    let first = counts.iter().filter(|(_, n)| *n == votes).map(|(value, _)| (*value).clone()).collect();
    Some(Vote { field: name.to_owned(), first, votes, of: counts.iter().map(|(_, n)| n).sum() })
}

/// What most say of a task, as a line of JSON without its end.
#[must_use]
pub fn line(task: u32, answers: usize, votes: &[Vote]) -> String {
    let of = |vote: &Vote| {
        (if vote.field.is_empty() { "answer".to_owned() } else { vote.field.clone() }, vote.to_json())
    };
    let fields: Map<String, Value> = votes.iter().map(of).collect();
    format!("{{\"task\":{task},\"answers\":{answers},\"majority\":{}}}", Value::Object(fields))
}

/// The first line of a table with these fields, with its end: for each field what has won, its votes, and what is tied.
#[must_use]
pub fn header(fields: &[String], guard: Guard) -> String {
    let lead = ["task", "answers"].map(str::to_owned).into_iter();
    let of = |name: &String| ["Majority", "Votes", "Tied"].map(|family| column(family, name));
    csv_line(lead.chain(fields.iter().flat_map(of)), guard)
}

/// The line of a task in such a table, with its end.
#[must_use]
pub fn row(task: u32, answers: usize, votes: &[Vote], fields: &[String], guard: Guard) -> String {
    let lead = [task.to_string(), answers.to_string()].into_iter();
    let of = |name: &String| {
        let Some(vote) = votes.iter().find(|vote| vote.field == *name) else {
            return [const { String::new() }; 3];
        };
        let tied = || Value::Array(vote.first.clone()).to_string();
        let won = vote.winner().map(shown);
        [
            won.clone().unwrap_or_default(),
            format!("{} of {}", vote.votes, vote.of),
            if won.is_some() { String::new() } else { tied() },
        ]
    };
    csv_line(lead.chain(fields.iter().flat_map(of)), guard)
}
