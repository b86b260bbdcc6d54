//! Workers over the HTTP API: any program as a machine worker, and synthetic people who behave by the simulator's models.
//!
//! Knows the server only by its API, as anybody else does. Prints nothing: what there is to say is told to a [`Tell`].
//! Start at [`work::run`] for programs and at [`crowd::run`] for people; both talk through [`http::Client`] and [`api`].

#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the engine's types have no name in this crate"
)]

pub mod api;
pub mod crowd;
pub mod http;
pub mod work;

use std::sync::Arc;

use tokio::sync::watch;

/// Who is told what happens, a sentence at a time.
pub type Tell = Arc<dyn Fn(String) + Send + Sync>;

/// How it shall end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// Not yet.
    No,
    /// Take nothing more, finish what is in hand, leave.
    Drain,
    /// Give back what is in hand and leave.
    Now,
}

/// Waits until it shall end at least so.
async fn told(stop: &mut watch::Receiver<Stop>, least: Stop) {
    if stop.wait_for(|stop| *stop >= least).await.is_err() {
        // Nobody is left who could say so.
        std::future::pending::<()>().await;
    }
}
