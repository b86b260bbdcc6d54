//! Clients as they are: slow, half gone, too large, too many. Others do not notice.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Command;

use serde_json::json;

use crate::client::Client;
use crate::process::{Process, first_start, join, place, submit};

fn connect(process: &Process) -> TcpStream {
    TcpStream::connect(process.address).expect("a connection")
}

#[test]
fn slow_and_half_open_clients_disturb_nobody() {
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let head = format!("POST /api/jobs HTTP/1.1\r\nHost: muster\r\nAuthorization: Bearer {token}\r\n");
    let mut held = Vec::new();
    for n in 0..300 {
        let mut stream = connect(&process);
        // Nothing; half a head; a head without its body; half a body; one that has gone the other way.
        let sent = match n % 5 {
            0 => String::new(),
            1 => head[..head.len() / 2].to_owned(),
            2 => format!("{head}Content-Length: 1000\r\n\r\n"),
            3 => format!("{head}Content-Length: 1000\r\n\r\n{{\"tenant\": \"ac"),
            _ => format!("{head}Transfer-Encoding: chunked\r\n\r\n4\r\n{{\"te\r\n"),
        };
        stream.write_all(sent.as_bytes()).expect("written");
        if n % 5 == 4 {
            stream.shutdown(Shutdown::Write).expect("half closed");
        }
        held.push(stream);
    }
    let job = submit(&client, &json!([1, 2]));
    assert_eq!(client.get(&format!("/api/jobs/{job}")).ok()["open"], 2);

    // A request that comes byte by byte is a request.
    let mut slow = connect(&process);
    slow.set_nodelay(true).expect("an option");
    for byte in b"GET /health HTTP/1.1\r\nHost: muster\r\nConnection: close\r\n\r\n" {
        slow.write_all(&[*byte]).expect("written");
    }
    let mut reply = String::new();
    slow.read_to_string(&mut reply).expect("a reply");
    assert!(reply.starts_with("HTTP/1.1 200 OK"), "{reply}");
    drop(held);
    let jobs = client.get("/api/jobs?tenant=acme").ok();
    assert_eq!(jobs["jobs"].as_array().map(Vec::len), Some(1), "half a request is none");
    assert!(process.stop().0.success());
}

/// Who waits for a task and goes away does not take it along: it is found by asking again.
#[test]
fn who_hangs_up_while_waiting_loses_nothing() {
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let worker = join(&client, "person");
    let mut gone = connect(&process);
    let path = format!("/api/workers/{worker}/ask?wait=50");
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: muster\r\nAuthorization: Bearer {token}\r\nContent-Length: 0\r\n\r\n"
    );
    gone.write_all(request.as_bytes()).expect("written");
    while client.get("/api/pools/day").ok()["workers"]["idle"] != 1 {}
    drop(gone);
    submit(&client, &json!(["here"]));
    let asked = client.post(&format!("/api/workers/{worker}/ask"), &json!({})).ok();
    assert_eq!(asked["lease"]["payload"], "here");
}

#[test]
fn what_is_too_large_is_refused_before_it_is_sent() {
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let mut connection = client.connect().expect("a connection");
    let head = format!(
        "POST /api/jobs HTTP/1.1\r\nHost: muster\r\nAuthorization: Bearer {token}\r\nContent-Length: 9000000000\r\n\r\n"
    );
    let refused = connection.raw(head.as_bytes()).expect("a reply");
    assert_eq!(refused.status, 413, "{}", refused.text);
    assert!(refused.head.contains("application/problem+json"), "{}", refused.head);
    assert!(refused.text.contains("67108864 bytes"), "{}", refused.text);

    let mut connection = client.connect().expect("a connection");
    let long = format!("GET /{} HTTP/1.1\r\nHost: muster\r\n\r\n", "x".repeat(1 << 20));
    let reply = connection.raw(long.as_bytes());
    assert!(reply.as_ref().map_or(true, |reply| (400..500).contains(&reply.status)), "{reply:?}");

    let task = json!({"tenant": "acme", "app": "look", "tasks": [1, "x".repeat(300_000)]});
    let refused = client.post("/api/jobs", &task);
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("tasks[1]") && refused.text.contains("262144"), "{}", refused.text);
}

#[test]
fn rubbish_gets_a_refusal_or_the_end_of_the_connection() {
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    let rubbish: [&[u8]; 6] = [
        b"\0\0\0\0\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/jobs HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/jobs HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ];
    for bytes in rubbish {
        let mut stream = connect(&process);
        stream.write_all(bytes).expect("written");
        stream.shutdown(Shutdown::Write).expect("half closed");
        let mut reply = Vec::new();
        // A connection that is reset is an end as well.
        let _ = stream.read_to_end(&mut reply);
        let reply = String::from_utf8_lossy(&reply);
        assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 4"), "{bytes:?}: {reply}");
    }
    assert_eq!(Client::new(process.address, &token).get("/health").status, 200);
}

/// How many files this process may open.
fn files_most() -> usize {
    let said = Command::new("sh").args(["-c", "ulimit -n"]).output().expect("a shell");
    String::from_utf8_lossy(&said.stdout).trim().parse().unwrap_or(usize::MAX)
}

#[test]
fn ten_thousand_connections_are_served() {
    let wanted = 10_000;
    let n = wanted.min(files_most().saturating_sub(500));
    if n < wanted {
        println!(
            "only {n} connections: no more than {} files may be open here (see ulimit -n)",
            files_most()
        );
    }
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    let request = b"GET /health HTTP/1.1\r\nHost: muster\r\n\r\n";
    // All are open at once; each asks as soon as it is there, as who says nothing for long is hung up on.
    let mut all: Vec<TcpStream> = Vec::with_capacity(n);
    for _ in 0..n {
        let mut stream = connect(&process);
        stream.write_all(request).expect("written");
        all.push(stream);
    }
    for stream in &mut all {
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).expect("a reply");
        assert_eq!(line, "HTTP/1.1 200 OK\r\n");
    }
    let client = Client::new(process.address, &token);
    submit(&client, &json!([1]));
    drop(all);
    assert!(process.stop().0.success());
}
