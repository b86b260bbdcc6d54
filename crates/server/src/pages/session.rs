//! Who looks at a page: the cookie that holds a token's text, signing in and out, and where each scope begins.
//!
//! The cookie is HttpOnly and SameSite=Strict. A browser does not send such a cookie when somebody follows a link from another
//! site, so a page that is asked for from elsewhere without one asks for itself once more (`again`) before it says "sign in".
//! Start at [`Visitor`].

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::html;
use serde::Deserialize;

use super::form::{Open, csrf, encoded};
use super::{Page, layout, parts, wants_page};
use crate::access::{Caller, Scope};
use crate::http::Server;
use crate::http::extract::{By, Query, counted, unauthorised};
use crate::http::tokens;
use crate::problem::Problem;

/// The pages.
pub fn router() -> Router<Server> {
    Router::new()
        .route("/", get(first))
        .route("/sign-in", get(sign_in).post(signed_in))
        .route("/sign-out", axum::routing::post(sign_out))
        .route("/enter/{token}", get(enter))
        .route("/claim", get(claim).post(claimed))
}

/// The cookie's name.
pub const COOKIE: &str = "muster";

/// A cookie lasts so many seconds, unless its token expires earlier.
const COOKIE_LASTS: u64 = 30 * 24 * 3600;

/// The value of a cookie of a request.
#[must_use]
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// Whether the request came over https to whoever is before this server.
fn is_https(headers: &HeaderMap) -> bool {
    headers.get("x-forwarded-proto").is_some_and(|proto| proto.as_bytes().eq_ignore_ascii_case(b"https"))
}

/// The cookie that signs a browser in with a token that is good.
#[must_use]
pub fn set_cookie(server: &Server, headers: &HeaderMap, token: &str, caller: &Caller) -> HeaderValue {
    let now = server.keeper.shared.clock.now();
    let left = caller.expires.map_or(COOKIE_LASTS, |expires| expires.since(now).0 / 1_000_000_000);
    let secure = if is_https(headers) { "; Secure" } else { "" };
    let lasts = left.min(COOKIE_LASTS);
    let text = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={lasts}{secure}");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(NO_COOKIE))
}

/// The cookie that signs a browser out.
const NO_COOKIE: &str = "muster=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0";

/// Somebody with a good token, in a browser.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// What the token allows.
    pub caller: Arc<Caller>,
    /// What forms and scripts must carry to act for this session.
    pub csrf: String,
    /// What the last act came to, to be said on this page.
    pub notice: Option<super::form::Notice>,
    token: String,
}

impl std::ops::Deref for Visitor {
    type Target = Caller;
    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl Visitor {
    /// Who looks, by the cookie; `None` without a good one.
    #[must_use]
    pub fn of(server: &Server, headers: &HeaderMap) -> Option<Self> {
        let token = cookie(headers, COOKIE)?;
        let shared = &server.keeper.shared;
        let caller = shared.tokens.find(token, shared.clock.now())?;
        let notice = super::form::notice(headers);
        Some(Self { caller, csrf: csrf(token), notice, token: token.to_owned() })
    }

    /// As the API's functions want it.
    #[must_use]
    pub fn by(&self) -> By {
        By(Arc::clone(&self.caller))
    }

    /// Whether the token is still good.
    #[must_use]
    pub fn is_still_good(&self, server: &Server) -> bool {
        let shared = &server.keeper.shared;
        shared.tokens.find(&self.token, shared.clock.now()).is_some()
    }
}

impl FromRequestParts<Server> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, server: &Server) -> Result<Self, Response> {
        let Some(visitor) = Self::of(server, &parts.headers) else { return Err(stranger(parts)) };
        match counted(server, &visitor.caller) {
            Ok(()) => Ok(visitor),
            Err(problem) if wants_page(&parts.headers) => Err(super::Failed(problem).into_response()),
            Err(problem) => Err(problem.into_response()),
        }
    }
}

/// What somebody without a session gets: the page once more, the way to sign in, or a problem if no page was wanted.
fn stranger(parts: &Parts) -> Response {
    if !wants_page(&parts.headers) {
        return unauthorised("sign in first").into_response();
    }
    if parts.method != Method::GET {
        return Redirect::to("/sign-in").into_response();
    }
    if is_from_elsewhere(&parts.headers) {
        return again();
    }
    let next = parts.uri.path_and_query().map_or("/", axum::http::uri::PathAndQuery::as_str);
    Redirect::to(&format!("/sign-in?next={}", encoded(next))).into_response()
}

/// Whether a browser says that another site led here.
fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| matches!(site.as_bytes(), b"cross-site" | b"same-site"))
}

/// A page that asks for itself once more: by then the browser sends our cookies.
fn again() -> Response {
    let page = html! { (maud::DOCTYPE) html lang="en" { head { meta charset="utf-8"; meta http-equiv="refresh" content="0"; title { "Muster" } } } };
    page.into_response()
}

/// A path on this server, or the first page: never another site.
#[must_use]
pub fn local(next: Option<&str>) -> &str {
    let is_local = |path: &&str| {
        path.starts_with('/')
            && !path.starts_with("//")
            && !path.contains(['\\', '\r', '\n', '\t'])
            && path.is_ascii()
    };
    next.filter(is_local).unwrap_or("/")
}

/// Goes to where the scope belongs.
async fn first(visitor: Visitor) -> Redirect {
    Redirect::to(match visitor.scope {
        Scope::Admin | Scope::Read(None) => "/operations",
        Scope::Tenant(_) | Scope::Read(Some(_)) => "/jobs",
        Scope::Worker(_) => "/work",
    })
}

/// Where to go after signing in.
#[derive(Clone, Debug, Deserialize)]
struct Next {
    next: Option<String>,
}

async fn sign_in(
    State(server): State<Server>,
    headers: HeaderMap,
    Query(Next { next }): Query<Next>,
) -> Response {
    let visitor = Visitor::of(&server, &headers);
    sign_in_page(visitor.as_ref(), next.as_deref(), None).into_response()
}

fn sign_in_page(visitor: Option<&Visitor>, next: Option<&str>, wrong: Option<&str>) -> maud::Markup {
    let token = parts::Field::new("token", "Token")
        .hint("It begins with mst_. An admin makes tokens; workers come by a join link instead.")
        .error(wrong)
        .secret();
    let body = html! {
        h1 { "Sign in" }
        form method="post" action="/sign-in" .narrow {
            input type="hidden" name="next" value=(local(next));
            (token)
            (parts::submit("Sign in"))
        }
    };
    layout::page(visitor, "Sign in", "", &body)
}

/// A token, as said on a page.
#[derive(Clone, Debug, Deserialize)]
struct Said {
    #[serde(default)]
    token: String,
    next: Option<String>,
}

async fn signed_in(State(server): State<Server>, headers: HeaderMap, Open(said): Open<Said>) -> Response {
    let (token, next) = (said.token.trim(), local(said.next.as_deref()));
    entered(&server, &headers, token, next).unwrap_or_else(|| {
        let wrong = "There is no such token, or it has expired.";
        let page = sign_in_page(None, Some(next), Some(wrong));
        (axum::http::StatusCode::UNAUTHORIZED, page).into_response()
    })
}

/// Signs a browser in and leads on, if the token is good.
#[must_use]
pub fn entered(server: &Server, headers: &HeaderMap, token: &str, next: &str) -> Option<Response> {
    let shared = &server.keeper.shared;
    let caller = shared.tokens.find(token, shared.clock.now())?;
    let mut response = Redirect::to(next).into_response();
    response.headers_mut().append(header::SET_COOKIE, set_cookie(server, headers, token, &caller));
    Some(response)
}

/// A link that signs in. Who is signed in already as somebody else is asked first.
async fn enter(State(server): State<Server>, headers: HeaderMap, Path(token): Path<String>) -> Response {
    if is_from_elsewhere(&headers) {
        return again();
    }
    let visitor = Visitor::of(&server, &headers);
    let missing = || super::Failed(Problem::not_found("such token, or it has expired")).into_response();
    match visitor {
        Some(visitor) if visitor.token != token => {
            let body = html! {
                h1 { "Sign in as somebody else?" }
                p { "This browser is signed in already. The link signs it in anew, in place of that." }
                form method="post" action="/sign-in" {
                    input type="hidden" name="token" value=(token);
                    (parts::submit("Sign in with the link"))
                    " " a href="/" { "Stay as you are" }
                }
            };
            layout::page(Some(&visitor), "Sign in", "", &body).into_response()
        }
        _ => entered(&server, &headers, &token, "/").unwrap_or_else(missing),
    }
}

async fn sign_out(headers: HeaderMap, form: super::form::Form<super::form::Fields>) -> Response {
    drop(form);
    let mut cookie = NO_COOKIE.to_owned();
    if is_https(&headers) {
        cookie += "; Secure";
    }
    let cookie = HeaderValue::from_str(&cookie).unwrap_or(HeaderValue::from_static(NO_COOKIE));
    ([(header::SET_COOKIE, cookie)], Redirect::to("/sign-in")).into_response()
}

/// The page of the one-time link: its secret stands behind `#`, where no log sees it.
async fn claim() -> Response {
    let secret = parts::Field::new("secret", "What the link has behind #").secret();
    let body = html! {
        h1 { "Become admin" }
        p { "The first start printed a link that can be used once. It makes this browser the admin's." }
        form #claim method="post" action="/claim" .narrow { (secret) (parts::submit("Become admin")) }
        (super::assets::script("claim.js"))
    };
    layout::page(None, "Become admin", "", &body).into_response()
}

/// The one-time link's secret, as said on a page.
#[derive(Clone, Debug, Deserialize)]
struct Claimed {
    #[serde(default)]
    secret: String,
}

async fn claimed(State(server): State<Server>, headers: HeaderMap, Open(said): Open<Claimed>) -> Page {
    let made = tokens::claim_with(&server, said.secret.trim()).await?;
    let missing = || Problem::not_found("such token");
    Ok(entered(&server, &headers, &made.token, "/").ok_or_else(missing)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_server_follow_a_sign_in() {
        assert_eq!(local(Some("/jobs/3?x=1")), "/jobs/3?x=1");
        for foreign in [
            "//evil.example",
            "https://evil.example",
            "/\\evil.example",
            "jobs",
            "",
            "/a\r\nb",
            "/\t/evil.example",
        ] {
            assert_eq!(local(Some(foreign)), "/", "{foreign}");
        }
        assert_eq!(local(None), "/");
    }
}
