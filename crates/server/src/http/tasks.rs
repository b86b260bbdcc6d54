//! A single task: what it says, how it stands, its answers, and its page if the job or the app has a template.

use axum::extract::{Path, State};
use muster_engine::fact::Outcome;
use muster_engine::ids::{AppId, JobId, TaskId};
use muster_engine::state::job::TaskState;
use muster_formats::template::Template;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{By, Json, Word};
use super::jobs::known;
use super::work::payload;
use crate::problem::{Answer, Problem};
use crate::results::{self, Answers};
use crate::wire::{Amount, Moment};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(show))
}

/// An answer to a task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnswerTold {
    /// By whom.
    pub worker: u32,
    /// Under which lease.
    pub lease: u64,
    /// When.
    pub at: Moment,
    /// counted, late-counted or late-kept.
    pub verdict: &'static str,
    /// What it was paid.
    pub pay: Amount,
    /// What it says.
    #[schema(value_type = Object)]
    pub answer: Box<RawValue>,
}

/// A task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Task {
    /// Its job.
    pub job: u64,
    /// Its place in the job, from 0.
    pub task: u32,
    /// waiting (for others), open, done or cancelled.
    pub state: &'static str,
    /// Slots in workers' hands.
    pub leased: u8,
    /// What the worker gets to see.
    #[schema(value_type = Object)]
    pub payload: Box<RawValue>,
    /// The page that the job's template or else the app's makes of it, while the job runs; a task that it does not fit has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// Its answers, in the order in which they came.
    pub answers: Vec<AnswerTold>,
}

struct Live {
    state: &'static str,
    leased: u8,
    app: AppId,
}

fn word(state: TaskState) -> &'static str {
    match state {
        TaskState::Waiting => "waiting",
        TaskState::Open => "open",
        TaskState::Done => "done",
        TaskState::Cancelled => "cancelled",
    }
}

fn answers(reader: &dyn crate::journal::Reader, task: TaskId) -> Answer<Vec<AnswerTold>> {
    let (mut all, mut out) = (Answers::from(reader, task.job, 0)?, Vec::new());
    loop {
        let found = all.more()?;
        if found.is_empty() {
            return Ok(out);
        }
        out.extend(found.into_iter().filter(|answer| answer.task == task.index).map(|answer| {
            let text = String::from_utf8(answer.body).unwrap_or_default();
            AnswerTold {
                worker: answer.worker.0,
                lease: answer.token.0,
                at: Moment(answer.at),
                verdict: results::word(answer.verdict),
                pay: Amount(answer.pay),
                answer: RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned()),
            }
        }));
    }
}

/// The page of a payload.
pub(crate) fn page(template: &str, payload: &str) -> Option<String> {
    let template = Template::parse("template", template).ok()?;
    let inputs: serde_json::Map<String, serde_json::Value> = serde_json::from_str(payload).ok()?;
    template.render(&inputs).ok()
}

/// A task of a job, with its answers. Goes through all answers of the job.
#[utoipa::path(get, path = "/api/jobs/{job}/tasks/{task}", tag = "jobs", params(("job" = u64, Path), ("task" = u32, Path)),
    responses((status = 200, body = Task), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn show(
    State(server): State<Server>,
    by: By,
    Path((job, task)): Path<(String, String)>,
) -> Answer<Json<Task>> {
    let (_, id, kept) = known(&server, &by, &Word(job)).await?;
    let missing = || Problem::not_found(format_args!("task '{task}' in {id}"));
    let index: u32 = task.parse().map_err(|_| missing())?;
    if index >= kept.tasks {
        return Err(missing());
    }
    let task = TaskId { job: id, index };
    let live = server.look(move |look| Ok(live(look.state(), task))).await?;
    let answers = server.read(move |reader| answers(reader, task)).await?;
    let payload = payload(&server, task).await?;
    let names = server.directory();
    let own = server.read(move |reader| crate::jobs::template(reader, id)).await?;
    let of_app = live.as_ref().and_then(|live| names.apps.get(live.app.0)?.template.clone());
    let template = own.filter(|_| live.is_some()).or_else(|| of_app.map(|text| text.to_string()));
    let page = template.and_then(|template| page(&template, payload.get()));
    let (state, leased) = match live {
        Some(live) => (live.state, live.leased),
        None => (closed(&server, id, answers.iter().any(|it| it.verdict != "late-kept")).await?, 0),
    };
    Ok(Json(Task { job: id.0, task: index, state, leased, payload, page, answers }))
}

fn live(state: &muster_engine::state::State, task: TaskId) -> Option<Live> {
    let job = state.job(task.job)?;
    let it = job.tasks().get(task.index as usize)?;
    Some(Live { state: word(it.state), leased: it.leased, app: job.app_of(task.index) })
}

/// How a task of a job that is over ended.
async fn closed(server: &Server, job: JobId, answered: bool) -> Answer<&'static str> {
    let closing = server.read(move |reader| crate::jobs::closing(reader, job)).await?;
    let is_done = closing.is_some_and(|closing| closing.outcome == Outcome::Done);
    Ok(if is_done || answered { "done" } else { "cancelled" })
}
