//! Pools: which apps they serve, who pays, which policies run them, and how they are.

use axum::extract::{Path, State};
use muster_engine::engine::Engine;
use muster_engine::ids::PoolId;
use muster_engine::policy::Family;
use muster_engine::spec::{Payer, PoolPolicies, PoolSpec};
use muster_engine::view::Observation;
use muster_engine::{Command, Reply};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Word};
use crate::directory::{Directory, PoolRecord};
use crate::keeper::turn::Turn;
use crate::once;
use crate::problem::{Answer, Problem};
use crate::wire::{Policy, Seconds};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(show)).routes(routes!(set_policy))
}

/// The policies of a pool; what is left out is as it is by default.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PoliciesSaid {
    /// Which slot does this worker get?
    pub dispatch: Option<Policy>,
    /// Which idle worker gets an arriving task?
    pub matching: Option<Policy>,
    /// How many workers, of which kind?
    pub scaling: Option<Policy>,
    /// How do we make up for people who leave?
    pub replacement: Option<Policy>,
}

/// A new pool.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPool {
    /// What it is called.
    pub name: String,
    /// What its workers do: apps by name or number.
    pub apps: Vec<String>,
    /// Only this tenant's tasks, if given.
    pub tenant: Option<String>,
    /// Who pays for waiting, training and machines: this tenant, or, if left out, all by their shares.
    pub payer: Option<String>,
    /// How often waiting and training are paid and charged; 15 minutes unless said.
    pub settle_every: Option<Seconds>,
    /// Over how long rates are measured; 5 minutes unless said.
    pub window: Option<Seconds>,
    /// A worker not heard of for so long has left; nobody unless said.
    pub presence: Option<Seconds>,
    /// A recruit that has not come so long after the order is lost; 10 minutes unless said.
    pub recruit_within: Option<Seconds>,
    /// Whether workers may be moved out of and into this pool; yes unless said.
    pub balanced: Option<bool>,
    /// Which policies it starts with.
    #[serde(default)]
    pub policies: PoliciesSaid,
}

/// Workers of a pool, by how they stand.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct Heads {
    /// In training.
    pub training: u32,
    /// Idle.
    pub idle: u32,
    /// With a task.
    pub leased: u32,
    /// There, but not asking.
    pub paused: u32,
    /// With a task, and going when it is done.
    pub draining: u32,
    /// On their way.
    pub coming: u32,
}

/// A pool, and how it is.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Pool {
    /// Its number.
    pub pool: u32,
    /// What it is called.
    pub name: String,
    /// What its workers do.
    pub apps: Vec<String>,
    /// Only this tenant's tasks, if given.
    pub tenant: Option<String>,
    /// A worker not heard of for so long has left.
    pub presence: Option<Seconds>,
    /// Which policies run it.
    pub policies: PoliciesSaid,
    /// Open slots that wait.
    pub queue: u64,
    /// Its workers.
    pub workers: Heads,
    /// How many there should be, if that can be said.
    pub recommended: Option<u32>,
    /// Slots that open, per second.
    pub arrival_rate: f64,
    /// Answers per second.
    pub throughput: f64,
    /// The share of idle and busy workers' time in which they were busy.
    pub utilisation: f64,
    /// Mean time from opening to lease, lately.
    pub wait: Option<Seconds>,
    /// Mean time from opening to answer, lately.
    pub latency: Option<Seconds>,
}

/// Pools.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Pools {
    /// By number.
    pub pools: Vec<Pool>,
}

impl NewPool {
    fn spec(&self, directory: &Directory) -> Answer<PoolSpec> {
        let apps = self.apps.iter().map(|app| directory.app(app)).collect::<Answer<Vec<_>>>()?;
        let mut spec = PoolSpec::serving(&apps);
        spec.tenant = self.tenant.as_deref().map(|tenant| directory.tenant(tenant)).transpose()?;
        let payer = self.payer.as_deref().map(|payer| directory.tenant(payer)).transpose()?;
        spec.payer = payer.map_or(Payer::Shared, Payer::Tenant);
        let take = |said: Option<Seconds>, field: &mut _| said.into_iter().for_each(|span| *field = span.0);
        take(self.settle_every, &mut spec.settle_every);
        take(self.window, &mut spec.window);
        take(self.recruit_within, &mut spec.recruit_within);
        spec.presence = self.presence.map(|span| span.0);
        spec.balanced = self.balanced.unwrap_or(spec.balanced);
        spec.policies = self.policies.clone().into();
        Ok(spec)
    }
}

impl From<PoliciesSaid> for PoolPolicies {
    fn from(said: PoliciesSaid) -> Self {
        let mut policies = Self::default();
        let take =
            |said: Option<Policy>, field: &mut _| said.into_iter().for_each(|policy| *field = policy.into());
        take(said.dispatch, &mut policies.dispatch);
        take(said.matching, &mut policies.matching);
        take(said.scaling, &mut policies.scaling);
        take(said.replacement, &mut policies.replacement);
        policies
    }
}

fn pool(engine: &Engine, directory: &Directory, id: PoolId) -> Answer<Pool> {
    let state = engine.state();
    let it = state.pool(id).ok_or_else(|| Problem::not_found(id))?;
    let seen = Observation::of(it, state.now());
    let policies = &it.spec.policies;
    let heads = it.workers;
    Ok(Pool {
        pool: id.0,
        name: directory.pools.name(id.0).to_owned(),
        apps: it.spec.apps.iter().map(|app| directory.apps.name(app.0).to_owned()).collect(),
        tenant: it.spec.tenant.map(|tenant| directory.tenants.name(tenant.0).to_owned()),
        presence: it.spec.presence.map(Seconds),
        policies: PoliciesSaid {
            dispatch: Some((&policies.dispatch).into()),
            matching: Some((&policies.matching).into()),
            scaling: Some((&policies.scaling).into()),
            replacement: Some((&policies.replacement).into()),
        },
        queue: seen.queue,
        workers: Heads {
            training: heads.training,
            idle: heads.idle,
            leased: heads.leased,
            paused: heads.paused,
            draining: heads.draining,
            coming: seen.in_flight,
        },
        recommended: seen.recommended(),
        arrival_rate: seen.arrival_rate,
        throughput: seen.throughput,
        utilisation: seen.utilisation,
        wait: seen.wait.map(Seconds),
        latency: seen.latency.map(Seconds),
    })
}

/// Whether the caller may see a pool: a tenant sees those that may serve it.
fn may_see(by: &By, engine: &Engine, id: PoolId) -> bool {
    let own = engine.state().pool(id).and_then(|pool| pool.spec.tenant);
    by.may_read_all() || by.may_join(id) || own.is_some_and(|tenant| by.may_read(tenant))
}

/// All pools that the token may see.
#[utoipa::path(get, path = "/api/pools", tag = "pools",
    responses((status = 200, body = Pools), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn list(State(server): State<Server>, by: By) -> Answer<Json<Pools>> {
    server
        .look(move |look| {
            let ids = (0..).map(PoolId).take(look.state().pools().len());
            let seen = ids.filter(|id| may_see(&by, look.engine, *id));
            let pools = seen.map(|id| pool(look.engine, &look.desk.directory, id)).collect::<Answer<_>>()?;
            Ok(Json(Pools { pools }))
        })
        .await
}

/// A new pool. Needs an admin's token.
#[utoipa::path(post, path = "/api/pools", tag = "pools", request_body = NewPool,
    responses((status = 201, body = Pool), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn create(State(server): State<Server>, by: By, body: Body<NewPool>) -> Answer<Created<Pool>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("make pools"));
    }
    let (once, said) = (body.once.by(&by)?, body.said);
    let make = move |turn: &mut Turn<'_>| {
        turn.directory().pools.check_new(&said.name)?;
        let spec = said.spec(turn.directory())?;
        let Reply::Pool(id) = turn.command(Command::AddPool(Box::new(spec)))? else {
            unreachable!("it makes a pool")
        };
        let (key, value) = turn.directory_mut().pools.add(id.0, PoolRecord { name: said.name });
        turn.put(key, value);
        pool(turn.engine(), turn.directory(), id)
    };
    server.turn(move |turn| once::run(turn, once, make)).await.map(Created)
}

/// A pool, and how it is.
#[utoipa::path(get, path = "/api/pools/{pool}", tag = "pools", params(("pool" = String, Path, description = "Name or number")),
    responses((status = 200, body = Pool), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn show(State(server): State<Server>, by: By, word: Word) -> Answer<Json<Pool>> {
    let id = server.directory().pool(&word.0)?;
    server
        .look(move |look| {
            if !may_see(&by, look.engine, id) {
                return Err(Problem::not_found(format_args!("pool '{}'", word.0)));
            }
            pool(look.engine, &look.desk.directory, id).map(Json)
        })
        .await
}

/// Another policy for a pool, from now on. Needs an admin's token.
#[utoipa::path(put, path = "/api/pools/{pool}/policies/{family}", tag = "pools", request_body = Policy,
    params(("pool" = String, Path, description = "Name or number"), ("family" = String, Path, description = "dispatch, matching, scaling or replacement")),
    responses((status = 200, body = Pool), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn set_policy(
    State(server): State<Server>,
    by: By,
    Path((word, family)): Path<(String, String)>,
    body: Body<Policy>,
) -> Answer<Json<Pool>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("change policies"));
    }
    let families = [Family::Dispatch, Family::Matching, Family::Scaling, Family::Replacement];
    let family = families.into_iter().find(|known| known.name() == family).ok_or_else(|| {
        Problem::field("family", format!("'{family}'"), "dispatch, matching, scaling or replacement")
    })?;
    let said = body.said;
    let changed = server.turn(move |turn| {
        let id = turn.directory().pool(&word)?;
        turn.command(Command::SetPolicy(id, family, said.into()))?;
        pool(turn.engine(), turn.directory(), id)
    });
    changed.await.map(Json)
}
