//! The log of decisions with their reasons, and why a worker got a task.

use std::ops::ControlFlow;

use axum::extract::State;
use muster_engine::fact::{Body, Decision, Departure, Fact, Input, Purse};
use muster_engine::ids::{JobId, PoolId, Token};
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{JobSpec, Work};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{By, Json, Query, Word};
use crate::directory::Directory;
use crate::journal::{JournalError, Reader};
use crate::keeper::recover::record;
use crate::problem::{Answer, Problem};
use crate::wire::{Amount, Moment};
use crate::{follow, keys};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(why))
}

/// So many facts are looked through for one request.
pub(crate) const LOOKED_THROUGH_MOST: u64 = 200_000;

/// Which decisions.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// From this fact number on.
    pub from: Option<u64>,
    /// Without `from`: of the last so many seconds; 3600 unless said.
    pub since: Option<f64>,
    /// Only of this pool, by name or number.
    pub pool: Option<String>,
    /// So many at most; 100 unless said.
    pub most: Option<usize>,
    /// Whether to tell of looks at a pool that changed nothing, too.
    #[serde(default)]
    pub all: bool,
}

/// A decision.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Told {
    /// The number of its fact.
    pub number: u64,
    /// When.
    pub at: Moment,
    /// What sort of decision: a family's name, recruit, recruit-lost, departed, draining, moved, budget, lease, policy.
    pub what: &'static str,
    /// In which pool, where that is known.
    pub pool: Option<String>,
    /// About which worker.
    pub worker: Option<u32>,
    /// In words.
    pub reason: String,
    /// Whether a decision before it says so already.
    #[serde(skip)]
    pub(crate) is_said: bool,
}

/// Decisions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Decisions {
    /// In order.
    pub decisions: Vec<Told>,
    /// Ask with `from` set to this for what comes after.
    pub next: u64,
    /// The facts end before this number: if `next` is smaller, there may be more.
    pub end: u64,
}

/// What a decision is, in a word, where, about whom, and why.
type Line = (&'static str, Option<PoolId>, Option<u32>, String);

fn departed(why: Departure) -> &'static str {
    match why {
        Departure::Left => "left",
        Departure::Vanished => "was not heard of for too long",
        Departure::Released => "was not needed any more",
        Departure::Drained => "finished what was in hand, as asked",
        Departure::Unaffordable => "costs more than the budget allows for the next billing period",
    }
}

fn decided(decision: &Decision, names: &Directory, all: bool) -> Option<Line> {
    Some(match decision {
        Decision::Evaluated(pool, family, it) if all || it.orders > 0 => {
            (family.name(), Some(*pool), None, it.reason.clone())
        }
        Decision::Balanced(it) if all || it.orders > 0 => ("balance", None, None, it.reason.clone()),
        Decision::Recruiting { recruit, pool, kind, n, deadline } => {
            let (kind, deadline) = (names.kinds.name(kind.0), Moment(*deadline));
            ("recruit", Some(*pool), None, format!("{recruit}: {n} of kind '{kind}' wanted until {deadline}"))
        }
        Decision::RecruitLost(recruit, n) => {
            ("recruit-lost", None, None, format!("{recruit}: {n} did not come in time"))
        }
        Decision::Departed { worker, why, .. } => {
            ("departed", None, Some(worker.0), format!("{worker} {}", departed(*why)))
        }
        Decision::Draining(worker) => {
            ("draining", None, Some(worker.0), format!("{worker} goes when the task in hand is done"))
        }
        Decision::Moved { worker, to, .. } => (
            "moved",
            Some(*to),
            Some(worker.0),
            format!("{worker} moved to pool '{}'", names.pools.name(to.0)),
        ),
        Decision::OutOfBudget(purse, _) => {
            ("budget", None, None, format!("{} is short of money", whose(*purse, names)))
        }
        Decision::BackInBudget(purse) => {
            ("budget", None, None, format!("{} has money again", whose(*purse, names)))
        }
        Decision::LeaseExpired(worker, token) => {
            ("lease", None, Some(worker.0), format!("{token} of {worker} ran out; its slot is open again"))
        }
        Decision::PolicyRestarted(pool, family) => {
            let reason =
                format!("the memory of the {} policy could not be used; it began anew", family.name());
            ("policy", Some(*pool), None, reason)
        }
        _ => return None,
    })
}

fn whose(purse: Purse, names: &Directory) -> String {
    match purse {
        Purse::Tenant(tenant) => format!("tenant '{}'", names.tenants.name(tenant.0)),
        Purse::Job(job) => job.to_string(),
    }
}

fn by_hand(input: &Input, names: &Directory) -> Option<Line> {
    Some(match input {
        Input::PolicySet(pool, family, spec) => (
            "policy",
            Some(*pool),
            None,
            format!("{} is {} from now on, as set by hand", family.name(), spec.name),
        ),
        Input::BalanceSet(spec) => {
            ("policy", None, None, format!("balance is {} from now on, as set by hand", spec.name))
        }
        Input::RecruitAsked(pool, kind, n) => {
            let kind = names.kinds.name(kind.0);
            ("recruit", Some(*pool), None, format!("{n} of kind '{kind}' were called for by hand"))
        }
        Input::DrainAsked(worker) => {
            ("draining", None, Some(worker.0), format!("{worker} was asked to finish and go"))
        }
        _ => return None,
    })
}

fn line(fact: &Fact, names: &Directory, all: bool) -> Option<Line> {
    match &fact.body {
        Body::Decision(decision) => decided(decision, names, all),
        Body::Input(input) => by_hand(input, names),
    }
}

/// Decisions as they are told one after the other: a look at a pool says what was ordered because of it, as in "recruit 2: recommended
/// 14, have 11, 1 coming".
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// In order.
    pub(crate) told: Vec<Told>,
    /// Only of this pool, if given.
    only: Option<PoolId>,
    /// Whether looks that changed nothing are told.
    all: bool,
    looked: Option<Looked>,
}

/// The last look at a pool, as long as what follows came of it.
#[derive(Debug)]
struct Looked {
    pool: PoolId,
    /// Its place in the log.
    place: usize,
    reason: String,
    recruited: u32,
    released: u32,
}

impl Looked {
    fn words(&self) -> String {
        match (self.recruited, self.released) {
            (0, 0) => self.reason.clone(),
            (n, 0) => format!("recruit {n}: {}", self.reason),
            (0, n) => format!("release {n}: {}", self.reason),
            (n, m) => format!("recruit {n}, release {m}: {}", self.reason),
        }
    }
}

impl Log {
    /// Only of a pool, if one is given; with looks that changed nothing if `all`.
    pub(crate) fn new(only: Option<PoolId>, all: bool) -> Self {
        Self { only, all, ..Self::default() }
    }

    /// A fact more.
    pub(crate) fn put(&mut self, number: u64, fact: &Fact, names: &Directory) {
        let is_said = self.came_of(&fact.body);
        let Some((what, pool, worker, reason)) = line(fact, names, self.all) else { return };
        if self.only.is_some() && pool != self.only {
            return;
        }
        if let (Body::Decision(Decision::Evaluated(pool, ..)), place) = (&fact.body, self.told.len()) {
            let (recruited, released) = (0, 0);
            self.looked = Some(Looked { pool: *pool, place, reason: reason.clone(), recruited, released });
        }
        let pool = pool.map(|pool| names.pools.name(pool.0).to_owned());
        self.told.push(Told { number, at: Moment(fact.at), what, pool, worker, reason, is_said });
    }

    /// What follows a look, until something new comes in or another look is taken, came of it; whether this did.
    fn came_of(&mut self, body: &Body) -> bool {
        let Some(looked) = &mut self.looked else { return false };
        match body {
            Body::Decision(Decision::Recruiting { pool, n, .. }) if *pool == looked.pool => {
                looked.recruited += n;
            }
            Body::Decision(Decision::Departed { why: Departure::Released, .. } | Decision::Draining(_)) => {
                looked.released += 1;
            }
            Body::Input(_) | Body::Decision(Decision::Evaluated(..) | Decision::Balanced(_)) => {
                self.looked = None;
                return false;
            }
            Body::Decision(_) => return false,
        }
        let words = looked.words();
        if let Some(told) = self.told.get_mut(looked.place) {
            told.reason = words;
        }
        true
    }
}

/// What was decided about pools, workers and money, with the reason.
#[utoipa::path(get, path = "/api/decisions", tag = "operations", params(Which),
    responses((status = 200, body = Decisions), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(
    State(server): State<Server>,
    by: By,
    Query(which): Query<Which>,
) -> Answer<Json<Decisions>> {
    if !by.may_read_all() {
        return Err(Problem::forbidden("see decisions"));
    }
    let names = server.directory();
    let pool = which.pool.as_deref().map(|word| names.pool(word)).transpose()?;
    let since = super::work::seconds(Some(which.since.unwrap_or(3600.0)))?;
    let moment = server.keeper.shared.clock.now() - since;
    let most = which.most.unwrap_or(100).clamp(1, 1000);
    let read = move |reader: &dyn Reader| {
        let from = which.from.map_or_else(|| follow::since(reader, moment), Ok)?;
        let (mut log, mut next, end) = (Log::new(pool, which.all), from, reader.end()?);
        follow::each(reader, from, &mut |number, fact| {
            // What came of the last decision belongs to it.
            if log.told.len() >= most && matches!(fact.body, Body::Input(_)) {
                return ControlFlow::Break(());
            }
            next = number + 1;
            log.put(number, &fact, &names);
            if next - from >= LOOKED_THROUGH_MOST {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        let decisions = log.told;
        Ok(Decisions { decisions, next, end })
    };
    Ok(Json(server.read(read).await?))
}

/// Why a worker got a task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WhyTold {
    /// The lease.
    pub lease: u64,
    /// The number of the fact that gave it.
    pub number: u64,
    /// When.
    pub at: Moment,
    /// To whom.
    pub worker: u32,
    /// Of which job.
    pub job: u64,
    /// Which task, from 0.
    pub task: u32,
    /// Of which type.
    pub app: String,
    /// In which pool.
    pub pool: String,
    /// What an answer is worth.
    pub price: Amount,
    /// Until when.
    pub deadline: Moment,
    /// The dispatch policy of then.
    pub policy: String,
    /// Its reason, in words.
    pub why: String,
}

/// A job as it was submitted: found in the facts of that moment.
fn submitted(
    reader: &dyn Reader,
    at: muster_engine::Time,
    job: JobId,
) -> Result<Option<JobSpec>, JournalError> {
    let mut found = None;
    follow::each(reader, follow::since(reader, at)?, &mut |_, fact| match fact.body {
        Body::Input(Input::JobSubmitted(id, spec)) if id == job => {
            found = Some(*spec);
            ControlFlow::Break(())
        }
        _ if fact.at > at => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })?;
    Ok(found)
}

fn policy_then(reader: &dyn Reader, pool: PoolId, number: u64) -> Answer<Option<PolicySpec>> {
    let kept = reader.last(&keys::policy_since(pool, 0), &keys::policy_since(pool, number))?;
    Ok(kept.map(|(key, bytes)| record(&key, &bytes)).transpose()?)
}

/// Why a worker got a task, by the number of the lease: as the dispatch policy of then puts it.
#[utoipa::path(get, path = "/api/leases/{lease}", tag = "operations", params(("lease" = u64, Path)),
    responses((status = 200, body = WhyTold), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn why(State(server): State<Server>, by: By, word: Word) -> Answer<Json<WhyTold>> {
    let token = Token(word.number("lease")?);
    let missing = move || Problem::not_found(token);
    let found = server.read(move |reader| Ok(follow::lease(reader, token)?)).await?;
    let (number, at, grant) = found.ok_or_else(missing)?;
    let job = Word(grant.task.job.0.to_string());
    let (_, id, kept) = super::jobs::known(&server, &by, &job).await.map_err(|_| missing())?;
    let spec =
        server.read(move |reader| Ok(submitted(reader, kept.submitted, id)?)).await?.ok_or_else(missing)?;
    let app = match &spec.work {
        Work::Batch { app, .. } => *app,
        Work::Workflow(tasks) => tasks.get(grant.task.index as usize).ok_or_else(missing)?.app,
    };
    let pool =
        server.look(move |look| Ok(look.state().app(app).and_then(|app| app.route(spec.tenant)))).await?;
    let pool = pool.ok_or_else(missing)?;
    let policy = server.read(move |reader| policy_then(reader, pool, number)).await?.ok_or_else(missing)?;
    let names = server.directory();
    let name = policy.name.clone();
    let explained = server.look(move |look| Ok(look.engine.explain_as(&policy, pool, grant.why))).await?;
    Ok(Json(WhyTold {
        lease: token.0,
        number,
        at: Moment(at),
        worker: grant.worker.0,
        job: grant.task.job.0,
        task: grant.task.index,
        app: names.apps.name(app.0).to_owned(),
        pool: names.pools.name(pool.0).to_owned(),
        price: Amount(grant.price),
        deadline: Moment(grant.deadline),
        policy: name,
        why: explained.unwrap_or_else(|| "this release does not know the policy of then".to_owned()),
    }))
}
