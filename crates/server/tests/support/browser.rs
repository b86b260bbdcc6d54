//! A browser as far as the server sees it: a cookie, headers, forms. Runs no script.

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
    async fn of(response: Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        Self { status, headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Where it leads.
    pub(crate) fn leads_to(&self) -> &str {
        self.header("location")
    }

    /// Where it leads, if it leads on.
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

/// A browser, with or without a session.
pub(crate) struct Browser<'a> {
    pub(crate) world: &'a World,
    pub(crate) cookie: Option<String>,
    pub(crate) more: Vec<(&'static str, &'static str)>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        Self { world, cookie: None, more: vec![("accept", "text/html")] }
    }

    pub(crate) fn signed_in(world: &'a World, token: &str) -> Self {
        Self { cookie: Some(format!("muster={token}")), ..Self::new(world) }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.more.push((name, value));
        self
    }

    /// The value that forms of this session carry.
    pub(crate) fn csrf(&self) -> String {
        csrf(self.cookie.as_deref().and_then(|cookie| cookie.strip_prefix("muster=")).unwrap_or_default())
    }

    /// Sends a form of one of our pages.
    pub(crate) async fn submit(&self, path: &str, fields: &str) -> Seen {
        self.post(path, &format!("csrf={}&{fields}", self.csrf())).await
    }

    /// Fills in a form of one of our pages.
    pub(crate) async fn fill(&self, path: &str, fields: &[(&str, &str)]) -> Seen {
        self.submit(path, &serde_urlencoded::to_string(fields).expect("fields")).await
    }

    /// Fills in a form of one of our pages that has a file: its name and what it holds.
    pub(crate) async fn upload(&self, path: &str, fields: &[(&str, &str)], file: (&str, &str)) -> Seen {
        let csrf = self.csrf();
        let field = |(name, value): &(&str, &str)| {
            format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let (name, text) = file;
        let file = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n{text}\r\n--edge--\r\n"
        );
        let body = [("csrf", csrf.as_str())].iter().chain(fields).map(field).collect::<String>() + &file;
        Seen::of(self.reply_to(Method::POST, path, "multipart/form-data; boundary=edge", &body).await).await
    }

    /// A browser with the session that a reply has set.
    pub(crate) fn after(world: &'a World, seen: &Seen) -> Self {
        let cookie = seen.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
        Self { cookie: Some(cookie), ..Self::new(world) }
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: &str) -> Seen {
        Seen::of(self.reply(method, path, body).await).await
    }

    /// A reply that may go on.
    pub(crate) async fn reply(&self, method: Method, path: &str, body: &str) -> Response {
        self.reply_to(method, path, "application/x-www-form-urlencoded", body).await
    }

    async fn reply_to(&self, method: Method, path: &str, kind: &str, body: &str) -> Response {
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

    pub(crate) async fn get(&self, path: &str) -> Seen {
        self.send(Method::GET, path, "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Seen {
        self.send(Method::POST, path, body).await
    }
}
