//! A small HTTP client: JSON to one server, connections kept for the next request. Knows nothing of what is asked.
//!
//! Invariant: a request is sent at most once on a connection; one that was not sent at all, because the server had closed a
//! kept connection, goes out on a fresh one. Start at [`Client::send`].

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde_json::Value;
use tokio::net::TcpStream;

/// Why nothing was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The server could not be reached, or did not answer; it may be tried again.
    Weather(String),
    /// The server refused it.
    Refused {
        /// With this status.
        status: u16,
        /// In these words.
        words: String,
    },
}

impl Trouble {
    /// Whether it may work later: the server is away, full, stopping or too busy.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::Weather(_) => true,
            Self::Refused { status, .. } => matches!(*status, 429 | 500..),
        }
    }

    /// Whether what was asked for does not exist.
    #[must_use]
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Self::Refused { status: 404, .. })
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Weather(words) => f.write_str(words),
            Self::Refused { status, words } => write!(f, "{words} (status {status})"),
        }
    }
}

impl std::error::Error for Trouble {}

fn weather(error: &dyn fmt::Display) -> Trouble {
    Trouble::Weather(error.to_string())
}

type Sender = SendRequest<Full<Bytes>>;

/// So many connections are kept while nobody uses them.
const KEPT_MOST: usize = 64;

/// One server, asked with one token. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    /// Host and port.
    authority: String,
    token: String,
    kept: Mutex<Vec<Sender>>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Client({})", self.shared.authority)
    }
}

impl Client {
    /// A server by its address, as in `http://127.0.0.1:7700`; an error says what is allowed.
    pub fn new(server: &str, token: &str) -> Result<Self, String> {
        let rest = server.strip_prefix("http://").ok_or("an address such as http://127.0.0.1:7700")?;
        let authority = rest.trim_end_matches('/');
        if authority.is_empty() || authority.contains('/') {
            return Err("an address without a path, such as http://127.0.0.1:7700".to_owned());
        }
        let port = authority.rsplit(':').next().is_some_and(|port| port.parse::<u16>().is_ok());
        let authority = if port { authority.to_owned() } else { format!("{authority}:80") };
        if token.is_empty() || token.contains(|letter: char| letter.is_control() || !letter.is_ascii()) {
            return Err("a token as the server made it".to_owned());
        }
        let shared = Shared { authority, token: token.to_owned(), kept: Mutex::default() };
        Ok(Self { shared: Arc::new(shared) })
    }

    async fn connect(&self) -> Result<Sender, Trouble> {
        let stream = TcpStream::connect(&self.shared.authority).await;
        let stream =
            stream.map_err(|error| Trouble::Weather(format!("{}: {error}", self.shared.authority)))?;
        stream.set_nodelay(true).map_err(|error| weather(&error))?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(|error| weather(&error))?;
        // How it ends is heard by whoever waits for a reply.
        tokio::spawn(async move { drop(connection.await) });
        Ok(sender)
    }

    fn kept(&self) -> Option<Sender> {
        let mut kept = self.shared.kept.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(sender) = kept.pop() {
            if sender.is_ready() {
                return Some(sender);
            }
        }
        None
    }

    fn keep(&self, sender: Sender) {
        let mut kept = self.shared.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < KEPT_MOST && !sender.is_closed() {
            kept.push(sender);
        }
    }

    fn request(
        &self,
        method: &Method,
        path: &str,
        key: Option<&str>,
        body: Bytes,
    ) -> Result<Request<Full<Bytes>>, Trouble> {
        let request = Request::builder().method(method).uri(path).header(HOST, &self.shared.authority);
        let request = request.header(AUTHORIZATION, format!("Bearer {}", self.shared.token));
        let mut request = request.header(CONTENT_TYPE, "application/json");
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        request.body(Full::new(body)).map_err(|error| weather(&error))
    }

    /// Sends a request and reads the reply's JSON.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Bytes,
    ) -> Result<Value, Trouble> {
        let mut request = self.request(&method, path, key, body)?;
        loop {
            let (mut sender, fresh) = match self.kept() {
                Some(sender) => (sender, false),
                None => (self.connect().await?, true),
            };
            match sender.try_send_request(request).await {
                Ok(response) => {
                    let status = response.status();
                    let body = response.into_body().collect().await.map_err(|error| weather(&error))?;
                    self.keep(sender);
                    return read(status, &body.to_bytes());
                }
                Err(mut failed) => match failed.take_message() {
                    Some(unsent) if !fresh => request = unsent,
                    _ => return Err(weather(&failed.into_error())),
                },
            }
        }
    }

    /// Gets something.
    pub async fn get(&self, path: &str) -> Result<Value, Trouble> {
        self.send(Method::GET, path, None, Bytes::new()).await
    }

    /// Posts something.
    pub async fn post(&self, path: &str, body: &impl Serialize) -> Result<Value, Trouble> {
        self.post_once(path, None, body).await
    }

    /// Posts something, to be done once however often it is sent with this key.
    pub async fn post_once(
        &self,
        path: &str,
        key: Option<&str>,
        body: &impl Serialize,
    ) -> Result<Value, Trouble> {
        let body = serde_json::to_vec(body).map_err(|error| weather(&error))?;
        self.send(Method::POST, path, key, body.into()).await
    }
}

fn read(status: StatusCode, bytes: &[u8]) -> Result<Value, Trouble> {
    let json: Value = serde_json::from_slice(bytes).unwrap_or(Value::Null);
    if status.is_success() {
        return Ok(json);
    }
    let words = json["detail"].as_str().unwrap_or("the server gave no reason").to_owned();
    Err(Trouble::Refused { status: status.as_u16(), words })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_tokens_are_checked() {
        assert!(Client::new("http://127.0.0.1:7700/", "mst_x").is_ok());
        assert_eq!(Client::new("http://example", "mst_x").unwrap().shared.authority, "example:80");
        for server in ["127.0.0.1:7700", "https://example", "http://", "http://example/path"] {
            assert!(Client::new(server, "mst_x").is_err(), "{server}");
        }
        assert!(Client::new("http://example", "").is_err());
        assert!(Client::new("http://example", "two\nlines").is_err());
    }
}
