//! Jobs: listed, watched, cancelled.

use axum::extract::State;
use muster_engine::Command;
use muster_engine::fact::Outcome;
use muster_engine::ids::{JobId, TenantId};
use muster_engine::state::State as Known;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{By, Json, Query, Word};
use crate::access::{Caller, Scope};
use crate::directory::Directory;
use crate::jobs::{self, JobRecord};
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Moment};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(show)).routes(routes!(cancel))
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// It is worked on.
    Open,
    /// All its tasks are done.
    Done,
    /// It was cancelled.
    Cancelled,
}

/// A job.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Job {
    /// Its number.
    pub job: u64,
    /// Whose it is.
    pub tenant: String,
    /// What it is called.
    pub name: String,
    /// Where it stands.
    pub stage: Stage,
    /// How many tasks it has.
    pub tasks: u32,
    /// How many of them are done.
    pub done: u32,
    /// Slots in workers' hands.
    pub leased: u32,
    /// Slots that wait for a worker.
    pub open: u32,
    /// How many answers each task needs.
    pub slots: u8,
    /// What an answer is worth.
    pub price: Amount,
    /// What it has cost.
    pub spent: Amount,
    /// When it came.
    pub submitted: Moment,
    /// When it ended.
    pub closed: Option<Moment>,
}

/// Jobs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Jobs {
    /// In the order in which they came.
    pub jobs: Vec<Job>,
    /// Ask with `from` set to this for more.
    pub more: Option<u64>,
}

/// The tenant that a request is for: the one it names, or the token's own.
pub fn tenant_of(by: &Caller, directory: &Directory, said: Option<&str>) -> Answer<TenantId> {
    let own = match by.scope {
        Scope::Tenant(own) | Scope::Read(Some(own)) => Some(own),
        _ => None,
    };
    match (said, own) {
        (None, Some(own)) => Ok(own),
        (None, None) => {
            Err(Problem::field("tenant", "missing", "a tenant's name or number, as the token is of none"))
        }
        (Some(word), _) => {
            let found = directory.tenant(word)?;
            if by.may_read(found) {
                Ok(found)
            } else {
                Err(Problem::not_found(format_args!("tenant '{word}'")))
            }
        }
    }
}

/// How a job that lives stands.
struct Live {
    done: u32,
    leased: u32,
    open: u32,
    spent: Amount,
}

fn live(state: &Known, id: JobId) -> Option<Live> {
    let job = state.job(id)?;
    let tasks = u32::try_from(job.tasks().len()).unwrap_or(u32::MAX);
    let open = job.lanes().map(|lane| lane.open).sum();
    Some(Live { done: tasks - job.left, leased: job.running(), open, spent: Amount(job.spent) })
}

/// A job as it is told: alive or as it ended.
pub(crate) async fn told(server: &Server, found: Vec<jobs::Found>) -> Answer<Vec<Job>> {
    let ids: Vec<JobId> = found.iter().map(|(_, id, _)| *id).collect();
    let lives =
        server.look(move |look| Ok(ids.iter().map(|id| live(look.state(), *id)).collect::<Vec<_>>())).await?;
    let directory = server.directory();
    server
        .read(move |reader| {
            found
                .into_iter()
                .zip(lives)
                .map(|((tenant, id, record), live)| {
                    let closing = if live.is_none() { jobs::closing(reader, id)? } else { None };
                    let stage = match closing.map(|closing| closing.outcome) {
                        None => Stage::Open,
                        Some(Outcome::Done) => Stage::Done,
                        Some(Outcome::Cancelled) => Stage::Cancelled,
                    };
                    let done = if stage == Stage::Done { record.tasks } else { 0 };
                    let spent =
                        Amount(closing.map_or(muster_engine::money::Money::ZERO, |closing| closing.spent));
                    let live = live.unwrap_or(Live { done, leased: 0, open: 0, spent });
                    Ok(Job {
                        job: id.0,
                        tenant: directory.tenants.name(tenant.0).to_owned(),
                        name: record.name,
                        stage,
                        tasks: record.tasks,
                        done: live.done,
                        leased: live.leased,
                        open: live.open,
                        slots: record.slots,
                        price: Amount(record.price),
                        spent: live.spent,
                        submitted: Moment(record.submitted),
                        closed: closing.map(|closing| Moment(closing.at)),
                    })
                })
                .collect()
        })
        .await
}

/// Whose a job is, if the caller may see it; others' jobs are as if they were not there.
pub async fn known(server: &Server, by: &By, word: &Word) -> Answer<(TenantId, JobId, JobRecord)> {
    let id = JobId(word.number("job")?);
    let tenants: Vec<TenantId> = match by.scope {
        Scope::Tenant(own) | Scope::Read(Some(own)) => vec![own],
        Scope::Admin | Scope::Read(None) => {
            server.directory().tenants.iter().map(|(id, _)| TenantId(id)).collect()
        }
        Scope::Worker(_) => Vec::new(),
    };
    let found = server.read(move |reader| {
        for tenant in tenants {
            if let Some(record) = jobs::find(reader, tenant, id)? {
                return Ok(Some((tenant, id, record)));
            }
        }
        Ok(None)
    });
    found.await?.ok_or_else(|| Problem::not_found(format_args!("job '{}'", word.0)))
}

/// A job and how far it is.
#[utoipa::path(get, path = "/api/jobs/{job}", tag = "jobs", params(("job" = u64, Path)),
    responses((status = 200, body = Job), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn show(State(server): State<Server>, by: By, word: Word) -> Answer<Json<Job>> {
    job(&server, &by, &word).await.map(Json)
}

/// A job and how far it is.
pub(crate) async fn job(server: &Server, by: &By, word: &Word) -> Answer<Job> {
    let (tenant, id, record) = known(server, by, word).await?;
    let mut told = told(server, vec![(tenant, id, record)]).await?;
    told.pop().ok_or_else(|| Problem::not_found(id))
}

/// Which jobs.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// Whose: the token's tenant unless said.
    pub tenant: Option<String>,
    /// From this number on.
    #[serde(default)]
    pub from: u64,
    /// So many are looked at, at most; 100 unless said.
    pub most: Option<usize>,
    /// Only jobs that stand so; a page may then hold fewer than were looked at.
    pub stage: Option<Stage>,
}

/// A tenant's jobs.
#[utoipa::path(get, path = "/api/jobs", tag = "jobs", params(Which),
    responses((status = 200, body = Jobs), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn list(State(server): State<Server>, by: By, Query(which): Query<Which>) -> Answer<Json<Jobs>> {
    let tenant = tenant_of(&by, &server.directory(), which.tenant.as_deref())?;
    if !by.may_read(tenant) {
        return Err(Problem::forbidden("see jobs"));
    }
    let most = which.most.unwrap_or(100).clamp(1, 1000);
    let mut found =
        server.read(move |reader| jobs::list(reader, tenant, JobId(which.from), most + 1)).await?;
    let more = (found.len() > most).then(|| found[most].0.0);
    found.truncate(most);
    let found = found.into_iter().map(|(id, record)| (tenant, id, record)).collect();
    let mut jobs = told(&server, found).await?;
    jobs.retain(|job| which.stage.is_none_or(|stage| job.stage == stage));
    Ok(Json(Jobs { jobs, more }))
}

/// Cancels a job: answers already accepted are paid, leases end.
#[utoipa::path(post, path = "/api/jobs/{job}/cancel", tag = "jobs", params(("job" = u64, Path)),
    responses((status = 200, body = Job), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn cancel(State(server): State<Server>, by: By, word: Word) -> Answer<Json<Job>> {
    end(&server, &by, &word).await?;
    job(&server, &by, &word).await.map(Json)
}

/// Cancels a job, if it is not over.
pub(crate) async fn end(server: &Server, by: &By, word: &Word) -> Answer<()> {
    let (tenant, id, _) = known(server, by, word).await?;
    if !by.may_submit(tenant) {
        return Err(Problem::forbidden("cancel jobs"));
    }
    server
        .turn(move |turn| {
            if turn.state().job(id).is_some() {
                turn.command(Command::CancelJob(id))?;
            }
            Ok(())
        })
        .await
}
