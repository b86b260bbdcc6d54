//! The journal: facts and blobs, durable together or not at all.
//!
//! A [`Batch`] is what one group of commands came to: a frame of facts, and blobs put or deleted. [`Journal::append`] returns
//! when it is durable. A [`Reader`] sees what is durable, from any thread. Knows neither the engine nor what blobs mean.
//! Invariant: facts are numbered without gaps, and a batch is there whole or not at all. Start at [`Journal`].

mod check;
mod checkpoint;
pub mod fault;
pub mod memory;
pub mod sqlite;

use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// The name of a blob. Names compare as bytes.
pub type Key = Vec<u8>;

/// Facts as bytes, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The number of the first fact.
    pub first: u64,
    /// How many facts there are.
    pub count: u32,
    /// The facts.
    pub bytes: Vec<u8>,
}

impl Frame {
    /// The number of the fact after the last.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.first + u64::from(self.count)
    }
}

/// What is made durable at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The facts; there may be none.
    pub facts: Frame,
    /// Blobs that are put (`Some`) or deleted (`None`), in this order.
    pub changes: Vec<(Key, Option<Vec<u8>>)>,
}

impl Batch {
    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.facts.count == 0 && self.changes.is_empty()
    }
}

/// Something found wrong with a journal when it was opened, and mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// Facts from this number on were cut off.
    pub from: u64,
    /// How many.
    pub count: u64,
    /// Where what was cut off is kept.
    pub kept: PathBuf,
}

impl fmt::Display for Mended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the end of the journal was damaged: {} facts from number {} on were cut off, and are kept in {}",
            self.count,
            self.from,
            self.kept.display()
        )
    }
}

/// What is wrong with a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalError {
    /// The disk is full: nothing was written, and writing may work later.
    Full,
    /// Another process uses it.
    Locked(PathBuf),
    /// It was written by a release with another format.
    Version {
        /// The version found.
        found: i64,
        /// The latest that this release knows.
        known: i64,
    },
    /// Facts before the end cannot be read.
    Damaged {
        /// The number of the first fact that cannot be read.
        at: u64,
        /// Facts that can be read go on from this number.
        resumes: u64,
    },
    /// Anything else, in the words of the one who failed.
    Failed(String),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("the disk is full; free some space, and the server goes on by itself"),
            Self::Locked(path) => {
                write!(f, "{} is in use by another process; stop that one first", path.display())
            }
            Self::Version { found, known } => write!(
                f,
                "the journal has format {found}, and this release reads up to {known}; use a newer release"
            ),
            Self::Damaged { at, resumes } => write!(
                f,
                "the journal is damaged: fact {at} cannot be read, while facts from {resumes} on can; \
                 nothing was changed. Restore a backup made with `muster backup`"
            ),
            Self::Failed(words) => f.write_str(words),
        }
    }
}

impl std::error::Error for JournalError {}

/// Looks at one frame after the other: the number of the first fact, how many there are, their bytes.
pub type Visit<'a> = &'a mut dyn FnMut(u64, u32, &[u8]) -> ControlFlow<()>;

/// Where facts and blobs are kept. One owner writes.
pub trait Journal: Send {
    /// Makes a batch durable, whole; on an error nothing of it is there.
    fn append(&mut self, batch: &Batch) -> Result<(), JournalError>;

    /// The number that the next fact gets.
    fn end(&self) -> u64;

    /// The seed of the engine whose facts these are.
    fn seed(&self) -> u64;

    /// What was cut off when it was opened.
    fn mended(&self) -> Option<&Mended> {
        None
    }

    /// Somebody who reads, from any thread, while this one writes.
    fn reader(&self) -> Arc<dyn Reader>;
}

/// Reads what is durable.
pub trait Reader: Send + Sync {
    /// Shows the frames that hold facts from number `from` on, in order, until the visitor breaks off. The first frame may
    /// begin before `from`.
    fn frames(&self, from: u64, visit: Visit<'_>) -> Result<(), JournalError>;

    /// A blob.
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError>;

    /// The blobs from `from` up to, not including, `to`, in order, `most` at most.
    fn range(&self, from: &[u8], to: &[u8], most: usize) -> Result<Vec<(Key, Vec<u8>)>, JournalError>;

    /// The last blob whose name is at least `from` and at most `to`.
    fn last(&self, from: &[u8], to: &[u8]) -> Result<Option<(Key, Vec<u8>)>, JournalError>;

    /// The number of the fact after the last durable one.
    fn end(&self) -> Result<u64, JournalError>;
}
