//! Connections: taken one by one, each served by a task of its own until it ends or the server stops.
//!
//! There are so many at most; who comes when all are in use hears that, in problem+json. So does who has begun the head of a
//! request and does not finish it in time; a connection on which nothing was begun is closed without a word. How slowly a body
//! may come is told in `http::pace`. Does not know what is asked.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::http::Limits;
use crate::http::metrics::Counts;
use crate::problem::Problem;

/// So many hear at a time that there are too many; more than that are just closed.
const REFUSED_MOST: usize = 256;
/// Who is refused has so long to take it.
const REFUSED_WITHIN: Duration = Duration::from_secs(2);

/// Takes connections until `stop` is true, then lets those that are there finish their request.
pub(crate) async fn listen(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    counts: Arc<Counts>,
    stop: watch::Receiver<bool>,
) {
    let (mut connections, mut refused) = (JoinSet::new(), JoinSet::new());
    let head_within = Duration::from_nanos(limits.head_within.0);
    let mut stopped = stop.clone();
    loop {
        tokio::select! {
            taken = listener.accept() => match taken {
                Ok((stream, _)) => {
                    while connections.try_join_next().is_some() {}
                    let _ = stream.set_nodelay(true);
                    if connections.len() < limits.connections {
                        connections.spawn(serve(stream, router.clone(), head_within, stop.clone()));
                    } else {
                        counts.refused();
                        while refused.try_join_next().is_some() {}
                        if refused.len() < REFUSED_MOST {
                            refused.spawn(refuse(stream, limits.connections));
                        }
                    }
                }
                // Out of file handles, mostly: those who wait are served when others are gone.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
            () = told(&mut stopped) => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
        }
        counts.connected(connections.len());
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Takes connections as long as the process lives.
pub async fn listen_for_ever(listener: TcpListener, router: Router) {
    let (_stop, stopped) = watch::channel(false);
    listen(listener, router, Limits::default(), Arc::default(), stopped).await;
}

async fn serve<S>(stream: S, router: Router, head_within: Duration, mut stop: watch::Receiver<bool>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = TowerToHyperService::new(router);
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(head_within).pipeline_flush(true);
    let mut connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = told(&mut stop) => {
            std::pin::Pin::new(&mut connection).graceful_shutdown();
            (&mut connection).await
        }
    };
    // How else a connection ends is the client's affair.
    if ended.is_err_and(|error| error.is_timeout())
        && let Some(parts) = connection.into_parts()
        && !parts.read_buf.is_empty()
    {
        say(parts.io.into_inner(), &too_slow(head_within)).await;
    }
}

fn too_slow(within: Duration) -> Problem {
    let detail = format!("the head of a request must be there within {} seconds", within.as_secs_f64());
    Problem::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "The request came too slowly", detail)
}

/// Tells a client that there are too many.
async fn refuse<S: AsyncRead + AsyncWrite + Unpin>(stream: S, most: usize) {
    let detail =
        format!("this server takes {most} connections at once, and all are in use; nothing was done");
    let title = "The server cannot take this now";
    let mut problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "connections", title, detail);
    problem.retry_after = Some(1);
    say(stream, &problem).await;
}

/// Writes a problem past everything else, and closes. What the client still sends is read for a moment: a connection that is
/// closed on it would take the words along.
async fn say<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, problem: &Problem) {
    let speak = async {
        stream.write_all(&raw(problem)).await?;
        stream.shutdown().await?;
        let mut sink = [0; 1024];
        while stream.read(&mut sink).await? > 0 {}
        Ok::<(), std::io::Error>(())
    };
    // Who does not take it does not hear it.
    let _ = tokio::time::timeout(REFUSED_WITHIN, speak).await;
}

fn raw(problem: &Problem) -> Vec<u8> {
    let body = serde_json::to_vec(problem).unwrap_or_default();
    let again = problem.retry_after.map(|seconds| format!("retry-after: {seconds}\r\n")).unwrap_or_default();
    let mut reply = format!(
        "HTTP/1.1 {}\r\ncontent-type: application/problem+json\r\ncontent-length: {}\r\n{again}connection: close\r\n\r\n",
        problem.status(),
        body.len()
    )
    .into_bytes();
    reply.extend_from_slice(&body);
    reply
}

/// Waits until it is told to stop, or there is nobody left to tell it.
async fn told(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a client hears who sends this and then nothing more. Time is virtual: it passes when nobody can go on.
    async fn heard(sent: &str, within: Duration) -> String {
        let (mut client, stream) = tokio::io::duplex(4096);
        let (_stop, stopped) = watch::channel(false);
        tokio::spawn(serve(stream, Router::new(), within, stopped));
        client.write_all(sent.as_bytes()).await.unwrap();
        let mut heard = String::new();
        client.read_to_string(&mut heard).await.unwrap();
        heard
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_finish_a_head_hears_so() {
        let slow = heard("GET /api/apps HTTP/1.1\r\nhost: x\r\n", Duration::from_secs(30)).await;
        assert!(slow.starts_with("HTTP/1.1 408 "), "{slow}");
        assert!(slow.contains("within 30 seconds"), "{slow}");
        // Who has begun nothing is not told anything.
        assert_eq!(heard("", Duration::from_secs(30)).await, "");
        let whole = heard("GET /none HTTP/1.1\r\nhost: x\r\n\r\n", Duration::from_secs(30)).await;
        assert!(whole.starts_with("HTTP/1.1 404 "), "{whole}");
    }

    #[tokio::test(start_paused = true)]
    async fn one_too_many_hears_so() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = watch::channel(false);
        let (limits, counts) = (Limits { connections: 1, ..Limits::default() }, Arc::new(Counts::default()));
        let listening = tokio::spawn(listen(listener, Router::new(), limits, Arc::clone(&counts), stopped));
        let ask = async |stream: &mut tokio::net::TcpStream| {
            stream.write_all(b"GET /none HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
            let mut reply = vec![0; 12];
            stream.read_exact(&mut reply).await.unwrap();
            String::from_utf8(reply).unwrap()
        };
        let mut first = tokio::net::TcpStream::connect(address).await.unwrap();
        assert_eq!(ask(&mut first).await, "HTTP/1.1 404");
        let mut second = tokio::net::TcpStream::connect(address).await.unwrap();
        assert_eq!(ask(&mut second).await, "HTTP/1.1 503");
        let mut rest = String::new();
        second.read_to_string(&mut rest).await.unwrap();
        assert!(rest.contains("1 connections at once") && rest.contains("retry-after: 1"), "{rest}");
        assert_eq!((counts.connections(), counts.connections_refused()), (1, 1));
        stop.send_replace(true);
        drop(first);
        listening.await.unwrap();
    }
}
