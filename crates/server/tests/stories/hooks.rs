//! Webhooks and recruiters: signed posts from a stored cursor, tried again, replayed; commands started for machines wanted.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::stage::{SET_UP, Stage};
use muster_server::serve::Settings;
use muster_server::webhook::sign::signature;
use serde_json::Value;

/// A post, as it came.
struct Post {
    signature: String,
    body: Vec<u8>,
}

impl Post {
    fn events(&self) -> Vec<Value> {
        let body: Value = serde_json::from_slice(&self.body).expect("JSON");
        body["events"].as_array().expect("events").clone()
    }
}

/// Takes posts; the first `refused` of them are answered with 500.
fn receiver(refused: usize) -> (String, Receiver<Post>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let (posts, taken) = channel();
    std::thread::spawn(move || {
        for (n, stream) in listener.incoming().enumerate() {
            let Ok(mut stream) = stream else { return };
            let mut from = BufReader::new(stream.try_clone().expect("a stream"));
            let (mut length, mut signature) = (0, String::new());
            loop {
                let mut line = String::new();
                if from.read_line(&mut line).is_err() || line.trim().is_empty() {
                    break;
                }
                let (name, value) = line.trim().split_once(": ").unwrap_or_default();
                match name.to_ascii_lowercase().as_str() {
                    "content-length" => length = value.parse().unwrap_or(0),
                    "muster-signature" => signature = value.to_owned(),
                    _ => {}
                }
            }
            let mut body = vec![0; length];
            from.read_exact(&mut body).expect("a body");
            let status = if n < refused { "500 No" } else { "204 Taken" };
            let _ = stream.write_all(format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").as_bytes());
            if n >= refused && posts.send(Post { signature, body }).is_err() {
                return;
            }
        }
    });
    (url, taken)
}

fn next(posts: &Receiver<Post>) -> Post {
    posts.recv_timeout(Duration::from_secs(60)).expect("a post")
}

#[test]
#[allow(clippy::too_many_lines, reason = "one story, told in order")]
fn a_webhook_is_signed_tried_again_and_replayed() {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    let (url, posts) = receiver(2);
    stage.known.insert("url".to_owned(), url);
    stage.play(
        r#"
        admin POST /api/hooks {"url": "https://example.org/", "events": ["job"]}
          -> 422 {"field": "url"}
        admin POST /api/hooks {"url": "$url", "events": []}
          -> 422 {"field": "events"}
        acme POST /api/hooks {"url": "$url", "events": ["job"]}
          -> 403
        admin POST /api/hooks {"url": "$url", "events": ["job", "wanted"], "label": "team chat"}
          -> 201 {"id": 0}
          $secret = secret
        acme POST /api/jobs {"app": "look", "tasks": [1]}
        "#,
    );
    let post = next(&posts);
    let seconds =
        post.signature.split(['=', ',']).nth(1).and_then(|text| text.parse().ok()).expect("seconds");
    assert_eq!(post.signature, signature(&stage.known["secret"], seconds, &post.body));
    let first = post.events()[0].clone();
    assert_eq!(
        (&first["event"], &first["what"], &first["tenant"]),
        (&"job".into(), &"submitted".into(), &"acme".into())
    );
    stage.play(
        r#"
        admin GET /api/hooks
          ~> 200 {"hooks": [{"id": 0, "label": "team chat", "posts": 1, "failures": 0}]}
        admin POST /api/links {"pool": "day", "kind": "person"}
          $path = path
        admin POST /api/pools/day/recruit {"kind": "person", "n": 2}
        "#,
    );
    let wanted = next(&posts).events()[0].clone();
    assert_eq!(
        (&wanted["words"], &wanted["join"]),
        (&"2 more people wanted".into(), &stage.known["path"].as_str().into())
    );

    // The cursor outlives a restart: nothing is told twice, and nothing is left out.
    stage.play(
        r#"
        admin GET /api/hooks
          ~> 200 {"hooks": [{"posts": 2}]}
        restart
        acme POST /api/jobs/0/cancel
        "#,
    );
    assert_eq!(next(&posts).events()[0]["what"], "cancelled");
    stage.known.insert("from".to_owned(), first["number"].to_string());
    stage.play(
        r#"
        admin GET /api/hooks
          ~> 200 {"hooks": [{"posts": 1}]}
        admin POST /api/hooks/0/replay {"from": $from}
          -> 200 {"id": 0}
        "#,
    );
    let again = next(&posts).events();
    assert_eq!(
        again.iter().map(|it| it["what"].as_str().unwrap_or("")).collect::<Vec<_>>(),
        ["submitted", "wanted", "cancelled"]
    );
    assert_eq!(again[0], first);
    stage.play(
        r#"
        admin DELETE /api/hooks/0
          -> 204
        admin DELETE /api/hooks/0
          -> 404
        "#,
    );
}

#[test]
fn a_tenants_webhook_tells_nothing_of_others() {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    let (url, posts) = receiver(0);
    stage.known.insert("url".to_owned(), url);
    stage.play(
        r#"
        admin POST /api/hooks {"url": "$url", "events": ["job", "answer", "wanted", "worker", "budget"], "tenant": "acme"}
        globex POST /api/jobs {"app": "look", "tasks": [1]}
        admin POST /api/pools/day/recruit {"kind": "person", "n": 1}
        acme POST /api/jobs {"app": "look", "tasks": [1]}
        acme POST /api/jobs/1/cancel
        "#,
    );
    let mut seen = Vec::new();
    while seen.len() < 2 {
        seen.extend(next(&posts).events());
    }
    assert!(seen.iter().all(|event| event["job"] == 1), "{seen:?}");
}

#[test]
fn who_is_wanted_gets_a_link_by_itself() {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    stage.play(
        r#"
        admin POST /api/pools/day/recruit {"kind": "person", "n": 2}
        admin GET /api/links
          ~> 200 {"links": [{"pool": "day", "kind": "person", "most": 2, "good": true, "label": "for recruit order 0"}]}
        "#,
    );
}

#[test]
fn machines_wanted_are_processes_on_this_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    // It says with what it was started, and waits to be told to end.
    let command = format!(
        "trap 'echo ended > {0}; exit 0' TERM; echo \"$MUSTER_POOL $MUSTER_KIND $MUSTER_RECRUIT $MUSTER_TOKEN\" > {0}; \
         while :; do sleep 0.05; done",
        pipe.display()
    );
    let (said, lines) = channel();
    // Open for writing too, so that it does not end when a writer does.
    let read = std::fs::File::options().read(true).write(true).open(&pipe).expect("a pipe");
    std::thread::spawn(move || {
        BufReader::new(read).lines().map_while(Result::ok).try_for_each(|line| said.send(line))
    });
    let line = || lines.recv_timeout(Duration::from_secs(60)).expect("the process says something");
    let settings = Settings { processes: vec![("machine".to_owned(), command)], ..Settings::default() };
    let mut stage = Stage::with(settings);
    stage.play(SET_UP);
    stage.play(
        r#"
        admin POST /api/pools/day/recruit {"kind": "machine", "n": 1}
          -> 201 {"words": "1 more machine of kind 'machine' wanted"}
        "#,
    );
    let started = line();
    let words: Vec<&str> = started.split_whitespace().collect();
    assert_eq!(words[..3], ["day", "machine", "0"]);
    stage.tokens.insert("process".to_owned(), words[3].to_owned());
    stage.play(
        r#"
        process POST /api/workers {"pool": "day", "kind": "machine", "recruit": 0}
          -> 201 {"worker": 0}
        admin GET /api/recruits
          -> 200 {"wanted": []}
        process POST /api/workers/0/ask
        admin POST /api/pools/day/release {"kind": "machine", "n": 1}
          -> 200 {"workers": [0]}
        "#,
    );
    assert_eq!(line(), "ended");
}
