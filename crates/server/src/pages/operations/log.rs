//! Decisions with their reasons, newest first and live; what was decided long ago, page by page; and why a worker got a task.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};
use serde::Deserialize;

use super::may_see;
use crate::http::Server;
use crate::http::decisions::{self, Told};
use crate::http::extract::{Json, Query, Word};
use crate::pages::live::{Fragments, stream};
use crate::pages::parts::{self, Tile};
use crate::pages::session::Visitor;
use crate::pages::{Page, layout};
use crate::problem::Problem;
use muster_engine::Time;

pub(super) const PATH: &str = "/operations/log";

/// So many decisions are shown at once.
const SHOWN_MOST: usize = 200;

pub(super) fn router() -> Router<Server> {
    Router::new()
        .route(PATH, get(show))
        .route("/live/log", get(live))
        .route("/operations/leases/{lease}", get(why))
}

/// One decision, as a row.
fn row(it: &Told, now: Time) -> Markup {
    html! {
        tr {
            td { (parts::ago(it.at.0, now)) }
            td { span .state { (it.what) } }
            td { @match &it.pool { Some(pool) => a href=(format!("/operations/pools/{}", super::super::form::encoded(pool))) { (pool) }, None => "–" } }
            td .reason { (it.reason) }
        }
    }
}

/// Decisions as a table; the rows are in an element with this id.
pub(super) fn table(id: &str, decisions: &[Told], now: Time) -> Markup {
    html! {
        div .m-scroll tabindex="0" role="region" aria-label="Decisions" {
            table .log {
                caption { span { "Decisions, newest first" } }
                thead { tr { th scope="col" { "When" } th scope="col" { "What" } th scope="col" { "Pool" } th scope="col" { "Why" } } }
                tbody id=(id) { (rows(decisions, now)) }
            }
        }
    }
}

/// The rows alone.
pub(super) fn rows(decisions: &[Told], now: Time) -> Markup {
    html! {
        @for it in decisions { (row(it, now)) }
        @if decisions.is_empty() { tr { td colspan="4" .soft { "Nothing was decided lately." } } }
    }
}

/// Which part of the log.
#[derive(Clone, Debug, Deserialize)]
struct Which {
    /// From this fact number on.
    from: Option<u64>,
}

async fn show(State(server): State<Server>, visitor: Visitor, Query(which): Query<Which>) -> Page {
    may_see(&visitor)?;
    let now = server.keeper.shared.clock.now();
    let body = match which.from {
        None => {
            let latest = server.watch.decisions(None, SHOWN_MOST);
            html! {
                h1 { "Decisions" }
                p { "What was decided about pools, workers and money, and why. "
                    a href=(format!("{PATH}?from=0")) { "Read from the beginning" } }
                div data-live="/live/log" { (table("log", &latest, now)) }
            }
        }
        Some(from) => {
            let which = decisions::Which {
                from: Some(from),
                since: None,
                pool: None,
                most: Some(SHOWN_MOST),
                all: false,
            };
            let Json(mut found) = decisions::list(State(server.clone()), visitor.by(), Query(which)).await?;
            found.decisions.reverse();
            html! {
                h1 { "Decisions from fact " (from) " on" }
                p { a href=(PATH) { "The latest" }
                    @if found.next < found.end { " · " a href=(format!("{PATH}?from={}", found.next)) { "Those after these" } } }
                (table("log", &found.decisions, now))
            }
        }
    };
    Ok(layout::page(Some(&visitor), "Decisions", PATH, &body).into_response())
}

async fn live(State(server): State<Server>, visitor: Visitor) -> Result<Response, Problem> {
    may_see(&visitor)?;
    Ok(stream(&server, visitor, "log", |server| async move {
        let latest = server.watch.decisions(None, SHOWN_MOST);
        Ok(Fragments::default().with("log", rows(&latest, server.keeper.shared.clock.now())))
    }))
}

/// Why a worker got a task.
async fn why(State(server): State<Server>, visitor: Visitor, word: Word) -> Page {
    may_see(&visitor)?;
    let Json(it) = decisions::why(State(server.clone()), visitor.by(), word).await?;
    let now = server.keeper.shared.clock.now();
    let pool = super::super::form::encoded(&it.pool);
    let body = html! {
        h1 { "Why worker " (it.worker) " got this task" }
        p .lead { (it.why) }
        (parts::tiles(&[
            Tile::new("Decided by", &it.policy).note(html! { "in pool " a href=(format!("/operations/pools/{pool}")) { (it.pool) } }),
            Tile::new("When", parts::ago(it.at.0, now)).note(html! { "fact " (it.number) }),
            Tile::new("Task", html! { (it.task + 1) }).note(html! { "of " a href=(format!("/jobs/{}", it.job)) { "job " (it.job) } ", app " (it.app) }),
            Tile::new("Price", parts::money(it.price.0)),
            Tile::new("To be answered by", html! { time datetime=(it.deadline) { (clock(&it.deadline.to_string())) } }).note("UTC"),
        ]))
        p { a href=(super::people::PATH) { "All workers" } }
    };
    Ok(layout::page(Some(&visitor), "Why this task", PATH, &body).into_response())
}

/// The time of day of a moment in RFC 3339.
fn clock(moment: &str) -> &str {
    moment.get(11..19).unwrap_or(moment)
}
