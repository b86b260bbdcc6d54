//! Facts as a stream: lines of JSON or server-sent events, from a position on, and on as they come.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use muster_formats::facts;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{By, Query};
use super::stream::{ALIVE, Form, Pieces, SIGN_OF_LIFE, event, reply};
use crate::follow;
use crate::problem::{Answer, Problem};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list))
}

/// So many facts are read at a time.
const AT_ONCE: u64 = 500;

/// Which facts.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// From this number on; the header `Last-Event-ID` of a stream that is taken up again goes before it.
    #[serde(default)]
    pub from: u64,
    /// So many at most; all unless said.
    pub most: Option<u64>,
    /// Whether to go on with facts as they come. Events do so anyway.
    #[serde(default)]
    pub follow: bool,
}

/// All that happened, in order: lines of JSON, or server-sent events if `Accept` is `text/event-stream`. Needs a token that may
/// see everything.
#[utoipa::path(get, path = "/api/facts", tag = "operations", params(Which),
    responses((status = 200, content((String = "application/jsonl"), (String = "text/event-stream"))), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn list(
    State(server): State<Server>,
    by: By,
    Query(mut which): Query<Which>,
    headers: HeaderMap,
) -> Answer<Response> {
    if !by.may_read_all() {
        return Err(Problem::forbidden("see all facts"));
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let wants_events = text(header::ACCEPT.as_str()).is_some_and(|accept| accept.contains("text/event-stream"));
    let last = text("last-event-id").and_then(|number| number.parse::<u64>().ok());
    which.from = last.map_or(which.from, |last| last.saturating_add(1));
    which.follow |= wants_events;
    let form = if wants_events { Form::Events } else { Form::Jsonl };
    let (response, pieces) = reply(form);
    tokio::spawn(send(server, which, form, pieces));
    Ok(response)
}

async fn send(server: Server, which: Which, form: Form, pieces: Pieces) {
    let mut durable = server.keeper.shared.durable.subscribe();
    let (mut from, mut left) = (which.from, which.most.unwrap_or(u64::MAX));
    while left > 0 {
        durable.mark_unchanged();
        let most = usize::try_from(left.min(AT_ONCE)).unwrap_or(usize::MAX);
        let Ok(found) = server.read(move |reader| Ok(follow::some(reader, from, most)?)).await else {
            return server.counts.broken();
        };
        let text: String = found
            .iter()
            .map(|(number, fact)| match form {
                Form::Events => event(Some(*number), "fact", &facts::line(*number, fact)),
                Form::Jsonl | Form::Csv => facts::line(*number, fact) + "\n",
            })
            .collect();
        left -= found.len() as u64;
        from = found.last().map_or(from, |(number, _)| number + 1);
        if !text.is_empty() {
            if pieces.send(text.into()).await.is_err() {
                return;
            }
            continue;
        }
        if !which.follow {
            return;
        }
        tokio::select! {
            changed = durable.changed() => if changed.is_err() { return },
            () = pieces.closed() => return,
            () = server.stopped() => return,
            () = tokio::time::sleep(SIGN_OF_LIFE), if form == Form::Events => {
                if pieces.send(ALIVE.into()).await.is_err() {
                    return;
                }
            }
        }
    }
}
