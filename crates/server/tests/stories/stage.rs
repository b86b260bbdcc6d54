//! Stories: short scripts of requests with the answers that are expected, played against a real server on a port of its own.
//!
//! ```text
//! admin POST /api/tenants {"name": "acme"}      who, what, where, and a body: JSON, or csv:... or jsonl:... with \n in it
//!   -> 201 {"name": "acme"}                     the status, and what must be in the reply (a text is the whole reply)
//!   $job = job                                  keeps a field of the reply: $job in later lines is its value
//! admin POST[monday] /api/jobs {...}            with an idempotency key
//! admin GET /api/jobs/$job
//!   ~> 200 {"stage": "done"}                    asks again and again until it is so
//! token acme {"scope": "tenant", "tenant": "acme"}   makes a token and calls it acme
//! pass 10 min                                   moves the clock
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use muster_engine::{Span, Time};
use muster_server::access::{Scope, new_secret};
use muster_server::clock::Clock;
use muster_server::http::tokens;
use muster_server::journal::memory::{Disk, MemoryJournal};
use muster_server::serve::{Running, Settings};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::client::{Going, Received, Sent, begin};

/// A server on a port of its own, and what the story knows so far.
pub(crate) struct Stage {
    runtime: Runtime,
    running: Option<Running>,
    hand: Arc<AtomicU64>,
    disk: Disk,
    settings: Settings,
    pub(crate) tokens: BTreeMap<String, String>,
    pub(crate) known: BTreeMap<String, String>,
}

/// When stories begin.
const START: Time = Time(1_000_000_000_000_000_000);
/// So often something is asked until it is so.
const TRIES_MOST: usize = 5_000;

impl Stage {
    /// A server with nothing in it; `admin` has a token.
    pub(crate) fn new() -> Self {
        Self::with(Settings::default())
    }

    /// With these settings.
    pub(crate) fn with(settings: Settings) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let (_, hand) = Clock::by_hand(START);
        let mut stage = Self {
            runtime: runtime.expect("a runtime"),
            running: None,
            hand,
            disk: Disk::new(1),
            settings,
            tokens: BTreeMap::new(),
            known: BTreeMap::new(),
        };
        stage.start();
        let admin = stage.issue(Scope::Admin);
        stage.tokens.insert("admin".to_owned(), admin);
        stage
    }

    fn start(&mut self) {
        let journal = MemoryJournal::open(&self.disk).expect("nobody has it");
        let (clock, hand) = Clock::by_hand(Time(self.hand.load(Ordering::SeqCst)));
        self.hand = hand;
        let settings = self.settings.clone();
        let running = self.runtime.block_on(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            Running::start(Box::new(journal), clock, settings, listener).await
        });
        self.running = Some(running.expect("it starts"));
    }

    /// Stops in order and starts again on the same disk.
    pub(crate) fn restart(&mut self) {
        self.stop();
        self.start();
    }

    /// Starts a server that was stopped.
    pub(crate) fn restart_stopped(&mut self) {
        self.start();
    }

    pub(crate) fn stop(&mut self) {
        let running = self.running.take().expect("it runs");
        self.runtime.block_on(running.stop()).expect("it stops in order");
    }

    pub(crate) fn running(&self) -> &Running {
        self.running.as_ref().expect("it runs")
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// A token, made past the API.
    fn issue(&self, scope: Scope) -> String {
        let secret = new_secret().expect("randomness");
        let hidden = secret.clone();
        let server = self.running().server.clone();
        let made = self.runtime.block_on(async move {
            let issue = move |turn: &mut muster_server::keeper::turn::Turn<'_>| {
                let record = tokens::fresh(turn, &hidden, scope, "story", None);
                Ok(tokens::issue(turn, record))
            };
            server.turn(issue).await
        });
        made.expect("a token");
        secret
    }

    /// Sends a request in somebody's name ("nobody" has no token).
    pub(crate) fn begin<'a>(&'a self, who: &str, mut sent: Sent<'a>) -> Going {
        let token = self.tokens.get(who);
        assert!(token.is_some() || who == "nobody", "nobody gave '{who}' a token");
        sent.token = token.map(String::as_str);
        begin(self.running().address, &sent)
    }

    pub(crate) fn ask(&self, who: &str, method: &str, path: &str, body: &Value) -> Received {
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        self.begin(who, Sent { method, path, body, ..Sent::default() }).rest()
    }

    /// Plays a script.
    #[track_caller]
    pub(crate) fn play(&mut self, script: &str) {
        let mut last: Option<(String, Received)> = None;
        for line in script.lines() {
            let text = self.filled(line.trim());
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if let Some(expected) = text.strip_prefix("-> ") {
                let (line, reply) = last.as_ref().expect("something was asked");
                check(reply, expected).unwrap_or_else(|why| panic!("{line}\n  {why}"));
            } else if let Some(expected) = text.strip_prefix("~> ") {
                let (line, reply) = last.take().expect("something was asked");
                last = Some((line.clone(), self.until(&line, reply, expected)));
            } else if let Some((name, path)) = text.strip_prefix('$').and_then(|rest| rest.split_once(" = "))
            {
                let (_, reply) = last.as_ref().expect("something was asked");
                let found = field(&serde_json::from_slice(&reply.body).unwrap_or_default(), path);
                self.known.insert(name.to_owned(), found);
            } else if let Some(span) = text.strip_prefix("pass ") {
                let span: Span = span.parse().expect("a length of time");
                self.hand.fetch_add(span.0, Ordering::SeqCst);
            } else if let Some((name, body)) =
                text.strip_prefix("token ").and_then(|rest| rest.split_once(' '))
            {
                let body = serde_json::from_str(body).expect("JSON");
                let made = self.ask("admin", "POST", "/api/tokens", &body);
                assert_eq!(made.status, 201, "{}", made.text());
                let made: Value = serde_json::from_slice(&made.body).expect("JSON");
                self.tokens.insert(name.to_owned(), field(&made, "token"));
            } else if text == "restart" {
                self.restart();
            } else {
                last = Some((text.clone(), self.request(&text)));
            }
        }
    }

    fn until(&mut self, line: &str, first: Received, expected: &str) -> Received {
        let mut reply = first;
        for _ in 0..TRIES_MOST {
            if check(&reply, expected).is_ok() {
                return reply;
            }
            reply = self.request(line);
        }
        panic!("{line}\n  was never {expected}, but last {} {}", reply.status, reply.text());
    }

    fn filled(&self, line: &str) -> String {
        let mut line = line.to_owned();
        if !line.starts_with('$') {
            for (name, value) in self.known.iter().rev() {
                line = line.replace(&format!("${name}"), value);
            }
        }
        line
    }

    fn request(&self, line: &str) -> Received {
        let mut words = line.splitn(4, ' ');
        let (who, what, path) =
            (words.next().unwrap_or(""), words.next().unwrap_or(""), words.next().unwrap_or(""));
        let body = words.next().unwrap_or("").trim();
        let (method, key) = match what.split_once('[') {
            Some((method, key)) => (method, Some(key.trim_end_matches(']'))),
            None => (what, None),
        };
        let (kind, body) = match body.split_once(':') {
            Some(("csv", text)) => ("text/csv", text.replace("\\n", "\n")),
            Some(("jsonl", text)) => ("application/jsonl", text.replace("\\n", "\n")),
            _ => ("application/json", body.to_owned()),
        };
        let mut headers = vec![("content-type", kind)];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        self.begin(who, Sent { method, path, headers, body: body.into_bytes(), token: None }).rest()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if self.running.is_some() && !std::thread::panicking() {
            self.stop();
        }
    }
}

/// A field of a reply, by its way: `lease.lease`, `wanted.0.recruit`.
fn field(value: &Value, path: &str) -> String {
    let step = |value: &Value, step: &str| match step.parse::<usize>() {
        Ok(place) => value.get(place).cloned(),
        Err(_) => value.get(step).cloned(),
    };
    let found = path.split('.').try_fold(value.clone(), |value, at| step(&value, at));
    match found.unwrap_or_else(|| panic!("there is no {path} in {value}")) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Whether a reply is as expected: `STATUS` and what must be in it.
fn check(reply: &Received, expected: &str) -> Result<(), String> {
    let (status, body) = expected.split_once(' ').unwrap_or((expected, ""));
    let said = || format!("{} {}", reply.status, reply.text());
    if reply.status.to_string() != status {
        return Err(format!("expected {expected}\n  but got {}", said()));
    }
    if body.is_empty() {
        return Ok(());
    }
    let wanted: Value = serde_json::from_str(body).map_err(|error| format!("{body}: {error}"))?;
    let found = match &wanted {
        Value::String(_) => json!(reply.text()),
        _ => serde_json::from_slice(&reply.body).unwrap_or_default(),
    };
    if holds(&found, &wanted) { Ok(()) } else { Err(format!("expected {expected}\n  but got {}", said())) }
}

/// Objects hold at least these fields; lists are equally long; a text with `...` at both ends is somewhere inside.
fn holds(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            wanted.iter().all(|(key, value)| found.get(key).is_some_and(|found| holds(found, value)))
        }
        (Value::Array(found), Value::Array(wanted)) => {
            found.len() == wanted.len()
                && found.iter().zip(wanted).all(|(found, wanted)| holds(found, wanted))
        }
        (Value::Number(found), Value::Number(wanted)) => {
            found.as_f64().zip(wanted.as_f64()).is_some_and(|(a, b)| (a - b).abs() < 1e-9)
        }
        (Value::String(found), Value::String(wanted)) => {
            match wanted.strip_prefix("...").and_then(|part| part.strip_suffix("...")) {
                Some(part) => found.contains(part),
                None => found == wanted,
            }
        }
        (found, wanted) => found == wanted,
    }
}

/// Tenants acme and globex, app look, kinds person and machine, pool day; tokens for both tenants, a worker and a reader.
pub(crate) const SET_UP: &str = r#"
    admin POST /api/tenants {"name": "acme"}
      -> 201 {"tenant": 0, "name": "acme", "weight": 1}
    admin POST /api/tenants {"name": "globex"}
    admin POST /api/apps {"name": "look", "lease": 600}
      -> 201 {"app": 0}
    admin POST /api/kinds {"name": "person", "role": {"is": "person", "wage_waiting": 3.6}}
    admin POST /api/kinds {"name": "machine", "role": {"is": "machine", "period": 3600, "cost": 0.5}}
    admin POST /api/pools {"name": "day", "apps": ["look"]}
      -> 201 {"pool": 0, "policies": {"dispatch": "fifo"}}
    token acme {"scope": "tenant", "tenant": "acme"}
    token globex {"scope": "tenant", "tenant": "globex"}
    token ann {"scope": "worker", "pool": "day"}
    token reader {"scope": "read"}
"#;
