//! The second step of a new job: look at the rows, write what workers see, say what an answer is worth; then submit, or discard.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use maud::Markup;
use muster_engine::ids::JobId;

use super::super::form::{self, Fields, Form};
use super::super::session::Visitor;
use super::super::{Failed, Page, parts};
use super::draft_view::{Shown, page};
use super::upload::address;
use super::wishes::{Meant, Wishes};
use super::{estimate, preview};
use crate::drafts::{self, Draft};
use crate::http::Server;
use crate::http::forecast::{Question, forecast};
use crate::jobs::Submission;
use crate::once::Once;
use crate::problem::{Answer, Problem};

/// The pages.
pub(super) fn router() -> Router<Server> {
    Router::new()
        .route("/jobs/new/{draft}", get(show).post(send))
        .route("/jobs/new/{draft}/estimate", post(work_out))
        .route("/jobs/new/{draft}/discard", post(discard))
        .route("/frame/drafts/{draft}", post(show_row))
}

/// A draft, if the visitor may submit it; others' are as if they were not there.
async fn known(server: &Server, visitor: &Visitor, word: &str) -> Answer<(u64, Draft)> {
    let upload = u64::from_str_radix(word, 16).map_err(|_| drafts::gone())?;
    let found = server.read(move |reader| drafts::find(reader, upload)).await?;
    let found = found.filter(|draft| visitor.may_submit(draft.tenant));
    found.map(|draft| (upload, draft)).ok_or_else(drafts::gone)
}

/// The page that the app gives its workers, if it has one.
fn of_app(server: &Server, draft: &Draft) -> Option<String> {
    let directory = server.directory();
    directory.apps.get(draft.app.0)?.template.as_ref().map(|text| text.replace("\r\n", "\n"))
}

/// What the job's own page is to be: what was written, unless that is the app's or nothing.
fn own_page(server: &Server, draft: &Draft, wishes: &Wishes) -> Option<String> {
    let text = wishes.template.trim();
    let is_app_s = of_app(server, draft).is_some_and(|app| app.trim() == text);
    (!text.is_empty() && !is_app_s).then(|| wishes.template.clone())
}

/// The page that workers will see: the job's own, or the app's.
fn page_for_workers(server: &Server, draft: &Draft, wishes: &Wishes) -> Option<String> {
    own_page(server, draft, wishes).or_else(|| of_app(server, draft))
}

async fn show(State(server): State<Server>, visitor: Visitor, Path(word): Path<String>) -> Page {
    let (upload, draft) = known(&server, &visitor, &word).await?;
    let stem = draft.file.rsplit_once('.').map_or(draft.file.as_str(), |(stem, _)| stem);
    let name = if draft.name.is_empty() { stem } else { &draft.name };
    let wishes = Wishes::new(name, &of_app(&server, &draft).unwrap_or_default());
    Ok(shown(&server, &visitor, upload, &draft, wishes).await?.into_response())
}

/// The page with what was filled in, what is wrong with it, and what it will cost.
async fn shown(
    server: &Server,
    visitor: &Visitor,
    upload: u64,
    draft: &Draft,
    mut wishes: Wishes,
) -> Answer<Markup> {
    let meant = wishes.meant();
    let estimate = match &meant {
        Some(meant) => estimated(server, draft, meant).await?,
        None => parts::problem("Mend the fields that are marked to see what the job will cost."),
    };
    let problems = match page_for_workers(server, draft, &wishes) {
        Some(text) => preview::problems(server, upload, draft, &text).await?,
        None => Vec::new(),
    };
    let form = match of_app(server, draft) {
        Some(_) => None,
        None => Some(as_form(server, upload, draft, &wishes).await?),
    };
    let rows =
        server.read(move |reader| drafts::rows(reader, upload, 0, super::draft_view::ROWS_SHOWN)).await?;
    let directory = server.directory();
    Ok(page(&Shown {
        visitor,
        upload,
        draft,
        wishes: &wishes,
        problems: &problems,
        estimate: &estimate,
        form: form.as_ref(),
        rows: &rows,
        tenant: directory.tenants.name(draft.tenant.0),
        app: directory.apps.get(draft.app.0),
    }))
}

/// A row with the app's form, which workers get where there is no page.
async fn as_form(server: &Server, upload: u64, draft: &Draft, wishes: &Wishes) -> Answer<Markup> {
    let place = wishes.place().min(draft.tasks.saturating_sub(1));
    let found = server.read(move |reader| drafts::rows(reader, upload, place, 1)).await?;
    let row = serde_json::Value::Object(found.into_iter().next().unwrap_or_default()).to_string();
    let directory = server.directory();
    let form = directory.apps.get(draft.app.0).and_then(|app| app.form.as_deref());
    Ok(super::super::worker::task::preview(form, &row))
}

async fn estimated(server: &Server, draft: &Draft, meant: &Meant) -> Answer<Markup> {
    let asked = Question {
        tenant: draft.tenant,
        app: draft.app,
        tasks: draft.tasks,
        slots: meant.slots,
        price: meant.price,
        budget: meant.budget,
    };
    let found = server.look(move |look| Ok((forecast(look, &asked), look.now))).await?;
    Ok(match found {
        (Ok(forecast), now) => estimate::view(&forecast, meant, now),
        (Err(problem), _) => parts::problem(&problem.detail),
    })
}

/// The estimate alone, while the fields are filled in.
async fn work_out(State(server): State<Server>, Path(word): Path<String>, form: Form<Fields>) -> Page {
    let (_, draft) = known(&server, &form.visitor, &word).await?;
    let mut wishes = Wishes::of(&form.fields);
    let markup = match wishes.meant() {
        Some(meant) => estimated(&server, &draft, &meant).await?,
        None => maud::html! { @for (_, wrong) in &wishes.wrong { (parts::problem(wrong)) } },
    };
    Ok(markup.into_response())
}

/// A row as workers will see it.
async fn show_row(State(server): State<Server>, Path(word): Path<String>, form: Form<Fields>) -> Page {
    let (upload, draft) = known(&server, &form.visitor, &word).await?;
    let wishes = Wishes::of(&form.fields);
    let text = page_for_workers(&server, &draft, &wishes);
    let text =
        text.ok_or_else(|| Problem::field("page", "empty", "HTML; without it workers get the app's form"))?;
    Ok(preview::document(&server, upload, &text, wishes.place()).await?)
}

async fn send(State(server): State<Server>, Path(word): Path<String>, form: Form<Fields>) -> Response {
    let (upload, draft) = match known(&server, &form.visitor, &word).await {
        Ok(found) => found,
        Err(problem) => return Failed(problem).into_response(),
    };
    let mut wishes = Wishes::of(&form.fields);
    let is_check = form.fields.get("act") == "check";
    if !is_check {
        match submit(&server, &form, upload, &draft, &mut wishes).await {
            Ok(Some(job)) => {
                let said = format!("The job is submitted with {} tasks.", parts::count(draft.tasks));
                return form::done(&format!("/jobs/{}", job.0), &said);
            }
            Ok(None) => {}
            Err(problem) => wishes.blame(&problem),
        }
    }
    match shown(&server, &form.visitor, upload, &draft, wishes).await {
        Ok(page) if is_check => page.into_response(),
        Ok(page) => (StatusCode::UNPROCESSABLE_ENTITY, page).into_response(),
        Err(problem) => Failed(problem).into_response(),
    }
}

/// Submits as the API does; `None` if something is wrong that the page shows.
async fn submit(
    server: &Server,
    form: &Form<Fields>,
    upload: u64,
    draft: &Draft,
    wishes: &mut Wishes,
) -> Answer<Option<JobId>> {
    let Some(meant) = wishes.meant() else { return Ok(None) };
    if let Some(text) = page_for_workers(server, draft, wishes)
        && !preview::problems(server, upload, draft, &text).await?.is_empty()
    {
        return Ok(None);
    }
    let directory = server.directory();
    let about = meant.about(directory.tenants.name(draft.tenant.0), draft.app.0);
    let spec = about.spec(draft.tenant, &directory, draft.tasks)?;
    let template = own_page(server, draft, wishes);
    let submission = Submission {
        spec,
        name: about.name,
        by: form.visitor.id,
        chunks: Vec::new(),
        staged: Some(upload),
        template,
    };
    let key = format!("draft {upload:016x}");
    let once = Once::new(&form.visitor, &key, &address(upload), format!("{:?}", form.fields).as_bytes())?;
    drafts::submit(server, upload, submission, once).await.map(Some)
}

async fn discard(State(server): State<Server>, Path(word): Path<String>, form: Form<Fields>) -> Page {
    let (upload, _) = known(&server, &form.visitor, &word).await?;
    drafts::discard(&server, upload).await?;
    Ok(form::done("/jobs/new", "The upload is discarded. Nothing of it was submitted."))
}
