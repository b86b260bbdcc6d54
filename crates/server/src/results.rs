//! Answers of a job, read back: in the order in which they came, or gathered by task. Does not know HTTP.
//!
//! Answers lie in blobs by job and number of the first answer's fact; a blob holds those of one group of commands.

use std::collections::BTreeMap;

use muster_engine::fact::Verdict;
use muster_engine::ids::{JobId, TaskId};
use muster_formats::results::Answered;
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

/// The last answers of a job, the latest first; all of them, whether or not they count.
pub fn latest(reader: &dyn Reader, job: JobId, most: usize) -> Result<Vec<Answer>, JournalError> {
    let (first, mut until, mut found) = (keys::answers(job, 0), keys::answers(job, u64::MAX), Vec::new());
    while found.len() < most {
        let Some((key, bytes)) = reader.last(&first, &until)? else { break };
        found.extend(payload::answers(&bytes)?.into_iter().rev());
        let Some(before) = keys::large_number(&key).and_then(|number| number.checked_sub(1)) else { break };
        until = keys::answers(job, before);
    }
    found.truncate(most);
    Ok(found)
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
