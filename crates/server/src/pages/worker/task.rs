//! A task as its worker sees it: a form made of the app's form, or the template of the job or the app in its frame. Templates are filled
//! in here, and shown only in the frame.

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use maud::{Markup, html};
use muster_engine::Time;
use muster_engine::ids::WorkerId;
use muster_formats::form::{Choice, Field, Form, Kind, Shown, Way};
use serde_json::Value;

use super::super::form::hidden;
use super::super::session::Visitor;
use super::super::{Page, frame, parts};
use super::stage::{self, Stage, instructions, prose};
use crate::directory::Directory;
use crate::http::Server;
use crate::http::tasks;
use crate::keeper::group::Held;
use crate::problem::Problem;
use crate::wire::Moment;

/// The frame's document.
pub fn router() -> Router<Server> {
    Router::new().route("/frame/work/{worker}/{lease}", get(framed))
}

/// Names of fields carry this in front, so that none is taken for one of ours.
pub(super) const PREFIX: &str = "f.";

/// What is to be done, and how it is asked.
#[derive(Clone, Debug)]
pub struct Work {
    /// The lease.
    pub held: Held,
    /// The app's name.
    pub app: String,
    /// What workers are told about it.
    pub instructions: String,
    /// How it is asked.
    pub face: Face,
    /// When this was looked at.
    pub now: Time,
}

/// How a task is asked.
#[derive(Clone, Debug)]
pub enum Face {
    /// The job's template or the app's, filled in.
    Template(String),
    /// A form, and what is shown above it.
    Form(Form, Vec<Shown>),
}

impl Work {
    /// `own` is the job's template, which goes before the app's.
    pub(super) fn new(held: Held, own: Option<&str>, names: &Directory, payload: &str, now: Time) -> Self {
        let app = names.apps.get(held.app.0);
        let template = own.or_else(|| app.and_then(|app| app.template.as_deref()));
        let page = template.and_then(|template| tasks::page(template, payload));
        let asked = || {
            let (form, shown) = asked_by(app.and_then(|app| app.form.as_deref()), payload);
            Face::Form(form, shown)
        };
        let face = page.map_or_else(asked, Face::Template);
        let name = names.apps.name(held.app.0).to_owned();
        Self { held, app: name, instructions: instructions(names, held.app), face, now }
    }
}

/// The app's form, or a plain one.
pub(super) fn form_of(form: Option<&str>) -> Form {
    form.and_then(|text| Form::parse("form", text).ok()).unwrap_or_else(Form::plain)
}

fn asked_by(form: Option<&str>, payload: &str) -> (Form, Vec<Shown>) {
    let form = form_of(form);
    let payload: Value = serde_json::from_str(payload).unwrap_or_default();
    let shown = form.shown(&payload);
    (form, shown)
}

/// A task with the app's form, or a plain one, as it will look; nothing can be filled in.
pub(in crate::pages) fn preview(form: Option<&str>, payload: &str) -> Markup {
    let (form, things) = asked_by(form, payload);
    let (mut keys, filled) = (0, Filled::default());
    let asked: Vec<Markup> = form.fields.iter().map(|field| asked(field, &filled, &mut keys)).collect();
    html! {
        (given_all(&things))
        fieldset disabled { @for field in &asked { (field) } }
    }
}

fn given_all(things: &[Shown]) -> Markup {
    html! { @if !things.is_empty() { div .panel.given { @for thing in things { (given(thing)) } } } }
}

/// What was filled in already, and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Filled {
    /// Values by name.
    pub said: Vec<(String, String)>,
    /// Faults by name.
    pub faults: Vec<(String, String)>,
}

impl Filled {
    fn has(&self, name: &str, value: &str) -> bool {
        self.said.iter().any(|(key, said)| key == name && said == value)
    }

    fn first(&self, name: &str) -> &str {
        self.said.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    fn fault(&self, name: &str) -> Option<&str> {
        self.faults.iter().find(|(key, _)| key == name).map(|(_, why)| why.as_str())
    }
}

async fn framed(
    State(server): State<Server>,
    visitor: Visitor,
    Path((worker, lease)): Path<(u32, u64)>,
) -> Page {
    let (_, stage) = stage::find(&server, &visitor.by(), WorkerId(worker)).await?;
    match stage {
        Stage::Task(work) if work.held.token.0 == lease => match work.face {
            Face::Template(page) => Ok(frame::document(&page)),
            Face::Form(..) => Err(Problem::not_found("template for this task"))?,
        },
        _ => Err(Problem::not_found("such task in these hands"))?,
    }
}

pub(super) fn markup(visitor: &Visitor, worker: WorkerId, work: &Work, filled: &Filled) -> Markup {
    let (held, left) = (&work.held, work.held.deadline.since(work.now));
    let deadline = Moment(held.deadline).to_string();
    html! {
        div .task-head {
            h1 tabindex="-1" { (work.app) }
            p .soft {
                "pays " strong { (parts::money(held.price)) } " · "
                time datetime=(deadline) title=(deadline) data-left=(left.as_secs_f64().floor()) { (parts::span(left)) } " left"
            }
        }
        @if !work.instructions.trim().is_empty() { details { summary { "Instructions" } (prose(&work.instructions)) } }
        @match &work.face {
            Face::Template(_) => (in_frame(visitor, worker, work)),
            Face::Form(form, shown) => (as_form(visitor, worker, work, form, shown, filled)),
        }
        div .row.aside { (skip(visitor, worker, work)) (give_back(visitor, worker, work)) }
    }
}

/// A form that answers; what the task asks goes into it.
fn answering(visitor: &Visitor, worker: WorkerId, work: &Work, fields: &Markup) -> Markup {
    html! {
        form #answer method="post" action={ "/work/" (worker.0) "/answer" } data-act novalidate {
            (hidden(visitor))
            input type="hidden" name="lease" value=(work.held.token.0);
            input type="hidden" name="app" value=(work.held.app.0);
            (fields)
        }
    }
}

fn in_frame(visitor: &Visitor, worker: WorkerId, work: &Work) -> Markup {
    let source = format!("/frame/work/{}/{}", worker.0, work.held.token.0);
    let fields = html! {
        input type="hidden" name="answer";
        noscript { p .notice.problem { "This task needs JavaScript." } }
        div .row #send-row hidden { button .main { "Send" } span .soft.keys { kbd { "Ctrl" } "+" kbd { "Enter" } " send" } }
    };
    html! {
        (frame::element("task", "The task", Some(&source)))
        (answering(visitor, worker, work, &fields))
    }
}

fn as_form(
    visitor: &Visitor,
    worker: WorkerId,
    work: &Work,
    form: &Form,
    things: &[Shown],
    filled: &Filled,
) -> Markup {
    let mut keys = 0;
    let asked: Vec<Markup> = form.fields.iter().map(|field| asked(field, filled, &mut keys)).collect();
    let fields = html! {
        @for field in &asked { (field) }
        div .row {
            button .main { "Send" }
            span .soft.keys {
                @if keys > 0 { kbd { "1" } @if keys > 1 { "…" kbd { (keys.min(9)) } } " choose, " }
                kbd { "Ctrl" } "+" kbd { "Enter" } " send"
            }
        }
    };
    html! {
        (given_all(things))
        (answering(visitor, worker, work, &fields))
    }
}

/// An input of the task, shown.
fn given(thing: &Shown) -> Markup {
    html! {
        @if !thing.label.is_empty() { h2 { (thing.label) } }
        @match thing.way {
            Way::Text => p .prose { @if thing.value.is_empty() { span .soft { "nothing" } } @else { (thing.value) } },
            Way::Image => img src=(thing.value) alt=(if thing.label.is_empty() { "What the task is about" } else { &thing.label }) referrerpolicy="no-referrer";,
            Way::Link => p { a href=(thing.value) target="_blank" rel="noopener noreferrer" { (thing.value) } },
        }
    }
}

/// What is asked. `keys` counts the options that a digit chooses.
fn asked(field: &Field, filled: &Filled, keys: &mut u32) -> Markup {
    let name = format!("{PREFIX}{}", field.name);
    let fault = filled.fault(&field.name);
    let control = parts::Field::new(&name, &field.label).value(filled.first(&field.name)).error(fault);
    let control = if let Some(hint) = &field.hint { control.hint(hint) } else { control };
    let control = if field.is_required { control.required() } else { control };
    match &field.kind {
        Kind::Choice(options) => choices(field, options, "radio", filled, keys),
        Kind::Choices(options) => choices(field, options, "checkbox", filled, keys),
        Kind::Text { lines: 1, .. } => html! { (control) },
        Kind::Text { lines, .. } => html! { (control.area(*lines)) },
        Kind::Number { least, most, step } => {
            let step = step.map_or_else(|| "any".to_owned(), |step| step.to_string());
            html! { (control.number(&step, *least, *most)) }
        }
    }
}

fn choices(field: &Field, options: &[Choice], kind: &str, filled: &Filled, keys: &mut u32) -> Markup {
    let name = format!("{PREFIX}{}", field.name);
    let (fault, told) = (filled.fault(&field.name), format!("e-{name}"));
    html! {
        fieldset .field aria-describedby=[fault.map(|_| &told)] {
            legend { (field.label) }
            @if let Some(hint) = &field.hint { p .hint { (hint) } }
            div .options {
                @for option in options {
                    @let key = { *keys += 1; *keys };
                    label .option {
                        input type=(kind) name=(name) value=(option.value) checked[filled.has(&field.name, &option.value)]
                            data-digit=[(key <= 9).then_some(key)];
                        span { (option.label) }
                        @if key <= 9 { kbd aria-hidden="true" { (key) } }
                    }
                }
            }
            @if let Some(fault) = fault { p .error id=(told) { (fault) } }
        }
    }
}

fn skip(visitor: &Visitor, worker: WorkerId, work: &Work) -> Markup {
    let reason = parts::Field::new("reason", "Why?")
        .hint("Whoever asked for it gets to read this. You may leave it empty.");
    html! {
        details .confirm.calm {
            summary .button { "Skip…" }
            form method="post" action={ "/work/" (worker.0) "/skip" } data-act {
                (hidden(visitor))
                input type="hidden" name="lease" value=(work.held.token.0);
                (reason)
                (parts::Field::new("job", "I do not want any task of this job").tick())
                button { "Skip it" }
            }
        }
    }
}

fn give_back(visitor: &Visitor, worker: WorkerId, work: &Work) -> Markup {
    html! {
        form .inline method="post" action={ "/work/" (worker.0) "/back" } data-act {
            (hidden(visitor))
            input type="hidden" name="lease" value=(work.held.token.0);
            button { "Give it back and take a break" }
        }
    }
}
