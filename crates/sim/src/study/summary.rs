//! A study as plain numbers with names: what `--json` prints, and what programs read.

use serde::Serialize;

use super::{Interval, Study, Together};
use crate::measure::{Edges, Measure, Scope, Unit};
use crate::model::{Scenario, Setup};

/// The names of things.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a>(pub &'a Setup);

impl Names<'_> {
    /// What a scope is called.
    #[must_use]
    pub fn scope(&self, scope: Scope) -> String {
        match scope {
            Scope::All => "all".to_owned(),
            Scope::Tenant(place) => format!("tenant {}", self.0.tenants[place].name),
            Scope::Pool(place) => format!("pool {}", self.0.pools[place].name),
        }
    }
}

/// A study.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The scenario's name.
    pub scenario: String,
    /// The seed: with it and the same version of the program the same numbers come out.
    pub seed: u64,
    /// The currency of all money.
    pub currency: String,
    /// Runs of each variant.
    pub replications: u32,
    /// Whether it was stopped before all runs were made.
    pub stopped: bool,
    /// Whether a precision was asked for and not reached.
    pub imprecise: bool,
    /// The variants, the first being the one that others are compared with.
    pub variants: Vec<VariantSummary>,
}

/// A variant.
#[derive(Clone, Debug, Serialize)]
pub struct VariantSummary {
    /// Its name.
    pub name: String,
    /// What was measured.
    pub measures: Vec<Line>,
    /// What became of everything, in all runs together.
    pub counts: Counts,
}

/// A measure.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// What it is about: `all`, `tenant NAME`, `pool NAME`.
    pub scope: String,
    /// Its name.
    pub measure: &'static str,
    /// In which unit: `s`, `1/h`, `USD/h`, `USD`, `share`, `count`, `of 100`, or nothing.
    pub unit: String,
    /// The mean over runs with its 95 % interval (`half` is null if there was only one run).
    pub value: Interval,
    /// How it differs from the first variant, run by run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Interval>,
}

/// Counts in all runs together.
#[derive(Clone, Debug, Serialize)]
pub struct Counts {
    /// What became of everything.
    #[serde(flatten)]
    pub edges: Edges,
    /// Facts recorded.
    pub facts: u64,
}

impl Study {
    /// The study as plain numbers with names.
    #[must_use]
    pub fn summary(&self, scenario: &Scenario) -> Summary {
        let variant = |(place, together): (usize, &Together)| {
            let setup = &scenario.variants[place].setup;
            let base = (place > 0).then(|| &self.variants[0]);
            let line = |(scope, measure): &(Scope, Measure)| {
                let unit = unit(measure.unit(), &scenario.currency);
                line((together, base), setup, (*scope, *measure), unit)
            };
            VariantSummary {
                name: scenario.variants[place].name.clone(),
                measures: together.keys().iter().filter_map(line).collect(),
                counts: Counts { edges: together.edges, facts: together.facts },
            }
        };
        Summary {
            scenario: scenario.name.clone(),
            seed: scenario.plan.seed,
            currency: scenario.currency.clone(),
            replications: self.replications,
            stopped: self.stopped,
            imprecise: self.imprecise,
            variants: self.variants.iter().enumerate().map(variant).collect(),
        }
    }
}

fn unit(unit: Unit, currency: &str) -> String {
    match unit {
        Unit::Seconds => "s".to_owned(),
        Unit::PerHour => "1/h".to_owned(),
        Unit::MoneyPerHour => format!("{currency}/h"),
        Unit::Money => currency.to_owned(),
        Unit::Share => "share".to_owned(),
        Unit::Count => "count".to_owned(),
        Unit::PerHundred => "of 100".to_owned(),
        Unit::Plain => String::new(),
    }
}

fn line(
    (together, base): (&Together, Option<&Together>),
    setup: &Setup,
    (scope, measure): (Scope, Measure),
    unit: String,
) -> Option<Line> {
    Some(Line {
        scope: Names(setup).scope(scope),
        measure: measure.key(),
        unit,
        value: together.interval(scope, measure)?,
        difference: base.and_then(|base| together.against(base, scope, measure)).map(|found| found.interval),
    })
}
