//! Kinds of workers: person or machine, what it costs, how fast it is.

use axum::extract::State;
use muster_engine::ids::KindId;
use muster_engine::spec::{KindSpec, Role};
use muster_engine::state::State as Known;
use muster_engine::{Command, Reply};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Word};
use crate::directory::{Directory, KindRecord};
use crate::keeper::turn::Turn;
use crate::once;
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Seconds};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(show))
}

/// What a worker of a kind is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum RoleSaid {
    /// A person: gets the job's price for an answer, and a wage while waiting and training.
    Person {
        /// Per hour of waiting for a task.
        #[serde(default)]
        wage_waiting: Amount,
        /// Per hour of training.
        #[serde(default)]
        wage_training: Amount,
    },
    /// A machine: costs so much for every billing period begun.
    Machine {
        /// How long a billing period is.
        period: Seconds,
        /// What it costs.
        #[serde(default)]
        cost: Amount,
    },
}

/// A new kind.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewKind {
    /// What it is called.
    pub name: String,
    /// Person or machine.
    pub role: RoleSaid,
    /// Work done per unit of time, against 1 for the kind that estimates are made for.
    #[serde(default = "one")]
    pub speed: f64,
    /// How long it takes from the order until it is there.
    #[serde(default)]
    pub boot: Seconds,
    /// There are no more of it than this, in all pools together.
    pub most: Option<u32>,
}

fn one() -> f64 {
    1.0
}

/// A kind.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Kind {
    /// Its number.
    pub kind: u32,
    /// What it is called.
    pub name: String,
    /// Person or machine.
    pub role: RoleSaid,
    /// Work done per unit of time.
    pub speed: f64,
    /// How long it takes from the order until it is there.
    pub boot: Seconds,
    /// There are no more of it than this.
    pub most: Option<u32>,
}

/// Kinds.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Kinds {
    /// By number.
    pub kinds: Vec<Kind>,
}

fn kind(state: &Known, directory: &Directory, id: KindId) -> Answer<Kind> {
    let spec = state.kind(id).ok_or_else(|| Problem::not_found(id))?;
    let role = match spec.role {
        Role::Person { wage_waiting, wage_training } => {
            RoleSaid::Person { wage_waiting: Amount(wage_waiting), wage_training: Amount(wage_training) }
        }
        Role::Machine { period, cost } => RoleSaid::Machine { period: Seconds(period), cost: Amount(cost) },
    };
    let name = directory.kinds.name(id.0).to_owned();
    Ok(Kind { kind: id.0, name, role, speed: spec.speed, boot: Seconds(spec.boot), most: spec.most })
}

impl NewKind {
    fn spec(&self) -> KindSpec {
        let role = match self.role {
            RoleSaid::Person { wage_waiting, wage_training } => {
                Role::Person { wage_waiting: wage_waiting.0, wage_training: wage_training.0 }
            }
            RoleSaid::Machine { period, cost } => Role::Machine { period: period.0, cost: cost.0 },
        };
        KindSpec { role, speed: self.speed, boot: self.boot.0, most: self.most }
    }
}

/// All kinds.
#[utoipa::path(get, path = "/api/kinds", tag = "kinds",
    responses((status = 200, body = Kinds), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(State(server): State<Server>, _by: By) -> Answer<Json<Kinds>> {
    server
        .look(|look| {
            let ids = (0..).map(KindId).take(look.state().kinds().len());
            let kinds = ids.map(|id| kind(look.state(), &look.desk.directory, id)).collect::<Answer<_>>()?;
            Ok(Json(Kinds { kinds }))
        })
        .await
}

/// A new kind. Needs an admin's token.
#[utoipa::path(post, path = "/api/kinds", tag = "kinds", request_body = NewKind,
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = Kind), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn create(
    State(server): State<Server>,
    by: By,
    body: Body<NewKind>,
) -> Answer<Created<Kind>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("make kinds"));
    }
    let (once, said) = (body.once.by(&by)?, body.said);
    let make = move |turn: &mut Turn<'_>| {
        turn.directory().kinds.check_new(&said.name)?;
        let Reply::Kind(id) = turn.command(Command::AddKind(said.spec()))? else {
            unreachable!("it makes a kind")
        };
        let (key, value) = turn.directory_mut().kinds.add(id.0, KindRecord { name: said.name });
        turn.put(key, value);
        kind(turn.state(), turn.directory(), id)
    };
    server.turn(move |turn| once::run(turn, once, make)).await.map(Created)
}

/// A kind.
#[utoipa::path(get, path = "/api/kinds/{kind}", tag = "kinds", params(("kind" = String, Path, description = "Name or number")),
    responses((status = 200, body = Kind), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn show(State(server): State<Server>, _by: By, word: Word) -> Answer<Json<Kind>> {
    let id = server.directory().kind(&word.0)?;
    server.look(move |look| kind(look.state(), &look.desk.directory, id).map(Json)).await
}
