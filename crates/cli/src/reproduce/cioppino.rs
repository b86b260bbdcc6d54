//! `muster reproduce cioppino`: parses what was typed, reads the files, prints the report.

use clap::Args;
use muster_papers::cioppino::{Inputs, experiments, reproduce};

use super::shared::{self, Form};
use crate::output::Console;
use crate::refusal::{Failure, Refusal};

#[derive(Args, Debug)]
pub(crate) struct Cioppino {
    /// Only these experiments: elasticity, stability, balance, end-to-end, look-ahead
    experiments: Vec<String>,
    #[command(flatten)]
    form: Form,
}

pub(super) fn run(wanted: &Cioppino, console: &Console) -> Result<(), Failure> {
    let known: Vec<&str> = experiments().collect();
    if let Some(unknown) = wanted.experiments.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Refusal::value("experiment", unknown, &known.join(", ")).into());
    }
    let inputs = Inputs::default();
    shared::run(&wanted.form, console, |lab| reproduce(lab, &inputs, &wanted.experiments))
}
