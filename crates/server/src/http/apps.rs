//! Apps: types of tasks, with what workers are told.

use std::sync::Arc;

use axum::extract::State;
use muster_engine::ids::AppId;
use muster_engine::spec::{AppSpec, LatePay, LeaseLength};
use muster_engine::state::State as Known;
use muster_engine::{Command, Reply, Span};
use muster_formats::form::Form;
use muster_formats::template::Template;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Word};
use crate::directory::{AppRecord, Directory};
use crate::keeper::turn::Turn;
use crate::once;
use crate::problem::{Answer, Problem};
use crate::wire::Seconds;

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(show, change))
}

/// How long a lease may last.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum LeaseSaid {
    /// Always so long.
    Fixed(Seconds),
    /// Learned from completions.
    Learned {
        /// Times the 95th percentile of completions.
        factor: f64,
        /// Never shorter.
        least: Seconds,
        /// Never longer.
        most: Seconds,
    },
}

/// Whether late answers are paid.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LatePaySaid {
    /// If they filled their slot after all.
    #[default]
    IfCounted,
    /// In any case.
    Always,
    /// Never.
    Never,
}

/// A new app, or other settings for one.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AppSaid {
    /// What it is called.
    pub name: String,
    /// What workers are told.
    #[serde(default)]
    pub instructions: String,
    /// The page of a task, with `${var}` where its values go.
    pub template: Option<String>,
    /// What a task shows and asks, for apps without a template: `show` lists inputs (each with `input`, and if wanted `label` and `as`: text,
    /// image or link), `fields` lists what is asked (each with `name`, `type`: choice, choices, text or number, and if wanted `label`,
    /// `hint`, `required`, `options`, `lines`, `least`, `most`, `step`).
    #[schema(value_type = Option<Object>, example = json!({
        "show": [{"input": "photo", "as": "image"}],
        "fields": [
            {"name": "verdict", "label": "Is it allowed?", "type": "choice", "options": ["yes", {"value": "no", "label": "No, remove it"}]},
            {"name": "note", "type": "text", "lines": 3, "required": false}
        ]
    }))]
    pub form: Option<Box<serde_json::value::RawValue>>,
    /// How long learning it takes, on average; nothing unless said.
    #[serde(default)]
    pub training: Seconds,
    /// How long a lease may last; 30 minutes unless said.
    pub lease: Option<LeaseSaid>,
    /// A lease is also lost after so long without a sign of life.
    pub heartbeat: Option<Seconds>,
    /// How long a task takes, as far as it is known beforehand.
    pub expected: Option<Seconds>,
    /// Whether late answers are paid.
    #[serde(default)]
    pub late_pay: LatePaySaid,
}

/// An app.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct App {
    /// Its number.
    pub app: u32,
    /// What it is called.
    pub name: String,
    /// What workers are told.
    pub instructions: String,
    /// The page of a task.
    pub template: Option<String>,
    /// What a task shows and asks.
    #[schema(value_type = Option<Object>)]
    pub form: Option<Box<serde_json::value::RawValue>>,
    /// How long learning it takes, on average.
    pub training: Seconds,
    /// How long a lease may last.
    pub lease: LeaseSaid,
    /// A lease is also lost after so long without a sign of life.
    pub heartbeat: Option<Seconds>,
    /// How long a task takes: as seen, or as said.
    pub expected: Option<Seconds>,
    /// Whether late answers are paid.
    pub late_pay: LatePaySaid,
}

/// Apps.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Apps {
    /// By number.
    pub apps: Vec<App>,
}

impl AppSaid {
    /// Refuses a template or a form that is none.
    fn check(&self) -> Answer<()> {
        if let Some(template) = &self.template {
            Template::parse("template", template)?;
        }
        if let Some(form) = &self.form {
            Form::parse("form", form.get())?;
        }
        Ok(())
    }

    fn spec(&self) -> AppSpec {
        let lease = match self.lease {
            None => LeaseLength::Fixed(Span::from_mins(30)),
            Some(LeaseSaid::Fixed(span)) => LeaseLength::Fixed(span.0),
            Some(LeaseSaid::Learned { factor, least, most }) => {
                LeaseLength::Learned { factor, least: least.0, most: most.0 }
            }
        };
        AppSpec {
            training: self.training.0,
            lease,
            heartbeat: self.heartbeat.map(|span| span.0),
            expected: self.expected.map(|span| span.0),
            late_pay: match self.late_pay {
                LatePaySaid::IfCounted => LatePay::IfCounted,
                LatePaySaid::Always => LatePay::Always,
                LatePaySaid::Never => LatePay::Never,
            },
        }
    }

    fn record(self) -> AppRecord {
        AppRecord {
            name: self.name,
            instructions: self.instructions.into(),
            template: self.template.map(Arc::from),
            form: self.form.map(|form| Arc::from(form.get())),
        }
    }
}

fn app(state: &Known, directory: &Directory, id: AppId) -> Answer<App> {
    let known = state.app(id).ok_or_else(|| Problem::not_found(id))?;
    let record = directory.apps.get(id.0).ok_or_else(|| Problem::not_found(id))?;
    let raw = |text: &Arc<str>| serde_json::value::RawValue::from_string(text.to_string()).ok();
    Ok(App {
        app: id.0,
        name: record.name.clone(),
        instructions: record.instructions.to_string(),
        template: record.template.as_ref().map(ToString::to_string),
        form: record.form.as_ref().and_then(raw),
        training: Seconds(known.spec.training),
        lease: match known.spec.lease {
            LeaseLength::Fixed(span) => LeaseSaid::Fixed(Seconds(span)),
            LeaseLength::Learned { factor, least, most } => {
                LeaseSaid::Learned { factor, least: Seconds(least), most: Seconds(most) }
            }
        },
        heartbeat: known.spec.heartbeat.map(Seconds),
        expected: known.expected().map(Seconds),
        late_pay: match known.spec.late_pay {
            LatePay::IfCounted => LatePaySaid::IfCounted,
            LatePay::Always => LatePaySaid::Always,
            LatePay::Never => LatePaySaid::Never,
        },
    })
}

/// All apps.
#[utoipa::path(get, path = "/api/apps", tag = "apps",
    responses((status = 200, body = Apps), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(State(server): State<Server>, _by: By) -> Answer<Json<Apps>> {
    server
        .look(|look| {
            let ids = (0..).map(AppId).take(look.state().apps().len());
            let apps = ids.map(|id| app(look.state(), &look.desk.directory, id)).collect::<Answer<_>>()?;
            Ok(Json(Apps { apps }))
        })
        .await
}

/// A new app. Needs an admin's token.
#[utoipa::path(post, path = "/api/apps", tag = "apps", request_body = AppSaid,
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = App), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn create(
    State(server): State<Server>,
    by: By,
    body: Body<AppSaid>,
) -> Answer<Created<App>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("make apps"));
    }
    let (once, said) = (body.once.by(&by)?, body.said);
    said.check()?;
    let make = move |turn: &mut Turn<'_>| {
        turn.directory().apps.check_new(&said.name)?;
        let Reply::App(id) = turn.command(Command::AddApp(said.spec()))? else {
            unreachable!("it makes an app")
        };
        let (key, value) = turn.directory_mut().apps.add(id.0, said.record());
        turn.put(key, value);
        app(turn.state(), turn.directory(), id)
    };
    server.turn(move |turn| once::run(turn, once, make)).await.map(Created)
}

/// An app.
#[utoipa::path(get, path = "/api/apps/{app}", tag = "apps", params(("app" = String, Path, description = "Name or number")),
    responses((status = 200, body = App), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn show(State(server): State<Server>, _by: By, word: Word) -> Answer<Json<App>> {
    let id = server.directory().app(&word.0)?;
    server.look(move |look| app(look.state(), &look.desk.directory, id).map(Json)).await
}

/// Other settings for an app; leases already given keep theirs. Needs an admin's token.
#[utoipa::path(put, path = "/api/apps/{app}", tag = "apps", request_body = AppSaid, params(("app" = String, Path, description = "Name or number")),
    responses((status = 200, body = App), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn change(State(server): State<Server>, by: By, word: Word, body: Body<AppSaid>) -> Answer<Json<App>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("change apps"));
    }
    let said = body.said;
    said.check()?;
    let changed = server.turn(move |turn| {
        let id = turn.directory().app(&word.0)?;
        if turn.directory().apps.name(id.0) != said.name {
            turn.directory().apps.check_new(&said.name)?;
        }
        turn.command(Command::SetApp(id, said.spec()))?;
        let blob = turn.directory_mut().apps.set(id.0, said.record());
        blob.into_iter().for_each(|(key, value)| turn.put(key, value));
        app(turn.state(), turn.directory(), id)
    });
    changed.await.map(Json)
}
