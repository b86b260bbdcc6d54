//! Where experiments are run: how many runs, on how many threads, who watches. Knows no paper.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use muster_engine::policy::Registry;
use muster_sim::model::Scenario;
use muster_sim::study::{Options, Progress, Study, StudyError, study};

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

impl<'a> Lab<'a> {
    /// A lab with the policies that come with Muster.
    #[must_use]
    pub fn new(quick: bool, threads: usize, watch: &'a dyn Watch) -> Self {
        Self { quick, threads, registry: Registry::default(), watch, done: AtomicUsize::new(0) }
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
        let done = lab.done.fetch_add(1, Ordering::Relaxed) + 1;
        lab.watch.at(self.experiment, done, self.studies);
        Ok(studied)
    }
}
