//! Answers of a job, read back: in the order in which they came, or gathered by task. Does not know HTTP.
//!
//! Answers lie in blobs by job and number of the first answer's fact; a blob holds those of one group of commands.

use std::collections::BTreeMap;

use muster_engine::fact::Verdict;
use muster_engine::ids::{JobId, TaskId};
use muster_formats::results::{Answered, majority};
use serde_json::{Value, json};

use crate::journal::{JournalError, Reader};
use crate::keys::{self, Sort};
use crate::payload::{self, Answer, Cache};
use crate::wire::Moment;

/// So many blobs are read at a time.
const BLOBS_AT_ONCE: usize = 64;

/// A job's answers, from a fact number on.
pub struct Answers<'a> {
    reader: &'a dyn Reader,
    job: JobId,
    /// The next blob's name.
    from: Vec<u8>,
    /// Answers before this are not wanted.
    least: u64,
}

impl<'a> Answers<'a> {
    /// From a fact number on.
    pub fn from(reader: &'a dyn Reader, job: JobId, least: u64) -> Result<Self, JournalError> {
        // The blob before may hold answers that are wanted.
        let before = reader.last(&keys::answers(job, 0), &keys::answers(job, least))?;
        let from = before.map_or_else(|| keys::answers(job, least), |(key, _)| key);
        Ok(Self { reader, job, from, least })
    }

    /// The next answers; none if there are no more now.
    pub fn more(&mut self) -> Result<Vec<Answer>, JournalError> {
        loop {
            let prefix = keys::named(Sort::Answers, &self.job.0.to_be_bytes());
            let blobs = self.reader.range(&self.from, &keys::after(&prefix), BLOBS_AT_ONCE)?;
            let Some((last, _)) = blobs.last() else { return Ok(Vec::new()) };
            self.from = [last.as_slice(), &[0]].concat();
            let mut found = Vec::new();
            for (_, bytes) in &blobs {
                let wanted = |answer: &Answer| answer.number >= self.least;
                found.extend(payload::answers(bytes)?.into_iter().filter(wanted));
            }
            if let Some(last) = found.last() {
                self.least = last.number + 1;
                return Ok(found);
            }
        }
    }

    /// The fact number from which a later reader goes on.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.least
    }
}

/// Whether an answer fills a slot.
#[must_use]
pub fn counts(answer: &Answer) -> bool {
    answer.verdict != Verdict::LateKept
}

/// In a word.
#[must_use]
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Counted => "counted",
        Verdict::LateCounted => "late-counted",
        Verdict::LateKept => "late-kept",
    }
}

/// An answer with its task's inputs, as it is told.
pub fn told<T>(
    reader: &dyn Reader,
    cache: &Cache,
    job: JobId,
    answer: &Answer,
    tell: impl FnOnce(&Answered<'_>) -> T,
) -> Result<T, JournalError> {
    let input = cache.fetch(reader, TaskId { job, index: answer.task })?.unwrap_or_default();
    let about: [(&str, Value); 4] = [
        ("number", json!(answer.number)),
        ("at", json!(Moment(answer.at))),
        ("verdict", json!(word(answer.verdict))),
        ("pay", json!(answer.pay.as_units_f64())),
    ];
    let worker = answer.worker.0.to_string();
    Ok(tell(&Answered {
        task: answer.task,
        worker: &worker,
        about: &about,
        input: &String::from_utf8_lossy(&input),
        answer: &String::from_utf8_lossy(&answer.body),
    }))
}

/// The answers that count, task by task. Takes as much memory as they do.
pub fn by_task(reader: &dyn Reader, job: JobId) -> Result<BTreeMap<u32, Vec<String>>, JournalError> {
    let mut tasks: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut answers = Answers::from(reader, job, 0)?;
    loop {
        let found = answers.more()?;
        if found.is_empty() {
            return Ok(tasks);
        }
        for answer in found.into_iter().filter(counts) {
            let said = String::from_utf8_lossy(&answer.body).into_owned();
            tasks.entry(answer.task).or_default().push(said);
        }
    }
}

/// How far the answers to one field agree, over all tasks with several answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Tasks with several votes for the field.
    pub tasks: u32,
    /// Of them those where all votes are equal.
    pub unanimous: u32,
    /// Of them those where nothing has won.
    pub tied: u32,
    /// The share of equal pairs among all pairs of votes, summed over tasks.
    pairs: f64,
}

impl Agreement {
    /// The mean share of pairs of votes on a task that are equal; `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.tasks > 0).then(|| self.pairs / f64::from(self.tasks))
    }

    /// Counts a task's answers, each given as JSON.
    fn count(&mut self, values: &[Value], vote: &majority::Vote) {
        let n = values.len();
        let equal = (0..n)
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .filter(|(a, b)| values[*a] == values[*b])
            .count();
        self.tasks += 1;
        self.unanimous += u32::from(vote.votes == vote.of);
        self.tied += u32::from(vote.winner().is_none());
        self.pairs += equal as f64 / (n * (n - 1) / 2) as f64;
    }
}

/// How far answers agree, field by field; the field is empty for answers that are no objects.
#[must_use]
pub fn agreement<'a>(tasks: impl Iterator<Item = &'a Vec<String>>) -> BTreeMap<String, Agreement> {
    let mut fields: BTreeMap<String, Agreement> = BTreeMap::new();
    for answers in tasks.filter(|answers| answers.len() > 1) {
        let texts: Vec<&str> = answers.iter().map(String::as_str).collect();
        let parsed: Vec<Value> =
            texts.iter().map(|text| serde_json::from_str(text).unwrap_or_default()).collect();
        for vote in majority::count(&texts).iter().filter(|vote| vote.of > 1) {
            let values = parsed.iter().filter_map(|answer| field(answer, &vote.field)).cloned();
            fields.entry(vote.field.clone()).or_default().count(&values.collect::<Vec<_>>(), vote);
        }
    }
    fields
}

fn field<'a>(answer: &'a Value, name: &str) -> Option<&'a Value> {
    let found = match answer {
        Value::Object(fields) => fields.get(name),
        other => name.is_empty().then_some(other),
    };
    found.filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_the_share_of_equal_pairs() {
        let tasks = [
            vec![r#"{"cat":1}"#.to_owned(), r#"{"cat":1}"#.to_owned(), r#"{"cat":2}"#.to_owned()],
            vec![r#"{"cat":3}"#.to_owned(), r#"{"cat":3,"dog":1}"#.to_owned()],
            vec![r#"{"cat":4}"#.to_owned(), r#"{"cat":5}"#.to_owned()],
            vec![r#"{"cat":9}"#.to_owned()],
        ];
        let fields = agreement(tasks.iter());
        let cat = fields["cat"];
        assert_eq!((cat.tasks, cat.unanimous, cat.tied), (3, 1, 1));
        assert!((cat.mean().unwrap() - (1.0 / 3.0 + 1.0 + 0.0) / 3.0).abs() < 1e-12);
        assert!(!fields.contains_key("dog"));
        assert!(agreement([vec!["7".to_owned(), "7".to_owned()]].iter()).contains_key(""));
    }
}
