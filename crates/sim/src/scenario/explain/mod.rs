//! A scenario in plain words: what was understood, and what can be said of it before anything is run.
//!
//! Decides nothing and runs nothing. Every sentence begins with what it is about, so that a variant is told by those of its
//! sentences that the first one lacks. Start at [`explain`].

mod crowd;
mod demand;
mod load;
mod pool;
mod words;

use crate::model::{Horizon, Plan, Replications, Scenario, Setup};

use words::{count, share};

/// The scenario in plain words, ready to be printed.
#[must_use]
pub fn explain(scenario: &Scenario) -> String {
    let mut out = format!("{}\n", scenario.name);
    if !scenario.about.is_empty() {
        out.push_str(&format!("\n{}", wrapped(&scenario.about, "")));
    }
    out.push_str(&section("How it is run", &[run(&scenario.plan, scenario.variants.len())]));
    let Some(base) = scenario.variants.first() else { return out };
    let parts = Parts::of(&base.setup, scenario);
    for (heading, sentences) in parts.sections() {
        out.push_str(&section(heading, sentences));
    }
    if scenario.variants.len() > 1 {
        out.push_str(&format!("\nVariants\n  {}: all as said above.\n", base.name));
    }
    for variant in scenario.variants.iter().skip(1) {
        let other = Parts::of(&variant.setup, scenario);
        out.push_str(&format!("  {}:\n", variant.name));
        let new = other.all().filter(|sentence| !parts.all().any(|known| known == *sentence));
        let new: Vec<&String> = new.collect();
        if new.is_empty() {
            out.push_str("    the same.\n");
        }
        new.iter().for_each(|sentence| out.push_str(&wrapped(sentence, "    ")));
    }
    out
}

/// Sentences about a set-up, by what they are about.
struct Parts {
    work: Vec<String>,
    crowd: Vec<String>,
    pools: Vec<String>,
}

impl Parts {
    fn of(setup: &Setup, scenario: &Scenario) -> Self {
        let teller = Teller { setup, plan: &scenario.plan, currency: &scenario.currency };
        Self { work: teller.work(), crowd: teller.crowd(), pools: teller.pools() }
    }

    fn sections(&self) -> [(&'static str, &[String]); 3] {
        [("What comes", &self.work), ("Who works", &self.crowd), ("Pools", &self.pools)]
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        self.work.iter().chain(&self.crowd).chain(&self.pools)
    }
}

/// Tells one set-up.
struct Teller<'a> {
    setup: &'a Setup,
    plan: &'a Plan,
    currency: &'a str,
}

impl Teller<'_> {
    fn kind_names(&self) -> Vec<String> {
        self.setup.kinds.iter().map(|kind| kind.name.clone()).collect()
    }
}

fn run(plan: &Plan, variants: usize) -> String {
    let end = match plan.horizon {
        Horizon::Time(span) => format!("A run ends after {span}; what waits then is counted as waiting"),
        Horizon::Drain(span) => format!("Work comes for {span}, and a run ends when all of it is done"),
        Horizon::Jobs(n) => {
            format!("A run ends when {} are done", count(n, "job", "jobs"))
        }
    };
    let warm_up = if plan.warm_up.is_zero() {
        String::new()
    } else {
        format!(" Nothing of the first {} is measured.", plan.warm_up)
    };
    let each = if variants > 1 { " of each variant" } else { "" };
    let often = match plan.replications {
        Replications::Fixed(n) => {
            format!("There are {}{each}", count(u64::from(n), "run", "independent runs"))
        }
        Replications::Until { measure, within, least, most } => format!(
            "There are {least} to {most} independent runs{each}, until the 95 % interval of {measure} is within {} of its mean",
            share(within)
        ),
    };
    format!("{end}.{warm_up} {often}, with seed {}.", plan.seed)
}

fn section(heading: &str, sentences: &[String]) -> String {
    let told: String = sentences.iter().map(|sentence| wrapped(sentence, "  ")).collect();
    format!("\n{heading}\n{told}")
}

/// How wide a line is, in letters.
const WIDTH: usize = 96;

/// A paragraph in lines, the first further left if there is an indent.
fn wrapped(text: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut line = indent.to_owned();
    for word in text.split_whitespace() {
        if line.chars().count() + word.chars().count() + 1 > WIDTH && !line.trim().is_empty() {
            out.push_str(line.trim_end());
            out.push('\n');
            line = if indent.is_empty() { String::new() } else { format!("{indent}  ") };
        }
        line.push_str(word);
        line.push(' ');
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}
