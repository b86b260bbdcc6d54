//! Variants side by side: independent runs on all cores, intervals on everything, differences run by run.
//!
//! The only place with threads, one run each. Invariant: the result depends on the scenario alone, not on the number of
//! threads or on who finished first; results are taken in the order of their numbers, and whether there are enough is
//! decided on complete rounds only. Start at [`study`].

mod interval;
mod summary;
mod together;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use muster_engine::policy::Registry;

use crate::drive::{Run, RunError, Watch, run};
use crate::measure::{Outcome, Scope};
use crate::model::{Replications, Scenario};

pub use interval::{Interval, t_quantile};
pub use summary::{Line, Names, Summary, VariantSummary};
pub use together::{Difference, Point, Together};

/// How a study is made.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How many runs at once; the result is the same with any number.
    pub threads: usize,
    /// The policies that can be named.
    pub registry: &'a Registry,
    /// Who watches.
    pub watch: &'a dyn Progress,
}

/// How a study is watched and stopped from outside.
pub trait Progress: Sync {
    /// Run `number` of at most `most` is this far (from 0 to 1) and has given so many more answers.
    fn progress(&self, number: usize, most: usize, share: f64, answers: u64);
    /// Whether to stop and tell what is done.
    fn stopped(&self) -> bool;
}

impl Progress for () {
    fn progress(&self, _number: usize, _most: usize, _share: f64, _answers: u64) {}
    fn stopped(&self) -> bool {
        false
    }
}

/// Why there is nothing to tell.
#[derive(Clone, Debug, PartialEq)]
pub enum StudyError {
    /// A variant cannot be simulated.
    Variant {
        /// Which.
        variant: String,
        /// Why.
        error: RunError,
    },
    /// It was stopped before every variant had been run once.
    Stopped,
}

impl fmt::Display for StudyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variant { variant, error } => write!(f, "variant '{variant}': {error}"),
            Self::Stopped => {
                f.write_str("stopped before every variant had been run once: there is nothing to tell yet")
            }
        }
    }
}

impl std::error::Error for StudyError {}

/// What a study has shown.
#[derive(Clone, Debug)]
pub struct Study {
    /// For each variant, its runs together.
    pub variants: Vec<Together>,
    /// Runs of each variant.
    pub replications: u32,
    /// Whether it was stopped early.
    pub stopped: bool,
    /// Whether a precision was asked for and not reached.
    pub imprecise: bool,
}

/// Runs a scenario's variants as often as its plan says.
pub fn study(scenario: &Scenario, options: Options<'_>) -> Result<Study, StudyError> {
    let shared = Shared::new(scenario, options);
    let threads = options.threads.clamp(1, shared.most.max(1));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| shared.work());
        }
        shared.work();
    });
    shared.finish()
}

/// What the threads share.
struct Shared<'a> {
    scenario: &'a Scenario,
    options: Options<'a>,
    most: usize,
    next: AtomicUsize,
    enough: AtomicBool,
    results: Mutex<Results>,
}

/// Results, taken in order.
struct Results {
    together: Vec<Together>,
    early: BTreeMap<usize, Outcome>,
    taken: usize,
    round: Vec<Outcome>,
    rounds: u32,
    precise: bool,
    error: Option<StudyError>,
}

/// A run's watcher: knows its number among all.
struct Watcher<'a> {
    shared: &'a Shared<'a>,
    number: usize,
}

impl Watch for Watcher<'_> {
    fn progress(&self, _run: u32, share: f64, answers: u64) {
        self.shared.options.watch.progress(self.number, self.shared.most, share, answers);
    }

    fn stopped(&self) -> bool {
        self.shared.enough.load(Ordering::Relaxed) || self.shared.options.watch.stopped()
    }
}

impl<'a> Shared<'a> {
    fn new(scenario: &'a Scenario, options: Options<'a>) -> Self {
        let together = scenario.variants.iter().map(|variant| Together::new(&variant.setup)).collect();
        let results = Results {
            together,
            early: BTreeMap::new(),
            taken: 0,
            round: Vec::new(),
            rounds: 0,
            precise: false,
            error: None,
        };
        Self {
            scenario,
            options,
            most: scenario.variants.len() * scenario.plan.replications.most() as usize,
            next: AtomicUsize::new(0),
            enough: AtomicBool::new(false),
            results: Mutex::new(results),
        }
    }

    /// Takes one run after the other until there are enough.
    fn work(&self) {
        let variants = self.scenario.variants.len();
        while !self.enough.load(Ordering::Relaxed) && !self.options.watch.stopped() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.most {
                return;
            }
            let variant = &self.scenario.variants[number % variants];
            let watch = Watcher { shared: self, number };
            let outcome = run(Run {
                setup: &variant.setup,
                plan: &self.scenario.plan,
                number: (number / variants) as u32,
                registry: self.options.registry,
                watch: &watch,
            });
            self.put(number, outcome);
        }
    }

    fn put(&self, number: usize, outcome: Result<Outcome, RunError>) {
        let mut results = self.results.lock().expect("no thread ends while it holds the results");
        match outcome {
            Ok(outcome) => {
                results.early.insert(number, outcome);
                results.take(&self.scenario.plan.replications);
            }
            Err(RunError::Stopped) => {}
            Err(error) => {
                let variant = self.scenario.variants[number % self.scenario.variants.len()].name.clone();
                results.error.get_or_insert(StudyError::Variant { variant, error });
            }
        }
        if results.precise || results.error.is_some() {
            self.enough.store(true, Ordering::Relaxed);
        }
    }

    fn finish(self) -> Result<Study, StudyError> {
        let results = self.results.into_inner().expect("all threads have ended");
        if let Some(error) = results.error {
            return Err(error);
        }
        if results.rounds == 0 {
            return Err(StudyError::Stopped);
        }
        let wanted = self.scenario.plan.replications;
        let until = matches!(wanted, Replications::Until { .. });
        let stopped = !results.precise && results.rounds < wanted.most();
        Ok(Study {
            variants: results.together,
            replications: results.rounds,
            stopped,
            imprecise: until && !results.precise,
        })
    }
}

impl Results {
    /// Takes what is next in order; a round is complete when every variant has had its run.
    fn take(&mut self, wanted: &Replications) {
        while !self.precise
            && let Some(outcome) = self.early.remove(&self.taken)
        {
            self.taken += 1;
            self.round.push(outcome);
            if self.round.len() == self.together.len() {
                for (together, outcome) in self.together.iter_mut().zip(self.round.drain(..)) {
                    together.add(&outcome);
                }
                self.rounds += 1;
                self.precise = self.is_precise(wanted);
            }
        }
    }

    fn is_precise(&self, wanted: &Replications) -> bool {
        let Replications::Until { measure, within, least, .. } = wanted else { return false };
        let narrow = |together: &Together| {
            let interval = together.interval(Scope::All, *measure);
            interval.is_some_and(|interval| interval.half <= within * interval.mean.abs())
        };
        self.rounds >= (*least).max(2) && self.together.iter().all(narrow)
    }
}
