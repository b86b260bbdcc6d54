//! How long after its submission a task is in a waiting worker's hands: many workers wait, tasks come at a steady rate
//! whatever the server does (open loop), and each task says when it was to be submitted.
//!
//! A submission that finds all connections busy waits for one: its time counts from when it was due, so nothing is hidden. A
//! worker or submission that fails ends the measurement with its reason. Start at [`measure`].

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::child::{Process, runtime};
use crate::client::Connection;
use crate::cycles::set_up;
use crate::figure::print;

/// Connections that tasks are submitted on.
const SUBMITTERS: usize = 64;
/// So many workers come at a time.
const COMING: usize = 64;

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

/// Whom the load is for.
#[derive(Clone)]
struct Load {
    address: std::net::SocketAddr,
    token: String,
    origin: Instant,
}

impl Load {
    async fn connect(&self) -> Connection {
        Connection::open(self.address, &self.token).await
    }

    /// Nanoseconds since the origin.
    fn now(&self) -> u64 {
        u64::try_from(self.origin.elapsed().as_nanos()).expect("some centuries")
    }

    /// Waits for tasks, one after the other, and says how many nanoseconds each took to come.
    async fn work(self, coming: Arc<Semaphore>, heard: UnboundedSender<u64>) {
        let place = coming.acquire_owned().await.expect("never closed");
        let mut connection = self.connect().await;
        let joined = connection.post_json("/api/workers", &json!({"pool": "day", "kind": "person"})).await;
        drop(place);
        let id = joined["worker"].as_u64().expect("a number");
        let ask = format!(r#"{{"do":"ask","worker":{id}}}"#);
        let mut operation = ask.clone();
        loop {
            let body = format!(r#"{{"wait":60,"operations":[{operation}]}}"#);
            let reply: AllDone =
                serde_json::from_slice(connection.post("/api/work", body.as_bytes()).await).expect("JSON");
            let lease = reply.done.into_iter().next().and_then(|done| done.lease);
            operation = lease.map_or_else(
                || ask.clone(),
                |lease| {
                    // Nobody listens any more when all is measured.
                    let _ = heard.send(self.now() - lease.payload);
                    let lease = lease.lease;
                    format!(r#"{{"do":"answer","worker":{id},"lease":{lease},"answer":1,"next":true}}"#)
                },
            );
        }
    }

    /// Submits a task at each of its times, whether or not the last one has been taken.
    async fn submit(self, rate: u32, count: u32) {
        let mut connections = Vec::new();
        for _ in 0..SUBMITTERS {
            connections.push(self.connect().await);
        }
        let free = Arc::new((Semaphore::new(SUBMITTERS), Mutex::new(connections)));
        let start = self.origin.elapsed() + Duration::from_millis(100);
        let mut sent = JoinSet::new();
        for n in 0..count {
            let due = start + Duration::from_secs(1) * n / rate;
            tokio::time::sleep_until((self.origin + due).into()).await;
            sent.spawn(submit_one(Arc::clone(&free), due));
            while let Some(done) = sent.try_join_next() {
                done.expect("it is submitted");
            }
        }
        while let Some(done) = sent.join_next().await {
            done.expect("it is submitted");
        }
    }

    /// Waits until so many workers wait for a task.
    async fn until_idle(self, workers: usize) {
        let mut connection = self.connect().await;
        loop {
            let told = connection.get_json("/api/pools/day").await;
            if told["workers"]["idle"].as_u64() == Some(workers as u64) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

type Free = Arc<(Semaphore, Mutex<Vec<Connection>>)>;

async fn submit_one(free: Free, due: Duration) {
    let (places, connections) = &*free;
    let _place = places.acquire().await.expect("never closed");
    let free = || connections.lock().expect("nobody panics in here");
    let mut connection = free().pop().expect("as many connections as places");
    let body = format!(r#"{{"tenant":"acme","app":"look","tasks":[{}]}}"#, due.as_nanos());
    connection.post("/api/jobs", body.as_bytes()).await;
    free().push(connection);
}

/// As many times as wanted, in milliseconds.
async fn hear(mut times: UnboundedReceiver<u64>, wanted: u32) -> Vec<f64> {
    let mut took = Vec::new();
    while took.len() < wanted as usize {
        took.push(times.recv().await.expect("workers wait for ever") as f64 / 1e6);
    }
    took
}

/// Does something while workers wait; one of them that ends has failed.
async fn while_all_work<T>(workers: &mut JoinSet<()>, it: impl Future<Output = T>) -> T {
    tokio::select! {
        out = it => out,
        Some(ended) = workers.join_next() => {
            ended.expect("a worker does not fail");
            unreachable!("a worker waits for ever")
        }
    }
}

async fn run(load: Load, workers: usize, rate: u32, count: u32) -> Vec<f64> {
    set_up(&mut load.connect().await).await;
    let (heard, times) = unbounded_channel();
    let coming = Arc::new(Semaphore::new(COMING));
    let mut all = JoinSet::new();
    for _ in 0..workers {
        all.spawn(load.clone().work(Arc::clone(&coming), heard.clone()));
    }
    while_all_work(&mut all, load.clone().until_idle(workers)).await;
    let both = async { tokio::join!(load.submit(rate, count), hear(times, count)) };
    let ((), took) = while_all_work(&mut all, both).await;
    took
}

pub(crate) fn measure(workers: usize, rate: u32, seconds: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let process = Process::start("--serve", &folder.path().join("journal"));
    let load = Load { address: process.address, token: process.token.clone(), origin: Instant::now() };
    let mut took = runtime().block_on(run(load, workers, rate, rate * seconds));
    took.sort_by(f64::total_cmp);
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize];
    let name = |what: &str| format!("in a waiting worker's hands, {workers} workers, {rate}/s: {what}");
    print(&name("median"), at(0.5), "ms", None);
    print(&name("p99"), at(0.99), "ms", Some(("aim", 5.0)));
}
