//! A job while it is worked on: progress, estimated finish, cost, answers as they come, agreement, downloads, cancel; live.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use muster_engine::Time;
use muster_engine::ids::JobId;
use serde::Deserialize;

use super::super::form::{self, Fields, Form};
use super::super::live::{self, Fragments};
use super::super::parts::{self, Column, Tile};
use super::super::session::Visitor;
use super::super::{Page, layout};
use super::agreement::Counted;
use super::list::title;
use super::progress::{bar, state, when};
use super::{PLACE, agreement, answers, change, download};
use crate::http::Server;
use crate::http::extract::{By, Query, Word};
use crate::http::jobs::{self, Job, Stage};
use crate::http::progress::{Progress, progress};
use crate::http::results::JobAgreement;
use crate::http::skips::{Skip, skipped};
use crate::problem::{Answer, Problem};

/// The pages.
pub(super) fn router() -> Router<Server> {
    Router::new()
        .route("/jobs/{job}", get(show))
        .route("/jobs/{job}/cancel", post(cancel))
        .route("/live/jobs/{job}", get(watch))
}

/// Agreement is counted again with every answer up to so many answers ...
const LIVE_MOST: u64 = 5_000;
/// ... and when the page is asked for up to so many; beyond that only if it is wished.
const AT_ONCE_MOST: u64 = 100_000;

/// What a job's page shows.
struct Shown {
    job: Job,
    progress: Progress,
    answers: Vec<answers::Row>,
    /// Absent if there are too many answers to count them unasked.
    agreement: Option<JobAgreement>,
    now: Time,
}

async fn look(server: &Server, by: &By, word: &Word, most: u64, counted: &Counted) -> Answer<Shown> {
    let job = jobs::job(server, by, word).await?;
    let progress = progress(server, by, word).await?;
    let id = JobId(job.job);
    let answers = answers::latest(server, id).await?;
    let agreement = match progress.answered {
        answered if answered <= most => Some(counted.agreement(server, id, answered).await?),
        _ => None,
    };
    Ok(Shown { job, progress, answers, agreement, now: server.keeper.shared.clock.now() })
}

/// What is wished beside the page.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Wish {
    /// Whether agreement is counted however many answers there are.
    agreement: Option<u8>,
}

async fn show(State(server): State<Server>, visitor: Visitor, word: Word, Query(wish): Query<Wish>) -> Page {
    let most = if wish.agreement.is_some() { u64::MAX } else { AT_ONCE_MOST };
    let shown = look(&server, &visitor.by(), &word, most, &Counted::default()).await?;
    let (job, name) = (&shown.job, title(&shown.job));
    let skips = skipped(&server, &visitor.by(), &word, 0).await?.skips;
    let may_change = {
        let tenant = server.directory().tenant(&job.tenant)?;
        visitor.may_submit(tenant) && job.stage == Stage::Open
    };
    let body = html! {
        div data-live=[(job.stage == Stage::Open).then(|| format!("/live/jobs/{}", job.job))] {
            p .crumbs { a href="/jobs" { "Jobs" } }
            div .heading {
                h1 { (name) " " span #job-state { (state(job.stage)) } }
                @if may_change { (cancel_button(&visitor, &shown)) }
            }
            p .soft { (about(&shown)) }
            div #job-notice { (notice(&shown)) }
            (parts::tiles(&tiles(&shown)))
            h2 { "The latest answers" }
            div .titled.answers { (answers_of(&shown)) }
            h2 { "Agreement between workers" }
            div #job-agreement .titled { (agreement_of(&shown)) }
            (downloads(&shown))
            (skips_of(&skips, shown.now))
            @if may_change { (change::view(&visitor, &shown.progress, job.job)) }
        }
    };
    Ok(layout::page(Some(&visitor), &name, PLACE, &body).into_response())
}

fn about(shown: &Shown) -> Markup {
    let job = &shown.job;
    html! {
        "Job " (job.job) " of " (job.tenant) ", submitted " (parts::ago(job.submitted.0, shown.now)) ". "
        (parts::count(job.tasks)) (plural(u64::from(job.tasks), " task", " tasks")) ", "
        (job.slots) (plural(u64::from(job.slots), " answer", " answers")) " each at " (parts::money(job.price.0)) "."
        @if let Some(priority) = shown.progress.priority { " Priority " (priority) "." }
    }
}

/// One of two words.
pub(super) fn plural(n: u64, one: &'static str, many: &'static str) -> &'static str {
    if n == 1 { one } else { many }
}

fn notice(shown: &Shown) -> Markup {
    let waits = "Open tasks of this job wait for money: its budget or the tenant's is used up. \
                 They go on when there is more.";
    if shown.progress.short_of_money {
        parts::problem(waits)
    } else {
        html! {}
    }
}

/// The live figures, by their ids.
fn figures(shown: &Shown) -> [(&'static str, &'static str, Markup); 5] {
    let (job, progress) = (&shown.job, &shown.progress);
    let over = if job.stage == Stage::Open { "Finished, roughly" } else { "Ended" };
    let done = html! {
        (parts::count(progress.tasks_done)) " of " (parts::count(progress.tasks))
        (bar(u64::from(progress.tasks_done), u64::from(progress.tasks), "Tasks done"))
    };
    let cost = html! {
        (parts::money(progress.spent.0))
        @if let Some(budget) = progress.budget { span .m-note.under { "of a budget of " (parts::money(budget.0)) } }
    };
    [
        ("job-done", "Tasks done", done),
        (
            "job-answers",
            "Answers",
            html! { (parts::count(progress.answered)) " of " (parts::count(progress.slots)) },
        ),
        ("job-hand", "In workers' hands", html! { (parts::count(progress.leased)) }),
        ("job-cost", "Cost so far", cost),
        ("job-finish", over, when(progress, job.stage, job.closed.map(|at| at.0), shown.now)),
    ]
}

fn tiles(shown: &Shown) -> Vec<Tile> {
    figures(shown).into_iter().map(|(id, label, value)| Tile::new(label, value).id(id)).collect()
}

fn answers_of(shown: &Shown) -> Markup {
    html! {
        @if shown.answers.is_empty() && shown.job.stage != Stage::Open {
            (parts::empty("No answers", "The job ended before anybody answered."))
        } @else {
            @if shown.answers.is_empty() { p .soft #job-none { "No answers yet. They appear here as they come." } }
            (parts::live_table("job-latest", "The latest answers", &answers::COLUMNS, &answers::rows(&shown.answers, shown.now)))
        }
    }
}

fn agreement_of(shown: &Shown) -> Markup {
    match &shown.agreement {
        Some(agreement) => agreement::view(agreement, shown.job.slots),
        None => html! {
            p {
                a href=(format!("/jobs/{}?agreement=1", shown.job.job)) {
                    "Count the agreement of " (parts::count(shown.progress.answered)) " answers"
                }
                " (it takes a moment)"
            }
        },
    }
}

fn downloads(shown: &Shown) -> Markup {
    html! {
        h2 { "Download" }
        ul .files {
            @for (file, label) in download::FILES {
                li { a href=(format!("/jobs/{}/download/{file}", shown.job.job)) download { (label) } }
            }
        }
        @if shown.job.stage == Stage::Open { p .soft { "What has been answered so far; download again for more." } }
    }
}

/// Why workers skipped tasks, if they said so; the latest first.
fn skips_of(skips: &[Skip], now: Time) -> Markup {
    let row = |skip: &Skip| {
        vec![
            html! { @if skip.whole_job { "the whole job" } @else { (u64::from(skip.task) + 1) } },
            html! { (skip.worker) },
            parts::ago(skip.at.0, now),
            html! { (answers::cut(&skip.reason)) },
        ]
    };
    let latest = skips.iter().rev().take(SKIPS_SHOWN).map(row);
    html! {
        @if !skips.is_empty() {
            h2 { "Skipped by workers" }
            div .titled { (parts::table("Skipped by workers, with their reasons", &SKIP_COLUMNS, latest)) }
        }
    }
}

const SKIPS_SHOWN: usize = 20;
const SKIP_COLUMNS: [Column; 4] =
    [Column::number("Task"), Column::number("Worker"), Column::text("When"), Column::text("Reason")];

fn cancel_button(visitor: &Visitor, shown: &Shown) -> Markup {
    let left = shown.job.tasks - shown.job.done;
    let question = format!(
        "{} {} not done yet. Answers so far stay, and are paid; tasks in workers' hands are taken back. This cannot be undone.",
        parts::count(left),
        plural(u64::from(left), "task is", "tasks are")
    );
    let action = format!("/jobs/{}/cancel", shown.job.job);
    parts::confirm(visitor, &action, "Cancel job…", &question, "Cancel this job", &html! {})
}

async fn cancel(State(server): State<Server>, Path(job): Path<String>, form: Form<Fields>) -> Response {
    let word = Word(job);
    match jobs::end(&server, &form.visitor.by(), &word).await {
        Ok(()) => form::done(
            &format!("/jobs/{}", word.0),
            "The job is cancelled. Answers so far can be downloaded.",
        ),
        Err(problem) => super::super::Failed(problem).into_response(),
    }
}

async fn watch(State(server): State<Server>, visitor: Visitor, word: Word) -> Result<Response, Problem> {
    let by = visitor.by();
    let (tenant, job, _) = jobs::known(&server, &by, &word).await?;
    let (name, counted) = (format!("{job} of {tenant}"), Counted::default());
    let compute = move |server: Server| {
        let (by, word, counted) = (by.clone(), word.clone(), counted.clone());
        async move {
            let shown = look(&server, &by, &word, LIVE_MOST, &counted).await?;
            Ok(fragments(&shown))
        }
    };
    Ok(live::stream(&server, visitor, &name, compute))
}

fn fragments(shown: &Shown) -> Fragments {
    let mut fragments = Fragments::default()
        .with("job-state", state(shown.job.stage))
        .with("job-notice", notice(shown))
        .with("job-latest", answers::rows(&shown.answers, shown.now));
    if !shown.answers.is_empty() {
        fragments = fragments.with("job-none", html! {});
    }
    if shown.agreement.is_some() {
        fragments = fragments.with("job-agreement", agreement_of(shown));
    }
    for (id, _, markup) in figures(shown) {
        fragments = fragments.with(id, markup);
    }
    fragments
}
