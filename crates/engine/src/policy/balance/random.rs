//! `random`: workers who wait go to a random other pool. For comparison: nobody would choose it.

use crate::fact::Assessment;
use crate::ids::{PoolId, WorkerId};
use crate::policy::settings::{Reader, Setting};
use crate::policy::{Advice, Controller, Entry, Order};
use crate::random::Draws;
use crate::state::worker::Standing;
use crate::time::Span;
use crate::view::View;

const SETTINGS: &[Setting] = &[
    Setting { name: "every", meaning: "How often the policy looks at the pools.", default: "10 s" },
    Setting { name: "moves_most", meaning: "At most so many workers move at once.", default: "10" },
];

/// How it is named and started.
pub const ENTRY: Entry<dyn Controller> = Entry {
    name: "random",
    about: "Sends idle workers to a random pool; for comparison with better answers.",
    settings: SETTINGS,
    version: 1,
    start: |start| {
        let reader = Reader::new(start.spec, SETTINGS)?;
        Ok(Box::new(Random {
            every: reader.span("every", Span::from_secs(10))?,
            moves_most: reader.whole("moves_most", 10, 1, 1_000_000)?,
        }))
    },
};

#[derive(Debug)]
struct Random {
    every: Span,
    moves_most: u32,
}

impl Controller for Random {
    fn every(&self) -> Option<Span> {
        Some(self.every)
    }

    fn advise(&self, view: View<'_>, draws: &mut Draws) -> Advice {
        let pools: Vec<PoolId> = super::pools(view).map(|pool| pool.id).collect();
        let idle: Vec<(WorkerId, PoolId)> = super::pools(view)
            .flat_map(|pool| pool.members.iter().filter_map(|id| view.state.worker(*id)))
            .filter(|worker| worker.standing == Standing::Idle)
            .map(|worker| (worker.id, worker.pool))
            .collect();
        let mut orders = Vec::new();
        for (worker, from) in idle.into_iter().take(self.moves_most as usize) {
            let to = pools[usize::try_from(draws.below(pools.len() as u64)).expect("an index")];
            if to != from {
                orders.push(Order::Move(worker, to));
            }
        }
        let output = orders.len() as f64;
        let reason = format!("{} of those who wait go to a random pool", orders.len());
        Advice { assessment: Assessment { output, reason, ..Assessment::default() }, orders }
    }

    fn note(&mut self, _assessment: &Assessment, _view: View<'_>) {}
}
