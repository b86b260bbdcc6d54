//! Any run keeps the invariants; a crash anywhere is boring; the inputs alone decide everything anew, the same.

use muster_engine::fact::{Body, Fact};
use muster_engine::journal::Journal;
use muster_engine::policy::Registry;
use muster_engine::{Command, Engine, Time};

use crate::drive::{Drive, Step, run, seeds};
use crate::predict::Predict;

#[test]
fn any_commands_keep_the_invariants() {
    seeds("any_commands_keep_the_invariants", 1, 50, 2000, |seed, steps| {
        run(&mut Drive::new(seed), seed, steps, |_, _| {});
    });
}

fn restored(bytes: &[u8]) -> Engine {
    Engine::restore(bytes, Registry::default()).expect("a snapshot of this version")
}

/// Before every single fact the state is written and read back: both go on the same.
#[test]
fn every_fact_leads_to_the_same_state_from_the_beginning_and_from_a_snapshot() {
    seeds("every_fact_leads", 1000, 8, 500, |seed, steps| {
        let mut drive = Drive::new(seed);
        let mut follower = Engine::new(seed);
        run(&mut drive, seed, steps, |drive, step| {
            for fact in &step.facts {
                let mut other = restored(&follower.snapshot());
                assert_eq!(other.next_due(), follower.next_due(), "before {fact:?}");
                follower.apply(fact);
                other.apply(fact);
                assert!(other.snapshot() == follower.snapshot(), "after {fact:?}");
            }
            assert!(follower.snapshot() == drive.engine.snapshot(), "after {:?}", step.command);
        });
    });
}

/// Crash after every command: what is rebuilt from the journal does the next command as the one that did not crash.
#[test]
fn a_crash_after_any_command_changes_nothing() {
    seeds("a_crash_after_any_command", 2000, 6, 400, |seed, steps| {
        let mut drive = Drive::new(seed);
        let mut journal = Journal::default();
        let mut snapshot = Engine::new(seed).snapshot();
        let mut step = 0_u64;
        run(&mut drive, seed, steps, |drive, done| {
            let mut again = if step.is_multiple_of(5) {
                journal.rebuild(seed, Registry::default())
            } else {
                journal.rebuild_from(&snapshot, Registry::default()).expect("a snapshot of this version")
            };
            let before = journal.facts().len();
            let outcome = again.handle(done.at, done.command.clone(), &mut journal);
            assert_eq!(outcome, done.outcome, "{:?}", done.command);
            assert_eq!(journal.facts()[before..], done.facts, "{:?}", done.command);
            assert!(again.snapshot() == drive.engine.snapshot());
            // The process dies before the facts are durable: the command never was. It comes again.
            journal.crash();
            assert_eq!(journal.facts().len(), before);
            let mut twice = journal.rebuild_from(&snapshot, Registry::default()).expect("the same snapshot");
            assert_eq!(twice.handle(done.at, done.command.clone(), &mut journal), done.outcome);
            journal.commit();
            assert!(twice.snapshot() == drive.engine.snapshot());
            step += 1;
            if step.is_multiple_of(37) {
                snapshot = twice.snapshot();
            }
        });
    });
}

/// Long after a crash, too: an engine read back from a snapshot goes on beside the one that wrote it.
#[test]
fn an_engine_read_back_goes_on_as_the_one_that_was_written() {
    seeds("an_engine_read_back", 3000, 10, 1500, |seed, steps| {
        let mut drive = Drive::new(seed);
        let mut beside = Engine::new(seed);
        let mut step = 0_u64;
        run(&mut drive, seed, steps, |drive, done| {
            follow(&mut beside, done);
            assert_eq!(beside.next_due(), drive.engine.next_due());
            step += 1;
            if step.is_multiple_of(150) {
                let bytes = drive.engine.snapshot();
                beside = restored(&bytes);
                assert!(beside.snapshot() == bytes, "written, read and written again");
            }
        });
    });
}

fn follow(engine: &mut Engine, done: &Step) {
    let mut facts: Vec<Fact> = Vec::new();
    let outcome = engine.handle(done.at, done.command.clone(), &mut facts);
    assert_eq!(outcome, done.outcome, "{:?}", done.command);
    assert_eq!(facts, done.facts, "{:?}", done.command);
}

/// The inputs of a run, as commands to a fresh engine, lead to the same decisions, fact for fact.
#[test]
fn the_inputs_alone_decide_everything_anew_and_the_same() {
    seeds("the_inputs_alone", 4000, 15, 1500, |seed, steps| {
        let mut drive = Drive::new(seed);
        let mut facts: Vec<Fact> = Vec::new();
        run(&mut drive, seed, steps, |_, step| facts.extend(step.facts.iter().cloned()));
        let mut audit = Engine::new(seed);
        let mut again: Vec<Fact> = Vec::new();
        for fact in &facts {
            if let Body::Input(input) = &fact.body {
                let (at, command): (Time, Command) = (fact.at, Command::recorded_as(input, audit.state()));
                audit.handle(at, command, &mut again).expect("what was accepted is accepted again");
                let n = again.len();
                assert_eq!(again[n - 1], facts[n - 1], "fact {}", n - 1);
            }
        }
        assert!(again == facts, "fact for fact");
        assert!(audit.snapshot() == drive.engine.snapshot());
    });
}

/// A second model, slow and without any index, makes the same choices.
#[test]
fn a_naive_model_decides_the_same() {
    let (mut compared, mut runs) = (0, 0);
    seeds("a_naive_model_decides_the_same", 5000, 20, 1500, |seed, steps| {
        let mut predict = Predict::default();
        run(&mut Drive::naive(seed), seed, steps, |_, step| {
            step.facts.iter().for_each(|fact| predict.note(fact));
            predict.end();
        });
        compared += predict.compared;
        runs += 1;
    });
    assert!(runs == 1 || compared > 50 * runs, "{runs} runs had only {compared} choices to compare");
}
