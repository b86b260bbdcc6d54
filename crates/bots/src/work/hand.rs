//! One worker: asks, runs the program, answers, and again. Goes on when the server comes back, and joins again when it was let go.
//!
//! Invariant: what is in hand is answered, skipped or given back before the worker leaves. Start at [`Hand::run`].

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;
use tokio::sync::watch;
use tokio::time::{Instant, interval_at, sleep};

use super::child::{self, Run};
use super::{Place, Program, Tally, moment};
use crate::api::{Done, Lease, Operation, What};
use crate::http::{Client, Trouble};
use crate::{Stop, Tell, told};

/// An ask waits so many seconds for a task.
const WAIT: f64 = 25.0;
/// Signs of life, if the app does not say how often they are wanted.
const BEAT: Duration = Duration::from_secs(20);
/// Between two tries; doubled from try to try, up to the longest.
const PAUSE: Duration = Duration::from_millis(100);
const PAUSE_LONGEST: Duration = Duration::from_secs(10);
/// A reason is cut to so many letters.
const REASON_MOST: usize = 200;

pub(super) struct Hand {
    number: u32,
    client: Client,
    program: Program,
    place: Place,
    tell: Tell,
    tally: Tally,
    joins: u32,
    failed_in_a_row: u32,
}

/// What came of asking.
enum Asked {
    Task(Box<Lease>),
    Gone,
    Stop,
}

/// How being there ended.
enum Ended {
    /// The server let the worker go.
    Gone,
    /// The worker has left.
    Left,
}

impl Hand {
    pub(super) fn new(number: u32, client: Client, program: Program, place: Place, tell: Tell) -> Self {
        Self { number, client, program, place, tell, tally: Tally::default(), joins: 0, failed_in_a_row: 0 }
    }

    fn say(&self, words: &str) {
        (self.tell)(format!("[{}] {words}", self.number));
    }

    /// Until it is told to stop, or too much fails.
    pub(super) async fn run(mut self, mut stop: watch::Receiver<Stop>) -> Result<Tally, Trouble> {
        while let Some(worker) = self.join(&mut stop).await? {
            match self.serve(worker, &mut stop).await? {
                Ended::Gone => self.joins += 1,
                Ended::Left => break,
            }
        }
        Ok(self.tally)
    }

    /// Tries until the server is there; `None` if it shall stop.
    async fn join(&self, stop: &mut watch::Receiver<Stop>) -> Result<Option<u32>, Trouble> {
        let Program { recruit, unique, .. } = &self.program;
        let key = format!("work-{unique}-{}-{}", self.number, self.joins);
        let name =
            format!("{} {}", self.program.command.first().map_or("program", String::as_str), self.number);
        let recruit = if self.joins == 0 { *recruit } else { None };
        let worker = json!({"pool": self.place.pool, "kind": self.place.kind, "name": name,
            "trained": self.place.apps, "recruit": recruit});
        for again in 0.. {
            if *stop.borrow() >= Stop::Drain {
                return Ok(None);
            }
            match self.client.join(&key, &worker).await {
                Ok(worker) => return Ok(Some(worker)),
                Err(trouble) if trouble.may_pass() => self.wait_out(&trouble, again, stop).await,
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(None)
    }

    async fn wait_out(&self, trouble: &Trouble, again: u32, stop: &mut watch::Receiver<Stop>) {
        if again == 3 {
            self.say(&format!("waiting for the server: {trouble}"));
        }
        pause(again, stop).await;
    }

    async fn serve(&mut self, worker: u32, stop: &mut watch::Receiver<Stop>) -> Result<Ended, Trouble> {
        let mut next = None;
        loop {
            let asked = match next.take() {
                Some(lease) => Asked::Task(lease),
                None => self.ask(worker, stop).await?,
            };
            let lease = match asked {
                Asked::Task(lease) => lease,
                Asked::Gone => return Ok(Ended::Gone),
                Asked::Stop => return self.leave(worker, stop).await,
            };
            let operation = self.work(worker, &lease, stop).await;
            let done = self.deliver(operation, stop).await?;
            if self.failed_in_a_row >= self.program.failures_most {
                self.say(&format!("{} failures in a row: leaving", self.failed_in_a_row));
                self.tally.gave_up = 1;
                return self.leave(worker, stop).await;
            }
            if self.failed_in_a_row > 0 {
                pause(self.failed_in_a_row, stop).await;
            }
            match done {
                Some(done) if done.gone => return Ok(Ended::Gone),
                Some(done) => next = done.lease.map(Box::new),
                None => {}
            }
        }
    }

    async fn ask(&self, worker: u32, stop: &mut watch::Receiver<Stop>) -> Result<Asked, Trouble> {
        let operation = [Operation::of(worker, What::Ask)];
        let mut again = 0;
        loop {
            let reply = tokio::select! {
                () = told(stop, Stop::Drain) => return Ok(Asked::Stop),
                reply = self.client.operate(&operation, WAIT) => reply,
            };
            match reply.map(|mut done| done.pop()) {
                Ok(Some(Done { lease: Some(lease), .. })) => return Ok(Asked::Task(Box::new(lease))),
                Ok(Some(Done { gone: true, .. })) => return Ok(Asked::Gone),
                Ok(Some(Done { training: Some(app), .. })) => {
                    let words = format!("the pool now serves {app}, which is not among --app");
                    return Err(Trouble::Refused { status: 409, words });
                }
                Ok(Some(Done { problem: Some(problem), .. })) if problem.status == 404 => {
                    return Ok(Asked::Gone);
                }
                Ok(Some(Done { problem: Some(problem), .. })) => {
                    return Err(Trouble::Refused { status: problem.status, words: problem.detail });
                }
                Ok(_) => again = 0,
                Err(trouble) if trouble.may_pass() => {
                    self.wait_out(&trouble, again, stop).await;
                    again += 1;
                }
                Err(trouble) => return Err(trouble),
            }
        }
    }

    /// Runs the program for a task, with signs of life; what is to be said of it then.
    async fn work(&mut self, worker: u32, lease: &Lease, stop: &mut watch::Receiver<Stop>) -> Operation {
        let within = self.within(lease);
        let command = self.program.command.clone();
        let run = child::run(&command, worker, lease, within);
        tokio::pin!(run);
        let every = lease
            .heartbeat
            .map_or(BEAT, |seconds| Duration::from_secs_f64((seconds / 3.0).clamp(0.1, 3600.0)));
        let mut beat = interval_at(Instant::now() + every, every);
        let ended = loop {
            tokio::select! {
                ended = &mut run => break ended,
                _ = beat.tick() => self.give_sign(worker),
                () = told(stop, Stop::Now) => return Operation::about(worker, What::Return, lease.lease),
            }
        };
        let mut operation = Operation::about(worker, What::Answer, lease.lease);
        match ended {
            Run::Answer(answer) => {
                self.failed_in_a_row = 0;
                operation.next = *stop.borrow() == Stop::No;
                operation.answer = Some(answer);
            }
            Run::Later(words) => {
                self.failed(lease, &words);
                operation.what = What::Return;
            }
            Run::Failed(words) => {
                self.failed(lease, &words);
                operation.what = What::SkipTask;
                operation.reason = Some(words.chars().take(REASON_MOST).collect());
            }
        }
        operation
    }

    fn failed(&mut self, lease: &Lease, words: &str) {
        self.tally.failures += 1;
        self.failed_in_a_row += 1;
        self.say(&format!("job {} task {}: {words}", lease.job, lease.task));
    }

    /// A sign of life; if it is lost, the next one is not.
    fn give_sign(&self, worker: u32) {
        let client = self.client.clone();
        tokio::spawn(async move { client.operate(&[Operation::of(worker, What::Heartbeat)], 0.0).await });
    }

    /// How long a run may take: as was said, and no longer than the lease.
    fn within(&self, lease: &Lease) -> Option<Duration> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let left = moment::seconds(&lease.deadline).map(|deadline| (deadline - now).max(0.0));
        let left = left.and_then(|left| Duration::try_from_secs_f64(left).ok());
        match (self.program.time_limit, left) {
            (Some(limit), Some(left)) => Some(limit.min(left)),
            (limit, left) => limit.or(left),
        }
    }

    /// Says what came of a task until it is heard; `None` if it was refused, or nobody hears any more.
    async fn deliver(
        &mut self,
        operation: Operation,
        stop: &mut watch::Receiver<Stop>,
    ) -> Result<Option<Done>, Trouble> {
        let operation = [operation];
        for again in 0.. {
            let reply = self.client.operate(&operation, 0.0).await;
            match reply.map(|mut done| done.pop()) {
                Ok(Some(Done { problem: Some(problem), .. })) => {
                    self.say(&format!("{:?} was refused: {}", operation[0].what, problem.detail));
                    return Ok(None);
                }
                Ok(done) => {
                    self.tally.answers += u64::from(done.as_ref().is_some_and(|done| done.verdict.is_some()));
                    return Ok(done);
                }
                Err(trouble) if trouble.may_pass() && *stop.borrow() < Stop::Now => {
                    self.wait_out(&trouble, again, stop).await;
                }
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(None)
    }

    async fn leave(&mut self, worker: u32, stop: &mut watch::Receiver<Stop>) -> Result<Ended, Trouble> {
        match self.deliver(Operation::of(worker, What::Leave), stop).await {
            // A server that is away when we go will see that we are gone.
            Ok(_) | Err(Trouble::Weather(_)) => Ok(Ended::Left),
            Err(trouble) => Err(trouble),
        }
    }
}

/// A pause that grows from try to try; shorter if it shall stop at once.
async fn pause(again: u32, stop: &mut watch::Receiver<Stop>) {
    let long = PAUSE.saturating_mul(1 << again.min(10)).min(PAUSE_LONGEST);
    tokio::select! {
        () = sleep(long) => {}
        () = told(stop, Stop::Now) => {}
    }
}
