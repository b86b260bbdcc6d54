//! Backups while a server writes, exports and imports, and journals of earlier releases.

use std::path::Path;

use muster_engine::engine::Engine;
use muster_engine::ids::{AppId, PoolId, TenantId};
use muster_engine::money::Money;
use muster_engine::spec::{AppSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, WorkerSpec};
use muster_engine::{Command, Reply, Time};
use muster_server::archive::{Amounts, backup, export, import};
use muster_server::journal::sqlite::{SqliteJournal, SqliteReader};
use muster_server::journal::{Batch, Journal, Reader};
use muster_server::keeper::recover;
use muster_server::{frame, keys};

/// Some commands, the last of them of every later time too.
fn commands(n: u64) -> Vec<Command> {
    let mut commands = vec![
        Command::AddTenant(TenantSpec::default()),
        Command::AddApp(AppSpec::default()),
        Command::AddKind(KindSpec::person(Money::units(3))),
        Command::AddPool(Box::new(PoolSpec::serving(&[AppId(0)]))),
        Command::Join(Box::new(WorkerSpec::of(PoolId(0), muster_engine::ids::KindId(0)))),
    ];
    for _ in 0..n {
        commands.push(Command::Submit(Box::new(JobSpec::batch(TenantId(0), AppId(0), 1))));
    }
    commands
}

/// Writes a journal with a blob for each command.
fn write(journal: &mut dyn Journal, engine: &mut Engine, commands: Vec<Command>) {
    for command in commands {
        let first = engine.state().facts();
        let mut facts = Vec::new();
        engine.handle(Time(first + 1), command, &mut facts).unwrap();
        let mut frame = frame::start(first);
        facts.iter().for_each(|fact| frame::push(&mut frame, fact));
        let key = keys::named(keys::Sort::Cursor, &first.to_be_bytes());
        journal
            .append(&Batch { facts: frame, changes: vec![(key, Some(first.to_be_bytes().to_vec()))] })
            .unwrap();
    }
}

fn engine_of(path: &Path) -> Engine {
    let reader = SqliteReader::open(path).unwrap();
    recover::engine(&reader, reader.seed().unwrap()).unwrap()
}

fn blobs(path: &Path) -> Vec<(Vec<u8>, Vec<u8>)> {
    SqliteReader::open(path).unwrap().range(&[], &[255; 64], usize::MAX).unwrap()
}

#[test]
fn a_backup_of_a_journal_in_use_is_as_it_was_at_one_moment() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("journal"), folder.path().join("copy"));
    let mut journal = SqliteJournal::open(&path, 5).unwrap();
    let mut engine = Engine::new(5);
    write(&mut journal, &mut engine, commands(20));
    let then = engine.snapshot();
    let amounts = backup(&path, &copy).unwrap();
    assert_eq!(amounts.facts, engine.state().facts());
    write(&mut journal, &mut engine, vec![Command::AddApp(AppSpec::default())]);
    assert_eq!(engine_of(&copy).snapshot(), then);
    assert_eq!(engine_of(&path).snapshot(), engine.snapshot());
    assert!(backup(&path, &copy).unwrap_err().to_string().contains("already"));
    // The copy is a journal like any other.
    assert_eq!(SqliteJournal::open(&copy, 1).unwrap().seed(), 5);
}

#[test]
fn an_export_comes_back_as_it_went() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("journal"), folder.path().join("copy"));
    let mut journal = SqliteJournal::open(&path, u64::MAX - 3).unwrap();
    let mut engine = Engine::new(u64::MAX - 3);
    write(&mut journal, &mut engine, commands(600));
    let mut text = Vec::new();
    let amounts = export(&path, &mut text).unwrap();
    assert_eq!(amounts, Amounts { facts: engine.state().facts(), blobs: 605 });
    assert_eq!(import("export", &mut text.as_slice(), &copy).unwrap(), amounts);
    assert_eq!(engine_of(&copy).snapshot(), engine.snapshot());
    assert_eq!(blobs(&copy), blobs(&path));

    // What is damaged is refused with its line, and leaves nothing behind.
    let text = String::from_utf8(text).unwrap();
    let other = folder.path().join("other");
    let lines: Vec<&str> = text.lines().collect();
    for (line, with, why) in [
        (0, "{}", "export:1:"),
        (3, "{\"blob\":\"6\",\"value\":\"\"}", "export:4:"),
        (700, "{", "export:701"),
        (701, "", "number"),
        (lines.len() - 1, "", "the head says"),
    ] {
        let mut changed = lines.clone();
        changed[line] = with;
        let error = import("export", &mut changed.join("\n").as_bytes(), &other).unwrap_err().to_string();
        assert!(error.contains(why), "{why}: {error}");
        assert!(!other.exists());
    }
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("unfinished")), "{left:?}");
}

#[test]
fn a_worker_of_the_old_journal_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let old =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals/version-1.db")).unwrap();
    std::fs::write(&path, old).unwrap();
    let mut journal = SqliteJournal::open(&path, 1).unwrap();
    let mut engine = engine_of(&path);
    assert_eq!((engine.state().facts(), engine.state().job_count()), (8, 3));
    let worker = engine.state().workers()[0].id;
    let mut facts = Vec::new();
    let reply = engine.handle(Time(1_000), Command::Ask(worker), &mut facts).unwrap();
    assert!(matches!(reply, Reply::Leased(..)));
    write(&mut journal, &mut engine_of(&path), vec![Command::AddApp(AppSpec::default())]);
}
