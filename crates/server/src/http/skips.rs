//! Why workers skipped tasks and jobs, in their own words: for the tenant to see what is wrong with a task.

use axum::extract::State;
use muster_engine::Time;
use muster_engine::ids::{TaskId, WorkerId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{By, Json, Query, Word};
use super::jobs::known;
use crate::keeper::recover::record;
use crate::keeper::turn::Turn;
use crate::keys::{self, Sort};
use crate::problem::{Answer, Problem};
use crate::wire::Moment;

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list))
}

/// A reason, as kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SkipRecord {
    at: Time,
    worker: WorkerId,
    task: u32,
    whole_job: bool,
    reason: String,
}

/// Keeps why something was skipped, with the fact that says it was.
pub fn keep(
    turn: &mut Turn<'_>,
    number: u64,
    worker: WorkerId,
    task: TaskId,
    whole_job: bool,
    reason: String,
) {
    let record = SkipRecord { at: turn.now(), worker, task: task.index, whole_job, reason };
    turn.put_record(keys::skip(task.job, number), &record);
}

/// Something that was skipped, and why.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Skip {
    /// The number of the fact that says it was.
    pub number: u64,
    /// When.
    pub at: Moment,
    /// By whom.
    pub worker: u32,
    /// Which task, from 0.
    pub task: u32,
    /// Whether the worker does not want the whole job.
    pub whole_job: bool,
    /// Why.
    pub reason: String,
}

/// What was skipped.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Skips {
    /// In order.
    pub skips: Vec<Skip>,
    /// Ask with `from` set to this for more.
    pub more: Option<u64>,
}

/// From where on.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct From {
    /// From this fact number on.
    #[serde(default)]
    pub from: u64,
}

/// So many are told at once.
const MOST: usize = 1000;

/// Why tasks of a job were skipped; skips without a reason are not listed.
#[utoipa::path(get, path = "/api/jobs/{job}/skips", tag = "jobs", params(("job" = u64, Path), From),
    responses((status = 200, body = Skips), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn list(
    State(server): State<Server>,
    by: By,
    word: Word,
    Query(from): Query<From>,
) -> Answer<Json<Skips>> {
    skipped(&server, &by, &word, from.from).await.map(Json)
}

/// Why tasks of a job were skipped, from a fact number on.
pub(crate) async fn skipped(server: &Server, by: &By, word: &Word, from: u64) -> Answer<Skips> {
    let (_, job, _) = known(server, by, word).await?;
    let read = move |reader: &dyn crate::journal::Reader| {
        let end = keys::after(&keys::named(Sort::Skip, &job.0.to_be_bytes()));
        let mut blobs = reader.range(&keys::skip(job, from), &end, MOST + 1)?;
        let more = blobs.get(MOST).and_then(|(key, _)| keys::large_number(key));
        blobs.truncate(MOST);
        let skip = |(key, bytes): (Vec<u8>, Vec<u8>)| {
            let kept: SkipRecord = record(&key, &bytes)?;
            let number = keys::large_number(&key).unwrap_or_default();
            let (at, worker) = (Moment(kept.at), kept.worker.0);
            Ok(Skip { number, at, worker, task: kept.task, whole_job: kept.whole_job, reason: kept.reason })
        };
        let skips = blobs.into_iter().map(skip).collect::<Answer<_>>()?;
        Ok(Skips { skips, more })
    };
    server.read(read).await
}
