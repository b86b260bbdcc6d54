//! What the outside may ask of the engine, and what it hears back at once.
//!
//! A reply says what was asked for directly; what else happened is in the facts, which drivers follow.

use crate::fact::{Input, Verdict};
use crate::ids::{AppId, ClientId, JobId, KindId, PoolId, RecruitId, TaskId, TenantId, Token, WorkerId};
use crate::money::Money;
use crate::policy::Family;
use crate::policy::settings::PolicySpec;
use crate::spec::{AppSpec, ClientSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, WorkerSpec};
use crate::state::State;
use crate::time::Time;

/// Something the outside did or wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// A new tenant.
    AddTenant(TenantSpec),
    /// Another weight or budget. A lower budget acts from the next interval, a higher one at once.
    SetTenant(TenantId, TenantSpec),
    /// A new app.
    AddApp(AppSpec),
    /// Other settings for an app; leases already given keep theirs.
    SetApp(AppId, AppSpec),
    /// A new kind of worker.
    AddKind(KindSpec),
    /// A new pool.
    AddPool(Box<PoolSpec>),
    /// Other settings for a pool. It may serve more apps than before, never fewer; policies are changed by `SetPolicy`.
    SetPool(PoolId, Box<PoolSpec>),
    /// Another policy, from now on.
    SetPolicy(PoolId, Family, PolicySpec),
    /// Another answer to who moves between pools, from now on.
    SetBalance(PolicySpec),
    /// A new client.
    AddClient(ClientSpec),
    /// A client who will ask for nothing more.
    RemoveClient(ClientId),

    /// Work to be done.
    Submit(Box<JobSpec>),
    /// Work no longer wanted. Answers already accepted are paid; leases end.
    CancelJob(JobId),
    /// Another budget for a job.
    SetJobBudget(JobId, Option<Money>),
    /// Another priority for a job.
    SetJobPriority(JobId, u32),

    /// A worker arrives.
    Join(Box<WorkerSpec>),
    /// A worker wants a task.
    Ask(WorkerId),
    /// A worker has done the task of this lease.
    Answer(WorkerId, Token),
    /// A worker gives the task of this lease back; anybody may get it, the same worker too.
    Return(WorkerId, Token),
    /// A worker does not want this task; it is not offered to that worker again.
    SkipTask(WorkerId, Token),
    /// A worker does not want this job; none of its tasks is offered to that worker again.
    SkipJob(WorkerId, Token),
    /// A sign of life.
    Heartbeat(WorkerId),
    /// A worker takes a break (or is made to); asking again ends it.
    Pause(WorkerId),
    /// A worker has finished training.
    Trained(WorkerId),
    /// A worker leaves.
    Leave(WorkerId),
    /// A worker shall get nothing more, and go when the task in hand is done.
    Drain(WorkerId),
    /// Workers are wanted, by hand.
    Recruit(PoolId, KindId, u32),
    /// So many of a recruit order will not come.
    RecruitFailed(RecruitId, u32),
    /// A worker is sent to another pool, by hand.
    Move(WorkerId, PoolId),

    /// It is at least as late as `next_due` said.
    Wake,
    /// The driver stood still since then: leases run on, and waiting in between is not paid. With it goes what
    /// `Engine::restarted` says: policies whose memory could not be used.
    Resume(Time, Vec<(PoolId, Family)>),
}

/// What the one who asked hears at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It is done.
    Done,
    /// A new tenant.
    Tenant(TenantId),
    /// A new app.
    App(AppId),
    /// A new kind.
    Kind(KindId),
    /// A new pool.
    Pool(PoolId),
    /// A new client.
    Client(ClientId),
    /// A new job.
    Job(JobId),
    /// A new worker.
    Worker(WorkerId),
    /// A new recruit order.
    Recruit(RecruitId),
    /// A task for the worker.
    Leased(TaskId, Token),
    /// Nothing now: wait.
    Parked,
    /// Nothing that the worker has learned: learn this.
    Training(AppId),
    /// What became of the answer.
    Judged(Verdict),
}

impl Command {
    /// The command that was recorded as this input, where the engine was in this state before: what an audit feeds to a
    /// fresh engine, to compare the decisions.
    #[must_use]
    pub fn recorded_as(input: &Input, before: &State) -> Self {
        match input.clone() {
            Input::TenantSet(id, spec) if before.tenant(id).is_none() => Self::AddTenant(spec),
            Input::TenantSet(id, spec) => Self::SetTenant(id, spec),
            Input::AppSet(id, spec) if before.app(id).is_none() => Self::AddApp(spec),
            Input::AppSet(id, spec) => Self::SetApp(id, spec),
            Input::KindSet(_, spec) => Self::AddKind(spec),
            Input::PoolSet(id, spec) if before.pool(id).is_none() => Self::AddPool(spec),
            Input::PoolSet(id, spec) => Self::SetPool(id, spec),
            Input::PolicySet(pool, family, spec) => Self::SetPolicy(pool, family, spec),
            Input::BalanceSet(spec) => Self::SetBalance(spec),
            Input::ClientSet(_, spec) => Self::AddClient(spec),
            Input::ClientRemoved(id) => Self::RemoveClient(id),
            Input::JobSubmitted(_, spec) => Self::Submit(spec),
            Input::JobCancelled(job) => Self::CancelJob(job),
            Input::JobBudgetSet(job, budget) => Self::SetJobBudget(job, budget),
            Input::JobPrioritySet(job, priority) => Self::SetJobPriority(job, priority),
            Input::Joined(_, spec) => Self::Join(spec),
            Input::Asked(worker) => Self::Ask(worker),
            Input::Answered(worker, token) => Self::Answer(worker, token),
            Input::Returned(worker, token) => Self::Return(worker, token),
            Input::TaskSkipped(worker, token) => Self::SkipTask(worker, token),
            Input::JobSkipped(worker, token) => Self::SkipJob(worker, token),
            Input::Heard(worker) => Self::Heartbeat(worker),
            Input::Paused(worker) => Self::Pause(worker),
            Input::Trained(worker) => Self::Trained(worker),
            Input::Left(worker) => Self::Leave(worker),
            Input::DrainAsked(worker) => Self::Drain(worker),
            Input::RecruitAsked(pool, kind, n) => Self::Recruit(pool, kind, n),
            Input::RecruitFailed(recruit, n) => Self::RecruitFailed(recruit, n),
            Input::MoveAsked(worker, pool) => Self::Move(worker, pool),
            Input::Woken => Self::Wake,
            Input::Resumed(since, restarted) => Self::Resume(since, restarted),
        }
    }
}
