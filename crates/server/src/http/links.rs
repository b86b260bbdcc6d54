//! Join links: who has one may join a pool as a worker of a kind, until it expires or as many as wanted have come.
//!
//! A link is made to be announced, so its text is kept and shown to admins again; all that it allows is to join. Who joins by
//! one gets a token of their own.

use axum::extract::State;
use axum::http::StatusCode;
use muster_engine::ids::{AppId, KindId, PoolId, RecruitId};
use muster_engine::spec::WorkerSpec;
use muster_engine::state::State as Known;
use muster_engine::{Span, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Word};
use super::tokens::{fresh, issue_as};
use crate::access::{Scope, derived_secret, hash, new_secret};
use crate::directory::Directory;
use crate::journal::{Key, Reader};
use crate::keeper::desk::WorkerRecord;
use crate::keeper::recover::{all, record};
use crate::keeper::turn::Turn;
use crate::keys::{self, Sort};
use crate::once;
use crate::problem::{Answer, Problem};
use crate::wire::{Moment, Seconds};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(withdraw)).routes(routes!(join))
}

/// The token of who joined by a link is good for so long.
const TOKEN_GOOD_FOR: Span = Span::from_hours(24 * 30);
/// An idempotency key that a token is made of has so many characters at least.
const KEY_LEAST: usize = 32;

/// A join link, as kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct LinkRecord {
    secret: String,
    pool: PoolId,
    kind: KindId,
    label: String,
    expires: Option<Time>,
    most: Option<u32>,
    joined: u32,
}

impl LinkRecord {
    fn is_good(&self, now: Time) -> bool {
        self.expires.is_none_or(|expires| now < expires) && self.most.is_none_or(|most| self.joined < most)
    }

    fn told(&self, names: &Directory, now: Time) -> Link {
        Link {
            id: id_of(&self.secret),
            path: format!("/join/{}", self.secret),
            pool: names.pools.name(self.pool.0).to_owned(),
            kind: names.kinds.name(self.kind.0).to_owned(),
            label: self.label.clone(),
            expires: self.expires.map(Moment),
            most: self.most,
            joined: self.joined,
            good: self.is_good(now),
        }
    }
}

/// A new join link.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLink {
    /// Where to join, by name or number.
    pub pool: String,
    /// As what, by name or number.
    pub kind: String,
    /// What it is for, in words.
    #[serde(default)]
    pub label: String,
    /// It is good for so long; for ever unless said.
    pub expires_in: Option<Seconds>,
    /// So many may join by it; any number unless said.
    pub most: Option<u32>,
}

/// A join link.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Link {
    /// Its name.
    pub id: String,
    /// Where it leads on this server.
    pub path: String,
    /// Where to join.
    pub pool: String,
    /// As what.
    pub kind: String,
    /// What it is for.
    pub label: String,
    /// It is good until then.
    pub expires: Option<Moment>,
    /// So many may join by it.
    pub most: Option<u32>,
    /// So many have.
    pub joined: u32,
    /// Whether somebody can join by it now.
    pub good: bool,
}

/// Join links.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Links {
    /// All of them.
    pub links: Vec<Link>,
}

/// A link's name: the beginning of its hash, which gives nothing of the link away.
fn id_of(secret: &str) -> String {
    hash(secret)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn key_of(id: &str) -> Key {
    keys::named(Sort::Link, id.as_bytes())
}

fn kept(reader: &dyn Reader) -> Answer<Vec<LinkRecord>> {
    let read = |(key, bytes): (Key, Vec<u8>)| Ok(record(&key, &bytes)?);
    all(reader, Sort::Link)?.into_iter().map(read).collect()
}

/// Links by which somebody can join now.
pub async fn good(server: &Server) -> Answer<Vec<Link>> {
    let (names, now) = (server.directory(), server.keeper.shared.clock.now());
    let found = server.read(kept).await?;
    Ok(found.iter().filter(|link| link.is_good(now)).map(|link| link.told(&names, now)).collect())
}

fn admin(by: &By) -> Answer<()> {
    if by.is_admin() { Ok(()) } else { Err(Problem::forbidden("see or change join links")) }
}

/// Makes a join link. Needs an admin's token.
#[utoipa::path(post, path = "/api/links", tag = "operations", request_body = NewLink,
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = Link), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn create(
    State(server): State<Server>,
    by: By,
    body: Body<NewLink>,
) -> Answer<Created<Link>> {
    admin(&by)?;
    let (once, said, names) = (body.once.by(&by)?, body.said, server.directory());
    if said.most == Some(0) {
        return Err(Problem::field("most", 0, "1 or more, or nothing for any number"));
    }
    let link = LinkRecord {
        secret: secret()?,
        pool: names.pool(&said.pool)?,
        kind: names.kind(&said.kind)?,
        label: said.label,
        expires: said.expires_in.map(|span| server.keeper.shared.clock.now() + span.0),
        most: said.most,
        joined: 0,
    };
    let make = move |turn: &mut Turn<'_>| {
        let id = id_of(&link.secret);
        turn.put_record(key_of(&id), &link);
        Ok(id)
    };
    let made = server.turn(move |turn| {
        let id = once::run(turn, once, make)?;
        let missing = || Problem::not_found(format_args!("link '{id}'"));
        let link = found(turn, &id)?.ok_or_else(missing)?;
        Ok(Created(link.told(turn.directory(), turn.now())))
    });
    made.await
}

/// A link by its name.
fn found(turn: &mut Turn<'_>, id: &str) -> Answer<Option<LinkRecord>> {
    let key = key_of(id);
    Ok(turn.get(&key)?.map(|bytes| record(&key, &bytes)).transpose()?)
}

/// Makes a link for a recruit order, unless one is good already for its pool and kind.
pub async fn make_for(server: &Server, order: &crate::recruiter::Order) -> Answer<()> {
    let order = *order;
    let (now, found) = (server.keeper.shared.clock.now(), server.read(kept).await?);
    let serves = |link: &LinkRecord| link.pool == order.pool && link.kind == order.kind && link.is_good(now);
    if found.iter().any(serves) {
        return Ok(());
    }
    let link = LinkRecord {
        secret: secret()?,
        pool: order.pool,
        kind: order.kind,
        label: format!("for {}", order.recruit),
        expires: Some(order.deadline),
        most: Some(order.n),
        joined: 0,
    };
    let put = move |turn: &mut Turn<'_>| {
        turn.put_record(key_of(&id_of(&link.secret)), &link);
        Ok(())
    };
    server.turn(put).await
}

fn secret() -> Answer<String> {
    let text = new_secret().map_err(|error| crate::journal::JournalError::Failed(error.to_string()))?;
    Ok(text.replacen("mst_", "join_", 1))
}

/// All join links. Needs an admin's token.
#[utoipa::path(get, path = "/api/links", tag = "operations",
    responses((status = 200, body = Links), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(State(server): State<Server>, by: By) -> Answer<Json<Links>> {
    admin(&by)?;
    let (names, now) = (server.directory(), server.keeper.shared.clock.now());
    let links = server.read(kept).await?.iter().map(|link| link.told(&names, now)).collect();
    Ok(Json(Links { links }))
}

/// Withdraws a join link: nobody can join by it any more. Needs an admin's token.
#[utoipa::path(delete, path = "/api/links/{id}", tag = "operations", params(("id" = String, Path)),
    responses((status = 204), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn withdraw(State(server): State<Server>, by: By, id: Word) -> Answer<StatusCode> {
    admin(&by)?;
    server
        .turn(move |turn| {
            let key = key_of(&id.0);
            turn.get(&key)?.ok_or_else(|| Problem::not_found(format_args!("link '{}'", id.0)))?;
            turn.delete(key);
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

/// Who joins by a link.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Joining {
    /// The last part of the link's path.
    pub link: String,
    /// What the worker is called.
    #[serde(default)]
    pub name: String,
    /// What the worker has learned already.
    #[serde(default)]
    pub trained: Vec<String>,
    /// How much the worker likes apps, from 0 to 1.
    #[serde(default)]
    pub preferences: std::collections::BTreeMap<String, f64>,
}

/// Who has joined by a link.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Welcome {
    /// The worker's number.
    pub worker: u32,
    /// The worker's token: shown only now.
    pub token: String,
    /// The pool joined.
    pub pool: String,
}

/// The oldest order that somebody of a kind who comes to a pool fills.
fn order_for(state: &Known, pool: PoolId, kind: KindId) -> Option<RecruitId> {
    let mut orders = state.recruits().iter();
    orders.find(|(_, order)| order.pool == pool && order.kind == kind).map(|(id, _)| *id)
}

/// The token of who joins: random, or of link and idempotency key, so that it comes out the same for a request that is
/// repeated, and need not be kept.
fn token_for(link: &str, key: Option<&str>) -> Answer<String> {
    match key {
        None => Ok(new_secret().map_err(|error| crate::journal::JournalError::Failed(error.to_string()))?),
        Some(key) if key.len() >= KEY_LEAST => Ok(derived_secret(&["join", link, key])),
        Some(key) => {
            let allowed =
                format!("{KEY_LEAST} or more random characters, as the worker's token is made of it");
            Err(Problem::field("Idempotency-Key", format!("{} characters", key.len()), &allowed))
        }
    }
}

/// Joins a pool by a join link; no token is needed, and one for the new worker is given. An idempotency key must be random and
/// have 32 characters or more, a UUID for instance: who repeats the request with it gets the same worker and token again.
#[utoipa::path(post, path = "/api/join", tag = "workers", request_body = Joining, security(()),
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = Welcome), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn join(State(server): State<Server>, body: Body<Joining>) -> Answer<Created<Welcome>> {
    let token = token_for(&body.said.link, body.once.key())?;
    let once = body.once.shown(&body.said.link)?;
    join_with(&server, body.said, token, once).await.map(Created)
}

/// Joins a pool by a join link.
pub(crate) async fn join_by(server: &Server, said: Joining) -> Answer<Welcome> {
    let token = token_for(&said.link, None)?;
    join_with(server, said, token, None).await
}

async fn join_with(
    server: &Server,
    said: Joining,
    token: String,
    once: Option<once::Once>,
) -> Answer<Welcome> {
    let names = server.directory();
    let app = |word: &String| names.app(word);
    let trained = said.trained.iter().map(app).collect::<Answer<Vec<AppId>>>()?;
    let liking = |(word, liking): (&String, &f64)| Ok((names.app(word)?, *liking));
    let preferences = said.preferences.iter().map(liking).collect::<Answer<Vec<_>>>()?;
    let (hidden, link, name) = (token.clone(), said.link, said.name);
    let enter = move |turn: &mut Turn<'_>| {
        let mut kept = usable(turn, &link)?;
        let recruit = order_for(turn.state(), kept.pool, kept.kind);
        let spec = WorkerSpec { pool: kept.pool, kind: kept.kind, trained, preferences, recruit };
        let id = turn.next_token();
        let record = WorkerRecord { token: id, name, joined: turn.next_number() };
        let worker = turn.join(spec, &record)?;
        let scope = Scope::Worker(Some(kept.pool));
        let record = fresh(turn, &hidden, scope, "joined by a link", Some(TOKEN_GOOD_FOR));
        issue_as(turn, id, record);
        kept.joined += 1;
        turn.put_record(key_of(&id_of(&link)), &kept);
        Ok((worker.0, kept.pool.0))
    };
    let (worker, pool) = server.turn(move |turn| once::run(turn, once, enter)).await?;
    Ok(Welcome { worker, token, pool: names.pools.name(pool).to_owned() })
}

/// Where a link leads, if somebody can join by it now.
pub(crate) async fn leads_to(server: &Server, link: &str) -> Answer<(PoolId, KindId)> {
    let (link, now) = (link.to_owned(), server.keeper.shared.clock.now());
    let kept = server.read(move |reader| {
        let bytes = reader.get(&key_of(&id_of(&link)))?;
        usable_at(now, bytes, &link)
    });
    kept.await.map(|kept| (kept.pool, kept.kind))
}

/// A link that somebody can join by now.
fn usable(turn: &mut Turn<'_>, link: &str) -> Answer<LinkRecord> {
    let bytes = turn.get(&key_of(&id_of(link)))?;
    usable_at(turn.now(), bytes, link)
}

fn usable_at(now: Time, bytes: Option<Vec<u8>>, link: &str) -> Answer<LinkRecord> {
    let key = key_of(&id_of(link));
    let kept: Option<LinkRecord> = bytes.map(|bytes| record(&key, &bytes)).transpose()?;
    let kept = kept.filter(|kept| kept.secret == link);
    let kept = kept.ok_or_else(|| Problem::not_found("such link; it may have been withdrawn"))?;
    if kept.is_good(now) {
        return Ok(kept);
    }
    let why = if kept.expires.is_some_and(|expires| now >= expires) {
        "this link has expired; ask for a new one"
    } else {
        "as many as were wanted have joined by this link; ask for a new one"
    };
    Err(Problem::new(StatusCode::GONE, "link", "The link is used up", why))
}
