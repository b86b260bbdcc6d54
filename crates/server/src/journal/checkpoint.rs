//! Checkpoints: what the write-ahead log holds goes into the file, in a thread of its own, so that no commit waits for it.
//!
//! A checkpoint that runs while commits go on never quite catches up, and the log would grow; so when it is much too long the
//! writer itself finishes the little that is left, and the log begins anew. Knows only pages, not what is in them.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

use super::{Batch, JournalError};

/// A checkpoint is begun when about so many pages were written.
const BEGIN_PAGES: usize = 1_000;
/// The writer finishes it when there are about so many.
const FINISH_PAGES: usize = 16_000;
const PAGE_BYTES: usize = 4_096;
/// A commit changes at least about so many pages.
const COMMIT_PAGES: usize = 4;

/// The one who makes checkpoints.
#[derive(Debug)]
pub(super) struct Checkpoints {
    wanted: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    since_begun: usize,
    since_finished: usize,
}

impl Checkpoints {
    /// For the journal in this file, whose writer leaves checkpoints to this one.
    pub(super) fn start(path: &Path, writer: &Connection) -> Result<Self, JournalError> {
        writer.pragma_update(None, "wal_autocheckpoint", 0)?;
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        let (wanted, wishes) = sync_channel(1);
        let thread = std::thread::Builder::new().name("checkpoint".to_owned());
        let thread = thread
            .spawn(move || run(&connection, &wishes))
            .map_err(|error| JournalError::Failed(format!("no thread for checkpoints: {error}")))?;
        Ok(Self { wanted: Some(wanted), thread: Some(thread), since_begun: 0, since_finished: 0 })
    }

    /// A batch was written.
    pub(super) fn written(&mut self, batch: &Batch, writer: &Connection) {
        let blobs: usize = batch.changes.iter().filter_map(|(_, value)| value.as_ref()).map(Vec::len).sum();
        let pages = COMMIT_PAGES + (batch.facts.bytes.len() + blobs) / PAGE_BYTES + batch.changes.len() / 8;
        self.since_begun += pages;
        self.since_finished += pages;
        if self.since_finished >= FINISH_PAGES {
            // A reader may hold it up: then the next batch tries again.
            if checkpoint(writer, "RESTART") {
                (self.since_begun, self.since_finished) = (0, 0);
            }
        } else if self.since_begun >= BEGIN_PAGES
            && self.wanted.as_ref().is_some_and(|it| it.try_send(()).is_ok())
        {
            self.since_begun = 0;
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.wanted = None;
        if let Some(thread) = self.thread.take() {
            // It ends when nothing more is wanted; how is no matter at the end.
            let _ = thread.join();
        }
    }
}

fn run(connection: &Connection, wishes: &Receiver<()>) {
    while wishes.recv().is_ok() {
        checkpoint(connection, "PASSIVE");
    }
}

/// Whether it came to its end. Failing is no harm: what is in the log is durable.
fn checkpoint(connection: &Connection, how: &str) -> bool {
    let busy = connection.query_row(&format!("PRAGMA wal_checkpoint({how})"), [], |row| row.get::<_, i64>(0));
    busy.is_ok_and(|busy| busy == 0)
}
