//! One POST over HTTP/1.1, and whether it was taken. Follows no redirection and speaks no TLS: a relay on this machine can.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use crate::problem::Problem;

/// So long a receiver may take for each step.
const PATIENCE: Duration = Duration::from_secs(10);
/// No longer head of a reply is read.
const HEAD_MOST: u64 = 16 * 1024;

/// Where to send, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    host: String,
    port: u16,
    path: String,
}

impl Target {
    /// Takes an address apart.
    pub fn parse(url: &str) -> Result<Self, Problem> {
        let allowed = "http://HOST[:PORT]/PATH; for https, name a relay on this machine that forwards to it";
        let wrong = || Problem::field("url", format!("'{url}'"), allowed);
        let rest = url.strip_prefix("http://").ok_or_else(wrong)?;
        let (authority, path) =
            rest.split_once('/').map_or((rest, String::from("/")), |(a, p)| (a, format!("/{p}")));
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !host.ends_with(':') && !port.ends_with(']') => {
                (host, port.parse().map_err(|_| wrong())?)
            }
            _ => (authority, 80),
        };
        let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_graphic());
        let host_is_right = !host.is_empty() && is_plain(host) && !host.contains(['@', '?', '#']);
        if !host_is_right || !is_plain(&path) || path.contains('#') || port == 0 {
            return Err(wrong());
        }
        Ok(Self { host: host.to_owned(), port, path })
    }

    fn connect(&self) -> std::io::Result<TcpStream> {
        let name = self.host.trim_start_matches('[').trim_end_matches(']');
        let mut last = std::io::Error::other("the name has no address");
        for address in (name, self.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Sends JSON; an error says in words why it was not taken.
    pub fn post(&self, signature: &str, body: &[u8]) -> Result<(), String> {
        let status = self.exchange(signature, body).map_err(|error| error.to_string())?;
        if (200..300).contains(&status) { Ok(()) } else { Err(format!("it was answered with {status}")) }
    }

    fn exchange(&self, signature: &str, body: &[u8]) -> std::io::Result<u16> {
        let mut stream = self.connect()?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let Self { host, port, path } = self;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             User-Agent: muster/{}\r\nMuster-Signature: {signature}\r\nContent-Length: {}\r\n\r\n",
            env!("CARGO_PKG_VERSION"),
            body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body)?;
        let mut line = String::new();
        BufReader::new(stream.take(HEAD_MOST)).read_line(&mut line)?;
        let status = line
            .strip_prefix("HTTP/1.")
            .and_then(|rest| rest.split(' ').nth(1))
            .and_then(|it| it.trim().parse().ok());
        status.ok_or_else(|| std::io::Error::other("it did not answer in HTTP"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart_or_refused() {
        let target = |url: &str| Target::parse(url).map(|it| (it.host, it.port, it.path)).ok();
        let is = |host: &str, port, path: &str| Some((host.to_owned(), port, path.to_owned()));
        assert_eq!(target("http://a.b"), is("a.b", 80, "/"));
        assert_eq!(target("http://a.b:81/c?d=1"), is("a.b", 81, "/c?d=1"));
        assert_eq!(target("http://[::1]:81/"), is("[::1]", 81, "/"));
        assert_eq!(target("http://[::1]/x"), is("[::1]", 80, "/x"));
        for wrong in [
            "https://a",
            "http://",
            "http://a:x/",
            "a",
            "http://a/\r\nX: y",
            "http://u@h/",
            "http://a:0/",
            "http:// /",
        ] {
            assert_eq!(target(wrong), None, "{wrong}");
        }
    }
}
