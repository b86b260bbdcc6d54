//! `muster reproduce cioppino`: parses what was typed, reads the files, prints the report.

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::Args;
use muster_formats::trace::{ColumnMap, Trace};
use muster_formats::upload;
use muster_papers::cioppino::{Assignments, Inputs, Streams, experiments, reproduce};

use super::shared::{self, Form};
use crate::output::Console;
use crate::refusal::{Failure, Refusal};

#[derive(Args, Debug)]
pub(crate) struct Cioppino {
    /// Only these experiments: elasticity, stability, balance, end-to-end, look-ahead
    experiments: Vec<String>,
    /// The CLAMShell trace (JSON), for end-to-end and look-ahead; else laws fitted to it
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// A table of assignments (CSV), such as that of crowdflower_jobs, for three days of look-ahead
    #[arg(long, value_name = "FILE")]
    assignments: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
}

pub(super) fn run(wanted: &Cioppino, console: &Console) -> Result<(), Failure> {
    let known: Vec<&str> = experiments().collect();
    if let Some(unknown) = wanted.experiments.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Refusal::value("experiment", unknown, &known.join(", ")).into());
    }
    let inputs = Inputs {
        trace: wanted.trace.as_deref().map(streams).transpose()?,
        assignments: wanted.assignments.as_deref().map(assignments).transpose()?,
    };
    shared::run(&wanted.form, console, |lab| reproduce(lab, &inputs, &wanted.experiments))
}

fn streams(path: &Path) -> Result<Streams, Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::File(name.clone(), error))?;
    let trace =
        Trace::read_clamshell(&name, &text).map_err(|refusals| Failure::Many(refusals.to_string()))?;
    Ok(Streams::from(&trace))
}

fn assignments(path: &Path) -> Result<Assignments, Failure> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Failure::File(name.clone(), error))?;
    let trace = Trace::read_table(&name, file, &ColumnMap::default()).map_err(|failure| match failure {
        upload::Failure::Refused(refusals) => Failure::Many(refusals.to_string()),
        upload::Failure::Reading(error) => Failure::File(name.clone(), error),
    })?;
    Ok(Assignments::from(&trace))
}
