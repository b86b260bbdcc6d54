//! Snapshots: the engine as it stood at a fact number, so that a start need not go through all facts.
//!
//! A second engine, in a thread of its own, goes from the last snapshot through the durable facts after it; the first one is
//! never paused. The bytes are then put piece by piece between groups, and the head, which makes the snapshot count, last.
//! A snapshot that cannot be read by this release is passed over: the facts are enough.

use std::sync::Arc;
use std::thread::JoinHandle;

use muster_engine::engine::Engine;
use serde::{Deserialize, Serialize};

use crate::frame;
use crate::journal::{Batch, Journal, JournalError, Key, Reader};
use crate::keeper::recover;
use crate::keys::{self, Sort};

const PIECE_BYTES: usize = 256 * 1024;

/// What makes a snapshot count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    position: u64,
    pieces: u32,
    sum: u32,
}

fn piece_key(position: u64, piece: u32) -> Key {
    let mut key = keys::named(Sort::Snapshot, &position.to_be_bytes());
    key.extend_from_slice(&piece.to_be_bytes());
    key
}

/// The name of the head of the last whole snapshot.
fn head_key() -> Key {
    keys::only(Sort::Snapshot)
}

/// The name of the head of one that is being put.
fn plan_key() -> Key {
    keys::named(Sort::Snapshot, b"plan")
}

fn head(reader: &dyn Reader, key: &[u8]) -> Result<Option<Head>, JournalError> {
    Ok(reader.get(key)?.and_then(|bytes| postcard::from_bytes(&bytes).ok()))
}

/// The bytes of the last whole snapshot.
pub fn load(reader: &dyn Reader) -> Result<Option<Vec<u8>>, JournalError> {
    let Some(head) = head(reader, &head_key())? else { return Ok(None) };
    let mut bytes = Vec::new();
    for piece in 0..head.pieces {
        let Some(part) = reader.get(&piece_key(head.position, piece))? else { return Ok(None) };
        bytes.extend_from_slice(&part);
    }
    Ok((crc32fast::hash(&bytes) == head.sum && head.position <= reader.end()?).then_some(bytes))
}

/// A snapshot that is being put.
struct Writing {
    head: Head,
    bytes: Vec<u8>,
    next: u32,
}

type Built = Result<(u64, Vec<u8>), JournalError>;

/// Makes snapshots as facts come.
pub struct Snapshots {
    reader: Arc<dyn Reader>,
    seed: u64,
    every: u64,
    last: Option<Head>,
    /// One that was begun and not finished.
    abandoned: Option<Head>,
    building: Option<JoinHandle<Built>>,
    writing: Option<Writing>,
    /// Not before so many facts, after one that failed.
    not_before: u64,
}

impl Snapshots {
    /// One every so many facts.
    pub fn new(reader: Arc<dyn Reader>, seed: u64, every: u64) -> Result<Self, JournalError> {
        let (last, abandoned) = (head(&*reader, &head_key())?, head(&*reader, &plan_key())?);
        Ok(Self { reader, seed, every, last, abandoned, building: None, writing: None, not_before: 0 })
    }

    /// Whether there is something to put.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.writing.is_some() || self.building.is_some()
    }

    /// The facts now end at `end`: starts a snapshot if it is time, or puts the next piece of one.
    pub fn follow(&mut self, end: u64, journal: &mut dyn Journal) -> Result<(), JournalError> {
        if self.building.as_ref().is_some_and(JoinHandle::is_finished) {
            let built = self.building.take().and_then(|thread| thread.join().ok());
            match built {
                Some(Ok((position, bytes))) => self.writing = Some(Writing::new(position, bytes)),
                _ => self.not_before = end + self.every,
            }
        }
        if self.writing.is_some() {
            return self.put_piece(journal);
        }
        let since = end - self.last.map_or(0, |head| head.position.min(end));
        if self.building.is_none() && since >= self.every && end >= self.not_before {
            let (reader, seed) = (Arc::clone(&self.reader), self.seed);
            let thread = std::thread::Builder::new().name("snapshot".to_owned());
            self.building = thread.spawn(move || build(&*reader, seed)).ok();
        }
        Ok(())
    }

    fn put_piece(&mut self, journal: &mut dyn Journal) -> Result<(), JournalError> {
        let Some(writing) = &mut self.writing else { return Ok(()) };
        let head = writing.head;
        let mut changes = Vec::new();
        if writing.next == 0 {
            let old = self.abandoned.take().filter(|old| old.position != head.position);
            changes.extend(old.iter().flat_map(Head::deletions));
            changes.push((plan_key(), Some(encode(&head))));
        }
        changes.push(writing.next_change());
        let done = writing.next == head.pieces;
        if done {
            let old = self.last.filter(|last| last.position != head.position);
            changes.extend(old.iter().flat_map(Head::deletions));
            changes.push((head_key(), Some(encode(&head))));
            changes.push((plan_key(), None));
        }
        match journal.append(&Batch { facts: frame::start(journal.end()), changes }) {
            Ok(()) if done => {
                self.last = Some(head);
                self.writing = None;
            }
            Ok(()) => {}
            Err(JournalError::Full) => {
                self.not_before = journal.end() + self.every;
                self.abandoned = Some(head);
                self.writing = None;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// A last snapshot, of the engine itself, when nothing more comes.
    pub fn last(&mut self, engine: &Engine, journal: &mut dyn Journal) -> Result<(), JournalError> {
        self.building = None;
        let position = engine.state().facts();
        if position == 0 || self.last.is_some_and(|head| head.position == position) {
            return Ok(());
        }
        self.abandoned = self.writing.take().map(|writing| writing.head).or(self.abandoned);
        self.writing = Some(Writing::new(position, engine.snapshot()));
        while self.writing.is_some() {
            self.put_piece(journal)?;
        }
        Ok(())
    }
}

fn build(reader: &dyn Reader, seed: u64) -> Built {
    let engine = recover::engine(reader, seed)?;
    Ok((engine.state().facts(), engine.snapshot()))
}

fn encode(head: &Head) -> Vec<u8> {
    postcard::to_extend(head, Vec::new()).expect("heads are plain data")
}

impl Head {
    fn deletions(&self) -> impl Iterator<Item = (Key, Option<Vec<u8>>)> + use<> {
        let position = self.position;
        (0..self.pieces).map(move |piece| (piece_key(position, piece), None))
    }
}

impl Writing {
    fn new(position: u64, bytes: Vec<u8>) -> Self {
        let pieces = u32::try_from(bytes.len().div_ceil(PIECE_BYTES)).expect("a snapshot fits on a disk");
        let head = Head { position, pieces, sum: crc32fast::hash(&bytes) };
        Self { head, bytes, next: 0 }
    }

    fn next_change(&mut self) -> (Key, Option<Vec<u8>>) {
        let from = self.next as usize * PIECE_BYTES;
        let part = &self.bytes[from..(from + PIECE_BYTES).min(self.bytes.len())];
        let change = (piece_key(self.head.position, self.next), Some(part.to_vec()));
        self.next += 1;
        change
    }
}
