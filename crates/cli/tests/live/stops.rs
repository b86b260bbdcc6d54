//! How a server ends and who may begin: told to stop it finishes what is being done; a second one on the same file is refused;
//! a damaged end is cut off and said; a file that is no journal is refused in words.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;

use rusqlite::Connection as File;
use serde_json::json;

use crate::client::Client;
use crate::process::{Process, command, first_start, join, place, submit};

/// A request whose body is still to come when the server is told to stop is served to its end; who waits for a task is told
/// that there is none.
#[test]
fn told_to_stop_it_finishes_what_is_being_done() {
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let worker = join(&client, "person");
    let waiting = client.clone();
    let waiting = thread::spawn(move || {
        waiting.send("POST", &format!("/api/workers/{worker}/ask?wait=50"), Some(&json!({})))
    });
    while client.get("/api/pools/day").ok()["workers"]["idle"] != 1 {}

    let body = json!({"tenant": "acme", "app": "look", "tasks": ["late"], "name": "late"}).to_string();
    let mut slow = TcpStream::connect(process.address).expect("a connection");
    let head = format!(
        "POST /api/jobs HTTP/1.1\r\nHost: muster\r\nAuthorization: Bearer {token}\r\nExpect: 100-continue\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    slow.write_all(head.as_bytes()).expect("written");
    let mut slow = BufReader::new(slow);
    let mut line = String::new();
    slow.read_line(&mut line).expect("the server wants the body");
    assert_eq!(line, "HTTP/1.1 100 Continue\r\n");

    process.signal("TERM");
    let asked = waiting.join().expect("no panic").expect("a reply").ok();
    assert_eq!(asked["waiting"], true, "who waits is told to ask again: {asked}");
    slow.get_mut().write_all(body.as_bytes()).expect("written");
    let mut reply = String::new();
    slow.read_to_string(&mut reply).expect("a reply, and the end");
    assert!(reply.contains("HTTP/1.1 201 Created"), "{reply}");
    let (status, words) = process.stop();
    assert!(status.success() && words.contains("stopping"), "{status} {words}");

    let process = Process::start(&data);
    let client = Client::new(process.address, &token);
    assert_eq!(client.get("/api/jobs?tenant=acme").ok()["jobs"][0]["name"], "late");
}

#[test]
fn a_second_server_on_the_same_file_is_refused_and_harms_nothing() {
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let job = submit(&client, &json!([1]));
    let Err(refused) = Process::try_start(&mut command(&data)) else { panic!("two servers on one file") };
    assert!(refused.words.contains("in use by another process"), "{}", refused.words);
    assert_eq!(refused.code, Some(1));
    assert_eq!(client.get(&format!("/api/jobs/{job}")).ok()["open"], 1);
    submit(&client, &json!([2]));
    // The lock goes with the process, however it ends.
    process.kill();
    let (status, _) = Process::start(&data).stop();
    assert!(status.success());
}

#[test]
fn a_damaged_end_is_cut_off_kept_and_said() {
    let (folder, data) = place();
    let (process, token) = first_start(&data);
    let kept = submit(&Client::new(process.address, &token), &json!([1, 2]));
    process.kill();
    // A start, then another job: the last record is of that job.
    let process = Process::start(&data);
    let lost = submit(&Client::new(process.address, &token), &json!([3]));
    process.kill();
    let file = File::open(&data).expect("a file");
    let damaged =
        "UPDATE facts SET bytes = zeroblob(length(bytes)) WHERE first = (SELECT max(first) FROM facts)";
    assert_eq!(file.execute(damaged, []).expect("a table"), 1);
    drop(file);

    let process = Process::start(&data);
    assert!(
        process.first_words.contains("damaged") && process.first_words.contains("cut off"),
        "{}",
        process.first_words
    );
    let client = Client::new(process.address, &token);
    assert_eq!(client.get(&format!("/api/jobs/{kept}")).ok()["open"], 2);
    assert_eq!(client.get(&format!("/api/jobs/{lost}")).status, 404);
    let beside = std::fs::read_dir(folder.path()).expect("a folder");
    let names = beside.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    assert_eq!(names.filter(|name| name.contains(".cut-")).count(), 1, "what was cut off is kept");
    // Numbers go on where the cut is.
    assert_eq!(submit(&client, &json!([4])), lost);
    assert!(process.stop().0.success());
    assert_eq!(Process::start(&data).first_words, "", "it is said once");
}

#[test]
fn damage_in_the_middle_is_refused_in_words_and_left_alone() {
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    submit(&Client::new(process.address, &token), &json!([1]));
    process.kill();
    let file = File::open(&data).expect("a file");
    let damaged =
        "UPDATE facts SET bytes = zeroblob(length(bytes)) WHERE first = (SELECT min(first) FROM facts)";
    assert_eq!(file.execute(damaged, []).expect("a table"), 1);
    drop(file);
    let Err(refused) = Process::try_start(&mut command(&data)) else { panic!("it is damaged") };
    assert!(refused.words.contains("journal is damaged: fact 0 cannot be read"), "{}", refused.words);
    assert_eq!(refused.code, Some(1));
}

#[test]
fn what_is_no_journal_is_refused_in_words() {
    let (folder, data) = place();
    let (process, token) = first_start(&data);
    submit(&Client::new(process.address, &token), &json!([1]));
    assert!(process.stop().0.success());
    let whole = std::fs::read(&data).expect("a file");
    let cases =
        [b"not a journal, but long enough to be read as one".repeat(40), whole[..whole.len() / 2].to_vec()];
    for (n, bytes) in cases.iter().enumerate() {
        let path = folder.path().join(format!("odd{n}.db"));
        std::fs::write(&path, bytes).expect("written");
        let Err(refused) = Process::try_start(&mut command(&path)) else { panic!("case {n} is no journal") };
        assert!(
            refused.words.starts_with("error: ") && !refused.words.contains("panicked"),
            "{n}: {}",
            refused.words
        );
        assert_eq!(refused.code, Some(1), "{n}");
    }
}
