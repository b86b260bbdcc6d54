//! Driving the engine through a random run, and saying which run it was when it fails.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use muster_engine::fact::{Body, Fact, Input};
use muster_engine::ids::WorkerId;
use muster_engine::{Command, Engine, Refusal, Reply, Time};

use crate::check;
use crate::ledger::Ledger;
use crate::setup::Menu;
use crate::tracker::Tracker;
use crate::world::World;

/// What one command came to.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) at: Time,
    pub(crate) command: Command,
    pub(crate) outcome: Result<Reply, Refusal>,
    pub(crate) facts: Vec<Fact>,
}

/// An engine and the outside that turns it.
#[derive(Debug)]
pub(crate) struct Drive {
    pub(crate) engine: Engine,
    world: World,
    tracker: Tracker,
    ledger: Ledger,
    /// Applies every fact and never decides: what a refused command must leave as it was.
    follower: Engine,
    steps: u64,
    refused: u64,
    last: Option<(Time, Command)>,
}

impl Drive {
    /// A run with everything.
    pub(crate) fn new(seed: u64) -> Self {
        Self::with(seed, Menu::All)
    }

    /// A run with the policies that the naive model knows.
    pub(crate) fn naive(seed: u64) -> Self {
        Self::with(seed, Menu::Naive)
    }

    fn with(seed: u64, menu: Menu) -> Self {
        Self {
            engine: Engine::new(seed),
            world: World::new(seed, menu),
            tracker: Tracker::default(),
            ledger: Ledger::default(),
            follower: Engine::new(seed),
            steps: 0,
            refused: 0,
            last: None,
        }
    }

    /// One command, with all that is cheap to check; every so often the rest.
    pub(crate) fn step(&mut self) -> Step {
        let (at, command) = self.world.next(&self.engine);
        self.last = Some((at, command.clone()));
        let mut facts: Vec<Fact> = Vec::new();
        let outcome = self.engine.handle(at, command.clone(), &mut facts);
        self.world.hear(&facts);
        for fact in &facts {
            self.tracker.note(fact);
            self.ledger.note(fact);
            self.follower.apply(fact);
        }
        let step = Step { at, command, outcome, facts };
        self.check(&step);
        self.steps += 1;
        step
    }

    fn check(&mut self, step: &Step) {
        let state = self.engine.state();
        let inputs = step.facts.iter().filter(|fact| matches!(fact.body, Body::Input(_))).count();
        assert_eq!(inputs, usize::from(step.outcome.is_ok()), "one input for each accepted command");
        assert!(step.facts.iter().all(|fact| fact.at == step.at), "facts are of now");
        let first = step.facts.first().map(|fact| &fact.body);
        assert!(first.is_none_or(|body| matches!(body, Body::Input(_))), "the input comes first");
        if step.command == Command::Wake && step.outcome.is_ok() {
            assert_eq!(first, Some(&Body::Input(Input::Woken)));
            assert!(self.engine.next_due().is_none_or(|due| due > step.at), "what is due has been done");
        }
        if let (Some(worker), Ok(_)) = (speaker(&step.command), &step.outcome) {
            let heard = state.worker(worker).map(|worker| worker.heard);
            assert!(heard.is_none_or(|heard| heard == step.at), "{worker} has given a sign of life");
        }
        self.tracker.agree(state);
        self.ledger.agree(state);
        check::recount(&self.engine);
        assert_eq!(self.engine.next_due(), self.follower.next_due());
        self.refused += u64::from(step.outcome.is_err());
        // A refused command leaves everything as it was; and now and then all is compared anyway.
        let compare = if step.outcome.is_err() { self.refused.is_multiple_of(8) } else { false };
        if compare || self.steps.is_multiple_of(64) {
            assert_eq!(self.engine.snapshot(), self.follower.snapshot(), "the facts alone make the state");
        }
    }
}

/// The worker who sends a command.
fn speaker(command: &Command) -> Option<WorkerId> {
    match command {
        Command::Ask(worker)
        | Command::Answer(worker, _)
        | Command::Return(worker, _)
        | Command::SkipTask(worker, _)
        | Command::SkipJob(worker, _)
        | Command::Heartbeat(worker)
        | Command::Pause(worker)
        | Command::Trained(worker) => Some(*worker),
        _ => None,
    }
}

/// Runs a test on seeds from `first` on, with so many steps each. Says what reproduces a failure.
pub(crate) fn seeds(name: &str, first: u64, runs: u64, steps: u64, mut test: impl FnMut(u64, u64)) {
    let (runs, only) =
        (runs * if setting("MUSTER_LONG").is_some() { 1000 } else { 1 }, setting("MUSTER_SEED"));
    let seeds: Vec<u64> = match only.and_then(|seed| seed.parse().ok()) {
        Some(seed) => vec![seed],
        None => (first..first + runs).collect(),
    };
    for seed in seeds {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| test(seed, steps))) {
            say(&format!("reproduce: MUSTER_SEED={seed} cargo test -p muster-engine --test property {name}"));
            resume_unwind(panic);
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "tests are told how long to run by their environment")]
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[allow(clippy::print_stderr, reason = "a failing test says how to see it fail again")]
pub(crate) fn say(line: &str) {
    eprintln!("{line}");
}

/// Runs so many steps; if one fails, says which and what it was.
pub(crate) fn run(drive: &mut Drive, seed: u64, steps: u64, mut each: impl FnMut(&mut Drive, &Step)) {
    for step in 0..steps {
        let done = catch_unwind(AssertUnwindSafe(|| {
            let done = drive.step();
            each(drive, &done);
        }));
        if let Err(panic) = done {
            say(&format!("failed: seed {seed}, step {step}, {:?}", drive.last));
            resume_unwind(panic);
        }
    }
}
