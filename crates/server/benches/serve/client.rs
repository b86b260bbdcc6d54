//! A connection that sends requests and reads replies, with as little around it as possible.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) struct Connection {
    stream: TcpStream,
    token: String,
    out: Vec<u8>,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr, token: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        Self { stream, token: token.to_owned(), out: Vec::new(), buffer: Vec::new() }
    }

    /// Sends a request and returns the reply's body.
    pub(crate) async fn post(&mut self, path: &str, body: &[u8]) -> &[u8] {
        self.out.clear();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.token,
            body.len()
        );
        self.out.extend_from_slice(head.as_bytes());
        self.out.extend_from_slice(body);
        self.stream.write_all(&self.out).await.expect("it is sent");
        let (from, to) = self.read().await;
        &self.buffer[from..to]
    }

    pub(crate) async fn post_json(&mut self, path: &str, body: &Value) -> Value {
        let reply = self.post(path, body.to_string().as_bytes()).await;
        serde_json::from_slice(reply).expect("JSON")
    }

    pub(crate) async fn get_json(&mut self, path: &str) -> Value {
        let head =
            format!("GET {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {}\r\n\r\n", self.token);
        self.stream.write_all(head.as_bytes()).await.expect("it is sent");
        let (from, to) = self.read().await;
        serde_json::from_slice(&self.buffer[from..to]).expect("JSON")
    }

    /// Reads one reply; where its body is in the buffer.
    async fn read(&mut self) -> (usize, usize) {
        self.buffer.clear();
        loop {
            if let Some(head) = find(&self.buffer, b"\r\n\r\n") {
                let end = head + 4 + length(&self.buffer[..head]);
                if self.buffer.len() >= end {
                    check(&self.buffer);
                    return (head + 4, end);
                }
            }
            let n = self.stream.read_buf(&mut self.buffer).await.expect("a reply");
            assert!(n > 0, "the server closed the connection");
        }
    }
}

fn check(reply: &[u8]) {
    assert!(reply.starts_with(b"HTTP/1.1 2"), "{}", String::from_utf8_lossy(reply));
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn length(head: &[u8]) -> usize {
    let name = b"content-length: ";
    let from = find(head, name).expect("a length") + name.len();
    let digits = head[from..].iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0'))
}
