//! The facts of one run as JSON lines, for whoever wants to look at every step.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use muster_engine::fact::{Fact, Recorder};
use muster_engine::policy::Registry;
use muster_engine::state::State;
use muster_formats::facts;
use muster_sim::drive::{Run, Unwatched, run_with};
use muster_sim::model::Scenario;

use crate::refusal::Failure;

/// Writes facts as they come; the first thing that goes wrong is kept.
struct Writer {
    out: BufWriter<File>,
    failed: Option<std::io::Error>,
}

impl Recorder for Writer {
    fn record(&mut self, number: u64, fact: &Fact, _state: &State) {
        if self.failed.is_none() {
            let line = facts::line(number, fact);
            self.failed = writeln!(self.out, "{line}").err();
        }
    }
}

/// Runs the first run of the first variant again (it is the same, fact for fact) and writes it down.
pub(super) fn write(file: &Path, scenario: &Scenario, registry: &Registry) -> Result<(), Failure> {
    let name = || file.display().to_string();
    let out = File::create(file).map_err(|error| Failure::File(name(), error))?;
    let mut writer = Writer { out: BufWriter::new(out), failed: None };
    let (setup, plan) = (&scenario.variants[0].setup, &scenario.plan);
    let what = Run { setup, plan, number: 0, registry, watch: &Unwatched };
    run_with(what, &mut writer).map_err(|error| Failure::Said(error.to_string()))?;
    let failed = writer.failed.take().or_else(|| writer.out.flush().err());
    failed.map_or(Ok(()), |error| Err(Failure::File(name(), error)))
}
