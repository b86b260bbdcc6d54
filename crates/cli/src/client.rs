//! A small client for a server's HTTP API: one request, one reply in JSON. Speaks plain HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use clap::Args;
use serde_json::Value;

use crate::refusal::{Failure, Refusal};

/// Which server, and in whose name.
#[derive(Args, Debug)]
pub(crate) struct Remote {
    /// Where the server is; $MUSTER_SERVER unless said
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// An admin's token; $MUSTER_TOKEN unless said, which other users of this machine do not see
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
}

/// So long a server may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// No longer reply is read, in bytes.
const REPLY_MOST: u64 = 64 << 20;

impl Remote {
    /// Asks for something; a refusal by the server is a refusal.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Failure> {
        let from_environment = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let server = self.server.clone().or_else(|| from_environment("MUSTER_SERVER"));
        let server = server.unwrap_or_else(|| "http://127.0.0.1:7700".to_owned());
        let token = self.token.clone().or_else(|| from_environment("MUSTER_TOKEN")).ok_or_else(|| {
            let allowed = "an admin's token, also as $MUSTER_TOKEN".to_owned();
            Refusal::Missing { field: "--token".to_owned(), allowed }
        })?;
        let place = place(&server)?;
        if token.chars().any(|c| !c.is_ascii_graphic()) {
            return Err(
                Refusal::value("--token", "a text with spaces or control characters", "a token").into()
            );
        }
        let reply = exchange(place, &token, method, path, body);
        let (status, reply) = reply.map_err(|error| Failure::File(server, error))?;
        if (200..300).contains(&status) {
            return Ok(serde_json::from_slice(&reply).unwrap_or_default());
        }
        Err(refused(status, &reply))
    }
}

/// Host and port of an address.
fn place(server: &str) -> Result<&str, Refusal> {
    let rest = server.strip_prefix("http://").map(|rest| rest.trim_end_matches('/'));
    let is_place = |rest: &&str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_graphic() && c != '/');
    rest.filter(is_place).ok_or_else(|| Refusal::value("--server", server, "http://HOST:PORT"))
}

/// What the server said was wrong.
fn refused(status: u16, reply: &[u8]) -> Failure {
    let said: Value = serde_json::from_slice(reply).unwrap_or_default();
    let detail = said["detail"].as_str().unwrap_or("no reason was given");
    if status < 500 {
        return Refusal::Together(detail.to_owned()).into();
    }
    Failure::File("the server".to_owned(), std::io::Error::other(format!("{detail} ({status})")))
}

fn exchange(
    place: &str,
    token: &str,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> std::io::Result<(u16, Vec<u8>)> {
    let address = if place.contains(':') { place.to_owned() } else { format!("{place}:80") };
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let body = body.map(Value::to_string).unwrap_or_default();
    // HTTP/1.0, so that the reply ends with the connection and is not cut into pieces.
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nHost: {place}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut from = BufReader::new(stream.take(REPLY_MOST));
    let mut line = String::new();
    from.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| std::io::Error::other("it does not answer in HTTP"))?;
    while !line.trim().is_empty() {
        line.clear();
        from.read_line(&mut line)?;
    }
    let mut reply = Vec::new();
    from.read_to_end(&mut reply)?;
    Ok((status, reply))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_hosts_with_or_without_a_port() {
        assert_eq!(place("http://127.0.0.1:7700/"), Ok("127.0.0.1:7700"));
        assert_eq!(place("http://example.org"), Ok("example.org"));
        for wrong in ["https://example.org", "example.org", "http://", "http://a/b", "http://a b"] {
            assert!(place(wrong).is_err(), "{wrong}");
        }
    }
}
