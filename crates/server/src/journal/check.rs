//! Checking a SQLite journal when it is opened: sums, gaps, a damaged end.
//!
//! The facts at the end are checked here, the rest when they are read for recovery. A damaged end is cut back to the last
//! whole record, and what is cut off is kept in a file beside the journal, with the blobs that were written with it.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use super::{Frame, JournalError, Mended};

/// The checksum of a frame.
pub(super) fn sum(frame: &Frame) -> i64 {
    sum_of(frame.first, frame.count, &frame.bytes)
}

pub(super) fn sum_of(first: u64, count: u32, bytes: &[u8]) -> i64 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&first.to_le_bytes());
    hasher.update(&count.to_le_bytes());
    hasher.update(bytes);
    i64::from(hasher.finalize())
}

/// Refuses a file that has been cut short. While there is a log beside it, the file may be shorter than it says: what is
/// missing is in the log.
pub(super) fn length(path: &Path) -> Result<(), JournalError> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let is_empty = |path: &Path| std::fs::metadata(path).map_or(true, |found| found.len() == 0);
    let Ok(mut file) = std::fs::File::open(path) else { return Ok(()) };
    let mut head = [0; 100];
    if !is_empty(Path::new(&log)) || file.read_exact(&mut head).is_err() {
        return Ok(());
    }
    // As SQLite's file format has it: the size of a page, where 1 is 65536, and how many there are.
    let page = match u64::from(u16::from_be_bytes([head[16], head[17]])) {
        1 => 65_536,
        page => page,
    };
    let said = page * u64::from(u32::from_be_bytes([head[28], head[29], head[30], head[31]]));
    let there = file.metadata().map_or(said, |found| found.len());
    if there >= said || !head.starts_with(b"SQLite format 3\0") {
        return Ok(());
    }
    let path = path.display();
    Err(JournalError::Failed(format!(
        "{path} has been cut short: {there} of {said} bytes are there; nothing was changed. Restore a backup made with `muster backup`"
    )))
}

struct Row {
    first: u64,
    count: u32,
    whole: bool,
}

fn last_before(connection: &Connection, before: i64) -> Result<Option<Row>, JournalError> {
    let mut select = connection.prepare_cached(
        "SELECT first, count, sum, bytes FROM facts WHERE first < ? ORDER BY first DESC LIMIT 1",
    )?;
    let row = select.query_row([before], |row| {
        let (first, count, said): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let first = u64::try_from(first).unwrap_or(0);
        let count = u32::try_from(count).unwrap_or(0);
        let whole = row.get_ref(3)?.as_blob().is_ok_and(|bytes| sum_of(first, count, bytes) == said);
        Ok(Row { first, count, whole })
    });
    Ok(row.optional()?)
}

/// Where the facts end, after a damaged end has been cut off.
pub(super) fn end(connection: &Connection, path: &Path) -> Result<(u64, Option<Mended>), JournalError> {
    let mut before = i64::MAX;
    while let Some(row) = last_before(connection, before)? {
        if row.whole {
            let end = row.first + u64::from(row.count);
            let mended = if before == i64::MAX { None } else { Some(cut(connection, path, end)?) };
            return Ok((end, mended));
        }
        before = i64::try_from(row.first).unwrap_or(i64::MAX);
    }
    let mended = if before == i64::MAX { None } else { Some(cut(connection, path, 0)?) };
    Ok((0, mended))
}

/// Moves the facts from `end` on, and the blobs written with them, into a file of their own.
fn cut(connection: &Connection, path: &Path, end: u64) -> Result<Mended, JournalError> {
    let from = i64::try_from(end).unwrap_or(i64::MAX);
    let kept = side_file(path, end);
    let failed = |error: std::io::Error| JournalError::Failed(format!("{}: {error}", kept.display()));
    let mut file = std::fs::File::options().write(true).create_new(true).open(&kept).map_err(failed)?;
    let mut count: u64 = 0;
    let mut rows =
        connection.prepare("SELECT first, count, bytes FROM facts WHERE first >= ? ORDER BY first")?;
    let mut rows = rows.query([from])?;
    while let Some(row) = rows.next()? {
        let n: i64 = row.get(1)?;
        count += u64::try_from(n).unwrap_or(0);
        write_record(
            &mut file,
            b'F',
            &row.get::<_, i64>(0)?.to_be_bytes(),
            row.get_ref(2)?.as_bytes().unwrap_or(&[]),
        )
        .map_err(failed)?;
    }
    let mut blobs = connection.prepare("SELECT key, value FROM blobs WHERE at >= ? ORDER BY key")?;
    let mut blobs = blobs.query([from])?;
    while let Some(row) = blobs.next()? {
        let (key, value) = (row.get_ref(0)?.as_bytes(), row.get_ref(1)?.as_bytes());
        write_record(&mut file, b'B', key.unwrap_or(&[]), value.unwrap_or(&[])).map_err(failed)?;
    }
    file.sync_all().map_err(failed)?;
    let transaction = connection.unchecked_transaction()?;
    transaction.execute("DELETE FROM facts WHERE first >= ?", params![from])?;
    transaction.execute("DELETE FROM blobs WHERE at >= ?", params![from])?;
    transaction.commit()?;
    Ok(Mended { from: end, count, kept })
}

/// A letter, and two byte strings with their lengths in front.
fn write_record(file: &mut std::fs::File, kind: u8, key: &[u8], value: &[u8]) -> std::io::Result<()> {
    let mut record = vec![kind];
    for part in [key, value] {
        record.extend_from_slice(&(part.len() as u64).to_be_bytes());
        record.extend_from_slice(part);
    }
    file.write_all(&record)
}

/// The first name beside the journal that is not taken.
fn side_file(path: &Path, end: u64) -> PathBuf {
    let name = |n: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".cut-{end}{}", if n == 0 { String::new() } else { format!("-{n}") }));
        PathBuf::from(name)
    };
    (0..).map(name).find(|name| !name.exists()).unwrap_or_else(|| name(u32::MAX))
}
