//! Work: asks, answers and signs of life of one or many workers in one request. An ask that finds nothing can wait.
//!
//! All operations of a request are handled in order, in one turn. Start at [`operate`].

use std::time::Duration;

use axum::extract::State;
use muster_engine::fact::Verdict;
use muster_engine::ids::{AppId, TaskId, Token, WorkerId};
use muster_engine::{Command, Span};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{By, Json, Raw, parse};
use super::{Limits, Server, skips};
use crate::access::Caller;
use crate::directory::Directory;
use crate::keeper::desk::{Event, Waiter};
use crate::keeper::group::{Held, held};
use crate::keeper::turn::{Asked, Turn};
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Moment, Seconds};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(work))
}

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// Wants a task; hears again of the one it has.
    Ask,
    /// Has done the task of a lease.
    Answer,
    /// Gives the task of a lease back.
    Return,
    /// Does not want this task.
    SkipTask,
    /// Does not want this job.
    SkipJob,
    /// Gives a sign of life.
    Heartbeat,
    /// Takes a break; asking again ends it.
    Pause,
    /// Has finished training.
    Trained,
    /// Finishes what is in hand, and then leaves.
    Drain,
    /// Leaves.
    Leave,
}

/// Something that a worker does.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation<'a> {
    /// What.
    #[serde(rename = "do")]
    pub what: What,
    /// Who, by number.
    pub worker: u32,
    /// The lease that is answered, returned or skipped.
    pub lease: Option<u64>,
    /// The answer: any JSON.
    #[serde(borrow)]
    #[schema(value_type = Option<Object>)]
    pub answer: Option<&'a RawValue>,
    /// Whether to ask for the next task right after.
    #[serde(default)]
    pub next: bool,
    /// Why something is skipped, in words; the tenant gets to see it.
    pub reason: Option<String>,
}

/// Operations.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Operations<'a> {
    /// They are done in this order.
    #[serde(borrow)]
    pub operations: Vec<Operation<'a>>,
    /// If none of those who ask gets a task at once: wait so many seconds for the first; 0 unless said.
    pub wait: Option<f64>,
}

/// What came of an operation.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Done {
    /// Who.
    pub worker: u32,
    /// What became of the answer: counted, late-counted or late-kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// What is paid for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pay: Option<Amount>,
    /// The task to do now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// The app to learn now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training: Option<String>,
    /// Whether there is nothing to do now: ask again, best with `wait`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub waiting: bool,
    /// Whether the worker is gone: it must join again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

/// A task in a worker's hands.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Lease {
    /// The fencing token: send it with the answer.
    pub lease: u64,
    /// The job.
    pub job: u64,
    /// The task's place in the job, from 0.
    pub task: u32,
    /// The type of the task.
    pub app: String,
    /// What an answer is worth.
    pub price: Amount,
    /// Until when.
    pub deadline: Moment,
    /// How often a sign of life is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heartbeat: Option<Seconds>,
    /// What is to be done.
    #[schema(value_type = Object)]
    pub payload: Box<RawValue>,
}

/// What came of all operations, in their order.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AllDone {
    /// One for each operation.
    pub done: Vec<Done>,
}

/// An operation without its request.
#[derive(Debug)]
pub struct Owned {
    what: What,
    worker: WorkerId,
    token: Option<Token>,
    body: Vec<u8>,
    next: bool,
    reason: Option<String>,
}

impl Operation<'_> {
    fn reason(&self, limits: &Limits) -> Answer<Option<String>> {
        let Some(reason) = &self.reason else { return Ok(None) };
        let is_skip = matches!(self.what, What::SkipTask | What::SkipJob);
        if is_skip && reason.len() <= limits.reason {
            return Ok(Some(reason.clone()));
        }
        let allowed = format!("at most {} bytes, with skip-task and skip-job only", limits.reason);
        Err(Problem::field("reason", format!("{} bytes", reason.len()), &allowed))
    }

    /// Checks what can be checked here.
    pub fn owned(&self, limits: &Limits) -> Answer<Owned> {
        let wants_lease = matches!(self.what, What::Answer | What::Return | What::SkipTask | What::SkipJob);
        if wants_lease && self.lease.is_none() {
            return Err(Problem::field("lease", "missing", "the number of the lease that the worker got"));
        }
        let body = match (self.what, self.answer) {
            (What::Answer, None) => return Err(Problem::field("answer", "missing", "any JSON")),
            (_, answer) => answer.map_or(&[][..], |answer| answer.get().as_bytes()),
        };
        if body.len() > limits.payload {
            let allowed = format!("at most {} bytes", limits.payload);
            return Err(Problem::field("answer", format!("{} bytes", body.len()), &allowed));
        }
        Ok(Owned {
            what: self.what,
            worker: WorkerId(self.worker),
            token: self.lease.map(Token),
            body: body.to_vec(),
            next: self.next,
            reason: self.reason(limits)?,
        })
    }
}

/// What a turn made of an operation.
#[derive(Default)]
struct Step {
    judged: Option<(Verdict, Amount)>,
    asked: Option<Asked>,
    gone: bool,
}

fn step(turn: &mut Turn<'_>, by: &Caller, it: Owned, waiter: Option<&Waiter>) -> Answer<Step> {
    turn.may_act_for(by, it.worker)?;
    let mut step = Step::default();
    let (worker, token) = (it.worker, it.token.unwrap_or(Token(u64::MAX)));
    let command = match it.what {
        What::Ask => None,
        What::Answer => {
            let judged = turn.answer(worker, token, it.body)?;
            step.judged = Some((judged.verdict, Amount(judged.pay)));
            None
        }
        What::Return => Some(Command::Return(worker, token)),
        What::SkipTask => Some(Command::SkipTask(worker, token)),
        What::SkipJob => Some(Command::SkipJob(worker, token)),
        What::Heartbeat => Some(Command::Heartbeat(worker)),
        What::Pause => Some(Command::Pause(worker)),
        What::Trained => Some(Command::Trained(worker)),
        What::Drain => Some(Command::Drain(worker)),
        What::Leave => Some(Command::Leave(worker)),
    };
    let skipped = it.reason.and_then(|reason| held(turn.state(), worker).map(|held| (held.task, reason)));
    if let Some(command) = command {
        let number = turn.next_number();
        turn.command(command)?;
        if let Some((task, reason)) = skipped {
            skips::keep(turn, number, worker, task, it.what == What::SkipJob, reason);
        }
    }
    step.gone = turn.state().worker(worker).is_none();
    if it.what == What::Ask || (it.next && !step.gone) {
        step.asked = Some(turn.ask(worker, waiter)?);
    }
    Ok(step)
}

/// Does operations in order, and waits for the first task if asks got none and waiting is wanted.
pub async fn operate(server: &Server, by: &By, operations: Vec<Owned>, wait: Span) -> Answer<Vec<Done>> {
    let wait = Span(wait.0.min(server.limits.wait.0));
    let workers: Vec<WorkerId> = operations.iter().map(|operation| operation.worker).collect();
    let (waiter, mut events) = unbounded_channel();
    let waiter = (!wait.is_zero()).then_some(waiter);
    let by = by.clone();
    let steps = server.turn(move |turn| {
        let each = |operation| step(turn, &by, operation, waiter.as_ref());
        Ok(operations.into_iter().map(each).collect::<Vec<Answer<Step>>>())
    });
    let mut steps = steps.await?;
    if !wait.is_zero() {
        tokio::select! {
            () = listen(&mut steps, &workers, &mut events, wait) => {}
            () = server.stopped() => {}
        }
    }
    let directory = server.directory();
    let mut done = Vec::with_capacity(steps.len());
    for (worker, step) in workers.into_iter().zip(steps) {
        done.push(tell(server, &directory, worker, step).await?);
    }
    Ok(done)
}

/// Waits for events of those who got nothing, unless somebody got something.
async fn listen(
    steps: &mut [Answer<Step>],
    workers: &[WorkerId],
    events: &mut UnboundedReceiver<Event>,
    wait: Span,
) {
    let asked = |step: &Answer<Step>| step.as_ref().ok().and_then(|step| step.asked);
    let parked = |asked: Asked| matches!(asked, Asked::Parked | Asked::Training(_));
    if !steps.iter().filter_map(asked).all(parked) || steps.iter().filter_map(asked).next().is_none() {
        return;
    }
    let first = tokio::time::timeout(Duration::from_nanos(wait.0), events.recv()).await;
    let mut event = first.ok().flatten();
    while let Some(it) = event {
        let (worker, asked, gone) = match it {
            Event::Leased(held) => (held.worker, Some(Asked::Leased(held)), false),
            Event::Training(worker, app) => (worker, Some(Asked::Training(app)), false),
            Event::Departed(worker, _) => (worker, None, true),
        };
        let places = (0..workers.len()).rev().filter(|place| workers[*place] == worker);
        let place =
            places.into_iter().find(|place| steps[*place].as_ref().is_ok_and(|step| step.asked.is_some()));
        if let Some(Ok(step)) = place.and_then(|place| steps.get_mut(place)) {
            (step.asked, step.gone) = (asked, gone);
        }
        event = events.try_recv().ok();
    }
}

async fn tell(server: &Server, directory: &Directory, worker: WorkerId, step: Answer<Step>) -> Answer<Done> {
    let mut done = Done { worker: worker.0, ..Done::default() };
    let step = match step {
        Ok(step) => step,
        Err(problem) => {
            done.problem = Some(problem);
            return Ok(done);
        }
    };
    done.verdict = step.judged.map(|(verdict, _)| match verdict {
        Verdict::Counted => "counted",
        Verdict::LateCounted => "late-counted",
        Verdict::LateKept => "late-kept",
    });
    done.pay = step.judged.map(|(_, pay)| pay);
    done.gone = step.gone;
    match step.asked {
        Some(Asked::Leased(held)) => done.lease = Some(lease(server, directory, &held).await?),
        Some(Asked::Training(app)) => done.training = Some(name(directory, app)),
        Some(Asked::Parked) => done.waiting = true,
        None => {}
    }
    Ok(done)
}

fn name(directory: &Directory, app: AppId) -> String {
    directory.apps.name(app.0).to_owned()
}

pub(super) async fn lease(server: &Server, directory: &Directory, held: &Held) -> Answer<Lease> {
    Ok(Lease {
        lease: held.token.0,
        job: held.task.job.0,
        task: held.task.index,
        app: name(directory, held.app),
        price: Amount(held.price),
        deadline: Moment(held.deadline),
        heartbeat: held.heartbeat.map(Seconds),
        payload: payload(server, held.task).await?,
    })
}

/// What a task says.
pub async fn payload(server: &Server, task: TaskId) -> Answer<Box<RawValue>> {
    let shared = &server.keeper.shared;
    let found = match shared.cache.find(task) {
        Some(found) => Some(found),
        None => {
            let shared = std::sync::Arc::clone(shared);
            server.read(move |reader| Ok(shared.cache.fetch(reader, task)?)).await?
        }
    };
    let text = found.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| "null".to_owned());
    RawValue::from_string(text)
        .map_err(|_| crate::journal::JournalError::Failed(format!("the payload of {task} is damaged")).into())
}

/// Seconds to wait, as said.
pub fn seconds(wait: Option<f64>) -> Answer<Span> {
    let wait = wait.unwrap_or(0.0);
    if (0.0..=86_400.0).contains(&wait) {
        return Ok(Span::from_secs_f64(wait));
    }
    Err(Problem::field("wait", wait, "0 to 86400 seconds"))
}

/// Asks, answers and signs of life, of one or many workers.
#[utoipa::path(post, path = "/api/work", tag = "workers", request_body = Operations<'_>,
    responses((status = 200, body = AllDone), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn work(State(server): State<Server>, by: By, Raw(bytes): Raw) -> Answer<Json<AllDone>> {
    let (operations, wait) = {
        let said: Operations<'_> = parse(&bytes)?;
        let most = server.limits.operations;
        if said.operations.len() > most {
            let value = said.operations.len();
            return Err(Problem::field("operations", value, &format!("at most {most} in one request")));
        }
        let owned = said.operations.iter().map(|operation| operation.owned(&server.limits));
        (owned.collect::<Answer<Vec<_>>>()?, seconds(said.wait)?)
    };
    Ok(Json(AllDone { done: operate(&server, &by, operations, wait).await? }))
}
