//! What a job would cost and when it may be finished, before it is submitted. Decides nothing, sets nothing aside.
//!
//! Cost: tasks x answers x price; a budget covers as many answers as it pays for. Machines' and waiting people's time is the pool's
//! affair and not in it. Time: the pool answers at `rate`, the larger of what it answered lately and what its workers could do, that
//! is `workers / time for an answer`. Then `earliest` is when it alone would be through, `latest` when everything that waits or is
//! in hand now goes first; neither is sooner than one answer takes.

use axum::extract::State;
use muster_engine::ids::{AppId, TenantId};
use muster_engine::money::Money;
use muster_engine::state::State as Known;
use muster_engine::view::Observation;
use muster_engine::{Span, Time};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{By, Json, Query};
use super::jobs::tenant_of;
use super::progress::Finish;
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Moment};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(show))
}

/// A job that may be submitted.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Planned {
    /// Whose it would be: the token's tenant unless said.
    pub tenant: Option<String>,
    /// The type of its tasks, by name or number.
    pub app: String,
    /// How many tasks it would have.
    pub tasks: u32,
    /// How many answers each would need; 1 unless said.
    pub slots: Option<u8>,
    /// What a person would get for an answer that counts.
    #[serde(default)]
    #[param(value_type = f64)]
    pub price: Amount,
    /// What the whole job might cost.
    #[param(value_type = Option<f64>)]
    pub budget: Option<Amount>,
}

/// What would come of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Forecast {
    /// Answers that it would need in all.
    pub answers: u64,
    /// What they would cost, if people give all of them.
    pub cost: Amount,
    /// Answers that the budget pays for; absent if it pays for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered: Option<u64>,
    /// What the tenant may still spend in this interval; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_left: Option<Amount>,
    /// The pool that would serve it.
    pub pool: String,
    /// Workers there who could take its tasks now or soon: idle, busy or in training.
    pub workers: u32,
    /// Slots that wait there, before it.
    pub queue: u64,
    /// When it may be finished; absent if nothing is known of how fast the pool is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
}

/// What is asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub(crate) tenant: TenantId,
    pub(crate) app: AppId,
    pub(crate) tasks: u32,
    pub(crate) slots: u8,
    pub(crate) price: Money,
    pub(crate) budget: Option<Money>,
}

impl Question {
    fn answers(&self) -> u64 {
        u64::from(self.tasks) * u64::from(self.slots)
    }

    fn cost(&self) -> Money {
        Money(self.price.0.saturating_mul(i64::try_from(self.answers()).unwrap_or(i64::MAX)))
    }

    fn covered(&self) -> Option<u64> {
        let budget = self.budget.filter(|budget| *budget < self.cost())?;
        u64::try_from(budget.0 / self.price.0.max(1)).ok()
    }
}

/// How many workers count, and how many answers a second they give together.
fn pace(pool: &Observation, expected: Option<Span>) -> (u32, Option<(f64, f64)>) {
    let workers = pool.workers.idle + pool.workers.leased + pool.workers.training;
    let each = pool.service_rate.or_else(|| expected.map(|span| 1.0 / span.as_secs_f64()));
    let each = each.filter(|rate| rate.is_finite() && *rate > 0.0);
    let rate = pool.throughput.max(each.map_or(0.0, |each| each * f64::from(workers)));
    (workers, (rate > 0.0).then(|| (rate, each.map_or(0.0, |each| 1.0 / each))))
}

fn finish(own: u64, before: u64, pace: (f64, f64), now: Time) -> Finish {
    let (rate, one) = pace;
    let after = |n: u64| Moment(now + Span::from_secs_f64((n as f64 / rate).max(one).min(1e9)));
    Finish { earliest: after(own), likely: None, latest: after(own + before) }
}

/// What would come of a job.
pub(crate) fn forecast(look: &crate::keeper::turn::Look<'_>, asked: &Question) -> Answer<Forecast> {
    let (state, now): (&Known, Time) = (look.state(), look.now);
    let app = state.app(asked.app).ok_or_else(|| Problem::not_found(asked.app))?;
    let tenant = state.tenant(asked.tenant).ok_or_else(|| Problem::not_found(asked.tenant))?;
    let unserved = || Problem::from(muster_engine::Refusal::NoPool(asked.tenant, asked.app));
    let id = app.route(asked.tenant).ok_or_else(unserved)?;
    let pool = Observation::of(state.pool(id).ok_or_else(unserved)?, now);
    let (workers, pace) = pace(&pool, app.expected());
    let before = pool.queue + u64::from(pool.workers.busy());
    let left = |budget: muster_engine::spec::Budget| Amount(budget.amount - tenant.spent - tenant.reserved);
    Ok(Forecast {
        answers: asked.answers(),
        cost: Amount(asked.cost()),
        covered: asked.covered(),
        tenant_left: tenant.budget.map(left),
        pool: look.desk.directory.pools.name(id.0).to_owned(),
        workers,
        queue: pool.queue,
        finish: pace.map(|pace| finish(asked.answers(), before, pace, now)),
    })
}

/// What a job would cost and when it may be finished, as things stand now.
#[utoipa::path(get, path = "/api/forecast", tag = "jobs", params(Planned),
    responses((status = 200, body = Forecast), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn show(
    State(server): State<Server>,
    by: By,
    Query(planned): Query<Planned>,
) -> Answer<Json<Forecast>> {
    let directory = server.directory();
    let asked = Question {
        tenant: tenant_of(&by, &directory, planned.tenant.as_deref())?,
        app: directory.app(&planned.app)?,
        tasks: planned.tasks,
        slots: planned.slots.unwrap_or(1),
        price: planned.price.0,
        budget: planned.budget.map(|amount| amount.0),
    };
    if !by.may_read(asked.tenant) {
        return Err(Problem::forbidden("see jobs"));
    }
    server.look(move |look| forecast(look, &asked)).await.map(Json)
}
