//! `muster serve` as a process of its own, on a file of its own. Started, killed, told to stop. Knows nothing of what is asked.

#![allow(clippy::zombie_processes, reason = "a process that was started is waited for when it is dropped")]

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use serde_json::json;

use crate::client::Client;

/// A server that runs; dropping it kills it.
pub(crate) struct Process {
    child: Child,
    said: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
    /// The file that it serves, as it says.
    pub(crate) data: String,
    /// What it said before it listened.
    pub(crate) first_words: String,
}

/// Why a server did not start: what it said on stderr, and how it ended.
#[derive(Debug)]
pub(crate) struct NotStarted {
    pub(crate) words: String,
    pub(crate) code: Option<i32>,
}

/// The command that serves a file.
pub(crate) fn command(data: &Path) -> Command {
    command_on(data, "127.0.0.1:0")
}

/// The same on a given address.
pub(crate) fn command_on(data: &Path, address: &str) -> Command {
    let mut command = bare(address);
    command.arg("--data").arg(data);
    command
}

/// The command that serves a demo.
pub(crate) fn demo() -> Command {
    let mut command = bare("127.0.0.1:0");
    command.arg("--demo");
    command
}

fn bare(address: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
    command.args(["serve", "--listen", address]);
    command
}

impl Process {
    #[track_caller]
    pub(crate) fn start(data: &Path) -> Self {
        Self::try_start(&mut command(data)).expect("a server that starts")
    }

    pub(crate) fn try_start(command: &mut Command) -> Result<Self, NotStarted> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let mut said = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut first_words = String::new();
        loop {
            let mut line = String::new();
            if said.read_line(&mut line).expect("text") == 0 {
                let mut words = String::new();
                let _ = child.stderr.take().expect("a pipe").read_to_string(&mut words);
                let code = child.wait().expect("it ended").code();
                return Err(NotStarted { words, code });
            }
            if let Some((data, address)) = line.trim().split_once(" on http://") {
                let (address, data) =
                    (address.parse().expect("an address"), data.replace("muster serves ", ""));
                return Ok(Self { child, said, address, data, first_words });
            }
            first_words += &line;
        }
    }

    /// The next line that it says.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        assert_ne!(self.said.read_line(&mut line).expect("text"), 0, "it says no more");
        line
    }

    /// On the first start: becomes admin with the link that was printed; returns the token.
    pub(crate) fn claim(&mut self) -> String {
        let mut line = String::new();
        while !line.contains("/claim#") {
            line = self.line();
        }
        let secret = line.trim().rsplit('#').next().expect("a secret").to_owned();
        let claimed = Client::new(self.address, "").post("/api/claim", &json!({"secret": secret})).ok();
        claimed["token"].as_str().expect("a token").to_owned()
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("a process to kill");
        self.child.wait().expect("it ended");
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(sent.expect("the program kill").success());
    }

    /// SIGTERM, and how it ended; what it said meanwhile, on both streams.
    pub(crate) fn stop(mut self) -> (ExitStatus, String) {
        self.signal("TERM");
        let (mut words, mut errors) = (String::new(), String::new());
        self.said.read_to_string(&mut words).expect("text");
        self.child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
        (self.child.wait().expect("it ended"), words + &errors)
    }

    /// Waits until it ends by itself.
    pub(crate) fn ended(mut self) -> (ExitStatus, String) {
        let mut errors = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
        (self.child.wait().expect("it ended"), errors)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder that is removed at the end, with the place of a journal in it.
pub(crate) fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("muster.db");
    (folder, data)
}

/// A first start with tenant "acme", app "look", kinds "person" and "machine", and pool "day"; the admin's token.
pub(crate) fn first_start(data: &Path) -> (Process, String) {
    let mut process = Process::start(data);
    let token = process.claim();
    set_up(&Client::new(process.address, &token));
    (process, token)
}

pub(crate) fn set_up(admin: &Client) {
    admin.post("/api/tenants", &json!({"name": "acme"})).ok();
    admin.post("/api/apps", &json!({"name": "look", "lease": 3600})).ok();
    let role = json!({"is": "person", "wage_waiting": 3});
    admin.post("/api/kinds", &json!({"name": "person", "role": role})).ok();
    let role = json!({"is": "machine", "period": 3600, "cost": 0.1});
    admin.post("/api/kinds", &json!({"name": "machine", "role": role})).ok();
    admin.post("/api/pools", &json!({"name": "day", "apps": ["look"]})).ok();
}

/// A pool's worker.
pub(crate) fn join(client: &Client, kind: &str) -> u64 {
    let joined = client.post("/api/workers", &json!({"pool": "day", "kind": kind})).ok();
    joined["worker"].as_u64().expect("a number")
}

/// A job of acme's.
pub(crate) fn submit(client: &Client, tasks: &serde_json::Value) -> u64 {
    let body = json!({"tenant": "acme", "app": "look", "price": 0.05, "tasks": tasks});
    client.post("/api/jobs", &body).ok()["job"].as_u64().expect("a number")
}

/// Whether counts are raised.
pub(crate) fn is_long() -> bool {
    std::env::var_os("MUSTER_LONG").is_some()
}
