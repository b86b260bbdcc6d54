//! A browser without a screen: sends a session's cookie and forms, and sees what comes back. Does not know what is tested.

#![allow(dead_code, reason = "each test uses what it needs")]

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use axum::response::Response;
use muster_server::pages::form::csrf;
use tower::ServiceExt;

use super::World;

/// A reply as a browser sees it.
pub(crate) struct Seen {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub(crate) fn leads_to(&self) -> &str {
        self.header("location")
    }

    /// Where it leads to, if it leads on.
    #[track_caller]
    pub(crate) fn led(&self) -> String {
        assert_eq!(self.status.as_u16(), 303, "{}", self.text);
        self.leads_to().to_owned()
    }

    /// The page, if it is one.
    #[track_caller]
    pub(crate) fn page(self) -> String {
        assert_eq!(self.status.as_u16(), 200, "{}", self.text);
        self.text
    }
}

const FORM: &str = "application/x-www-form-urlencoded";

/// A browser, with or without a session.
pub(crate) struct Browser<'a> {
    pub(crate) world: &'a World,
    pub(crate) cookie: Option<String>,
    pub(crate) more: Vec<(&'static str, &'static str)>,
    pub(crate) csrf: String,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        Self { world, cookie: None, more: vec![("accept", "text/html")], csrf: String::new() }
    }

    pub(crate) fn signed_in(world: &'a World, token: &str) -> Self {
        Self { cookie: Some(format!("muster={token}")), csrf: csrf(token), ..Self::new(world) }
    }

    /// A browser with the session that a reply has set.
    pub(crate) fn after(world: &'a World, seen: &Seen) -> Self {
        let cookie = seen.header("set-cookie").split(';').next().unwrap_or_default();
        Self::signed_in(world, cookie.strip_prefix("muster=").unwrap_or_default())
    }

    /// The value that forms of this session carry.
    pub(crate) fn csrf(&self) -> String {
        self.csrf.clone()
    }

    /// Sends a form of one of our pages, its fields as they are encoded.
    pub(crate) async fn submit(&self, path: &str, fields: &str) -> Seen {
        self.post(path, &format!("csrf={}&{fields}", self.csrf)).await
    }

    pub(crate) fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.more.push((name, value));
        self
    }

    /// The reply as it comes.
    pub(crate) async fn begin(&self, method: Method, path: &str, kind: &str, body: &str) -> Response {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, "muster.example");
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        for (name, value) in &self.more {
            request = request.header(*name, *value);
        }
        let request = request.header(header::CONTENT_TYPE, kind);
        let request = request.body(Body::from(body.to_owned())).expect("a request");
        self.world.router.clone().oneshot(request).await.expect("a router never fails")
    }

    async fn send_as(&self, method: Method, path: &str, kind: &str, body: &str) -> Seen {
        let response = self.begin(method, path, kind, body).await;
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        Seen { status, headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    /// A form's reply that may go on.
    pub(crate) async fn reply(&self, method: Method, path: &str, body: &str) -> Response {
        self.begin(method, path, FORM, body).await
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: &str) -> Seen {
        self.send_as(method, path, FORM, body).await
    }

    pub(crate) async fn get(&self, path: &str) -> Seen {
        self.send_as(Method::GET, path, "text/plain", "").await
    }

    /// Sends a form as it is.
    pub(crate) async fn post(&self, path: &str, body: &str) -> Seen {
        self.send(Method::POST, path, body).await
    }

    /// Fills a form of ours in and sends it.
    pub(crate) async fn fill(&self, path: &str, fields: &[(&str, &str)]) -> Seen {
        let all: Vec<(&str, &str)> =
            [("csrf", self.csrf.as_str())].into_iter().chain(fields.iter().copied()).collect();
        self.post(path, &serde_urlencoded::to_string(all).expect("fields")).await
    }

    /// Fills in a form of ours with a file: its name and what it holds.
    pub(crate) async fn upload(&self, path: &str, fields: &[(&str, &str)], file: (&str, &str)) -> Seen {
        let all = [("csrf", self.csrf.as_str())].into_iter().chain(fields.iter().copied());
        let field = |(name, value): (&str, &str)| {
            format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let (name, text) = file;
        let file = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n{text}\r\n--edge--\r\n"
        );
        let body = all.map(field).collect::<String>() + &file;
        self.send_as(Method::POST, path, "multipart/form-data; boundary=edge", &body).await
    }

    /// The same browser, whose pages are of another session.
    pub(crate) fn stale(mut self) -> Self {
        self.csrf = csrf("mst_other");
        self
    }
}
