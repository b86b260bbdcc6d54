//! `muster bots`: synthetic people and machines who use a server as real ones would, for demos and for load.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use muster_bots::crowd::content::Plain;
use muster_bots::crowd::{self, Settings, Tally};
use muster_bots::http::Client;
use muster_engine::policy::Registry;
use muster_formats::quantity;
use muster_sim::model::Setup;
use muster_sim::scenario;

use crate::output::Console;
use crate::refusal::{Failure, Refusal};
use crate::remote::{self, Remote};

/// Who comes, and how they behave.
#[derive(Args, Debug)]
pub(crate) struct Bots {
    #[command(flatten)]
    remote: Remote,
    /// People, pools and work as in this scenario; what the server does not have is made
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pool", "people", "work", "staying", "skip", "pause"])]
    scenario: Option<PathBuf>,
    /// The scenario's variant; the first unless said
    #[arg(long, value_name = "NAME", requires = "scenario")]
    variant: Option<String>,
    /// Without a scenario: the pool to join
    #[arg(long, value_name = "POOL", required_unless_present = "scenario")]
    pool: Option<String>,
    /// The kind to join as
    #[arg(long, value_name = "KIND", default_value = "person")]
    kind: String,
    /// So many people
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    people: u32,
    /// How long a task takes: '20 s', or a law as in scenario files
    #[arg(
        long,
        value_name = "LAW",
        default_value = "{ law = \"log-normal\", mean = \"20 s\", sd = \"12 s\" }"
    )]
    work: String,
    /// How long somebody stays; for ever unless said
    #[arg(long, value_name = "LAW")]
    staying: Option<String>,
    /// The share of tasks that are skipped
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    skip: f64,
    /// The share of tasks after which there is a break of about a minute
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pause: f64,
    /// So many seconds of theirs in one second
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    speed: f64,
    /// Everybody leaves after this, as in '10 min'; at Ctrl-C unless said
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// What all chance begins with
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Bots {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        if !(self.speed.is_finite() && self.speed >= 1e-3 && self.speed <= 1e6) {
            return Err(Refusal::value("--speed", self.speed, "a factor from 0.001 to 1000000").into());
        }
        let until = self.until.as_deref().map(|text| {
            let span = quantity::span(text).map_err(|allowed| Refusal::value("--until", text, allowed))?;
            Ok::<_, Refusal>(Duration::from_nanos(span.0))
        });
        let (until, client) = (until.transpose()?, self.remote.client()?);
        let tally = remote::run(async |stop, tell| {
            let setup = match &self.scenario {
                Some(file) => self.of_scenario(file),
                None => self.of_flags(&client).await,
            };
            // What is wrong with a file is no trouble of the server's, but ends it just so.
            let setup = setup.map_err(|failure| muster_bots::http::Trouble::Refused {
                status: 422,
                words: failure.to_string(),
            })?;
            let settings = Settings {
                setup,
                speed: self.speed,
                seed: self.seed,
                content: Arc::new(Plain),
                makes: self.scenario.is_some(),
                until,
                unique: remote::unique(),
            };
            crowd::run(client, settings, stop, tell).await
        })?;
        console.print(&told(&tally))
    }

    fn of_scenario(&self, file: &Path) -> Result<Setup, Failure> {
        let text =
            fs::read_to_string(file).map_err(|error| Failure::File(file.display().to_string(), error))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let mut load = |name: &str| fs::read(folder.join(name)).map_err(|error| error.to_string());
        let read = scenario::parse(&file.display().to_string(), &text, &mut load, &Registry::default());
        let mut variants = read.map_err(|refusals| Failure::Many(refusals.to_string()))?.variants;
        let place = match &self.variant {
            None => Some(0),
            Some(name) => variants.iter().position(|variant| variant.name == *name),
        };
        let names: Vec<String> = variants.iter().map(|variant| format!("'{}'", variant.name)).collect();
        let wrong = || Refusal::value("--variant", self.variant.as_deref().unwrap_or(""), &names.join(", "));
        Ok(variants.swap_remove(place.ok_or_else(wrong)?).setup)
    }

    /// The flags as a scenario, with the apps that the pool serves.
    async fn of_flags(&self, client: &Client) -> Result<Setup, Failure> {
        let pool = self.pool.as_deref().unwrap_or_default();
        let said = client.get("/api/pools").await.map_err(|trouble| Failure::Said(trouble.to_string()))?;
        let pools = said["pools"].as_array().cloned().unwrap_or_default();
        let names: Vec<&str> = pools.iter().filter_map(|pool| pool["name"].as_str()).collect();
        let found = pools.iter().find(|known| known["name"] == pool);
        let found = found
            .ok_or_else(|| Refusal::value("--pool", pool, &format!("one of '{}'", names.join("', '"))))?;
        let apps = found["apps"].as_array().map(Vec::as_slice).unwrap_or_default();
        let apps: Vec<&str> = apps.iter().filter_map(serde_json::Value::as_str).collect();
        let text = self.as_scenario(pool, &apps);
        let read = scenario::parse("flags", &text, &mut |_| Err("no file".to_owned()), &Registry::default());
        let mut variants = read.map_err(|refusals| Failure::Many(refusals.to_string()))?.variants;
        let mut setup = variants.swap_remove(0).setup;
        setup.demands.clear();
        Ok(setup)
    }

    fn as_scenario(&self, pool: &str, apps: &[&str]) -> String {
        let law =
            |text: &str| if text.trim_start().starts_with('{') { text.to_owned() } else { quoted(text) };
        let mut out = String::from("horizon = \"1 h\"\n");
        for app in apps {
            // A scenario must have work; who only joins submits none of it.
            let work =
                format!("work = {}\narrivals = {{ law = \"poisson\", rate = \"1 /h\" }}", law(&self.work));
            let _ = write!(out, "[[app]]\nname = {}\n{work}\n", quoted(app));
        }
        let _ = write!(out, "[[kind]]\nname = {}\n", quoted(&self.kind));
        let serves: Vec<String> = apps.iter().map(|app| quoted(app)).collect();
        let _ = write!(
            out,
            "[[pool]]\nname = {}\nserves = [{}]\nworkers = {}\n",
            quoted(pool),
            serves.join(", "),
            self.people
        );
        let _ = write!(out, "[crowd]\nskipping = {{ task = {:?}, after = \"2 s\" }}\n", self.skip);
        let length = "{ law = \"exponential\", mean = \"1 min\" }";
        let _ = writeln!(out, "pausing = {{ share = {:?}, length = {length} }}", self.pause);
        if let Some(staying) = &self.staying {
            let _ = writeln!(out, "staying = {}", law(staying));
        }
        out
    }
}

/// A text as TOML has it.
fn quoted(text: &str) -> String {
    let escaped: String = text.chars().flat_map(char::escape_unicode).collect();
    format!("\"{}\"", unicode(&escaped))
}

/// Rust writes `\u{61}`, TOML `\u0061`.
fn unicode(escaped: &str) -> String {
    let mut out = String::new();
    for part in escaped.split("\\u{").filter(|part| !part.is_empty()) {
        let _ = write!(out, "\\U{:0>8}", part.trim_end_matches('}'));
    }
    out
}

fn told(tally: &Tally) -> String {
    format!(
        "{} joined, {} gone; {} answers, {} skipped; {} jobs of {} tasks submitted; {} refused; {} requests\n",
        tally.joined,
        tally.left,
        tally.answers,
        tally.skipped,
        tally.jobs,
        tally.tasks,
        tally.refused,
        tally.requests
    )
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn texts_are_quoted_for_toml() {
        assert_eq!(quoted("a\"ß"), "\"\\U00000061\\U00000022\\U000000df\"");
    }
}
