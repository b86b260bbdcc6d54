//! Jobs as they are submitted in JSON: a batch of tasks, or a workflow; whole or not at all.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use muster_engine::Span;
use muster_engine::ids::{ClientId, TenantId};
use muster_engine::spec::{Estimates, FlowTask, JobSpec, Work};
use muster_formats::template::Template;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{By, Json, KeyAndRequest, parse};
use super::jobs::tenant_of;
use super::{Limits, Server};
use crate::directory::Directory;
use crate::jobs::{self, Submission};
use crate::once;
use crate::payload;
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Seconds};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(submit))
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
    /// The page that workers see in place of their app's, with `${var}` where values of the payload go.
    pub template: Option<String>,
}

/// A job that was submitted.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct Submitted {
    /// Its number.
    pub job: u64,
    /// How many tasks it has.
    pub tasks: u32,
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

/// Refuses a template that is none, or that shows what a payload does not have.
fn check_template(text: &str, payloads: &[&[u8]]) -> Answer<()> {
    let template = Template::parse("template", text)?;
    for (place, payload) in payloads.iter().enumerate() {
        let row: Map<String, Value> = serde_json::from_slice(payload).unwrap_or_default();
        if let Some(name) = template.variables().iter().find(|name| !row.contains_key(*name)) {
            let allowed = format!("an object with '{name}', which the template shows");
            let value = format!("without '{name}'");
            return Err(Problem::field(&format!("tasks[{place}]"), value, &allowed));
        }
    }
    Ok(())
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
        said.template.as_deref().map_or(Ok(()), |text| check_template(text, &payloads))?;
        let (chunks, template) = (payload::chunks(&payloads), said.template);
        (Submission { spec, name: said.name, by: by.id, chunks, staged: None, template }, request.by(&by)?)
    };
    super::clients::check(&server, submission.spec.tenant, submission.spec.client).await?;
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
