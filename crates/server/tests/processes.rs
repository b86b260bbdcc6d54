//! Machine workers that are processes, when the server crashes: taken over or ended, and never started twice. Needs `/proc`.

mod support;

use std::path::Path;

use muster_server::keys::{self, Sort};
use muster_server::recruiter::{self, process::ByProcess};
use serde_json::json;
use support::World;
use tokio::task::JoinHandle;

/// A process as it told of itself: its number, and its token.
struct Told {
    pid: String,
    token: String,
}

/// What the processes have told, once there are so many.
async fn told(file: &Path, n: usize) -> Vec<Told> {
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.ends_with('\n') && text.lines().count() >= n {
            let apart =
                |line: &str| line.split_once(' ').map(|(pid, token)| (pid.to_owned(), token.to_owned()));
            return text.lines().filter_map(apart).map(|(pid, token)| Told { pid, token }).collect();
        }
        tokio::task::yield_now().await;
    }
}

/// Whether a process runs; one that has ended, and whose parent has not heard of it, does not.
fn lives(process: &Told) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.pid)).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

async fn until_ended(process: &Told) {
    while lives(process) {
        tokio::task::yield_now().await;
    }
}

/// A recruiter as of a server that has just started; it is there when its cursor is.
async fn recruiter(world: &World, command: &str) -> JoinHandle<()> {
    let running = recruiter::spawn(&world.server, ByProcess::new("machine", command, "http://127.0.0.1:1"));
    let key = keys::named(Sort::Cursor, b"recruiter process machine");
    loop {
        let key = key.clone();
        if world.server.read(move |reader| Ok(reader.get(&key)?)).await.expect("it can be read").is_some() {
            return running;
        }
        tokio::task::yield_now().await;
    }
}

/// A crash: nobody is told, and nothing is tidied up.
async fn crash(recruiter: JoinHandle<()>) {
    recruiter.abort();
    let _ = recruiter.await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_processes_are_taken_over_or_ended() {
    if !Path::new("/proc/self/stat").exists() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("told");
    let command = format!("echo \"$$ $MUSTER_TOKEN\" >> '{}'; exec sleep 600", file.display());
    let world = World::new().await;
    world.set_up().await;
    let role = json!({"is": "machine", "period": 3600, "cost": 0.5});
    world.post("/api/kinds", json!({"name": "machine", "role": role})).await.ok();
    let wanted = json!({"kind": "machine", "n": 1});

    let first = recruiter(&world, &command).await;
    world.post("/api/pools/day/recruit", wanted.clone()).await.ok();
    let one = told(&file, 1).await.remove(0);
    crash(first).await;

    // The next server starts what is wanted anew, and nothing that was started before.
    let second = recruiter(&world, &command).await;
    world.post("/api/pools/day/recruit", wanted).await.ok();
    let mut both = told(&file, 2).await;
    assert_eq!((both.len(), &both[0].pid), (2, &one.pid));
    let two = both.remove(1);
    assert!(lives(&one) && lives(&two));
    let joins = json!({"pool": "day", "kind": "machine", "recruit": 0});
    let worker = world.post_as(&one.token, "/api/workers", joins).await.ok()["worker"].clone();
    crash(second).await;

    // Whose order is given up is not needed; who has a worker is, until that is gone.
    world.post("/api/recruits/1/failed", json!({"n": 1})).await.ok();
    let third = recruiter(&world, &command).await;
    until_ended(&two).await;
    assert!(lives(&one));
    world.post_as(&one.token, &format!("/api/workers/{worker}/leave"), json!({})).await.ok();
    until_ended(&one).await;
    assert_eq!(told(&file, 2).await.len(), 2);
    // A process that is over has no token any more.
    while world.post_as(&one.token, "/api/work", json!({"operations": []})).await.status != 401 {
        tokio::task::yield_now().await;
    }
    crash(third).await;
    world.stop().await.unwrap();
}
