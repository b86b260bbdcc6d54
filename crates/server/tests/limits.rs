//! Limits speak: what is too much is refused with how much there may be, and nothing is half done.

mod support;

use axum::http::{Method, Request};
use muster_engine::Span;
use muster_engine::ids::TenantId;
use muster_server::access::Scope;
use muster_server::journal::memory::{Disk, MemoryJournal};
use muster_server::{http, keeper};
use serde_json::json;
use support::{START, World};

async fn world(limits: keeper::Limits, http: http::Limits) -> World {
    let journal = MemoryJournal::open(&Disk::new(1)).unwrap();
    let world = World::limited(Box::new(journal), START, limits, http).await.unwrap();
    world.set_up().await;
    world
}

fn job(tasks: usize) -> serde_json::Value {
    json!({"tenant": "acme", "app": "look", "tasks": vec![1; tasks]})
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_and_queues_have_a_most() {
    let limits = keeper::Limits { tasks_per_job: 3, tasks_per_tenant: 5, ..keeper::Limits::default() };
    let world = world(limits, http::Limits::default()).await;
    assert!(world.post("/api/jobs", job(4)).await.refused(422).contains("from 1 to 3"));
    world.post("/api/jobs", job(3)).await.ok();
    let full = world.post("/api/jobs", job(3)).await.refused(429);
    assert!(full.contains("there may be 5 at once") && full.contains("room for 2"), "{full}");
    world.post("/api/jobs", job(2)).await.ok();
    // What is done makes room again.
    let worker = world.join().await;
    let lease = world.ask(worker).await["lease"]["lease"].clone();
    world.work(json!([{"do": "answer", "worker": worker, "lease": lease, "answer": 1}])).await;
    world.pass(Span::from_secs(2));
    world.post("/api/jobs", job(1)).await.ok();
    world.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_have_a_most() {
    let http = http::Limits { body: 2_000, payload: 100, operations: 2, ..http::Limits::default() };
    let world = world(keeper::Limits::default(), http).await;
    assert!(world.post("/api/jobs", job(1_500)).await.refused(413).contains("2000 bytes"));
    let large = json!({"tenant": "acme", "app": "look", "tasks": [1, "x".repeat(200)]});
    assert!(world.post("/api/jobs", large).await.refused(422).contains("tasks[1]"));
    let beat = json!({"do": "heartbeat", "worker": 0});
    let many = json!({"operations": [beat, beat, beat]});
    assert!(world.post("/api/work", many).await.refused(422).contains("at most 2"));
    assert_eq!(world.get("/api/jobs?tenant=acme").await.ok()["jobs"], json!([]));
    world.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_has_a_pace_of_its_own() {
    let http = http::Limits { rate: 10, burst: 20, ..http::Limits::default() };
    let world = world(keeper::Limits::default(), http).await;
    let (one, other) = (world.token(Scope::Read(None)).await, world.token(Scope::Tenant(TenantId(0))).await);
    let mut taken = 0;
    let refused = loop {
        let reply = world.send(Method::GET, "/api/apps", &one, None).await;
        if !reply.status.is_success() {
            break reply;
        }
        taken += 1;
    };
    assert_eq!(taken, 21);
    assert_eq!(refused.body["retry_after"], 1);
    assert!(refused.refused(429).contains("10 requests a second"));
    world.send(Method::GET, "/api/apps", &other, None).await.ok();
    world.pass(Span::from_secs(1));
    world.send(Method::GET, "/api/apps", &one, None).await.ok();
    world.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_refused_in_words() {
    let world = world(keeper::Limits::default(), http::Limits::default()).await;
    let no_token = world.request(Request::get("/api/apps").body("".into()).unwrap()).await;
    assert!(no_token.refused(401).contains("Authorization"));
    assert!(
        world.send(Method::GET, "/api/apps", "mst_wrong", None).await.refused(401).contains("no such token")
    );
    assert!(world.get("/api/nothing").await.refused(404).contains("address"));
    assert!(
        world.send(Method::DELETE, "/api/apps", &world.admin, None).await.refused(405).contains("method")
    );
    assert!(world.post("/api/tenants", json!({"nam": "x"})).await.refused(422).contains("nam"));
    assert!(world.post("/api/tenants", json!({"name": "12"})).await.refused(422).contains("not a number"));
    assert!(world.post("/api/tenants", json!({"name": "acme"})).await.refused(409).contains("already"));
    world.post("/api/apps", json!({"name": "read"})).await.ok();
    let pool = json!({"name": "night", "apps": ["read"], "policies": {"dispatch": "fairr"}});
    assert!(world.post("/api/pools", pool).await.refused(422).contains("fair"));
    assert!(world.get("/api/jobs/x").await.refused(404).contains("'x'"));
    let document = world.get("/api/openapi.json").await.ok();
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["paths"]["/api/jobs"]["post"]["requestBody"].is_object());
    world.stop().await.unwrap();
}
