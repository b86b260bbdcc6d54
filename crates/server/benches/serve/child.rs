//! Servers as processes of their own: this program, started again.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use muster_server::access::Scope;
use muster_server::clock::Clock;
use muster_server::http::tokens;
use muster_server::serve::{Running, Settings, open};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// A server in a process of its own; it ends with this value.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
}

impl Process {
    /// Starts this program with these arguments; it says where it listens and which token is good.
    pub(crate) fn start(what: &str, file: &Path) -> Self {
        let itself = std::env::current_exe().expect("this program");
        let mut child = Command::new(itself)
            .arg(what)
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("piped");
        BufReader::new(out).read_line(&mut line).expect("it says where it is");
        let (address, token) = line.trim().split_once(' ').expect("an address and a token");
        Self { child, address: address.parse().expect("an address"), token: token.to_owned() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime")
}

/// Says where the server is, then waits until the one who started it is gone.
fn say(address: SocketAddr, token: &str) {
    println!("{address} {token}");
    let _ = std::io::stdout().flush();
    let _ = std::io::stdin().read_line(&mut String::new());
}

async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.expect("a port")
}

/// The server, with everything on and limits that the load stays below.
pub(crate) fn serve(file: &str) {
    let runtime = runtime();
    let (address, token) = runtime.block_on(async {
        let mut settings = Settings::default();
        (settings.http.rate, settings.http.burst) = (10_000_000, 10_000_000);
        settings.keeper.queue = 65_536;
        let journal = open(Path::new(file)).expect("a journal");
        let running = Running::start(journal, Clock::machine(), settings, listener().await).await;
        let running = running.expect("it starts");
        let secret = muster_server::access::new_secret().expect("randomness");
        let hidden = secret.clone();
        let made = running.server.turn(move |turn| {
            let record = tokens::fresh(turn, &hidden, Scope::Admin, "bench", None);
            Ok(tokens::issue(turn, record))
        });
        made.await.expect("a token");
        let address = running.address;
        std::mem::forget(running);
        (address, secret)
    });
    say(address, &token);
}

/// The bare prototype.
pub(crate) fn prototype(file: &str) {
    let runtime = runtime();
    let address = runtime.block_on(async {
        let listener = listener().await;
        let address = listener.local_addr().expect("an address");
        tokio::spawn(crate::prototype::serve(listener, Path::new(file)));
        address
    });
    say(address, "none");
}
