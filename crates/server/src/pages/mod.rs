//! The pages: for workers, requesters and operations. Rendered here, live by server-sent events; they read and act through the
//! functions of the API, and decide nothing.
//!
//! | module | what it holds |
//! |---|---|
//! | [`session`] | who looks: the cookie, signing in and out |
//! | [`form`] | forms that only our own pages can send; what is said after one |
//! | [`layout`], [`parts`] | the page around everything; tiles, tables, fields, notices |
//! | [`live`] | what changes while a page is open |
//! | [`frame`] | HTML of tenants, in a room of its own |
//! | [`assets`] | styles and scripts |
//! | [`worker`], [`requester`], [`operations`] | the pages themselves, one file each |
//!
//! How to add a page: a file with `pub fn router() -> Router<Server>`, a handler that takes [`session::Visitor`] and returns [`Page`], and
//! [`layout::page`] around its body. Acts are forms: a handler that takes [`form::Form`] and returns [`form::done`].
//! Invariant: every reply of a page carries the headers of [`guard`], and nothing of a page runs that is not served from here.

pub mod assets;
pub mod form;
pub mod frame;
pub mod layout;
pub mod live;
pub mod operations;
pub mod parts;
pub mod requester;
pub mod session;
pub mod worker;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use maud::html;

use crate::http::Server;
use crate::problem::Problem;

/// All pages.
pub fn router() -> Router<Server> {
    Router::new()
        .merge(assets::router())
        .merge(session::router())
        .merge(worker::router())
        .merge(requester::router())
        .merge(operations::router())
        .route_layer(from_fn(guard))
}

/// A page, or why there is none.
pub type Page = Result<Response, Failed>;

/// A problem, as a page.
#[derive(Clone, Debug)]
pub struct Failed(pub Problem);

impl<T: Into<Problem>> From<T> for Failed {
    fn from(problem: T) -> Self {
        Self(problem.into())
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        let Self(problem) = self;
        let body = html! {
            h1 { (problem.title) }
            p { (parts::sentence(&problem.detail)) }
            p { a href="/" { "Go to the first page" } }
        };
        (problem.status(), layout::page(None, &problem.title, "", &body)).into_response()
    }
}

/// What a page may load, and who may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; \
                      connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The headers of pages. (`same-origin` rather than `no-referrer`: with the latter, browsers
/// hide where our own forms come from.)
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Puts the headers of pages on a reply; those that it has already stay.
pub async fn guard(request: Request, next: Next) -> Response {
    let had_notice = form::notice(request.headers()).is_some();
    guarded(next.run(request).await, had_notice)
}

/// A reply with the headers of pages; a notice that was shown is taken away.
#[must_use]
pub fn guarded(mut response: Response, had_notice: bool) -> Response {
    let headers = response.headers();
    let kind = headers.get(header::CONTENT_TYPE);
    let is_page =
        response.status().is_success() && kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if had_notice && is_page {
        headers.append(header::SET_COOKIE, HeaderValue::from_static(form::NOTICE_SHOWN));
    }
    response
}

/// Whether a request comes from somebody who reads pages, not from a program.
#[must_use]
pub fn wants_page(headers: &axum::http::HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accepts.is_some_and(|accept| accept.contains("text/html"))
}
