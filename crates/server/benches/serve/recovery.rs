//! Recovery without a snapshot: a journal of many facts, and how long a fresh process takes until its engine is as it was.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use muster_engine::engine::Engine;
use muster_engine::fact::{Fact, Recorder};
use muster_engine::ids::{AppId, KindId, PoolId, TenantId};
use muster_engine::money::Money;
use muster_engine::spec::{AppSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, WorkerSpec};
use muster_engine::state::State;
use muster_engine::{Command as Order, Reply, Time};
use muster_server::frame;
use muster_server::journal::sqlite::SqliteJournal;
use muster_server::journal::{Batch, Frame, Journal};
use muster_server::keeper::recover;

use crate::figure::print;

/// Commands whose facts are one row: as many as come together at a middling load.
const GROUP: u64 = 8;
const WORKERS: u32 = 100;
/// What recovery may take, for each million facts.
const AIM_SECONDS: f64 = 1.0;

struct Scribe(Frame);

impl Recorder for Scribe {
    fn record(&mut self, _number: u64, fact: &Fact, _state: &State) {
        frame::push(&mut self.0, fact);
    }
}

/// Writes a journal of at least so many facts: jobs of one task come, are leased and answered.
fn write(path: &Path, facts: u64) -> u64 {
    let mut journal = SqliteJournal::open(path, 1).expect("a journal");
    journal.trust_the_system().expect("a setting");
    let mut engine = Engine::new(1);
    let mut scribe = Scribe(frame::start(0));
    let at = |engine: &mut Engine, scribe: &mut Scribe, order| {
        engine.handle(Time(engine.state().now().0 + 1_000_000), order, scribe).expect("it is allowed")
    };
    at(&mut engine, &mut scribe, Order::AddTenant(TenantSpec::default()));
    at(&mut engine, &mut scribe, Order::AddApp(AppSpec::default()));
    at(&mut engine, &mut scribe, Order::AddKind(KindSpec::person(Money::units(3))));
    at(&mut engine, &mut scribe, Order::AddPool(Box::new(PoolSpec::serving(&[AppId(0)]))));
    let mut workers = Vec::new();
    for _ in 0..WORKERS {
        let spec = Box::new(WorkerSpec::of(PoolId(0), KindId(0)));
        let Reply::Worker(worker) = at(&mut engine, &mut scribe, Order::Join(spec)) else { unreachable!() };
        workers.push(worker);
    }
    let mut turn = 0_u64;
    while engine.state().facts() < facts {
        let worker = workers[usize::try_from(turn).expect("small") % workers.len()];
        at(&mut engine, &mut scribe, Order::Submit(Box::new(JobSpec::batch(TenantId(0), AppId(0), 1))));
        let Reply::Leased(_, token) = at(&mut engine, &mut scribe, Order::Ask(worker)) else {
            unreachable!()
        };
        at(&mut engine, &mut scribe, Order::Answer(worker, token));
        turn += 1;
        if turn.is_multiple_of(GROUP) {
            let facts = std::mem::replace(&mut scribe.0, frame::start(engine.state().facts()));
            journal.append(&Batch { facts, changes: Vec::new() }).expect("it is written");
        }
    }
    let last = std::mem::take(&mut scribe.0);
    if last.count > 0 {
        journal.append(&Batch { facts: last, changes: Vec::new() }).expect("it is written");
    }
    engine.state().facts()
}

/// Prints how many seconds this process takes to have the engine.
pub(crate) fn recover_here(file: &str) {
    let start = Instant::now();
    let journal = SqliteJournal::open(Path::new(file), 1).expect("a journal");
    let engine = recover::engine(&*journal.reader(), journal.seed()).expect("it can be read");
    assert_eq!(engine.state().facts(), journal.end());
    println!("{}", start.elapsed().as_secs_f64());
}

pub(crate) fn measure(facts: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let written = write(&path, facts);
    let itself = std::env::current_exe().expect("this program");
    let out = Command::new(itself).arg("--recover").arg(&path).output().expect("it runs");
    let seconds: f64 = String::from_utf8_lossy(&out.stdout).trim().parse().expect("seconds");
    let millions = written as f64 / 1e6;
    print(
        &format!("recovery of {millions:.0} million facts, no snapshot"),
        seconds,
        "s",
        Some(("aim", AIM_SECONDS * millions)),
    );
}
