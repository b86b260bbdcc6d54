//! Operations by hand: who is wanted and who is there; recruit, release, drain, pause, move.

use axum::extract::State;
use muster_engine::ids::{KindId, PoolId, RecruitId, WorkerId};
use muster_engine::policy::scaling::limits::idle;
use muster_engine::spec::Role;
use muster_engine::state::State as Known;
use muster_engine::view::View;
use muster_engine::{Command, Reply};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Query, Word};
use super::links;
use super::workers::{Worker, worker};
use crate::directory::Directory;
use crate::keeper::turn::Turn;
use crate::once;
use crate::problem::{Answer, Problem};
use crate::wire::Moment;

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new()
        .routes(routes!(wanted))
        .routes(routes!(recruit))
        .routes(routes!(failed))
        .routes(routes!(release))
        .routes(routes!(list))
        .routes(routes!(drain))
        .routes(routes!(pause))
        .routes(routes!(send))
}

/// Workers who are wanted: a recruit order that is not filled.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Wanted {
    /// The order's number: who comes for it says so when joining.
    pub recruit: u32,
    /// For which pool.
    pub pool: String,
    /// Of which kind.
    pub kind: String,
    /// How many are still to come.
    pub n: u32,
    /// In words: "2 more people wanted".
    pub words: String,
    /// When they are given up.
    pub until: String,
    /// Where they may join, if there is a join link for this pool and kind that is still good.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub join: Option<String>,
}

/// All workers who are wanted.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AllWanted {
    /// By order.
    pub wanted: Vec<Wanted>,
}

/// How many of what are wanted.
#[must_use]
pub fn words(n: u32, kind: &str, role: Option<&Role>) -> String {
    match (role, n) {
        (Some(Role::Machine { .. }), 1) => format!("1 more machine of kind '{kind}' wanted"),
        (Some(Role::Machine { .. }), n) => format!("{n} more machines of kind '{kind}' wanted"),
        (_, 1) => "1 more person wanted".to_owned(),
        (_, n) => format!("{n} more people wanted"),
    }
}

fn told(state: &Known, names: &Directory, id: RecruitId) -> Option<Wanted> {
    let it = state.recruits().get(&id)?;
    let kind = names.kinds.name(it.kind.0).to_owned();
    let words = words(it.n, &kind, state.kind(it.kind).map(|kind| &kind.role));
    let pool = names.pools.name(it.pool.0).to_owned();
    Some(Wanted {
        recruit: id.0,
        pool,
        kind,
        n: it.n,
        words,
        until: Moment(it.deadline).to_string(),
        join: None,
    })
}

/// Who is wanted: recruit orders that are not filled, with where to join.
#[utoipa::path(get, path = "/api/recruits", tag = "operations",
    responses((status = 200, body = AllWanted), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn wanted(State(server): State<Server>, by: By) -> Answer<Json<AllWanted>> {
    if !by.may_read_all() {
        return Err(Problem::forbidden("see who is wanted"));
    }
    let found = server.look(|look| {
        let ids = look.state().recruits().keys();
        Ok(ids.filter_map(|id| told(look.state(), &look.desk.directory, *id)).collect::<Vec<_>>())
    });
    let (mut wanted, links) = (found.await?, links::good(&server).await?);
    for it in wanted.iter_mut().filter(|_| by.is_admin()) {
        let link = links.iter().find(|link| link.pool == it.pool && link.kind == it.kind);
        it.join = link.map(|link| link.path.clone());
    }
    Ok(Json(AllWanted { wanted }))
}

/// So many of a kind.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SoMany {
    /// Which kind, by name or number.
    pub kind: String,
    /// How many.
    pub n: u32,
}

fn admin(by: &By, what: &str) -> Answer<()> {
    if by.is_admin() { Ok(()) } else { Err(Problem::forbidden(what)) }
}

/// Calls for workers by hand. Needs an admin's token.
#[utoipa::path(post, path = "/api/pools/{pool}/recruit", tag = "operations", request_body = SoMany,
    params(("pool" = String, Path, description = "Name or number"), ("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = Wanted), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn recruit(
    State(server): State<Server>,
    by: By,
    word: Word,
    body: Body<SoMany>,
) -> Answer<Created<Wanted>> {
    admin(&by, "recruit")?;
    let (once, said) = (body.once.by(&by)?, body.said);
    let make = move |turn: &mut Turn<'_>| {
        let (pool, kind) = (turn.directory().pool(&word.0)?, turn.directory().kind(&said.kind)?);
        let Reply::Recruit(id) = turn.command(Command::Recruit(pool, kind, said.n))? else {
            unreachable!("it makes an order")
        };
        told(turn.state(), turn.directory(), id).ok_or_else(|| Problem::not_found(id))
    };
    server.turn(move |turn| once::run(turn, once, make)).await.map(Created)
}

/// So many.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HowMany {
    /// How many.
    pub n: u32,
}

/// Says that so many of a recruit order will not come. Needs an admin's token.
#[utoipa::path(post, path = "/api/recruits/{recruit}/failed", tag = "operations", request_body = HowMany, params(("recruit" = u32, Path)),
    responses((status = 204), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn failed(
    State(server): State<Server>,
    by: By,
    word: Word,
    body: Body<HowMany>,
) -> Answer<axum::http::StatusCode> {
    admin(&by, "change recruit orders")?;
    let (id, n) = (RecruitId(word.number("recruit order")?), body.said.n);
    server
        .turn(move |turn| {
            turn.command(Command::RecruitFailed(id, n))?;
            Ok(axum::http::StatusCode::NO_CONTENT)
        })
        .await
}

/// Workers who were let go.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Released {
    /// Who.
    pub workers: Vec<u32>,
}

/// Lets idle workers of a kind go, those first whose release saves most; busy ones are never released. Needs an admin's token.
#[utoipa::path(post, path = "/api/pools/{pool}/release", tag = "operations", request_body = SoMany,
    params(("pool" = String, Path, description = "Name or number"), ("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 200, body = Released), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn release(
    State(server): State<Server>,
    by: By,
    word: Word,
    body: Body<SoMany>,
) -> Answer<Json<Released>> {
    admin(&by, "release workers")?;
    let (once, said) = (body.once.by(&by)?, body.said);
    let let_go = move |turn: &mut Turn<'_>| {
        let (pool, kind): (PoolId, KindId) =
            (turn.directory().pool(&word.0)?, turn.directory().kind(&said.kind)?);
        let view = View { state: turn.state(), id: pool };
        let workers = idle(view, kind, said.n as usize);
        for worker in &workers {
            turn.command(Command::Drain(*worker))?;
        }
        Ok(Released { workers: workers.into_iter().map(|worker| worker.0).collect() })
    };
    server.turn(move |turn| once::run(turn, once, let_go)).await.map(Json)
}

/// Which workers.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Only of this pool, by name or number.
    pub pool: Option<String>,
    /// Only who stands so: training, idle, leased, paused or draining.
    pub standing: Option<String>,
    /// From this number on.
    #[serde(default)]
    pub from: u32,
    /// So many at most; 100 unless said.
    pub most: Option<usize>,
}

/// Workers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Workers {
    /// By number.
    pub workers: Vec<Worker>,
    /// Ask with `from` set to this for more.
    pub more: Option<u32>,
}

/// Workers who are there: all, for a token that may see everything, else those that the token joined.
#[utoipa::path(get, path = "/api/workers", tag = "workers", params(Which),
    responses((status = 200, body = Workers), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(
    State(server): State<Server>,
    by: By,
    Query(which): Query<Which>,
) -> Answer<Json<Workers>> {
    let pool = which.pool.as_deref().map(|word| server.directory().pool(word)).transpose()?;
    let standings = ["training", "idle", "leased", "paused", "draining"];
    if let Some(word) = which.standing.as_deref().filter(|word| !standings.contains(word)) {
        return Err(Problem::field("standing", format!("'{word}'"), &standings.join(", ")));
    }
    let most = which.most.unwrap_or(100).clamp(1, 1000);
    server
        .look(move |look| {
            let wanted = |it: &&muster_engine::state::worker::Worker| {
                it.id.0 >= which.from
                    && pool.is_none_or(|pool| it.pool == pool)
                    && (by.may_read_all() || look.desk.workers.get(&it.id) == Some(&by.id))
                    && which.standing.as_deref().is_none_or(|word| super::workers::word(it.standing) == word)
            };
            let mut found: Vec<_> =
                look.state().workers().into_iter().filter(wanted).take(most + 1).collect();
            let more = found.get(most).map(|it| it.id.0);
            found.truncate(most);
            let workers = found.into_iter().map(|it| worker(it, &look.desk.directory)).collect();
            Ok(Json(Workers { workers, more }))
        })
        .await
}

/// Does something to a worker by hand, or as the worker's own token wants.
async fn to_worker(
    server: &Server,
    by: By,
    word: &Word,
    command: impl FnOnce(WorkerId) -> Command + Send + 'static,
) -> Answer<axum::http::StatusCode> {
    let id = WorkerId(word.number("worker")?);
    server
        .turn(move |turn| {
            turn.may_act_for(&by, id)?;
            turn.command(command(id))?;
            Ok(axum::http::StatusCode::NO_CONTENT)
        })
        .await
}

/// A worker gets nothing more, and goes when the task in hand is done.
#[utoipa::path(post, path = "/api/workers/{worker}/drain", tag = "operations", params(("worker" = u32, Path)),
    responses((status = 204), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn drain(
    State(server): State<Server>,
    by: By,
    word: Word,
) -> Answer<axum::http::StatusCode> {
    to_worker(&server, by, &word, Command::Drain).await
}

/// A worker takes a break, or is made to; asking again ends it.
#[utoipa::path(post, path = "/api/workers/{worker}/pause", tag = "operations", params(("worker" = u32, Path)),
    responses((status = 204), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn pause(
    State(server): State<Server>,
    by: By,
    word: Word,
) -> Answer<axum::http::StatusCode> {
    to_worker(&server, by, &word, Command::Pause).await
}

/// Where to.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Where {
    /// The pool, by name or number.
    pub pool: String,
}

/// Sends a worker to another pool. Needs an admin's token.
#[utoipa::path(post, path = "/api/workers/{worker}/move", tag = "operations", request_body = Where, params(("worker" = u32, Path)),
    responses((status = 204), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn send(
    State(server): State<Server>,
    by: By,
    word: Word,
    body: Body<Where>,
) -> Answer<axum::http::StatusCode> {
    admin(&by, "move workers")?;
    let pool = server.directory().pool(&body.said.pool)?;
    to_worker(&server, by, &word, move |worker| Command::Move(worker, pool)).await
}
