//! Who has a page open. A worker whose pages are all closed gives the task back and takes a break, so that nobody waits for a closed
//! tab, and nobody pays for it.
//!
//! A page is there from the moment its stream opens until the stream ends, the page says that it is being closed, or nothing was heard of
//! it for [`SILENT_MOST`] (a lost network; browsers slow a hidden page's clock to once a minute). A reload closes a page and opens
//! another: so what was closed has [`GRACE`] to come back, and what was cut off without a word [`GRACE_CUT_OFF`], as it may only be the
//! network. Workers who never opened a page are not known here.
//!
//! Kept in memory: after a restart, pages open their streams again; for those closed meanwhile the lease's own deadline remains.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use muster_engine::ids::WorkerId;
use muster_engine::state::worker::Standing;
use muster_engine::{Command, Span, Time};

use crate::http::Server;
use crate::keeper::group::held;
use crate::keeper::turn::Turn;

/// A closed page has so long to come back.
pub const GRACE: Span = Span::from_secs(6);

/// A page whose stream ended without a word has so long to come back.
pub const GRACE_CUT_OFF: Span = Span::from_secs(20);

/// A page of which nothing was heard for so long is gone.
pub const SILENT_MOST: Span = Span::from_secs(100);

/// How often it is looked who is gone.
const EVERY: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, Default)]
struct Presence {
    /// Open pages by their own number, and when each was last heard of.
    pages: BTreeMap<u64, Time>,
    /// Without a page, the worker is gone then.
    gone_at: Time,
}

/// Which workers have pages open.
#[derive(Debug, Default)]
pub struct Presences(Mutex<HashMap<WorkerId, Presence>>);

impl Presences {
    fn all(&self) -> MutexGuard<'_, HashMap<WorkerId, Presence>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page opens.
    pub fn opened(&self, worker: WorkerId, page: u64, now: Time) {
        self.all().entry(worker).or_default().pages.insert(page, now);
    }

    /// A page that is open gives a sign of life; what comes late from one that was closed is nothing.
    pub fn heard(&self, worker: WorkerId, page: u64, now: Time) {
        let mut all = self.all();
        let heard = all.get_mut(&worker).and_then(|presence| presence.pages.get_mut(&page));
        heard.into_iter().for_each(|heard| *heard = now);
    }

    /// Whether a page was heard of lately.
    #[must_use]
    pub fn is_here(&self, worker: WorkerId, page: u64, now: Time) -> bool {
        let all = self.all();
        let heard = all.get(&worker).and_then(|presence| presence.pages.get(&page));
        heard.is_some_and(|heard| now.since(*heard) < SILENT_MOST)
    }

    /// A page says that it is being closed.
    pub fn closed(&self, worker: WorkerId, page: u64, now: Time) {
        if let Some(presence) = self.all().get_mut(&worker) {
            let was_open = presence.pages.remove(&page).is_some();
            let gone_at = now + GRACE;
            presence.gone_at = if was_open { gone_at } else { presence.gone_at.min(gone_at) };
        }
    }

    /// A page's stream has ended.
    pub fn cut_off(&self, worker: WorkerId, page: u64, now: Time) {
        if let Some(presence) = self.all().get_mut(&worker)
            && presence.pages.remove(&page).is_some()
        {
            presence.gone_at = now + GRACE_CUT_OFF;
        }
    }

    /// Takes out those who are gone.
    #[must_use]
    pub fn gone(&self, now: Time) -> Vec<WorkerId> {
        let mut all = self.all();
        for presence in all.values_mut() {
            let before = presence.pages.len();
            presence.pages.retain(|_, heard| now.since(*heard) < SILENT_MOST);
            if before > 0 && presence.pages.is_empty() {
                // It was silent for much longer than the grace.
                presence.gone_at = now;
            }
        }
        let is_gone = |presence: &Presence| presence.pages.is_empty() && now >= presence.gone_at;
        let mut gone: Vec<WorkerId> =
            all.iter().filter(|(_, it)| is_gone(it)).map(|(worker, _)| *worker).collect();
        gone.sort_unstable();
        gone.iter().for_each(|worker| drop(all.remove(worker)));
        gone
    }
}

/// A page that is open: as long as this lives.
pub struct Open {
    presences: Arc<Presences>,
    server: Server,
    worker: WorkerId,
    page: u64,
}

impl Open {
    /// A page opens.
    #[must_use]
    pub fn new(server: &Server, worker: WorkerId, page: u64) -> Self {
        let presences = Arc::clone(&server.presences);
        presences.opened(worker, page, server.keeper.shared.clock.now());
        Self { presences, server: server.clone(), worker, page }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.presences.cut_off(self.worker, self.page, self.server.keeper.shared.clock.now());
    }
}

/// Gives back what closed pages held, as long as the server runs.
pub async fn keep(server: Server) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(EVERY) => sweep(&server).await,
            () = server.stopped() => return,
        }
    }
}

/// Gives back what those hold whose pages are closed.
pub async fn sweep(server: &Server) {
    let now = server.keeper.shared.clock.now();
    let gone = server.presences.gone(now);
    if gone.is_empty() {
        return;
    }
    // Whom the server cannot serve now, it cannot serve at all: leases then end by themselves.
    let _ = server
        .turn(move |turn| {
            gone.into_iter().for_each(|worker| give_back(turn, worker));
            Ok(())
        })
        .await;
}

/// The task goes back to the queue, and the worker takes a break. A worker who has left meanwhile is left alone.
fn give_back(turn: &mut Turn<'_>, worker: WorkerId) {
    if let Some(held) = held(turn.state(), worker) {
        let _ = turn.command(Command::Return(worker, held.token));
    }
    let standing = turn.state().worker(worker).map(|worker| worker.standing);
    if matches!(standing, Some(Standing::Idle | Standing::Training)) {
        let _ = turn.command(Command::Pause(worker));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: WorkerId = WorkerId(1);

    fn at(seconds: u64) -> Time {
        Time(seconds * 1_000_000_000)
    }

    #[test]
    fn a_reload_is_not_a_departure_and_a_closed_page_is() {
        let presences = Presences::default();
        presences.opened(ANN, 1, at(100));
        presences.closed(ANN, 1, at(110));
        // A sign of life that comes late changes nothing.
        presences.heard(ANN, 1, at(111));
        assert!(presences.gone(at(115)).is_empty());
        presences.opened(ANN, 2, at(115));
        assert!(presences.gone(at(130)).is_empty());
        presences.closed(ANN, 2, at(130));
        assert_eq!(presences.gone(at(136)), [ANN]);
        assert!(presences.gone(at(200)).is_empty());
    }

    #[test]
    fn what_is_cut_off_has_longer_unless_it_says_that_it_is_closed() {
        let presences = Presences::default();
        presences.opened(ANN, 1, at(100));
        presences.cut_off(ANN, 1, at(110));
        assert!(presences.gone(at(129)).is_empty());
        presences.opened(ANN, 2, at(129));
        presences.cut_off(ANN, 2, at(140));
        presences.closed(ANN, 2, at(141));
        assert!(presences.gone(at(146)).is_empty());
        assert_eq!(presences.gone(at(147)), [ANN]);
    }

    #[test]
    fn another_page_keeps_the_task_and_silence_does_not() {
        let presences = Presences::default();
        presences.opened(ANN, 1, at(100));
        presences.opened(ANN, 2, at(100));
        presences.closed(ANN, 1, at(101));
        assert!(presences.gone(at(150)).is_empty() && presences.is_here(ANN, 2, at(150)));
        assert_eq!(presences.gone(at(200)), [ANN]);
        assert!(!presences.is_here(ANN, 2, at(200)));
    }
}
