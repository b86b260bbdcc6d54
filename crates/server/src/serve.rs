//! A running server: a listener, the router, and an orderly end.
//!
//! [`Running::start`] opens the journal and listens; [`Running::stop`] takes nothing new, finishes what is being done, has the keeper
//! drain, and leaves a snapshot. If the journal fails, [`Running::ended`] says so and the process should end.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::clock::Clock;
use crate::http::{self, Server};
use crate::journal::sqlite::SqliteJournal;
use crate::journal::{Journal, JournalError};
use crate::keeper::{self, Keeper};
use crate::recruiter::{self, link::ByLink, process::ByProcess};

/// What a server is started with.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What the keeper may take on.
    pub keeper: keeper::Limits,
    /// What requests may want.
    pub http: http::Limits,
    /// Commands that are started for machine workers who are wanted: the kind's name, and the command.
    pub processes: Vec<(String, String)>,
}

/// A server that runs.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// What handlers have.
    pub server: Server,
    keeper: keeper::Running,
    stop: watch::Sender<bool>,
    listener: JoinHandle<()>,
    recruiters: Vec<JoinHandle<()>>,
}

/// When a server is told to stop, requests that are being served have so long to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens the journal in a file; a new one gets a random seed.
pub fn open(path: &Path) -> Result<Box<dyn Journal>, JournalError> {
    let mut seed = [0_u8; 8];
    getrandom::fill(&mut seed).map_err(|error| JournalError::Failed(error.to_string()))?;
    Ok(Box::new(SqliteJournal::open(path, u64::from_ne_bytes(seed))?))
}

impl Running {
    /// Recovers what the journal holds and listens.
    pub async fn start(
        journal: Box<dyn Journal>,
        clock: Clock,
        settings: Settings,
        listener: TcpListener,
    ) -> Result<Self, JournalError> {
        let failed = |error: std::io::Error| JournalError::Failed(error.to_string());
        let address = listener.local_addr().map_err(failed)?;
        let limits = settings.keeper;
        let start = move || Keeper::start(journal, clock, limits);
        let started = tokio::task::spawn_blocking(start).await;
        let (keeper, running) = started.map_err(|error| JournalError::Failed(error.to_string()))??;
        let server = Server::new(keeper, settings.http);
        // What cannot be deleted now, on a full disk for instance, is deleted at a later start.
        let _ = crate::staging::tidy(&server).await;
        let (stop, stopped) = watch::channel(false);
        let router = http::router(server.clone());
        let listener = tokio::spawn(crate::listen::listen(
            listener,
            router,
            settings.http,
            Arc::clone(&server.counts),
            stopped,
        ));
        let recruiters = follow(&server, &settings, address).await;
        Ok(Self { address, server, keeper: running, stop, listener, recruiters })
    }

    /// Whether the keeper has ended by itself: the journal failed.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.keeper.has_ended()
    }

    /// Waits until the keeper ends by itself.
    pub async fn ended(&self) {
        while !self.has_ended() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Takes nothing new, finishes what is being done, leaves a snapshot.
    pub async fn stop(self) -> Result<(), JournalError> {
        self.server.keeper.shared.closing.send_replace(true);
        self.stop.send_replace(true);
        let _ = tokio::time::timeout(PATIENCE, self.listener).await;
        for recruiter in self.recruiters {
            let _ = recruiter.await;
        }
        self.server.keeper.stop().await;
        let keeper = self.keeper;
        let ended = tokio::task::spawn_blocking(move || keeper.join()).await;
        ended.unwrap_or_else(|error| Err(JournalError::Failed(error.to_string())))
    }
}

/// Starts all that goes on beside requests: webhooks, recruiters, giving back what closed pages held, and what the operations
/// pages remember.
async fn follow(server: &Server, settings: &Settings, address: SocketAddr) -> Vec<JoinHandle<()>> {
    if crate::webhook::start(server).await.is_err() {
        server.counts.broken();
    }
    let kinds: Vec<&str> = settings.processes.iter().map(|(kind, _)| kind.as_str()).collect();
    recruiter::process::end_others(server, &kinds).await;
    let place = format!("http://{address}");
    let processes = settings.processes.iter().map(|(kind, command)| ByProcess::new(kind, command, &place));
    let mut recruiters: Vec<JoinHandle<()>> = processes.map(|it| recruiter::spawn(server, it)).collect();
    recruiters.push(recruiter::spawn(server, ByLink));
    recruiters.push(tokio::spawn(crate::pages::worker::presence::keep(server.clone())));
    recruiters.extend(crate::pages::operations::watch::start(server));
    recruiters
}
