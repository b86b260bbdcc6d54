//! Scenario files: TOML in, a [`Scenario`] or everything that is wrong with it out.
//!
//! ```toml
//! horizon = "8 h"
//!
//! [[app]]
//! name = "moderation"
//! arrivals = { law = "poisson", rate = "12 /min" }
//! work = { law = "log-normal", mean = "18 s", sd = "12 s" }
//!
//! [crowd]
//! workers = 5
//! ```
//!
//! Opens no file itself and knows no policy: the caller reads files that the scenario names, and the engine says which
//! policies there are. A file is read twice: first for its form, and, if that is right, once more to let the engine say
//! whether it takes what is described, so that its refusals too point at a place. Every key is listed in [`keys`], from
//! which the reference and the schema for editors are made. Start at [`parse`].

mod app;
mod arrivals;
mod check;
mod crowd;
mod curve;
mod demand;
mod explain;
mod files;
pub mod keys;
mod law;
mod plan;
mod pool;
mod reference;
mod schema;

use muster_engine::policy::Registry;
use muster_engine::policy::settings::PolicySpec;
use muster_formats::document::{Document, Table};
use muster_formats::policy::Known;
use muster_formats::refusal::Refusals;

use crate::model::{Scenario, Setup, Variant};

pub use explain::explain;
use files::Files;
pub use files::Load;
pub use reference::reference;
pub use schema::schema;

/// What all readers may use.
struct Context<'a> {
    registry: &'a Registry,
    files: &'a Files<'a>,
}

/// The names of everything that can be named, by place.
#[derive(Clone, Debug, Default)]
struct Names {
    tenants: Vec<String>,
    apps: Vec<String>,
    kinds: Vec<String>,
    pools: Vec<String>,
}

/// Where things stand in the file, by what they are called when the engine refuses them.
#[derive(Default)]
struct Places<'d>(Vec<(String, Table<'d>)>);

impl<'d> Places<'d> {
    fn put(&mut self, what: String, table: Table<'d>) {
        self.0.push((what, table));
    }

    fn of(&self, what: &str) -> Option<Table<'d>> {
        self.0.iter().find(|(known, _)| known == what).map(|(_, table)| *table)
    }
}

/// A set-up, and where its parts stand.
struct Placed<'d> {
    setup: Setup,
    names: Names,
    places: Places<'d>,
}

/// Reads a scenario. `name` is what the file is called in refusals; `load` reads files by the names that stand in the
/// scenario, which are meant relative to it.
pub fn parse(name: &str, text: &str, load: &mut Load<'_>, registry: &Registry) -> Result<Scenario, Refusals> {
    let mut load = |file: &str| load(file);
    let files = Files::new(&mut load);
    let cx = Context { registry, files: &files };
    let document = Document::parse(name, text)?;
    let _ = read(document.top(), &cx);
    let mut wrong = document.finish().err().map(|refusals| refusals.0).unwrap_or_default();
    wrong.extend(files.refused());
    if !wrong.is_empty() {
        return Err(Refusals(wrong));
    }
    let document = Document::parse(name, text)?;
    let scenario = read_and_check(&document, &cx);
    document.finish_with(Some(scenario))
}

fn read_and_check(document: &Document, cx: &Context<'_>) -> Scenario {
    let (scenario, placed) = read(document.top(), cx);
    placed.iter().for_each(|placed| check::with_engine(placed, document.top(), cx));
    scenario
}

/// The scenario, and the places of each variant. What is wrong has been refused, and something else stands in for it.
fn read<'d>(top: Table<'d>, cx: &Context<'_>) -> (Scenario, Vec<Placed<'d>>) {
    let name = top.text("name").or("scenario".to_owned());
    let about = top.text("about").or(String::new());
    let base = top.text("base").or("as written".to_owned());
    let plan = plan::read(top);
    let mut placed = vec![setup(top, cx)];
    let mut names = vec![base];
    for variant in top.tables("variant").or(Vec::new()) {
        let own = variant.text("name").required_or(String::new());
        if names.contains(&own) {
            variant.complain("name", format!("there is a variant called '{own}' already"));
        }
        names.push(own);
        placed.push(setup(top.overlaid(variant, &plan::KEYS), cx));
    }
    let variant =
        |(name, placed): (&String, &Placed<'d>)| Variant { name: name.clone(), setup: placed.setup.clone() };
    let variants = names.iter().zip(&placed).map(variant).collect();
    let currency = top.document().currency().unwrap_or_else(|| "USD".to_owned());
    (Scenario { name, about, currency, plan, variants }, placed)
}

/// Everything that is simulated.
fn setup<'d>(top: Table<'d>, cx: &Context<'_>) -> Placed<'d> {
    let mut places = Places::default();
    let tables = |key: &str| top.tables(key).or(Vec::new());
    let (tenant_tables, kind_tables, pool_tables) = (tables("tenant"), tables("kind"), tables("pool"));
    let app_tables = top.tables("app").required_or(Vec::new());
    let crowd = top.table("crowd").optional();
    let policy = top.table("policy").optional();
    let names = Names {
        tenants: or_one(named(&tenant_tables, "tenant", None), "everybody"),
        apps: named(&app_tables, "app", None),
        kinds: or_one(named(&kind_tables, "kind of worker", None), "people"),
        pools: named(&pool_tables, "pool", (pool_tables.len() == 1).then_some("everybody")),
    };
    let tenants = app::tenants(&tenant_tables, &names, &mut places);
    let apps = app::apps(&app_tables, &names, cx, &mut places);
    let kinds = crowd::read_all(crowd, &kind_tables, &names, cx, &mut places);
    let shared = pool::Shared { crowd, policy, kinds: &kinds, names: &names, cx };
    let pools = shared.read_all(&pool_tables, top, &mut places);
    let balance = shared.balance();
    if let Some(policy) = policy {
        places.put("balance".to_owned(), policy);
    }
    let demands = demand::read_all(top, &app_tables, &apps, &names, cx, &mut places);
    check::room(&pools, &kinds, &places);
    let setup = Setup { tenants, apps, kinds, pools, demands, balance };
    Placed { setup, names, places }
}

impl pool::Shared<'_, '_, '_> {
    /// Who moves between pools.
    fn balance(&self) -> PolicySpec {
        let kinds = self.kind_ids();
        let known = Known { registry: self.cx.registry, kinds: &kinds };
        let policies =
            self.policy.map(|table| muster_formats::policy::read(table, known)).unwrap_or_default();
        policies.balance().cloned().unwrap_or_else(|| PolicySpec::named("none"))
    }
}

/// The names of a list of tables, each once. `usual` is for one that has none.
fn named(tables: &[Table<'_>], what: &str, usual: Option<&str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for table in tables {
        let given = table.text("name");
        let name = match usual {
            Some(usual) => given.or(usual.to_owned()),
            None => given.required_or(String::new()),
        };
        if !name.is_empty() && names.contains(&name) {
            table.complain("name", format!("there is a {what} called '{name}' already"));
        }
        names.push(name);
    }
    names
}

fn or_one(names: Vec<String>, usual: &str) -> Vec<String> {
    if names.is_empty() { vec![usual.to_owned()] } else { names }
}
