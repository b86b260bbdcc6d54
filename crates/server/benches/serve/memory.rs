//! Memory of a queued task in a server: resident memory before and after many are queued, in a fresh process each time.
//! Payloads are on disk. Needs `/proc`.

use std::path::Path;
use std::process::Command;

use muster_engine::Command as Order;
use muster_engine::ids::{AppId, TenantId};
use muster_engine::spec::{AppSpec, JobSpec, PoolSpec, TenantSpec};
use muster_server::access::TokenId;
use muster_server::clock::Clock;
use muster_server::jobs::{self, Submission};
use muster_server::keeper::{Keeper, Limits};
use muster_server::payload;
use muster_server::serve::open;

use crate::child::runtime;
use crate::figure::print;

/// What a queued task should take at most.
const AIM: f64 = 200.0;
const PAYLOAD: &[u8] =
    br#"{"picture":"https://example.org/pictures/00000001.jpg","question":"Is there a cat?"}"#;

/// Prints the bytes that a queued task takes in this process.
pub(crate) fn measure_here(tasks: &str, queued: &str) {
    let tasks: u32 = tasks.parse().expect("tasks a job");
    let queued: u32 = queued.parse().expect("tasks in all");
    let folder = tempfile::tempdir().expect("a folder");
    let before = runtime().block_on(queue(folder.path(), tasks, queued));
    if let (Some(before), Some(after)) = (before, resident()) {
        println!("{}", (after - before) / f64::from(queued));
    }
}

/// Queues so many tasks; what was resident before.
async fn queue(folder: &Path, tasks: u32, queued: u32) -> Option<f64> {
    let limits = Limits { snapshot_every: u64::MAX, ..Limits::default() };
    let (keeper, running) =
        Keeper::start(open(&folder.join("journal")).expect("a journal"), Clock::machine(), limits)
            .expect("it starts");
    let set_up = keeper.turn(|turn| {
        turn.command(Order::AddTenant(TenantSpec::default())).expect("a tenant");
        turn.command(Order::AddApp(AppSpec::default())).expect("an app");
        turn.command(Order::AddPool(Box::new(PoolSpec::serving(&[AppId(0)])))).expect("a pool");
    });
    set_up.await.expect("it is done");
    let submit = |count: u32| {
        keeper.turn(move |turn| {
            for _ in 0..count {
                let payloads = vec![PAYLOAD; tasks as usize];
                let submission = Submission {
                    spec: JobSpec::batch(TenantId(0), AppId(0), tasks),
                    name: String::new(),
                    by: TokenId(0),
                    chunks: payload::chunks(&payloads),
                    staged: None,
                };
                jobs::submit(turn, submission).expect("room");
            }
        })
    };
    // Caches are filled first: they do not grow with the queue.
    let jobs = queued / tasks;
    let step = (1_000 / tasks).max(1);
    let mut left = jobs / 4;
    while left > 0 {
        submit(step.min(left)).await.expect("it is done");
        left -= step.min(left);
    }
    let before = resident();
    let mut left = jobs;
    while left > 0 {
        submit(step.min(left)).await.expect("it is done");
        left -= step.min(left);
    }
    std::mem::forget((keeper, running));
    before
}

/// Resident memory of this process in bytes; `None` if the system does not say.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib * 1024.0)
}

pub(crate) fn measure(queued: u32) {
    for tasks in [1_000, 100, 1] {
        let name = format!("memory a queued task: {tasks} a job");
        let itself = std::env::current_exe().expect("this program");
        let out = Command::new(itself)
            .args(["--memory", &tasks.to_string(), &queued.to_string()])
            .output()
            .expect("it runs");
        let bytes = String::from_utf8_lossy(&out.stdout).trim().parse::<f64>();
        match bytes {
            Ok(bytes) => print(&name, bytes, "bytes", Some(("aim", AIM))),
            Err(_) => eprintln!("{name}: this system does not say"),
        }
    }
}
