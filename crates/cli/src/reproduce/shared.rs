//! What all papers have in common on the command line: how long, in which form, and where to.

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::Args;
use muster_formats::trace::{ColumnMap, Trace};
use muster_formats::upload;
use muster_papers::lab::{Lab, Trouble};
use muster_papers::report::Report;
use muster_papers::{json, page, text};

use super::progress::Bar;
use crate::output::Console;
use crate::refusal::{Failure, Refusal};

#[derive(Args, Debug)]
pub(super) struct Form {
    /// Few and short runs, to see that it works; verdicts mean nothing then
    #[arg(long)]
    quick: bool,
    /// Write the claims as JSON: id, paper, ours, interval, verdict, note
    #[arg(long)]
    json: bool,
    /// Write a report with charts to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Runs a paper's experiments and shows what came out.
pub(super) fn run(
    form: &Form,
    console: &Console,
    experiments: impl FnOnce(&Lab<'_>) -> Result<Report, Trouble>,
) -> Result<(), Failure> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let bar = Bar::new();
    let report = experiments(&Lab::new(form.quick, threads, &bar));
    bar.clear();
    let report = report.map_err(|trouble| Refusal::Together(trouble.to_string()))?;
    if form.json {
        console.print(&format!("{:#}\n", json::claims(&report)))?;
    } else {
        console.print(&text::report(&report, console.out))?;
    }
    let Some(path) = &form.html else { return Ok(()) };
    let shown = path.display().to_string();
    std::fs::write(path, page::html(&report)).map_err(|error| Failure::File(shown.clone(), error))?;
    if form.json { Ok(()) } else { console.print(&format!("The report is in {shown}\n")) }
}

/// The experiments that were named are known.
pub(super) fn check_names(
    named: &[String],
    known: impl Iterator<Item = &'static str>,
) -> Result<(), Refusal> {
    let known: Vec<&str> = known.collect();
    match named.iter().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => Err(Refusal::value("experiment", unknown, &known.join(", "))),
        None => Ok(()),
    }
}

/// Opens a file, which is called so in what goes wrong with it.
pub(super) fn open(path: &Path) -> Result<(String, File), Failure> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Failure::File(name.clone(), error))?;
    Ok((name, file))
}

/// A table of somebody else's, read as a trace.
pub(super) fn table(path: &Path) -> Result<Trace, Failure> {
    let (name, file) = open(path)?;
    Trace::read_table(&name, file, &ColumnMap::default()).map_err(|failure| not_read(&name, failure))
}

/// Why a table could not be read.
pub(super) fn not_read(name: &str, failure: upload::Failure) -> Failure {
    match failure {
        upload::Failure::Refused(refusals) => Failure::Many(refusals.to_string()),
        upload::Failure::Reading(error) => Failure::File(name.to_owned(), error),
    }
}
