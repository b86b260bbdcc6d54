//! A disk that is really full: writes are refused, reads are served, and when there is room it goes on by itself.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::books::Books;
use crate::client::Client;
use crate::process::{Process, first_start, submit};

/// A small file system in memory; unmounted at the end.
struct Mount(tempfile::TempDir);

impl Mount {
    fn new(size: &str) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut mount = Command::new("mount");
        let made =
            mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(folder.path()).output();
        let made = made.map_err(|error| error.to_string())?;
        if made.status.success() {
            Ok(Self(folder))
        } else {
            Err(String::from_utf8_lossy(&made.stderr).into_owned())
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_refuses_writes_serves_reads_and_goes_on_when_there_is_room() {
    let mount = match Mount::new("8m") {
        Ok(mount) => mount,
        Err(why) => return println!("skipped: no small file system can be mounted here ({})", why.trim()),
    };
    let (data, filler) = (mount.path().join("muster.db"), mount.path().join("filler"));
    std::fs::write(&filler, vec![0; 3 << 20]).expect("room at first");
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let mut jobs = vec![submit(&client, &json!(["first"]))];
    let large = json!({"tenant": "acme", "app": "look", "tasks": ["x".repeat(100_000)]});
    let refused = loop {
        let reply = client.post("/api/jobs", &large);
        if reply.status != 201 {
            break reply;
        }
        jobs.push(reply.ok()["job"].as_u64().expect("a number"));
        assert!(jobs.len() < 200, "the disk never gets full");
    };
    assert_eq!(refused.status, 507, "{}", refused.text);
    assert!(refused.text.contains("disk is full"), "{}", refused.text);
    let (job, last) = (jobs[0], jobs[jobs.len() - 1]);
    assert_eq!(client.get(&format!("/api/jobs/{job}")).ok()["open"], 1, "reads go on");
    assert_eq!(client.get(&format!("/api/jobs/{last}")).ok()["open"], 1);
    assert_eq!(client.get("/ready").status, 503);
    assert_eq!(client.post("/api/jobs", &large).status, 507);

    std::fs::remove_file(&filler).expect("there is room again");
    while client.get("/ready").status != 200 {}
    let after = client.post("/api/jobs", &large).ok()["job"].as_u64().expect("a number");
    assert_eq!(after, last + 1, "nothing of what was refused was done");
    let (status, words) = process.stop();
    assert!(status.success(), "{status} {words}");

    let process = Process::start(&data);
    let client = Client::new(process.address, &token);
    for job in jobs {
        assert_eq!(client.get(&format!("/api/jobs/{job}")).status, 200, "every acknowledged job is there");
    }
    process.kill();
    let books = Books::read(&data);
    books.check();
    books.audit();
}
