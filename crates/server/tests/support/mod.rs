//! A server inside the test, asked as over HTTP: the router is called without a socket. Does not know what is tested.

#![allow(dead_code, reason = "each test uses what it needs")]

pub(crate) mod browser;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use muster_engine::{Span, Time};
use muster_server::access::Scope;
use muster_server::clock::Clock;
use muster_server::http::{self, Server, tokens};
use muster_server::journal::memory::{Disk, MemoryJournal};
use muster_server::journal::{Journal, JournalError};
use muster_server::keeper::{self, Keeper};
use serde_json::{Value, json};
use tower::ServiceExt;

/// A server, and a clock that is moved by hand.
pub(crate) struct World {
    pub(crate) server: Server,
    pub(crate) router: Router,
    pub(crate) admin: String,
    keeper: keeper::Running,
    hand: Arc<AtomicU64>,
}

/// When tests begin.
pub(crate) const START: Time = Time(1_000_000_000_000_000_000);

/// A reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
}

impl Reply {
    /// What it says, if it is what was wanted.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.body);
        self.body
    }

    /// Why not, if it was refused with this status.
    #[track_caller]
    pub(crate) fn refused(self, status: u16) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self.body["detail"].as_str().expect("a sentence").to_owned()
    }
}

impl World {
    /// On a fresh journal in memory.
    pub(crate) async fn new() -> Self {
        Self::on(&Disk::new(1), START).await
    }

    /// On what a disk has.
    pub(crate) async fn on(disk: &Disk, at: Time) -> Self {
        let journal = MemoryJournal::open(disk).expect("nobody has it");
        Self::with(Box::new(journal), at).await.expect("it can be read")
    }

    /// On a journal.
    pub(crate) async fn with(journal: Box<dyn Journal>, at: Time) -> Result<Self, JournalError> {
        Self::limited(journal, at, keeper::Limits::default(), http::Limits::default()).await
    }

    /// With these limits.
    pub(crate) async fn limited(
        journal: Box<dyn Journal>,
        at: Time,
        limits: keeper::Limits,
        http: http::Limits,
    ) -> Result<Self, JournalError> {
        let (clock, hand) = Clock::by_hand(at);
        let (keeper, running) = Keeper::start(journal, clock, limits)?;
        let server = Server::new(keeper, http);
        let router = http::router(server.clone());
        let mut world = Self { server, router, admin: String::new(), keeper: running, hand };
        world.admin = world.token(Scope::Admin).await;
        Ok(world)
    }

    /// A token, made past the API.
    pub(crate) async fn token(&self, scope: Scope) -> String {
        let secret = muster_server::access::new_secret().expect("randomness");
        let hidden = secret.clone();
        let made = self.server.turn(move |turn| {
            let record = tokens::fresh(turn, &hidden, scope, "test", None);
            Ok(tokens::issue(turn, record))
        });
        // A server that cannot write has no token to give; requests then say why.
        let _ = made.await;
        secret
    }

    /// Moves the clock.
    pub(crate) fn pass(&self, span: Span) {
        self.hand.fetch_add(span.0, Ordering::SeqCst);
    }

    /// Sets the clock, back too.
    pub(crate) fn set(&self, at: Time) {
        self.hand.store(at.0, Ordering::SeqCst);
    }

    /// What time it is.
    pub(crate) fn now(&self) -> Time {
        Time(self.hand.load(Ordering::SeqCst))
    }

    /// Sends a request.
    pub(crate) async fn send(&self, method: Method, path: &str, token: &str, body: Option<Value>) -> Reply {
        let request = Request::builder().method(method).uri(path);
        let request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.request(request.body(body).expect("a request")).await
    }

    /// Sends a request that is made already.
    pub(crate) async fn request(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.expect("a router never fails");
        let status = response.status();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        Reply { status, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) }
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, &self.admin, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Reply {
        self.send(Method::POST, path, &self.admin, Some(body)).await
    }

    pub(crate) async fn post_as(&self, token: &str, path: &str, body: Value) -> Reply {
        self.send(Method::POST, path, token, Some(body)).await
    }

    /// Tenant "acme", app "look", kind "person", pool "day".
    pub(crate) async fn set_up(&self) {
        self.post("/api/tenants", json!({"name": "acme"})).await.ok();
        self.post("/api/apps", json!({"name": "look", "lease": 600})).await.ok();
        let role = json!({"is": "person", "wage_waiting": 3});
        self.post("/api/kinds", json!({"name": "person", "role": role})).await.ok();
        self.post("/api/pools", json!({"name": "day", "apps": ["look"]})).await.ok();
    }

    /// A job of acme's.
    pub(crate) async fn submit(&self, tasks: Value) -> u64 {
        let body = json!({"tenant": "acme", "app": "look", "price": 0.05, "tasks": tasks});
        self.post("/api/jobs", body).await.ok()["job"].as_u64().expect("a number")
    }

    /// A worker in "day".
    pub(crate) async fn join(&self) -> u64 {
        let body = json!({"pool": "day", "kind": "person", "name": "ann"});
        self.post("/api/workers", body).await.ok()["worker"].as_u64().expect("a number")
    }

    /// Asks for a task, without waiting.
    pub(crate) async fn ask(&self, worker: u64) -> Value {
        self.post(&format!("/api/workers/{worker}/ask"), json!({})).await.ok()
    }

    /// Operations in one request.
    pub(crate) async fn work(&self, operations: Value) -> Value {
        let body = json!({"operations": operations});
        self.post("/api/work", body).await.ok()["done"].clone()
    }

    /// Everything that waits is done, then the server ends with a snapshot.
    pub(crate) async fn stop(self) -> Result<(), JournalError> {
        self.server.keeper.stop().await;
        self.keeper.join()
    }

    /// Waits until the keeper has ended by itself.
    pub(crate) fn ended(self) -> Result<(), JournalError> {
        self.keeper.join()
    }
}
