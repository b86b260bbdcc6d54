//! The ledger: what was paid to whom and charged to whom, line by line out of the facts, and in sums. Counts nothing by itself.
//!
//! Invariant: the lines add up to the engine's books, to the micro-unit.

use std::collections::HashMap;
use std::ops::ControlFlow;

use axum::extract::State;
use muster_engine::fact::{Body, Decision, Fact, Wages};
use muster_engine::ids::{JobId, PoolId, TenantId, WorkerId};
use muster_engine::money::Money;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::decisions::LOOKED_THROUGH_MOST;
use super::extract::{By, Json, Query, Word};
use crate::directory::Directory;
use crate::journal::Reader;
use crate::keeper::desk::WorkerRecord;
use crate::keeper::recover;
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Moment};
use crate::{follow, jobs};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(lines)).routes(routes!(sums)).routes(routes!(earnings))
}

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// An answer: paid to the worker and charged to the tenant at once.
    Answer,
    /// Waiting: paid to the worker.
    Waiting,
    /// Training: paid to the worker.
    Training,
    /// A machine's billing period.
    Machine,
    /// Waiting, training and machines of a pool: charged to a tenant.
    Charge,
}

/// A line of the ledger.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Line {
    /// The number of its fact.
    pub number: u64,
    /// When.
    pub at: Moment,
    /// What for.
    pub what: Purpose,
    /// How much.
    pub amount: Amount,
    /// Paid to whom, or for which machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worker: Option<u32>,
    /// Charged to whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// Which pool's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// For which job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<u64>,
    /// For which task of it, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<u32>,
}

/// Lines of the ledger.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Lines {
    /// In order.
    pub lines: Vec<Line>,
    /// Ask with `from` set to this for what comes after.
    pub next: u64,
    /// The facts end before this number: if `next` is smaller, there may be more.
    pub end: u64,
}

/// A line before names.
#[derive(Clone, Copy, Debug)]
struct Entry {
    what: Purpose,
    amount: Money,
    worker: Option<WorkerId>,
    tenant: Option<TenantId>,
    pool: Option<PoolId>,
    task: Option<muster_engine::ids::TaskId>,
}

impl Entry {
    fn paid(what: Purpose, worker: WorkerId, amount: Money) -> Self {
        Self { what, amount, worker: Some(worker), tenant: None, pool: None, task: None }
    }
}

fn wages(worker: WorkerId, owed: Wages) -> [Entry; 2] {
    [
        Entry::paid(Purpose::Waiting, worker, owed.waiting),
        Entry::paid(Purpose::Training, worker, owed.training),
    ]
}

/// The money of a fact; `tenant_of` says whose a job is.
fn entries(fact: &Fact, tenant_of: &mut dyn FnMut(JobId) -> Option<TenantId>) -> Vec<Entry> {
    let Body::Decision(decision) = &fact.body else { return Vec::new() };
    let mut found = match decision {
        Decision::Judged { worker, task, pay, .. } => {
            let tenant = tenant_of(task.job);
            vec![Entry { tenant, task: Some(*task), ..Entry::paid(Purpose::Answer, *worker, *pay) }]
        }
        Decision::Departed { worker, owed, .. } | Decision::Moved { worker, owed, .. } => {
            wages(*worker, *owed).into()
        }
        Decision::Billed { worker, cost, .. } => vec![Entry::paid(Purpose::Machine, *worker, *cost)],
        Decision::Settled(pool, settled) => {
            let paid = settled.paid.iter().flat_map(|(worker, owed)| wages(*worker, *owed));
            let charged = settled.charged.iter().map(|(tenant, amount)| Entry {
                what: Purpose::Charge,
                amount: *amount,
                worker: None,
                tenant: Some(*tenant),
                pool: Some(*pool),
                task: None,
            });
            paid.chain(charged).collect()
        }
        _ => Vec::new(),
    };
    found.retain(|entry| !entry.amount.is_zero());
    found
}

fn told(number: u64, fact: &Fact, entry: Entry, names: &Directory) -> Line {
    Line {
        number,
        at: Moment(fact.at),
        what: entry.what,
        amount: Amount(entry.amount),
        worker: entry.worker.map(|worker| worker.0),
        tenant: entry.tenant.map(|tenant| names.tenants.name(tenant.0).to_owned()),
        pool: entry.pool.map(|pool| names.pools.name(pool.0).to_owned()),
        job: entry.task.map(|task| task.job.0),
        task: entry.task.map(|task| task.index),
    }
}

/// Looks through facts from a number on for lines that are wanted.
fn gather(
    reader: &dyn Reader,
    names: &Directory,
    from: u64,
    most: usize,
    wanted: impl Fn(&Entry) -> bool,
) -> Answer<Lines> {
    let tenants: Vec<TenantId> = names.tenants.iter().map(|(id, _)| TenantId(id)).collect();
    let mut known: HashMap<JobId, Option<TenantId>> = HashMap::new();
    let mut tenant_of = |job: JobId| {
        *known.entry(job).or_insert_with(|| {
            let is_its = |tenant: &TenantId| matches!(jobs::find(reader, *tenant, job), Ok(Some(_)));
            tenants.iter().copied().find(is_its)
        })
    };
    let (mut lines, mut next, end) = (Vec::new(), from, reader.end()?);
    follow::each(reader, from, &mut |number, fact| {
        next = number + 1;
        let found = entries(&fact, &mut tenant_of).into_iter().filter(&wanted);
        lines.extend(found.map(|entry| told(number, &fact, entry, names)));
        let enough = lines.len() >= most || next - from >= LOOKED_THROUGH_MOST;
        if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(Lines { lines, next, end })
}

/// Which lines.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// From this fact number on.
    #[serde(default)]
    pub from: u64,
    /// So many at most, but for the rest of a fact's lines; 1000 unless said.
    pub most: Option<usize>,
    /// Only what is charged to this tenant; the token's own unless it may see all.
    pub tenant: Option<String>,
    /// Only what is paid to this worker, by number.
    pub worker: Option<u32>,
}

/// What was paid and charged, line by line. A tenant sees what it was charged.
#[utoipa::path(get, path = "/api/ledger", tag = "money", params(Which),
    responses((status = 200, body = Lines), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn lines(State(server): State<Server>, by: By, Query(which): Query<Which>) -> Answer<Json<Lines>> {
    let names = server.directory();
    let tenant = match (&which.tenant, by.may_read_all()) {
        (None, true) => None,
        (said, _) => Some(super::jobs::tenant_of(&by, &names, said.as_deref())?),
    };
    let most = which.most.unwrap_or(1000).clamp(1, 10_000);
    let worker = which.worker.map(WorkerId);
    let wanted = move |entry: &Entry| {
        (tenant.is_none() || entry.tenant == tenant) && (worker.is_none() || entry.worker == worker)
    };
    Ok(Json(server.read(move |reader| gather(reader, &names, which.from, most, wanted)).await?))
}

/// Sums over everything ever paid.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Sums {
    /// Paid for answers.
    pub answers: Amount,
    /// Paid for waiting.
    pub waiting: Amount,
    /// Paid for training.
    pub training: Amount,
    /// Paid for machines.
    pub machines: Amount,
    /// All that was paid.
    pub paid: Amount,
    /// Charged to tenants.
    pub charged: Amount,
    /// Paid, and not charged to anybody yet.
    pub to_be_charged: Amount,
    /// Earned by waiting and training, and not paid yet.
    pub to_be_paid: Amount,
}

/// What was paid and charged in all. Needs a token that may see everything.
#[utoipa::path(get, path = "/api/ledger/sums", tag = "money",
    responses((status = 200, body = Sums), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn sums(State(server): State<Server>, by: By) -> Answer<Json<Sums>> {
    if !by.may_read_all() {
        return Err(Problem::forbidden("see all money"));
    }
    server
        .look(|look| {
            let (state, books) = (look.state(), look.state().books());
            Ok(Json(Sums {
                answers: Amount(books.answers),
                waiting: Amount(books.waiting),
                training: Amount(books.training),
                machines: Amount(books.machines),
                paid: Amount(books.paid()),
                charged: Amount(books.charged),
                to_be_charged: Amount(books.paid() - books.charged),
                to_be_paid: Amount(state.unpaid(look.now).total()),
            }))
        })
        .await
}

/// What a worker has earned.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Earnings {
    /// Who.
    pub worker: u32,
    /// Line by line.
    pub lines: Vec<Line>,
    /// The sum of these lines.
    pub sum: Amount,
    /// Ask with `from` set to this for what comes after.
    pub next: u64,
    /// The facts end before this number: if `next` is smaller, there may be more.
    pub end: u64,
}

/// From where on.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct From {
    /// From this fact number on; from when the worker joined unless said.
    pub from: Option<u64>,
}

/// What a worker has been paid, line by line, also after leaving. For the worker's own token, and those that may see everything.
#[utoipa::path(get, path = "/api/workers/{worker}/earnings", tag = "money", params(("worker" = u32, Path), From),
    responses((status = 200, body = Earnings), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn earnings(
    State(server): State<Server>,
    by: By,
    word: Word,
    Query(From { from }): Query<From>,
) -> Answer<Json<Earnings>> {
    earned(&server, &by, WorkerId(word.number("worker")?), from).await.map(Json)
}

/// The record of a worker, there or gone, if it is the caller's or the caller may see everything.
pub(crate) async fn own_record(server: &Server, by: &By, worker: WorkerId) -> Answer<WorkerRecord> {
    let kept = server.read(move |reader| Ok(recover::there_or_gone(reader, worker)?)).await?;
    let kept = kept.filter(|kept| kept.token == by.id || by.may_read_all());
    kept.ok_or_else(|| Problem::not_found(worker))
}

/// What a worker has been paid, from a fact number on.
pub(crate) async fn earned(
    server: &Server,
    by: &By,
    worker: WorkerId,
    from: Option<u64>,
) -> Answer<Earnings> {
    let kept = own_record(server, by, worker).await?;
    let (names, from) = (server.directory(), from.unwrap_or(0).max(kept.joined));
    let found = server.read(move |reader| {
        let mut found = gather(reader, &names, from, 1000, |entry| entry.worker == Some(worker))?;
        // Whose the job was is not the worker's affair.
        found.lines.iter_mut().for_each(|line| line.tenant = None);
        Ok(found)
    });
    let Lines { lines, next, end } = found.await?;
    let sum = lines.iter().fold(Money::ZERO, |sum, line| sum + line.amount.0);
    Ok(Earnings { worker: worker.0, lines, sum: Amount(sum), next, end })
}
