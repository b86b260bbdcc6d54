//! Random load over HTTP by clients who remember what they were told: a submitter with idempotency keys, and hands that ask,
//! answer, skip, give back, leave and join again. They go on where they were when the server is back.
//!
//! Invariant: what is in `Heard` was acknowledged. Who sent something and heard nothing is in doubt, and sends it again.

use std::collections::BTreeMap;
use std::io::{Error, Result};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::{Value, json};

use crate::client::{Client, Connection};
use crate::dice::Dice;

/// What clients were told, all together.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// Jobs by their idempotency key, which is their name as well.
    pub(crate) jobs: Mutex<BTreeMap<String, u64>>,
    /// By lease: job, worker and what was answered.
    pub(crate) answers: Mutex<BTreeMap<u64, (u64, u64, Value)>>,
    /// Answers that clients know to be wanted still, about.
    wanted: AtomicI64,
}

/// Somebody who uses the server. One step is one request; an error means that nothing was heard.
pub(crate) trait Someone: Send {
    fn step(&mut self, connection: &mut Connection, heard: &Heard) -> Result<()>;
}

/// Submits jobs, each with a key.
pub(crate) struct Submitter {
    number: u32,
    dice: Dice,
    body: Option<Value>,
}

impl Submitter {
    pub(crate) fn new(seed: u64) -> Self {
        Self { number: 0, dice: Dice::new(seed), body: None }
    }

    fn next(&mut self) -> Value {
        let tasks: Vec<u64> = (0..1 + self.dice.below(4)).collect();
        let (slots, name) = (1 + self.dice.below(3), format!("job-{}", self.number));
        json!({"tenant": "acme", "app": "look", "price": 0.05, "slots": slots, "name": name, "tasks": tasks})
    }
}

impl Someone for Submitter {
    fn step(&mut self, connection: &mut Connection, heard: &Heard) -> Result<()> {
        if self.body.is_none() && heard.wanted.load(Ordering::SeqCst) > 60 {
            let known = heard.jobs.lock().expect("no panic").values().next_back().copied().unwrap_or(0);
            let reply = connection.send("GET", &format!("/api/jobs/{known}"), None, None)?;
            assert_eq!(reply.status, 200, "{}", reply.text);
            return Ok(());
        }
        let key = format!("job-{}", self.number);
        let body = self.body.take().unwrap_or_else(|| self.next());
        self.body = Some(body.clone());
        let reply = connection.send("POST", "/api/jobs", Some(&key), Some(&body))?;
        if unavailable(reply.status) {
            return Err(Error::other("stopping"));
        }
        let job = reply.ok()["job"].as_u64().expect("a number");
        let tasks = body["tasks"].as_array().map_or(0, Vec::len) as i64;
        heard.wanted.fetch_add(tasks * body["slots"].as_i64().unwrap_or(1), Ordering::SeqCst);
        heard.jobs.lock().expect("no panic").insert(key, job);
        (self.number, self.body) = (self.number + 1, None);
        Ok(())
    }
}

/// A server that is stopping says so.
fn unavailable(status: u16) -> bool {
    status == 503
}

/// A worker, again and again.
pub(crate) struct Hand {
    name: String,
    joins: u32,
    worker: Option<u64>,
    /// What it holds, as it was told.
    lease: Option<Value>,
    /// Sent, and nothing heard: what it holds is not known.
    doubt: bool,
    dice: Dice,
}

impl Hand {
    pub(crate) fn new(name: &str, seed: u64) -> Self {
        let dice = Dice::new(seed);
        Self { name: name.to_owned(), joins: 0, worker: None, lease: None, doubt: false, dice }
    }

    fn join(&mut self, connection: &mut Connection) -> Result<()> {
        let key = format!("{}-{}", self.name, self.joins);
        let body = json!({"pool": "day", "kind": "person", "name": key});
        let reply = connection.send("POST", "/api/workers", Some(&key), Some(&body))?;
        if unavailable(reply.status) {
            return Err(Error::other("stopping"));
        }
        self.worker = reply.ok()["worker"].as_u64();
        Ok(())
    }

    /// The next thing to do, and whether it ends what is in hand.
    fn operation(&mut self, worker: u64) -> Value {
        let Some(lease) = self.lease.as_ref().map(|lease| lease["lease"].clone()) else {
            // Who has skipped all there is makes room for somebody else.
            let what = if self.dice.below(10) == 0 { "leave" } else { "ask" };
            return json!({"do": what, "worker": worker});
        };
        match self.dice.below(100) {
            0..70 => {
                let answer = json!({"by": self.name, "said": self.dice.bits()});
                let next = self.dice.below(2) == 0;
                json!({"do": "answer", "worker": worker, "lease": lease, "answer": answer, "next": next})
            }
            70..78 => json!({"do": "skip-task", "worker": worker, "lease": lease}),
            78..86 => json!({"do": "return", "worker": worker, "lease": lease}),
            86..90 => json!({"do": "leave", "worker": worker}),
            90..95 => json!({"do": "heartbeat", "worker": worker}),
            _ => json!({"do": "ask", "worker": worker}),
        }
    }

    fn heard_of(&mut self, operation: &Value, done: &Value, heard: &Heard) {
        let (what, worker) = (operation["do"].as_str().unwrap_or_default(), operation["worker"].as_u64());
        assert!(done.get("problem").is_none(), "{operation} was refused: {done}");
        let held = self.lease.as_ref().map(|lease| lease["lease"].clone());
        match what {
            // Leases continue: who asks with something in hand hears of the same.
            "ask" if held.is_some() => assert_eq!(Some(&done["lease"]["lease"]), held.as_ref(), "{done}"),
            "answer" => {
                let lease = self.lease.take().expect("who answers holds something");
                assert_eq!(done["verdict"], "counted", "{done}");
                let (number, job) = (lease["lease"].as_u64(), lease["job"].as_u64());
                let said = (job.expect("a job"), worker.expect("a worker"), operation["answer"].clone());
                heard.answers.lock().expect("no panic").insert(number.expect("a lease"), said);
                heard.wanted.fetch_sub(1, Ordering::SeqCst);
            }
            "skip-task" | "return" => self.lease = None,
            "leave" => {
                assert_eq!(done["gone"], true, "{done}");
                (self.worker, self.lease, self.joins) = (None, None, self.joins + 1);
            }
            _ => {}
        }
        if what == "ask" || what == "answer" {
            self.lease = done.get("lease").cloned().or(self.lease.take());
        }
    }
}

impl Someone for Hand {
    fn step(&mut self, connection: &mut Connection, heard: &Heard) -> Result<()> {
        let Some(worker) = self.worker else { return self.join(connection) };
        if self.doubt {
            return self.clear_up(connection, worker);
        }
        let operation = self.operation(worker);
        self.doubt = true;
        let reply =
            connection.send("POST", "/api/work", None, Some(&json!({"operations": [operation.clone()]})))?;
        if unavailable(reply.status) {
            return Err(Error::other("stopping"));
        }
        let done = reply.ok()["done"][0].clone();
        self.doubt = false;
        self.heard_of(&operation, &done, heard);
        Ok(())
    }
}

impl Hand {
    /// After a reply that was never heard: asks what it holds now.
    fn clear_up(&mut self, connection: &mut Connection, worker: u64) -> Result<()> {
        let body = json!({"operations": [{"do": "ask", "worker": worker}]});
        let reply = connection.send("POST", "/api/work", None, Some(&body))?;
        if unavailable(reply.status) {
            return Err(Error::other("stopping"));
        }
        let done = reply.ok()["done"][0].clone();
        self.doubt = false;
        self.lease = done.get("lease").cloned();
        if done.get("problem").is_some() {
            assert_eq!(done["problem"]["status"], 404, "only who has left is unknown: {done}");
            (self.worker, self.joins) = (None, self.joins + 1);
        }
        Ok(())
    }
}

/// Steps of somebody until the server is gone; `told` is called after each that was acknowledged.
pub(crate) fn go_on(someone: &mut dyn Someone, client: &Client, heard: &Heard, told: &dyn Fn()) {
    let Ok(mut connection) = client.connect() else { return };
    while someone.step(&mut connection, heard).is_ok() {
        told();
    }
}
