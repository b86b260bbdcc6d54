//! Connections: taken one by one, each served by a task of its own until it ends or the server stops.

use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// A client has so long to send the head of a request.
const HEAD_WITHIN: Duration = Duration::from_secs(30);

/// Takes connections until `stop` is true, then lets those that are there finish their request.
pub(crate) async fn listen(listener: TcpListener, router: Router, stop: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    let mut stopped = stop.clone();
    loop {
        tokio::select! {
            taken = listener.accept() => match taken {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, router.clone(), stop.clone()));
                }
                // Out of file handles, mostly: those who wait are served when others are gone.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
            () = told(&mut stopped) => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Takes connections as long as the process lives.
pub async fn listen_for_ever(listener: TcpListener, router: Router) {
    let (_stop, stopped) = watch::channel(false);
    listen(listener, router, stopped).await;
}

async fn serve(stream: TcpStream, router: Router, mut stop: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_WITHIN).pipeline_flush(true);
    let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    tokio::pin!(connection);
    tokio::select! {
        // How a connection ends is the client's affair.
        _ = connection.as_mut() => {}
        () = told(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Waits until it is told to stop, or there is nobody left to tell it.
async fn told(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}
