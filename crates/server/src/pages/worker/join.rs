//! The page of a join link: where it leads, what is paid there, and which apps somebody likes.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};
use muster_engine::ids::{AppId, KindId, PoolId};
use muster_engine::spec::Role;

use super::super::form::{Fields, Open};
use super::super::session::{Visitor, entered};
use super::super::{Failed, Page, layout, parts};
use crate::directory::Directory;
use crate::http::Server;
use crate::http::links::{Joining, join_by, leads_to};
use crate::problem::{Answer, Problem};

/// The page.
pub fn router() -> Router<Server> {
    Router::new().route("/join/{link}", get(show).post(join))
}

/// How much somebody may like an app: as sent, as the engine takes it, in words.
const LIKINGS: [(&str, f64, &str); 3] =
    [("like", 1.0, "I like it"), ("fine", 0.5, "It is fine"), ("not", 0.0, "Rather not")];

/// Where a link leads.
struct There {
    pool: PoolId,
    kind: KindId,
    role: Role,
    apps: Vec<AppId>,
}

async fn there(server: &Server, link: &str) -> Answer<There> {
    let (pool, kind) = leads_to(server, link).await?;
    server
        .look(move |look| {
            let missing = || Problem::not_found("such pool");
            let spec = &look.state().pool(pool).ok_or_else(missing)?.spec;
            let role = look.state().kind(kind).ok_or_else(missing)?.role;
            Ok(There { pool, kind, role, apps: spec.apps.clone() })
        })
        .await
}

async fn show(State(server): State<Server>, headers: HeaderMap, Path(link): Path<String>) -> Response {
    let visitor = Visitor::of(&server, &headers);
    match there(&server, &link).await {
        Ok(there) => page(visitor.as_ref(), &link, &there, &server.directory(), None).into_response(),
        Err(problem) => unusable(&problem),
    }
}

/// A link that nobody can join by: why, and what to do.
fn unusable(problem: &Problem) -> Response {
    let body = html! {
        h1 { "You cannot join by this link" }
        p .lead { (parts::sentence(&problem.detail)) }
        p { "Whoever sent it to you can make a new one. If you have joined before, " a href="/work" { "go to your work" } "." }
    };
    (problem.status(), layout::page(None, "Join", "", &body)).into_response()
}

/// What is paid, in a sentence.
fn pay(role: Role) -> Markup {
    match role {
        Role::Person { wage_waiting, wage_training } if wage_waiting.is_zero() && wage_training.is_zero() => {
            html! { "You are paid for each answer; waiting is not paid." }
        }
        Role::Person { wage_waiting, wage_training } => html! {
            "You are paid for each answer, and by the hour " strong { (parts::money(wage_waiting)) } " while you wait for a task and "
            strong { (parts::money(wage_training)) } " while you learn."
        },
        Role::Machine { .. } => {
            html! { "Workers of this kind are machines; answers are not paid one by one." }
        }
    }
}

fn page(
    visitor: Option<&Visitor>,
    link: &str,
    there: &There,
    names: &Directory,
    problem: Option<&Problem>,
) -> Markup {
    let (pool, kind) = (names.pools.name(there.pool.0), names.kinds.name(there.kind.0));
    let body = html! {
        h1 { "Join " (pool) }
        p .lead { "You join as " strong { (kind) } ". " (pay(there.role)) }
        @if let Some(problem) = problem { (parts::problem(&parts::sentence(&problem.detail))) }
        @if visitor.is_some() {
            p .notice { "This browser is signed in already. Joining signs it in as the new worker instead." }
        }
        form method="post" action={ "/join/" (link) } .join {
            (parts::Field::new("name", "Your name").hint("Those who run this see it; those whose tasks you do see a number only."))
            @if there.apps.len() > 1 {
                h2 { "What do you like to do?" }
                p .soft { "You get what you like more often, as far as there is work of it." }
            } @else { h2 { "What you will do" } }
            @for app in &there.apps { (liking(*app, names, there.apps.len() > 1)) }
            div .row { (parts::submit(&format!("Join {pool}"))) }
        }
    };
    layout::page(None, &format!("Join {pool}"), "", &body)
}

fn liking(app: AppId, names: &Directory, is_choice: bool) -> Markup {
    let (name, field) = (names.apps.name(app.0), format!("app-{}", app.0));
    let about = names.apps.get(app.0).map_or("", |app| app.instructions.lines().next().unwrap_or_default());
    html! {
        fieldset .liking {
            legend { (name) }
            @if !about.is_empty() { p .hint { (shortened(about)) } }
            @if is_choice {
                div .segments {
                    @for (value, _, label) in LIKINGS {
                        label { input type="radio" name=(field) value=(value) checked[value == "fine"]; span { (label) } }
                    }
                }
            }
        }
    }
}

const ABOUT_MOST: usize = 160;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(ABOUT_MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

async fn join(
    State(server): State<Server>,
    headers: HeaderMap,
    Path(link): Path<String>,
    Open(fields): Open<Fields>,
) -> Page {
    let there = match there(&server, &link).await {
        Ok(there) => there,
        Err(problem) => return Ok(unusable(&problem)),
    };
    let said = Joining {
        link: link.clone(),
        name: fields.get("name").chars().take(100).collect(),
        trained: Vec::new(),
        preferences: preferences(&fields, &there.apps),
    };
    let welcome = match join_by(&server, said).await {
        Ok(welcome) => welcome,
        Err(problem) => {
            let page = page(None, &link, &there, &server.directory(), Some(&problem));
            return Ok((problem.status(), page).into_response());
        }
    };
    let missing = || Failed(Problem::not_found("such token"));
    entered(&server, &headers, &welcome.token, &format!("/work/{}", welcome.worker)).ok_or_else(missing)
}

fn preferences(fields: &Fields, apps: &[AppId]) -> BTreeMap<String, f64> {
    let liking = |app: &AppId| {
        let said = fields.get(&format!("app-{}", app.0)).to_owned();
        let found = LIKINGS.iter().find(|(value, ..)| *value == said)?;
        Some((app.0.to_string(), found.1))
    };
    apps.iter().filter_map(liking).collect()
}
