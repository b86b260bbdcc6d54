//! Cycles per second: a task is submitted, leased and answered. 64 connections; answering and asking for the next is one
//! request. One task a request, and 50. The prototype and the server take turns.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use crate::child::{Process, runtime};
use crate::client::Connection;
use crate::figure::{median, print};

const CONNECTIONS: usize = 64;
const PAYLOAD: &str =
    r#"{"picture":"https://example.org/pictures/00000001.jpg","question":"Is there a cat?"}"#;
const ANSWER: &str = r#"{"cat":true,"sure":0.9}"#;

/// Whom the load is for.
#[derive(Clone, Copy, PartialEq)]
enum Whom {
    Prototype,
    Server,
}

fn tasks(batch: usize) -> String {
    vec![PAYLOAD; batch].join(",")
}

#[derive(Deserialize)]
struct TheirLeases {
    leases: Vec<TheirLease>,
}

#[derive(Deserialize)]
struct TheirLease {
    task: u64,
}

/// Submits and works until told to stop; counts answers.
async fn prototype(mut connection: Connection, batch: usize, stop: Arc<AtomicBool>, count: Arc<AtomicU64>) {
    let submission = format!(r#"{{"tasks":[{}]}}"#, tasks(batch));
    let mut held: Vec<u64> = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        connection.post("/submit", submission.as_bytes()).await;
        let answers: Vec<String> =
            held.iter().map(|task| format!(r#"{{"task":{task},"answer":{ANSWER}}}"#)).collect();
        let body = format!(r#"{{"answers":[{}],"wanted":{batch}}}"#, answers.join(","));
        let reply: TheirLeases =
            serde_json::from_slice(connection.post("/work", body.as_bytes()).await).expect("JSON");
        count.fetch_add(held.len() as u64, Ordering::Relaxed);
        held = reply.leases.into_iter().map(|lease| lease.task).collect();
    }
}

#[derive(Deserialize)]
struct AllDone {
    done: Vec<Done>,
}

#[derive(Deserialize)]
struct Done {
    verdict: Option<String>,
    lease: Option<Lease>,
}

#[derive(Deserialize)]
struct Lease {
    lease: u64,
}

async fn server(mut connection: Connection, batch: usize, stop: Arc<AtomicBool>, count: Arc<AtomicU64>) {
    let submission = format!(r#"{{"tenant":"acme","app":"look","price":0.05,"tasks":[{}]}}"#, tasks(batch));
    let mut workers: Vec<(u64, Option<u64>)> = Vec::new();
    for _ in 0..batch {
        let joined = connection.post_json("/api/workers", &json!({"pool": "day", "kind": "person"})).await;
        workers.push((joined["worker"].as_u64().expect("a number"), None));
    }
    while !stop.load(Ordering::Relaxed) {
        connection.post("/api/jobs", submission.as_bytes()).await;
        let operations: Vec<String> = workers
            .iter()
            .map(|(worker, lease)| match lease {
                Some(lease) => format!(
                    r#"{{"do":"answer","worker":{worker},"lease":{lease},"answer":{ANSWER},"next":true}}"#
                ),
                None => format!(r#"{{"do":"ask","worker":{worker}}}"#),
            })
            .collect();
        let body = format!(r#"{{"operations":[{}]}}"#, operations.join(","));
        let reply: AllDone =
            serde_json::from_slice(connection.post("/api/work", body.as_bytes()).await).expect("JSON");
        let counted = reply.done.iter().filter(|done| done.verdict.as_deref() == Some("counted")).count();
        count.fetch_add(counted as u64, Ordering::Relaxed);
        for ((_, held), done) in workers.iter_mut().zip(reply.done) {
            *held = done.lease.map(|lease| lease.lease);
        }
    }
}

/// Tenant, app, kind and pool.
pub(crate) async fn set_up(connection: &mut Connection) {
    connection.post_json("/api/tenants", &json!({"name": "acme"})).await;
    connection.post_json("/api/apps", &json!({"name": "look"})).await;
    let role = json!({"is": "person", "wage_waiting": 3});
    connection.post_json("/api/kinds", &json!({"name": "person", "role": role})).await;
    connection.post_json("/api/pools", &json!({"name": "day", "apps": ["look"]})).await;
}

/// Cycles per second of one of them, started afresh.
fn run(whom: Whom, batch: usize, how_long: Duration) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let what = if whom == Whom::Server { "--serve" } else { "--prototype" };
    let process = Process::start(what, &folder.path().join("journal"));
    let (stop, count) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    runtime().block_on(async {
        if whom == Whom::Server {
            set_up(&mut Connection::open(process.address, &process.token).await).await;
        }
        let mut loads = tokio::task::JoinSet::new();
        for _ in 0..CONNECTIONS {
            let connection = Connection::open(process.address, &process.token).await;
            let (stop, count) = (Arc::clone(&stop), Arc::clone(&count));
            match whom {
                Whom::Prototype => loads.spawn(prototype(connection, batch, stop, count)),
                Whom::Server => loads.spawn(server(connection, batch, stop, count)),
            };
        }
        tokio::time::sleep(how_long / 4).await;
        let (from, start) = (count.load(Ordering::Relaxed), Instant::now());
        tokio::time::sleep(how_long).await;
        let rate = (count.load(Ordering::Relaxed) - from) as f64 / start.elapsed().as_secs_f64();
        stop.store(true, Ordering::Relaxed);
        while loads.join_next().await.is_some() {}
        rate
    })
}

pub(crate) fn measure(how_long: Duration, times: usize) {
    for batch in [1, 50] {
        let mut rates = (Vec::new(), Vec::new());
        for _ in 0..times {
            rates.0.push(run(Whom::Server, batch, how_long));
            rates.1.push(run(Whom::Prototype, batch, how_long));
        }
        let name = format!("submit, lease, answer: {batch} a request, {CONNECTIONS} connections");
        print(&name, median(rates.0), "cycles/s", Some(("bare prototype", median(rates.1))));
    }
}
