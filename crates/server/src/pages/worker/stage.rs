//! The stage: what a worker has before them now. Looked up in the keeper's thread, shown as a part of the page.
//!
//! Each stage has a key. The script replaces what is shown only if the key differs, so nothing that somebody types is lost.

use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use muster_engine::Span;
use muster_engine::ids::{AppId, WorkerId};
use muster_engine::money::Money;
use muster_engine::spec::Role;
use muster_engine::state::worker::Standing;
use serde_json::{Value, json};

use super::super::form::hidden;
use super::super::parts;
use super::super::session::Visitor;
use super::place;
use super::task::{self, Filled, Work};
use crate::directory::Directory;
use crate::http::Server;
use crate::http::extract::{By, Json};
use crate::http::ledger::{self, Purpose};
use crate::http::work::payload;
use crate::keeper::group::{Held, held};
use crate::keeper::turn::Look;
use crate::problem::Answer;

/// What can be seen of a worker at a glance.
#[derive(Clone, Debug)]
pub struct Glance {
    /// Its number.
    pub worker: WorkerId,
    /// The pool's name.
    pub pool: String,
    /// Earned by answers.
    pub earned: Money,
    /// Paid for waiting and learning.
    pub wages: Money,
    /// Not paid yet, for waiting and learning.
    pub owed: Money,
    /// By the hour, as it stands now.
    pub rate: Money,
    /// By the hour of waiting.
    pub wage_waiting: Money,
    /// By the hour of learning.
    pub wage_training: Money,
    /// Whether it has ever had a task or learned something.
    pub has_begun: bool,
    /// Whether what is in hand is the last: the worker goes when it is done.
    pub is_last: bool,
    /// How often somebody wants a sign of life, if somebody does.
    pub silence_most: Option<Span>,
}

/// What a worker has before them.
#[derive(Clone, Debug)]
pub enum Stage {
    /// Has not asked, or takes a break.
    Ready,
    /// Waits for a task.
    Waiting,
    /// Is to learn this app.
    Learning(AppId, String, String),
    /// Has a task.
    Task(Box<Work>),
    /// Is no longer there.
    Gone,
}

impl Stage {
    /// Differs when something else is to be shown.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Ready => "ready".to_owned(),
            Self::Waiting => "waiting".to_owned(),
            Self::Learning(app, ..) => format!("learning-{}", app.0),
            Self::Task(work) => format!("task-{}", work.held.token.0),
            Self::Gone => "gone".to_owned(),
        }
    }

    /// For the browser's tab.
    #[must_use]
    pub fn title(&self) -> &'static str {
        match self {
            Self::Ready => "Ready",
            Self::Waiting => "Waiting",
            Self::Learning(..) => "Something to learn",
            Self::Task(_) => "A task",
            Self::Gone => "You have left the pool",
        }
    }
}

enum Seen {
    Ready,
    Waiting,
    Learning(AppId),
    Held(Held),
    Gone,
}

fn glance(look: &Look<'_>, by: &By, id: WorkerId) -> Option<(Glance, Seen)> {
    let worker = look.state().worker(id).filter(|_| look.may_act_for(by, id))?;
    let (wage_waiting, wage_training) = match look.state().kind(worker.kind).map(|kind| kind.role) {
        Some(Role::Person { wage_waiting, wage_training }) => (wage_waiting, wage_training),
        _ => (Money::ZERO, Money::ZERO),
    };
    let rate = match worker.standing {
        Standing::Idle => wage_waiting,
        Standing::Training => wage_training,
        _ => Money::ZERO,
    };
    let presence = look.state().pool(worker.pool).and_then(|pool| pool.spec.presence);
    let heartbeat = worker.lease.as_ref().and_then(|lease| lease.heartbeat);
    let glance = Glance {
        worker: id,
        pool: look.desk.directory.pools.name(worker.pool.0).to_owned(),
        earned: worker.earned,
        wages: worker.wages,
        owed: look.state().owed_at(worker, look.now).total(),
        rate,
        wage_waiting,
        wage_training,
        has_begun: worker.last_job.is_some() || !worker.earned.is_zero() || !worker.wages.is_zero(),
        is_last: worker.standing == Standing::Draining,
        silence_most: presence.into_iter().chain(heartbeat).min(),
    };
    let seen = match (worker.standing, held(look.state(), id), worker.learning) {
        (_, Some(held), _) => Seen::Held(held),
        (Standing::Training, _, Some(app)) => Seen::Learning(app),
        (Standing::Idle, ..) => Seen::Waiting,
        (Standing::Gone, ..) => Seen::Gone,
        _ => Seen::Ready,
    };
    Some((glance, seen))
}

/// What a worker of the caller's has before them; one that is gone has nothing.
pub async fn find(server: &Server, by: &By, worker: WorkerId) -> Answer<(Glance, Stage)> {
    let asked = by.clone();
    let found = server.look(move |look| Ok(glance(look, &asked, worker))).await?;
    let Some((glance, seen)) = found else {
        return Ok((gone_at(server, by, worker).await?, Stage::Gone));
    };
    let names = server.directory();
    let stage = match seen {
        Seen::Ready => Stage::Ready,
        Seen::Waiting => Stage::Waiting,
        Seen::Gone => Stage::Gone,
        Seen::Learning(app) => {
            Stage::Learning(app, names.apps.name(app.0).to_owned(), instructions(&names, app))
        }
        Seen::Held(held) => {
            let payload = payload(server, held.task).await?;
            let now = server.keeper.shared.clock.now();
            let job = held.task.job;
            let own = server.read(move |reader| crate::jobs::template(reader, job)).await?;
            Stage::Task(Box::new(Work::new(held, own.as_deref(), &names, payload.get(), now)))
        }
    };
    Ok((glance, stage))
}

/// Of one who is gone, what was paid can be seen.
async fn gone_at(server: &Server, by: &By, worker: WorkerId) -> Answer<Glance> {
    let lines = ledger::earned(server, by, worker, None).await?.lines;
    let sum = |is_answer: bool| {
        let lines = lines.iter().filter(|line| (line.what == Purpose::Answer) == is_answer);
        lines.fold(Money::ZERO, |sum, line| sum + line.amount.0)
    };
    Ok(Glance {
        worker,
        pool: String::new(),
        earned: sum(true),
        wages: sum(false),
        owed: Money::ZERO,
        rate: Money::ZERO,
        wage_waiting: Money::ZERO,
        wage_training: Money::ZERO,
        has_begun: true,
        is_last: false,
        silence_most: None,
    })
}

/// What workers are told about an app.
pub(super) fn instructions(names: &Directory, app: AppId) -> String {
    names.apps.get(app.0).map(|app| app.instructions.to_string()).unwrap_or_default()
}

/// What is shown of a stage.
#[must_use]
pub fn markup(visitor: &Visitor, glance: &Glance, stage: &Stage, filled: &Filled) -> Markup {
    match stage {
        Stage::Ready => ready(visitor, glance),
        Stage::Waiting => waiting(visitor, glance),
        Stage::Learning(_, name, text) => learning(visitor, glance, name, text),
        Stage::Task(work) => html! {
            @if glance.is_last { p .notice { "This is your last task here: fewer people are needed now." } }
            (task::markup(visitor, glance.worker, work, filled))
        },
        Stage::Gone => gone(glance.worker),
    }
}

/// A form that is one act of the worker.
fn act(visitor: &Visitor, worker: WorkerId, what: &str, label: &str, class: &str) -> Markup {
    html! {
        form .inline method="post" action={ "/work/" (worker.0) "/" (what) } data-act {
            (hidden(visitor))
            button class=(class) { (label) }
        }
    }
}

fn ready(visitor: &Visitor, glance: &Glance) -> Markup {
    let (title, label) =
        if glance.has_begun { ("You are taking a break", "Go on") } else { ("You are in", "Start") };
    html! {
        h1 tabindex="-1" { (title) }
        p .lead { "Tasks come to this page. Keep it open; other windows may lie over it." }
        @if !glance.wage_waiting.is_zero() {
            p { "While you wait for a task you earn " strong { (parts::money(glance.wage_waiting)) } " an hour." }
        }
        div .row { (act(visitor, glance.worker, "ask", label, "main")) }
    }
}

fn waiting(visitor: &Visitor, glance: &Glance) -> Markup {
    html! {
        h1 tabindex="-1" { "Waiting for a task" }
        p .lead {
            @if glance.wage_waiting.is_zero() { "A task will come to this page." }
            @else { "You earn " strong { (parts::money(glance.wage_waiting)) } " an hour until one comes." }
        }
        p .soft { "This window's title changes when a task is there." }
        div .row { (act(visitor, glance.worker, "pause", "Take a break", "")) }
    }
}

/// Text as people wrote it: paragraphs, and lines within them.
pub(super) fn prose(text: &str) -> Markup {
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    html! { @for paragraph in paragraphs { p .prose { (paragraph) } } }
}

fn learning(visitor: &Visitor, glance: &Glance, name: &str, text: &str) -> Markup {
    html! {
        h1 tabindex="-1" { "New to you: " (name) }
        @if !glance.wage_training.is_zero() {
            p .soft { "You earn " (parts::money(glance.wage_training)) " an hour while you read." }
        }
        div .panel {
            @if text.trim().is_empty() { p { "There are no instructions for these tasks. Each says what is wanted." } }
            @else { (prose(text)) }
        }
        div .row {
            (act(visitor, glance.worker, "trained", "I have read this", "main"))
            (act(visitor, glance.worker, "pause", "Take a break", ""))
        }
    }
}

fn gone(worker: WorkerId) -> Markup {
    html! {
        h1 tabindex="-1" { "You have left the pool" }
        p .lead { "Thank you for your work. " a href={ "/work/" (worker.0) "/earned" } { "What you earned" } " stays here for you." }
        p { "To come back, open a join link again." }
    }
}

/// The stage and the pay, for the script.
pub(super) async fn told(
    server: &Server,
    visitor: &Visitor,
    worker: WorkerId,
    filled: &Filled,
) -> Answer<(Value, Glance)> {
    let (glance, stage) = find(server, &visitor.by(), worker).await?;
    let told = json!({
        "key": stage.key(),
        "title": stage.title(),
        "stage": markup(visitor, &glance, &stage, filled).into_string(),
        "pay": place::pay(&glance, worker).into_string(),
    });
    Ok((told, glance))
}

/// The stage, with what came of an act, as a reply to the script.
pub(super) async fn reply(
    server: &Server,
    visitor: &Visitor,
    worker: WorkerId,
    filled: &Filled,
    said: Option<Value>,
) -> Answer<Response> {
    let (mut told, _) = told(server, visitor, worker, filled).await?;
    told["said"] = said.unwrap_or_default();
    Ok(Json(told).into_response())
}
