//! Machine workers on this machine: for each one wanted a command is started, and stopped when its worker is gone.
//!
//! The command finds in its environment where the server is and a token (`MUSTER_SERVER`, `MUSTER_TOKEN`), and what it is wanted
//! as (`MUSTER_POOL`, `MUSTER_KIND`, `MUSTER_RECRUIT`): it joins with that order's number. One that has not ended so long after it was
//! told to is killed. Commands are set where the server is started, never over HTTP.

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use muster_engine::Span;
use muster_engine::ids::{RecruitId, WorkerId};

use super::{News, Order, Recruiter};
use crate::access::{Scope, new_secret};
use crate::http::{Server, tokens};
use crate::problem::Answer;

/// Who was told to end has so long.
const PATIENCE: Duration = Duration::from_secs(10);
/// A process's token is good for so long after the order.
const TOKEN_GOOD_FOR: Span = Span::from_hours(24 * 30);

/// Starts a command for each worker of a kind that is wanted.
#[derive(Clone, Debug)]
pub struct ByProcess {
    kind: String,
    command: String,
    server: String,
    running: Arc<Mutex<Running>>,
}

/// What was started and has not been seen to end.
#[derive(Debug, Default)]
struct Running {
    /// Started for an order, and not yet joined.
    coming: BTreeMap<RecruitId, Vec<Child>>,
    /// Joined.
    there: BTreeMap<WorkerId, Child>,
}

impl ByProcess {
    /// Starts `command` with a shell for workers of a kind; `server` is where they find the server.
    #[must_use]
    pub fn new(kind: &str, command: &str, server: &str) -> Self {
        let (kind, command, server) = (kind.to_owned(), command.to_owned(), server.to_owned());
        Self { kind, command, server, running: Arc::default() }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn start(&self, server: &Server, order: Order) -> Answer<()> {
        let secret = new_secret().map_err(|error| crate::journal::JournalError::Failed(error.to_string()))?;
        let hidden = secret.clone();
        server
            .turn(move |turn| {
                let label = format!("process for {}", order.recruit);
                let scope = Scope::Worker(Some(order.pool));
                let record = tokens::fresh(turn, &hidden, scope, &label, Some(TOKEN_GOOD_FOR));
                tokens::issue(turn, record);
                Ok(())
            })
            .await?;
        let names = server.directory();
        let mut failed = 0;
        for _ in 0..order.n {
            let mut command = Command::new("sh");
            command.args(["-c", &self.command]).stdin(Stdio::null());
            command.env("MUSTER_SERVER", &self.server).env("MUSTER_TOKEN", &secret);
            command.env("MUSTER_POOL", names.pools.name(order.pool.0)).env("MUSTER_KIND", &self.kind);
            command.env("MUSTER_RECRUIT", order.recruit.0.to_string());
            match command.spawn() {
                Ok(child) => self.running().coming.entry(order.recruit).or_default().push(child),
                Err(_) => failed += 1,
            }
        }
        if failed > 0 {
            let command = muster_engine::Command::RecruitFailed(order.recruit, failed);
            server.turn(move |turn| Ok(turn.command(command).map(drop)?)).await?;
        }
        Ok(())
    }

    /// Those that have ended are forgotten.
    fn reap(&self) {
        let lives = |child: &mut Child| matches!(child.try_wait(), Ok(None));
        let mut running = self.running();
        running.there.retain(|_, child| lives(child));
        running.coming.values_mut().for_each(|children| children.retain_mut(lives));
        running.coming.retain(|_, children| !children.is_empty());
    }
}

/// Tells a process to end; kills it if it does not.
async fn end(mut child: Child) {
    let ended = tokio::task::spawn_blocking(move || {
        // There is no safe call for a signal; every Unix has this program.
        let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        let steps = 100;
        for _ in 0..steps {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(PATIENCE / steps);
        }
        let _ = child.kill();
        let _ = child.wait();
    });
    let _ = ended.await;
}

impl Recruiter for ByProcess {
    fn name(&self) -> String {
        format!("process {}", self.kind)
    }

    fn takes(&self, server: &Server, order: &Order) -> bool {
        server.directory().kinds.name(order.kind.0) == self.kind
    }

    async fn hear(&self, server: &Server, news: News) {
        self.reap();
        match news {
            // If nothing can be started nobody comes, and the engine gives the order up at its deadline.
            News::Wanted(order) => self.start(server, order).await.unwrap_or_default(),
            News::Joined(worker, recruit) => {
                let mut running = self.running();
                let child = running.coming.get_mut(&recruit).and_then(Vec::pop);
                running.there.extend(child.map(|child| (worker, child)));
            }
            News::Gone(worker) => {
                let child = self.running().there.remove(&worker);
                if let Some(child) = child {
                    tokio::spawn(end(child));
                }
            }
        }
    }

    async fn stop(&self) {
        let running = std::mem::take(&mut *self.running());
        let children = running.coming.into_values().flatten().chain(running.there.into_values());
        let mut ends = tokio::task::JoinSet::new();
        children.for_each(|child| drop(ends.spawn(end(child))));
        while ends.join_next().await.is_some() {}
    }
}
