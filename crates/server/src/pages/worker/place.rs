//! The page at which a worker waits and works: its head with the pay so far, the stage, and the way out.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::{Markup, html};
use muster_engine::ids::WorkerId;

use super::super::session::Visitor;
use super::super::{Page, assets, layout, parts};
use super::stage::{self, Glance, Stage};
use super::task::Filled;
use crate::http::Server;
use crate::problem::Answer;

/// The pages.
pub fn router() -> Router<Server> {
    Router::new()
        .route("/work", get(mine))
        .route("/work/{worker}", get(show))
        .route("/work/{worker}/stage", get(now))
}

/// The workers that a token may act for, by number.
async fn own(server: &Server, visitor: &Visitor) -> Answer<Vec<(WorkerId, String)>> {
    let id = visitor.id;
    server
        .look(move |look| {
            let own = look.desk.workers.iter().filter(|(_, token)| **token == id).map(|(worker, _)| *worker);
            let mut own: Vec<WorkerId> = own.collect();
            own.sort_unstable();
            let pool = |worker: WorkerId| {
                look.state().worker(worker).map(|it| look.desk.directory.pools.name(it.pool.0).to_owned())
            };
            Ok(own.into_iter().filter_map(|worker| Some((worker, pool(worker)?))).collect())
        })
        .await
}

/// The own worker's page, if there is one only.
async fn mine(State(server): State<Server>, visitor: Visitor) -> Page {
    let own = own(&server, &visitor).await?;
    if let [(worker, _)] = own.as_slice() {
        return Ok(Redirect::to(&format!("/work/{}", worker.0)).into_response());
    }
    let body = html! {
        h1 { "Work" }
        @if own.is_empty() {
            (parts::empty("You are in no pool now.", "Open a join link to begin. If you have left, your link may still work."))
        } @else {
            ul { @for (worker, pool) in &own { li { a href={ "/work/" (worker.0) } { "Worker " (worker.0) " in " (pool) } } } }
        }
    };
    Ok(layout::page(Some(&visitor), "Work", "/work", &body).into_response())
}

async fn show(State(server): State<Server>, visitor: Visitor, Path(worker): Path<u32>) -> Page {
    page(&server, &visitor, WorkerId(worker), &Filled::default()).await
}

/// The page of a worker, with what was filled in already.
pub(super) async fn page(server: &Server, visitor: &Visitor, worker: WorkerId, filled: &Filled) -> Page {
    let (glance, stage) = stage::find(server, &visitor.by(), worker).await?;
    let body = html! {
        div #work data-worker=(worker.0) {
            div #pay { (pay(&glance, worker)) }
            section #stage data-key=(stage.key()) { (stage::markup(visitor, &glance, &stage, filled)) }
            @if !matches!(stage, Stage::Gone) { (aside(visitor, worker)) }
        }
        (assets::script("work.js"))
    };
    Ok(layout::page(Some(visitor), stage.title(), "/work", &body).into_response())
}

/// The stage as it is, for the script.
async fn now(State(server): State<Server>, visitor: Visitor, Path(worker): Path<u32>) -> Answer<Response> {
    stage::reply(&server, &visitor, WorkerId(worker), &Filled::default(), None).await
}

/// What was earned so far. While waiting or learning it goes on; the script counts.
pub(super) fn pay(glance: &Glance, worker: WorkerId) -> Markup {
    let owed = glance.owed;
    let total = glance.earned + glance.wages + owed;
    let by_the_hour = glance.rate.as_units_f64();
    let counts = |amount: muster_engine::money::Money| {
        html! { span data-base=(amount.as_units_f64()) data-rate=(by_the_hour) { (format!("{:.4}", amount.as_units_f64())) } }
    };
    html! {
        (parts::tiles(&[
            parts::Tile::new("Earned", counts(total)),
            parts::Tile::new("Answers", parts::money(glance.earned)),
            parts::Tile::new("Waiting, learning", counts(glance.wages + owed)),
        ]))
        p .soft.below { @if !glance.pool.is_empty() { (glance.pool) " · " } "worker " (worker.0) " · " a href={ "/work/" (worker.0) "/earned" } { "Line by line" } }
    }
}

/// What can be set and done at any time.
fn aside(visitor: &Visitor, worker: WorkerId) -> Markup {
    let leave = format!("/work/{}/leave", worker.0);
    let question = "You are paid what you have earned. A task in your hands goes to somebody else. To come back you need a join link.";
    html! {
        footer .row.aside {
            label .tick.sound { input #sound type="checkbox"; span { "Sound when a task comes" } }
            button #notify type="button" hidden { "Notify me when a task comes" }
            (parts::confirm(visitor, &leave, "Leave…", question, "Leave now", &html! {}))
        }
    }
}
