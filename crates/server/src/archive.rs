//! A journal as a copy, and as text: backups while the server runs, export as lines of JSON, and import.
//!
//! An export begins with a head, then come the blobs as names and values in hexadecimal digits, then the facts, each as
//! `muster_formats::facts` writes it, so that a tool that reads facts reads the rest of an export. All is read at one moment.
//! An import makes a new file, whole or not at all. Start at [`backup`], [`export`], [`import`].

use std::fs::File;
use std::io::{BufRead, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use muster_formats::facts::{Facts, line};
use serde::{Deserialize, Serialize};

use crate::frame;
use crate::journal::sqlite::{SqliteJournal, SqliteReader};
use crate::journal::{Batch, Frame, Journal, JournalError, Key, Reader};

/// The version of the form of an export.
const VERSION: u32 = 1;
/// Facts in a record of an imported journal.
const FACTS_PER_RECORD: u32 = 256;
/// Blobs that are read or written at once.
const BLOBS_AT_ONCE: usize = 256;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    muster_export: u32,
    seed: u64,
    facts: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Blob {
    blob: String,
    value: String,
}

/// What was copied, written or read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    /// Facts.
    pub facts: u64,
    /// Blobs.
    pub blobs: u64,
}

fn failed(path: &Path, error: &impl std::fmt::Display) -> JournalError {
    JournalError::Failed(format!("{}: {error}", path.display()))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn check_new(path: &Path) -> Result<(), JournalError> {
    if path.exists() { Err(failed(path, &"there is such a file already; name another")) } else { Ok(()) }
}

/// Gives a finished file its name, durably.
fn name_it(unfinished: &Path, path: &Path) -> Result<(), JournalError> {
    let synced = File::open(unfinished).and_then(|file| file.sync_all());
    let named = synced.and_then(|()| std::fs::rename(unfinished, path));
    named.map_err(|error| failed(path, &error))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = File::open(folder.unwrap_or(Path::new(".")));
    folder.and_then(|folder| folder.sync_all()).map_err(|error| failed(path, &error))
}

/// Copies a journal that a server may be writing to: as it is at one moment.
pub fn backup(from: &Path, to: &Path) -> Result<Amounts, JournalError> {
    check_new(to)?;
    let unfinished = beside(to, ".unfinished");
    let _ = std::fs::remove_file(&unfinished);
    SqliteReader::open(from)?.copy_to(&unfinished)?;
    let facts = SqliteReader::open(&unfinished)?.end()?;
    name_it(&unfinished, to)?;
    Ok(Amounts { facts, blobs: 0 })
}

/// Writes a journal as lines of JSON.
pub fn export(from: &Path, out: &mut dyn Write) -> Result<Amounts, JournalError> {
    let reader = SqliteReader::still(from)?;
    let mut out = BufWriter::new(out);
    let mut amounts = Amounts { facts: reader.end()?, blobs: 0 };
    let head = Head { muster_export: VERSION, seed: reader.seed()?, facts: amounts.facts };
    let mut written = put(&mut out, &head);
    let mut next: Key = Vec::new();
    while written.is_ok() {
        let blobs = reader.range(&next, &[u8::MAX; 64], BLOBS_AT_ONCE)?;
        let Some((last, _)) = blobs.last() else { break };
        next = last.clone();
        next.push(0);
        amounts.blobs += blobs.len() as u64;
        written = blobs
            .iter()
            .try_for_each(|(key, value)| put(&mut out, &Blob { blob: hex(key), value: hex(value) }));
    }
    let mut wrong = Ok(());
    reader.frames(0, &mut |first, count, bytes| {
        wrong = frame::each(first, count, bytes, |number, fact| {
            if written.is_ok() {
                written = writeln!(out, "{}", line(number, &fact));
            }
        });
        if wrong.is_ok() && written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    wrong?;
    written.and_then(|()| out.flush()).map_err(|error| JournalError::Failed(error.to_string()))?;
    Ok(amounts)
}

fn put(out: &mut dyn Write, value: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Makes a journal of an export; `name` is what refusals call the text.
pub fn import(name: &str, text: &mut dyn BufRead, to: &Path) -> Result<Amounts, JournalError> {
    check_new(to)?;
    let unfinished = beside(to, ".unfinished");
    let tidy = || {
        for ending in ["", "-wal", "-shm", ".lock"] {
            let _ = std::fs::remove_file(beside(&unfinished, ending));
        }
    };
    tidy();
    let imported = fill(name, text, &unfinished);
    if imported.is_ok() {
        name_it(&unfinished, to)?;
    }
    tidy();
    imported
}

fn fill(name: &str, text: &mut dyn BufRead, path: &Path) -> Result<Amounts, JournalError> {
    let wrong = |line: u64, what: &str| JournalError::Failed(format!("{name}:{line}: {what}"));
    let (mut bytes, mut at) = (Vec::new(), 1_u64);
    let mut next = |bytes: &mut Vec<u8>| {
        bytes.clear();
        text.read_until(b'\n', bytes).map_err(|error| JournalError::Failed(format!("{name}: {error}")))
    };
    next(&mut bytes)?;
    let head: Head = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(1, &format!("this is not the head of an export: {error}")))?;
    if head.muster_export != VERSION {
        return Err(wrong(1, &format!("muster_export is {}; allowed is {VERSION}", head.muster_export)));
    }
    let mut filler = Filler::new(SqliteJournal::open(path, head.seed)?);
    let mut facts = Facts::new(name);
    facts.feed(b"\n", &mut |_, _| ()).map_err(|refused| JournalError::Failed(refused.to_string()))?;
    while next(&mut bytes)? > 0 {
        at += 1;
        if bytes.starts_with(b"{\"blob\"") {
            let blob = serde_json::from_slice::<Blob>(&bytes).ok();
            let blob = blob.and_then(|blob| Some((unhex(&blob.blob)?, unhex(&blob.value)?)));
            filler.blob(blob.ok_or_else(|| wrong(at, "this is not a blob of an export"))?)?;
            bytes = vec![b'\n'];
        }
        let mut put = Ok(());
        facts
            .feed(&bytes, &mut |number, fact| put = filler.fact(number, &fact))
            .map_err(|refused| JournalError::Failed(refused.to_string()))?;
        put.map_err(|error| wrong(at, &error.to_string()))?;
    }
    let mut put = Ok(());
    facts
        .finish(&mut |number, fact| put = filler.fact(number, &fact))
        .map_err(|refused| JournalError::Failed(refused.to_string()))?;
    put?;
    let amounts = filler.finish()?;
    if amounts.facts != head.facts {
        return Err(wrong(at, &format!("there are {} facts; the head says {}", amounts.facts, head.facts)));
    }
    Ok(amounts)
}

/// Fills a new journal.
struct Filler {
    journal: SqliteJournal,
    blobs: Vec<(Key, Option<Vec<u8>>)>,
    facts: Frame,
    amounts: Amounts,
}

impl Filler {
    fn new(journal: SqliteJournal) -> Self {
        Self { journal, blobs: Vec::new(), facts: frame::start(0), amounts: Amounts::default() }
    }

    fn blob(&mut self, (key, value): (Key, Vec<u8>)) -> Result<(), JournalError> {
        self.blobs.push((key, Some(value)));
        self.amounts.blobs += 1;
        if self.blobs.len() >= BLOBS_AT_ONCE { self.flush() } else { Ok(()) }
    }

    fn fact(&mut self, number: u64, fact: &muster_engine::fact::Fact) -> Result<(), JournalError> {
        if number != self.facts.end() {
            let allowed = self.facts.end();
            return Err(JournalError::Failed(format!("number is {number}; allowed is {allowed}")));
        }
        frame::push(&mut self.facts, fact);
        self.amounts.facts += 1;
        if self.facts.count >= FACTS_PER_RECORD { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), JournalError> {
        let facts = std::mem::replace(&mut self.facts, frame::start(self.amounts.facts));
        let batch = Batch { facts, changes: std::mem::take(&mut self.blobs) };
        if batch.is_empty() { Ok(()) } else { self.journal.append(&batch) }
    }

    fn finish(mut self) -> Result<Amounts, JournalError> {
        self.flush()?;
        self.journal.settle()?;
        Ok(self.amounts)
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}
