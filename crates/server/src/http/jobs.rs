//! Jobs: submitted as JSON, watched, cancelled.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use muster_engine::fact::Outcome;
use muster_engine::ids::{ClientId, JobId, TenantId};
use muster_engine::spec::{Estimates, FlowTask, JobSpec, Work};
use muster_engine::state::State as Known;
use muster_engine::{Command, Span};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{By, Json, KeyAndRequest, Query, Word, parse};
use super::{Limits, Server};
use crate::access::{Caller, Scope};
use crate::directory::Directory;
use crate::jobs::{self, JobRecord, Submission};
use crate::once;
use crate::payload;
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Moment, Seconds};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list, submit)).routes(routes!(show)).routes(routes!(cancel))
}

/// A task of a workflow.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowTaskSaid<'a> {
    /// Its type.
    pub app: String,
    /// The places of the tasks that must be done before it, from 0.
    #[serde(default)]
    pub after: Vec<u32>,
    /// What the worker gets to see: any JSON.
    #[serde(borrow)]
    #[schema(value_type = Option<Object>)]
    pub payload: Option<&'a RawValue>,
    /// How long it takes, if that is known.
    pub expected: Option<Seconds>,
}

/// A job to be done: `tasks` of one app, or a `workflow`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewJob<'a> {
    /// Whose it is: the token's tenant unless said.
    pub tenant: Option<String>,
    /// What it is called.
    #[serde(default)]
    pub name: String,
    /// The type of its tasks.
    pub app: Option<String>,
    /// What the workers get to see, task by task: any JSON.
    #[serde(borrow)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub tasks: Option<Vec<&'a RawValue>>,
    /// Tasks that depend on each other.
    #[serde(borrow)]
    pub workflow: Option<Vec<FlowTaskSaid<'a>>>,
    /// Its share against the tenant's other jobs, 1 unless said.
    pub priority: Option<u32>,
    /// What a person gets for an answer that counts.
    #[serde(default)]
    pub price: Amount,
    /// How many answers each task needs, from different workers; 1 unless said.
    pub slots: Option<u8>,
    /// What the whole job may cost.
    pub budget: Option<Amount>,
    /// For whom it is done, by number.
    pub client: Option<u32>,
    /// How long a task takes, if that is known.
    pub expected: Option<Seconds>,
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
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
    /// When it came, in RFC 3339.
    pub submitted: String,
    /// When it ended.
    pub closed: Option<String>,
}

/// Jobs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Jobs {
    /// In the order in which they came.
    pub jobs: Vec<Job>,
    /// Ask with `from` set to this for more.
    pub more: Option<u64>,
}

/// A job that was submitted.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct Submitted {
    /// Its number.
    pub job: u64,
    /// How many tasks it has.
    pub tasks: u32,
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

fn spec<'a>(said: &NewJob<'a>, tenant: TenantId, directory: &Directory) -> Answer<(JobSpec, Vec<&'a [u8]>)> {
    let (work, estimates, payloads) = match (&said.tasks, &said.workflow) {
        (Some(tasks), None) => {
            let app = said
                .app
                .as_deref()
                .ok_or_else(|| Problem::field("app", "missing", "an app's name or number"))?;
            let app = directory.app(app)?;
            let n = u32::try_from(tasks.len()).unwrap_or(u32::MAX);
            let payloads = tasks.iter().map(|task| task.get().as_bytes()).collect();
            (Work::Batch { app, tasks: n }, Estimates::None, payloads)
        }
        (None, Some(flow)) => {
            let task = |task: &FlowTaskSaid<'_>| {
                Ok(FlowTask { app: directory.app(&task.app)?, parents: task.after.clone() })
            };
            let tasks = flow.iter().map(task).collect::<Answer<Vec<_>>>()?;
            let payload = |task: &FlowTaskSaid<'a>| {
                task.payload.map_or(&b"null"[..], |payload| payload.get().as_bytes())
            };
            (Work::Workflow(tasks), estimates(flow)?, flow.iter().map(payload).collect())
        }
        _ => return Err(Problem::unreadable("a job has either 'tasks' and 'app', or a 'workflow'")),
    };
    let mut spec = JobSpec::batch(tenant, muster_engine::ids::AppId(0), 0);
    spec.work = work;
    spec.priority = said.priority.unwrap_or(1);
    spec.price = said.price.0;
    spec.slots = said.slots.unwrap_or(1);
    spec.budget = said.budget.map(|amount| amount.0);
    spec.client = said.client.map(ClientId);
    spec.expected = said.expected.map(|span| span.0);
    spec.estimates = estimates;
    Ok((spec, payloads))
}

/// Estimates for each task of a workflow, or for none.
fn estimates(flow: &[FlowTaskSaid<'_>]) -> Answer<Estimates> {
    let said: Vec<Span> = flow.iter().filter_map(|task| task.expected).map(|span| span.0).collect();
    match said.len() {
        0 => Ok(Estimates::None),
        n if n == flow.len() => Ok(Estimates::PerTask(said)),
        n => Err(Problem::field(
            "expected",
            format!("given for {n} tasks"),
            "given for all tasks of a workflow, or for none",
        )),
    }
}

fn check_payloads(payloads: &[&[u8]], limits: &Limits) -> Answer<()> {
    let large = payloads.iter().position(|payload| payload.len() > limits.payload);
    large.map_or(Ok(()), |place| {
        let value = format!("{} bytes", payloads[place].len());
        Err(Problem::field(&format!("tasks[{place}]"), value, &format!("at most {} bytes", limits.payload)))
    })
}

/// Submits a job.
#[utoipa::path(post, path = "/api/jobs", tag = "jobs", request_body = NewJob<'_>,
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = Submitted), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn submit(State(server): State<Server>, by: By, request: KeyAndRequest) -> Answer<Response> {
    let directory = server.directory();
    let (submission, once) = {
        let said: NewJob<'_> = parse(request.bytes())?;
        let tenant = tenant_of(&by, &directory, said.tenant.as_deref())?;
        if !by.may_submit(tenant) {
            return Err(Problem::forbidden("submit jobs"));
        }
        let (spec, payloads) = spec(&said, tenant, &directory)?;
        check_payloads(&payloads, &server.limits)?;
        let chunks = payload::chunks(&payloads);
        (Submission { spec, name: said.name, by: by.id, chunks, staged: None }, request.by(&by)?)
    };
    let tasks = u32::try_from(submission.spec.work.len()).unwrap_or(u32::MAX);
    let submitted = server.turn(move |turn| {
        once::run(turn, once, |turn| {
            jobs::submit(turn, submission).map(|job| Submitted { job: job.0, tasks })
        })
    });
    let submitted = submitted.await?;
    let place = [(header::LOCATION, format!("/api/jobs/{}", submitted.job))];
    Ok((StatusCode::CREATED, place, Json(submitted)).into_response())
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
async fn told(server: &Server, tenant: TenantId, found: Vec<(JobId, JobRecord)>) -> Answer<Vec<Job>> {
    let ids: Vec<JobId> = found.iter().map(|(id, _)| *id).collect();
    let lives =
        server.look(move |look| Ok(ids.iter().map(|id| live(look.state(), *id)).collect::<Vec<_>>())).await?;
    let name = server.directory().tenants.name(tenant.0).to_owned();
    server
        .read(move |reader| {
            found
                .into_iter()
                .zip(lives)
                .map(|((id, record), live)| {
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
                        tenant: name.clone(),
                        name: record.name,
                        stage,
                        tasks: record.tasks,
                        done: live.done,
                        leased: live.leased,
                        open: live.open,
                        slots: record.slots,
                        price: Amount(record.price),
                        spent: live.spent,
                        submitted: Moment(record.submitted).to_string(),
                        closed: closing.map(|closing| Moment(closing.at).to_string()),
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
    let (tenant, id, record) = known(&server, &by, &word).await?;
    let mut told = told(&server, tenant, vec![(id, record)]).await?;
    told.pop().map(Json).ok_or_else(|| Problem::not_found(id))
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
    /// So many at most; 100 unless said.
    pub most: Option<usize>,
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
    Ok(Json(Jobs { jobs: told(&server, tenant, found).await?, more }))
}

/// Cancels a job: answers already accepted are paid, leases end.
#[utoipa::path(post, path = "/api/jobs/{job}/cancel", tag = "jobs", params(("job" = u64, Path)),
    responses((status = 200, body = Job), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn cancel(State(server): State<Server>, by: By, word: Word) -> Answer<Json<Job>> {
    let (tenant, id, record) = known(&server, &by, &word).await?;
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
        .await?;
    let mut told = told(&server, tenant, vec![(id, record)]).await?;
    told.pop().map(Json).ok_or_else(|| Problem::not_found(id))
}
