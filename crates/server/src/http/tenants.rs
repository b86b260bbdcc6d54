//! Tenants: who submits and pays.

use axum::extract::State;
use muster_engine::ids::TenantId;
use muster_engine::spec::{Budget, TenantSpec};
use muster_engine::state::State as Known;
use muster_engine::{Command, Reply};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Word};
use crate::directory::{Directory, TenantRecord};
use crate::once;
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Seconds};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(show, change))
}

/// So much money per interval.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetSaid {
    /// What may be spent in an interval.
    pub amount: Amount,
    /// How long an interval is.
    pub every: Seconds,
}

/// A new tenant.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTenant {
    /// What it is called.
    pub name: String,
    /// Its share against other tenants', 1 unless said.
    #[serde(default = "one")]
    pub weight: u32,
    /// What it may spend; no limit unless said.
    pub budget: Option<BudgetSaid>,
}

/// Another weight or budget for a tenant.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TenantChange {
    /// Its share against other tenants'.
    pub weight: u32,
    /// What it may spend; no limit if left out.
    pub budget: Option<BudgetSaid>,
}

fn one() -> u32 {
    1
}

/// A tenant.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Tenant {
    /// Its number.
    pub tenant: u32,
    /// What it is called.
    pub name: String,
    /// Its share against other tenants'.
    pub weight: u32,
    /// What it may spend in this interval.
    pub budget: Option<BudgetSaid>,
    /// What it has spent in this interval.
    pub spent: Amount,
    /// What is set aside for leases and for machines on their way.
    pub reserved: Amount,
    /// What it has been charged since it began.
    pub charged: Amount,
}

/// Tenants.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Tenants {
    /// By number.
    pub tenants: Vec<Tenant>,
}

fn spec(weight: u32, budget: Option<BudgetSaid>) -> TenantSpec {
    let budget = budget.map(|budget| Budget { amount: budget.amount.0, every: budget.every.0 });
    TenantSpec { weight, budget }
}

fn tenant(state: &Known, directory: &Directory, id: TenantId) -> Answer<Tenant> {
    let it = state.tenant(id).ok_or_else(|| Problem::not_found(id))?;
    let budget = |budget: Budget| BudgetSaid { amount: Amount(budget.amount), every: Seconds(budget.every) };
    Ok(Tenant {
        tenant: id.0,
        name: directory.tenants.name(id.0).to_owned(),
        weight: it.weight,
        budget: it.budget.map(budget),
        spent: Amount(it.spent),
        reserved: Amount(it.reserved),
        charged: Amount(it.charged),
    })
}

/// All tenants that the token may see.
#[utoipa::path(get, path = "/api/tenants", tag = "tenants",
    responses((status = 200, body = Tenants), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(State(server): State<Server>, by: By) -> Answer<Json<Tenants>> {
    server
        .look(move |look| {
            let ids = (0..).map(TenantId).take(look.state().tenants().len());
            let seen = ids.filter(|id| by.may_read(*id));
            let tenants = seen.map(|id| tenant(look.state(), &look.desk.directory, id));
            Ok(Json(Tenants { tenants: tenants.collect::<Answer<_>>()? }))
        })
        .await
}

/// A new tenant. Needs an admin's token.
#[utoipa::path(post, path = "/api/tenants", tag = "tenants", request_body = NewTenant,
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = Tenant), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn create(
    State(server): State<Server>,
    by: By,
    body: Body<NewTenant>,
) -> Answer<Created<Tenant>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("make tenants"));
    }
    let (once, said) = (body.once.by(&by)?, body.said);
    let made = server.turn(move |turn| {
        once::run(turn, once, |turn| {
            turn.directory().tenants.check_new(&said.name)?;
            let Reply::Tenant(id) = turn.command(Command::AddTenant(spec(said.weight, said.budget)))? else {
                unreachable!("it makes a tenant")
            };
            let (key, value) = turn.directory_mut().tenants.add(id.0, TenantRecord { name: said.name });
            turn.put(key, value);
            tenant(turn.state(), turn.directory(), id)
        })
    });
    made.await.map(Created)
}

/// A tenant.
#[utoipa::path(get, path = "/api/tenants/{tenant}", tag = "tenants", params(("tenant" = String, Path, description = "Name or number")),
    responses((status = 200, body = Tenant), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn show(State(server): State<Server>, by: By, word: Word) -> Answer<Json<Tenant>> {
    let id = known(&server, &by, &word)?;
    server.look(move |look| tenant(look.state(), &look.desk.directory, id).map(Json)).await
}

/// Another weight or budget. A lower budget acts from the next interval, a higher one at once. Needs an admin's token.
#[utoipa::path(put, path = "/api/tenants/{tenant}", tag = "tenants", request_body = TenantChange, params(("tenant" = String, Path, description = "Name or number")),
    responses((status = 200, body = Tenant), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn change(
    State(server): State<Server>,
    by: By,
    word: Word,
    body: Body<TenantChange>,
) -> Answer<Json<Tenant>> {
    let id = known(&server, &by, &word)?;
    if !by.is_admin() {
        return Err(Problem::forbidden("change tenants"));
    }
    let said = body.said;
    let changed = server.turn(move |turn| {
        turn.command(Command::SetTenant(id, spec(said.weight, said.budget)))?;
        tenant(turn.state(), turn.directory(), id)
    });
    changed.await.map(Json)
}

/// The tenant that a path means, if the caller may see it: others are as if they were not there.
pub(super) fn known(server: &Server, by: &By, word: &Word) -> Answer<TenantId> {
    let found = server.directory().tenant(&word.0)?;
    if by.may_read(found) { Ok(found) } else { Err(Problem::not_found(format_args!("tenant '{}'", word.0))) }
}
