//! The worker's pages: join by a link, wait and be paid for it, learn, work, skip, pause, leave; and what was earned, line by line.
//!
//! | module | what it holds |
//! |---|---|
//! | [`join`] | the page of a join link |
//! | [`place`] | the page at which a worker waits and works |
//! | [`stage`] | what a worker has before them: a task, something to learn, waiting |
//! | [`task`] | a task as a form, or in its frame |
//! | [`act`] | what a worker does, sent as forms |
//! | [`stream`], [`presence`] | what comes while the page is open; what happens when it is closed |
//! | [`earned`] | money, line by line |
//!
//! Acts are forms that work without scripts; `work.js` sends them without leaving the page. Whether an answer counts is the engine's
//! affair, and whose worker it is the keeper's.

pub mod act;
pub mod earned;
pub mod join;
pub mod place;
pub mod presence;
pub mod stage;
pub mod stream;
pub mod task;

use axum::Router;

use crate::http::Server;

/// Where the navigation leads.
pub const PLACES: &[(&str, &str)] = &[("/work", "Work")];

/// The pages.
pub fn router() -> Router<Server> {
    Router::new()
        .merge(join::router())
        .merge(place::router())
        .merge(act::router())
        .merge(stream::router())
        .merge(task::router())
        .merge(earned::router())
}
