//! Clients: the end users for whose requests jobs are done, with their patience. Each is one tenant's own.

use axum::extract::State;
use axum::http::StatusCode;
use muster_engine::ids::{ClientId, TenantId};
use muster_engine::spec::ClientSpec;
use muster_engine::{Command, Reply};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Word};
use super::jobs::tenant_of;
use crate::keeper::recover::record;
use crate::keeper::turn::Turn;
use crate::keys::{self, Sort};
use crate::once;
use crate::problem::{Answer, Problem};
use crate::wire::Seconds;

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(create)).routes(routes!(show, remove))
}

/// A client, as kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ClientRecord {
    tenant: TenantId,
}

/// A new client: how patient it is. What is left out is as it is by default.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewClient {
    /// Whose it is: the token's tenant unless said.
    pub tenant: Option<String>,
    /// Weight of the past when an answer came sooner than expected, from 0 to 1.
    pub alpha_gain: Option<f64>,
    /// Weight of the past when it came later, from 0 to 1.
    pub alpha_loss: Option<f64>,
    /// Below this patience the client is unhappy, from 0 to 1.
    pub threshold: Option<f64>,
    /// Patience to begin with, from 0 to 1.
    pub patience: Option<f64>,
    /// How many times the ideal response time the client finds right.
    pub tolerance: Option<f64>,
    /// The response time of an empty system.
    pub ideal: Option<Seconds>,
}

impl NewClient {
    fn spec(&self) -> ClientSpec {
        let usual = ClientSpec::default();
        ClientSpec {
            alpha_gain: self.alpha_gain.unwrap_or(usual.alpha_gain),
            alpha_loss: self.alpha_loss.unwrap_or(usual.alpha_loss),
            threshold: self.threshold.unwrap_or(usual.threshold),
            patience: self.patience.unwrap_or(usual.patience),
            tolerance: self.tolerance.unwrap_or(usual.tolerance),
            ideal: self.ideal.map_or(usual.ideal, |span| span.0),
        }
    }
}

/// A client.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Client {
    /// Its number.
    pub client: u32,
    /// Whose it is.
    pub tenant: String,
    /// How patient it is, from 0 to 1.
    pub patience: f64,
    /// Whether it is less patient than its threshold.
    pub unhappy: bool,
    /// Jobs of it that are not done.
    pub waiting: u32,
    /// Jobs of it that are.
    pub served: u64,
}

fn told(
    state: &muster_engine::state::State,
    names: &crate::directory::Directory,
    tenant: TenantId,
    id: ClientId,
) -> Answer<Client> {
    let it = state.client(id).ok_or_else(|| Problem::not_found(id))?;
    Ok(Client {
        client: id.0,
        tenant: names.tenants.name(tenant.0).to_owned(),
        patience: it.patience,
        unhappy: it.is_unhappy(),
        waiting: it.waiting,
        served: it.served,
    })
}

/// Whose a client is.
async fn owner(server: &Server, id: ClientId) -> Answer<Option<TenantId>> {
    let read = move |reader: &dyn crate::journal::Reader| {
        let key = keys::one(Sort::Client, id.0);
        let kept = reader.get(&key)?.map(|bytes| record::<ClientRecord>(&key, &bytes)).transpose()?;
        Ok(kept.map(|kept| kept.tenant))
    };
    server.read(read).await
}

/// Refuses a client that is not this tenant's: it is as if it were not there.
pub async fn check(server: &Server, tenant: TenantId, client: Option<ClientId>) -> Answer<()> {
    let Some(client) = client else { return Ok(()) };
    if owner(server, client).await? == Some(tenant) { Ok(()) } else { Err(Problem::not_found(client)) }
}

/// A new client.
#[utoipa::path(post, path = "/api/clients", tag = "clients", request_body = NewClient,
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = Client), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn create(State(server): State<Server>, by: By, body: Body<NewClient>) -> Answer<Created<Client>> {
    let (once, said) = (body.once.by(&by)?, body.said);
    let tenant = tenant_of(&by, &server.directory(), said.tenant.as_deref())?;
    if !by.may_submit(tenant) {
        return Err(Problem::forbidden("make clients"));
    }
    let make = move |turn: &mut Turn<'_>| {
        let Reply::Client(id) = turn.command(Command::AddClient(said.spec()))? else {
            unreachable!("it makes a client")
        };
        turn.put_record(keys::one(Sort::Client, id.0), &ClientRecord { tenant });
        told(turn.state(), turn.directory(), tenant, id)
    };
    server.turn(move |turn| once::run(turn, once, make)).await.map(Created)
}

/// The client of a path, if the caller may see it.
async fn known(server: &Server, by: &By, word: &Word) -> Answer<(ClientId, TenantId)> {
    let id = ClientId(word.number("client")?);
    let tenant = owner(server, id).await?.filter(|tenant| by.may_read(*tenant));
    tenant.map(|tenant| (id, tenant)).ok_or_else(|| Problem::not_found(id))
}

/// A client, and how patient it is.
#[utoipa::path(get, path = "/api/clients/{client}", tag = "clients", params(("client" = u32, Path)),
    responses((status = 200, body = Client), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn show(State(server): State<Server>, by: By, word: Word) -> Answer<Json<Client>> {
    let (id, tenant) = known(&server, &by, &word).await?;
    server.look(move |look| told(look.state(), &look.desk.directory, tenant, id).map(Json)).await
}

/// Forgets a client who will ask for nothing more.
#[utoipa::path(delete, path = "/api/clients/{client}", tag = "clients", params(("client" = u32, Path)),
    responses((status = 204), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn remove(State(server): State<Server>, by: By, word: Word) -> Answer<StatusCode> {
    let (id, tenant) = known(&server, &by, &word).await?;
    if !by.may_submit(tenant) {
        return Err(Problem::forbidden("change clients"));
    }
    server
        .turn(move |turn| {
            turn.command(Command::RemoveClient(id))?;
            turn.delete(keys::one(Sort::Client, id.0));
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}
