//! A journal that fails when it is told to: for tests of what a crash leaves behind.
//!
//! It fails at the n-th append, before anything was written or just after all of it was; from then on it fails always, as if
//! the process had ended there. Or the disk is full for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Batch, Journal, JournalError, Mended, Reader};

/// When an append fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before anything was written.
    Before,
    /// After everything was written, before that could be said.
    After,
}

/// A journal that fails.
pub struct FaultyJournal {
    inner: Box<dyn Journal>,
    left: Option<u64>,
    when: When,
    full: Arc<AtomicBool>,
}

impl FaultyJournal {
    /// Fails at append number `n`, from 0; never if there is none.
    #[must_use]
    pub fn new(inner: Box<dyn Journal>, n: Option<u64>, when: When) -> Self {
        Self { inner, left: n, when, full: Arc::default() }
    }

    /// While this is true the disk is full.
    #[must_use]
    pub fn full(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.full)
    }
}

impl Journal for FaultyJournal {
    fn append(&mut self, batch: &Batch) -> Result<(), JournalError> {
        if self.full.load(Ordering::SeqCst) {
            return Err(JournalError::Full);
        }
        let failed = || Err(JournalError::Failed("the test wants it so".to_owned()));
        match self.left {
            Some(0) => {
                let first = std::mem::replace(&mut self.when, When::Before);
                if first == When::After {
                    self.inner.append(batch)?;
                }
                failed()
            }
            left => {
                self.left = left.map(|left| left - 1);
                self.inner.append(batch)
            }
        }
    }

    fn end(&self) -> u64 {
        self.inner.end()
    }

    fn seed(&self) -> u64 {
        self.inner.seed()
    }

    fn mended(&self) -> Option<&Mended> {
        self.inner.mended()
    }

    fn reader(&self) -> Arc<dyn Reader> {
        self.inner.reader()
    }
}
