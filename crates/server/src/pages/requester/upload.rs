//! The first step of a new job: which app, and a file of tasks. The file is read as it comes and kept whole as a draft, or not at
//! all: then every problem is shown with its row.

use axum::Router;
use axum::extract::multipart::{Field, Multipart};
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use bytes::Bytes;
use maud::{Markup, html};
use muster_engine::ids::{AppId, TenantId};
use serde::Deserialize;

use super::super::form;
use super::super::parts::{self, Column};
use super::super::session::Visitor;
use super::super::{Failed, Page, layout};
use super::{PLACE, tenants};
use crate::drafts::{self, Always, Draft};
use crate::http::Server;
use crate::http::extract::Query;
use crate::http::uploads::{self, Coming, broke_off};
use crate::problem::{Answer, Problem};
use crate::staging::Stage;

/// The pages. Uploads have a limit of their own, and are never held in memory.
pub(super) fn router() -> Router<Server> {
    Router::new().route("/jobs/new", get(show).post(take)).layer(DefaultBodyLimit::disable())
}

/// A field of the form other than the file may have so many bytes.
const FIELD_MOST: usize = 1000;

/// What the form says beside the file.
#[derive(Clone, Debug, Default, Deserialize)]
struct Said {
    #[serde(default)]
    tenant: String,
    #[serde(default)]
    app: String,
    #[serde(default)]
    name: String,
    #[serde(skip)]
    csrf: String,
}

impl Said {
    fn put(&mut self, name: &str, value: String) {
        match name {
            "tenant" => self.tenant = value,
            "app" => self.app = value,
            "name" => self.name = value,
            "csrf" => self.csrf = value,
            // A field that nobody asked for changes nothing.
            _ => {}
        }
    }
}

async fn show(State(server): State<Server>, visitor: Visitor, Query(said): Query<Said>) -> Page {
    Ok(page(&server, &visitor, &said, None).await?.into_response())
}

async fn page(server: &Server, visitor: &Visitor, said: &Said, problem: Option<&Problem>) -> Answer<Markup> {
    let mut own = tenants(server, visitor)?;
    own.retain(|(id, _)| visitor.may_submit(*id));
    if own.is_empty() && !visitor.is_admin() {
        return Err(Problem::forbidden("submit jobs"));
    }
    let apps: Vec<String> = server.directory().apps.iter().map(|(_, app)| app.name.clone()).collect();
    let waiting = {
        let ids: Vec<TenantId> = own.iter().map(|(id, _)| *id).collect();
        server.read(move |reader| drafts::list(reader, |draft| ids.contains(&draft.tenant))).await?
    };
    let body = html! {
        p .crumbs { a href="/jobs" { "Jobs" } }
        h1 { "New job" }
        @if let Some(problem) = problem { (refused(problem)) }
        @if own.is_empty() || apps.is_empty() { (nothing(own.is_empty())) }
        @else { (upload_form(visitor, said, &own, &apps)) }
        @if !waiting.is_empty() { (waiting_of(&waiting, server)) }
    };
    Ok(layout::page(Some(visitor), "New job", PLACE, &body))
}

fn nothing(no_tenant: bool) -> Markup {
    let what = if no_tenant { "There is no tenant yet." } else { "There is no app yet." };
    parts::empty(what, "A job is of a tenant and an app. An admin makes both on the operations pages.")
}

fn upload_form(visitor: &Visitor, said: &Said, own: &[(TenantId, String)], apps: &[String]) -> Markup {
    let pair = |name: &String| (name.clone(), name.clone());
    let tenant = parts::Field::new("tenant", "Tenant")
        .choice(own.iter().map(|(_, name)| pair(name)))
        .value(&said.tenant);
    let app = parts::Field::new("app", "App")
        .hint("What sort of tasks these are. It decides what workers see and which pool serves them.")
        .choice(apps.iter().map(pair))
        .value(&said.app);
    let name = parts::Field::new("name", "Name of the job")
        .hint("Optional. You will know it by this name.")
        .value(&said.name);
    html! {
        form #upload .narrow method="post" action="/jobs/new" enctype="multipart/form-data" {
            (form::hidden(visitor))
            @if own.len() > 1 { (tenant) } @else { input type="hidden" name="tenant" value=(own[0].1); }
            (app)
            (name)
            div .field {
                label for="f-file" { "File of tasks" }
                p .hint #h-file {
                    "CSV (UTF-8, a header, commas; a task per row) or JSONL (an object per line). Columns called Input.x are known. "
                    "Nothing is submitted yet: you see the rows first."
                }
                input #f-file type="file" name="file" required accept=".csv,.jsonl,.ndjson,text/csv,application/jsonl" aria-describedby="h-file";
            }
            (parts::submit("Upload and look at the rows"))
        }
    }
}

fn waiting_of(waiting: &[(u64, Draft)], server: &Server) -> Markup {
    let columns =
        [Column::text("File"), Column::text("App"), Column::number("Tasks"), Column::text("Uploaded")];
    let (directory, now) = (server.directory(), server.keeper.shared.clock.now());
    let row = |(upload, draft): &(u64, Draft)| {
        vec![
            html! { a href=(address(*upload)) { (if draft.name.is_empty() { &draft.file } else { &draft.name }) } },
            html! { (directory.apps.name(draft.app.0)) },
            html! { (parts::count(draft.tasks)) },
            parts::ago(draft.made, now),
        ]
    };
    html! {
        h2 { "Not submitted yet" }
        p .soft { "These uploads wait for you. They are deleted after " (parts::span(drafts::KEPT)) "." }
        (parts::table("Uploads that are not submitted yet", &columns, waiting.iter().map(row)))
    }
}

/// Where the second step of a draft is.
pub(super) fn address(upload: u64) -> String {
    format!("/jobs/new/{upload:016x}")
}

/// Every problem with its place. Nothing was kept.
fn refused(problem: &Problem) -> Markup {
    let text = |of: &serde_json::Value, key: &str| of.get(key).map(super::answers::plain).unwrap_or_default();
    let all =
        problem.problems.iter().map(|it| vec![html! { (text(it, "line")) }, html! { (text(it, "message")) }]);
    let n = problem.problems.len();
    html! {
        div #problems .notice.problem role="alert" {
            @if n == 0 { p { strong { "Nothing was submitted. " } (problem.detail) } }
            @else {
                p {
                    strong { "Nothing was submitted: " (n) @if n == 1 { " problem" } @else { " problems" } " in the file." }
                    " Mend it and upload it again."
                    @if n >= PROBLEMS_MOST { " There may be more; reading stopped here." }
                }
                (parts::table("What is wrong with the file", &[Column::number("Line"), Column::text("Problem")], all))
            }
        }
    }
}

/// After so many problems a file is not read on.
const PROBLEMS_MOST: usize = 100;

async fn take(State(server): State<Server>, visitor: Visitor, request: Request) -> Response {
    let mut said = Said::default();
    let problem = match receive(&server, &visitor, request, &mut said).await {
        Ok(upload) => return Redirect::to(&address(upload)).into_response(),
        Err(problem) => problem,
    };
    if matches!(problem.status(), StatusCode::FORBIDDEN) {
        return Failed(problem).into_response();
    }
    match page(&server, &visitor, &said, Some(&problem)).await {
        Ok(page) => (problem.status(), page).into_response(),
        Err(problem) => Failed(problem).into_response(),
    }
}

/// Reads the form: small fields first, then the file, which is staged as it comes.
async fn receive(server: &Server, visitor: &Visitor, request: Request, said: &mut Said) -> Answer<u64> {
    let headers = request.headers().clone();
    form::check_origin(&headers)?;
    let mut fields = Multipart::from_request(request, server)
        .await
        .map_err(|error| Problem::unreadable(error.body_text()))?;
    while let Some(field) = fields.next_field().await.map_err(|error| broke_off(&error))? {
        let name = field.name().unwrap_or_default().to_owned();
        if name == "file" {
            return file(server, visitor, &headers, said, field).await;
        }
        said.put(&name, small(field, &name).await?);
    }
    form::check(visitor, &headers, &said.csrf)?;
    Err(Problem::field("file", "missing", "a CSV or JSONL file"))
}

/// The value of a small field.
async fn small(mut field: Field<'_>, name: &str) -> Answer<String> {
    let mut bytes = Vec::new();
    while let Some(piece) = field.piece().await? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > FIELD_MOST {
            return Err(Problem::field(name, "too long", &format!("at most {FIELD_MOST} bytes")));
        }
    }
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}

impl Coming for Field<'_> {
    async fn piece(&mut self) -> Answer<Option<Bytes>> {
        self.chunk().await.map_err(|error| broke_off(&error))
    }
}

/// What the form is about, if the visitor may submit it.
fn about(server: &Server, visitor: &Visitor, headers: &HeaderMap, said: &Said) -> Answer<(TenantId, AppId)> {
    form::check(visitor, headers, &said.csrf)?;
    let directory = server.directory();
    let tenant = Some(said.tenant.as_str()).filter(|word| !word.is_empty());
    let tenant = crate::http::jobs::tenant_of(visitor, &directory, tenant)?;
    if !visitor.may_submit(tenant) {
        return Err(Problem::forbidden("submit jobs"));
    }
    Ok((tenant, directory.app(&said.app)?))
}

/// Csv or jsonl, by the file's name or else by what the browser says it is.
fn format(name: &str, content_type: &str) -> Answer<&'static str> {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    match (ending.as_str(), content_type) {
        ("csv", _) => Ok("csv"),
        ("jsonl" | "ndjson", _) => Ok("jsonl"),
        (_, "text/csv") => Ok("csv"),
        (_, "application/jsonl" | "application/x-ndjson") => Ok("jsonl"),
        _ => Err(Problem::field(
            "file",
            format!("called '{name}'"),
            "a file whose name ends in .csv or .jsonl",
        )),
    }
}

async fn file(
    server: &Server,
    visitor: &Visitor,
    headers: &HeaderMap,
    said: &Said,
    field: Field<'_>,
) -> Answer<u64> {
    let (tenant, app) = about(server, visitor, headers, said)?;
    let name = field.file_name().unwrap_or_default().to_owned();
    let format = format(&name, field.content_type().unwrap_or_default())?;
    drafts::check_room(server, tenant).await?;
    let reader = uploads::reader_of(format, uploads::limits(server))?;
    let (mut stage, mut always) = (Stage::new(server)?, Always::default());
    let see: uploads::See<'_> = &mut |payload| always.see(payload);
    let (summary, _) = uploads::take(field, reader, &mut stage, server.limits.upload, see).await?;
    let draft = Draft {
        tenant,
        app,
        name: said.name.clone(),
        file: super::answers::cut(&name),
        made: server.keeper.shared.clock.now(),
        tasks: stage.len(),
        always: always.of(&summary.inputs),
        ignored: uploads::ignored(&summary),
        inputs: summary.inputs,
    };
    drafts::keep(server, stage, draft).await
}
