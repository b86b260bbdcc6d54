//! A journal in memory: the facts, command by command, and engines rebuilt from them.
//!
//! A command's facts are durable whole or not at all, as in any journal: [`Journal::commit`] marks the end of a command, and
//! what was recorded after the last mark is lost in a crash.

use crate::engine::Engine;
use crate::fact::{Fact, Recorder};
use crate::policy::Registry;
use crate::snapshot::SnapshotError;
use crate::state::State;

/// Facts in memory.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    facts: Vec<Fact>,
    durable: usize,
}

impl Recorder for Journal {
    fn record(&mut self, number: u64, fact: &Fact, _state: &State) {
        debug_assert_eq!(number, self.facts.len() as u64, "facts are recorded in order, each once");
        self.facts.push(fact.clone());
    }
}

impl Journal {
    /// What was recorded so far is durable.
    pub fn commit(&mut self) {
        self.durable = self.facts.len();
    }

    /// What is not durable is lost.
    pub fn crash(&mut self) {
        self.facts.truncate(self.durable);
    }

    /// All facts, in order.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The engine of all durable facts, from the beginning.
    #[must_use]
    pub fn rebuild(&self, seed: u64, registry: Registry) -> Engine {
        let mut engine = Engine::with_registry(seed, registry);
        self.facts[..self.durable].iter().for_each(|fact| engine.apply(fact));
        engine
    }

    /// The engine of a snapshot and the durable facts after it.
    pub fn rebuild_from(&self, snapshot: &[u8], registry: Registry) -> Result<Engine, SnapshotError> {
        let mut engine = Engine::restore(snapshot, registry)?;
        let from = usize::try_from(engine.state().facts()).unwrap_or(usize::MAX).min(self.durable);
        self.facts[from..self.durable].iter().for_each(|fact| engine.apply(fact));
        Ok(engine)
    }
}
