//! Pools: which apps they serve, who pays, which policies run them, and how they are.

use axum::extract::{Path, State};
use muster_engine::engine::Engine;
use muster_engine::ids::PoolId;
use muster_engine::policy::Family;
use muster_engine::spec::{Payer, PoolSpec};
use muster_engine::view::Observation;
use muster_engine::{Command, Reply};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Word};
use super::policies::{self, PoliciesSaid};
use super::pool_settings::RecommendSaid;
use crate::directory::{Directory, PoolRecord};
use crate::keeper::turn::Turn;
use crate::keys;
use crate::once;
use crate::problem::{Answer, Problem};
use crate::wire::{Policy, Seconds};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(show)).routes(routes!(set_policy))
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
    /// How the recommended size is found.
    pub recommend: Option<RecommendSaid>,
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
    /// Who pays for waiting, training and machines; all by their shares if absent.
    pub payer: Option<String>,
    /// How often waiting and training are paid and charged.
    pub settle_every: Seconds,
    /// Over how long rates are measured.
    pub window: Seconds,
    /// A worker not heard of for so long has left.
    pub presence: Option<Seconds>,
    /// A recruit that has not come so long after the order is lost.
    pub recruit_within: Seconds,
    /// Whether workers may be moved out of and into this pool.
    pub balanced: bool,
    /// How the recommended size is found.
    pub recommend: RecommendSaid,
    /// Which policies run it.
    pub policies: PoliciesSaid,
    /// Open slots that wait.
    pub queue: u64,
    /// Open slots that wait for money.
    pub unfunded: u64,
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
        spec.recommend = self.recommend.map_or(spec.recommend, Into::into);
        spec.policies = policies::of_pool(&self.policies, directory)?;
        Ok(spec)
    }
}

/// A pool as it is told.
pub(crate) fn pool(engine: &Engine, directory: &Directory, id: PoolId) -> Answer<Pool> {
    let state = engine.state();
    let it = state.pool(id).ok_or_else(|| Problem::not_found(id))?;
    let seen = Observation::of(it, state.now());
    let policies_set = &it.spec.policies;
    let heads = it.workers;
    Ok(Pool {
        pool: id.0,
        name: directory.pools.name(id.0).to_owned(),
        apps: it.spec.apps.iter().map(|app| directory.apps.name(app.0).to_owned()).collect(),
        tenant: it.spec.tenant.map(|tenant| directory.tenants.name(tenant.0).to_owned()),
        payer: match it.spec.payer {
            Payer::Tenant(tenant) => Some(directory.tenants.name(tenant.0).to_owned()),
            Payer::Shared => None,
        },
        settle_every: Seconds(it.spec.settle_every),
        window: Seconds(it.spec.window),
        presence: it.spec.presence.map(Seconds),
        recruit_within: Seconds(it.spec.recruit_within),
        balanced: it.spec.balanced,
        recommend: (&it.spec.recommend).into(),
        policies: PoliciesSaid {
            dispatch: Some(policies::shown(&policies_set.dispatch, directory)),
            matching: Some(policies::shown(&policies_set.matching, directory)),
            scaling: Some(policies::shown(&policies_set.scaling, directory)),
            replacement: Some(policies::shown(&policies_set.replacement, directory)),
        },
        queue: seen.queue,
        unfunded: it.unfunded,
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
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = Pool), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn create(
    State(server): State<Server>,
    by: By,
    body: Body<NewPool>,
) -> Answer<Created<Pool>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("make pools"));
    }
    let (once, said) = (body.once.by(&by)?, body.said);
    let make = move |turn: &mut Turn<'_>| {
        turn.directory().pools.check_new(&said.name)?;
        let spec = said.spec(turn.directory())?;
        let (number, dispatch) = (turn.next_number(), spec.policies.dispatch.clone());
        let Reply::Pool(id) = turn.command(Command::AddPool(Box::new(spec)))? else {
            unreachable!("it makes a pool")
        };
        turn.put_record(keys::policy_since(id, number), &dispatch);
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
pub(crate) async fn set_policy(
    State(server): State<Server>,
    by: By,
    Path((word, family)): Path<(String, String)>,
    body: Body<Policy>,
) -> Answer<Json<Pool>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("change policies"));
    }
    let family = policies::family(&family, true)?;
    let said = body.said;
    let changed = server.turn(move |turn| {
        let id = turn.directory().pool(&word)?;
        let spec = policies::one(family, &said, turn.directory())?;
        let number = turn.next_number();
        turn.command(Command::SetPolicy(id, family, spec.clone()))?;
        if family == Family::Dispatch {
            turn.put_record(keys::policy_since(id, number), &spec);
        }
        pool(turn.engine(), turn.directory(), id)
    });
    changed.await.map(Json)
}
