//! One suite for every journal: what is appended is there, whole or not at all; and what only files can suffer.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use muster_server::frame;
use muster_server::journal::memory::{Disk, MemoryJournal};
use muster_server::journal::sqlite::{SqliteJournal, SqliteReader};
use muster_server::journal::{Batch, Frame, Journal, JournalError, Reader};

/// Something that is opened again and again, as a process is started again and again.
trait Place {
    fn open(&self) -> Result<Box<dyn Journal>, JournalError>;
}

impl Place for Disk {
    fn open(&self) -> Result<Box<dyn Journal>, JournalError> {
        MemoryJournal::open(self).map(|journal| Box::new(journal) as Box<dyn Journal>)
    }
}

impl Place for PathBuf {
    fn open(&self) -> Result<Box<dyn Journal>, JournalError> {
        SqliteJournal::open(self, 7).map(|journal| Box::new(journal) as Box<dyn Journal>)
    }
}

fn frame(first: u64, count: u32) -> Frame {
    Frame { first, count, bytes: vec![u8::try_from(count).unwrap(); 3] }
}

fn batch(first: u64, count: u32, changes: &[(&str, Option<&str>)]) -> Batch {
    let bytes = |text: &str| text.as_bytes().to_vec();
    let changes = changes.iter().map(|(key, value)| (bytes(key), value.map(bytes))).collect();
    Batch { facts: frame(first, count), changes }
}

fn frames(reader: &dyn Reader, from: u64) -> Vec<(u64, u32)> {
    let mut seen = Vec::new();
    let mut visit = |first, count, bytes: &[u8]| {
        assert_eq!(bytes, frame(first, count).bytes);
        seen.push((first, count));
        ControlFlow::Continue(())
    };
    reader.frames(from, &mut visit).unwrap();
    seen
}

fn keys(reader: &dyn Reader, from: &str, to: &str, most: usize) -> Vec<String> {
    let found = reader.range(from.as_bytes(), to.as_bytes(), most).unwrap();
    found.into_iter().map(|(key, _)| String::from_utf8(key).unwrap()).collect()
}

/// What every journal must do.
fn conforms(place: &dyn Place) {
    let mut journal = place.open().unwrap();
    let reader = journal.reader();
    assert_eq!((journal.end(), reader.end().unwrap(), journal.seed()), (0, 0, 7));
    assert_eq!(frames(&*reader, 0), []);
    assert!(matches!(place.open(), Err(JournalError::Locked(_))));

    journal.append(&batch(0, 3, &[("a1", Some("x")), ("b1", Some("y"))])).unwrap();
    journal.append(&batch(3, 1, &[("a1", Some("z")), ("b1", None), ("a2", Some(""))])).unwrap();
    journal.append(&batch(4, 0, &[("a3", Some("1")), ("a3", None), ("a3", Some("2"))])).unwrap();
    journal.append(&batch(4, 5, &[])).unwrap();
    assert_eq!((journal.end(), reader.end().unwrap()), (9, 9));

    assert_eq!(frames(&*reader, 0), [(0, 3), (3, 1), (4, 5)]);
    assert_eq!(frames(&*reader, 2), [(0, 3), (3, 1), (4, 5)]);
    assert_eq!(frames(&*reader, 3), [(3, 1), (4, 5)]);
    assert_eq!(frames(&*reader, 8), [(4, 5)]);
    assert_eq!(frames(&*reader, 9), []);
    let mut first = None;
    reader
        .frames(0, &mut |number, _, _| {
            first = Some(number);
            ControlFlow::Break(())
        })
        .unwrap();
    assert_eq!(first, Some(0));

    let get = |key: &str| reader.get(key.as_bytes()).unwrap().map(|value| String::from_utf8(value).unwrap());
    assert_eq!((get("a1"), get("a2"), get("a3")), (Some("z".into()), Some(String::new()), Some("2".into())));
    assert_eq!((get("b1"), get("")), (None, None));
    assert_eq!(keys(&*reader, "a", "b", 10), ["a1", "a2", "a3"]);
    assert_eq!(keys(&*reader, "a2", "a3", 10), ["a2"]);
    assert_eq!(keys(&*reader, "a", "b", 2), ["a1", "a2"]);
    assert_eq!(keys(&*reader, "b", "a", 2), [""; 0]);
    let last =
        |from: &str, to: &str| reader.last(from.as_bytes(), to.as_bytes()).unwrap().map(|(key, _)| key);
    assert_eq!(last("a", "a25"), Some(b"a2".to_vec()));
    assert_eq!(last("a", "a2"), Some(b"a2".to_vec()));
    assert_eq!(last("b", "z"), None);

    drop(journal);
    let journal = place.open().unwrap();
    assert_eq!((journal.end(), journal.seed(), journal.mended()), (9, 7, None));
    assert_eq!(frames(&*journal.reader(), 0), [(0, 3), (3, 1), (4, 5)]);
}

#[test]
fn memory_conforms() {
    conforms(&Disk::new(7));
}

#[test]
fn sqlite_conforms() {
    let folder = tempfile::tempdir().unwrap();
    conforms(&folder.path().join("journal"));
}

/// A journal of three groups with one blob each, closed.
fn three(path: &Path) {
    let mut journal = SqliteJournal::open(path, 7).unwrap();
    for (first, key) in [(0, "k0"), (2, "k2"), (4, "k4")] {
        journal.append(&batch(first, 2, &[(key, Some("v"))])).unwrap();
    }
}

/// Damages a row behind the journal's back.
fn damage(path: &Path, first: i64) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let changed = connection.execute("UPDATE facts SET bytes = x'00' WHERE first = ?", [first]).unwrap();
    assert_eq!(changed, 1);
}

#[test]
fn a_damaged_end_is_cut_off_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    three(&path);
    damage(&path, 4);
    damage(&path, 2);
    let journal = SqliteJournal::open(&path, 7).unwrap();
    let mended = journal.mended().unwrap();
    assert_eq!((mended.from, mended.count), (2, 4));
    let kept = std::fs::read(&mended.kept).unwrap();
    assert!(kept.windows(2).any(|window| window == b"k2") && kept.windows(2).any(|window| window == b"k4"));
    assert!(mended.to_string().contains("4 facts from number 2"));
    let reader = journal.reader();
    assert_eq!(frames(&*reader, 0), [(0, 2)]);
    assert_eq!(keys(&*reader, "k", "l", 9), ["k0"]);
    drop(journal);
    assert_eq!(SqliteJournal::open(&path, 7).unwrap().mended(), None);
}

#[test]
fn damage_before_the_end_is_refused_and_nothing_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    three(&path);
    damage(&path, 2);
    let journal = SqliteJournal::open(&path, 7).unwrap();
    let error = journal.reader().frames(0, &mut |_, _, _| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error, JournalError::Damaged { at: 2, resumes: 4 });
    assert!(error.to_string().contains("muster backup"));
    assert_eq!(journal.end(), 6);
}

#[test]
fn a_journal_of_the_future_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    three(&path);
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let refused = SqliteJournal::open(&path, 7).unwrap_err();
    assert_eq!(refused, JournalError::Version { found: 99, known: 1 });
    assert!(SqliteReader::open(&path).is_err());
}

#[test]
fn a_full_disk_takes_nothing_and_works_again_with_space() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut journal = SqliteJournal::open(&path, 7).unwrap();
    journal.limit_pages(40).unwrap();
    let large = "x".repeat(400_000);
    let write = batch(0, 2, &[("large", Some(&large))]);
    assert_eq!(journal.append(&write), Err(JournalError::Full));
    assert_eq!((journal.end(), journal.reader().get(b"large").unwrap()), (0, None));
    journal.append(&batch(0, 1, &[("small", Some("x"))])).unwrap();
    journal.limit_pages(4_000).unwrap();
    journal.append(&batch(1, 2, &[("large", Some(&large))])).unwrap();
    assert_eq!(journal.end(), 3);
}

#[test]
fn a_frame_of_another_release_is_refused_by_its_version() {
    let other = [200_u8, 1, 2, 3];
    assert!(frame::each(0, 1, &other, |_, _| ()).unwrap_err().to_string().contains("fact 0"));
}
