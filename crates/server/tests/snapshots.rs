//! Snapshots are made while the server works, by a second engine; a start from one is as a start from all facts.

mod support;

use muster_engine::engine::Engine;
use muster_engine::policy::Registry;
use muster_server::http;
use muster_server::journal::Reader;
use muster_server::journal::memory::{Disk, MemoryJournal};
use muster_server::keeper::{self, recover};
use muster_server::snapshot;
use serde_json::json;
use support::{START, World};

/// The engine of all facts, whatever snapshots there are.
fn from_facts(disk: &Disk) -> Engine {
    let mut engine = Engine::new(1);
    recover::apply(disk, &mut engine).unwrap();
    engine
}

fn position(disk: &Disk) -> Option<u64> {
    let bytes = snapshot::load(disk).unwrap()?;
    Some(Engine::restore(&bytes, Registry::default()).unwrap().state().facts())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_engine_makes_them_while_the_first_works() {
    let disk = Disk::new(1);
    let limits = keeper::Limits { snapshot_every: 10, ..keeper::Limits::default() };
    let journal = Box::new(MemoryJournal::open(&disk).unwrap());
    let world = World::limited(journal, START, limits, http::Limits::default()).await.unwrap();
    world.set_up().await;
    let mut seen = Vec::new();
    while seen.len() < 3 {
        world.submit(json!([1])).await;
        seen.extend(position(&disk).filter(|position| seen.last() != Some(position)));
    }
    assert!(seen[0] >= 10 && seen[1] >= seen[0] + 10);
    world.stop().await.unwrap();

    // The last one stands at the end, and those before it are gone.
    let end = disk.end().unwrap();
    assert_eq!(position(&disk), Some(end));
    assert_eq!(recover::engine(&disk, 1).unwrap().snapshot(), from_facts(&disk).snapshot());
    let kept = disk.range(b"S", b"T", usize::MAX).unwrap();
    let positions = kept.iter().filter(|(key, _)| key.len() > 5).map(|(key, _)| key[1..9].to_vec());
    assert!(positions.into_iter().all(|position| position == end.to_be_bytes()));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_cannot_be_read_is_passed_over() {
    let disk = Disk::new(1);
    let world = World::on(&disk, START).await;
    world.set_up().await;
    world.stop().await.unwrap();
    let whole = from_facts(&disk).snapshot();
    let (key, mut bytes) = disk.range(b"S\0", b"T", 1).unwrap().remove(0);
    bytes[10] ^= 1;
    let mut journal = MemoryJournal::open(&disk).unwrap();
    let end = disk.end().unwrap();
    let facts = muster_server::frame::start(end);
    let batch = muster_server::journal::Batch { facts, changes: vec![(key, Some(bytes))] };
    muster_server::journal::Journal::append(&mut journal, &batch).unwrap();
    assert_eq!(position(&disk), None);
    assert_eq!(recover::engine(&disk, 1).unwrap().snapshot(), whole);
}
