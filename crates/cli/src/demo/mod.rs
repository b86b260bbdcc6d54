//! `muster serve --demo`: a world to look at. Three tenants, four apps, two pools and a crowd of synthetic people, who use the
//! server over its own HTTP API as anybody would.
//!
//! Knows the server only by its address and a token. The world is `demo.toml`; what tasks say is in `content`, what workers
//! are shown in `apps`. Start at [`Demo::begin`].

mod apps;
mod content;
mod draw;
mod words;

use std::sync::Arc;

use muster_bots::crowd::{self, Settings, Tally};
use muster_bots::http::{Client, Trouble};
use muster_bots::{Stop, Tell};
use muster_engine::Span;
use muster_engine::policy::Registry;
use muster_sim::model::{App, Setup};
use muster_sim::scenario;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::remote;

/// The world.
const WORLD: &str = include_str!("demo.toml");
/// A task whose worker has not been heard of for so long is given to another.
const HEARTBEAT_SECONDS: f64 = 45.0;
/// A worker who has not been heard of for so long has left.
const PRESENCE: Span = Span::from_secs(90);
/// Where people who want to try it join, and as what.
pub(crate) const GUESTS: (&str, &str) = ("front desk", "guest");
/// Whose jobs the requester's link shows.
const REQUESTER: &str = "Harbour Market";

/// The crowd at work, and the ways in for people.
pub(crate) struct Demo {
    stop: watch::Sender<Stop>,
    crowd: JoinHandle<Result<Tally, Trouble>>,
    /// Where a person joins, on this server.
    pub(crate) join: String,
    /// A token of the requester's.
    pub(crate) requester: String,
}

/// What is in the world.
fn world() -> Result<Setup, Trouble> {
    let wrong = |words: String| Trouble::Refused { status: 422, words };
    let read = scenario::parse("demo.toml", WORLD, &mut |_| Err("no file".to_owned()), &Registry::default());
    let mut variants = read.map_err(|refusals| wrong(refusals.to_string()))?.variants;
    let mut setup = variants.swap_remove(0).setup;
    setup.pools.iter_mut().for_each(|pool| pool.spec.presence = Some(PRESENCE));
    setup.apps.iter_mut().for_each(|app| app.spec.heartbeat = Some(Span::from_secs_f64(HEARTBEAT_SECONDS)));
    Ok(setup)
}

/// An app as it is made: how long it takes from the world, what workers see from its description.
fn app(app: &App) -> Value {
    let mut body = crowd::described_app(app);
    if let Some(body) = body.as_object_mut() {
        body.extend(apps::described(&app.name));
    }
    body
}

/// Makes something; that it is there already is no trouble.
async fn make(client: &Client, path: &str, body: &Value) -> Result<(), Trouble> {
    match client.post(path, body).await {
        Err(Trouble::Refused { status: 409, .. }) => Ok(()),
        reply => reply.map(drop),
    }
}

fn text(reply: &Value, field: &str) -> String {
    reply[field].as_str().unwrap_or_default().to_owned()
}

impl Demo {
    /// Makes the world, with an admin's token, and sets the crowd to work.
    pub(crate) async fn begin(client: Client, tell: Tell) -> Result<Self, Trouble> {
        let setup = world()?;
        for it in &setup.apps {
            make(&client, "/api/apps", &app(it)).await?;
        }
        crowd::make(&client, &setup).await?;
        let link = json!({"pool": GUESTS.0, "kind": GUESTS.1, "label": "demo"});
        let link = client.post("/api/links", &link).await?;
        let token = json!({"scope": "tenant", "tenant": REQUESTER, "label": "demo"});
        let token = client.post("/api/tokens", &token).await?;
        let settings = Settings {
            setup,
            speed: 1.0,
            seed: 1,
            content: Arc::new(content::Demo),
            makes: false,
            until: None,
            unique: remote::unique(),
        };
        let (stop, stopped) = watch::channel(Stop::No);
        let crowd = tokio::spawn(crowd::run(client, settings, stopped, tell));
        Ok(Self { stop, crowd, join: text(&link, "path"), requester: text(&token, "token") })
    }

    /// Waits until the crowd ends by itself, which it only does if something is wrong; says what.
    pub(crate) async fn ended(&mut self) -> String {
        match (&mut self.crowd).await {
            Ok(Ok(_)) => "the crowd has gone".to_owned(),
            Ok(Err(trouble)) => trouble.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// Everybody gives back what is in hand and leaves.
    pub(crate) async fn stop(self) {
        self.stop.send_replace(Stop::Now);
        // The server is about to stop as well: what the crowd could not say then is of no matter.
        if !self.crowd.is_finished() {
            let _ = self.crowd.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_is_as_announced() {
        let setup = world().expect("a world");
        assert_eq!((setup.tenants.len(), setup.apps.len(), setup.pools.len()), (3, 4, 2));
        assert!(setup.pools.iter().any(|pool| pool.name == GUESTS.0));
        assert!(setup.kinds.iter().any(|kind| kind.name == GUESTS.1));
        assert!(setup.tenants.iter().any(|tenant| tenant.name == REQUESTER));
    }

    #[test]
    fn every_app_says_what_to_do_and_how_to_answer() {
        for it in &world().expect("a world").apps {
            let body = app(it);
            assert!(body["instructions"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
            assert_ne!(body["form"].is_object(), body["template"].is_string(), "{body}");
            assert!(body["lease"].is_object() && body["heartbeat"] == HEARTBEAT_SECONDS, "{body}");
        }
    }
}
