//! `muster policies`: every policy that can be chosen, with its settings.

use clap::Args;
use muster_engine::policy::rule::{METRICS, Metric};
use muster_engine::policy::settings::{Setting, nearest};
use muster_engine::policy::{Family, Registry};
use muster_report::paint::Paint;
use muster_report::table::{Align, Table};
use serde_json::{Value, json};

use crate::output::Console;
use crate::refusal::{Failure, Refusal};

/// Which policies to show.
#[derive(Args, Debug)]
pub(crate) struct Wanted {
    /// Only this family: dispatch, matching, scaling, replacement or balance
    family: Option<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

const FAMILIES: [(Family, &str); 5] = [
    (Family::Dispatch, "Which slot does this worker get?"),
    (Family::Matching, "Which idle worker gets an arriving task?"),
    (Family::Scaling, "How many workers, of which kind?"),
    (Family::Replacement, "How do we make up for people who leave?"),
    (Family::Balance, "Should idle workers move to another pool?"),
];

pub(crate) fn run(wanted: &Wanted, console: &Console) -> Result<(), Failure> {
    let families = chosen(wanted.family.as_deref())?;
    let registry = Registry::default();
    if wanted.json {
        let families: serde_json::Map<String, Value> = families
            .iter()
            .map(|(family, question)| (family.name().to_owned(), data(&registry, *family, question)))
            .collect();
        return console.print(&format!("{:#}\n", Value::Object(families)));
    }
    let texts: Vec<String> =
        families.iter().map(|(family, question)| text(&registry, *family, question, console.out)).collect();
    console.print(&texts.join("\n"))
}

fn chosen(name: Option<&str>) -> Result<Vec<(Family, &'static str)>, Refusal> {
    let Some(name) = name else { return Ok(FAMILIES.to_vec()) };
    let known = || FAMILIES.iter().map(|(family, _)| family.name());
    let found = FAMILIES.iter().find(|(family, _)| family.name() == name);
    found.map(|family| vec![*family]).ok_or_else(|| Refusal::Unknown {
        key: name.to_owned(),
        nearest: nearest(name, known()).map(str::to_owned),
        known: known().map(str::to_owned).collect(),
    })
}

fn text(registry: &Registry, family: Family, question: &str, paint: Paint) -> String {
    let mut out = format!("{}  {}\n", paint.strong(family.name()), paint.faint(question));
    for (name, about, settings) in registry.describe(family) {
        out += &format!("\n  {}\n    {about}\n", paint.strong(name));
        if !settings.is_empty() {
            out += &settings_table(settings).render(6, paint);
        }
    }
    if has_rules(registry, family) {
        out += &format!("\n  {}\n", paint.strong("metrics that rules may use"));
        out += &metrics_table().render(6, paint);
    }
    out
}

fn has_rules(registry: &Registry, family: Family) -> bool {
    registry.describe(family).iter().any(|(name, ..)| *name == "rules")
}

fn metrics_table() -> Table {
    let mut table = Table::new().column("metric", Align::Left).column("meaning", Align::Left);
    for metric in METRICS {
        table.row([metric.name, metric.meaning]);
    }
    table
}

fn settings_table(settings: &[Setting]) -> Table {
    let mut table = Table::new()
        .column("setting", Align::Left)
        .column("default", Align::Left)
        .column("meaning", Align::Left);
    for setting in settings {
        table.row([setting.name, setting.default, setting.meaning]);
    }
    table
}

fn data(registry: &Registry, family: Family, question: &str) -> Value {
    let setting = |it: &Setting| json!({"name": it.name, "meaning": it.meaning, "default": it.default});
    let policy = |(name, about, settings): (&str, &str, &[Setting])| json!({"name": name, "about": about, "settings": settings.iter().map(setting).collect::<Vec<_>>()});
    let policies: Vec<Value> = registry.describe(family).into_iter().map(policy).collect();
    let mut data = json!({"question": question, "policies": policies});
    if has_rules(registry, family) {
        let metric = |it: &Metric| json!({"name": it.name, "meaning": it.meaning});
        data["metrics"] = METRICS.iter().map(metric).collect();
    }
    data
}
