//! Uploads: a job out of a CSV or JSONL file, read as it comes, staged, and submitted whole or not at all.
//!
//! A bad row refuses everything, and every problem is named with its line. If the app has a template, its `${variables}` are
//! inputs that every row must have. MTurk's and Turkle's `Input.*` columns are known.

use axum::body::Body;
use axum::extract::{FromRequest, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::BodyExt;
use muster_engine::Span;
use muster_engine::ids::TenantId;
use muster_engine::spec::JobSpec;
use muster_formats::template::Template;
use muster_formats::upload::{Limits, Summary, Upload};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{By, Json, Key, Query};
use super::jobs::tenant_of;
use super::pace::too_slow;
use crate::directory::Directory;
use crate::jobs::{self, Submission};
use crate::once::{self, Once};
use crate::problem::{Answer, Problem};
use crate::staging::Stage;
use crate::wire::Amount;

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(upload))
}

/// What the job is, beside its tasks.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct About {
    /// Whose it is: the token's tenant unless said.
    pub tenant: Option<String>,
    /// What it is called.
    #[serde(default)]
    pub name: String,
    /// The type of its tasks, by name or number.
    pub app: String,
    /// `csv` or `jsonl`; by the content type unless said.
    pub format: Option<String>,
    /// Its share against the tenant's other jobs, 1 unless said.
    pub priority: Option<u32>,
    /// What a person gets for an answer that counts.
    #[serde(default)]
    #[param(value_type = f64)]
    pub price: Amount,
    /// How many answers each task needs, from different workers; 1 unless said.
    pub slots: Option<u8>,
    /// What the whole job may cost.
    #[param(value_type = Option<f64>)]
    pub budget: Option<Amount>,
    /// How long a task takes in seconds, if that is known.
    pub expected: Option<f64>,
}

/// A job that was uploaded.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Uploaded {
    /// Its number.
    pub job: u64,
    /// How many tasks it has.
    pub tasks: u32,
    /// The inputs of its tasks.
    pub inputs: Vec<String>,
    /// Columns that were ignored, and why.
    pub ignored: Vec<String>,
}

impl About {
    /// What the engine is told of a job with so many tasks.
    pub(crate) fn spec(&self, tenant: TenantId, directory: &Directory, tasks: u32) -> Answer<JobSpec> {
        let mut spec = JobSpec::batch(tenant, directory.app(&self.app)?, tasks);
        spec.priority = self.priority.unwrap_or(1);
        spec.price = self.price.0;
        spec.slots = self.slots.unwrap_or(1);
        spec.budget = self.budget.map(|amount| amount.0);
        spec.expected = self.expected.map(expected).transpose()?;
        Ok(spec)
    }

    /// The reader for the file's format, which must have what the app's template shows.
    fn reader(&self, content_type: &str, needs: &[String], limits: Limits) -> Answer<Upload> {
        let by_type = || match content_type.split(';').next().unwrap_or_default().trim() {
            "text/csv" => Some("csv"),
            "application/jsonl" | "application/x-ndjson" | "application/json-lines" => Some("jsonl"),
            _ => None,
        };
        let upload = match self.format.as_deref().or_else(by_type) {
            Some(format) => reader_of(format, limits)?,
            None => {
                let allowed = "text/csv or application/jsonl, or the format in the query";
                return Err(Problem::field("Content-Type", format!("'{content_type}'"), allowed));
            }
        };
        Ok(upload.needing(needs))
    }
}

/// The reader for a format.
pub(crate) fn reader_of(format: &str, limits: Limits) -> Answer<Upload> {
    match format {
        "csv" => Ok(Upload::csv("upload", limits)),
        "jsonl" => Ok(Upload::jsonl("upload", limits)),
        other => Err(Problem::field("format", format!("'{other}'"), "csv or jsonl")),
    }
}

/// How much a file may hold.
pub(crate) fn limits(server: &Server) -> Limits {
    Limits {
        rows_most: u64::from(server.keeper.shared.limits.tasks_per_job),
        row_bytes_most: server.limits.payload,
        ..Limits::default()
    }
}

fn expected(seconds: f64) -> Answer<Span> {
    if (0.0..=1e9).contains(&seconds) {
        return Ok(Span::from_secs_f64(seconds));
    }
    Err(Problem::field("expected", seconds, "0 to 1000000000 seconds"))
}

/// The inputs that an app's template shows.
fn needs(directory: &Directory, app: muster_engine::ids::AppId) -> Answer<Vec<String>> {
    let text = directory.apps.get(app.0).and_then(|app| app.template.as_ref());
    let Some(text) = text else { return Ok(Vec::new()) };
    Ok(Template::parse("template", text)?.variables().to_vec())
}

/// Of an upload that is refused so much more is read and dropped, so that a client who is still sending hears why.
const DROPPED_MOST: usize = 64 << 20;

/// A file that comes piece by piece.
pub(crate) trait Coming {
    /// The next piece; `None` at the end.
    fn piece(&mut self) -> impl Future<Output = Answer<Option<Bytes>>> + Send;
}

/// What is said of a file that does not come to its end.
pub(crate) fn broke_off(error: &dyn std::fmt::Display) -> Problem {
    Problem::unreadable(format!("the upload broke off: {error}"))
}

/// A body as it comes, within the limits.
struct Sent<'a>(Body, &'a super::Limits);

impl Coming for Sent<'_> {
    async fn piece(&mut self) -> Answer<Option<Bytes>> {
        while let Some(frame) = self.0.frame().await {
            let why = |error| too_slow(&error, self.1).unwrap_or_else(|| broke_off(&error));
            if let Ok(piece) = frame.map_err(why)?.into_data() {
                return Ok(Some(piece));
            }
        }
        Ok(None)
    }
}

/// Sees every payload before it is staged.
pub(crate) type See<'a> = &'a mut (dyn FnMut(&[u8]) + Send);

/// Reads a file into the stage; what was wrong with it, or what there was, and its hash.
pub(crate) async fn take(
    mut file: impl Coming,
    upload: Upload,
    stage: &mut Stage,
    most: u64,
    see: See<'_>,
) -> Answer<(Summary, [u8; 32])> {
    let taken = read(&mut file, upload, stage, most, see).await;
    if taken.is_err() {
        let mut left = DROPPED_MOST;
        while let (true, Ok(Some(piece))) = (left > 0, file.piece().await) {
            left = left.saturating_sub(piece.len());
        }
    }
    taken
}

async fn read(
    file: &mut impl Coming,
    mut upload: Upload,
    stage: &mut Stage,
    most: u64,
    see: See<'_>,
) -> Answer<(Summary, [u8; 32])> {
    let (mut digest, mut bytes) = (Sha256::new(), 0_u64);
    while let Some(chunk) = file.piece().await? {
        bytes += chunk.len() as u64;
        if bytes > most {
            let detail = format!("the upload is larger than {most} bytes; send several smaller ones");
            let status = StatusCode::PAYLOAD_TOO_LARGE;
            return Err(Problem::new(status, "too-large", "The body is too large", detail));
        }
        digest.update(&chunk);
        upload.feed(&chunk, &mut |task| {
            see(&task.payload);
            stage.push(task.payload);
        })?;
        stage.relieve().await?;
    }
    let summary = upload.finish(&mut |task| {
        see(&task.payload);
        stage.push(task.payload);
    })?;
    Ok((summary, digest.finalize().into()))
}

/// Submits a job whose tasks are the rows of a CSV file or the lines of a JSONL file; all of them, or none if one is wrong.
#[utoipa::path(post, path = "/api/uploads", tag = "jobs",
    params(About, ("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    request_body(content((String = "text/csv"), (String = "application/jsonl"))),
    responses((status = 201, body = Uploaded), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn upload(
    State(server): State<Server>,
    by: By,
    Query(about): Query<About>,
    incoming: Incoming,
) -> Answer<Response> {
    let directory = server.directory();
    let tenant = tenant_of(&by, &directory, about.tenant.as_deref())?;
    if !by.may_submit(tenant) {
        return Err(Problem::forbidden("submit jobs"));
    }
    // What is wrong with the settings is said before the file is read.
    about.spec(tenant, &directory, 0)?;
    let needs = needs(&directory, directory.app(&about.app)?)?;
    let reader = about.reader(&incoming.content_type, &needs, limits(&server))?;
    let mut stage = Stage::new(&server)?;
    let sent = Sent(incoming.body, &server.limits);
    let (summary, digest) = take(sent, reader, &mut stage, server.limits.upload, &mut |_| ()).await?;
    let once = incoming.key.with(&by, &digest)?;
    let tasks = stage.len();
    let spec = about.spec(tenant, &directory, tasks)?;
    let (chunks, staged) = stage.finish().await?;
    let submission = Submission { spec, name: about.name, by: by.id, chunks, staged, template: None };
    let (uploaded, is_new) = submit(&server, submission, once, tasks, summary).await?;
    if is_new {
        stage.keep();
    }
    let place = [(header::LOCATION, format!("/api/jobs/{}", uploaded.job))];
    Ok((StatusCode::CREATED, place, Json(uploaded)).into_response())
}

/// The columns that were ignored, and why.
pub(crate) fn ignored(summary: &Summary) -> Vec<String> {
    summary.ignored.iter().map(|it| format!("{}: {}", it.column, it.reason)).collect()
}

/// Submits, and says whether that was done just now rather than by an earlier request with the same key.
async fn submit(
    server: &Server,
    submission: Submission,
    once: Option<Once>,
    tasks: u32,
    summary: Summary,
) -> Answer<(Uploaded, bool)> {
    let ignored = ignored(&summary);
    let inputs = summary.inputs;
    server
        .turn(move |turn| {
            once::first(turn, once, |turn| {
                let job = jobs::submit(turn, submission)?;
                Ok(Uploaded { job: job.0, tasks, inputs, ignored })
            })
        })
        .await
}

/// A body that is read as it comes.
pub struct Incoming {
    key: Key,
    content_type: String,
    body: Body,
}

impl FromRequest<Server> for Incoming {
    type Rejection = Problem;

    async fn from_request(request: Request, _server: &Server) -> Answer<Self> {
        let key = Key::of(&request);
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        Ok(Self { key, content_type, body: request.into_body() })
    }
}
