//! A server with a little world on it, and a browser to look at it with.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::chrome::Chrome;
use crate::client::Client;
use crate::process::{Process, place};
use crate::tab::Person;

/// A server, its admin, and a browser.
pub(crate) struct World {
    pub(crate) admin: Client,
    token: String,
    address: String,
    chrome: Arc<Chrome>,
    _process: Process,
    pub(crate) folder: tempfile::TempDir,
}

/// Whether there is to be a browser; says so if not.
pub(crate) fn wanted() -> bool {
    let wanted = std::env::var_os("MUSTER_BROWSER").is_some();
    if !wanted {
        println!("skipped: a suite of its own in `cargo xtask test` (MUSTER_BROWSER=1)");
    }
    wanted
}

/// A form that asks for a verdict, and for a note if somebody likes.
pub(crate) fn form() -> Value {
    json!({"fields": [
        {"name": "verdict", "label": "Is it a cat?", "type": "choice", "options": ["yes", "no", "unsure"]},
        {"name": "note", "label": "A note", "type": "text", "required": false}
    ]})
}

impl World {
    /// Tenant acme, app "look" with a form, kind person, pool day.
    pub(crate) fn new() -> Self {
        Self::with_app(&json!({"name": "look", "instructions": "Look at it.", "lease": 600, "form": form()}))
    }

    /// The same with another app.
    pub(crate) fn with_app(app: &Value) -> Self {
        let (folder, data) = place();
        let mut process = Process::start(&data);
        let token = process.claim();
        let admin = Client::new(process.address, &token);
        let address = format!("http://{}", process.address);
        admin.post("/api/tenants", &json!({"name": "acme"})).ok();
        admin.post("/api/apps", app).ok();
        let role = json!({"is": "person", "wage_waiting": 3, "wage_training": 3});
        admin.post("/api/kinds", &json!({"name": "person", "role": role})).ok();
        admin.post("/api/pools", &json!({"name": "day", "apps": [app["name"]]})).ok();
        Self { admin, token, address, chrome: Chrome::start(), _process: process, folder }
    }

    /// Somebody with a browser of their own.
    pub(crate) fn person(&self) -> Person {
        Person::new(&self.chrome, &self.address)
    }

    /// A path that signs in with a new token.
    pub(crate) fn entrance(&self, token: &Value) -> String {
        let made = self.admin.post("/api/tokens", token).ok();
        format!("/enter/{}", made["token"].as_str().expect("a token"))
    }

    /// A path that signs in as the admin.
    pub(crate) fn admins_entrance(&self) -> String {
        format!("/enter/{}", self.token)
    }

    pub(crate) fn requesters_entrance(&self) -> String {
        self.entrance(&json!({"scope": "tenant", "tenant": "acme"}))
    }

    /// A path by which people join pool day.
    pub(crate) fn join_link(&self) -> String {
        let made = self.admin.post("/api/links", &json!({"pool": "day", "kind": "person"})).ok();
        made["path"].as_str().expect("a path").to_owned()
    }

    /// A job of acme's; its number.
    pub(crate) fn submit(&self, app: &str, tasks: &Value) -> u64 {
        let body = json!({"tenant": "acme", "app": app, "price": 0.05, "tasks": tasks});
        self.admin.post("/api/jobs", &body).ok()["job"].as_u64().expect("a number")
    }
}
