//! A turn: what work in the keeper's thread can do. Commands to the engine, blobs, names, waiting.
//!
//! Work checks first, then commands, then puts: a command that was accepted stands, whatever comes after it.
//! Start at [`Turn::command`].

use std::sync::Arc;

use muster_engine::engine::Engine;
use muster_engine::ids::{TenantId, Token, WorkerId};
use muster_engine::state::State;
use muster_engine::state::worker::Standing;
use muster_engine::{Command, Refusal, Reply, Time};

use super::desk::{COUNT_EVERY, Desk, Room, Waiter, WorkerRecord};
use super::group::{Group, Happened, Held, Scribe, held};
use super::{Limits, Shared, recover};
use crate::access::{Caller, TokenId};
use crate::directory::Directory;
use crate::journal::{JournalError, Key};
use crate::keys;
use crate::payload::Answer;
use crate::problem::Problem;

/// What can be seen in the keeper's thread.
pub struct Look<'a> {
    /// The engine.
    pub engine: &'a Engine,
    /// What the keeper knows beside it.
    pub desk: &'a Desk,
    /// What time it is.
    pub now: Time,
    /// What all threads see.
    pub shared: &'a Shared,
}

impl Look<'_> {
    /// All that the engine knows.
    #[must_use]
    pub fn state(&self) -> &State {
        self.engine.state()
    }

    /// Whether the caller may act for a worker who is there.
    #[must_use]
    pub fn may_act_for(&self, caller: &Caller, worker: WorkerId) -> bool {
        caller.is_admin() || self.desk.workers.get(&worker) == Some(&caller.id)
    }
}

/// What can be done in the keeper's thread.
pub struct Turn<'a> {
    pub(super) engine: &'a mut Engine,
    pub(super) desk: &'a mut Desk,
    pub(super) group: &'a mut Group,
    pub(super) now: Time,
    pub(super) shared: &'a Arc<Shared>,
    pub(super) limits: Limits,
}

/// What came of asking for a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// A task.
    Leased(Held),
    /// Nothing now.
    Parked,
    /// Something to learn first.
    Training(muster_engine::ids::AppId),
}

impl Turn<'_> {
    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// All that the engine knows.
    #[must_use]
    pub fn state(&self) -> &State {
        self.engine.state()
    }

    /// The engine, to look at.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        self.engine
    }

    /// What all threads see.
    #[must_use]
    pub fn shared(&self) -> &Arc<Shared> {
        self.shared
    }

    /// What the keeper may take on.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Has the engine decide; what comes of it is durable before anybody hears of it.
    pub fn command(&mut self, command: Command) -> Result<Reply, Refusal> {
        let from = self.group.happened.len();
        let reply = self.engine.handle(self.now, command, &mut Scribe(self.group))?;
        for place in from..self.group.happened.len() {
            let happened = self.group.happened[place];
            self.follow(&happened);
        }
        Ok(reply)
    }

    /// Keeps beside the engine what must be kept.
    fn follow(&mut self, happened: &Happened) {
        match happened {
            Happened::Closed(job, closing) => self.put_record(keys::closing(*job), closing),
            Happened::Departed(worker, _) => {
                self.desk.workers.remove(worker);
                let key = keys::worker(*worker);
                if let Ok(Some(record)) = self.get(&key) {
                    self.put(keys::one(keys::Sort::Gone, worker.0), record);
                }
                self.delete(key);
            }
            Happened::Leased(_) | Happened::Training(..) | Happened::Judged { .. } => {}
        }
    }

    /// The facts of this group so far end before this number.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.group.facts.end()
    }

    /// Puts a blob, with everything else of this group.
    pub fn put(&mut self, key: Key, value: Vec<u8>) {
        self.group.changes.push((key, Some(value)));
    }

    /// Puts a record in the server's own encoding.
    pub fn put_record(&mut self, key: Key, record: &impl serde::Serialize) {
        let value = postcard::to_extend(record, Vec::new()).expect("records are plain data");
        self.put(key, value);
    }

    /// Deletes a blob, with everything else of this group.
    pub fn delete(&mut self, key: Key) {
        self.group.changes.push((key, None));
    }

    /// A blob, as it will be when this group is durable.
    pub fn get(&mut self, key: &[u8]) -> Result<Option<Vec<u8>>, JournalError> {
        match self.group.changed(key) {
            Some(value) => Ok(value.cloned()),
            None => self.shared.reader.get(key),
        }
    }

    /// Names and descriptions.
    #[must_use]
    pub fn directory(&self) -> &Directory {
        &self.desk.directory
    }

    /// Names and descriptions, to be changed; the blobs are put by [`Directory`]'s own functions.
    pub fn directory_mut(&mut self) -> &mut Directory {
        self.group.directory_changed = true;
        Arc::make_mut(&mut self.desk.directory)
    }

    /// Something to be let out when this group is durable, beside the reply.
    pub fn after(&mut self, letter: impl FnOnce() + Send + 'static) {
        self.group.letters.push(Box::new(letter));
    }

    /// A number for a new token.
    pub fn next_token(&mut self) -> TokenId {
        let id = self.desk.next_token;
        self.desk.next_token = TokenId(id.0 + 1);
        self.put(keys::one(keys::Sort::NextToken, 0), (id.0 + 1).to_be_bytes().to_vec());
        id
    }

    /// Whether the caller may act for a worker; also for one who is gone, whose answer may come late.
    pub fn may_act_for(&mut self, caller: &Caller, worker: WorkerId) -> Result<(), Problem> {
        if caller.is_admin() || self.owner(worker)? == Some(caller.id) {
            return Ok(());
        }
        Err(Problem::from(Refusal::UnknownWorker(worker)))
    }

    /// The token that joined a worker, there or gone.
    fn owner(&mut self, worker: WorkerId) -> Result<Option<TokenId>, JournalError> {
        if let Some(token) = self.desk.workers.get(&worker) {
            return Ok(Some(*token));
        }
        let key = keys::one(keys::Sort::Gone, worker.0);
        let kept = self.get(&key)?.map(|bytes| recover::worker(&key, &bytes)).transpose()?;
        Ok(kept.map(|kept| kept.token))
    }

    /// A worker arrives; the caller's token may act for it from now on.
    pub fn join(
        &mut self,
        spec: muster_engine::spec::WorkerSpec,
        record: &WorkerRecord,
    ) -> Result<WorkerId, Refusal> {
        let Reply::Worker(worker) = self.command(Command::Join(Box::new(spec)))? else {
            unreachable!("joining makes a worker")
        };
        self.desk.workers.insert(worker, record.token);
        self.put_record(keys::worker(worker), record);
        Ok(worker)
    }

    /// From now on `watcher` is told all that happens to a worker.
    pub fn watch(&mut self, worker: WorkerId, watcher: Waiter) {
        let watchers = self.desk.watching.entry(worker).or_default();
        watchers.retain(|watcher| !watcher.is_closed());
        watchers.push(watcher);
    }

    /// A worker wants a task. One that holds a lease hears of it again, so that a lost reply costs nothing; if there is
    /// nothing, `waiter` is told as soon as there is.
    pub fn ask(&mut self, worker: WorkerId, waiter: Option<&Waiter>) -> Result<Asked, Refusal> {
        self.desk.waiting.remove(&worker);
        let standing = self.state().worker(worker).map(|worker| (worker.standing, worker.learning));
        let asked = match standing {
            Some((Standing::Leased | Standing::Draining, _)) => held(self.state(), worker).map(Asked::Leased),
            Some((Standing::Training, Some(app))) => Some(Asked::Training(app)),
            _ => None,
        };
        let asked = match asked {
            Some(asked) => asked,
            None => self.ask_anew(worker)?,
        };
        if let (Asked::Parked | Asked::Training(_), Some(waiter)) = (asked, waiter) {
            self.desk.waiting.insert(worker, waiter.clone());
        }
        Ok(asked)
    }

    fn ask_anew(&mut self, worker: WorkerId) -> Result<Asked, Refusal> {
        let reply = self.command(Command::Ask(worker))?;
        Ok(match reply {
            Reply::Leased(..) => {
                let held = held(self.state(), worker).expect("just leased");
                Asked::Leased(held)
            }
            Reply::Training(app) => Asked::Training(app),
            _ => Asked::Parked,
        })
    }

    /// A worker has done the task of a lease, and this is the answer.
    pub fn answer(&mut self, worker: WorkerId, token: Token, body: Vec<u8>) -> Result<Judged, Refusal> {
        let (from, number) = (self.group.happened.len(), self.next_number());
        self.command(Command::Answer(worker, token))?;
        let judged = self.group.happened[from..].iter().find_map(|happened| match happened {
            Happened::Judged { task, verdict, pay, .. } => Some((*task, *verdict, *pay)),
            _ => None,
        });
        let (task, verdict, pay) = judged.expect("an answer that is accepted is judged");
        let answer = Answer { number, at: self.now, task: task.index, worker, token, verdict, pay, body };
        self.group.answers.push(task.job, &answer);
        Ok(Judged { task, verdict, pay })
    }

    /// Whether a tenant may submit so many tasks more; an error says how many. A full queue is counted anew now and then.
    pub fn check_room(&mut self, tenant: TenantId, tasks: u64) -> Result<(), u64> {
        let most = self.limits.tasks_per_tenant;
        let now = self.now;
        let state = self.engine.state();
        let count = || {
            let jobs = state.jobs();
            let left: u64 =
                jobs.iter().filter(|job| job.tenant == tenant).map(|job| u64::from(job.left)).sum();
            Room { tasks: most.saturating_sub(left), counted: now }
        };
        let room = self.desk.room.entry(tenant).or_insert_with(count);
        if room.tasks < tasks && now.since(room.counted) >= COUNT_EVERY {
            *room = count();
        }
        if room.tasks >= tasks { Ok(()) } else { Err(room.tasks) }
    }

    /// So many tasks of a tenant were submitted.
    pub fn use_room(&mut self, tenant: TenantId, tasks: u64) {
        if let Some(room) = self.desk.room.get_mut(&tenant) {
            room.tasks = room.tasks.saturating_sub(tasks);
        }
    }
}

/// What became of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Of which task.
    pub task: muster_engine::ids::TaskId,
    /// Whether it counts.
    pub verdict: muster_engine::fact::Verdict,
    /// What is paid for it.
    pub pay: muster_engine::money::Money,
}
