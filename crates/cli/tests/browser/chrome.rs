//! A real Chromium, told what to do over a pipe (the DevTools protocol), without a port and without a driver beside it.
//!
//! Knows nothing of pages. A thread reads what the browser says: replies go to whoever waits for them, events to the session that they
//! are of. Invariant: nobody waits for ever; what has not come by [`WITHIN`] fails with what was waited for. Start at
//! [`Chrome::start`].

#![allow(clippy::zombie_processes, reason = "a process that was started is waited for when it is dropped")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// Whatever is waited for comes within this, or the test fails. Long, since machines that run tests are busy.
pub(crate) const WITHIN: Duration = Duration::from_secs(90);

/// What a browser is started with: nothing of its own over the network, everything new.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
];

type Replies = Arc<Mutex<HashMap<u64, Sender<Value>>>>;
type Events = Arc<Mutex<Vec<(String, Sender<Value>)>>>;

/// A browser that runs; dropping it ends it.
pub(crate) struct Chrome {
    child: Child,
    to: Mutex<(ChildStdin, u64)>,
    replies: Replies,
    events: Events,
    _home: tempfile::TempDir,
}

impl Chrome {
    pub(crate) fn start() -> Arc<Self> {
        let home = tempfile::tempdir().expect("a folder");
        let mut child = command(home.path()).spawn().expect("chromium; `cargo xtask test` installs it");
        let (to, from) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let (replies, events) = (Replies::default(), Events::default());
        let (answered, told) = (Arc::clone(&replies), Arc::clone(&events));
        std::thread::spawn(move || listen(from, &answered, &told));
        Arc::new(Self { child, to: Mutex::new((to, 0)), replies, events, _home: home })
    }

    /// Does something, in a session if one is given, and returns what came of it.
    pub(crate) fn call(&self, session: Option<&str>, method: &str, params: Value) -> Result<Value, String> {
        let (reply, replied) = channel();
        {
            let mut to = self.to.lock().expect("no panic");
            to.1 += 1;
            let mut message = json!({"id": to.1, "method": method});
            message["params"] = params;
            if let Some(session) = session {
                message["sessionId"] = session.into();
            }
            self.replies.lock().expect("no panic").insert(to.1, reply);
            let mut bytes = message.to_string().into_bytes();
            bytes.push(0);
            to.0.write_all(&bytes).and_then(|()| to.0.flush()).expect("a browser that listens");
        }
        let mut said = replied.recv_timeout(WITHIN).map_err(|_| format!("{method}: no reply"))?;
        match said.get("error") {
            Some(error) => Err(format!("{method}: {}", error["message"])),
            None => Ok(said["result"].take()),
        }
    }

    /// What happens in a session from now on; the browser's own events have no session.
    pub(crate) fn follow(&self, session: &str) -> Receiver<Value> {
        let (event, events) = channel();
        self.events.lock().expect("no panic").push((session.to_owned(), event));
        events
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.call(None, "Browser.close", json!({}));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The browser reads from its third file and writes to its fourth, which a shell makes of our pipes.
fn command(home: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "exec chromium \"$@\" 3<&0 4>&1 0</dev/null 1>&2", "sh"]).args(FLAGS);
    command.arg(format!("--user-data-dir={}", home.display()));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Hands on what the browser says until it ends.
fn listen(from: impl Read, replies: &Replies, events: &Events) {
    let mut from = BufReader::new(from);
    let mut message = Vec::new();
    while from.read_until(0, &mut message).is_ok_and(|n| n > 0) {
        let said: Value =
            serde_json::from_slice(message.strip_suffix(&[0]).unwrap_or(&message)).unwrap_or_default();
        message.clear();
        if let Some(id) = said["id"].as_u64() {
            if let Some(reply) = replies.lock().expect("no panic").remove(&id) {
                let _ = reply.send(said);
            }
            continue;
        }
        let session = said["sessionId"].as_str().unwrap_or_default().to_owned();
        let mut events = events.lock().expect("no panic");
        events.retain(|(of, event)| *of != session || event.send(said.clone()).is_ok());
    }
    // Whoever still waits hears at once that nothing will come.
    replies.lock().expect("no panic").clear();
}
