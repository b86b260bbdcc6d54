//! Where experiments are run: how many runs, on how many threads, who watches. Knows no paper.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use muster_engine::fact::Recorder;
use muster_engine::policy::Registry;
use muster_sim::drive::{self, Run, RunError, run_with};
use muster_sim::model::{Plan, Scenario, Setup};
use muster_sim::study::{Options, Progress, Study, StudyError, study};

use crate::report::Experiment;

/// How experiments are watched and stopped from outside.
pub trait Watch: Sync {
    /// So many of so many studies of an experiment are done.
    fn at(&self, experiment: &str, done: usize, of: usize);
    /// Whether to stop.
    fn stopped(&self) -> bool;
}

impl Watch for () {
    fn at(&self, _experiment: &str, _done: usize, _of: usize) {}
    fn stopped(&self) -> bool {
        false
    }
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// Somebody asked to stop.
    Stopped,
    /// The simulator refuses an experiment; with the program as it is that should not be.
    Study(String),
    /// What was given does not do, in a sentence.
    Input(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped before the end"),
            Self::Study(text) | Self::Input(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Trouble {}

/// Where experiments are run.
pub struct Lab<'a> {
    /// Few and short runs, to see that it works; verdicts mean nothing then.
    pub quick: bool,
    threads: usize,
    registry: Registry,
    watch: &'a dyn Watch,
    done: AtomicUsize,
}

/// Passes the wish to stop on.
struct Stop<'a>(&'a dyn Watch);

impl Progress for Stop<'_> {
    fn progress(&self, _number: usize, _most: usize, _share: f64, _answers: u64) {}
    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}

impl drive::Watch for Stop<'_> {
    fn progress(&self, _run: u32, _share: f64, _answers: u64) {}
    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}

/// How an experiment is run on what it may be given.
pub type Procedure<I> = fn(&Lab<'_>, &I) -> Result<Experiment, Trouble>;

/// Runs of which every fact is heard.
#[derive(Clone, Copy)]
pub struct Heard<'a> {
    /// What is run, each once, and which of the independent runs of the plan it is.
    pub runs: &'a [(Setup, u32)],
    /// How long, and with which chance.
    pub plan: &'a Plan,
    /// The policies that can be named.
    pub registry: &'a Registry,
}

impl<'a> Lab<'a> {
    /// A lab with the policies that come with Muster.
    #[must_use]
    pub fn new(quick: bool, threads: usize, watch: &'a dyn Watch) -> Self {
        Self { quick, threads, registry: Registry::default(), watch, done: AtomicUsize::new(0) }
    }

    /// Runs the named experiments, or all if none is named.
    pub fn run_named<I>(
        &self,
        all: &[(&str, Procedure<I>)],
        inputs: &I,
        named: &[String],
    ) -> Result<Vec<Experiment>, Trouble> {
        let wanted = |name: &str| named.is_empty() || named.iter().any(|it| it == name);
        all.iter().filter(|(name, _)| wanted(name)).map(|(_, run)| run(self, inputs)).collect()
    }

    /// An experiment of so many studies begins.
    #[must_use]
    pub fn begin(&self, experiment: &'static str, studies: usize) -> Bench<'_> {
        self.done.store(0, Ordering::Relaxed);
        self.watch.at(experiment, 0, studies);
        Bench { lab: self, experiment, studies }
    }
}

/// One experiment in the lab.
pub struct Bench<'a> {
    lab: &'a Lab<'a>,
    experiment: &'static str,
    studies: usize,
}

impl Bench<'_> {
    /// Runs a scenario; what comes out depends on the scenario alone.
    pub fn study(&self, scenario: &Scenario) -> Result<Study, Trouble> {
        let lab = self.lab;
        let watch = Stop(lab.watch);
        let options = Options { threads: lab.threads, registry: &lab.registry, watch: &watch };
        let studied = study(scenario, options).map_err(|error| match error {
            StudyError::Stopped => Trouble::Stopped,
            error @ StudyError::Variant { .. } => Trouble::Study(format!("{}: {error}", scenario.name)),
        })?;
        if studied.stopped {
            return Err(Trouble::Stopped);
        }
        self.step();
        Ok(studied)
    }

    /// Makes runs, each heard by a recorder of its own; the recorders in the order of the runs.
    pub fn hear<R: Recorder + Default + Send>(&self, what: Heard<'_>) -> Result<Vec<R>, Trouble> {
        let next = AtomicUsize::new(0);
        let heard: Mutex<BTreeMap<usize, Result<R, RunError>>> = Mutex::default();
        let work = || {
            while let Some((number, run)) = take(&next, what.runs) {
                let told = self.one(run, what);
                heard.lock().expect("no thread ends while it holds this").insert(number, told);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.lab.threads.clamp(1, what.runs.len().max(1)) {
                scope.spawn(work);
            }
            work();
        });
        let heard = heard.into_inner().expect("all threads have ended").into_values();
        let heard = heard.collect::<Result<Vec<R>, RunError>>().map_err(|error| match error {
            RunError::Stopped => Trouble::Stopped,
            error @ RunError::Refused { .. } => Trouble::Study(format!("{}: {error}", self.experiment)),
        })?;
        self.step();
        Ok(heard)
    }

    fn one<R: Recorder + Default>(
        &self,
        (setup, number): &(Setup, u32),
        what: Heard<'_>,
    ) -> Result<R, RunError> {
        if self.lab.watch.stopped() {
            return Err(RunError::Stopped);
        }
        let mut recorder = R::default();
        let watch = Stop(self.lab.watch);
        let run = Run { setup, plan: what.plan, number: *number, registry: what.registry, watch: &watch };
        run_with(run, &mut recorder).map(|_| recorder)
    }

    /// One more study is done.
    fn step(&self) {
        let done = self.lab.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.lab.watch.at(self.experiment, done, self.studies);
    }
}

/// The next that nobody has taken yet, with its number.
fn take<'r, T>(next: &AtomicUsize, all: &'r [T]) -> Option<(usize, &'r T)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    all.get(number).map(|one| (number, one))
}
