//! Cioppino: multi-tenant crowd pools (Haas and Franklin, HCOMP 2017). A pool of people per app; how large to keep it, how to
//! make up for those who leave, and whom to move between pools.
//!
//! The paper gives few of its parameters. Some follow from its bars (see `world`), the rest is ours and swept. One file
//! per experiment. Start at [`reproduce`].

mod balance;
mod beyond;
mod contest;
mod crowd;
mod elasticity;
mod end_to_end;
mod inputs;
mod stability;
mod world;

use crate::lab::{Lab, Trouble};
use crate::report::{Experiment, Report};

pub use contest::Assignments;
pub use crowd::Streams;
pub use inputs::Inputs;

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
