//! What comes to a worker's page while it is open, as server-sent events, each a stage; and signs of life, both ways.
//!
//! As long as a page is heard of, the server gives the engine the signs of life that apps and pools want.

use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use muster_engine::ids::WorkerId;
use muster_engine::{Command, Span, Time};
use serde::Deserialize;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::super::form::Form;
use super::super::session::Visitor;
use super::presence::{Open, Presences};
use super::stage::told;
use super::task::Filled;
use crate::http::Server;
use crate::http::extract::Query;
use crate::http::stream::{self, ALIVE, Pieces, SIGN_OF_LIFE, event};
use crate::keeper::desk::Event;
use crate::problem::{Answer, Problem};

/// The stream, and what a page says of itself.
pub fn router() -> Router<Server> {
    Router::new()
        .route("/live/work/{worker}", get(open))
        .route("/live/work/{worker}/here", post(here))
        .route("/live/work/{worker}/closed", post(closed))
}

/// Which page speaks: a number that it made up when it was loaded.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Which {
    page: u64,
}

async fn own(server: &Server, visitor: &Visitor, worker: WorkerId) -> Answer<()> {
    let by = visitor.by();
    server
        .look(
            move |look| {
                if look.may_act_for(&by, worker) { Ok(()) } else { Err(Problem::not_found(worker)) }
            },
        )
        .await
}

async fn here(State(server): State<Server>, worker: Path<u32>, form: Form<Which>) -> Answer<StatusCode> {
    said(&server, worker, &form, Presences::heard).await
}

async fn closed(State(server): State<Server>, worker: Path<u32>, form: Form<Which>) -> Answer<StatusCode> {
    said(&server, worker, &form, Presences::closed).await
}

/// A page of a worker of the visitor's says something of itself.
async fn said(
    server: &Server,
    Path(worker): Path<u32>,
    form: &Form<Which>,
    note: fn(&Presences, WorkerId, u64, Time),
) -> Answer<StatusCode> {
    let worker = WorkerId(worker);
    own(server, &form.visitor, worker).await?;
    note(&server.presences, worker, form.said.page, server.keeper.shared.clock.now());
    Ok(StatusCode::NO_CONTENT)
}

async fn open(
    State(server): State<Server>,
    visitor: Visitor,
    Path(worker): Path<u32>,
    Query(Which { page }): Query<Which>,
) -> Answer<Response> {
    let (worker, by) = (WorkerId(worker), visitor.by());
    let (watcher, coming) = unbounded_channel();
    server
        .turn(move |turn| {
            turn.may_act_for(&by, worker)?;
            turn.watch(worker, watcher);
            Ok(())
        })
        .await?;
    let (response, pieces) = stream::reply(stream::Form::Events);
    let open = Open::new(&server, worker, page);
    tokio::spawn(send(Page { server, visitor, worker, page, open }, coming, pieces));
    Ok(response)
}

/// A page that is open.
struct Page {
    server: Server,
    visitor: Visitor,
    worker: WorkerId,
    page: u64,
    open: Open,
}

/// Tells a page what its worker has before them, whenever that changes, until the page is gone.
async fn send(page: Page, mut coming: UnboundedReceiver<Event>, pieces: Pieces) {
    let mut shown = String::new();
    loop {
        let Ok((told, glance)) = told(&page.server, &page.visitor, page.worker, &Filled::default()).await
        else {
            break;
        };
        let key = told["key"].as_str().unwrap_or_default().to_owned();
        let piece = if key == shown { ALIVE.into() } else { event(None, "stage", &told.to_string()).into() };
        if pieces.send(piece).await.is_err() || key == "gone" {
            break;
        }
        shown = key;
        let tick = glance.silence_most.map_or(SIGN_OF_LIFE, often);
        tokio::select! {
            it = coming.recv() => if it.is_none() { break },
            () = pieces.closed() => break,
            () = page.server.stopped() => break,
            () = tokio::time::sleep(tick) => {
                if !page.visitor.is_still_good(&page.server) || !alive(&page, glance.silence_most).await {
                    break;
                }
            }
        }
    }
    drop(page.open);
}

/// Often enough for who wants a sign of life within `silence_most`.
fn often(silence_most: Span) -> Duration {
    Duration::from_nanos(silence_most.0 / 3).clamp(Duration::from_millis(500), SIGN_OF_LIFE)
}

/// Gives a sign of life for a page that was heard of lately, if one is wanted; says whether it was heard of.
async fn alive(page: &Page, silence_most: Option<Span>) -> bool {
    let now = page.server.keeper.shared.clock.now();
    if !page.server.presences.is_here(page.worker, page.page, now) {
        return false;
    }
    if silence_most.is_some() {
        let worker = page.worker;
        // Somebody who has just left needs no sign of life.
        let sign = page.server.turn(move |turn| Ok(turn.command(Command::Heartbeat(worker)).is_ok()));
        let _ = sign.await;
    }
    true
}
