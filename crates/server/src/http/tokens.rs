//! Tokens: made, listed, revoked; and the one-time link of the first start.

use axum::extract::State;
use muster_engine::Span;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Word};
use crate::access::{Scope, TokenId, TokenRecord, hash, new_secret};
use crate::directory::Directory;
use crate::keeper::recover::{all, record};
use crate::keeper::turn::Turn;
use crate::keys::{self, Sort};
use crate::once;
use crate::problem::{Answer, Problem};
use crate::wire::{Moment, Seconds};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(revoke)).routes(routes!(claim))
}

/// What a token allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeSaid {
    /// Everything.
    Admin,
    /// A tenant's jobs.
    Tenant,
    /// Joining workers, and acting for them.
    Worker,
    /// Reading.
    Read,
}

/// A new token.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// What it allows.
    pub scope: ScopeSaid,
    /// Whose, for the scopes tenant (needed) and read (all tenants unless said).
    pub tenant: Option<String>,
    /// Where workers may join, for the scope worker; anywhere unless said.
    pub pool: Option<String>,
    /// What it is for, in words.
    #[serde(default)]
    pub label: String,
    /// It is good for so long; for ever unless said.
    pub expires_in: Option<Seconds>,
}

/// A token that was made: its text is shown only now.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Made {
    /// Its number.
    pub id: u32,
    /// Its text: send it as `Authorization: Bearer TEXT`.
    pub token: String,
}

/// A token.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Token {
    /// Its number.
    pub id: u32,
    /// What it allows.
    pub scope: ScopeSaid,
    /// Whose.
    pub tenant: Option<String>,
    /// Where workers may join.
    pub pool: Option<String>,
    /// What it is for.
    pub label: String,
    /// When it was made.
    pub made: Moment,
    /// It is good until then.
    pub expires: Option<Moment>,
}

/// Tokens.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TokenList {
    /// By number.
    pub tokens: Vec<Token>,
}

fn scope(said: &NewToken, directory: &Directory) -> Answer<Scope> {
    let tenant = said.tenant.as_deref().map(|word| directory.tenant(word)).transpose()?;
    let pool = said.pool.as_deref().map(|word| directory.pool(word)).transpose()?;
    Ok(match (said.scope, tenant) {
        (ScopeSaid::Admin, _) => Scope::Admin,
        (ScopeSaid::Tenant, Some(tenant)) => Scope::Tenant(tenant),
        (ScopeSaid::Tenant, None) => {
            return Err(Problem::field("tenant", "missing", "a tenant's name or number"));
        }
        (ScopeSaid::Worker, _) => Scope::Worker(pool),
        (ScopeSaid::Read, tenant) => Scope::Read(tenant),
    })
}

/// Makes a token good, with everything else of the turn.
pub fn issue_as(turn: &mut Turn<'_>, id: TokenId, record: TokenRecord) {
    turn.put_record(keys::one(Sort::Token, id.0), &record);
    let shared = std::sync::Arc::clone(turn.shared());
    turn.after(move || shared.tokens.insert(id, &record));
}

/// Makes a token with the next number.
pub fn issue(turn: &mut Turn<'_>, record: TokenRecord) -> TokenId {
    let id = turn.next_token();
    issue_as(turn, id, record);
    id
}

/// A token's record, good from now on.
#[must_use]
pub fn fresh(
    turn: &Turn<'_>,
    secret: &str,
    scope: Scope,
    label: &str,
    expires_in: Option<Span>,
) -> TokenRecord {
    let made = turn.now();
    let expires = expires_in.map(|span| made + span);
    TokenRecord { hash: hash(secret), scope, label: label.to_owned(), made, expires, once: false }
}

fn secret() -> Answer<String> {
    new_secret().map_err(|error| Problem::from(crate::journal::JournalError::Failed(error.to_string())))
}

/// Makes a token. Needs an admin's token. Texts of tokens are not kept: a request that is repeated with its idempotency key is
/// answered with 409, and the number of the token that the first one made.
#[utoipa::path(post, path = "/api/tokens", tag = "tokens", request_body = NewToken,
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = Made), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn create(
    State(server): State<Server>,
    by: By,
    body: Body<NewToken>,
) -> Answer<Created<Made>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("make tokens"));
    }
    let (once, said, text) = (body.once.by(&by)?, body.said, secret()?);
    let hidden = text.clone();
    let make = move |turn: &mut Turn<'_>| {
        let scope = scope(&said, turn.directory())?;
        let record = fresh(turn, &hidden, scope, &said.label, said.expires_in.map(|span| span.0));
        Ok(issue(turn, record).0)
    };
    let (id, is_first) = server.turn(move |turn| once::first(turn, once, make)).await?;
    if is_first {
        Ok(Created(Made { id, token: text }))
    } else {
        Err(once::made_already(format_args!("token {id}")))
    }
}

/// All tokens, without their texts. Needs an admin's token.
#[utoipa::path(get, path = "/api/tokens", tag = "tokens",
    responses((status = 200, body = TokenList), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(State(server): State<Server>, by: By) -> Answer<Json<TokenList>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("list tokens"));
    }
    let directory = server.directory();
    let tokens = server.read(move |reader| {
        let kept = all(reader, Sort::Token)?.into_iter();
        kept.map(|(key, bytes)| {
            let id = keys::number(&key).unwrap_or_default();
            Ok(token(id, &record(&key, &bytes)?, &directory))
        })
        .collect::<Answer<Vec<_>>>()
    });
    Ok(Json(TokenList { tokens: tokens.await? }))
}

fn token(id: u32, record: &TokenRecord, directory: &Directory) -> Token {
    let (scope, tenant, pool) = match record.scope {
        Scope::Admin => (ScopeSaid::Admin, None, None),
        Scope::Tenant(tenant) => (ScopeSaid::Tenant, Some(tenant), None),
        Scope::Worker(pool) => (ScopeSaid::Worker, None, pool),
        Scope::Read(tenant) => (ScopeSaid::Read, tenant, None),
    };
    Token {
        id,
        scope,
        tenant: tenant.map(|tenant| directory.tenants.name(tenant.0).to_owned()),
        pool: pool.map(|pool| directory.pools.name(pool.0).to_owned()),
        label: record.label.clone(),
        made: Moment(record.made),
        expires: record.expires.map(Moment),
    }
}

/// Revokes a token, from now on. Needs an admin's token.
#[utoipa::path(delete, path = "/api/tokens/{id}", tag = "tokens", params(("id" = u32, Path)),
    responses((status = 204), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn revoke(State(server): State<Server>, by: By, id: Word) -> Answer<axum::http::StatusCode> {
    if !by.is_admin() {
        return Err(Problem::forbidden("revoke tokens"));
    }
    let number: u32 = id.number("token")?;
    server
        .turn(move |turn| {
            if forget(turn, TokenId(number))? {
                Ok(axum::http::StatusCode::NO_CONTENT)
            } else {
                Err(Problem::not_found(format_args!("token '{number}'")))
            }
        })
        .await
}

/// Revokes a token, with everything else of the turn; whether there was one.
pub fn forget(turn: &mut Turn<'_>, id: TokenId) -> Answer<bool> {
    let key = keys::one(Sort::Token, id.0);
    let Some(bytes) = turn.get(&key)? else { return Ok(false) };
    let kept: TokenRecord = record(&key, &bytes)?;
    turn.delete(key);
    let shared = std::sync::Arc::clone(turn.shared());
    turn.after(move || shared.tokens.remove(&kept.hash));
    Ok(true)
}

/// The one-time link's secret.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// As printed at the first start.
    pub secret: String,
}

/// Turns the one-time link that the first start printed into an admin's token.
#[utoipa::path(post, path = "/api/claim", tag = "tokens", request_body = Claim, security(()),
    responses((status = 201, body = Made), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn claim(State(server): State<Server>, body: Body<Claim>) -> Answer<Created<Made>> {
    claim_with(&server, &body.said.secret).await.map(Created)
}

/// An admin's token for the one-time link's secret.
pub(crate) async fn claim_with(server: &Server, link: &str) -> Answer<Made> {
    let (wanted, text) = (hash(link), secret()?);
    let hidden = text.clone();
    let made = server.turn(move |turn| {
        let key = keys::only(Sort::Claim);
        let link = turn.get(&key)?.filter(|kept| kept.as_slice() == wanted);
        link.ok_or_else(|| Problem::not_found("such link; it can be used once"))?;
        turn.delete(key);
        let record = fresh(turn, &hidden, Scope::Admin, "claimed with the link of the first start", None);
        Ok(issue(turn, record))
    });
    Ok(Made { id: made.await?.0, token: text })
}

/// Makes a one-time link, in place of one that was not used; returns its secret.
pub async fn make_link(server: &Server) -> Answer<String> {
    let text = secret()?;
    let wanted = hash(&text);
    server
        .turn(move |turn| {
            turn.put(keys::only(Sort::Claim), wanted.to_vec());
            Ok(())
        })
        .await?;
    Ok(text)
}
