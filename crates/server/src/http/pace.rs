//! How slowly a body may come: it has so long, and longer the more of it has come. Who is slower hears so, with 408.
//!
//! A large upload over a slow line takes its time; who sends a byte now and then to hold a connection does not get far.
//! Knows nothing of what is in a body. Start at [`Paced`].

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use bytes::{Buf, Bytes};
use http_body::{Body as _, Frame, SizeHint};
use tokio::time::Sleep;

use super::Limits;
use crate::problem::Problem;

/// A body that must come at a pace. Time is counted from the first moment at which there is nothing to read.
struct Paced {
    body: Body,
    bytes_per_second: u64,
    /// So long it may take; what has come adds to it.
    within: Duration,
    /// Ends when that has passed; none as long as nobody had to wait.
    end: Option<Pin<Box<Sleep>>>,
}

/// The body came too slowly.
#[derive(Clone, Copy, Debug)]
struct TooSlow;

impl std::fmt::Display for TooSlow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the body came too slowly")
    }
}

impl Error for TooSlow {}

impl Paced {
    /// So many bytes have come.
    fn add(&mut self, bytes: usize) {
        let more = Duration::from_nanos(bytes as u64 * 1_000_000_000 / self.bytes_per_second);
        match &mut self.end {
            Some(end) => {
                let later = end.deadline() + more;
                end.as_mut().reset(later);
            }
            None => self.within += more,
        }
    }
}

impl http_body::Body for Paced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            if let Some(data) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()) {
                let bytes = data.remaining();
                self.add(bytes);
            }
            return Poll::Ready(frame);
        }
        let within = self.within;
        let end = self.end.get_or_insert_with(|| Box::pin(tokio::time::sleep(within)));
        ready!(end.as_mut().poll(context));
        Poll::Ready(Some(Err(axum::Error::new(TooSlow))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A body that must come at the pace that the limits ask for.
pub(super) fn paced(body: Body, limits: &Limits) -> Body {
    if body.is_end_stream() {
        return body;
    }
    let within = Duration::from_nanos(limits.body_within.0);
    Body::new(Paced { body, bytes_per_second: limits.body_pace.max(1).into(), within, end: None })
}

/// What is said to who was too slow, if that is why a body could not be read.
pub(super) fn too_slow(error: &(dyn Error + 'static), limits: &Limits) -> Option<Problem> {
    let mut cause = error;
    while !cause.is::<TooSlow>() {
        cause = cause.source()?;
    }
    let detail = format!(
        "a body must be there within {} seconds, and one more for every {} bytes; nothing was done",
        limits.body_within.as_secs_f64(),
        limits.body_pace
    );
    let status = StatusCode::REQUEST_TIMEOUT;
    Some(Problem::new(status, "too-slow", "The request came too slowly", detail))
}
