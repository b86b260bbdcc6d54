//! Replies that go on: lines of JSON, tables and server-sent events, written by a task of their own as fast as the client reads.
//!
//! A client who is gone is noticed at the next line, and at the latest by the sign of life that events carry.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body::Frame;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// So many pieces may wait for a slow client.
const PIECES_MOST: usize = 16;

/// Events carry a sign of life so often.
pub const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Where the pieces of a reply go. Sending waits for the client, and fails when the client is gone.
pub type Pieces = Sender<Bytes>;

struct Coming(Receiver<Bytes>);

impl http_body::Body for Coming {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

/// What a reply that goes on looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines of JSON.
    Jsonl,
    /// A table.
    Csv,
    /// Server-sent events.
    Events,
}

impl Form {
    fn content_type(self) -> &'static str {
        match self {
            Self::Jsonl => "application/jsonl",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Events => "text/event-stream",
        }
    }
}

/// A reply, and where its pieces go.
#[must_use]
pub fn reply(form: Form) -> (Response, Pieces) {
    let (pieces, coming) = channel(PIECES_MOST);
    let headers = [(header::CONTENT_TYPE, form.content_type()), (header::CACHE_CONTROL, "no-store")];
    ((headers, Body::new(Coming(coming))).into_response(), pieces)
}

/// An event: its number, its name, and what it says on one line.
#[must_use]
pub fn event(number: Option<u64>, name: &str, line: &str) -> String {
    let number = number.map(|number| format!("id: {number}\n")).unwrap_or_default();
    format!("{number}event: {name}\ndata: {line}\n\n")
}

/// A sign of life.
pub const ALIVE: &[u8] = b": alive\n\n";
