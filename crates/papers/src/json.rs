//! The claims as a list, for programs.

use serde_json::{Value, json};

use crate::claim::{Claim, Kind, Printed};
use crate::report::Report;
use crate::sweep::Held;

/// Every claim of the report with what became of it.
#[must_use]
pub fn claims(report: &Report) -> Value {
    let one = |(experiment, claim): (&crate::report::Experiment, &Claim)| {
        json!({
            "paper_name": report.paper,
            "experiment": experiment.id,
            "id": claim.stated.id,
            "claim": claim.stated.says,
            "unit": unit(claim.stated.kind),
            "paper": claim.stated.printed.map(printed),
            "printed_in": claim.stated.printed.map(|it| it.place),
            "ours": claim.ours.map(|ours| finite(ours.mean)),
            "interval": claim.ours.map(|ours| [finite(ours.ends().0), finite(ours.ends().1)]),
            "runs": claim.ours.map(|ours| ours.n),
            "verdict": claim.verdict,
            "note": claim.note,
            "held": claim.held.as_ref().map(held),
            "conclusive": report.conclusive,
        })
    };
    Value::Array(report.claims().map(one).collect())
}

fn unit(kind: Kind) -> &'static str {
    match kind {
        Kind::Factor => "factor",
        Kind::Number(unit) => unit,
    }
}

fn printed(it: Printed) -> Value {
    if it.low == it.high { json!(it.low) } else { json!([it.low, finite(it.high)]) }
}

/// JSON has no infinity: what is not known is null.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn held(it: &Held) -> Value {
    let dimension = |(name, rows): &(&'static str, Vec<(f64, usize, usize)>)| {
        let row = |(value, held, of): &(f64, usize, usize)| json!({ "value": value, "held": held, "of": of });
        json!({ "setting": name, "values": rows.iter().map(row).collect::<Vec<_>>() })
    };
    let by: Vec<Value> = it.by.iter().map(dimension).collect();
    json!({ "held": it.held, "of": it.of, "not_said": it.silent, "by": by })
}
