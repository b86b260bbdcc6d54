//! What commands that talk to a server have in common: where it is, how they are told to stop, what they say meanwhile.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::Write;
use std::sync::Arc;

use clap::Args;
use muster_bots::http::{Client, Trouble};
use muster_bots::{Stop, Tell};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::refusal::{Failure, Refusal};

/// Which server.
#[derive(Args, Debug)]
pub(crate) struct Remote {
    /// Where the server is
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:7700")]
    server: String,
    /// The token to act with; the variable MUSTER_TOKEN unless said, so that it need not be seen in a list of processes
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
}

impl Remote {
    pub(crate) fn client(&self) -> Result<Client, Failure> {
        let token = self.token.clone().or_else(|| std::env::var("MUSTER_TOKEN").ok()).unwrap_or_default();
        if token.is_empty() {
            let allowed = "a token that the server made; it can also stand in the variable MUSTER_TOKEN";
            return Err(Refusal::Missing { field: "--token".to_owned(), allowed: allowed.to_owned() }.into());
        }
        Client::new(&self.server, &token)
            .map_err(|allowed| Refusal::value("--server", &self.server, &allowed).into())
    }
}

/// Runs something until it ends; SIGTERM and Ctrl-C drain, and the second of them ends it at once.
pub(crate) fn run<T>(
    work: impl AsyncFnOnce(watch::Receiver<Stop>, Tell) -> Result<T, Trouble>,
) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::File("runtime".to_owned(), error))?;
    runtime.block_on(async {
        let (stop, stopped) = watch::channel(Stop::No);
        tokio::spawn(listen(stop));
        let tell: Tell = Arc::new(|words: String| drop(writeln!(std::io::stderr(), "{words}")));
        let outcome = work(stopped, tell).await;
        outcome.map_err(|trouble| match trouble {
            Trouble::Refused { status: 400..500, words } => Failure::Many(words),
            other => Failure::Said(other.to_string()),
        })
    })
}

async fn listen(stop: watch::Sender<Stop>) {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return;
    };
    for told in [Stop::Drain, Stop::Now] {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        stop.send_replace(told);
    }
    // The sender lives on: nobody takes its end for an order.
    std::future::pending::<()>().await;
}

/// Something that no other process has.
pub(crate) fn unique() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{:x}-{random:016x}", std::process::id())
}
