//! The one door of the story tests: a script in plain words goes in, the facts come out, a short line each.
//!
//! A line of a script is a command, with `at TIME` before it if time goes on: the driver wakes the engine whenever it wants to
//! be woken on the way. `oversleep TIME` lets time pass without that. Things have the names that the script gives them; `#7` is
//! whatever has the number 7. Every story is also replayed: the facts alone must give the same engine, and the books must add up.
//! Start at [`check`]; the commands are in [`Story::run`], and how facts are put in words is in `telling`.

mod commands;
mod showing;
mod telling;
mod words;
mod working;

use std::collections::BTreeMap;

use expect_test::Expect;
use muster_engine::fact::{Body, Decision, Fact};
use muster_engine::ids::{JobId, TaskId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::policy::Registry;
use muster_engine::{Command, Engine, Reply, Span, Time};

use words::{Words, exact, span};

/// Tells the story of a script, and compares it with what is expected.
#[allow(clippy::needless_pass_by_value, reason = "so that a story reads `check(script, expect![[...]])`")]
pub(crate) fn check(script: &str, expected: Expect) {
    expected.assert_eq(&tell(script, Registry::default()));
}

/// The story of a script, with these policies.
pub(crate) fn tell(script: &str, registry: Registry) -> String {
    let mut story = Story::new(registry.clone());
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
        story.line(line);
    }
    story.replay(registry);
    story.out
}

/// A story as far as it is told.
pub(crate) struct Story {
    pub(crate) engine: Engine,
    facts: Vec<Fact>,
    now: Time,
    names: Names,
    /// The last lease of each worker.
    tokens: BTreeMap<WorkerId, Token>,
    tasks: BTreeMap<Token, TaskId>,
    /// How long tasks of a job take, for `work`.
    takes: BTreeMap<JobId, Span>,
    quiet: bool,
    pub(crate) out: String,
}

/// The names of things, by what they are and their number.
#[derive(Default)]
struct Names {
    numbers: BTreeMap<(&'static str, String), u64>,
    names: BTreeMap<(&'static str, u64), String>,
}

impl Names {
    fn give(&mut self, what: &'static str, number: u64, name: &str) {
        self.numbers.insert((what, name.to_owned()), number);
        self.names.insert((what, number), name.to_owned());
    }

    fn number(&self, what: &'static str, name: &str) -> u64 {
        if let Some(number) = name.strip_prefix('#') {
            return number.parse().unwrap_or_else(|_| panic!("'{name}' is no number"));
        }
        let known = self.numbers.get(&(what, name.to_owned()));
        *known.unwrap_or_else(|| panic!("the script has no {what} '{name}'"))
    }

    fn name(&self, what: &'static str, number: u64) -> String {
        self.names.get(&(what, number)).cloned().unwrap_or_else(|| format!("{what} {number}"))
    }
}

impl Story {
    pub(crate) fn new(registry: Registry) -> Self {
        Self {
            engine: Engine::with_registry(1, registry),
            facts: Vec::new(),
            now: Time::ZERO,
            names: Names::default(),
            tokens: BTreeMap::new(),
            tasks: BTreeMap::new(),
            takes: BTreeMap::new(),
            quiet: false,
            out: String::new(),
        }
    }

    pub(crate) fn line(&mut self, line: &str) {
        let mut words = Words::of(line);
        let mut verb = words.next();
        if verb == "at" {
            let to = Time(span(words.next()).0);
            self.pass(to);
            let Some(next) = words.rest_if_any() else { return };
            words = next;
            verb = words.next();
        }
        self.run(verb, &mut words);
        words.done();
    }

    /// Time goes on; the engine is woken whenever it wants to be.
    fn pass(&mut self, to: Time) {
        while let Some(due) = self.engine.next_due().filter(|due| *due <= to) {
            self.now = self.now.max(due);
            self.send(Command::Wake, "");
        }
        self.now = to;
    }

    /// Sends a command, remembers what is new by `name`, and tells what came of it.
    fn send(&mut self, command: Command, name: &str) {
        let before = self.facts.len();
        match self.engine.handle(self.now, command, &mut self.facts) {
            Ok(reply) => self.learn(reply, name),
            Err(refusal) => {
                assert_eq!(self.facts.len(), before, "what is refused leaves no fact");
                self.say(&format!("refused: {refusal}"));
            }
        }
        for at in before..self.facts.len() {
            self.follow(at);
            if let Some(text) = (!self.quiet).then(|| self.put(&self.facts[at].body)).flatten() {
                self.say(&text);
            }
        }
    }

    fn say(&mut self, text: &str) {
        let at = exact(Span(self.now.0));
        self.out.push_str(&format!("{at:<8} {text}\n"));
    }

    fn learn(&mut self, reply: Reply, name: &str) {
        let (what, number) = match reply {
            Reply::Tenant(id) => ("tenant", u64::from(id.0)),
            Reply::App(id) => ("app", u64::from(id.0)),
            Reply::Kind(id) => ("kind", u64::from(id.0)),
            Reply::Pool(id) => ("pool", u64::from(id.0)),
            Reply::Client(id) => ("client", u64::from(id.0)),
            Reply::Worker(id) => ("worker", u64::from(id.0)),
            Reply::Job(id) => ("job", id.0),
            _ => return,
        };
        self.names.give(what, number, name);
    }

    /// What the script may refer to later.
    fn follow(&mut self, at: usize) {
        if let Body::Decision(Decision::Leased(grant)) = &self.facts[at].body {
            self.tokens.insert(grant.worker, grant.token);
            self.tasks.insert(grant.token, grant.task);
        }
    }

    /// The facts alone give the same engine, and what was paid is what was charged and what is still due.
    fn replay(&self, registry: Registry) {
        let mut again = Engine::with_registry(1, registry.clone());
        self.facts.iter().for_each(|fact| again.apply(fact));
        assert_eq!(again.snapshot(), self.engine.snapshot(), "replay differs");
        let restored = Engine::restore(&self.engine.snapshot(), registry).expect("a snapshot can be read");
        assert_eq!(restored.snapshot(), self.engine.snapshot(), "a restored engine differs");
        assert_eq!(restored.next_due(), self.engine.next_due(), "a restored engine wakes at another time");
        let state = self.engine.state();
        let due: Money = state.pools().iter().map(|pool| pool.due).sum();
        assert_eq!(state.books().paid(), state.books().charged + due, "the books do not add up");
    }
}
