//! Tenants and apps, as they are written. Demands that stand in an app are read in `demand`.

use muster_engine::Span;
use muster_engine::spec::{AppSpec, Budget, LatePay, LeaseLength, TenantSpec, WEIGHT_MOST};
use muster_formats::document::Table;

use super::law::{self, Of};
use super::{Context, Names, Places};
use crate::law::Law;
use crate::model::{App, Practice, Tenant};

/// The tenants; one for all if none is named.
pub(super) fn tenants<'d>(tables: &[Table<'d>], names: &Names, places: &mut Places<'d>) -> Vec<Tenant> {
    let tenant = |(name, table): (&String, &Table<'d>)| {
        places.put(format!("tenant '{name}'"), *table);
        let weight = table.integer("weight", 1..=WEIGHT_MOST).or(1);
        Tenant { name: name.clone(), spec: TenantSpec { weight, budget: budget(*table) } }
    };
    if tables.is_empty() {
        return names.tenants.iter().map(|name| Tenant::new(name)).collect();
    }
    names.tenants.iter().zip(tables).map(tenant).collect()
}

fn budget(table: Table<'_>) -> Option<Budget> {
    let budget = table.table("budget").optional()?;
    let amount = budget.money("amount").required();
    let every = budget.span("every").required();
    Some(Budget { amount: amount?, every: every? })
}

/// The apps.
pub(super) fn apps<'d>(
    tables: &[Table<'d>],
    names: &Names,
    cx: &Context<'_>,
    places: &mut Places<'d>,
) -> Vec<App> {
    let app = |(name, table): (&String, &Table<'d>)| {
        places.put(format!("app '{name}'"), *table);
        app(*table, name, names, cx)
    };
    names.apps.iter().zip(tables).map(app).collect()
}

fn app(table: Table<'_>, name: &str, names: &Names, cx: &Context<'_>) -> App {
    let work = law::required(table, "work", Of::Time, cx).unwrap_or(Law::Fixed(1.0));
    let time = |key: &str| law::at(table, key, Of::Time, cx).unwrap_or(Law::Fixed(0.0));
    let training = time("training");
    if !training.mean().is_finite() {
        table.complain("training", "this law has no mean; learning must end");
    }
    let late = [("if-counted", LatePay::IfCounted), ("always", LatePay::Always), ("never", LatePay::Never)];
    let spec = AppSpec {
        training: Span::from_secs_f64(training.mean()),
        lease: lease(table).unwrap_or(AppSpec::default().lease),
        heartbeat: None,
        expected: table.span("expected").optional(),
        late_pay: table.choice("late_pay", &late).or(LatePay::default()),
    };
    App {
        name: name.to_owned(),
        spec,
        work,
        work_of: work_of(table, names, cx),
        training,
        practice: practice(table),
        switch_app: time("switching"),
        switch_job: time("switching_job"),
    }
}

/// Work by kind, where a kind has a law of its own.
fn work_of(table: Table<'_>, names: &Names, cx: &Context<'_>) -> Vec<(usize, Law)> {
    let Some(by_kind) = table.table("work_of").optional() else { return Vec::new() };
    let law = |(place, kind): (usize, &String)| Some((place, law::at(by_kind, kind, Of::Time, cx)?));
    names.kinds.iter().enumerate().filter_map(law).collect()
}

fn practice(table: Table<'_>) -> Option<Practice> {
    let practice = table.table("practice").optional()?;
    let first = practice.number("first", 1.0..=1000.0).required();
    let rate = practice.share("rate").required();
    Some(Practice { first: first?, rate: rate? })
}

/// A length of time, or learned from completions.
fn lease(table: Table<'_>) -> Option<LeaseLength> {
    let value = table.value("lease")?;
    let Some(learned) = value.as_table() else {
        return table.span("lease").optional().map(LeaseLength::Fixed);
    };
    let factor = learned.number("factor", 1.0..=1000.0).required();
    let least = learned.span("least").or(Span::from_secs(30));
    let most = learned.span("most").or(Span::from_mins(30));
    if least > most {
        learned.complain("least", "it must not be more than most");
    }
    Some(LeaseLength::Learned { factor: factor?, least, most })
}
