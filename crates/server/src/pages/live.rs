//! What changes while a page is open: server-sent events, each `{"id of an element": "its HTML", ...}`, put in place by `live.js`.
//!
//! A [`Boards`] has one computation for all who look at the same thing: at most once a second, only when facts have become durable, and
//! only while somebody looks. Each viewer is sent what differs from what it has. Start at [`stream`].

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::response::Response;
use maud::Markup;
use tokio::sync::watch;

use super::session::Visitor;
use crate::http::Server;
use crate::http::stream::{ALIVE, Form, Pieces, SIGN_OF_LIFE, event, reply};
use crate::problem::Answer;

/// A board is computed anew at most so often.
const AT_MOST_EVERY: Duration = Duration::from_secs(1);

/// What elements of a page hold, by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragments(pub BTreeMap<String, String>);

impl Fragments {
    /// One more element.
    #[must_use]
    pub fn with(mut self, id: impl Into<String>, markup: Markup) -> Self {
        self.0.insert(id.into(), markup.into_string());
        self
    }

    /// What differs from what a viewer has.
    fn differing(&self, had: &Self) -> BTreeMap<&str, &str> {
        let news = self.0.iter().filter(|(id, html)| had.0.get(*id) != Some(*html));
        news.map(|(id, html)| (id.as_str(), html.as_str())).collect()
    }
}

type Board = watch::Sender<Arc<Fragments>>;

/// What is computed once for all who look at the same thing.
#[derive(Debug, Default)]
pub struct Boards(Mutex<HashMap<String, Weak<Board>>>);

impl Boards {
    /// The board of this name, and whether it is new.
    fn board(&self, name: &str) -> (Arc<Board>, bool) {
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        boards.retain(|_, board| board.strong_count() > 0);
        if let Some(board) = boards.get(name).and_then(Weak::upgrade) {
            return (board, false);
        }
        let board = Arc::new(watch::channel(Arc::default()).0);
        boards.insert(name.to_owned(), Arc::downgrade(&board));
        (board, true)
    }
}

/// A stream of what changes. `name` says what is looked at, and by whom if that matters: all who look at the same name get what `compute`
/// makes for the first of them.
pub fn stream<F, C>(server: &Server, visitor: Visitor, name: &str, compute: C) -> Response
where
    C: Fn(Server) -> F + Send + Sync + 'static,
    F: Future<Output = Answer<Fragments>> + Send + 'static,
{
    let (board, is_new) = server.boards.board(name);
    let seen = board.subscribe();
    if is_new {
        tokio::spawn(keep(server.clone(), Arc::downgrade(&board), compute));
    }
    let (response, pieces) = reply(Form::Events);
    tokio::spawn(send(server.clone(), visitor, board, seen, pieces));
    response
}

/// Computes a board as long as somebody looks at it.
async fn keep<F, C>(server: Server, board: Weak<Board>, compute: C)
where
    C: Fn(Server) -> F + Send + Sync,
    F: Future<Output = Answer<Fragments>> + Send,
{
    let mut facts = server.keeper.shared.durable.subscribe();
    loop {
        let computed = compute(server.clone()).await;
        let Some(board) = board.upgrade() else { return };
        if let Ok(fragments) = computed {
            board.send_if_modified(|kept| {
                let differs = **kept != fragments;
                if differs {
                    *kept = Arc::new(fragments);
                }
                differs
            });
        }
        drop(board);
        let next = async {
            tokio::time::sleep(AT_MOST_EVERY).await;
            facts.changed().await
        };
        tokio::select! {
            more = next => if more.is_err() { return },
            () = server.stopped() => return,
        }
    }
}

/// Sends a viewer what it does not have yet, until it is gone or its token is.
async fn send(
    server: Server,
    visitor: Visitor,
    board: Arc<Board>,
    mut seen: watch::Receiver<Arc<Fragments>>,
    pieces: Pieces,
) {
    let mut had = Arc::new(Fragments::default());
    // What was computed for those who looked before is new to this one.
    seen.mark_changed();
    loop {
        let piece = tokio::select! {
            changed = seen.changed() => {
                if changed.is_err() || !visitor.is_still_good(&server) {
                    return;
                }
                let now = Arc::clone(&seen.borrow_and_update());
                let line = serde_json::to_string(&now.differing(&had)).unwrap_or_default();
                had = now;
                event(None, "show", &line).into()
            }
            () = tokio::time::sleep(SIGN_OF_LIFE) => ALIVE.into(),
            () = pieces.closed() => break,
            () = server.stopped() => break,
        };
        if pieces.send(piece).await.is_err() {
            break;
        }
    }
    drop(board);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewers_are_sent_what_differs() {
        let had = Fragments::default().with("a", maud::html! { "1" }).with("b", maud::html! { "2" });
        let now = Fragments::default().with("a", maud::html! { "1" }).with("b", maud::html! { "3" });
        assert_eq!(now.differing(&had).into_iter().collect::<Vec<_>>(), [("b", "3")]);
        assert_eq!(now.differing(&Fragments::default()).len(), 2);
    }

    #[test]
    fn those_who_look_at_the_same_share_a_board() {
        let boards = Boards::default();
        let (first, is_new) = boards.board("pools");
        assert!(is_new);
        assert!(!boards.board("pools").1 && boards.board("jobs").1);
        drop(first);
        assert!(boards.board("pools").1);
    }
}
