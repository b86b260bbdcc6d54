//! Tenants, apps, kinds and pools: seen in tables, made with short forms. What a form does not ask is as it is by default and can be
//! changed over the API.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{led_back, may_act, may_see, names, tenants};
use crate::directory::Directory;
use crate::http::Server;
use crate::http::extract::{Body, Created, Json};
use crate::http::kinds::RoleSaid;
use crate::http::{apps, kinds, pools, tenants as all_tenants};
use crate::pages::form::{Fields, Form, hidden};
use crate::pages::parts::{self, Column, Field};
use crate::pages::session::Visitor;
use crate::pages::{Page, layout};
use crate::problem::{Answer, Problem};

pub(super) const PATH: &str = "/operations/setup";

pub(super) fn router() -> Router<Server> {
    Router::new()
        .route(PATH, get(show))
        .route("/operations/tenants", post(make_tenant))
        .route("/operations/apps", post(make_app))
        .route("/operations/kinds", post(make_kind))
        .route("/operations/pools", post(make_pool))
}

fn tenants_table(all: &all_tenants::Tenants) -> Markup {
    let columns = [
        Column::text("Tenant"),
        Column::number("Weight"),
        Column::text("Budget"),
        Column::number("Spent in this interval"),
        Column::number("Set aside"),
        Column::number("Charged so far"),
    ];
    let rows = all.tenants.iter().map(|it| {
        let budget = it
            .budget
            .map(|budget| format!("{} every {}", parts::money(budget.amount.0), parts::span(budget.every.0)));
        vec![
            html! { (it.name) },
            html! { (it.weight) },
            html! { (budget.as_deref().unwrap_or("no limit")) },
            html! { (super::cents(it.spent)) },
            html! { (super::cents(it.reserved)) },
            html! { (super::cents(it.charged)) },
        ]
    });
    or_empty(
        all.tenants.is_empty(),
        "No tenant yet",
        "A tenant submits work and pays for it.",
        parts::table("Tenants", &columns, rows),
    )
}

fn apps_table(all: &apps::Apps) -> Markup {
    let columns = [
        Column::text("App"),
        Column::text("Workers see"),
        Column::number("Takes"),
        Column::number("Training"),
    ];
    let rows = all.apps.iter().map(|it| {
        let sees = match (&it.template, &it.form) {
            (Some(_), _) => "a page of its own",
            (None, Some(_)) => "a form",
            (None, None) => "the task as it is",
        };
        vec![
            html! { (it.name) },
            html! { (sees) },
            super::or_dash(it.expected.map(|span| parts::span(span.0))),
            html! { (parts::span(it.training.0)) },
        ]
    });
    or_empty(
        all.apps.is_empty(),
        "No app yet",
        "An app is a type of task: what workers are told, and how they answer.",
        parts::table("Apps", &columns, rows),
    )
}

fn kinds_table(all: &kinds::Kinds) -> Markup {
    let columns =
        [Column::text("Kind"), Column::text("Is"), Column::text("Costs"), Column::number("At most")];
    let rows = all.kinds.iter().map(|it| {
        let (is, costs) = match it.role {
            RoleSaid::Person { wage_waiting, .. } => {
                ("person", format!("{} /h while waiting", parts::money(wage_waiting.0)))
            }
            RoleSaid::Machine { period, cost } => {
                ("machine", format!("{} for {}", parts::money(cost.0), parts::span(period.0)))
            }
        };
        vec![
            html! { (it.name) },
            html! { (is) },
            html! { (costs) },
            super::or_dash(it.most.map(|n| n.to_string())),
        ]
    });
    or_empty(
        all.kinds.is_empty(),
        "No kind yet",
        "A kind of worker says whether it is a person or a machine, and what it costs.",
        parts::table("Kinds of workers", &columns, rows),
    )
}

fn or_empty(is_empty: bool, title: &str, next: &str, table: Markup) -> Markup {
    if is_empty { parts::empty(title, next) } else { table }
}

/// How a form is written.
const FORM: &str = r#"As in {"fields": [{"name": "verdict", "type": "choice", "options": ["yes", "no"]}]}; types are choice, choices, text and number."#;

/// A form that makes something, folded.
fn new(visitor: &Visitor, what: &str, action: &str, fields: &Markup) -> Markup {
    html! {
        details .new {
            summary .button { "New " (what) }
            form .panel method="post" action=(action) { (hidden(visitor)) (fields) (parts::submit(&format!("Make the {what}"))) }
        }
    }
}

fn name(prefix: &str) -> Field {
    Field::new(prefix, "Name").hint("Letters, digits, spaces, '-', '_' and '.'.").required()
}

fn forms(visitor: &Visitor, names_known: &Directory) -> Markup {
    let all_apps = names(names_known.apps.iter().map(|(_, app)| app.name.as_str()));
    let anybody = std::iter::once((String::new(), "all tenants".to_owned())).chain(tenants(names_known));
    html! {
        div .row {
            (new(visitor, "tenant", "/operations/tenants", &html! {
                (name("tenant"))
                (Field::new("weight", "Weight").hint("Its share against other tenants'.").number("1", Some(1.0), None).value(1))
                (Field::new("amount", "Budget").hint("No limit if left empty.").number("any", Some(0.0), None))
                (Field::new("every", "For every").hint("As in '1 d' or '8 h'.").value("1 d"))
            }))
            (new(visitor, "app", "/operations/apps", &html! {
                (name("app"))
                (Field::new("instructions", "What workers are told").area(4))
                (Field::new("form", "How they answer: a form").hint(FORM).area(3))
                (Field::new("template", "Or a page of its own (HTML)").hint("With ${name} where a task's values go, and fields for the answer.").area(3))
                (Field::new("training", "Learning it takes").hint("As in '2 min'; nothing if left empty."))
                (Field::new("lease", "A task may be held for").hint("As in '10 min'.").value("30 min"))
            }))
            (new(visitor, "kind", "/operations/kinds", &html! {
                (name("kind"))
                (Field::new("is", "Is a").choice([("person", "person"), ("machine", "machine")]))
                (Field::new("cost", "Costs per hour").hint("A person while waiting and learning; a machine for every hour begun.").number("any", Some(0.0), None).value(0))
            }))
            (new(visitor, "pool", "/operations/pools", &html! {
                (name("pool"))
                fieldset .field { legend { "Serves these apps" }
                    @for (value, label) in &all_apps { label .tick-line { input type="checkbox" name="apps" value=(value); " " (label) } }
                    @if all_apps.is_empty() { p .hint { "There is none yet." } }
                }
                (Field::new("tenant-only", "Only tasks of").choice(anybody))
            }))
        }
    }
}

async fn show(State(server): State<Server>, visitor: Visitor) -> Page {
    may_see(&visitor)?;
    let Json(tenants) = all_tenants::list(State(server.clone()), visitor.by()).await?;
    let Json(apps) = apps::list(State(server.clone()), visitor.by()).await?;
    let Json(kinds) = kinds::list(State(server.clone()), visitor.by()).await?;
    let directory = server.directory();
    let body = html! {
        h1 { "Set-up" }
        @if visitor.is_admin() { (forms(&visitor, &directory)) }
        (tenants_table(&tenants))
        (apps_table(&apps))
        (kinds_table(&kinds))
        p { (parts::count(directory.pools.iter().count() as u64)) " pools are on " a href=(super::overview::PATH) { "the first page" } "." }
    };
    Ok(layout::page(Some(&visitor), "Set-up", PATH, &body).into_response())
}

/// What was filled in, by the names that the API has for it; what was left empty is not said.
fn said(pairs: impl IntoIterator<Item = (&'static str, Value)>) -> Answer<Map<String, Value>> {
    let pairs = pairs.into_iter().filter(|(_, value)| !value.is_null() && value != "");
    Ok(pairs.map(|(name, value)| (name.to_owned(), value)).collect())
}

/// What a field says in JSON, if it says something.
fn read(fields: &Fields, name: &str) -> Answer<Value> {
    match fields.get(name) {
        "" => Ok(Value::Null),
        text => serde_json::from_str(text).map_err(|error| Problem::field(name, error, "a form in JSON")),
    }
}

/// As the API's structure; refused as the API would.
fn as_said<T: DeserializeOwned>(said: Map<String, Value>) -> Answer<T> {
    serde_json::from_value(Value::Object(said)).map_err(|error| {
        let status = axum::http::StatusCode::UNPROCESSABLE_ENTITY;
        Problem::new(status, "value", "A value is not allowed", error.to_string())
    })
}

/// Makes something over the API's function and leads back.
async fn make<T: DeserializeOwned, M>(
    form: Form<Fields>,
    said: impl FnOnce(&Fields) -> Answer<Map<String, Value>>,
    what: &str,
    create: impl AsyncFnOnce(Visitor, Body<T>) -> Answer<Created<M>>,
) -> Response {
    let made = async {
        may_act(&form.visitor)?;
        let said = said(&form.fields)?;
        let name = said.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        create(form.visitor, Body::of(as_said(said)?)).await?;
        Ok(name)
    };
    led_back(PATH, made.await, |name| format!("The {what} {name} was made."))
}

/// What a field says as a number, if it says one.
fn number(fields: &Fields, name: &str) -> Value {
    fields.get(name).parse::<f64>().map_or(Value::Null, Value::from)
}

fn whole(fields: &Fields, name: &str) -> Value {
    fields.get(name).parse::<u64>().map_or(Value::Null, Value::from)
}

async fn make_tenant(State(server): State<Server>, form: Form<Fields>) -> Page {
    let body = |it: &Fields| {
        let amount = number(it, "amount");
        let budget =
            if amount.is_null() { Value::Null } else { json!({"amount": amount, "every": it.get("every")}) };
        said([("name", it.get("tenant").into()), ("weight", whole(it, "weight")), ("budget", budget)])
    };
    Ok(make(form, body, "tenant", async |by: Visitor, body| {
        all_tenants::create(State(server), by.by(), body).await
    })
    .await)
}

async fn make_app(State(server): State<Server>, form: Form<Fields>) -> Page {
    let body = |it: &Fields| {
        let words = |name| Value::from(it.get(name));
        said([
            ("name", words("app")),
            ("instructions", words("instructions")),
            ("form", read(it, "form")?),
            ("template", words("template")),
            ("training", words("training")),
            ("lease", words("lease")),
        ])
    };
    Ok(make(form, body, "app", async |by: Visitor, body| apps::create(State(server), by.by(), body).await)
        .await)
}

async fn make_kind(State(server): State<Server>, form: Form<Fields>) -> Page {
    let body = |it: &Fields| {
        let cost = number(it, "cost");
        let role = match it.get("is") {
            "machine" => json!({"is": "machine", "period": 3600, "cost": cost}),
            _ => json!({"is": "person", "wage_waiting": cost, "wage_training": cost}),
        };
        said([("name", it.get("kind").into()), ("role", role)])
    };
    Ok(make(form, body, "kind", async |by: Visitor, body| kinds::create(State(server), by.by(), body).await)
        .await)
}

async fn make_pool(State(server): State<Server>, form: Form<Fields>) -> Page {
    let body = |it: &Fields| {
        let apps: Value = it.all("apps").map(Value::from).collect();
        said([("name", it.get("pool").into()), ("apps", apps), ("tenant", it.get("tenant-only").into())])
    };
    Ok(make(form, body, "pool", async |by: Visitor, body| pools::create(State(server), by.by(), body).await)
        .await)
}
