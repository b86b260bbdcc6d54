//! The time until a page of operations is rendered, from request to last byte, in one process: with 200 pools, 10,000 workers and 1,000
//! jobs beside 10 pools, 500 workers and 50 jobs.

use std::time::Instant;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use muster_server::access::{Scope, new_secret};
use muster_server::clock::Clock;
use muster_server::http::{self, Server, tokens};
use muster_server::journal::memory::{Disk, MemoryJournal};
use muster_server::keeper::{self, Keeper};
use muster_server::pages::operations::glance;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::child::runtime;
use crate::figure::{median, print};

/// What a page may take, in milliseconds.
const AIM: f64 = 100.0;
/// So many looks at each pool are remembered.
const LOOKS: usize = 180;
const PAGES: [(&str, &str); 4] = [
    ("operations", "/operations"),
    ("a pool", "/operations/pools/0"),
    ("workers", "/operations/workers"),
    ("jobs", "/jobs"),
];

/// How much there is.
#[derive(Clone, Copy)]
struct Size {
    pools: usize,
    workers: usize,
    jobs: usize,
}

struct World {
    router: Router,
    token: String,
    keeper: keeper::Running,
    server: Server,
}

impl World {
    async fn new(size: Size) -> Self {
        let journal = MemoryJournal::open(&Disk::new(1)).expect("nobody has it");
        let (keeper, running) =
            Keeper::start(Box::new(journal), Clock::machine(), keeper::Limits::default()).expect("it starts");
        let limits = http::Limits { rate: 1_000_000, burst: 1_000_000, ..http::Limits::default() };
        let server = Server::new(keeper, limits);
        let (token, router) = (new_secret().expect("randomness"), http::router(server.clone()));
        let hidden = token.clone();
        let made = server.turn(move |turn| {
            let record = tokens::fresh(turn, &hidden, Scope::Admin, "bench", None);
            Ok(tokens::issue(turn, record))
        });
        made.await.expect("a token");
        let world = Self { router, token, keeper: running, server };
        world.fill(size).await;
        world
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let request = Request::post(path).header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        let request =
            request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string()));
        let response = self.router.clone().oneshot(request.expect("a request")).await.expect("a reply");
        let status = response.status();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        let said = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        assert!(status.is_success(), "{path}: {status} {said}");
        said
    }

    async fn fill(&self, size: Size) {
        for name in ["ann", "ben", "cleo"] {
            self.post("/api/tenants", &json!({"name": name})).await;
        }
        let role = json!({"is": "person", "wage_waiting": 3});
        self.post("/api/kinds", &json!({"name": "person", "role": role})).await;
        for n in 0..size.pools {
            self.post("/api/apps", &json!({"name": format!("app {n}")})).await;
            self.post("/api/pools", &json!({"name": format!("pool {n}"), "apps": [format!("app {n}")]}))
                .await;
        }
        for n in 0..size.jobs {
            let tasks: Vec<Value> = (0..20).map(|item| json!({"item": item})).collect();
            let tenant = ["ann", "ben", "cleo"][n % 3];
            let app = format!("app {}", n % size.pools);
            self.post("/api/jobs", &json!({"tenant": tenant, "app": app, "price": 0.05, "tasks": tasks}))
                .await;
        }
        for n in 0..size.workers {
            let pool = format!("pool {}", n % size.pools);
            self.post("/api/workers", &json!({"pool": pool, "kind": "person"})).await;
        }
        let ask = |worker: usize| json!({"do": "ask", "worker": worker});
        for first in (0..size.workers).step_by(1000) {
            let asks: Vec<Value> = (first..(first + 1000).min(size.workers)).map(ask).collect();
            self.post("/api/work", &json!({"operations": asks, "wait": 0.0})).await;
        }
        // As much is remembered as there can be.
        for _ in 0..LOOKS {
            let glances = self.server.look(|look| Ok(glance::all(look.state()))).await;
            self.server.watch.look(glances.expect("a look"));
        }
    }

    /// How long a page takes, in milliseconds; its size in bytes.
    async fn time(&self, path: &str) -> (f64, usize) {
        let request = Request::get(path).header(header::ACCEPT, "text/html");
        let request = request.header(header::COOKIE, format!("muster={}", self.token)).body(Body::empty());
        let begun = Instant::now();
        let response = self.router.clone().oneshot(request.expect("a request")).await.expect("a reply");
        assert!(response.status().is_success(), "{path}: {}", response.status());
        let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        (begun.elapsed().as_secs_f64() * 1000.0, bytes.len())
    }

    async fn median_of(&self, path: &str, times: usize) -> (f64, usize) {
        let mut samples = Vec::new();
        let mut length = 0;
        for _ in 0..times {
            let (took, bytes) = self.time(path).await;
            samples.push(took);
            length = bytes;
        }
        (median(samples), length)
    }

    async fn end(self) {
        self.server.keeper.stop().await;
        drop(self.server);
        self.keeper.join().expect("it ends");
    }
}

/// Renders pages so many times in a large world, so many times smaller than said, and in a small one.
pub(crate) fn measure(smaller: usize, times: usize) {
    let large = Size { pools: 200 / smaller, workers: 10_000 / smaller, jobs: 1_000 / smaller };
    let small = Size { pools: 10, workers: 500 / smaller, jobs: 50 / smaller };
    runtime().block_on(async {
        let (large, small) = (World::new(large).await, World::new(small).await);
        for (name, path) in PAGES {
            let (its, _) = small.median_of(path, times).await;
            let (took, bytes) = large.median_of(path, times).await;
            let name = format!("page of {name}, {} kB", bytes / 1000);
            print(&name, took, "ms", Some(("10 pools", its)));
            print(&name, took, "ms", Some(("aim", AIM)));
        }
        large.end().await;
        small.end().await;
    });
}
