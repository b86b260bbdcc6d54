//! The bare prototype: the same HTTP stack, a queue in memory, one file that groups of records are appended and synced to.
//!
//! No tokens, no policies, no money, no leases that run out: the least that "durable queue over HTTP" can be. Every reply is
//! sent after its records are on disk.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

type Record = (Vec<u8>, oneshot::Sender<()>);

struct Queue {
    open: VecDeque<(u64, Box<RawValue>)>,
    next: u64,
}

#[derive(Clone)]
struct Prototype {
    queue: Arc<Mutex<Queue>>,
    records: Sender<Record>,
}

/// Appends all records that wait, syncs once, tells all.
fn write(mut file: File, records: &Receiver<Record>) {
    let mut told = Vec::new();
    let mut bytes = Vec::new();
    while let Ok(first) = records.recv() {
        for (record, tell) in std::iter::once(first).chain(records.try_iter()) {
            bytes.extend_from_slice(&(record.len() as u64).to_le_bytes());
            bytes.extend_from_slice(&record);
            told.push(tell);
        }
        file.write_all(&bytes).expect("it is written");
        file.sync_data().expect("it is synced");
        bytes.clear();
        told.drain(..).for_each(|tell| tell.send(()).unwrap_or_default());
    }
}

impl Prototype {
    async fn durable(&self, record: Vec<u8>) {
        let (tell, told) = oneshot::channel();
        self.records.send((record, tell)).expect("the writer runs");
        told.await.expect("the writer runs");
    }
}

#[derive(Deserialize)]
struct Submission {
    tasks: Vec<Box<RawValue>>,
}

#[derive(Serialize)]
struct Submitted {
    first: u64,
}

#[derive(Deserialize)]
struct Work {
    answers: Vec<Answer>,
    wanted: usize,
}

#[derive(Deserialize)]
struct Answer {
    #[expect(dead_code, reason = "the prototype trusts its clients")]
    task: u64,
    #[expect(dead_code, reason = "it is in the record")]
    answer: Box<RawValue>,
}

#[derive(Serialize)]
struct Leases {
    leases: Vec<Lease>,
}

#[derive(Serialize)]
struct Lease {
    task: u64,
    payload: Box<RawValue>,
}

fn json(value: &impl Serialize) -> Response {
    let bytes = serde_json::to_vec(value).expect("plain data");
    ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}

async fn submit(State(prototype): State<Prototype>, body: Bytes) -> Response {
    let said: Submission = serde_json::from_slice(&body).expect("what the load sends");
    let first = {
        let mut queue = prototype.queue.lock().expect("no panic");
        let first = queue.next;
        queue.next += said.tasks.len() as u64;
        queue.open.extend((first..).zip(said.tasks));
        first
    };
    prototype.durable(body.to_vec()).await;
    json(&Submitted { first })
}

async fn work(State(prototype): State<Prototype>, body: Bytes) -> Response {
    let said: Work = serde_json::from_slice(&body).expect("what the load sends");
    drop(said.answers);
    let leases: Vec<Lease> = {
        let mut queue = prototype.queue.lock().expect("no panic");
        let n = said.wanted.min(queue.open.len());
        queue.open.drain(..n).map(|(task, payload)| Lease { task, payload }).collect()
    };
    let mut record = body.to_vec();
    leases.iter().for_each(|lease| record.extend_from_slice(&lease.task.to_le_bytes()));
    prototype.durable(record).await;
    json(&Leases { leases })
}

pub(crate) fn serve(listener: TcpListener, file: &Path) -> impl Future<Output = ()> + use<> {
    let file = File::create(file).expect("a file");
    let (records, waiting) = channel();
    std::thread::spawn(move || write(file, &waiting));
    let queue = Arc::new(Mutex::new(Queue { open: VecDeque::new(), next: 0 }));
    let router = Router::new()
        .route("/submit", post(submit))
        .route("/work", post(work))
        .with_state(Prototype { queue, records });
    muster_server::listen::listen_for_ever(listener, router)
}
