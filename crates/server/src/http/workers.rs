//! Workers: joining, and what they do one request at a time. Many at once: see `work`.

use axum::extract::State;
use muster_engine::ids::{AppId, RecruitId, WorkerId};
use muster_engine::spec::WorkerSpec;
use muster_engine::state::worker::Standing;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Query, Word};
use super::work::{Done, Operation, What, operate, seconds};
use crate::keeper::desk::WorkerRecord;
use crate::keeper::turn::Turn;
use crate::once;
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Moment};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new()
        .routes(routes!(join))
        .routes(routes!(show))
        .routes(routes!(ask))
        .routes(routes!(heartbeat))
        .routes(routes!(leave))
}

/// A worker who joins.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWorker {
    /// Where, by name or number.
    pub pool: String,
    /// Of which kind, by name or number.
    pub kind: String,
    /// What the worker is called.
    #[serde(default)]
    pub name: String,
    /// What the worker has learned already.
    #[serde(default)]
    pub trained: Vec<String>,
    /// How much the worker likes apps, from 0 to 1.
    #[serde(default)]
    pub preferences: std::collections::BTreeMap<String, f64>,
    /// The recruit order that brought the worker.
    pub recruit: Option<u32>,
}

/// A worker who has joined.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct Joined {
    /// The worker's number.
    pub worker: u32,
}

/// Joins a pool. The token may act for the worker from now on.
#[utoipa::path(post, path = "/api/workers", tag = "workers", request_body = NewWorker,
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = Joined), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn join(State(server): State<Server>, by: By, body: Body<NewWorker>) -> Answer<Created<Joined>> {
    let directory = server.directory();
    let (once, said) = (body.once.by(&by)?, body.said);
    let pool = directory.pool(&said.pool)?;
    if !by.may_join(pool) {
        return Err(Problem::forbidden("join workers to this pool"));
    }
    let app = |word: &String| directory.app(word);
    let liking = |(word, liking): (&String, &f64)| Ok((directory.app(word)?, *liking));
    let spec = WorkerSpec {
        pool,
        kind: directory.kind(&said.kind)?,
        trained: said.trained.iter().map(app).collect::<Answer<Vec<AppId>>>()?,
        preferences: said.preferences.iter().map(liking).collect::<Answer<Vec<_>>>()?,
        recruit: said.recruit.map(RecruitId),
    };
    let make = move |turn: &mut Turn<'_>| {
        let record = WorkerRecord { token: by.id, name: said.name, joined: turn.next_number() };
        Ok(Joined { worker: turn.join(spec, &record)?.0 })
    };
    server.turn(move |turn| once::run(turn, once, make)).await.map(Created)
}

/// A worker.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Worker {
    /// Its number.
    pub worker: u32,
    /// Its pool.
    pub pool: String,
    /// Its kind.
    pub kind: String,
    /// How it stands: training, idle, leased, paused or draining.
    pub standing: &'static str,
    /// Since when it stands so.
    pub since: Moment,
    /// When it joined.
    pub joined: Moment,
    /// When it was last heard of.
    pub heard: Moment,
    /// The lease it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease: Option<u64>,
    /// The job of that lease.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<u64>,
    /// What it has earned by answers.
    pub earned: Amount,
    /// What it has been paid for waiting and training.
    pub wages: Amount,
}

/// In a word.
#[must_use]
pub fn word(standing: Standing) -> &'static str {
    match standing {
        Standing::Training => "training",
        Standing::Idle => "idle",
        Standing::Leased => "leased",
        Standing::Paused => "paused",
        Standing::Draining => "draining",
        Standing::Gone => "gone",
    }
}

/// A worker as it is told.
#[must_use]
pub fn worker(it: &muster_engine::state::worker::Worker, names: &crate::directory::Directory) -> Worker {
    Worker {
        worker: it.id.0,
        pool: names.pools.name(it.pool.0).to_owned(),
        kind: names.kinds.name(it.kind.0).to_owned(),
        standing: word(it.standing),
        since: Moment(it.since),
        joined: Moment(it.joined),
        heard: Moment(it.heard),
        lease: it.lease.as_ref().map(|lease| lease.token.0),
        job: it.lease.as_ref().map(|lease| lease.task.job.0),
        earned: Amount(it.earned),
        wages: Amount(it.wages),
    }
}

/// A worker who is there.
#[utoipa::path(get, path = "/api/workers/{worker}", tag = "workers", params(("worker" = u32, Path)),
    responses((status = 200, body = Worker), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn show(State(server): State<Server>, by: By, id: Word) -> Answer<Json<Worker>> {
    let id = WorkerId(id.number("worker")?);
    server
        .look(move |look| {
            let missing = || Problem::not_found(id);
            let mine = look.desk.workers.get(&id) == Some(&by.id);
            if !mine && !by.may_read_all() {
                return Err(missing());
            }
            let it = look.state().worker(id).ok_or_else(missing)?;
            Ok(Json(worker(it, &look.desk.directory)))
        })
        .await
}

/// How long to wait.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// So many seconds at most, if there is nothing at once; 0 unless said.
    pub wait: Option<f64>,
}

async fn one(server: &Server, by: &By, id: &Word, what: What, wait: Wait) -> Answer<Json<Done>> {
    let worker = id.number("worker")?;
    let operation = Operation { what, worker, lease: None, answer: None, next: false, reason: None };
    let mut done = operate(server, by, vec![operation.owned(&server.limits)?], seconds(wait.wait)?).await?;
    let done = done.pop().ok_or_else(|| Problem::not_found(format_args!("worker '{}'", id.0)))?;
    match done.problem {
        Some(problem) => Err(problem),
        None => Ok(Json(done)),
    }
}

/// Asks for a task. A worker who has one hears of it again.
#[utoipa::path(post, path = "/api/workers/{worker}/ask", tag = "workers", params(("worker" = u32, Path), Wait),
    responses((status = 200, body = Done), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn ask(State(server): State<Server>, by: By, id: Word, Query(wait): Query<Wait>) -> Answer<Json<Done>> {
    one(&server, &by, &id, What::Ask, wait).await
}

/// A sign of life.
#[utoipa::path(post, path = "/api/workers/{worker}/heartbeat", tag = "workers", params(("worker" = u32, Path)),
    responses((status = 200, body = Done), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn heartbeat(State(server): State<Server>, by: By, id: Word) -> Answer<Json<Done>> {
    one(&server, &by, &id, What::Heartbeat, Wait { wait: None }).await
}

/// Leaves; a task in hand goes to somebody else.
#[utoipa::path(post, path = "/api/workers/{worker}/leave", tag = "workers", params(("worker" = u32, Path)),
    responses((status = 200, body = Done), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn leave(State(server): State<Server>, by: By, id: Word) -> Answer<Json<Done>> {
    one(&server, &by, &id, What::Leave, Wait { wait: None }).await
}
