//! `muster trace replay`: the history under other policies.

use std::collections::BTreeMap;

use clap::Args;
use muster_engine::Span;
use muster_engine::ids::KindId;
use muster_engine::policy::Registry;
use muster_formats::document::Document;
use muster_formats::policy::{self, Known, Policies};
use muster_sim::model::{Horizon, Plan, Replications, Scenario, Setup, Variant};
use muster_sim::replay::{Options as Reading, Replayed, replay};
use muster_sim::study::{Options, study};

use super::Source;
use crate::output::Console;
use crate::progress::Bar;
use crate::refusal::{Failure, Refusal};
use crate::simulate::tables;

#[derive(Debug, Args)]
pub(crate) struct Replay {
    #[command(flatten)]
    source: Source,
    /// A policy to try, as in a scenario's [policy] table; can be given several times. [default: dispatch = "fifo", then
    /// dispatch = "fair"]
    #[arg(long, value_name = "TOML")]
    policy: Vec<String>,
    /// A worker who takes the next task within this time has been there in between.
    #[arg(long, value_name = "TIME", default_value = "5 min")]
    gap: Span,
    /// Only what was begun from this time after the first moment on.
    #[arg(long, value_name = "TIME", default_value = "0 s")]
    from: Span,
    /// Only what was begun before this time after the first moment.
    #[arg(long, value_name = "TIME")]
    until: Option<Span>,
    /// How many people answer, where the file does not say (a log of calls).
    #[arg(long, value_name = "N", default_value_t = 0)]
    workers: u32,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let registry = Registry::default();
        let defaults = ["dispatch = \"fifo\"".to_owned(), "dispatch = \"fair\"".to_owned()];
        let wanted = if self.policy.is_empty() { &defaults[..] } else { &self.policy };
        let policies: Vec<Policies> =
            wanted.iter().map(|text| read(text, &registry)).collect::<Result<_, _>>()?;
        let trace = self.source.read()?;
        let until = self.until.unwrap_or(Span::MAX);
        let reading = Reading { gap: self.gap, from: self.from, until, workers: self.workers };
        let replayed = replay(&trace, reading)
            .map_err(|why| Refusal::Together(format!("{}: {why}", self.source.file.display())))?;
        let name = format!("{} again", self.source.file.display());
        let scenario = scenario(name, &replayed, wanted, &policies);
        let bar = Bar::new(console);
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let made = study(&scenario, Options { threads, registry: &registry, watch: &bar });
        bar.finish();
        let made = made.map_err(|error| Failure::Said(error.to_string()))?;
        if self.json {
            let summary = serde_json::json!({"assumed": replayed.assumed, "study": made.summary(&scenario)});
            return console.print(&(summary.to_string() + "\n"));
        }
        console.print(&tables::text(&scenario, &made, console.out))?;
        let mut text = "\nWhat the file does not tell, and was assumed:\n".to_owned();
        for said in &replayed.assumed {
            text += &format!("- {said}\n");
        }
        console.print(&text)
    }
}

fn read(text: &str, registry: &Registry) -> Result<Policies, Failure> {
    let kinds = BTreeMap::from([("people".to_owned(), KindId(0))]);
    let refused = |refusals: muster_formats::refusal::Refusals| Failure::Many(refusals.to_string());
    let document = Document::parse("--policy", text).map_err(refused)?;
    let policies = policy::read(document.top(), Known { registry, kinds: &kinds });
    document.finish().map_err(refused)?;
    Ok(policies)
}

fn scenario(name: String, replayed: &Replayed, wanted: &[String], policies: &[Policies]) -> Scenario {
    let variant = |(text, policies): (&String, &Policies)| {
        let mut setup: Setup = replayed.setup.clone();
        for pool in &mut setup.pools {
            pool.spec.policies = policies.of_pool();
        }
        if let Some(balance) = policies.balance() {
            setup.balance = balance.clone();
        }
        Variant { name: text.replace(" = ", " ").replace('"', ""), setup }
    };
    Scenario {
        name,
        about: String::new(),
        currency: "USD".to_owned(),
        plan: Plan {
            horizon: Horizon::Time(replayed.horizon),
            warm_up: Span::ZERO,
            replications: Replications::Fixed(1),
            seed: 1,
            points: 200,
        },
        variants: wanted.iter().zip(policies).map(variant).collect(),
    }
}
