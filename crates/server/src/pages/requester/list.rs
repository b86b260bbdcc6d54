//! The list of jobs, the latest first, with how far they are; live.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};
use muster_engine::ids::{JobId, TenantId};
use serde::Deserialize;

use super::super::live::{self, Fragments};
use super::super::parts::{self, Column};
use super::super::session::Visitor;
use super::super::{Page, layout};
use super::progress::{bar, state};
use super::{PLACE, may_submit, tenants};
use crate::http::Server;
use crate::http::extract::Query;
use crate::http::jobs::{Job, told};
use crate::jobs;
use crate::problem::Answer;

/// The pages.
pub(super) fn router() -> Router<Server> {
    Router::new().route("/jobs", get(show)).route("/live/jobs", get(watch))
}

/// So many jobs stand on a page.
const JOBS_MOST: usize = 50;

/// Which jobs.
#[derive(Clone, Debug, Default, Deserialize)]
struct Which {
    /// Of this tenant only.
    tenant: Option<String>,
    /// Only those with a smaller number.
    before: Option<u64>,
    /// The latest job that the page shows, for what is live.
    top: Option<u64>,
}

/// A page of jobs.
struct Found {
    jobs: Vec<Job>,
    /// Whether there are older ones.
    more: bool,
}

async fn find(server: &Server, tenants: Vec<TenantId>, before: Option<u64>) -> Answer<Found> {
    let before = before.map_or(JobId(u64::MAX), JobId);
    let mut found = server.read(move |reader| jobs::latest(reader, &tenants, before, JOBS_MOST + 1)).await?;
    let more = found.len() > JOBS_MOST;
    found.truncate(JOBS_MOST);
    Ok(Found { jobs: told(server, found).await?, more })
}

/// The tenants that are asked about, and all that could be.
type Asked = (Vec<TenantId>, Vec<(TenantId, String)>);

fn asked(server: &Server, visitor: &Visitor, which: &Which) -> Answer<Asked> {
    let all = tenants(server, visitor)?;
    let only = which.tenant.as_deref().filter(|word| !word.is_empty());
    let only = only
        .map(|word| crate::http::jobs::tenant_of(visitor, &server.directory(), Some(word)))
        .transpose()?;
    let wanted = only.map_or_else(|| all.iter().map(|(id, _)| *id).collect(), |id| vec![id]);
    Ok((wanted, all))
}

async fn show(State(server): State<Server>, visitor: Visitor, Query(which): Query<Which>) -> Page {
    let (wanted, all) = asked(&server, &visitor, &which)?;
    let found = find(&server, wanted, which.before).await?;
    let many = all.len() > 1;
    let body = html! {
        div .heading {
            h1 { "Jobs" }
            @if may_submit(&visitor) { a .button.main href=(new_address(&which)) { "New job" } }
        }
        @if many { (filter(&which, &all)) }
        @if found.jobs.is_empty() { (nothing(&visitor, &which)) }
        @else {
            div .titled data-live=(live_address(&which, &found)) {
                p #jobs-news {}
                (parts::table("Jobs, the latest first", &columns(many), found.jobs.iter().map(|job| row(job, many, &server))))
            }
            (turning(&which, &found))
        }
    };
    Ok(layout::page(Some(&visitor), "Jobs", PLACE, &body).into_response())
}

fn new_address(which: &Which) -> String {
    let tenant = which.tenant.as_deref().filter(|word| !word.is_empty());
    tenant.map_or_else(
        || "/jobs/new".to_owned(),
        |word| format!("/jobs/new?tenant={}", super::super::form::encoded(word)),
    )
}

fn address(path: &str, which: &Which, more: &[(&str, u64)]) -> String {
    let mut pairs: Vec<(&str, String)> = more.iter().map(|(name, n)| (*name, n.to_string())).collect();
    pairs.extend(which.tenant.as_ref().filter(|word| !word.is_empty()).map(|word| ("tenant", word.clone())));
    let query: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{name}={}", super::super::form::encoded(value))).collect();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{}", query.join("&")) }
}

fn live_address(which: &Which, found: &Found) -> String {
    let top = found.jobs.first().map(|job| ("top", job.job));
    let before = which.before.map(|before| ("before", before));
    address("/live/jobs", which, &top.into_iter().chain(before).collect::<Vec<_>>())
}

fn filter(which: &Which, all: &[(TenantId, String)]) -> Markup {
    let chosen = which.tenant.as_deref().unwrap_or_default();
    html! {
        form .filter method="get" action="/jobs" {
            label for="f-tenant" { "Tenant" }
            select #f-tenant name="tenant" {
                option value="" { "All tenants" }
                @for (_, name) in all { option value=(name) selected[name == chosen] { (name) } }
            }
            button { "Show" }
        }
    }
}

fn nothing(visitor: &Visitor, which: &Which) -> Markup {
    if which.before.is_some() {
        return parts::empty("There are no older jobs.", html! { a href="/jobs" { "Go to the latest" } });
    }
    let next = html! {
        @if may_submit(visitor) { "Upload a file of tasks, as CSV or JSONL: " a href=(new_address(which)) { "make a new job" } "." }
        @else { "This token may look only. Jobs appear here when their tenant submits them." }
    };
    parts::empty("There are no jobs yet.", next)
}

fn turning(which: &Which, found: &Found) -> Markup {
    let last = found.jobs.last().filter(|_| found.more);
    html! {
        nav .row aria-label="Older and newer jobs" {
            @if which.before.is_some() { a href=(address("/jobs", which, &[])) { "Latest jobs" } }
            @if let Some(last) = last { a href=(address("/jobs", which, &[("before", last.job)])) { "Older jobs" } }
        }
    }
}

fn columns(many: bool) -> Vec<Column> {
    let tenant = many.then_some(Column::text("Tenant"));
    let first = [Column::text("Job")].into_iter().chain(tenant);
    let rest = [
        Column::text("State"),
        Column::text("Progress"),
        Column::number("Tasks done"),
        Column::number("In hand"),
        Column::number("Cost so far"),
        Column::text("Submitted"),
    ];
    first.chain(rest).collect()
}

/// What a job is called on pages.
pub(super) fn title(job: &Job) -> String {
    if job.name.is_empty() { format!("Job {}", job.job) } else { job.name.clone() }
}

fn cells(job: &Job) -> [(&'static str, Markup); 5] {
    [
        ("state", state(job.stage)),
        ("bar", bar(u64::from(job.done), u64::from(job.tasks), "Tasks done")),
        ("done", html! { (parts::count(job.done)) " of " (parts::count(job.tasks)) }),
        ("hand", html! { (parts::count(job.leased)) }),
        ("cost", html! { (parts::money(job.spent.0)) }),
    ]
}

fn row(job: &Job, many: bool, server: &Server) -> Vec<Markup> {
    let now = server.keeper.shared.clock.now();
    let name = html! { a href=(format!("/jobs/{}", job.job)) { (title(job)) } };
    let tenant = many.then(|| html! { (job.tenant) });
    let cell =
        |(what, markup): (&str, Markup)| html! { span id=(format!("j{}-{what}", job.job)) { (markup) } };
    let submitted = parts::ago(job.submitted.0, now);
    std::iter::once(name).chain(tenant).chain(cells(job).map(cell)).chain([submitted]).collect()
}

async fn watch(
    State(server): State<Server>,
    visitor: Visitor,
    Query(which): Query<Which>,
) -> Result<Response, crate::problem::Problem> {
    let (wanted, _) = asked(&server, &visitor, &which)?;
    let (before, top) = (which.before, which.top);
    let name = format!("jobs of {wanted:?} before {before:?} from {top:?}");
    let compute = move |server: Server| {
        let wanted = wanted.clone();
        async move {
            let found = find(&server, wanted, before).await?;
            let news = found
                .jobs
                .iter()
                .filter(|job| before.is_none() && top.is_some_and(|top| job.job > top))
                .count();
            let mut fragments = Fragments::default().with("jobs-news", news_of(news));
            for job in &found.jobs {
                for (what, markup) in cells(job) {
                    fragments = fragments.with(format!("j{}-{what}", job.job), markup);
                }
            }
            Ok(fragments)
        }
    };
    Ok(live::stream(&server, visitor, &name, compute))
}

fn news_of(n: usize) -> Markup {
    match n {
        0 => html! {},
        1 => html! { "1 new job: " a href="" { "show it" } },
        n => html! { (n) " new jobs: " a href="" { "show them" } },
    }
}
