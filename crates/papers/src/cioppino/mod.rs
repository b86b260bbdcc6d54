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

use crate::lab::{Lab, Procedure, Trouble};
use crate::report::Report;

pub use contest::Assignments;
pub use crowd::Streams;
pub use inputs::Inputs;

/// The experiments by name.
const EXPERIMENTS: &[(&str, Procedure<Inputs>)] = &[
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
    Ok(Report {
        paper: "cioppino",
        title: "Cioppino: multi-tenant crowd management, reproduced",
        source: "D. Haas, M. J. Franklin: Cioppino: Multi-Tenant Crowd Management. HCOMP 2017",
        conclusive: !lab.quick,
        experiments: lab.run_named(EXPERIMENTS, inputs, named)?,
    })
}
