//! What happens to a worker, as server-sent events: a task comes, something is to be learned, the worker is gone.
//!
//! The stream only tells; asking and answering are requests of their own. At its beginning it says what the worker has in hand.

use axum::extract::State;
use axum::response::Response;
use muster_engine::fact::Departure;
use muster_engine::ids::WorkerId;
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{By, Word};
use super::stream::{ALIVE, Form, Pieces, SIGN_OF_LIFE, event, reply};
use super::work::lease;
use crate::keeper::desk::Event;
use crate::keeper::group::held;
use crate::problem::{Answer, Problem};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(events))
}

/// What happens to a worker, as it happens: `task` with the lease, `training` with the app, `gone` with the reason.
#[utoipa::path(get, path = "/api/workers/{worker}/events", tag = "workers", params(("worker" = u32, Path)),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn events(State(server): State<Server>, by: By, word: Word) -> Answer<Response> {
    let worker = WorkerId(word.number("worker")?);
    let (watcher, coming) = unbounded_channel();
    let in_hand = server.turn(move |turn| {
        turn.may_act_for(&by, worker)?;
        let it = turn.state().worker(worker).ok_or_else(|| Problem::not_found(worker))?;
        let learning = it.learning.map(|app| Event::Training(worker, app));
        let in_hand = held(turn.state(), worker).map(Event::Leased).or(learning);
        turn.watch(worker, watcher);
        Ok(in_hand)
    });
    let in_hand = in_hand.await?;
    let (response, pieces) = reply(Form::Events);
    tokio::spawn(send(server, in_hand, coming, pieces));
    Ok(response)
}

async fn send(server: Server, in_hand: Option<Event>, mut coming: UnboundedReceiver<Event>, pieces: Pieces) {
    let mut next = in_hand;
    if pieces.send(ALIVE.into()).await.is_err() {
        return;
    }
    loop {
        if let Some(it) = next.take() {
            let Ok(text) = told(&server, &it).await else { return server.counts.broken() };
            if pieces.send(text.into()).await.is_err() || matches!(it, Event::Departed(..)) {
                return;
            }
        }
        tokio::select! {
            it = coming.recv() => match it {
                Some(it) => next = Some(it),
                None => return,
            },
            () = pieces.closed() => return,
            () = server.stopped() => return,
            () = tokio::time::sleep(SIGN_OF_LIFE) => {
                if pieces.send(ALIVE.into()).await.is_err() {
                    return;
                }
            }
        }
    }
}

async fn told(server: &Server, it: &Event) -> Answer<String> {
    let names = server.directory();
    Ok(match it {
        Event::Leased(held) => {
            let lease = lease(server, &names, held).await?;
            event(Some(lease.lease), "task", &on_one_line(&serde_json::to_string(&lease).unwrap_or_default()))
        }
        Event::Training(_, app) => event(None, "training", &json!({"app": names.apps.name(app.0)}).to_string()),
        Event::Departed(_, why) => event(None, "gone", &json!({"why": word(*why)}).to_string()),
    })
}

/// JSON on one line: line ends within texts are escaped, so all others are only space.
fn on_one_line(json: &str) -> String {
    json.replace(['\n', '\r'], " ")
}

fn word(why: Departure) -> &'static str {
    match why {
        Departure::Left => "left",
        Departure::Vanished => "vanished",
        Departure::Released => "released",
        Departure::Drained => "drained",
        Departure::Unaffordable => "unaffordable",
    }
}
