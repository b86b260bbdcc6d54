//! A small HTTP client over a real socket, for tests: one request for each connection, or a stream that is read piece by piece.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A reply, read to its end.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A reply that goes on.
pub(crate) struct Going {
    pub(crate) status: u16,
    head: String,
    from: BufReader<TcpStream>,
}

/// What is sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sent<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) token: Option<&'a str>,
    pub(crate) headers: Vec<(&'a str, &'a str)>,
    pub(crate) body: Vec<u8>,
}

/// Sends a request and reads the reply's head.
pub(crate) fn begin(to: SocketAddr, sent: &Sent<'_>) -> Going {
    let mut stream = TcpStream::connect(to).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    let mut head = format!("{} {} HTTP/1.1\r\nhost: {to}\r\nconnection: close\r\n", sent.method, sent.path);
    if let Some(token) = sent.token {
        head += &format!("authorization: Bearer {token}\r\n");
    }
    for (name, value) in &sent.headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("content-length: {}\r\n\r\n", sent.body.len());
    stream.write_all(head.as_bytes()).expect("the server reads");
    // A server that has refused already may close before it has read everything.
    let _ = stream.write_all(&sent.body);
    let mut from = BufReader::new(stream);
    let mut first = String::new();
    from.read_line(&mut first).expect("a reply");
    let status = first.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let mut head = String::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line).expect("a header");
        if line.trim().is_empty() {
            return Going { status, head, from };
        }
        head += &line.to_ascii_lowercase();
    }
}

impl Going {
    /// The next piece; `None` at the end.
    pub(crate) fn piece(&mut self) -> Option<Vec<u8>> {
        let mut line = String::new();
        self.from.read_line(&mut line).ok()?;
        let size = usize::from_str_radix(line.trim(), 16).ok()?;
        let mut piece = vec![0; size + 2];
        self.from.read_exact(&mut piece).ok()?;
        piece.truncate(size);
        (size > 0).then_some(piece)
    }

    /// Pieces up to the first that holds a word.
    pub(crate) fn until(&mut self, word: &str) -> String {
        let mut text = String::new();
        while !text.contains(word) {
            let piece = self.piece().unwrap_or_else(|| panic!("the stream ended before '{word}': {text}"));
            text += &String::from_utf8_lossy(&piece);
        }
        text
    }

    /// All of it.
    pub(crate) fn rest(mut self) -> Received {
        let mut body = Vec::new();
        if self.head.contains("transfer-encoding: chunked") {
            while let Some(piece) = self.piece() {
                body.extend_from_slice(&piece);
            }
        } else {
            let length = self.head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length = length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
            body = vec![0; length];
            self.from.read_exact(&mut body).expect("the body");
        }
        Received { status: self.status, head: self.head, body }
    }
}
