//! Cioppino: multi-tenant crowd pools (Haas and Franklin, HCOMP 2017). A pool of people per app; how large to keep it, how to
//! make up for those who leave, and whom to move between pools.
//!
//! The paper gives few of its parameters. Some follow from its bars (see [`world`]), the rest is ours and swept. One file
//! per experiment. Start at [`reproduce`].

mod balance;
mod beyond;
mod contest;
mod crowd;
mod elasticity;
mod end_to_end;
mod stability;
mod world;

use crate::lab::{Lab, Trouble};
use crate::report::{Experiment, Report};

pub use contest::Assignments;
pub use crowd::Streams;

/// What an experiment may be given from outside.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The CLAMShell trace; without it laws that were fitted to it are used.
    pub trace: Option<Streams>,
    /// A table of assignments, as of crowdflower_jobs; without it its days are skipped.
    pub assignments: Option<Assignments>,
}

impl Inputs {
    fn crowd(&self) -> Result<crowd::Crowd, Trouble> {
        let Some(streams) = &self.trace else { return Ok(crowd::Crowd::fitted()) };
        let wrong = |error: muster_sim::law::LawError| {
            Trouble::Input(format!("the trace's {} are not {}", error.field, error.allowed))
        };
        crowd::Crowd::traced(streams).map_err(wrong)
    }
}

type Run = fn(&Lab<'_>, &Inputs) -> Result<Experiment, Trouble>;

/// The experiments by name.
const EXPERIMENTS: &[(&str, Run)] = &[
    ("elasticity", elasticity::run),
    ("stability", stability::run),
    ("balance", balance::run),
    ("end-to-end", end_to_end::run),
    ("look-ahead", beyond::run),
];

/// The names of the experiments.
pub fn experiments() -> impl Iterator<Item = &'static str> {
    EXPERIMENTS.iter().map(|(name, _)| *name)
}

/// Runs the named experiments, or all if none is named.
pub fn reproduce(lab: &Lab<'_>, inputs: &Inputs, named: &[String]) -> Result<Report, Trouble> {
    let wanted = |name: &str| named.is_empty() || named.iter().any(|it| it == name);
    let runs = EXPERIMENTS.iter().filter(|(name, _)| wanted(name));
    Ok(Report {
        paper: "cioppino",
        title: "Cioppino: multi-tenant crowd management, reproduced",
        source: "D. Haas, M. J. Franklin: Cioppino: Multi-Tenant Crowd Management. HCOMP 2017",
        conclusive: !lab.quick,
        experiments: runs.map(|(_, run)| run(lab, inputs)).collect::<Result<Vec<_>, _>>()?,
    })
}
