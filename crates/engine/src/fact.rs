//! Facts: what happened, as recorded. The only thing that changes the engine's state.
//!
//! Two kinds: an [`Input`] for every accepted command, then the [`Decision`]s that the engine made of it. Applying
//! facts decides nothing anew. What a choice decided beyond the obvious stands in its fact.

use serde::{Deserialize, Serialize};

use crate::ids::{AppId, ClientId, JobId, KindId, PoolId, RecruitId, TaskId, TenantId, Token, WorkerId};
use crate::money::Money;
use crate::policy::Family;
use crate::policy::settings::PolicySpec;
use crate::spec::{AppSpec, ClientSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, WorkerSpec};
use crate::time::{Span, Time};

/// Something that happened, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// When.
    pub at: Time,
    /// What.
    pub body: Body,
}

/// What happened: outside, or in the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// The outside did something.
    Input(Input),
    /// The engine made something of it.
    Decision(Decision),
}

/// What the outside did: one for each accepted command. New variants go to the end: their order is their tag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Input {
    /// A tenant is there, or has changed.
    TenantSet(TenantId, TenantSpec),
    /// An app is there, or has changed.
    AppSet(AppId, AppSpec),
    /// A kind of worker is there.
    KindSet(KindId, KindSpec),
    /// A pool is there, or has changed.
    PoolSet(PoolId, Box<PoolSpec>),
    /// A pool has another policy.
    PolicySet(PoolId, Family, PolicySpec),
    /// The pools have another balance policy.
    BalanceSet(PolicySpec),
    /// A client is there.
    ClientSet(ClientId, ClientSpec),
    /// A client is gone.
    ClientRemoved(ClientId),
    /// A job was submitted.
    JobSubmitted(JobId, Box<JobSpec>),
    /// A job was cancelled.
    JobCancelled(JobId),
    /// A job has another budget.
    JobBudgetSet(JobId, Option<Money>),
    /// A job has another priority.
    JobPrioritySet(JobId, u32),
    /// A worker joined.
    Joined(WorkerId, Box<WorkerSpec>),
    /// A worker asked for a task.
    Asked(WorkerId),
    /// A worker answered.
    Answered(WorkerId, Token),
    /// A worker gave a task back.
    Returned(WorkerId, Token),
    /// A worker does not want a task.
    TaskSkipped(WorkerId, Token),
    /// A worker does not want a job.
    JobSkipped(WorkerId, Token),
    /// A worker gave a sign of life.
    Heard(WorkerId),
    /// A worker takes a break.
    Paused(WorkerId),
    /// A worker finished training.
    Trained(WorkerId),
    /// A worker left.
    Left(WorkerId),
    /// A worker shall get nothing more.
    DrainAsked(WorkerId),
    /// Workers were called for by hand.
    RecruitAsked(PoolId, KindId, u32),
    /// Some recruits will not come.
    RecruitFailed(RecruitId, u32),
    /// A worker was sent to another pool by hand.
    MoveAsked(WorkerId, PoolId),
    /// The driver woke the engine.
    Woken,
    /// The driver goes on after standing still since then, with policies whose memory could not be used.
    Resumed(Time, Vec<(PoolId, Family)>),
}

/// What the engine decided. New variants go to the end: their order is their tag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Decision {
    /// A worker has a task.
    Leased(Grant),
    /// There is nothing for the worker now: it waits.
    Parked(WorkerId),
    /// A worker learns an app.
    TrainingStarted(WorkerId, AppId),
    /// What an answer is worth.
    Judged {
        /// Who answered.
        worker: WorkerId,
        /// Under which lease.
        token: Token,
        /// Of which task.
        task: TaskId,
        /// Whether it counts.
        verdict: Verdict,
        /// What the worker gets for it.
        pay: Money,
    },
    /// A lease ran out; its slot is open again.
    LeaseExpired(WorkerId, Token),
    /// A job is over and leaves the engine's memory.
    JobClosed {
        /// Which.
        job: JobId,
        /// How it ended.
        outcome: Outcome,
        /// For whom it was.
        client: Option<ClientId>,
        /// How long it took from its submission.
        response: Span,
        /// What its answers cost.
        spent: Money,
    },
    /// A worker is gone.
    Departed {
        /// Who.
        worker: WorkerId,
        /// Why.
        why: Departure,
        /// What was still owed for waiting and training.
        owed: Wages,
    },
    /// A busy worker gets nothing more and will go.
    Draining(WorkerId),
    /// A worker is in another pool now.
    Moved {
        /// Who.
        worker: WorkerId,
        /// Where to.
        to: PoolId,
        /// What the old pool still owed for waiting and training.
        owed: Wages,
    },
    /// Workers are called for.
    Recruiting {
        /// The order's name.
        recruit: RecruitId,
        /// For which pool.
        pool: PoolId,
        /// Of which kind.
        kind: KindId,
        /// How many.
        n: u32,
        /// When those who have not come are given up.
        deadline: Time,
    },
    /// So many recruits did not come.
    RecruitLost(RecruitId, u32),
    /// A policy looked at a pool.
    Evaluated(PoolId, Family, Box<Assessment>),
    /// The balance policy looked at all pools.
    Balanced(Box<Assessment>),
    /// A pool has a new plan in place of the old one.
    Planned(PoolId, Vec<PlanEntry>),
    /// Money is short: some open work is not dispatched.
    OutOfBudget(Purse, Money),
    /// Money is there again.
    BackInBudget(Purse),
    /// A tenant's next budget interval has begun.
    IntervalBegan(TenantId),
    /// A pool's wages were paid and charged.
    Settled(PoolId, Box<Settlement>),
    /// A machine's next billing period has begun and is charged.
    Billed {
        /// Which machine.
        worker: WorkerId,
        /// What it costs.
        cost: Money,
        /// Until when that is good.
        until: Time,
    },
    /// A policy's memory could not be used; it began anew.
    PolicyRestarted(PoolId, Family),
}

/// A lease, as given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grant {
    /// Who gets it.
    pub worker: WorkerId,
    /// What is to be done.
    pub task: TaskId,
    /// The fencing token.
    pub token: Token,
    /// What is set aside for the answer.
    pub price: Money,
    /// Until when.
    pub deadline: Time,
    /// How long it should take; zero if nothing is known.
    pub expected: Span,
    /// Why this task.
    pub why: Why,
}

/// What a dispatch policy decided beyond the obvious, in its own numbers; the policy can put it in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// Which of the policy's reasons.
    pub code: u16,
    /// Its first number.
    pub a: i64,
    /// Its second number.
    pub b: i64,
}

/// Whether an answer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It came in time and fills its slot.
    Counted,
    /// It came late and fills its slot, which was open again.
    LateCounted,
    /// It came late and is kept, but does not count.
    LateKept,
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// All its tasks are done.
    Done,
    /// It was cancelled.
    Cancelled,
}

/// Why a worker is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Departure {
    /// The worker left.
    Left,
    /// Nothing was heard of the worker for too long.
    Vanished,
    /// The worker was not needed any more.
    Released,
    /// The worker finished what was in hand, as asked.
    Drained,
    /// The machine's next billing period does not fit the budget.
    Unaffordable,
}

/// Pay for time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wages {
    /// For waiting.
    pub waiting: Money,
    /// For training.
    pub training: Money,
}

impl Wages {
    /// Both together.
    #[must_use]
    pub fn total(self) -> Money {
        self.waiting + self.training
    }
}

/// Whose money is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Purse {
    /// A tenant's, for this interval.
    Tenant(TenantId),
    /// A job's.
    Job(JobId),
}

/// What a policy saw and concluded, also when it changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Assessment {
    /// How far things are from where they should be.
    pub error: f64,
    /// What the policy makes of it, in workers.
    pub output: f64,
    /// What the policy wants to remember of what it measured.
    pub signals: Vec<f64>,
    /// In words, for the log of decisions.
    pub reason: String,
    /// How many random draws were used.
    pub draws: u32,
    /// How many orders it gave; what came of them is in the facts that follow.
    pub orders: u32,
}

/// A task's place in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanEntry {
    /// The task.
    pub task: TaskId,
    /// Who is to do it.
    pub who: Assignee,
    /// When it is to start.
    pub start: Time,
}

/// Who is to do a task, by plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Assignee {
    /// A worker who is there.
    Worker(WorkerId),
    /// The n-th worker of a kind (from 0) that joins the pool after the plan was made.
    Coming(KindId, u32),
}

/// The version of the encoding. A change that old journals could not be read with raises it.
const VERSION: u8 = 1;

impl Fact {
    /// The fact as bytes, with the version of the encoding in front.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_extend(self, vec![VERSION]).expect("facts are plain data")
    }

    /// The fact of such bytes; `None` if they are not one of a version that can be read.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (version, rest) = bytes.split_first()?;
        if *version == VERSION { postcard::from_bytes(rest).ok() } else { None }
    }
}

/// Wages of an interval: who got them and who paid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Settlement {
    /// What each worker still there gets, by id.
    pub paid: Vec<(WorkerId, Wages)>,
    /// What each tenant pays, by id.
    pub charged: Vec<(TenantId, Money)>,
    /// What nobody could be charged for yet.
    pub carried: Money,
}

/// Where facts go as they happen.
///
/// The recorder sees the state as it is just after the fact; so a simulation can schedule what people do next, and a
/// server can route a lease to the connection that waits for it.
pub trait Recorder {
    /// Fact number `number` (from 0) happened, and `state` is what came of it.
    fn record(&mut self, number: u64, fact: &Fact, state: &crate::state::State);
}

/// Records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecorder;

impl Recorder for NoRecorder {
    #[inline]
    fn record(&mut self, _number: u64, _fact: &Fact, _state: &crate::state::State) {}
}

impl Recorder for Vec<Fact> {
    fn record(&mut self, _number: u64, fact: &Fact, _state: &crate::state::State) {
        self.push(fact.clone());
    }
}
