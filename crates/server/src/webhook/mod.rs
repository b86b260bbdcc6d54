//! Webhooks: what happens is told to whatever the team uses, signed, in order, and until it is taken.
//!
//! A task for each hook reads durable facts from the hook's stored cursor and posts what the hook wants. The cursor moves only
//! when a post was taken, so an event may come twice after a crash and is never left out: receivers know it by its fact number.
//! Setting the cursor back replays. Start at [`start`].

pub mod event;
pub mod send;
pub mod sign;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use muster_engine::Time;
use muster_engine::ids::{JobId, TenantId};
use muster_engine::spec::Role;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::http::{Server, links};
use crate::journal::Reader;
use crate::keeper::recover::{all, record};
use crate::keys::{self, Sort};
use crate::problem::Answer;
use crate::{follow, jobs};
use event::About;
use send::Target;

/// A webhook, as kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookRecord {
    /// Where to.
    pub url: String,
    /// What is told.
    pub events: Vec<event::Sort>,
    /// Only what is this tenant's.
    pub tenant: Option<TenantId>,
    /// What it is for.
    pub label: String,
    /// What posts are signed with.
    pub secret: String,
    /// When it was made.
    pub made: Time,
    /// Facts before this number have been told.
    pub cursor: u64,
}

/// How a hook's posts go.
#[derive(Clone, Debug, Default)]
pub struct Going {
    /// Posts that were taken.
    pub posts: u64,
    /// How often the next one has failed.
    pub failures: u32,
    /// Why, the last time.
    pub error: Option<String>,
}

/// How all hooks go, and what wakes them.
#[derive(Debug, Default)]
pub struct Hooks {
    going: Mutex<BTreeMap<u32, Going>>,
    woken: tokio::sync::Notify,
}

impl Hooks {
    /// How a hook goes.
    #[must_use]
    pub fn going(&self, id: u32) -> Going {
        self.all().get(&id).cloned().unwrap_or_default()
    }

    /// A hook has changed.
    pub fn wake(&self) {
        self.woken.notify_waiters();
    }

    fn all(&self) -> std::sync::MutexGuard<'_, BTreeMap<u32, Going>> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, id: u32, change: impl FnOnce(&mut Going)) {
        change(self.all().entry(id).or_default());
    }
}

/// So many events go into one post.
const EVENTS_MOST: usize = 100;
/// So many facts are looked through at a time.
const FACTS_MOST: u64 = 10_000;
/// Events that come within so long go into one post.
const TOGETHER: Duration = Duration::from_millis(50);
/// After the first failure it is tried again so soon, then after twice that, ...
const RETRY_FIRST: Duration = Duration::from_millis(250);
/// ... but at least so often.
const RETRY_MOST: Duration = Duration::from_secs(300);

/// A hook by number.
pub fn find(reader: &dyn Reader, id: u32) -> Answer<Option<HookRecord>> {
    let key = keys::one(Sort::Hook, id);
    Ok(reader.get(&key)?.map(|bytes| record(&key, &bytes)).transpose()?)
}

/// All hooks.
pub fn list(reader: &dyn Reader) -> Answer<Vec<(u32, HookRecord)>> {
    let read = |(key, bytes): (Vec<u8>, Vec<u8>)| {
        Ok((keys::number(&key).unwrap_or_default(), record(&key, &bytes)?))
    };
    all(reader, Sort::Hook)?.into_iter().map(read).collect()
}

/// Starts a task for each hook there is.
pub async fn start(server: &Server) -> Answer<()> {
    for (id, _) in server.read(list).await? {
        spawn(server, id);
    }
    Ok(())
}

/// Starts the task of a hook; it ends with the hook, or with the server.
pub fn spawn(server: &Server, id: u32) {
    let server = server.clone();
    tokio::spawn(async move {
        let work = server.clone();
        tokio::select! {
            () = tell(&work, id) => {}
            () = server.stopped() => {}
        }
    });
}

/// Where a hook's task stands: facts before `position` hold nothing for a hook whose cursor is `cursor`.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    cursor: u64,
    position: u64,
}

async fn tell(server: &Server, id: u32) {
    let mut durable = server.keeper.shared.durable.subscribe();
    let mut place = Place::default();
    loop {
        durable.mark_unchanged();
        let woken = server.hooks.woken.notified();
        let Ok(found) = server.read(move |reader| find(reader, id)).await else {
            pause(server).await;
            continue;
        };
        let Some(hook) = found else { return };
        if place.cursor != hook.cursor {
            place = Place { cursor: hook.cursor, position: hook.cursor };
        }
        let Ok(batch) = gather(server, &hook, place.position).await else {
            pause(server).await;
            continue;
        };
        let is_end = batch.next == place.position;
        place.position = batch.next;
        let is_far = place.position - place.cursor.min(place.position) >= FACTS_MOST;
        if !batch.events.is_empty() && !post(server, id, &hook, &batch.events).await {
            place.position = place.cursor;
            continue;
        }
        if !batch.events.is_empty() || is_far {
            place.cursor = move_on(server, id, hook.cursor, place.position).await.unwrap_or(hook.cursor);
        }
        if is_end {
            tokio::select! {
                changed = durable.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    tokio::time::sleep(TOGETHER).await;
                }
                () = woken => {}
            }
        }
    }
}

/// Something could not be read, as too much waits for instance: that is counted, and tried again a little later.
async fn pause(server: &Server) {
    server.counts.broken();
    tokio::time::sleep(RETRY_FIRST).await;
}

struct Batch {
    events: Vec<Value>,
    next: u64,
}

/// What there is to tell from a position on.
async fn gather(server: &Server, hook: &HookRecord, from: u64) -> Answer<Batch> {
    let (names, hook) = (server.directory(), hook.clone());
    let roles: Vec<Role> =
        server.look(|look| Ok(look.state().kinds().iter().map(|kind| kind.role).collect())).await?;
    let links =
        if hook.events.contains(&event::Sort::Wanted) { links::good(server).await? } else { Vec::new() };
    let read = move |reader: &dyn Reader| {
        let role = |kind: u32| roles.get(kind as usize).copied();
        let (mut events, mut next) = (Vec::new(), from);
        follow::each(reader, from, &mut |number, fact| {
            next = number + 1;
            let told = event::of(number, &fact, &names, role).filter(|(sort, about, _)| {
                hook.events.contains(sort) && hook.tenant.is_none_or(|tenant| is_of(reader, tenant, *about))
            });
            events.extend(told.map(|(_, _, told)| with_link(told, &links)));
            let enough = events.len() >= EVENTS_MOST || next - from >= FACTS_MOST;
            if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(Batch { events, next })
    };
    server.read(read).await
}

/// Whether it is a tenant's own.
fn is_of(reader: &dyn Reader, tenant: TenantId, about: About) -> bool {
    let has = |job: JobId| matches!(jobs::find(reader, tenant, job), Ok(Some(_)));
    match about {
        About::Tenant(own) => own == tenant,
        About::Job(job) => has(job),
        About::All => false,
    }
}

/// Says where to join, if somebody is wanted and there is a link.
fn with_link(mut told: Value, links: &[links::Link]) -> Value {
    let link =
        links.iter().find(|link| told["pool"] == link.pool.as_str() && told["kind"] == link.kind.as_str());
    if let (Some(link), "wanted") = (link, told["what"].as_str().unwrap_or_default()) {
        told["join"] = json!(link.path);
    }
    told
}

/// Posts events; if that fails, waits longer each time and says so. Whether it was taken.
async fn post(server: &Server, id: u32, hook: &HookRecord, events: &[Value]) -> bool {
    let body = json!({"hook": id, "events": events}).to_string().into_bytes();
    let seconds = server.keeper.shared.clock.now().0 / 1_000_000_000;
    let signature = sign::signature(&hook.secret, seconds, &body);
    let url = hook.url.clone();
    let sent = tokio::task::spawn_blocking(move || {
        Target::parse(&url).map_err(|problem| problem.detail.clone())?.post(&signature, &body)
    });
    let error = match sent.await {
        Ok(Ok(())) => {
            server.hooks.note(id, |going| *going = Going { posts: going.posts + 1, ..Going::default() });
            return true;
        }
        Ok(Err(error)) => error,
        Err(error) => error.to_string(),
    };
    server.hooks.note(id, |going| {
        going.failures += 1;
        going.error = Some(error);
    });
    let doublings = server.hooks.going(id).failures.saturating_sub(1).min(16);
    let woken = server.hooks.woken.notified();
    tokio::select! {
        () = tokio::time::sleep((RETRY_FIRST * 2_u32.pow(doublings)).min(RETRY_MOST)) => {}
        () = woken => {}
    }
    false
}

/// Moves a hook's cursor, unless somebody has set it in the meantime; returns where it is.
async fn move_on(server: &Server, id: u32, from: u64, to: u64) -> Answer<u64> {
    let moved = move |turn: &mut crate::keeper::turn::Turn<'_>| {
        let key = keys::one(Sort::Hook, id);
        let Some(bytes) = turn.get(&key)? else { return Ok(to) };
        let mut kept: HookRecord = record(&key, &bytes)?;
        if kept.cursor == from {
            kept.cursor = to;
            turn.put_record(key, &kept);
        }
        Ok(kept.cursor)
    };
    server.turn(moved).await
}

/// Hooks, as all handlers share them.
pub type Shared = Arc<Hooks>;
