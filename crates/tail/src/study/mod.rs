//! The paper's experiments again, in virtual time: figures 2, 4 and 6 to 15 of "Work Stealing for Interactive Services
//! to Meet Target Latency" (PPoPP 2016), with the paper's number beside ours where its text has one, the spread over
//! seeds, and a verdict on each claim. Verdicts judge `lazy`, which is what the paper describes, on requests made of
//! short parallel loops; `prompt` stands beside it. Does not print. Start at [`FIGURES`] and [`Plan`].

mod capacity;
mod compare;
mod figure;
mod inputs;
mod motivation;
mod others;
mod paper;
pub mod real;
mod scenario;
mod thresholds;
mod trace;

pub use figure::{Cell, Claim, Figure, Row, Verdict};

use crate::{Pool, par_reduce_grain};

/// How large the study is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Requests of each run.
    pub requests: usize,
    /// Repetitions with seeds of their own.
    pub seeds: u64,
}

impl Plan {
    /// As in the paper: 100,000 requests; five seeds.
    pub fn full() -> Self {
        Self { requests: 100_000, seeds: 5 }
    }

    /// To see that everything runs; too small for verdicts.
    pub fn quick() -> Self {
        Self { requests: 3_000, seeds: 2 }
    }

    /// Whether verdicts can be given.
    pub fn is_conclusive(&self) -> bool {
        self.requests >= 50_000 && self.seeds >= 5
    }
}

/// One experiment: its number in the paper, and how to run it.
pub type Experiment = (&'static str, fn(&Study) -> Figure);

/// All experiments, in the paper's order.
pub const FIGURES: [Experiment; 12] = [
    ("2", motivation::figure_2),
    ("4", thresholds::figure_4),
    ("6", compare::figure_6),
    ("7", compare::figure_7),
    ("8", compare::figure_8),
    ("9", compare::figure_9),
    ("10", compare::figure_10),
    ("11", inputs::figure_11),
    ("12", capacity::figure_12),
    ("13", others::figure_13),
    ("14", others::figure_14),
    ("15", trace::figure_15),
];

/// A study that is under way: its plan, the pool it runs on, and whom to tell about progress.
pub struct Study {
    plan: Plan,
    pool: Pool,
    progress: Box<dyn Fn(&str) + Sync>,
}

impl std::fmt::Debug for Study {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Study").field("plan", &self.plan).field("pool", &self.pool).finish_non_exhaustive()
    }
}

impl Study {
    /// A study on this pool. `progress` is told in a few words what has been done.
    pub fn new(plan: Plan, pool: Pool, progress: impl Fn(&str) + Sync + 'static) -> Self {
        Self { plan, pool, progress: Box::new(progress) }
    }

    /// Its plan.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// Runs `run` for every item and seed, in parallel; for each item the values of its seeds.
    fn for_each_seed<I: Sync, T: Send>(
        &self,
        name: &str,
        items: &[I],
        run: impl Fn(&I, u64) -> T + Sync,
    ) -> Vec<Vec<T>> {
        let seeds = self.plan.seeds as usize;
        let one = |i: usize| {
            let value = run(&items[i / seeds], (i % seeds) as u64 + 1);
            (self.progress)(&format!("{name}: run {} of {}", i + 1, items.len() * seeds));
            vec![value]
        };
        let append = |mut a: Vec<T>, mut b: Vec<T>| {
            a.append(&mut b);
            a
        };
        let all = self.pool.run(|| par_reduce_grain(0..items.len() * seeds, 1, Vec::new, one, append));
        let mut values = all.into_iter();
        items.iter().map(|_| values.by_ref().take(seeds).collect()).collect()
    }
}
