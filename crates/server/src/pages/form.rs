//! Forms that only our own pages can send, and what is said after one.
//!
//! A form carries a value that belongs to the session and that no other site can read; requests that a browser says come from
//! elsewhere are refused before it is looked at. After an act the browser is led to a page, which says once what came of it.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::Failed;
use super::session::{Visitor, cookie, local};
use crate::http::Server;
use crate::http::extract::Raw;
use crate::problem::{Answer, Problem};

/// The field that carries the session's value.
const FIELD: &str = "csrf";

/// The value that belongs to a session.
#[must_use]
pub fn csrf(token: &str) -> String {
    let digest =
        Sha256::new().chain_update(token.as_bytes()).chain_update(b" acts from a page of muster").finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hidden field that every form of a visitor has.
#[must_use]
pub fn hidden(visitor: &Visitor) -> Markup {
    html! { input type="hidden" name=(FIELD) value=(visitor.csrf); }
}

fn refused(why: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "csrf", "This did not come from a page of this server", why)
}

/// Refuses requests that a browser says come from elsewhere.
pub fn check_origin(headers: &HeaderMap) -> Answer<()> {
    let said =
        |name: &str| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    if let Some(site) = said("sec-fetch-site") {
        let ours = matches!(site.as_str(), "same-origin" | "none");
        return if ours { Ok(()) } else { Err(refused("another site sent it; nothing was done")) };
    }
    let Some(origin) = said("origin") else { return Ok(()) };
    let host = said("host").unwrap_or_default();
    let ours = origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(&host));
    if ours { Ok(()) } else { Err(refused("another site sent it; nothing was done")) }
}

/// Whether a value is the session's, looked at to the end whatever it is.
#[must_use]
pub fn is_ours(visitor: &Visitor, said: &str) -> bool {
    let differ = visitor.csrf.bytes().zip(said.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
    visitor.csrf.len() == said.len() && differ == 0
}

/// Refuses what does not carry the session's value. For forms that are not read by [`Form`].
pub fn check(visitor: &Visitor, headers: &HeaderMap, said: &str) -> Answer<()> {
    check_origin(headers)?;
    let why = "the page is from before you signed in; go back, reload it and send it again";
    if is_ours(visitor, said) { Ok(()) } else { Err(refused(why)) }
}

/// The fields of a form, in their order; several may have the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Fields(pub Vec<(String, String)>);

impl Fields {
    /// The first value of a field, without spaces around it; empty if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// All values of a field.
    pub fn all<'a, 'n>(&'a self, name: &'n str) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.trim())
    }

    /// As a structure. Fields that were left empty count as not said.
    pub fn read<T: DeserializeOwned>(&self) -> Answer<T> {
        let said: Vec<&(String, String)> =
            self.0.iter().filter(|(_, value)| !value.trim().is_empty()).collect();
        let text =
            serde_urlencoded::to_string(said).map_err(|error| Problem::unreadable(error.to_string()))?;
        serde_urlencoded::from_str(&text).map_err(|error| {
            Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "value",
                "A value is not allowed",
                error.to_string(),
            )
        })
    }
}

async fn fields(request: Request, server: &Server) -> Answer<Fields> {
    let Raw(bytes) = Raw::from_request(request, server).await?;
    serde_urlencoded::from_bytes(&bytes).map(Fields).map_err(|error| Problem::unreadable(error.to_string()))
}

/// A form of somebody who is signed in, sent by one of our pages.
#[derive(Clone, Debug)]
pub struct Form<T> {
    /// Who sent it.
    pub visitor: Visitor,
    /// What was said. Fields that were left empty count as not said.
    pub said: T,
    /// The fields as they came.
    pub fields: Fields,
}

impl<T: DeserializeOwned> FromRequest<Server> for Form<T> {
    type Rejection = Response;

    async fn from_request(request: Request, server: &Server) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let visitor = Visitor::from_request_parts(&mut parts, server).await?;
        let request = Request::from_parts(parts, body);
        read(visitor, request, server).await.map_err(|problem| Failed(problem).into_response())
    }
}

async fn read<T: DeserializeOwned>(visitor: Visitor, request: Request, server: &Server) -> Answer<Form<T>> {
    let headers = request.headers().clone();
    let mut fields = fields(request, server).await?;
    check(&visitor, &headers, fields.get(FIELD))?;
    fields.0.retain(|(name, _)| name != FIELD);
    Ok(Form { said: fields.read()?, visitor, fields })
}

/// A form of somebody who may not be signed in, sent by one of our pages.
#[derive(Clone, Debug)]
pub struct Open<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Server> for Open<T> {
    type Rejection = Failed;

    async fn from_request(request: Request, server: &Server) -> Result<Self, Failed> {
        check_origin(request.headers())?;
        Ok(Self(fields(request, server).await?.read()?))
    }
}

/// What came of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// In a sentence.
    pub text: String,
    /// Whether it was refused.
    pub is_problem: bool,
}

const NOTICE: &str = "muster_notice";

/// Takes the notice away once a page has shown it.
pub(super) const NOTICE_SHOWN: &str = "muster_notice=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0";

/// Sentences in cookies are cut here, in bytes: browsers take 4096 in all.
const NOTICE_MOST: usize = 1000;

/// The notice that a request brings along.
pub(super) fn notice(headers: &HeaderMap) -> Option<Notice> {
    let text = cookie(headers, NOTICE).filter(|text| !text.is_empty())?;
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(text).ok()?;
    let (kind, text) = pairs.into_iter().next()?;
    Some(Notice { text, is_problem: kind == "problem" })
}

/// Text as it can stand in an address or a cookie.
#[must_use]
pub fn encoded(text: &str) -> String {
    let pair = serde_urlencoded::to_string([("", text)]).unwrap_or_default();
    pair.trim_start_matches('=').to_owned()
}

fn led_on(path: &str, kind: &str, text: &str) -> Response {
    let end = text.floor_char_boundary(NOTICE_MOST);
    let cookie =
        format!("{NOTICE}={kind}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60", encoded(&text[..end]));
    let mut response = Redirect::to(local(Some(path))).into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Leads on to a page, which says once what was done.
#[must_use]
pub fn done(path: &str, text: &str) -> Response {
    led_on(path, "done", text)
}

/// Leads back to a page, which says once why nothing was done.
#[must_use]
pub fn not_done(path: &str, problem: &Problem) -> Response {
    led_on(path, "problem", &problem.detail)
}
