//! Machine workers on this machine: for each one wanted a command is started, and stopped when its worker is gone.
//!
//! The command finds in its environment where the server is and a token of its own (`MUSTER_SERVER`, `MUSTER_TOKEN`), and what it is
//! wanted as (`MUSTER_POOL`, `MUSTER_KIND`, `MUSTER_RECRUIT`): it joins with that order's number. One that has not ended so long after it
//! was told to is killed. Commands are set where the server is started, never over HTTP.
//!
//! Invariant: a command does not begin before it is on disk which process it is. So after a crash the next server knows all that
//! still run: those who have a worker, or are still wanted, are taken over; the others are ended. None is started twice.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use muster_engine::Span;
use muster_engine::ids::{RecruitId, WorkerId};
use serde::{Deserialize, Serialize};

use super::mark::{self, Mark};
use super::{News, Order, Recruiter};
use crate::access::{Scope, TokenId, new_secret};
use crate::http::{Server, tokens};
use crate::journal::Reader;
use crate::keeper::recover::{self, all, record};
use crate::keys::{self, Sort};
use crate::problem::Answer;

/// A process's token is good for so long after the order.
const TOKEN_GOOD_FOR: Span = Span::from_hours(24 * 30);
/// Waits to be let go, and becomes the command; ends if whoever started it is gone before that.
const GATE: &str = r#"read -r go || exit 0; exec sh -c "$1" </dev/null"#;

/// Starts a command for each worker of a kind that is wanted.
#[derive(Clone, Debug)]
pub struct ByProcess {
    kind: String,
    command: String,
    server: String,
    running: Arc<Mutex<BTreeMap<TokenId, Process>>>,
}

/// A process that was started and has not been seen to end, by its token.
#[derive(Debug)]
struct Process {
    /// It, if this server started it.
    child: Option<Child>,
    /// How it is found again, if the system says.
    mark: Option<Mark>,
    /// Its workers who are there.
    workers: BTreeSet<WorkerId>,
}

/// A process, as kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ProcessRecord {
    kind: String,
    /// Where it was told that the server is.
    server: String,
    recruit: RecruitId,
    mark: Mark,
}

impl Process {
    fn lives(&mut self) -> bool {
        match (&mut self.child, &self.mark) {
            (Some(child), _) => matches!(child.try_wait(), Ok(None)),
            (None, mark) => mark.as_ref().is_some_and(Mark::lives),
        }
    }

    /// Tells it to end, and waits until it has. Blocks.
    fn end(mut self) {
        let pid = self.child.as_ref().map(Child::id).or(self.mark.as_ref().map(Mark::pid));
        pid.into_iter().for_each(|pid| mark::end(pid, || self.lives()));
        let _ = self.child.map(|mut child| child.wait());
    }
}

fn key_of(token: TokenId) -> Vec<u8> {
    keys::one(Sort::Process, token.0)
}

fn kept(reader: &dyn Reader) -> Answer<Vec<(TokenId, ProcessRecord)>> {
    let read = |(key, bytes): (Vec<u8>, Vec<u8>)| {
        Ok((TokenId(keys::number(&key).unwrap_or_default()), record(&key, &bytes)?))
    };
    all(reader, Sort::Process)?.into_iter().map(read).collect()
}

/// A process is over: so is its token.
async fn forget(server: &Server, token: TokenId) {
    let gone = move |turn: &mut crate::keeper::turn::Turn<'_>| {
        turn.delete(key_of(token));
        tokens::forget(turn, token)
    };
    // If that cannot be written now, the next start finds that the process does not live.
    let _ = server.turn(gone).await;
}

/// Ends a process, and forgets it.
async fn end(server: Server, token: TokenId, process: Process) {
    let _ = tokio::task::spawn_blocking(move || process.end()).await;
    forget(&server, token).await;
}

/// Ends what an earlier server started for kinds that have no command any more.
pub async fn end_others(server: &Server, kinds: &[&str]) {
    for (token, old) in server.read(kept).await.unwrap_or_default() {
        if !kinds.contains(&old.kind.as_str()) {
            let process = Process { child: None, mark: Some(old.mark), workers: BTreeSet::new() };
            tokio::spawn(end(server.clone(), token, process));
        }
    }
}

impl ByProcess {
    /// Starts `command` with a shell for workers of a kind; `server` is where they find the server.
    #[must_use]
    pub fn new(kind: &str, command: &str, server: &str) -> Self {
        let (kind, command, server) = (kind.to_owned(), command.to_owned(), server.to_owned());
        Self { kind, command, server, running: Arc::default() }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, BTreeMap<TokenId, Process>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts one for each who is wanted; the engine hears how many could not be started.
    async fn start(&self, server: &Server, order: Order) -> Answer<()> {
        let mut failed = 0;
        for _ in 0..order.n {
            failed += u32::from(self.start_one(server, order).await.is_err());
        }
        if failed == 0 {
            return Ok(());
        }
        let command = muster_engine::Command::RecruitFailed(order.recruit, failed);
        server.turn(move |turn| Ok(turn.command(command).map(drop)?)).await
    }

    async fn start_one(&self, server: &Server, order: Order) -> Answer<()> {
        let failed = |error: &dyn std::fmt::Display| crate::journal::JournalError::Failed(error.to_string());
        let secret = new_secret().map_err(|error| failed(&error))?;
        let mut child = self.behind_the_gate(server, order, &secret).map_err(|error| failed(&error))?;
        let mark = Mark::of(child.id());
        let old = mark.clone().map(|mark| ProcessRecord {
            kind: self.kind.clone(),
            server: self.server.clone(),
            recruit: order.recruit,
            mark,
        });
        let known = server.turn(move |turn| {
            let label = format!("process for {}", order.recruit);
            let scope = Scope::Worker(Some(order.pool));
            let record = tokens::fresh(turn, &secret, scope, &label, Some(TOKEN_GOOD_FOR));
            let token = tokens::issue(turn, record);
            if let Some(old) = old {
                turn.put_record(key_of(token), &old);
            }
            Ok(token)
        });
        let token = match known.await {
            Ok(token) => token,
            Err(problem) => {
                let process = Process { child: Some(child), mark, workers: BTreeSet::new() };
                let _ = tokio::task::spawn_blocking(move || process.end()).await;
                return Err(problem);
            }
        };
        // One that has ended already is found so when it is looked for.
        let _ = child.stdin.take().map(|mut gate| gate.write_all(b"go\n"));
        self.running().insert(token, Process { child: Some(child), mark, workers: BTreeSet::new() });
        Ok(())
    }

    /// A process that waits to become the command.
    fn behind_the_gate(&self, server: &Server, order: Order, secret: &str) -> std::io::Result<Child> {
        let names = server.directory();
        let mut command = Command::new("sh");
        command.args(["-c", GATE, "sh", &self.command]).stdin(Stdio::piped());
        command.env("MUSTER_SERVER", &self.server).env("MUSTER_TOKEN", secret);
        command.env("MUSTER_POOL", names.pools.name(order.pool.0)).env("MUSTER_KIND", &self.kind);
        command.env("MUSTER_RECRUIT", order.recruit.0.to_string());
        command.spawn()
    }

    /// Those that have ended are forgotten.
    async fn reap(&self, server: &Server) {
        let ended: Vec<TokenId> = {
            let mut running = self.running();
            let dead: Vec<TokenId> =
                running.iter_mut().filter_map(|(token, it)| (!it.lives()).then_some(*token)).collect();
            dead.iter().for_each(|token| drop(running.remove(token)));
            dead
        };
        for token in ended {
            forget(server, token).await;
        }
    }

    /// Takes over what an earlier server started, if it is still wanted; ends it if not.
    async fn adopt(&self, server: &Server, token: TokenId, old: ProcessRecord) {
        let seen = server.look(move |look| {
            let workers = look.desk.workers.iter().filter(|(_, owner)| **owner == token);
            let workers: BTreeSet<WorkerId> = workers.map(|(worker, _)| *worker).collect();
            Ok((workers, look.state().recruits().contains_key(&old.recruit)))
        });
        let Ok((workers, is_wanted)) = seen.await else { return };
        let is_of_use = old.mark.lives() && old.server == self.server && (is_wanted || !workers.is_empty());
        let process = Process { child: None, mark: Some(old.mark), workers };
        if is_of_use {
            self.running().insert(token, process);
        } else {
            tokio::spawn(end(server.clone(), token, process));
        }
    }

    /// A worker has come: by its token it is known which process it is of, also if it is gone by now.
    async fn joined(&self, server: &Server, worker: WorkerId) {
        let kept = server.read(move |reader| Ok(recover::there_or_gone(reader, worker)?));
        let Ok(Some(kept)) = kept.await else { return };
        if let Some(process) = self.running().get_mut(&kept.token) {
            process.workers.insert(worker);
        }
    }

    /// A worker is gone; a process whose last worker it was is no longer needed.
    fn gone(&self, server: &Server, worker: WorkerId) {
        let mut running = self.running();
        let last = |(token, process): (&TokenId, &mut Process)| {
            (process.workers.remove(&worker) && process.workers.is_empty()).then_some(*token)
        };
        let Some(token) = running.iter_mut().find_map(last) else { return };
        if let Some(process) = running.remove(&token) {
            tokio::spawn(end(server.clone(), token, process));
        }
    }
}

impl Recruiter for ByProcess {
    fn name(&self) -> String {
        format!("process {}", self.kind)
    }

    fn takes(&self, server: &Server, order: &Order) -> bool {
        server.directory().kinds.name(order.kind.0) == self.kind
    }

    async fn begin(&self, server: &Server) {
        for (token, old) in server.read(kept).await.unwrap_or_default() {
            if old.kind == self.kind {
                self.adopt(server, token, old).await;
            }
        }
    }

    async fn hear(&self, server: &Server, news: News) {
        self.reap(server).await;
        match news {
            // If nothing can be started nobody comes, and the engine gives the order up at its deadline.
            News::Wanted(order) => self.start(server, order).await.unwrap_or_default(),
            News::Joined(worker, _) => self.joined(server, worker).await,
            News::Gone(worker) => self.gone(server, worker),
        }
    }

    async fn stop(&self, server: &Server) {
        let running = std::mem::take(&mut *self.running());
        let mut ends = tokio::task::JoinSet::new();
        running
            .into_iter()
            .for_each(|(token, process)| drop(ends.spawn(end(server.clone(), token, process))));
        while ends.join_next().await.is_some() {}
    }
}
