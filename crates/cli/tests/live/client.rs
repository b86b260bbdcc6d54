//! A small HTTP client for tests: one connection, one request at a time, blocking. Knows nothing of what is asked.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

/// A reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) text: String,
}

impl Reply {
    /// What it says, if it is what was wanted.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text);
        self.json()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }
}

/// Somebody with a token.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    address: SocketAddr,
    token: String,
}

/// A connection that is kept for the next request.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    token: String,
}

impl Client {
    pub(crate) fn new(address: SocketAddr, token: &str) -> Self {
        Self { address, token: token.to_owned() }
    }

    pub(crate) fn connect(&self) -> Result<Connection> {
        let stream = TcpStream::connect(self.address)?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream: BufReader::new(stream), token: self.token.clone() })
    }

    /// One request on a connection of its own.
    pub(crate) fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Reply> {
        self.connect()?.send(method, path, None, body)
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, None).expect("a server that answers")
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, Some(body)).expect("a server that answers")
    }
}

impl Connection {
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Reply> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let key = key.map(|key| format!("Idempotency-Key: {key}\r\n")).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: muster\r\nAuthorization: Bearer {}\r\n{key}\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        self.raw(request.as_bytes())
    }

    /// Sends bytes and reads one reply.
    pub(crate) fn raw(&mut self, request: &[u8]) -> Result<Reply> {
        self.stream.get_mut().write_all(request)?;
        self.reply()
    }

    pub(crate) fn reply(&mut self) -> Result<Reply> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head)? == 0 {
                return Err(Error::new(ErrorKind::UnexpectedEof, "the server closed the connection"));
            }
        }
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.ok_or_else(|| Error::other(format!("no status in {head}")))?;
        let bytes = match header(&head, "content-length") {
            Some(length) => self.exactly(length.parse().map_err(Error::other)?)?,
            None if header(&head, "transfer-encoding").is_some() => self.chunks()?,
            None => Vec::new(),
        };
        Ok(Reply { status, head, text: String::from_utf8(bytes).map_err(Error::other)? })
    }

    fn exactly(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            let length = usize::from_str_radix(line.trim(), 16).map_err(Error::other)?;
            let chunk = self.exactly(length + 2)?;
            all.extend_from_slice(&chunk[..length]);
            if length == 0 {
                return Ok(all);
            }
        }
    }
}

/// A header's value, by its name in small letters.
fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.into_iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}
