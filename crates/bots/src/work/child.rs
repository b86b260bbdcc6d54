//! One run of the program for one task: JSON in, JSON out, within its time. Knows nothing of servers.
//!
//! The program gets a process group of its own, so that what it started ends with it, and so that a Ctrl-C meant for
//! us does not reach it.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::value::RawValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

use crate::api::Lease;

/// The most that an answer may be, in bytes: as much as servers take.
const ANSWER_MOST: u64 = 256 * 1024;
/// So much of what it prints on standard error is kept for the reason of a failure.
const WORDS_MOST: usize = 300;

/// How a run ended.
#[derive(Debug)]
pub(super) enum Run {
    /// With an answer.
    Answer(Box<RawValue>),
    /// With a failure of the program, in words.
    Failed(String),
    /// The program wants the task to be tried again later (exit code 75).
    Later(String),
}

/// The exit code that means "try again later", as in sysexits.h.
const LATER: i32 = 75;

/// Ends the program, and what it started, when it is dropped.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        let id = self.0.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(id) = id {
            // It may have ended by itself meanwhile.
            let _ = kill_process_group(id, Signal::KILL);
        }
    }
}

fn start(command: &[String], worker: u32, lease: &Lease) -> std::io::Result<Child> {
    let (program, words) = command.split_first().ok_or_else(|| std::io::Error::other("no program"))?;
    let mut child = Command::new(program);
    child.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    child.process_group(0).kill_on_drop(true);
    child.env("MUSTER_APP", &lease.app).env("MUSTER_JOB", lease.job.to_string());
    child.env("MUSTER_TASK", lease.task.to_string()).env("MUSTER_LEASE", lease.lease.to_string());
    child.env("MUSTER_WORKER", worker.to_string()).env("MUSTER_DEADLINE", &lease.deadline);
    child.spawn()
}

/// Runs the program; when the time is over, it is killed.
pub(super) async fn run(command: &[String], worker: u32, lease: &Lease, within: Option<Duration>) -> Run {
    let child = match start(command, worker, lease) {
        Ok(child) => child,
        Err(error) => {
            return Run::Failed(format!(
                "{} did not start: {error}",
                command.first().map_or("", String::as_str)
            ));
        }
    };
    let mut group = Group(child);
    let ended = talk(&mut group.0, lease);
    let ended = match within {
        None => ended.await,
        Some(within) => match tokio::time::timeout(within, ended).await {
            Ok(ended) => ended,
            Err(_) => return Run::Failed(format!("it took longer than {:.1} s", within.as_secs_f64())),
        },
    };
    match ended {
        Ok((status, answer, words)) => judge(status, &answer, &words),
        Err(error) => Run::Failed(format!("talking to it failed: {error}")),
    }
}

/// Gives it the task, and reads all it says until it ends.
async fn talk(child: &mut Child, lease: &Lease) -> std::io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
    let missing = || std::io::Error::other("a pipe is missing");
    let mut input = child.stdin.take().ok_or_else(missing)?;
    let output = child.stdout.take().ok_or_else(missing)?;
    let mut errors = child.stderr.take().ok_or_else(missing)?;
    let task = lease.payload.to_string();
    let give = async move {
        // A program need not read its task; that is no failure.
        let _ = input.write_all(task.as_bytes()).await;
        let _ = input.write_all(b"\n").await;
    };
    let take = async move {
        let mut said = Vec::new();
        output.take(ANSWER_MOST + 1).read_to_end(&mut said).await.map(|_| said)
    };
    let listen = async move {
        let (mut last, mut piece) = (Vec::new(), [0; 1024]);
        while let Ok(n @ 1..) = errors.read(&mut piece).await {
            last.extend_from_slice(&piece[..n]);
            last.drain(..last.len().saturating_sub(WORDS_MOST));
        }
        last
    };
    let ((), said, words) = tokio::join!(give, take, listen);
    Ok((child.wait().await?, said?, words))
}

fn judge(status: ExitStatus, answer: &[u8], words: &[u8]) -> Run {
    let words = String::from_utf8_lossy(words);
    let last = words.trim().lines().next_back().map(|line| format!(": {line}")).unwrap_or_default();
    // Who says too much may be ended by the pipe that nobody reads any more: how it ended does not matter then.
    if answer.len() as u64 > ANSWER_MOST {
        return Run::Failed(format!("its answer is larger than {ANSWER_MOST} bytes"));
    }
    match status.code() {
        Some(0) => match serde_json::from_slice::<Box<RawValue>>(answer) {
            Ok(answer) => Run::Answer(answer),
            Err(error) => Run::Failed(format!("what it printed is no JSON ({error})")),
        },
        Some(LATER) => Run::Later(format!("it ended with code {LATER}, to be tried again{last}")),
        Some(code) => Run::Failed(format!("it ended with code {code}{last}")),
        None => Run::Failed(format!("it was killed ({status}){last}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lease(payload: serde_json::Value) -> Lease {
        let deadline = "2026-11-15T22:45:00.000Z".to_owned();
        Lease { lease: 7, job: 3, task: 1, app: "look".to_owned(), deadline, heartbeat: None, payload }
    }

    async fn said(script: &str, within: Option<Duration>) -> String {
        let command = ["sh", "-c", script].map(str::to_owned);
        match run(&command, 4, &lease(json!({"n": 1})), within).await {
            Run::Answer(answer) => format!("answer {answer}"),
            Run::Failed(words) => format!("failed {words}"),
            Run::Later(words) => format!("later {words}"),
        }
    }

    #[tokio::test]
    async fn the_task_goes_in_and_the_answer_comes_out() {
        assert_eq!(said("cat", None).await, r#"answer {"n":1}"#);
        assert_eq!(said("echo 5; echo words >&2", None).await, "answer 5");
        assert_eq!(
            said(r#"echo "\"$MUSTER_APP $MUSTER_JOB $MUSTER_TASK $MUSTER_WORKER\"""#, None).await,
            r#"answer "look 3 1 4""#
        );
    }

    #[tokio::test]
    async fn failures_say_why() {
        assert_eq!(said("echo oh no >&2; exit 3", None).await, "failed it ended with code 3: oh no");
        assert_eq!(said("exit 75", None).await, "later it ended with code 75, to be tried again");
        assert!(said("echo not json", None).await.starts_with("failed what it printed is no JSON"));
        assert!(said("true", None).await.starts_with("failed what it printed is no JSON"));
        assert!(said("head -c 300000 /dev/zero", None).await.contains("larger than 262144"));
        assert!(said("kill -9 $$", None).await.starts_with("failed it was killed"));
        let missing = run(&["no-such-program".to_owned()], 1, &lease(json!(1)), None).await;
        assert!(matches!(missing, Run::Failed(words) if words.contains("did not start")));
    }

    #[tokio::test]
    async fn when_its_time_is_over_it_is_killed_with_what_it_started() {
        let script = "sleep 600 & echo $! > \"$1\"; wait";
        let file = std::env::temp_dir().join(format!("muster-child-{}", std::process::id()));
        let command = ["sh", "-c", script, "sh", &file.to_string_lossy()].map(str::to_owned);
        // The program has written down what it started, or its time is too short and we try again with more.
        let (mut within, mut child) = (Duration::from_millis(50), String::new());
        while child.trim().is_empty() {
            let ended = run(&command, 1, &lease(json!(1)), Some(within)).await;
            assert!(matches!(ended, Run::Failed(words) if words.starts_with("it took longer than")));
            child = std::fs::read_to_string(&file).unwrap_or_default();
            within *= 2;
        }
        let _ = std::fs::remove_file(&file);
        let state = |id: &str| std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // Killed: gone, or waiting to be buried by whoever inherits it.
        while !(state(child.trim()).is_empty() || state(child.trim()).contains(") Z")) {
            tokio::task::yield_now().await;
        }
    }
}
