//! `muster simulate`: what would happen. Reads a scenario, runs its variants, prints tables, writes a report.
//!
//! Decides nothing: the scenario is read by `sim::scenario`, run by `sim::study`; here is only how it is shown. Start at
//! [`Simulate::run`].

mod facts;
mod page;
pub(crate) mod tables;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use muster_engine::Span;
use muster_engine::policy::Registry;
use muster_sim::model::{Horizon, Replications, Scenario};
use muster_sim::scenario;
use muster_sim::study::{Options, Study, study};

use crate::output::Console;
use crate::progress::Bar;
use crate::refusal::{Failure, Refusal};

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    /// The scenario: a TOML file that says what comes, who works and which policies are compared.
    scenario: PathBuf,
    /// Say in words what was understood, and run nothing.
    #[arg(long)]
    explain: bool,
    /// Only these variants; can be given several times. The first is what the others are compared with.
    #[arg(long, value_name = "NAME")]
    variant: Vec<String>,
    /// Another horizon than the scenario's, such as '2 h'.
    #[arg(long, value_name = "TIME")]
    horizon: Option<Span>,
    /// So many independent runs of each variant, whatever the scenario says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    replications: Option<u32>,
    /// Another seed than the scenario's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many runs at once [default: as many as there are cores]. The numbers do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Everything that was measured, as JSON.
    #[arg(long)]
    json: bool,
    /// Where to write the report [default: the scenario's name with .html, in this folder; none with --json].
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write no report.
    #[arg(long, conflicts_with = "html")]
    no_html: bool,
    /// Also write every fact of the first run of the first variant, as JSON lines.
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,
}

impl Simulate {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let registry = Registry::default();
        let text = read(&self.scenario)?;
        let text = String::from_utf8(text).map_err(|_| {
            Refusal::value(&self.scenario.display().to_string(), "not text", "a TOML file in UTF-8")
        })?;
        let scenario = self.changed(parse(&self.scenario, &text, &registry)?)?;
        if self.explain {
            return console.print(&scenario::explain(&scenario));
        }
        let report = self.report_file();
        check_writable(report.iter().chain(&self.facts))?;
        let bar = Bar::new(console);
        let threads = self.threads.map_or_else(cores, |n| n as usize);
        let made = study(&scenario, Options { threads, registry: &registry, watch: &bar });
        bar.finish();
        let made = made.map_err(|error| Failure::Said(error.to_string()))?;
        if let Some(file) = &self.facts {
            facts::write(file, &scenario, &registry)?;
        }
        self.tell(console, &scenario, &made, report.as_deref(), &text)
    }

    fn tell(
        &self,
        console: &Console,
        scenario: &Scenario,
        made: &Study,
        report: Option<&Path>,
        text: &str,
    ) -> Result<(), Failure> {
        if let Some(file) = report {
            let page = page::page(scenario, made, text);
            fs::write(file, page).map_err(|error| Failure::File(file.display().to_string(), error))?;
        }
        if self.json {
            let json =
                serde_json::to_string_pretty(&made.summary(scenario)).expect("summaries are plain data");
            return console.print(&(json + "\n"));
        }
        console.print(&tables::text(scenario, made, console.out))?;
        match report {
            Some(file) => console.print(&format!("\nreport: {}\n", file.display())),
            None => Ok(()),
        }
    }

    /// The scenario with what was said on the command line.
    fn changed(&self, mut scenario: Scenario) -> Result<Scenario, Refusal> {
        if let Some(horizon) = self.horizon {
            if horizon.is_zero() {
                return Err(Refusal::value("--horizon", horizon, "a time above 0, such as 2 h"));
            }
            scenario.plan.horizon = match scenario.plan.horizon {
                Horizon::Time(_) => Horizon::Time(horizon),
                Horizon::Drain(_) | Horizon::Jobs(_) => Horizon::Drain(horizon),
            };
            if scenario.plan.warm_up >= horizon {
                let allowed = format!("more than the warm-up, which takes {}", scenario.plan.warm_up);
                return Err(Refusal::value("--horizon", horizon, &allowed));
            }
        }
        if let Some(n) = self.replications {
            scenario.plan.replications = Replications::Fixed(n);
        }
        scenario.plan.seed = self.seed.unwrap_or(scenario.plan.seed);
        if !self.variant.is_empty() {
            scenario.variants = self.chosen(&scenario)?;
        }
        Ok(scenario)
    }

    fn chosen(&self, scenario: &Scenario) -> Result<Vec<muster_sim::model::Variant>, Refusal> {
        let find = |name: &String| {
            let found = scenario.variants.iter().find(|variant| variant.name == *name);
            found.cloned().ok_or_else(|| {
                let known = scenario.variants.iter().map(|variant| variant.name.clone()).collect();
                Refusal::unknown(name, known)
            })
        };
        self.variant.iter().map(find).collect()
    }

    fn report_file(&self) -> Option<PathBuf> {
        if self.no_html || (self.json && self.html.is_none()) {
            return None;
        }
        let stem = || self.scenario.file_stem().map_or_else(|| "report".into(), PathBuf::from);
        Some(self.html.clone().unwrap_or_else(|| stem().with_extension("html")))
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|error| Failure::File(file.display().to_string(), error))
}

/// Files named in a scenario lie beside it.
fn parse(file: &Path, text: &str, registry: &Registry) -> Result<Scenario, Failure> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut load = |name: &str| fs::read(folder.join(name)).map_err(|error| error.to_string());
    scenario::parse(&file.display().to_string(), text, &mut load, registry)
        .map_err(|refusals| Failure::Many(refusals.to_string()))
}

/// Nothing is run if what comes of it could not be kept.
fn check_writable<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    for file in files {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            let error = std::io::Error::new(std::io::ErrorKind::NotFound, "there is no such folder");
            return Err(Failure::File(folder.display().to_string(), error));
        }
        if file.is_dir() {
            let error = std::io::Error::new(std::io::ErrorKind::IsADirectory, "this is a folder, not a file");
            return Err(Failure::File(file.display().to_string(), error));
        }
    }
    Ok(())
}
