//! `muster reproduce hit-scheduling`: parses what was typed, reads the files, prints the report.

use std::path::{Path, PathBuf};

use clap::Args;
use muster_formats::upload::{Limits, Upload};
use muster_papers::hit_scheduling::{Hour, Inputs, Pilots, Row, Tables, experiments, reproduce};

use super::shared::{self, Form};
use crate::output::Console;
use crate::refusal::{Failure, Refusal};

#[derive(Args, Debug)]
pub(crate) struct HitScheduling {
    /// Only these experiments: seven-batches, priority, crowd-size, switches, sequences, live-hour, splitting, participation, pilots
    experiments: Vec<String>,
    /// The batches of an hour (CSV: workload28.csv), for live-hour; else a synthetic hour of the same shape
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// The folder of the authors' pilot runs (answers.csv, batches.csv, runs.csv, sessions.csv), for pilots; else it is skipped
    #[arg(long, value_name = "DIR")]
    pilots: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
}

pub(super) fn run(wanted: &HitScheduling, console: &Console) -> Result<(), Failure> {
    shared::check_names(&wanted.experiments, experiments())?;
    let inputs = Inputs {
        hour: wanted.trace.as_deref().map(hour).transpose()?.unwrap_or_default(),
        pilots: wanted.pilots.as_deref().map(pilots).transpose()?,
    };
    shared::run(&wanted.form, console, |lab| reproduce(lab, &inputs, &wanted.experiments))
}

fn hour(path: &Path) -> Result<Hour, Failure> {
    Hour::recorded(&shared::table(path)?).map_err(|wrong| said(path, &wrong))
}

fn pilots(folder: &Path) -> Result<Pilots, Failure> {
    let (answers, sessions) =
        (shared::table(&folder.join("answers.csv"))?, shared::table(&folder.join("sessions.csv"))?);
    let (runs, batches) = (rows(&folder.join("runs.csv"))?, rows(&folder.join("batches.csv"))?);
    let tables = Tables { answers: &answers, sessions: &sessions, runs: &runs, batches: &batches };
    Pilots::read(&tables).map_err(|wrong| said(folder, &wrong))
}

fn said(path: &Path, wrong: &str) -> Failure {
    Refusal::Together(format!("{}: {wrong}", path.display())).into()
}

/// The rows of any table, by column.
fn rows(path: &Path) -> Result<Vec<Row>, Failure> {
    let (name, file) = shared::open(path)?;
    let mut rows = Vec::new();
    let read = Upload::csv(&name, Limits::default()).read(file, &mut |task| {
        rows.extend(serde_json::from_slice::<Row>(&task.payload));
    });
    read.map_err(|failure| shared::not_read(&name, failure))?;
    Ok(rows)
}
