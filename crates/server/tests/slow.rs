//! Bodies that come slowly. Time is virtual: it passes when nobody can go on.

mod support;

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use bytes::Bytes;
use http_body::Frame;
use serde_json::json;
use support::{Reply, World};
use tokio::time::Sleep;

/// Pieces, with a pause before each.
struct Dripping {
    pieces: Vec<Bytes>,
    pause: Duration,
    next: Pin<Box<Sleep>>,
}

impl http_body::Body for Dripping {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        ready!(self.next.as_mut().poll(context));
        self.next = Box::pin(tokio::time::sleep(self.pause));
        Poll::Ready(self.pieces.pop().map(|piece| Ok(Frame::data(piece))))
    }
}

/// Sends a body in pieces of so many bytes, one in so many seconds.
async fn drip(world: &World, path: &str, kind: &str, body: &str, bytes: usize, seconds: u64) -> Reply {
    let pause = Duration::from_secs(seconds);
    let pieces = body.as_bytes().chunks(bytes).rev().map(Bytes::copy_from_slice).collect();
    let body = Dripping { pieces, pause, next: Box::pin(tokio::time::sleep(pause)) };
    let request = Request::post(path).header(header::CONTENT_TYPE, kind);
    let request = request.header(header::AUTHORIZATION, format!("Bearer {}", world.admin));
    world.request(request.body(Body::new(body)).expect("a request")).await
}

#[tokio::test(start_paused = true)]
async fn a_body_that_comes_too_slowly_is_refused_and_nothing_is_done() {
    let world = World::new().await;
    world.set_up().await;
    let job = r#"{"tenant":"acme","app":"look","tasks":[1]}"#;
    let slow = drip(&world, "/api/jobs", "application/json", job, 1, 10).await.refused(408);
    assert!(slow.contains("within 30 seconds") && slow.contains("every 1000 bytes"), "{slow}");
    let csv = "picture\n1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let upload = "/api/uploads?tenant=acme&app=look";
    assert!(drip(&world, upload, "text/csv", csv, 2, 10).await.refused(408).contains("within 30 seconds"));
    assert_eq!(world.get("/api/jobs?tenant=acme").await.ok()["jobs"], json!([]));
    world.stop().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_large_body_over_a_slow_line_is_taken() {
    let world = World::new().await;
    world.set_up().await;
    let job = json!({"tenant": "acme", "app": "look", "tasks": ["x".repeat(200_000)]}).to_string();
    // 20,000 bytes every 15 seconds are 150 seconds in all.
    drip(&world, "/api/jobs", "application/json", &job, 20_000, 15).await.ok();
    world.stop().await.unwrap();
}
