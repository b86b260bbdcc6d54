//! `fair-share`: what each of several tenants or jobs should have of the workers.

use muster_engine::formula::share::{fair_shares, whole_workers};
use muster_report::number::Unit;

use super::Calculator;
use super::answer::{Answer, Cell, Listing};
use super::field::{Field, Kind};
use super::inputs::Inputs;
use crate::refusal::Refusal;

pub(super) const CALCULATOR: Calculator = Calculator {
    name: "fair-share",
    about: "What is each tenant's or job's share of the workers?",
    more: "A share is the weight over the sum of weights. Whole workers: rounded down, the rest by the largest\n\
           remainder.",
    example: "--weights 3,1,1 --names ada,ben,cy --workers 22",
    fields: &[
        Field { name: "weights", kind: Kind::Weights, help: "One for each, such as 3,1,1" },
        Field { name: "names", kind: Kind::Names, help: "One for each, such as ada,ben,cy" },
        Field {
            name: "workers",
            kind: Kind::Count(0, 1_000_000_000),
            help: "Also say how many whole workers each gets",
        },
    ],
    draws: false,
    run,
};

fn run(inputs: &Inputs) -> Result<Answer, Refusal> {
    let (weights, names) = (inputs.list("weights")?, inputs.names("names"));
    if !names.is_empty() && names.len() != weights.len() {
        return Err(Refusal::value(
            "names",
            names.join(","),
            &format!("{} names, one for each weight", weights.len()),
        ));
    }
    if weights.iter().sum::<f64>() <= 0.0 {
        return Err(Refusal::Together("weights are all 0; allowed is at least one above 0".to_owned()));
    }
    let shares = fair_shares(weights);
    let workers = inputs.maybe_count("workers");
    let whole = workers.map(|workers| whole_workers(&shares, workers));
    let mut listing = Listing::new("shares")
        .column("name", "name", Unit::Plain)
        .column("weight", "weight", Unit::Plain)
        .column("share", "share", Unit::Share);
    if whole.is_some() {
        listing = listing.column("workers", "workers", Unit::Count);
    }
    for (i, share) in shares.iter().enumerate() {
        let name = names.get(i).cloned().unwrap_or_else(|| (i + 1).to_string());
        let mut row = vec![Cell::Text(name), weights[i].into(), (*share).into()];
        row.extend(whole.as_ref().map(|whole| Cell::Number(f64::from(whole[i]))));
        listing.row(row);
    }
    let mut answer = Answer::default();
    answer.list(listing);
    Ok(answer)
}
