//! A journal in memory: for tests, and for servers that need not remember.
//!
//! What was appended outlives the [`MemoryJournal`] that wrote it as long as its [`Disk`] does, as a file outlives a process.

use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Batch, Frame, Journal, JournalError, Key, Reader, Visit};

/// What is "on disk".
#[derive(Debug, Default)]
struct Content {
    frames: Vec<Frame>,
    blobs: BTreeMap<Key, Vec<u8>>,
    seed: u64,
    owned: bool,
}

impl Content {
    fn end(&self) -> u64 {
        self.frames.last().map_or(0, Frame::end)
    }
}

/// What stays when the process ends. Clones are the same disk.
#[derive(Clone, Debug, Default)]
pub struct Disk(Arc<Mutex<Content>>);

impl Disk {
    /// An empty one for an engine with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(Content { seed, ..Content::default() })))
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The one who writes to a [`Disk`].
#[derive(Debug)]
pub struct MemoryJournal(Disk);

impl MemoryJournal {
    /// Takes a disk; refused while another has it.
    pub fn open(disk: &Disk) -> Result<Self, JournalError> {
        let mut content = disk.content();
        if content.owned {
            return Err(JournalError::Locked("memory".into()));
        }
        content.owned = true;
        Ok(Self(disk.clone()))
    }
}

impl Drop for MemoryJournal {
    fn drop(&mut self) {
        self.0.content().owned = false;
    }
}

impl Journal for MemoryJournal {
    fn append(&mut self, batch: &Batch) -> Result<(), JournalError> {
        let mut content = self.0.content();
        if batch.facts.count > 0 {
            assert_eq!(batch.facts.first, content.end(), "facts are appended without gaps");
            content.frames.push(batch.facts.clone());
        }
        for (key, value) in &batch.changes {
            match value {
                Some(value) => content.blobs.insert(key.clone(), value.clone()),
                None => content.blobs.remove(key),
            };
        }
        Ok(())
    }

    fn end(&self) -> u64 {
        self.0.content().end()
    }

    fn seed(&self) -> u64 {
        self.0.content().seed
    }

    fn reader(&self) -> Arc<dyn Reader> {
        Arc::new(self.0.clone())
    }
}

impl Reader for Disk {
    fn frames(&self, from: u64, visit: Visit<'_>) -> Result<(), JournalError> {
        let mut next = self.content().frames.partition_point(|frame| frame.end() <= from);
        loop {
            let Some(frame) = self.content().frames.get(next).cloned() else { return Ok(()) };
            if let ControlFlow::Break(()) = visit(frame.first, frame.count, &frame.bytes) {
                return Ok(());
            }
            next += 1;
        }
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError> {
        Ok(self.content().blobs.get(key).cloned())
    }

    fn range(&self, from: &[u8], to: &[u8], most: usize) -> Result<Vec<(Key, Vec<u8>)>, JournalError> {
        let content = self.content();
        if from >= to {
            return Ok(Vec::new());
        }
        let range = content.blobs.range::<[u8], _>((Bound::Included(from), Bound::Excluded(to)));
        Ok(range.take(most).map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    fn last(&self, from: &[u8], to: &[u8]) -> Result<Option<(Key, Vec<u8>)>, JournalError> {
        let content = self.content();
        if from > to {
            return Ok(None);
        }
        let mut range = content.blobs.range::<[u8], _>((Bound::Included(from), Bound::Included(to)));
        Ok(range.next_back().map(|(key, value)| (key.clone(), value.clone())))
    }

    fn end(&self) -> Result<u64, JournalError> {
        Ok(self.content().end())
    }
}
