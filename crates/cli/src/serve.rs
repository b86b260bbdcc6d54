//! `muster serve`: the live server, until it is told to stop.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use muster_bots::Tell;
use muster_bots::http::Client;
use muster_server::clock::Clock;
use muster_server::http::{Limits, tokens};
use muster_server::journal::JournalError;
use muster_server::serve::{Running, Settings, open};
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::demo::{self, Demo};
use crate::output::Console;
use crate::refusal::{Failure, Refusal};

/// How to serve.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// The file that everything is kept in; it is made if it is not there. 'muster.db' unless said; with --demo a file that is
    /// removed at the end
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7700")]
    listen: SocketAddr,
    /// Shows a world at work: three tenants, four apps, two pools, and synthetic people among whom you can join
    #[arg(long)]
    demo: bool,
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

/// Where everything is kept; a temporary folder goes when this is dropped.
struct Place {
    file: PathBuf,
    _folder: Option<TempDir>,
}

/// At the end, the demo's people have so long to leave.
const LEAVE_WITHIN: Duration = Duration::from_secs(5);

impl Serve {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::File("runtime".to_owned(), error))?;
        let place = self.place()?;
        runtime.block_on(self.serve(&place, console))
    }

    fn place(&self) -> Result<Place, Failure> {
        match &self.data {
            Some(file) => Ok(Place { file: file.clone(), _folder: None }),
            None if self.demo => {
                let failed = |error| Failure::File("a temporary folder".to_owned(), error);
                let folder = tempfile::Builder::new().prefix("muster-demo-").tempdir().map_err(failed)?;
                Ok(Place { file: folder.path().join("muster.db"), _folder: Some(folder) })
            }
            None => Ok(Place { file: "muster.db".into(), _folder: None }),
        }
    }

    async fn serve(&self, place: &Place, console: &Console) -> Result<(), Failure> {
        let address = |error| Failure::File(self.listen.to_string(), error);
        // The file is made last: who mistypes something finds none afterwards.
        let http = Limits { connections: self.connections, ..Limits::default() };
        let settings = Settings { processes: self.processes()?, http, ..Settings::default() };
        let listener = TcpListener::bind(self.listen).await.map_err(address)?;
        let mut told = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
        let journal = open(&place.file).map_err(|error| place.failed(&error))?;
        if let Some(mended) = journal.mended() {
            console.print(&format!("{mended}\n"))?;
        }
        let running = Running::start(journal, Clock::machine(), settings, listener).await;
        let running = running.map_err(|error| place.failed(&error))?;
        console.print(&format!("muster serves {} on http://{}\n", place.file.display(), running.address))?;
        let begun = self.begin(&running, place, console).await;
        let outcome = match begun {
            Ok(mut demo) => {
                let outcome = until_told(&running, &mut told, demo.as_mut(), console).await;
                if let Some(demo) = demo {
                    let _ = tokio::time::timeout(LEAVE_WITHIN, demo.stop()).await;
                }
                outcome
            }
            Err(failure) => Err(failure),
        };
        running.stop().await.map_err(|error| place.failed(&error))?;
        outcome
    }

    /// Prints the way in, and begins the demo if there is to be one.
    async fn begin(
        &self,
        running: &Running,
        place: &Place,
        console: &Console,
    ) -> Result<Option<Demo>, Failure> {
        let here = format!("http://{}", running.address);
        if self.demo {
            return begin_demo(running, place, &here, console).await.map(Some);
        }
        if running.server.keeper.shared.tokens.is_empty() {
            let link = link(running).await?;
            console.print(&format!(
                "first start: open this link once to become admin\n  {here}/claim#{link}\n"
            ))?;
        }
        Ok(None)
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
}

impl Place {
    fn failed(&self, error: &JournalError) -> Failure {
        let (file, words) = (self.file.display().to_string(), error.to_string());
        if words.starts_with(&file) {
            Failure::Said(words)
        } else {
            Failure::Said(format!("{file}: {words}"))
        }
    }
}

/// The secret of a one-time link for an admin.
async fn link(running: &Running) -> Result<String, Failure> {
    tokens::make_link(&running.server).await.map_err(|problem| Failure::Said(problem.detail.to_string()))
}

/// Becomes admin over the server's own API, sets the demo going and prints the ways in.
async fn begin_demo(
    running: &Running,
    place: &Place,
    here: &str,
    console: &Console,
) -> Result<Demo, Failure> {
    let said = |words: String| Failure::Said(format!("the demo could not begin: {words}"));
    let names = running.server.directory();
    if !running.server.keeper.shared.tokens.is_empty() && names.pool(demo::GUESTS.0).is_err() {
        let allowed = "a file that is not there yet, or one of an earlier demo; in this one, \
                       synthetic people would answer somebody's tasks";
        return Err(Refusal::value("--data", place.file.display(), allowed).into());
    }
    let secret = link(running).await?;
    let claimed = Client::new(here, &secret).map_err(said)?;
    let claimed = claimed.post("/api/claim", &json!({"secret": secret})).await;
    let token = claimed.map_err(|trouble| said(trouble.to_string()))?["token"].take();
    let client = Client::new(here, token.as_str().unwrap_or_default()).map_err(said)?;
    let tell: Tell = Arc::new(|words| drop(writeln!(std::io::stderr(), "{words}")));
    let demo = Demo::begin(client, tell).await.map_err(|trouble| said(trouble.to_string()))?;
    let secret = link(running).await?;
    console.print(&format!(
        "three tenants, four apps and two pools are at work; open these in a browser\n  \
         see everything     {here}/claim#{secret}\n  \
         work yourself      {here}{}\n  \
         submit work        {here}/enter/{}\n\
         each in a window of its own (a private one for the second and third); Ctrl-C ends it all\n",
        demo.join, demo.requester
    ))?;
    Ok(demo)
}

/// Waits for a signal, or for the server to end by itself. That a demo's crowd ended is said once.
async fn until_told(
    running: &Running,
    told: &mut [std::io::Result<Signal>; 2],
    demo: Option<&mut Demo>,
    console: &Console,
) -> Result<(), Failure> {
    let [terminate, interrupt] = told;
    let crowd = async {
        if let Some(demo) = demo {
            let words = demo.ended().await;
            let _ = console.print(&format!("the demo's people have stopped: {words}\n"));
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = heard(terminate) => {}
        () = heard(interrupt) => {}
        () = running.ended() => return Ok(()),
        () = crowd => {}
    }
    console.print("stopping: finishing what is being done\n")
}

/// Waits for a signal; without a way to hear it, for ever.
async fn heard(signal: &mut std::io::Result<Signal>) {
    match signal {
        Ok(signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}
