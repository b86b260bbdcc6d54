//! `muster reproduce cioppino`: parses what was typed, reads the files, prints the report.

use std::path::{Path, PathBuf};

use clap::Args;
use muster_formats::trace::Trace;
use muster_papers::cioppino::{Assignments, Inputs, Streams, experiments, reproduce};

use super::shared::{self, Form};
use crate::output::Console;
use crate::refusal::Failure;

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
    shared::check_names(&wanted.experiments, experiments())?;
    let inputs = Inputs {
        trace: wanted.trace.as_deref().map(streams).transpose()?,
        assignments: wanted
            .assignments
            .as_deref()
            .map(shared::table)
            .transpose()?
            .as_ref()
            .map(Assignments::from),
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
