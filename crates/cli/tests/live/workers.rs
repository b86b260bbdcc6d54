//! `muster work` and `muster bots` against a real server: they do what there is to do, go on when the server was away, and
//! finish what is in hand when they are told to stop.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::books::Books;
use crate::client::Client;
use crate::process::{Process, command_on, first_start, place, submit};

/// A client program that runs; dropping it kills it.
struct Program(Child);

impl Program {
    fn start(process: &Process, token: &str, words: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
        command.arg(words[0]).args(["--server", &format!("http://{}", process.address)]).args(&words[1..]);
        command.env("MUSTER_TOKEN", token).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(command.spawn().expect("the program"))
    }

    fn signal(&self) {
        let sent = Command::new("kill").args(["-s", "TERM", &self.0.id().to_string()]).status();
        assert!(sent.expect("the program kill").success());
    }

    /// How it ended, and what it said on both streams.
    fn ended(mut self) -> (Option<i32>, String) {
        let (mut words, mut errors) = (String::new(), String::new());
        self.0.stdout.take().expect("a pipe").read_to_string(&mut words).expect("text");
        self.0.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
        (self.0.wait().expect("it ended").code(), words + &errors)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn until_done(client: &Client, job: u64) {
    while client.get(&format!("/api/jobs/{job}")).ok()["stage"] != "done" {}
}

fn results(client: &Client, job: u64) -> Vec<Value> {
    let reply = client.get(&format!("/api/jobs/{job}/results"));
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn any_program_is_a_worker() {
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let tasks: Vec<Value> = (0..6).map(|n| json!({"n": n})).collect();
    let job = submit(&client, &tasks.into());
    let program = Program::start(&process, &token, &["work", "--app", "look", "-n", "2", "--", "cat"]);
    until_done(&client, job);
    program.signal();
    let (code, words) = program.ended();
    assert_eq!(code, Some(0), "{words}");
    assert!(words.contains("6 answers, 0 failures"), "{words}");
    let mut said: Vec<u64> =
        results(&client, job).iter().filter_map(|line| line["answer"]["n"].as_u64()).collect();
    said.sort_unstable();
    assert_eq!(said, [0, 1, 2, 3, 4, 5]);
    let workers = client.get("/api/pools/day").ok()["workers"].clone();
    assert_eq!(
        (&workers["idle"], &workers["leased"], &workers["paused"]),
        (&json!(0), &json!(0), &json!(0)),
        "all have left"
    );
}

#[test]
fn told_to_stop_a_worker_finishes_what_is_in_hand() {
    let (folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let job = submit(&client, &json!([1, 2]));
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("the program mkfifo").success());
    let script = format!("read answer < '{}'; echo $answer", pipe.display());
    let program = Program::start(&process, &token, &["work", "--app", "look", "--", "sh", "-c", &script]);
    while client.get(&format!("/api/jobs/{job}")).ok()["leased"] != 1 {}
    program.signal();
    // The program reads this only if it was let live.
    std::fs::File::options()
        .write(true)
        .open(&pipe)
        .and_then(|mut pipe| pipe.write_all(b"42\n"))
        .expect("written");
    let (code, words) = program.ended();
    assert_eq!(code, Some(0), "{words}");
    assert!(words.contains("1 answers, 0 failures"), "{words}");
    let told = client.get(&format!("/api/jobs/{job}")).ok();
    assert_eq!((&told["done"], &told["leased"], &told["open"]), (&json!(1), &json!(0), &json!(1)));
    assert_eq!(results(&client, job)[0]["answer"], 42);
}

#[test]
fn a_program_that_fails_has_its_task_skipped_with_the_reason_and_is_given_up() {
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let job = submit(&client, &json!([1, 2, 3]));
    let script = "echo out of ink >&2; exit 3";
    let words = ["work", "--app", "look", "--failures-most", "2", "--", "sh", "-c", script];
    let (code, words) = Program::start(&process, &token, &words).ended();
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains("it ended with code 3: out of ink"), "{words}");
    assert!(words.contains("2 failures in a row"), "{words}");
    let skips = client.get(&format!("/api/jobs/{job}/skips")).ok();
    assert_eq!(skips["skips"][0]["reason"], "it ended with code 3: out of ink", "{skips}");
    assert_eq!(client.get(&format!("/api/jobs/{job}")).ok()["open"], 3, "others may do it");

    let (code, words) = Program::start(&process, &token, &["work", "--app", "hear", "--", "cat"]).ended();
    assert_eq!(code, Some(2), "{words}");
    assert!(words.contains("no pool that this token may join serves hear"), "{words}");
    let (code, words) = Program::start(&process, "", &["work", "--app", "look", "--", "cat"]).ended();
    assert_eq!(code, Some(2), "{words}");
    assert!(words.contains("--token is missing"), "{words}");
}

/// A server on the address that another one had.
fn again(data: &Path, process: Process) -> Process {
    let address = process.address.to_string();
    process.kill();
    Process::try_start(&mut command_on(data, &address)).expect("the same address again")
}

#[test]
fn workers_go_on_when_the_server_was_away() {
    let (folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let job = submit(&client, &json!([1, 2]));
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("the program mkfifo").success());
    let script = format!("read answer < '{}'; echo $answer", pipe.display());
    let program = Program::start(&process, &token, &["work", "--app", "look", "--", "sh", "-c", &script]);
    while client.get(&format!("/api/jobs/{job}")).ok()["leased"] != 1 {}
    let process = again(&data, process);
    let client = Client::new(process.address, &token);
    // Its lease goes on, and the answer is taken; then comes the next.
    let answer = |text: &str| {
        let pipe = std::fs::File::options().write(true).open(&pipe);
        pipe.and_then(|mut pipe| pipe.write_all(text.as_bytes())).expect("written");
    };
    answer("1\n");
    let told = || client.get(&format!("/api/jobs/{job}")).ok();
    while told()["done"] != 1 || told()["leased"] != 1 {}
    answer("2\n");
    until_done(&client, job);
    program.signal();
    let (code, words) = program.ended();
    assert_eq!(code, Some(0), "{words}");
    let answers: Vec<Value> = results(&client, job).iter().map(|line| line["answer"].clone()).collect();
    assert_eq!(answers, [1, 2]);
}

#[test]
fn bots_do_the_work_and_leave() {
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let tasks: Vec<Value> = (0..60).map(|n| json!({"item": n})).collect();
    let body = json!({"tenant": "acme", "app": "look", "price": 0.05, "slots": 3, "tasks": tasks});
    let job = client.post("/api/jobs", &body).ok()["job"].as_u64().expect("a number");
    let flags = [
        "bots", "--pool", "day", "-n", "40", "--work", "5 s", "--skip", "0.1", "--pause", "0.1", "--speed",
        "100",
    ];
    let program = Program::start(&process, &token, &flags);
    until_done(&client, job);
    program.signal();
    let (code, words) = program.ended();
    assert_eq!(code, Some(0), "{words}");
    assert!(words.contains("40 joined, 40 gone; 180 answers"), "{words}");
    assert!(process.stop().0.success());
    let books = Books::read(&data);
    books.check();
    assert_eq!(books.answers.len(), 180);
    books.audit();
}

#[test]
fn bots_live_a_scenario() {
    let (folder, data) = place();
    let mut process = Process::start(&data);
    let token = process.claim();
    let client = Client::new(process.address, &token);
    let file = folder.path().join("small.toml");
    let text = r#"
        horizon = "1 h"
        [[tenant]]
        name = "globex"
        [[app]]
        name = "moderation"
        arrivals = { law = "poisson", rate = "60 /min" }
        work = { law = "exponential", mean = "4 s" }
        training = "10 s"
        [[kind]]
        name = "people"
        [[pool]]
        name = "day shift"
        serves = ["moderation"]
        workers = 8
        [crowd]
        staying = { law = "exponential", mean = "10 min" }
        trained = false
        [policy]
        dispatch = "fair"
    "#;
    std::fs::write(&file, text).expect("written");
    let flags = ["bots", "--scenario", &file.to_string_lossy(), "--speed", "60"];
    let program = Program::start(&process, &token, &flags);
    while client.get("/api/pools/day%20shift").json()["throughput"].as_f64().unwrap_or(0.0) <= 0.0 {}
    program.signal();
    let (code, words) = program.ended();
    assert_eq!(code, Some(0), "{words}");
    assert!(words.contains("8 joined") && !words.contains(" 0 jobs"), "{words}");
    assert_eq!(client.get("/api/pools/day%20shift").ok()["policies"]["dispatch"], "fair");
    assert!(process.stop().0.success());
    let books = Books::read(&data);
    books.check();
    assert!(!books.answers.is_empty());
    books.audit();
}
