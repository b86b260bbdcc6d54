//! What a crash leaves behind: the journal fails at every single append, before or after it was durable, and the server that
//! starts on what is there has everything that was acknowledged, nothing twice, and a ledger that agrees with the answers.

mod support;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use axum::http::Method;
use muster_engine::Span;
use muster_server::journal::Reader;
use muster_server::journal::fault::{FaultyJournal, When};
use muster_server::journal::memory::{Disk, MemoryJournal};
use muster_server::keys;
use muster_server::payload::{Answer, answers};
use serde_json::{Value, json};
use support::{Reply, START, World};

/// What the clients were told.
#[derive(Default)]
struct Heard {
    /// The admin's token, if there is one.
    admin: Option<String>,
    jobs: Vec<u64>,
    /// By lease: worker and the answer.
    answers: BTreeMap<u64, (u64, Value)>,
}

/// Sends a request with an idempotency key; `None` if the server could not do it.
async fn send(world: &World, path: &str, key: &str, body: Value) -> Option<Value> {
    let request = axum::http::Request::builder().method(Method::POST).uri(path);
    let request = request.header("authorization", format!("Bearer {}", world.admin));
    let request = request.header("idempotency-key", key);
    let Reply { status, body } = world.request(request.body(body.to_string().into()).unwrap()).await;
    if status.is_server_error() {
        return None;
    }
    assert!(status.is_success(), "{status} {body}");
    Some(body)
}

/// A short life: two workers share three jobs. Ends early if the server does.
async fn live(world: &World, heard: &mut Heard) -> Option<()> {
    send(world, "/api/tenants", "t", json!({"name": "acme"})).await?;
    send(world, "/api/apps", "a", json!({"name": "look"})).await?;
    send(world, "/api/kinds", "k", json!({"name": "person", "role": {"is": "person", "wage_waiting": 3}}))
        .await?;
    send(world, "/api/pools", "p", json!({"name": "day", "apps": ["look"]})).await?;
    let mut workers = Vec::new();
    for name in ["ann", "bob"] {
        let body = json!({"pool": "day", "kind": "person", "name": name});
        workers.push(send(world, "/api/workers", name, body).await?["worker"].clone());
    }
    for n in 0..3 {
        let body =
            json!({"tenant": "acme", "app": "look", "price": 0.05, "slots": 1 + n % 2, "tasks": [n, n + 1]});
        let job = send(world, "/api/jobs", &format!("job {n}"), body).await?;
        heard.jobs.push(job["job"].as_u64().unwrap());
        world.pass(Span::from_secs(1));
    }
    for round in 0..8 {
        for worker in &workers {
            let asked =
                send(world, "/api/work", "", json!({"operations": [{"do": "ask", "worker": worker}]}));
            let asked = asked.await?;
            let Some(lease) = asked["done"][0]["lease"]["lease"].as_u64() else { continue };
            let answer = json!({"round": round, "by": worker});
            let operation = json!({"do": "answer", "worker": worker, "lease": lease, "answer": answer});
            let done = send(world, "/api/work", "", json!({"operations": [operation]})).await?;
            if done["done"][0].get("verdict").is_some() {
                heard.answers.insert(lease, (worker.as_u64().unwrap(), answer));
            }
        }
        world.pass(Span::from_secs(1));
    }
    Some(())
}

/// All answers on a disk.
fn kept(disk: &Disk) -> Vec<Answer> {
    let prefix = keys::only(keys::Sort::Answers);
    let blobs = disk.range(&prefix, &keys::after(&prefix), usize::MAX).unwrap();
    blobs.into_iter().flat_map(|(_, bytes)| answers(&bytes).unwrap()).collect()
}

async fn check(disk: &Disk, heard: &Heard) {
    let mut world = World::on(disk, START + Span::from_mins(5)).await;
    world.admin = heard.admin.clone().unwrap_or(world.admin);
    let kept = kept(disk);
    for (lease, (worker, answer)) in &heard.answers {
        let mut found = kept.iter().filter(|kept| kept.token.0 == *lease);
        let found = (found.next().expect("every acknowledged answer is there"), found.next());
        assert_eq!((u64::from(found.0.worker.0), found.1), (*worker, None));
        assert_eq!(serde_json::from_slice::<Value>(&found.0.body).unwrap(), *answer);
    }
    for job in &heard.jobs {
        world.get(&format!("/api/jobs/{job}")).await.ok();
    }
    // The ledger is the sum of the answers that are kept.
    let paid: i64 = kept.iter().map(|answer| answer.pay.0).sum();
    let books = world.server.look(|look| Ok(*look.state().books())).await.unwrap();
    assert_eq!(books.answers.0, paid);
    // The life goes on where it was: what was done is not done again.
    let mut after = Heard::default();
    live(&world, &mut after).await.expect("nothing fails now");
    assert!(after.jobs.starts_with(&heard.jobs), "keys are remembered");
    assert_eq!(after.jobs.len(), 3);
    for job in &after.jobs {
        assert_eq!(world.get(&format!("/api/jobs/{job}")).await.ok()["stage"], "done");
    }
    world.stop().await.unwrap();
    let total: usize = self::kept(disk).len();
    assert_eq!(total, 2 * (1 + 2 + 1), "exactly as many answers as slots");
}

#[tokio::test(flavor = "multi_thread")]
async fn at_every_append() {
    for when in [When::Before, When::After] {
        let mut n = 0;
        loop {
            let disk = Disk::new(1);
            let journal = MemoryJournal::open(&disk).unwrap();
            let faulty = FaultyJournal::new(Box::new(journal), Some(n), when);
            let world = World::with(Box::new(faulty), START).await.unwrap();
            let mut heard = Heard::default();
            // Without an admin's token nothing can be asked: the first append makes it.
            let mut ended = None;
            if n > 0 {
                heard.admin = Some(world.admin.clone());
                ended = live(&world, &mut heard).await;
            }
            if ended.is_some() {
                world.stop().await.unwrap_or_default();
                assert!(n > 20, "the life has many appends");
                break;
            }
            world.ended().unwrap_err();
            check(&disk, &heard).await;
            n += 1;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_writes_serves_reads_and_goes_on_by_itself() {
    let disk = Disk::new(1);
    let faulty = FaultyJournal::new(Box::new(MemoryJournal::open(&disk).unwrap()), None, When::Before);
    let full = faulty.full();
    let world = World::with(Box::new(faulty), START).await.unwrap();
    world.set_up().await;
    let job = world.submit(json!([1, 2])).await;
    let worker = world.join().await;
    full.store(true, Ordering::SeqCst);
    let body = json!({"tenant": "acme", "app": "look", "tasks": [3]});
    assert!(world.post("/api/jobs", body.clone()).await.refused(507).contains("disk is full"));
    assert!(world.post("/api/jobs", body.clone()).await.refused(507).contains("nothing was done"));
    assert_eq!(world.get(&format!("/api/jobs/{job}")).await.ok()["open"], 2);
    assert_eq!(world.get("/ready").await.status.as_u16(), 503);
    assert_eq!(world.get("/health").await.ok()["condition"], "disk-full");
    world.pass(Span::from_mins(30));
    full.store(false, Ordering::SeqCst);
    while world.get("/ready").await.status.as_u16() != 200 {
        tokio::task::yield_now().await;
    }
    assert_eq!(world.post("/api/jobs", body).await.ok()["job"], job + 1);
    assert!(world.ask(worker).await.get("lease").is_some());
    world.stop().await.unwrap();
}
