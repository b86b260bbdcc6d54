//! The part of the server's API that workers use, typed. What is not needed here is passed over.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::http::{Client, Trouble};

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// Wants a task.
    Ask,
    /// Has done the task of a lease.
    Answer,
    /// Gives it back.
    Return,
    /// Does not want this task.
    SkipTask,
    /// Does not want this job.
    SkipJob,
    /// Gives a sign of life.
    Heartbeat,
    /// Takes a break.
    Pause,
    /// Has finished training.
    Trained,
    /// Leaves.
    Leave,
}

/// Something that a worker does.
#[derive(Debug, Serialize)]
pub struct Operation {
    /// What.
    #[serde(rename = "do")]
    pub what: What,
    /// Who.
    pub worker: u32,
    /// The lease that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease: Option<u64>,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<RawValue>>,
    /// Whether to ask right after.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub next: bool,
    /// Why something is skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Operation {
    /// Something without a lease.
    #[must_use]
    pub const fn of(worker: u32, what: What) -> Self {
        Self { what, worker, lease: None, answer: None, next: false, reason: None }
    }

    /// Something about a lease.
    #[must_use]
    pub const fn about(worker: u32, what: What, lease: u64) -> Self {
        Self { what, worker, lease: Some(lease), answer: None, next: false, reason: None }
    }
}

/// A task in hand.
#[derive(Clone, Debug, Deserialize)]
pub struct Lease {
    /// The lease's number.
    pub lease: u64,
    /// The job.
    pub job: u64,
    /// The task's place in it.
    pub task: u32,
    /// Its type.
    pub app: String,
    /// Until when, in RFC 3339.
    pub deadline: String,
    /// How often a sign of life is wanted, in seconds.
    pub heartbeat: Option<f64>,
    /// What is to be done.
    pub payload: Value,
}

/// What came of an operation.
#[derive(Clone, Debug, Deserialize)]
pub struct Done {
    /// Who.
    pub worker: u32,
    /// What became of the answer.
    pub verdict: Option<String>,
    /// The task to do now.
    pub lease: Option<Lease>,
    /// The app to learn now.
    pub training: Option<String>,
    /// Whether there is nothing now.
    #[serde(default)]
    pub waiting: bool,
    /// Whether the worker is gone.
    #[serde(default)]
    pub gone: bool,
    /// Why it was refused.
    pub problem: Option<Problem>,
}

/// Why something was refused.
#[derive(Clone, Debug, Deserialize)]
pub struct Problem {
    /// As in HTTP.
    pub status: u16,
    /// In words.
    #[serde(default)]
    pub detail: String,
}

#[derive(Serialize)]
struct Operations<'a> {
    operations: &'a [Operation],
    wait: f64,
}

fn unexpected(error: &serde_json::Error) -> Trouble {
    Trouble::Weather(format!("the reply is not what was expected: {error}"))
}

impl Client {
    /// Operations in one request; if none of those who ask gets something at once, waits so many seconds for the first.
    pub async fn operate(&self, operations: &[Operation], wait: f64) -> Result<Vec<Done>, Trouble> {
        let mut reply = self.post("/api/work", &Operations { operations, wait }).await?;
        serde_json::from_value(reply["done"].take()).map_err(|error| unexpected(&error))
    }

    /// A worker joins; the key makes it happen once. Returns its number.
    pub async fn join(&self, key: &str, worker: &Value) -> Result<u32, Trouble> {
        let reply = self.post_once("/api/workers", Some(key), worker).await?;
        serde_json::from_value(reply["worker"].clone()).map_err(|error| unexpected(&error))
    }
}
