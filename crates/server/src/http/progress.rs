//! How far a job is, when it may be finished, and changes to it while it runs.

use std::collections::BTreeMap;

use axum::extract::State;
use muster_engine::ids::{AppId, JobId, PoolId};
use muster_engine::state::State as Known;
use muster_engine::state::job::{Job, TaskState};
use muster_engine::view::Observation;
use muster_engine::{Command, Span, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Json, Word};
use super::jobs::known;
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Moment};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(show)).routes(routes!(change))
}

/// When a job may be finished, if things go on as they went lately.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Finish {
    /// If its pools did nothing else.
    pub earliest: Moment,
    /// If it keeps the share of the workers that it has now; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likely: Option<Moment>,
    /// If all else that waits in its pools goes first.
    pub latest: Moment,
}

/// How far a job is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Progress {
    /// Which.
    pub job: u64,
    /// Whether it is over.
    pub over: bool,
    /// Tasks.
    pub tasks: u32,
    /// Tasks that are done.
    pub tasks_done: u32,
    /// Tasks that wait for others.
    pub tasks_waiting: u32,
    /// Answers that it needs in all.
    pub slots: u64,
    /// Answers that count so far.
    pub answered: u64,
    /// Slots in workers' hands.
    pub leased: u32,
    /// Its share against the tenant's other jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// What it may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Amount>,
    /// What it has cost.
    pub spent: Amount,
    /// Whether open work waits for money.
    pub short_of_money: bool,
    /// When it may be finished; absent if its pools have answered nothing lately.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
}

/// What is left to do of a job in one pool.
struct Left {
    own: u64,
    running: u32,
    pool: Observation,
}

/// What is left, pool by pool. Tasks that wait for others count in the pool of their app.
fn left(state: &Known, job: &Job, now: Time) -> Vec<Left> {
    let mut waiting: BTreeMap<AppId, u64> = BTreeMap::new();
    for (index, _) in (0..).zip(job.tasks()).filter(|(_, task)| task.state == TaskState::Waiting) {
        *waiting.entry(job.app_of(index)).or_default() += u64::from(job.slots);
    }
    let mut found: BTreeMap<PoolId, (u64, u32)> = BTreeMap::new();
    for lane in job.lanes() {
        let waiting = waiting.get(&lane.app).copied().unwrap_or(0);
        let own = u64::from(lane.open) + u64::from(lane.running) + waiting;
        let (sum, running) = found.entry(lane.pool).or_default();
        (*sum, *running) = (*sum + own, *running + lane.running);
    }
    let with_pool = |(pool, (own, running))| {
        let pool = Observation::of(state.pool(pool)?, now);
        Some(Left { own, running, pool })
    };
    found.into_iter().filter_map(with_pool).collect()
}

/// When it may be finished: the latest over its pools. `None` if a pool with work left has answered nothing lately.
fn finish(lefts: &[Left], now: Time) -> Option<Finish> {
    let after = |n: f64, rate: f64| now + Span::from_secs_f64((n / rate).min(1e9));
    let (mut earliest, mut likely, mut latest) = (now, Some(now), now);
    for it in lefts.iter().filter(|it| it.own > 0) {
        let rate = it.pool.throughput;
        if rate <= 0.0 {
            return None;
        }
        let (own, busy) = (it.own as f64, f64::from(it.pool.workers.busy()));
        earliest = earliest.max(after(own, rate));
        let all = (it.pool.queue as f64 + busy).max(own);
        latest = latest.max(after(all, rate));
        let share = f64::from(it.running) / busy;
        likely = likely.filter(|_| it.running > 0).map(|at| at.max(after(own, rate * share)));
    }
    let likely = likely.map(|at| Moment(at.clamp(earliest, latest)));
    Some(Finish { earliest: Moment(earliest), likely, latest: Moment(latest) })
}

fn live(state: &Known, id: JobId, now: Time) -> Option<Progress> {
    let job = state.job(id)?;
    let tasks = u32::try_from(job.tasks().len()).unwrap_or(u32::MAX);
    let waiting = job.tasks().iter().filter(|task| task.state == TaskState::Waiting).count();
    Some(Progress {
        job: id.0,
        over: false,
        tasks,
        tasks_done: tasks - job.left,
        tasks_waiting: u32::try_from(waiting).unwrap_or(u32::MAX),
        slots: u64::from(tasks) * u64::from(job.slots),
        answered: job.tasks().iter().map(|task| u64::from(task.answered)).sum(),
        leased: job.running(),
        priority: Some(job.priority),
        budget: job.budget.map(Amount),
        spent: Amount(job.spent),
        short_of_money: job.short,
        finish: finish(&left(state, job, now), now),
    })
}

pub(crate) async fn progress(server: &Server, by: &By, word: &Word) -> Answer<Progress> {
    let (_, id, kept) = known(server, by, word).await?;
    let found = server.look(move |look| Ok(live(look.state(), id, look.now))).await?;
    if let Some(progress) = found {
        return Ok(progress);
    }
    let closing = server.read(move |reader| crate::jobs::closing(reader, id)).await?;
    let closing = closing.ok_or_else(|| Problem::not_found(id))?;
    let is_done = closing.outcome == muster_engine::fact::Outcome::Done;
    let slots = u64::from(kept.tasks) * u64::from(kept.slots);
    let answered = if is_done { slots } else { counted(server, id).await? };
    Ok(Progress {
        job: id.0,
        over: true,
        tasks: kept.tasks,
        tasks_done: if is_done { kept.tasks } else { 0 },
        tasks_waiting: 0,
        slots,
        answered,
        leased: 0,
        priority: None,
        budget: None,
        spent: Amount(closing.spent),
        short_of_money: false,
        finish: None,
    })
}

/// Answers that count, of a job that was cancelled.
async fn counted(server: &Server, job: JobId) -> Answer<u64> {
    let read = move |reader: &dyn crate::journal::Reader| {
        let (mut answers, mut n) = (crate::results::Answers::from(reader, job, 0)?, 0);
        loop {
            let found = answers.more()?;
            if found.is_empty() {
                return Ok(n);
            }
            n += found.iter().filter(|answer| crate::results::counts(answer)).count() as u64;
        }
    };
    server.read(read).await
}

/// How far a job is, and when it may be finished, by the rates of its pools lately.
#[utoipa::path(get, path = "/api/jobs/{job}/progress", tag = "jobs", params(("job" = u64, Path)),
    responses((status = 200, body = Progress), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn show(State(server): State<Server>, by: By, word: Word) -> Answer<Json<Progress>> {
    progress(&server, &by, &word).await.map(Json)
}

/// What changes: one of these.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobChange {
    /// Its share against the tenant's other jobs.
    pub priority: Option<u32>,
    /// What the whole job may cost; null for no limit but the tenant's.
    #[serde(default, deserialize_with = "super::pool_settings::said")]
    #[schema(value_type = Option<f64>)]
    pub budget: Option<Option<Amount>>,
}

/// Another priority or budget for a job that runs.
#[utoipa::path(patch, path = "/api/jobs/{job}", tag = "jobs", request_body = JobChange, params(("job" = u64, Path)),
    responses((status = 200, body = Progress), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn change(
    State(server): State<Server>,
    by: By,
    word: Word,
    body: Body<JobChange>,
) -> Answer<Json<Progress>> {
    changed(&server, &by, &word, body.said).await?;
    progress(&server, &by, &word).await.map(Json)
}

/// Changes a job that runs.
pub(crate) async fn changed(server: &Server, by: &By, word: &Word, said: JobChange) -> Answer<()> {
    let (tenant, id, _) = known(server, by, word).await?;
    if !by.may_submit(tenant) {
        return Err(Problem::forbidden("change jobs"));
    }
    if said.priority.is_some() && said.budget.is_some() {
        // Two commands could be half done.
        return Err(Problem::unreadable(
            "a request changes either the priority or the budget; send two requests",
        ));
    }
    server
        .turn(move |turn| {
            if turn.state().job(id).is_none() {
                return Err(Problem::conflict(format!("{id} is over; nothing of it can be changed")));
            }
            if let Some(priority) = said.priority {
                turn.command(Command::SetJobPriority(id, priority))?;
            }
            if let Some(budget) = said.budget {
                turn.command(Command::SetJobBudget(id, budget.map(|amount| amount.0)))?;
            }
            Ok(())
        })
        .await
}
