//! What handlers take out of requests: the caller, JSON, words of the path, idempotency keys. Each refuses in problem+json.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use muster_engine::Span;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::pace::too_slow;
use super::{Limits, Server};
use crate::access::Caller;
use crate::once::Once;
use crate::pages::form;
use crate::pages::session::Visitor;
use crate::problem::{Answer, Problem};

/// Who calls: by the bearer token, or for scripts of our pages by their session.
#[derive(Clone, Debug)]
pub struct By(pub Arc<Caller>);

impl std::ops::Deref for By {
    type Target = Caller;
    fn deref(&self) -> &Caller {
        &self.0
    }
}

/// Who calls is not known.
pub(crate) fn unauthorised(detail: &str) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "token", "A token is needed", detail)
}

impl FromRequestParts<Server> for By {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, server: &Server) -> Answer<Self> {
        let caller = match parts.headers.get(header::AUTHORIZATION) {
            Some(said) => by_token(server, said.to_str().unwrap_or_default())?,
            None => by_page(server, &parts.headers)?,
        };
        counted(server, &caller)?;
        Ok(Self(caller))
    }
}

const HOW: &str = "send the header 'Authorization: Bearer TOKEN'";

fn by_token(server: &Server, said: &str) -> Answer<Arc<Caller>> {
    let secret = said
        .split_once(' ')
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, secret)| secret.trim())
        .ok_or_else(|| unauthorised(HOW))?;
    let shared = &server.keeper.shared;
    let found = shared.tokens.find(secret, shared.clock.now());
    found.ok_or_else(|| unauthorised("there is no such token, or it has expired"))
}

/// A script of our own pages: the session's cookie, with the value that only our pages know.
fn by_page(server: &Server, headers: &HeaderMap) -> Answer<Arc<Caller>> {
    let visitor = Visitor::of(server, headers).ok_or_else(|| unauthorised(HOW))?;
    let said = headers.get("x-muster-csrf").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !form::is_ours(&visitor, said) {
        return Err(unauthorised(HOW));
    }
    form::check_origin(headers)?;
    Ok(visitor.caller)
}

/// Counts a request; too many in a short time are refused.
pub(crate) fn counted(server: &Server, caller: &Caller) -> Answer<()> {
    let each = Span(1_000_000_000 / u64::from(server.limits.rate.max(1)));
    let burst = Span(each.0 * u64::from(server.limits.burst));
    caller.count(server.keeper.shared.clock.now(), each, burst).map_err(|wait| {
        let seconds = wait.as_secs_f64().ceil() as u32;
        let detail = format!("this token may make {} requests a second", server.limits.rate);
        Problem::too_many(detail, seconds.max(1))
    })
}

/// The body, as bytes; what is larger than allowed is refused with what is allowed.
#[derive(Clone, Debug)]
pub struct Raw(pub Bytes);

impl FromRequest<Server> for Raw {
    type Rejection = Problem;

    async fn from_request(request: Request, server: &Server) -> Answer<Self> {
        let most = server.limits.body;
        // What says itself that it is too large need not be sent first.
        let said = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        if said.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > most as u64) {
            return Err(too_large(most));
        }
        let bytes = Bytes::from_request(request, server).await;
        bytes.map(Self).map_err(|error| unread(&error, &server.limits))
    }
}

fn unread(error: &BytesRejection, limits: &Limits) -> Problem {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return too_large(limits.body);
    }
    too_slow(error, limits).unwrap_or_else(|| Problem::unreadable(error.body_text()))
}

fn too_large(most: usize) -> Problem {
    let detail = format!("the body is larger than {most} bytes; send several smaller requests");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "The body is too large", detail)
}

/// JSON that the body must be.
pub fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Answer<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        let status = match error.classify() {
            serde_json::error::Category::Data => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::BAD_REQUEST,
        };
        Problem::new(status, "json", "The body is not what is wanted here", error.to_string())
    })
}

/// The body as JSON, with the bytes it came in and the request's idempotency key.
#[derive(Debug)]
pub struct Body<T> {
    /// What was said.
    pub said: T,
    /// How often it may be done.
    pub once: KeyAndRequest,
}

impl<T> Body<T> {
    /// What a page says, which is done as often as it is sent.
    pub(crate) fn of(said: T) -> Self {
        let key = Key { key: None, path: String::new() };
        Self { said, once: KeyAndRequest { key, bytes: Bytes::new() } }
    }
}

impl<T: DeserializeOwned> FromRequest<Server> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, server: &Server) -> Answer<Self> {
        let key = Key::of(&request);
        let Raw(bytes) = Raw::from_request(request, server).await?;
        Ok(Self { said: parse(&bytes)?, once: KeyAndRequest { key, bytes } })
    }
}

/// An idempotency key, and the path it came with.
#[derive(Clone, Debug)]
pub struct Key {
    key: Option<String>,
    path: String,
}

impl Key {
    /// That of a request.
    pub fn of(request: &Request) -> Self {
        let key = request.headers().get("idempotency-key");
        let key = key.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let path = request.uri().path_and_query().filter(|_| key.is_some());
        Self { key, path: path.map(|path| path.as_str().to_owned()).unwrap_or_default() }
    }

    /// For [`crate::once::run`], with what stands for the body; `None` if the request had no key.
    pub fn with(&self, caller: &Caller, body: &[u8]) -> Answer<Option<Once>> {
        self.key.as_deref().map(|key| Once::new(caller, key, &self.path, body)).transpose()
    }
}

/// An idempotency key with the request it came with.
#[derive(Clone, Debug)]
pub struct KeyAndRequest {
    key: Key,
    bytes: Bytes,
}

impl KeyAndRequest {
    /// For [`crate::once::run`]; `None` if the request had no key.
    pub fn by(&self, caller: &Caller) -> Answer<Option<Once>> {
        self.key.with(caller, &self.bytes)
    }

    /// The same for a request that needs no token, by what it shows instead; `None` if the request had no key.
    pub fn shown(&self, shown: &str) -> Answer<Option<Once>> {
        let Key { key, path } = &self.key;
        key.as_deref().map(|key| Once::shown(shown, key, path, &self.bytes)).transpose()
    }

    /// The key itself.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.key.key.as_deref()
    }

    /// The body's bytes.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

impl FromRequest<Server> for KeyAndRequest {
    type Rejection = Problem;

    async fn from_request(request: Request, server: &Server) -> Answer<Self> {
        let key = Key::of(&request);
        let Raw(bytes) = Raw::from_request(request, server).await?;
        Ok(Self { key, bytes })
    }
}

/// A word of the path: a name or a number.
#[derive(Clone, Debug)]
pub struct Word(pub String);

impl FromRequestParts<Server> for Word {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, server: &Server) -> Answer<Self> {
        let path = axum::extract::Path::<String>::from_request_parts(parts, server).await;
        path.map(|path| Self(path.0)).map_err(|error| Problem::unreadable(error.body_text()))
    }
}

impl Word {
    /// As a number.
    pub fn number<N: std::str::FromStr>(&self, what: &str) -> Answer<N> {
        self.0.parse().map_err(|_| Problem::not_found(format_args!("{what} '{}'", self.0)))
    }
}

/// What stands behind the question mark.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<Server> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, server: &Server) -> Answer<Self> {
        let query = axum::extract::Query::<T>::from_request_parts(parts, server).await;
        query.map(|query| Self(query.0)).map_err(|error| Problem::unreadable(error.body_text()))
    }
}

/// A reply in JSON.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(bytes) => ([(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
            Err(error) => Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "The server made a mistake",
                error.to_string(),
            )
            .into_response(),
        }
    }
}

/// Something new, in JSON.
#[derive(Clone, Copy, Debug)]
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self.0)).into_response()
    }
}

/// JSON that is text already.
#[must_use]
pub fn json_text(text: &str) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text.to_owned()).into_response()
}
