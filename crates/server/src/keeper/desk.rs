//! The desk: what the keeper knows beside the engine. Who is listening, whose worker is whose, what things are called.
//!
//! All but the waiting connections is rebuilt from blobs at a start.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use muster_engine::fact::Departure;
use muster_engine::ids::{AppId, TenantId, WorkerId};
use muster_engine::{Span, Time};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedSender;

use super::group::{Happened, Held};
use crate::access::TokenId;
use crate::directory::Directory;

/// What a connection that waits for a worker is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// There is a task.
    Leased(Held),
    /// The worker is to learn an app first.
    Training(WorkerId, AppId),
    /// The worker is gone.
    Departed(WorkerId, Departure),
}

/// Who waits: gets every event of the workers it waits for.
pub type Waiter = UnboundedSender<Event>;

/// What the server says of a worker, as kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRecord {
    /// The token that joined it, and may act for it.
    pub token: TokenId,
    /// What it is called.
    pub name: String,
    /// It joined at this fact number: what it earned is not before it.
    pub joined: u64,
}

/// What the keeper knows beside the engine.
pub struct Desk {
    /// Names and descriptions.
    pub directory: Arc<Directory>,
    /// The token that may act for a worker who is there.
    pub workers: HashMap<WorkerId, TokenId>,
    /// The number that the next token gets.
    pub next_token: TokenId,
    /// Connections that wait for a worker's task.
    pub waiting: HashMap<WorkerId, Waiter>,
    /// Connections that are told all that happens to a worker.
    pub watching: HashMap<WorkerId, Vec<Waiter>>,
    /// How many more tasks a tenant may submit before its queue is counted anew, and when it was last counted.
    pub room: BTreeMap<TenantId, Room>,
}

/// How much a tenant may still submit.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// So many tasks.
    pub tasks: u64,
    /// As counted then.
    pub counted: Time,
}

/// A full queue is counted anew at most so often.
pub const COUNT_EVERY: Span = Span::from_secs(1);

impl Desk {
    /// Tells those who wait what happened.
    pub fn tell(&mut self, happened: &Happened) {
        let (worker, event) = match *happened {
            Happened::Leased(held) => (held.worker, Event::Leased(held)),
            Happened::Training(worker, app) => (worker, Event::Training(worker, app)),
            Happened::Departed(worker, why) => (worker, Event::Departed(worker, why)),
            Happened::Judged { .. } | Happened::Closed(..) => return,
        };
        if let Some(watchers) = self.watching.get_mut(&worker) {
            watchers.retain(|watcher| watcher.send(event).is_ok());
        }
        if let Event::Departed(..) = event {
            self.watching.remove(&worker);
        }
        if let Some(waiter) = self.waiting.remove(&worker) {
            // Nobody may be listening any more: then the worker finds its lease when it asks again.
            let _ = waiter.send(event);
        }
    }
}
