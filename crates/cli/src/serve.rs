//! `muster serve`: the live server, until it is told to stop.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use muster_server::clock::Clock;
use muster_server::http::{Limits, tokens};
use muster_server::journal::JournalError;
use muster_server::serve::{Running, Settings, open};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::output::Console;
use crate::refusal::{Failure, Refusal};

/// How to serve.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// The file that everything is kept in; it is made if it is not there
    #[arg(long, value_name = "FILE", default_value = "muster.db")]
    data: PathBuf,
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7700")]
    listen: SocketAddr,
    /// A command that is started on this machine for each machine worker of a kind that is wanted; may be given for several
    /// kinds. It finds $MUSTER_SERVER, $MUSTER_TOKEN, $MUSTER_POOL, $MUSTER_KIND and $MUSTER_RECRUIT in its environment
    #[arg(long, value_name = "KIND=COMMAND")]
    process: Vec<String>,
    /// So many connections are taken at once; who comes when all are in use is told to try again
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections, value_parser = positive)]
    connections: usize,
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "1 or more".to_owned())
}

impl Serve {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::File("runtime".to_owned(), error))?;
        runtime.block_on(self.serve(console))
    }

    async fn serve(&self, console: &Console) -> Result<(), Failure> {
        let address = |error| Failure::File(self.listen.to_string(), error);
        // The file is made last: who mistypes something finds none afterwards.
        let http = Limits { connections: self.connections, ..Limits::default() };
        let settings = Settings { processes: self.processes()?, http, ..Settings::default() };
        let listener = TcpListener::bind(self.listen).await.map_err(address)?;
        let mut told = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
        let journal = open(&self.data).map_err(|error| self.failed(&error))?;
        if let Some(mended) = journal.mended() {
            console.print(&format!("{mended}\n"))?;
        }
        let running = Running::start(journal, Clock::machine(), settings, listener).await;
        let running = running.map_err(|error| self.failed(&error))?;
        console.print(&format!("muster serves {} on http://{}\n", self.data.display(), running.address))?;
        if running.server.keeper.shared.tokens.is_empty() {
            let link = tokens::make_link(&running.server).await;
            let link = link.map_err(|problem| self.failed(&JournalError::Failed(problem.detail.clone())))?;
            console.print(&format!(
                "first start: open this link once to become admin\n  http://{}/claim#{link}\n",
                running.address
            ))?;
        }
        let [terminate, interrupt] = &mut told;
        let mut ended_by_itself = false;
        tokio::select! {
            () = heard(terminate) => {}
            () = heard(interrupt) => {}
            () = running.ended() => ended_by_itself = true,
        }
        if !ended_by_itself {
            console.print("stopping: finishing what is being done\n")?;
        }
        running.stop().await.map_err(|error| self.failed(&error))
    }

    /// Commands by kind.
    fn processes(&self) -> Result<Vec<(String, String)>, Refusal> {
        let apart = |text: &String| match text.split_once('=') {
            Some((kind, command)) if !kind.trim().is_empty() && !command.trim().is_empty() => {
                Ok((kind.trim().to_owned(), command.trim().to_owned()))
            }
            _ => Err(Refusal::value("--process", text, "KIND=COMMAND")),
        };
        self.process.iter().map(apart).collect()
    }

    fn failed(&self, error: &JournalError) -> Failure {
        let (file, words) = (self.data.display().to_string(), error.to_string());
        if words.starts_with(&file) {
            Failure::Said(words)
        } else {
            Failure::Said(format!("{file}: {words}"))
        }
    }
}

/// Waits for a signal; without a way to hear it, for ever.
async fn heard(signal: &mut std::io::Result<tokio::signal::unix::Signal>) {
    match signal {
        Ok(signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}
