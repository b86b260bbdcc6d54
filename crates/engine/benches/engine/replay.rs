//! Applying facts, as recovery does: a recorded journal goes into a fresh engine.

use muster_engine::Engine;
use muster_engine::fact::Fact;
use muster_engine::policy::settings::PolicySpec;

use crate::figure::{Run, median, nanos_each, print};
use crate::life::{Come, Lives, Waits};
use crate::world::{SEED, World};

const REPLAYS: usize = 5;
/// Facts are timed so many at once: few enough that a busy machine rarely interrupts them.
const CHUNK: usize = 1_000;
const FACTS: usize = 400_000;
/// Enough for instruction counts, which apply so many and twice so many.
pub(crate) const FACTS_COUNTED: usize = 40_000;

fn record(come: Come, dispatch: &str, facts: usize) -> Vec<Fact> {
    let world = World::with_journal(PolicySpec::named(dispatch));
    let mut lives = Lives::new(world, come, Waits::Tasks);
    while lives.world.recorder.len() < facts {
        lives.live();
    }
    lives.world.recorder.truncate(facts);
    lives.world.recorder
}

/// Applies the first facts of a journal whose length is always the same, so that counts see only the applying.
pub(crate) fn start(come: Come, dispatch: &str) -> Run {
    let facts = record(come, dispatch, FACTS_COUNTED);
    Box::new(move |n| {
        let n = usize::try_from(n).expect("a count");
        let mut engine = Engine::new(SEED);
        assert!(n <= facts.len(), "at most {FACTS_COUNTED} facts can be counted");
        facts[..n].iter().for_each(|fact| engine.apply(fact));
    })
}

/// The nanoseconds that a fact takes, for each chunk of a journal.
fn replay(facts: &[Fact]) -> Vec<f64> {
    let mut engine = Engine::new(SEED);
    let mut apply =
        |chunk: &[Fact]| nanos_each(chunk.len() as u64, || chunk.iter().for_each(|fact| engine.apply(fact)));
    facts.chunks(CHUNK).map(&mut apply).collect()
}

pub(crate) fn measure() {
    let cases = [
        ("batches, fifo", Come::Batches, "fifo"),
        ("a job each, fifo", Come::Jobs, "fifo"),
        ("a job each, fair", Come::Jobs, "fair"),
    ];
    for (name, come, dispatch) in cases {
        let facts = record(come, dispatch, FACTS);
        let nanos = median((0..REPLAYS).flat_map(|_| replay(&facts)).collect());
        print(&format!("apply a fact: {name}"), nanos, "ns", None);
        print(&format!("apply facts: {name}"), 1e9 / nanos, "facts/s", Some(("aim", 1e6)));
    }
}
