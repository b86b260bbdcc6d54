//! Payloads and answers: what tasks and answers say, in chunks on disk. Opaque JSON; nothing here looks inside.
//!
//! A chunk holds the payloads of neighbouring tasks: how many, where each ends, the bytes. Chunks that were used lately are
//! kept in a cache of bounded size. Start at [`Chunk`].

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use muster_engine::fact::Verdict;
use muster_engine::ids::{JobId, TaskId, Token, WorkerId};
use muster_engine::{Time, fact};
use serde::{Deserialize, Serialize};

use crate::journal::{JournalError, Key, Reader};
use crate::keys;

/// A chunk is closed when it holds so many bytes ...
const CHUNK_BYTES: usize = 64 * 1024;
/// ... or so many payloads.
const CHUNK_TASKS: usize = 1024;
/// So many bytes of chunks are kept in memory, with what keeping one takes.
const CACHE_BYTES: usize = 16 * 1024 * 1024;
const KEEPING_BYTES: usize = 128;

/// Payloads of neighbouring tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    bytes: Vec<u8>,
}

impl Chunk {
    fn of(payloads: &[&[u8]]) -> Self {
        let total: usize = payloads.iter().map(|payload| payload.len()).sum();
        let mut bytes = Vec::with_capacity(4 + 4 * payloads.len() + total);
        bytes.extend_from_slice(&small(payloads.len()).to_le_bytes());
        let mut end = 0;
        for payload in payloads {
            end += payload.len();
            bytes.extend_from_slice(&small(end).to_le_bytes());
        }
        payloads.iter().for_each(|payload| bytes.extend_from_slice(payload));
        Self { bytes }
    }

    fn word(&self, place: usize) -> Option<usize> {
        let bytes = self.bytes.get(4 * place..4 * place + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    }

    /// The payload at a place.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<&[u8]> {
        let count = self.word(0)?;
        if place >= count {
            return None;
        }
        let from = if place == 0 { 0 } else { self.word(place)? };
        let (head, to) = (4 + 4 * count, self.word(place + 1)?);
        self.bytes.get(head + from..head + to)
    }
}

fn small(n: usize) -> u32 {
    u32::try_from(n).expect("requests are smaller")
}

/// A job's payloads as blobs: the first task of each chunk, and the chunk.
#[must_use]
pub fn chunks(payloads: &[&[u8]]) -> Vec<(u32, Chunk)> {
    let (mut out, mut from, mut bytes) = (Vec::new(), 0, 0);
    for (place, payload) in payloads.iter().enumerate() {
        if place > from && (bytes + payload.len() > CHUNK_BYTES || place - from >= CHUNK_TASKS) {
            out.push((small(from), Chunk::of(&payloads[from..place])));
            (from, bytes) = (place, 0);
        }
        bytes += payload.len();
    }
    if from < payloads.len() {
        out.push((small(from), Chunk::of(&payloads[from..])));
    }
    out
}

impl Chunk {
    /// As it is kept.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Chunks that were used lately.
#[derive(Debug, Default)]
pub struct Cache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    chunks: BTreeMap<(JobId, u32), Arc<Chunk>>,
    order: VecDeque<(JobId, u32)>,
    bytes: usize,
}

impl Cache {
    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a chunk; the oldest make room for it.
    pub fn keep(&self, job: JobId, first: u32, chunk: Arc<Chunk>) {
        let mut kept = self.kept();
        let bytes = chunk.bytes.len() + KEEPING_BYTES;
        if kept.chunks.insert((job, first), chunk).is_none() {
            kept.order.push_back((job, first));
            kept.bytes += bytes;
        }
        while kept.bytes > CACHE_BYTES {
            let Some(oldest) = kept.order.pop_front() else { break };
            if let Some(chunk) = kept.chunks.remove(&oldest) {
                kept.bytes -= chunk.bytes.len() + KEEPING_BYTES;
            }
        }
    }

    /// The payload of a task, if its chunk is here.
    #[must_use]
    pub fn find(&self, task: TaskId) -> Option<Vec<u8>> {
        let kept = self.kept();
        let (&(job, first), chunk) = kept.chunks.range(..=(task.job, task.index)).next_back()?;
        if job != task.job {
            return None;
        }
        chunk.get((task.index - first) as usize).map(<[u8]>::to_vec)
    }

    /// The payload of a task, from the journal if it must be; `None` if it has none.
    pub fn fetch(&self, reader: &dyn Reader, task: TaskId) -> Result<Option<Vec<u8>>, JournalError> {
        if let Some(found) = self.find(task) {
            return Ok(Some(found));
        }
        let (from, to) = (keys::payload(task.job, 0), keys::payload(task.job, task.index));
        let own = reader.last(&from, &to)?;
        let found = match own {
            Some(found) => Some(found),
            None => staged(reader, task)?,
        };
        let Some((key, bytes)) = found else { return Ok(None) };
        let Some(first) = keys::number(&key) else { return Ok(None) };
        let chunk = Arc::new(Chunk { bytes });
        let payload = chunk.get((task.index - first) as usize).map(<[u8]>::to_vec);
        self.keep(task.job, first, chunk);
        Ok(payload)
    }
}

/// The chunk of a task whose job was uploaded in pieces.
fn staged(reader: &dyn Reader, task: TaskId) -> Result<Option<(Key, Vec<u8>)>, JournalError> {
    let pointer = reader.get(&keys::named(keys::Sort::StagedAs, &task.job.0.to_be_bytes()))?;
    let Some(upload) = pointer.as_deref().and_then(keys::large_number) else { return Ok(None) };
    reader.last(&keys::staged(upload, 0), &keys::staged(upload, task.index))
}

/// Shows the payloads of an upload that is staged, with their places, from one on, until the visitor breaks off.
pub fn each_staged(
    reader: &dyn Reader,
    upload: u64,
    from: u32,
    mut visit: impl FnMut(u32, &[u8]) -> ControlFlow<()>,
) -> Result<(), JournalError> {
    let end = keys::after(&keys::named(keys::Sort::Staged, &upload.to_be_bytes()));
    let mut found = reader.last(&keys::staged(upload, 0), &keys::staged(upload, from))?;
    while let Some((key, bytes)) = found {
        let (chunk, first) = (Chunk { bytes }, keys::number(&key).unwrap_or_default());
        for (index, place) in (first..).zip(0..).take_while(|(_, place)| chunk.get(*place).is_some()) {
            let payload = chunk.get(place).unwrap_or_default();
            if index >= from && visit(index, payload).is_break() {
                return Ok(());
            }
        }
        found = reader.range(&[key.as_slice(), &[0]].concat(), &end, 1)?.into_iter().next();
    }
    Ok(())
}

/// An answer, as kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The number of the fact that says it was given.
    pub number: u64,
    /// When.
    pub at: Time,
    /// Of which task.
    pub task: u32,
    /// By whom.
    pub worker: WorkerId,
    /// Under which lease.
    pub token: Token,
    /// Whether it counts.
    pub verdict: Verdict,
    /// What it was paid.
    pub pay: muster_engine::money::Money,
    /// What it says: JSON.
    pub body: Vec<u8>,
}

/// The answers of one job in one group of commands.
#[derive(Clone, Debug, Default)]
pub struct AnswersOfGroup {
    jobs: BTreeMap<JobId, (u64, Vec<u8>)>,
}

impl AnswersOfGroup {
    /// Adds an answer.
    pub fn push(&mut self, job: JobId, answer: &Answer) {
        let (_, bytes) = self.jobs.entry(job).or_insert_with(|| (answer.number, Vec::new()));
        *bytes = postcard::to_extend(answer, std::mem::take(bytes)).expect("answers are plain data");
    }

    /// The blobs to put.
    pub fn into_changes(self) -> impl Iterator<Item = (Key, Option<Vec<u8>>)> {
        self.jobs.into_iter().map(|(job, (number, bytes))| (keys::answers(job, number), Some(bytes)))
    }
}

/// The answers of a blob.
pub fn answers(mut bytes: &[u8]) -> Result<Vec<Answer>, JournalError> {
    let mut out = Vec::new();
    while !bytes.is_empty() {
        let (answer, rest) = postcard::take_from_bytes(bytes)
            .map_err(|_| JournalError::Failed("an answer on disk is damaged".to_owned()))?;
        out.push(answer);
        bytes = rest;
    }
    Ok(out)
}

/// How a job ended, as kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closing {
    /// When.
    pub at: Time,
    /// How.
    pub outcome: fact::Outcome,
    /// What its answers cost.
    pub spent: muster_engine::money::Money,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_are_found_in_their_chunks() {
        let payloads: Vec<Vec<u8>> = (0..5000).map(|n: usize| vec![b'x'; n % 300]).collect();
        let slices: Vec<&[u8]> = payloads.iter().map(Vec::as_slice).collect();
        let chunks = chunks(&slices);
        assert!(chunks.len() > 1 && chunks.iter().all(|(_, chunk)| chunk.bytes.len() < 2 * CHUNK_BYTES));
        let cache = Cache::default();
        for (first, chunk) in chunks {
            cache.keep(JobId(3), first, Arc::new(chunk));
        }
        for (index, payload) in (0..).zip(&payloads) {
            assert_eq!(cache.find(TaskId { job: JobId(3), index }).as_ref(), Some(payload));
        }
        assert_eq!(cache.find(TaskId { job: JobId(3), index: 5000 }), None);
        assert_eq!(cache.find(TaskId { job: JobId(4), index: 0 }), None);
    }

    #[test]
    fn damaged_chunks_and_answers_are_no_panic() {
        for bytes in [vec![], vec![1], vec![9, 0, 0, 0, 1], vec![1, 0, 0, 0, 255, 255, 0, 0, 7]] {
            assert_eq!(Chunk { bytes }.get(0), None);
        }
        assert!(answers(&[1, 2, 3]).is_err());
    }
}
