//! What a worker does, sent as forms: the script gets the next stage in the same reply, a browser without scripts is led back to the page.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use muster_engine::ids::WorkerId;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::form::{Fields, Form, done, not_done};
use super::super::session::Visitor;
use super::super::{Failed, parts};
use super::task::{self, Filled, PREFIX};
use super::{place, stage};
use crate::http::Server;
use crate::http::work::{Done, Operation, What, operate};
use crate::problem::{Answer, Problem};

/// The acts.
pub fn router() -> Router<Server> {
    Router::new().route("/work/{worker}/{act}", post(act))
}

/// What somebody wants done, before it is checked.
struct Wanted {
    worker: WorkerId,
    lease: Option<u64>,
    answer: Option<Box<RawValue>>,
    reason: Option<String>,
}

/// Why nothing can be done yet.
enum Refused {
    /// The answer has faults.
    Faults(Filled),
    /// Something else.
    Problem(Problem),
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

async fn act(
    State(server): State<Server>,
    Path((worker, act)): Path<(u32, String)>,
    headers: HeaderMap,
    form: Form<Fields>,
) -> Response {
    let (visitor, fields, worker) = (form.visitor, form.fields, WorkerId(worker));
    let for_script =
        headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/json");
    let came = perform(&server, &visitor, worker, &act, &fields).await;
    let reply = match (came, for_script) {
        (Ok(said), true) => stage::reply(&server, &visitor, worker, &Filled::default(), Some(said)).await,
        (Ok(said), false) => Ok(led_back(worker, &said)),
        (Err(Refused::Faults(filled)), true) => {
            let said = json!({"text": "Something is missing or wrong.", "problem": true, "again": true});
            stage::reply(&server, &visitor, worker, &filled, Some(said)).await
        }
        (Err(Refused::Faults(filled)), false) => {
            let page = place::page(&server, &visitor, worker, &filled).await.into_response();
            return (StatusCode::UNPROCESSABLE_ENTITY, page).into_response();
        }
        (Err(Refused::Problem(problem)), true) => Err(problem),
        (Err(Refused::Problem(problem)), false) => Ok(not_done(&format!("/work/{}", worker.0), &problem)),
    };
    reply.unwrap_or_else(
        |problem| if for_script { problem.into_response() } else { Failed(problem).into_response() },
    )
}

fn led_back(worker: WorkerId, said: &Value) -> Response {
    let (path, text) = (format!("/work/{}", worker.0), said["text"].as_str().unwrap_or_default());
    match (text, said["problem"] == true) {
        ("", _) => axum::response::Redirect::to(&path).into_response(),
        (text, true) => not_done(&path, &Problem::conflict(text)),
        (text, false) => done(&path, text),
    }
}

/// Does it; says in a few words what came of it.
async fn perform(
    server: &Server,
    visitor: &Visitor,
    worker: WorkerId,
    act: &str,
    fields: &Fields,
) -> Result<Value, Refused> {
    let lease = fields.get("lease").parse().ok();
    let reason = Some(fields.get("reason").to_owned()).filter(|reason| !reason.is_empty());
    let mut it = Wanted { worker, lease, answer: None, reason };
    let done = match act {
        "ask" => once(server, visitor, &it, What::Ask, false).await?,
        "answer" => {
            it.reason = None;
            it.answer = Some(answer(server, fields)?);
            once(server, visitor, &it, What::Answer, true).await?
        }
        "skip" => {
            let whole_job = fields.get("job") == "on";
            once(server, visitor, &it, if whole_job { What::SkipJob } else { What::SkipTask }, true).await?
        }
        "back" => {
            it.reason = None;
            once(server, visitor, &it, What::Return, false).await?
        }
        "pause" => once(server, visitor, &it, What::Pause, false).await?,
        "trained" => once(server, visitor, &it, What::Trained, true).await?,
        "leave" => once(server, visitor, &it, What::Leave, false).await?,
        _ => return Err(Problem::not_found(format_args!("act '{act}'")).into()),
    };
    Ok(told(&done))
}

async fn once(server: &Server, visitor: &Visitor, it: &Wanted, what: What, next: bool) -> Answer<Done> {
    let operation = Operation {
        what,
        worker: it.worker.0,
        lease: it.lease,
        answer: it.answer.as_deref(),
        next,
        reason: it.reason.clone(),
    };
    let operation = operation.owned(&server.limits)?;
    let done = operate(server, &visitor.by(), vec![operation], muster_engine::Span::ZERO).await?;
    done.into_iter().next().ok_or_else(|| Problem::not_found(it.worker))
}

/// In a few words.
fn told(done: &Done) -> Value {
    if let Some(problem) = &done.problem {
        let text = if problem.kind == "urn:muster:lease" {
            "This task is no longer yours: its time ran out, or it was called off.".to_owned()
        } else {
            parts::sentence(&problem.detail)
        };
        return json!({"text": text, "problem": true});
    }
    let text = match (done.verdict, &done.pay) {
        (Some("late-kept"), _) => "Sent, but too late to count.".to_owned(),
        (Some(_), Some(pay)) if !pay.0.is_zero() => format!("Sent. You earned {}.", parts::money(pay.0)),
        (Some(_), _) => "Sent.".to_owned(),
        (None, _) => String::new(),
    };
    json!({"text": text, "problem": false})
}

/// The answer: as the frame said it, or out of the form's fields.
fn answer(server: &Server, fields: &Fields) -> Result<Box<RawValue>, Refused> {
    if let Some((_, said)) = fields.0.iter().find(|(name, _)| name == "answer") {
        let whole = RawValue::from_string(said.clone());
        return whole.map_err(|_| Problem::field("answer", "no JSON", "what the task's page sends").into());
    }
    // By the app rather than by what is in hand now: a late answer may still count.
    let names = server.directory();
    let app = fields.get("app").parse().ok().and_then(|app| names.apps.get(app));
    let form = task::form_of(app.and_then(|app| app.form.as_deref()));
    let own = |(name, value): &(String, String)| Some((name.strip_prefix(PREFIX)?.to_owned(), value.clone()));
    let said: Vec<(String, String)> = fields.0.iter().filter_map(own).collect();
    match form.read(&said) {
        Ok(answer) => {
            let text = serde_json::to_string(&answer).unwrap_or_default();
            RawValue::from_string(text).map_err(|error| Problem::unreadable(error.to_string()).into())
        }
        Err(faults) => Err(Refused::Faults(Filled { said, faults })),
    }
}
