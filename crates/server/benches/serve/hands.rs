//! How long after its submission a task is in a waiting worker's hands: many workers wait, tasks come at a steady rate
//! whatever the server does (open loop), and each task says when it was to be submitted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::child::{Process, runtime};
use crate::client::Connection;
use crate::cycles::set_up;
use crate::figure::print;

#[derive(Deserialize)]
struct AllDone {
    done: Vec<Done>,
}

#[derive(Deserialize)]
struct Done {
    lease: Option<Lease>,
}

#[derive(Deserialize)]
struct Lease {
    lease: u64,
    payload: u64,
}

/// Waits for tasks, one after the other, and says how long each took to come.
async fn worker(mut connection: Connection, origin: Instant, heard: UnboundedSender<f64>) {
    let joined = connection.post_json("/api/workers", &json!({"pool": "day", "kind": "person"})).await;
    let id = joined["worker"].as_u64().expect("a number");
    let mut operation = format!(r#"{{"do":"ask","worker":{id}}}"#);
    loop {
        let body = format!(r#"{{"wait":60,"operations":[{operation}]}}"#);
        let reply: AllDone =
            serde_json::from_slice(connection.post("/api/work", body.as_bytes()).await).expect("JSON");
        operation = match reply.done.into_iter().next().and_then(|done| done.lease) {
            Some(lease) => {
                let took = origin.elapsed().as_nanos() as f64 - lease.payload as f64;
                if heard.send(took / 1e6).is_err() {
                    return;
                }
                format!(r#"{{"do":"answer","worker":{id},"lease":{},"answer":1,"next":true}}"#, lease.lease)
            }
            None => format!(r#"{{"do":"ask","worker":{id}}}"#),
        };
    }
}

/// Submits a task at each of its times, whether or not the last one has been taken.
async fn submit(connections: Vec<Connection>, origin: Instant, rate: u32, count: u32) {
    let free = Arc::new(tokio::sync::Mutex::new(connections));
    let start = origin.elapsed() + Duration::from_millis(100);
    let mut sent = tokio::task::JoinSet::new();
    for n in 0..count {
        let due = start + Duration::from_secs(1) * n / rate;
        tokio::time::sleep_until((origin + due).into()).await;
        let free = Arc::clone(&free);
        sent.spawn(async move {
            let mut connection = free.lock().await.pop().expect("enough connections");
            let body = format!(r#"{{"tenant":"acme","app":"look","tasks":[{}]}}"#, due.as_nanos());
            connection.post("/api/jobs", body.as_bytes()).await;
            free.lock().await.push(connection);
        });
    }
    while sent.join_next().await.is_some() {}
}

pub(crate) fn measure(workers: usize, rate: u32, seconds: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let process = Process::start("--serve", &folder.path().join("journal"));
    let (address, token) = (process.address, process.token.clone());
    let origin = Instant::now();
    let mut took: Vec<f64> = runtime().block_on(async move {
        let mut first = Connection::open(address, &token).await;
        set_up(&mut first).await;
        let (heard, mut times) = unbounded_channel();
        for _ in 0..workers {
            tokio::spawn(worker(Connection::open(address, &token).await, origin, heard.clone()));
        }
        // All have asked when the pool says so.
        loop {
            let told = first.get_json("/api/pools/day").await;
            if told["workers"]["idle"].as_u64() == Some(workers as u64) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let mut connections = Vec::new();
        for _ in 0..256 {
            connections.push(Connection::open(address, &token).await);
        }
        submit(connections, origin, rate, rate * seconds).await;
        let mut took = Vec::new();
        while took.len() < (rate * seconds) as usize {
            took.push(times.recv().await.expect("every task is taken"));
        }
        took
    });
    took.sort_by(f64::total_cmp);
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize];
    let name = |what: &str| format!("in a waiting worker's hands, {workers} workers, {rate}/s: {what}");
    print(&name("median"), at(0.5), "ms", None);
    print(&name("p99"), at(0.99), "ms", Some(("aim", 5.0)));
}
