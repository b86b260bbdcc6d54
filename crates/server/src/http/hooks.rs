//! Webhooks: made, listed, replayed, deleted. Telling is done in [`crate::webhook`].

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Created, Json, Word};
use crate::access::new_secret;
use crate::directory::Directory;
use crate::keeper::recover::record;
use crate::keeper::turn::Turn;
use crate::keys::{self, Sort};
use crate::once;
use crate::problem::{Answer, Problem};
use crate::webhook::{self, HookRecord, event, send::Target};
use crate::wire::Moment;

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(delete)).routes(routes!(replay))
}

/// A new webhook.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewHook {
    /// Where to post: http://HOST/PATH.
    pub url: String,
    /// What to tell of.
    pub events: Vec<event::Sort>,
    /// Only what is this tenant's, by name or number.
    pub tenant: Option<String>,
    /// What it is for, in words.
    #[serde(default)]
    pub label: String,
    /// From this fact number on; from now on unless said.
    pub from: Option<u64>,
}

/// A webhook that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HookMade {
    /// Its number.
    pub id: u32,
    /// What posts are signed with, shown only now: the header `Muster-Signature` is `t=SECONDS,v1=HEX`, where HEX is the
    /// HMAC-SHA256 of `SECONDS.BODY` under this secret.
    pub secret: String,
}

/// A webhook.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Hook {
    /// Its number.
    pub id: u32,
    /// Where it posts.
    pub url: String,
    /// What it tells of.
    pub events: Vec<event::Sort>,
    /// Only what is this tenant's.
    pub tenant: Option<String>,
    /// What it is for.
    pub label: String,
    /// When it was made.
    pub made: Moment,
    /// Facts before this number have been told.
    pub cursor: u64,
    /// Posts that were taken since the server started.
    pub posts: u64,
    /// How often the next post has failed.
    pub failures: u32,
    /// Why, the last time.
    pub error: Option<String>,
}

/// Webhooks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Hooks {
    /// By number.
    pub hooks: Vec<Hook>,
}

fn admin(by: &By) -> Answer<()> {
    if by.is_admin() { Ok(()) } else { Err(Problem::forbidden("see or change webhooks")) }
}

fn told(server: &Server, names: &Directory, id: u32, kept: HookRecord) -> Hook {
    let going = server.hooks.going(id);
    Hook {
        id,
        url: kept.url,
        events: kept.events,
        tenant: kept.tenant.map(|tenant| names.tenants.name(tenant.0).to_owned()),
        label: kept.label,
        made: Moment(kept.made),
        cursor: kept.cursor,
        posts: going.posts,
        failures: going.failures,
        error: going.error,
    }
}

/// A webhook that is there.
fn kept(turn: &mut Turn<'_>, id: u32) -> Answer<HookRecord> {
    let key = keys::one(Sort::Hook, id);
    let bytes = turn.get(&key)?.ok_or_else(|| Problem::not_found(format_args!("webhook '{id}'")))?;
    Ok(record(&key, &bytes)?)
}

/// Makes a webhook. Needs an admin's token. A request that is repeated with its idempotency key gets the same secret again.
#[utoipa::path(post, path = "/api/hooks", tag = "operations", request_body = NewHook,
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is done once only")),
    responses((status = 201, body = HookMade), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn create(State(server): State<Server>, by: By, body: Body<NewHook>) -> Answer<Created<HookMade>> {
    admin(&by)?;
    let (once, said) = (body.once.by(&by)?, body.said);
    Target::parse(&said.url)?;
    if said.events.is_empty() {
        return Err(Problem::field(
            "events",
            "[]",
            "one or more of job, answer, wanted, worker, budget, decision",
        ));
    }
    let tenant = said.tenant.as_deref().map(|word| server.directory().tenant(word)).transpose()?;
    let secret = new_secret().map_err(|error| crate::journal::JournalError::Failed(error.to_string()))?;
    let secret = secret.replacen("mst_", "whs_", 1);
    let make = move |turn: &mut Turn<'_>| {
        let last = turn.shared().reader.last(&keys::one(Sort::Hook, 0), &keys::one(Sort::Hook, u32::MAX))?;
        let next = last.and_then(|(key, _)| keys::number(&key)).map_or(0, |id| id + 1);
        // One made in the same group is not durable yet, and so not seen by the reader.
        let mut id = next;
        while turn.get(&keys::one(Sort::Hook, id))?.is_some() {
            id += 1;
        }
        let kept = HookRecord {
            url: said.url,
            events: said.events,
            tenant,
            label: said.label,
            secret,
            made: turn.now(),
            cursor: said.from.unwrap_or(turn.next_number()),
        };
        turn.put_record(keys::one(Sort::Hook, id), &kept);
        Ok(id)
    };
    let made = server.turn(move |turn| {
        let (id, is_first) = once::first(turn, once, make)?;
        Ok((kept(turn, id)?, id, is_first))
    });
    let (hook, id, is_first) = made.await?;
    if is_first {
        webhook::spawn(&server, id);
    }
    Ok(Created(HookMade { id, secret: hook.secret }))
}

/// All webhooks, and how they go. Needs an admin's token.
#[utoipa::path(get, path = "/api/hooks", tag = "operations",
    responses((status = 200, body = Hooks), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn list(State(server): State<Server>, by: By) -> Answer<Json<Hooks>> {
    admin(&by)?;
    let names = server.directory();
    let kept = server.read(webhook::list).await?.into_iter();
    Ok(Json(Hooks { hooks: kept.map(|(id, kept)| told(&server, &names, id, kept)).collect() }))
}

/// Deletes a webhook. Needs an admin's token.
#[utoipa::path(delete, path = "/api/hooks/{id}", tag = "operations", params(("id" = u32, Path)),
    responses((status = 204), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn delete(State(server): State<Server>, by: By, id: Word) -> Answer<StatusCode> {
    admin(&by)?;
    let key = keys::one(Sort::Hook, id.number("webhook")?);
    server
        .turn(move |turn| {
            turn.get(&key)?.ok_or_else(|| Problem::not_found(format_args!("webhook '{}'", id.0)))?;
            turn.delete(key);
            Ok(())
        })
        .await?;
    server.hooks.wake();
    Ok(StatusCode::NO_CONTENT)
}

/// From where on.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// From this fact number on.
    pub from: u64,
}

/// Tells again what happened from a fact number on. Needs an admin's token.
#[utoipa::path(post, path = "/api/hooks/{id}/replay", tag = "operations", request_body = Replay, params(("id" = u32, Path)),
    responses((status = 200, body = Hook), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn replay(State(server): State<Server>, by: By, id: Word, body: Body<Replay>) -> Answer<Json<Hook>> {
    admin(&by)?;
    let (number, from) = (id.number::<u32>("webhook")?, body.said.from);
    let hook = server
        .turn(move |turn| {
            let mut hook = kept(turn, number)?;
            hook.cursor = from.min(turn.next_number());
            turn.put_record(keys::one(Sort::Hook, number), &hook);
            Ok(hook)
        })
        .await?;
    server.hooks.wake();
    Ok(Json(told(&server, &server.directory(), number, hook)))
}
