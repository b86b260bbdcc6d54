//! What the operations pages remember: how each pool was during the last quarter of an hour, and the last decisions. In memory, bounded,
//! made anew at each start from looks and from durable facts; nothing depends on it.
//!
//! Every five seconds one look at all pools is kept, 180 of them. Decisions are read from the journal as it grows, beginning an
//! hour back and at most so many facts, and the last 1000 are kept. Start at [`start`].

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use muster_engine::Span;
use muster_engine::ids::PoolId;
use tokio::task::JoinHandle;

use super::glance::{Glance, all};
use crate::follow;
use crate::http::Server;
use crate::http::decisions::{LOOKED_THROUGH_MOST, Log, Told};
use crate::problem::Answer;

/// Pools are looked at so often.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// So many looks are kept of each pool.
const LOOKS_MOST: usize = 180;
/// So many decisions are kept.
const DECISIONS_MOST: usize = 1000;
/// Decisions before that are not looked for at a start.
const BACK: Span = Span::from_secs(3600);

/// What is remembered.
#[derive(Debug, Default)]
pub struct Watch(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// By pool, oldest first.
    looks: Vec<VecDeque<Glance>>,
    /// Oldest first.
    decisions: VecDeque<Told>,
}

impl Watch {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps one look at all pools.
    pub fn look(&self, glances: Vec<Glance>) {
        let mut kept = self.kept();
        kept.looks.resize_with(glances.len(), VecDeque::new);
        for (looks, glance) in kept.looks.iter_mut().zip(glances) {
            looks.push_back(glance);
            if looks.len() > LOOKS_MOST {
                looks.pop_front();
            }
        }
    }

    /// How a pool was, oldest first.
    #[must_use]
    pub fn history(&self, pool: PoolId) -> Vec<Glance> {
        let kept = self.kept();
        kept.looks.get(pool.index()).map(|looks| looks.iter().cloned().collect()).unwrap_or_default()
    }

    /// How all pools were, oldest first.
    #[must_use]
    pub fn histories<T>(&self, of: impl Fn(&VecDeque<Glance>) -> T) -> Vec<T> {
        self.kept().looks.iter().map(of).collect()
    }

    /// Keeps decisions, but for those that another says already.
    pub fn note(&self, decisions: Vec<Told>) {
        let mut kept = self.kept();
        kept.decisions.extend(decisions.into_iter().filter(|it| !it.is_said));
        let more = kept.decisions.len().saturating_sub(DECISIONS_MOST);
        kept.decisions.drain(..more);
    }

    /// The last decisions, newest first: of one pool, if its name is given.
    #[must_use]
    pub fn decisions(&self, pool: Option<&str>, most: usize) -> Vec<Told> {
        let kept = self.kept();
        let found = kept.decisions.iter().rev();
        found.filter(|it| pool.is_none() || it.pool.as_deref() == pool).take(most).cloned().collect()
    }
}

/// Begins to watch, until the server stops.
pub fn start(server: &Server) -> Vec<JoinHandle<()>> {
    vec![tokio::spawn(looks(server.clone())), tokio::spawn(decisions(server.clone()))]
}

async fn looks(server: Server) {
    loop {
        if let Ok(glances) = server.look(|look| Ok(all(look.state()))).await {
            server.watch.look(glances);
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = server.stopped() => return,
        }
    }
}

async fn decisions(server: Server) {
    let mut durable = server.keeper.shared.durable.subscribe();
    let moment = server.keeper.shared.clock.now() - BACK;
    let begin = move |reader: &dyn crate::journal::Reader| {
        Ok(follow::since(reader, moment)?.max(reader.end()?.saturating_sub(LOOKED_THROUGH_MOST)))
    };
    let Ok(mut cursor) = server.read(begin).await else { return };
    loop {
        // What cannot be read now may be readable when there is more.
        if let Ok((found, next)) = read(&server, cursor).await {
            server.watch.note(found);
            cursor = next;
        }
        tokio::select! {
            more = durable.wait_for(|end| *end > cursor) => if more.is_err() { return },
            () = server.stopped() => return,
        }
    }
}

/// Decisions from a fact on, and the number after the last fact.
async fn read(server: &Server, cursor: u64) -> Answer<(Vec<Told>, u64)> {
    let names = server.directory();
    let read = move |reader: &dyn crate::journal::Reader| {
        let (mut log, mut next) = (Log::default(), cursor);
        follow::each(reader, cursor, &mut |number, fact| {
            next = number + 1;
            log.put(number, &fact, &names);
            ControlFlow::Continue(())
        })?;
        Ok((log.told, next))
    };
    server.read(read).await
}

/// What the pages of a server remember.
pub type Shared = Arc<Watch>;
