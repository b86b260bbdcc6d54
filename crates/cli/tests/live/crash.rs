//! `kill -9` at random moments under random load, again and again on one file. Whatever was acknowledged is there afterwards,
//! nothing is there twice, and who held a task holds it still.

use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;

use crate::books::Books;
use crate::client::Client;
use crate::dice::Dice;
use crate::load::{Hand, Heard, Someone, Submitter, go_on};
use crate::process::{Process, command, first_start, is_long, place};

/// Everybody who uses the server, over all its lives.
fn everybody(seed: u64) -> Vec<Box<dyn Someone>> {
    let mut all: Vec<Box<dyn Someone>> = vec![Box::new(Submitter::new(seed))];
    for n in 1..4 {
        all.push(Box::new(Hand::new(&format!("hand{n}"), seed + n)));
    }
    all
}

/// One life under load: killed a moment after so many acknowledgements. Returns how many there were.
fn life(data: &Path, token: &str, all: &mut [Box<dyn Someone>], heard: &Heard, dice: &mut Dice) -> u64 {
    let process = Process::start(data);
    assert_eq!(process.first_words, "", "nothing is damaged by a kill");
    let client = Client::new(process.address, token);
    let (acknowledged, acknowledgements) = channel();
    let (wanted, moment) = (1 + dice.below(30), dice.below(200_000));
    thread::scope(|scope| {
        for someone in all.iter_mut() {
            let (client, acknowledged) = (client.clone(), acknowledged.clone());
            // Who counts may have seen enough.
            let told = move || acknowledged.send(()).unwrap_or_default();
            scope.spawn(move || go_on(someone.as_mut(), &client, heard, &told));
        }
        drop(acknowledged);
        let mut n = 0;
        while n < wanted && acknowledgements.recv().is_ok() {
            n += 1;
        }
        if n < wanted {
            let (status, words) = process.ended();
            panic!("the server ended by itself: {status} {words}");
        }
        // A random part of what is being done now is over when the kill comes.
        (0..moment).for_each(|_| std::hint::spin_loop());
        process.kill();
        n + acknowledgements.iter().count() as u64
    })
}

/// A life that is killed while it starts.
fn stillborn(data: &Path, dice: &mut Dice) {
    let mut child = command(data).stdout(std::process::Stdio::null()).spawn().expect("the program");
    (0..dice.below(3_000_000)).for_each(|_| std::hint::spin_loop());
    child.kill().expect("a process to kill");
    child.wait().expect("it ended");
}

#[test]
fn killed_at_random_moments_it_keeps_what_it_acknowledged() {
    let seed = std::env::var("MUSTER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("MUSTER_SEED={seed} cargo test -p muster --test live killed_at_random_moments");
    let kills = if is_long() { 3000 } else { 200 };
    let (_folder, data) = place();
    let (process, token) = first_start(&data);
    process.kill();
    let (mut dice, heard, mut all) = (Dice::new(seed), Heard::default(), everybody(seed));
    let mut acknowledgements = 0;
    for n in 0..kills {
        if dice.below(6) == 0 {
            stillborn(&data, &mut dice);
        } else {
            acknowledgements += life(&data, &token, &mut all, &heard, &mut dice);
        }
        if n % 50 == 49 {
            check_over_http(&data, &token, &heard);
        }
    }
    check_over_http(&data, &token, &heard);
    let books = Books::read(&data);
    books.check();
    let heard_answers = heard.answers.lock().expect("no panic");
    for (lease, (job, worker, said)) in heard_answers.iter() {
        let kept = books.answers.get(lease).expect("every acknowledged answer is there");
        assert_eq!(u64::from(kept.worker.0), *worker, "job {job}");
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&kept.body).expect("JSON"), *said);
    }
    let decisions = books.audit();
    println!(
        "{kills} kills: {acknowledgements} acknowledgements, {} answers acknowledged of {} kept, {} jobs, {decisions} decisions",
        heard_answers.len(),
        books.answers.len(),
        books.jobs.len()
    );
    assert!(heard_answers.len() > kills, "there was load");
}

/// Every job that was acknowledged is there once, the ledger is what its lines say, and the server stops when told to.
fn check_over_http(data: &Path, token: &str, heard: &Heard) {
    let process = Process::start(data);
    let client = Client::new(process.address, token);
    let (mut from, mut names) = (0, std::collections::BTreeMap::new());
    loop {
        let page = client.get(&format!("/api/jobs?tenant=acme&from={from}&most=1000")).ok();
        for job in page["jobs"].as_array().expect("jobs") {
            let name = job["name"].as_str().expect("a name").to_owned();
            let before = names.insert(name, job["job"].as_u64().expect("a number"));
            assert_eq!(before, None, "a key makes one job: {job}");
        }
        match page["more"].as_u64() {
            Some(more) => from = more,
            None => break,
        }
    }
    for (key, job) in heard.jobs.lock().expect("no panic").iter() {
        assert_eq!(names.get(key), Some(job), "every acknowledged job is there");
    }
    let sums = client.get("/api/ledger/sums").ok();
    assert_eq!(micros(&sums["answers"]), ledger_answers(&client), "the ledger adds up");
    let (status, words) = process.stop();
    assert!(status.success(), "{status} {words}");
}

fn micros(amount: &serde_json::Value) -> i64 {
    (amount.as_f64().expect("an amount") * 1e6).round() as i64
}

/// What the lines of the ledger say was paid for answers.
fn ledger_answers(client: &Client) -> i64 {
    let (mut from, mut sum) = (0, 0);
    loop {
        let page = client.get(&format!("/api/ledger?from={from}&most=10000")).ok();
        let lines = page["lines"].as_array().expect("lines").iter();
        sum += lines.filter(|line| line["what"] == "answer").map(|line| micros(&line["amount"])).sum::<i64>();
        if page["next"].as_u64() >= page["end"].as_u64() {
            return sum;
        }
        from = page["next"].as_u64().expect("a number");
    }
}
