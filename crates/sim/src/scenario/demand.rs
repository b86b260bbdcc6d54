//! Streams of jobs, as they are written: in full as `[[demand]]`, or in short within the app they are of.
//!
//! Does not know when jobs come (that is in `arrivals`). Start at [`read_all`].

use muster_engine::Span;
use muster_engine::money::Money;
use muster_engine::spec::{ClientSpec, SLOTS_MOST, WEIGHT_MOST};
use muster_formats::document::{Table, form};

use super::law::{self, Of};
use super::{Context, Names, Places, arrivals};
use crate::law::Law;
use crate::model::{App, Arrivals, Demand, GivingUp, Step, Task};

/// The engine takes no job with more tasks.
pub(super) const TASKS_MOST: u32 = 1_000_000;
/// So many jobs may be there at the beginning.
const BACKLOG_MOST: u32 = 10_000_000;

/// Keys of a demand that may stand in its app.
pub(super) const SHORT: [&str; 12] = [
    "arrivals", "backlog", "budget", "clients", "from", "gives_up", "price", "priority", "size", "slots",
    "tenant", "until",
];

/// All demands: first those written in apps, then the others.
pub(super) fn read_all<'d>(
    top: Table<'d>,
    app_tables: &[Table<'d>],
    apps: &[App],
    names: &Names,
    cx: &Context<'_>,
    places: &mut Places<'d>,
) -> Vec<Demand> {
    let reader = Reader { apps, names, cx };
    let mut demands = Vec::new();
    for (place, table) in app_tables.iter().enumerate() {
        // All are asked for, so that a slip in one of them is told from something nobody knows.
        if SHORT.iter().filter(|key| table.value(key).is_some()).count() > 0 {
            let name = names.apps.get(place).cloned().unwrap_or_default();
            demands.push((reader.short(*table, &name, place), *table));
        }
    }
    let tables = top.tables("demand").or(Vec::new());
    demands.extend(tables.iter().map(|table| (reader.full(*table), *table)));
    if demands.is_empty() && !app_tables.is_empty() {
        top.complain("demand", "no work comes: give an app arrivals or a backlog, or add a [[demand]]");
    }
    for (place, (demand, table)) in demands.iter().enumerate() {
        if demands[..place].iter().any(|(other, _)| other.name == demand.name) {
            table.complain("name", format!("there is a demand called '{}' already", demand.name));
        }
        places.put(format!("demand '{}'", demand.name), *table);
        places.put(format!("demand '{}': clients", demand.name), *table);
    }
    demands.into_iter().map(|(demand, _)| demand).collect()
}

struct Reader<'a, 'c> {
    apps: &'a [App],
    names: &'a Names,
    cx: &'a Context<'c>,
}

impl Reader<'_, '_> {
    /// In an app, of which all jobs are.
    fn short(&self, table: Table<'_>, name: &str, app: usize) -> Demand {
        let size = self.size(table);
        let mut demand = self.common(table, name.to_owned(), Task::Batch { app, size });
        // Said in the app, it is the app's.
        demand.expected = None;
        demand
    }

    fn full(&self, table: Table<'_>) -> Demand {
        let name = table.text("name").optional();
        let steps = table.tables("steps");
        let app = table.name_of("app", "an app", &self.names.apps);
        let (task, of) = if steps.is_absent() {
            let app = if app.is_absent() && self.names.apps.len() == 1 { 0 } else { app.required_or(0) };
            let size = self.size(table);
            (Task::Batch { app, size }, self.names.apps.get(app).cloned())
        } else {
            if let Some(written) = app.written() {
                written.complain("the steps name their apps themselves; give one of app and steps");
            }
            (Task::Workflow(self.steps(&steps.or(Vec::new())).into()), None)
        };
        let name = name.or(of).unwrap_or_else(|| "workflow".to_owned());
        let expected = table.span("expected").optional();
        let mut demand = self.common(table, name, task);
        demand.expected = expected;
        demand
    }

    /// How many tasks a job has.
    fn size(&self, table: Table<'_>) -> Law {
        let size = law::at(table, "size", Of::Count, self.cx).unwrap_or(Law::Fixed(1.0));
        if !(1.0..=f64::from(TASKS_MOST)).contains(&size.mean()) {
            table.complain("size", format!("a job has from 1 to {TASKS_MOST} tasks, on average too"));
        }
        size
    }

    /// A step may only wait for those before it, so there is no cycle.
    fn steps(&self, tables: &[Table<'_>]) -> Vec<Step> {
        let mut known: Vec<String> = Vec::new();
        let mut steps = Vec::new();
        for table in tables {
            let app = table.name_of("app", "an app", &self.names.apps).required_or(0);
            let after = table.list("after", &form::name_of("a step before this one", &known)).or(Vec::new());
            let own = table.text("name").optional().or_else(|| self.names.apps.get(app).cloned());
            let name = own.unwrap_or_default();
            if known.contains(&name) {
                table.complain("name", format!("there is a step called '{name}' already; give each a name"));
            }
            let mut after_once = after.clone();
            after_once.sort_unstable();
            after_once.dedup();
            steps.push(Step { app, after: after_once });
            known.push(name);
        }
        steps
    }

    fn common(&self, table: Table<'_>, name: String, task: Task) -> Demand {
        let arrivals = arrivals::read(table, "arrivals", self.cx);
        let backlog = table.integer("backlog", 0..=BACKLOG_MOST).or(0);
        if arrivals == Arrivals::None && backlog == 0 && !table.has("arrivals") && !table.has("backlog") {
            table.complain("arrivals", "no work comes: give arrivals or a backlog");
        }
        let from = table.span_or_zero("from").or(Span::ZERO);
        let until = table.span("until").or(Span::MAX);
        if until <= from {
            table.complain("until", "it must be after from");
        }
        let clients = self.clients(table, &arrivals, &task);
        Demand {
            name,
            tenant: self.tenant(table),
            task,
            arrivals,
            from,
            until,
            backlog,
            slots: table.integer("slots", 1..=SLOTS_MOST).or(1),
            price: table.money("price").or(Money::ZERO),
            priority: table.integer("priority", 1..=WEIGHT_MOST).or(1),
            budget: table.money("budget").optional(),
            expected: None,
            giving_up: law::at(table, "gives_up", Of::Time, self.cx).map(|after| GivingUp { after }),
            clients,
            works: None,
        }
    }

    fn tenant(&self, table: Table<'_>) -> usize {
        let tenant = table.name_of("tenant", "a tenant", &self.names.tenants);
        if tenant.is_absent() && self.names.tenants.len() == 1 {
            return 0;
        }
        tenant.required_or(0)
    }

    /// For whom jobs are done. Clients who submit for themselves are as many as those.
    fn clients(&self, table: Table<'_>, arrivals: &Arrivals, task: &Task) -> Option<(u32, ClientSpec)> {
        let clients = table.table("clients").optional()?;
        let usual = ClientSpec { ideal: self.ideal(task), ..ClientSpec::default() };
        let submitting = match arrivals {
            Arrivals::Closed { clients, .. } => Some(*clients),
            _ => None,
        };
        let count = clients.integer("count", 1..=arrivals::CLIENTS_MOST);
        let count = match submitting {
            Some(n) if count.is_absent() => n,
            Some(n) => count.check(|count| *count == n, &format!("{n}, as many as submit")).or(n),
            None => count.required_or(1),
        };
        let level = |key: &str, usual: f64| clients.number(key, 0.0..=1e6).or(usual);
        let spec = ClientSpec {
            alpha_gain: clients.share("alpha_gain").or(usual.alpha_gain),
            alpha_loss: clients.share("alpha_loss").or(usual.alpha_loss),
            threshold: level("threshold", usual.threshold),
            patience: level("patience", usual.patience),
            tolerance: level("tolerance", usual.tolerance),
            ideal: clients.span("ideal").or(usual.ideal),
        };
        Some((count, spec))
    }

    /// The response time of an empty system: what the work takes.
    fn ideal(&self, task: &Task) -> Span {
        let mean = |app: usize| self.apps.get(app).map_or(0.0, |app| app.work.mean());
        let seconds = match task {
            Task::Batch { app, .. } => mean(*app),
            Task::Workflow(steps) => steps.iter().map(|step| mean(step.app)).sum(),
        };
        let span = Span::from_secs_f64(seconds);
        if seconds.is_finite() && span >= Span::from_millis(1) { span } else { ClientSpec::default().ideal }
    }
}
