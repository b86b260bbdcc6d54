//! The journal in a SQLite file: one row for each appended group of facts, one for each blob.
//!
//! Write-ahead log with `synchronous = FULL`: a commit that returned survives a power failure. A file beside it is locked while
//! a server has it, so that a second one is refused. Start at [`SqliteJournal::open`]; what is done about damage is in
//! `check`.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use super::check;
use super::checkpoint::Checkpoints;
use super::{Batch, Journal, JournalError, Key, Mended, Reader, Visit};

/// The format that this release writes.
pub const FORMAT: i64 = 1;

const SCHEMA: &str = "
    CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE facts (first INTEGER PRIMARY KEY, count INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL);
    CREATE TABLE blobs (key BLOB PRIMARY KEY, at INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
";

/// The one who writes to a file.
#[derive(Debug)]
pub struct SqliteJournal {
    connection: Connection,
    path: PathBuf,
    end: u64,
    seed: u64,
    mended: Option<Mended>,
    checkpoints: Checkpoints,
    /// Held as long as this is.
    _lock: File,
}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl SqliteJournal {
    /// Opens the file, or makes it with this seed.
    pub fn open(path: &Path, seed: u64) -> Result<Self, JournalError> {
        let lock = lock(path)?;
        check::length(path)?;
        let connection = Connection::open(path).map_err(|error| at(path, &error))?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        let seed = prepare(&connection, seed)?;
        let (end, mended) = check::end(&connection, path)?;
        let checkpoints = Checkpoints::start(path, &connection)?;
        Ok(Self { connection, path: path.to_owned(), end, seed, mended, checkpoints, _lock: lock })
    }

    /// Lets the file have so many pages at most: a disk that is full, for tests.
    pub fn limit_pages(&self, most: u32) -> Result<(), JournalError> {
        Ok(self.connection.pragma_update(None, "max_page_count", most)?)
    }

    /// Moves everything into the one file, so that it can be moved.
    pub fn settle(self) -> Result<(), JournalError> {
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }

    /// Leaves syncing to the system: for writing large journals quickly, where losing them does not matter.
    pub fn trust_the_system(&self) -> Result<(), JournalError> {
        Ok(self.connection.pragma_update(None, "synchronous", "OFF")?)
    }

    fn write(&mut self, batch: &Batch) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        let facts = &batch.facts;
        if facts.count > 0 {
            let mut insert = transaction
                .prepare_cached("INSERT INTO facts (first, count, sum, bytes) VALUES (?, ?, ?, ?)")?;
            insert.execute(params![signed(facts.first), facts.count, check::sum(facts), facts.bytes])?;
        }
        {
            let mut put = transaction
                .prepare_cached("INSERT OR REPLACE INTO blobs (key, at, value) VALUES (?, ?, ?)")?;
            let mut delete = transaction.prepare_cached("DELETE FROM blobs WHERE key = ?")?;
            for (key, value) in &batch.changes {
                match value {
                    Some(value) => put.execute(params![key, signed(facts.first), value])?,
                    None => delete.execute(params![key])?,
                };
            }
        }
        transaction.commit()
    }
}

/// Facts are numbered from 0, and never come near what does not fit.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn at(path: &Path, error: &impl std::fmt::Display) -> JournalError {
    JournalError::Failed(format!("{}: {error}", path.display()))
}

fn lock(path: &Path) -> Result<File, JournalError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let name = PathBuf::from(name);
    let file = File::options().create(true).truncate(false).write(true).open(&name);
    let file = file.map_err(|error| at(&name, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(JournalError::Locked(path.to_owned())),
        Err(std::fs::TryLockError::Error(error)) => Err(at(&name, &error)),
    }
}

/// Makes the tables if there are none; refuses a format of the future. Returns the seed.
fn prepare(connection: &Connection, seed: u64) -> Result<u64, JournalError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > FORMAT {
        return Err(JournalError::Version { found, known: FORMAT });
    }
    if found == 0 {
        let transaction = connection.unchecked_transaction()?;
        transaction.execute_batch(SCHEMA)?;
        // The bits of the seed, as SQLite's integers have a sign.
        let bits = i64::from_ne_bytes(seed.to_ne_bytes());
        transaction.execute("INSERT INTO meta (name, value) VALUES ('seed', ?)", [bits])?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
        transaction.commit()?;
    }
    Ok(read_seed(connection)?)
}

fn read_seed(connection: &Connection) -> rusqlite::Result<u64> {
    let bits: i64 =
        connection.query_row("SELECT value FROM meta WHERE name = 'seed'", [], |row| row.get(0))?;
    Ok(u64::from_ne_bytes(bits.to_ne_bytes()))
}

impl Journal for SqliteJournal {
    fn append(&mut self, batch: &Batch) -> Result<(), JournalError> {
        assert!(batch.facts.count == 0 || batch.facts.first == self.end, "facts are appended without gaps");
        self.write(batch)?;
        self.checkpoints.written(batch, &self.connection);
        self.end = self.end.max(batch.facts.end());
        Ok(())
    }

    fn end(&self) -> u64 {
        self.end
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn mended(&self) -> Option<&Mended> {
        self.mended.as_ref()
    }

    fn reader(&self) -> Arc<dyn Reader> {
        Arc::new(SqliteReader { path: self.path.clone(), free: Mutex::default() })
    }
}

/// Reads a file that a server may be writing to.
#[derive(Debug)]
pub struct SqliteReader {
    path: PathBuf,
    /// Connections that nobody uses at the moment.
    free: Mutex<Vec<Connection>>,
}

/// So many connections are kept for reading.
const FREE_MOST: usize = 8;

impl SqliteReader {
    /// Reads a file that must exist.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        if !path.exists() {
            return Err(at(path, &"there is no such file"));
        }
        let reader = Self { path: path.to_owned(), free: Mutex::default() };
        let found: i64 = reader
            .with(|connection| connection.pragma_query_value(None, "user_version", |row| row.get(0)))?;
        if found == 0 || found > FORMAT {
            return Err(JournalError::Version { found, known: FORMAT });
        }
        Ok(reader)
    }

    /// Reads a file as it is now, whatever is written later. For one thread.
    pub fn still(path: &Path) -> Result<Self, JournalError> {
        let reader = Self::open(path)?;
        reader.with(|connection| connection.execute_batch("BEGIN"))?;
        // A transaction sees what was there when it first read.
        reader.end()?;
        Ok(reader)
    }

    /// Copies everything, as it is at one moment, into a new file.
    pub fn copy_to(&self, path: &Path) -> Result<(), JournalError> {
        let path = path.to_string_lossy();
        self.with(|connection| connection.execute("VACUUM INTO ?", [path]).map(|_| ()))
    }

    /// The seed of the engine whose facts these are.
    pub fn seed(&self) -> Result<u64, JournalError> {
        self.with(read_seed)
    }

    fn connect(&self) -> Result<Connection, JournalError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(&self.path, flags).map_err(|error| at(&self.path, &error))?;
        connection.busy_timeout(Duration::from_secs(10))?;
        Ok(connection)
    }

    pub(crate) fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = free().pop();
        let connection = kept.map_or_else(|| self.connect(), Ok)?;
        let out = read(&connection)?;
        let mut free = free();
        if free.len() < FREE_MOST {
            free.push(connection);
        }
        Ok(out)
    }
}

impl Reader for SqliteReader {
    fn frames(&self, from: u64, visit: Visit<'_>) -> Result<(), JournalError> {
        let mut damaged = None;
        let mut whole_after = None;
        self.with(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT first, count, sum, bytes FROM facts
                 WHERE first >= coalesce((SELECT max(first) FROM facts WHERE first <= ?1), 0) ORDER BY first",
            )?;
            let mut rows = select.query([signed(from)])?;
            while let Some(row) = rows.next()? {
                let (first, count, said): (i64, u32, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
                let (first, bytes) = (unsigned(first), row.get_ref(3)?.as_blob()?);
                if first + u64::from(count) <= from {
                    continue;
                }
                match (check::sum_of(first, count, bytes) == said, damaged) {
                    (false, None) => damaged = Some(first),
                    (false, Some(_)) => {}
                    (true, Some(_)) => {
                        whole_after = Some(first);
                        break;
                    }
                    (true, None) => {
                        if let ControlFlow::Break(()) = visit(first, count, bytes) {
                            break;
                        }
                    }
                }
            }
            Ok(())
        })?;
        damaged.map_or(Ok(()), |at| Err(JournalError::Damaged { at, resumes: whole_after.unwrap_or(at) }))
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError> {
        self.with(|connection| {
            let mut select = connection.prepare_cached("SELECT value FROM blobs WHERE key = ?")?;
            select.query_row([key], |row| row.get(0)).optional()
        })
    }

    fn range(&self, from: &[u8], to: &[u8], most: usize) -> Result<Vec<(Key, Vec<u8>)>, JournalError> {
        self.with(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT key, value FROM blobs WHERE key >= ? AND key < ? ORDER BY key LIMIT ?",
            )?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            select.query_map(params![from, to, most], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    fn last(&self, from: &[u8], to: &[u8]) -> Result<Option<(Key, Vec<u8>)>, JournalError> {
        self.with(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT key, value FROM blobs WHERE key >= ? AND key <= ? ORDER BY key DESC LIMIT 1",
            )?;
            select.query_row([from, to], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })
    }

    fn end(&self) -> Result<u64, JournalError> {
        self.with(|connection| {
            let mut select =
                connection.prepare_cached("SELECT first + count FROM facts ORDER BY first DESC LIMIT 1")?;
            Ok(select.query_row([], |row| row.get(0)).optional()?.map_or(0, unsigned))
        })
    }
}
