//! `muster serve --demo`: begins with nothing, prints ways in that work, has people at work, and leaves nothing behind.

use std::path::PathBuf;

use serde_json::json;

use crate::client::Client;
use crate::process::{Process, demo};

/// What the demo prints as a link behind these words.
fn link(process: &mut Process, words: &str) -> String {
    loop {
        let line = process.line();
        if let Some((_, link)) = line.split_once(words) {
            return link.trim().to_owned();
        }
    }
}

#[test]
fn a_demo_is_at_work_and_leaves_nothing_behind() {
    let mut process = Process::try_start(&mut demo()).expect("a demo");
    let secret = link(&mut process, "see everything");
    let secret = secret.rsplit('#').next().expect("a secret");
    let stranger = Client::new(process.address, "");
    let claimed = stranger.post("/api/claim", &json!({"secret": secret})).ok();
    let admin = Client::new(process.address, claimed["token"].as_str().expect("a token"));
    let count = |path: &str, field: &str| admin.get(path).ok()[field].as_array().map_or(0, Vec::len);
    assert_eq!(
        (count("/api/tenants", "tenants"), count("/api/apps", "apps"), count("/api/pools", "pools")),
        (3, 4, 2)
    );
    // A person joins by the link that was printed, and asks until there is something for them.
    let join = link(&mut process, "work yourself");
    let join = join.rsplit('/').next().expect("a secret");
    let joined = stranger.post("/api/join", &json!({"link": join, "name": "Guest"})).ok();
    let guest = Client::new(process.address, joined["token"].as_str().expect("a token"));
    let asked = guest.post(&format!("/api/workers/{}/ask?wait=30", joined["worker"]), &json!({})).ok();
    assert!(asked["training"].is_string() || asked["lease"].is_object(), "{asked}");
    let requester = link(&mut process, "submit work");
    let requester = Client::new(process.address, requester.rsplit('/').next().expect("a token"));
    let jobs = requester.get("/api/jobs").ok();
    assert!(jobs["jobs"].as_array().is_some_and(|jobs| !jobs.is_empty()), "{jobs}");
    let file = PathBuf::from(process.data.clone());
    assert!(file.exists(), "{}", file.display());
    let (status, words) = process.stop();
    assert!(status.success() && words.contains("stopping"), "{status} {words}");
    assert!(!file.exists() && !file.parent().expect("a folder").exists(), "{}", file.display());
}
