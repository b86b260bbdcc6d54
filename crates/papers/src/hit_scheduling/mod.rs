//! Scheduling human intelligence tasks in multi-tenant crowd-powered systems (Difallah, Demartini and Cudré-Mauroux, WWW 2016): which
//! batch does the next person get?
//!
//! The paper ran real crowds and gives few numbers; the sections with the controlled results are missing from the text at hand. So
//! most claims are directions. How people behave is ours, and swept; the authors' pilot runs, if they are given, say how near
//! that is. One file per experiment. Start at [`reproduce`].

mod choice;
mod crowd_size;
mod diary;
mod hour;
mod inputs;
mod participation;
mod pilots;
mod priority;
mod sequences;
mod seven;
mod splitting;
mod switches;
mod world;

use crate::lab::{Lab, Procedure, Trouble};
use crate::report::Report;

pub use inputs::{Hour, Inputs};
pub use pilots::{Pilots, Row, Tables};

/// The experiments by name.
const EXPERIMENTS: &[(&str, Procedure<Inputs>)] = &[
    ("seven-batches", seven::run),
    ("priority", priority::run),
    ("crowd-size", crowd_size::run),
    ("switches", switches::run),
    ("sequences", sequences::run),
    ("live-hour", hour::run),
    ("splitting", splitting::run),
    ("participation", participation::run),
    ("pilots", pilots::run),
];

/// The names of the experiments.
pub fn experiments() -> impl Iterator<Item = &'static str> {
    EXPERIMENTS.iter().map(|(name, _)| *name)
}

/// Runs the named experiments, or all if none is named.
pub fn reproduce(lab: &Lab<'_>, inputs: &Inputs, named: &[String]) -> Result<Report, Trouble> {
    Ok(Report {
        paper: "hit-scheduling",
        title: "Scheduling human intelligence tasks, reproduced",
        source: "D. E. Difallah, G. Demartini, P. Cudré-Mauroux: Scheduling Human Intelligence Tasks in Multi-Tenant Crowd-Powered Systems. \
                 WWW 2016",
        conclusive: !lab.quick,
        experiments: lab.run_named(EXPERIMENTS, inputs, named)?,
    })
}
