//! Facts in words: one short line each. Setting things up and being woken go without saying.

use std::fmt::Write;

use muster_engine::fact::{
    Assessment, Assignee, Body, Decision, Departure, Grant, Input, Outcome, PlanEntry, Purse, Settlement,
    Verdict, Wages,
};
use muster_engine::ids::{AppId, JobId, PoolId, TaskId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::spec::Work;
use muster_engine::{Span, Time};

use super::Story;
use super::words::exact;

impl Story {
    fn worker(&self, id: WorkerId) -> String {
        self.names.name("worker", u64::from(id.0))
    }

    fn tenant(&self, id: TenantId) -> String {
        self.names.name("tenant", u64::from(id.0))
    }

    fn pool(&self, id: PoolId) -> String {
        self.names.name("pool", u64::from(id.0))
    }

    fn app(&self, id: AppId) -> String {
        self.names.name("app", u64::from(id.0))
    }

    fn job(&self, id: JobId) -> String {
        self.names.name("job", id.0)
    }

    pub(super) fn task(&self, id: TaskId) -> String {
        format!("{}.{}", self.job(id.job), id.index)
    }

    fn lease(&self, token: Token) -> String {
        format!(
            "lease {} ({})",
            token.0,
            self.tasks.get(&token).map_or("?".to_owned(), |task| self.task(*task))
        )
    }

    /// What a fact says; nothing for what goes without saying.
    pub(super) fn put(&self, body: &Body) -> Option<String> {
        match body {
            Body::Input(input) => self.put_input(input),
            Body::Decision(decision) => self.put_decision(decision),
        }
    }

    fn put_input(&self, input: &Input) -> Option<String> {
        Some(match input {
            Input::TenantSet(..) | Input::AppSet(..) | Input::KindSet(..) => return None,
            Input::PoolSet(..) | Input::ClientSet(..) | Input::Woken => return None,
            Input::PolicySet(pool, family, spec) => {
                format!("{} has {} {}", self.pool(*pool), family.name(), spec.name)
            }
            Input::BalanceSet(spec) => format!("balance is {}", spec.name),
            Input::ClientRemoved(id) => format!("{} is gone", self.names.name("client", u64::from(id.0))),
            Input::JobSubmitted(id, spec) => {
                let many = match &spec.work {
                    Work::Batch { tasks, .. } => format!("{tasks} tasks"),
                    Work::Workflow(tasks) => format!("workflow of {}", tasks.len()),
                };
                let slots =
                    if spec.slots > 1 { format!(", {} answers each", spec.slots) } else { String::new() };
                format!("{} submits {}: {many}{slots}", self.tenant(spec.tenant), self.job(*id))
            }
            Input::JobCancelled(id) => format!("{} is cancelled", self.job(*id)),
            Input::JobBudgetSet(id, budget) => {
                let budget = budget.map_or("none".to_owned(), |budget| budget.to_string());
                format!("{} has budget {budget}", self.job(*id))
            }
            Input::JobPrioritySet(id, priority) => format!("{} has priority {priority}", self.job(*id)),
            Input::Joined(id, spec) => {
                let order = spec.recruit.map_or(String::new(), |order| format!(", of r{}", order.0));
                format!("{} joins {}{order}", self.worker(*id), self.pool(spec.pool))
            }
            Input::Asked(id) => format!("{} asks", self.worker(*id)),
            Input::Answered(id, token) => format!("{} answers {}", self.worker(*id), self.lease(*token)),
            Input::Returned(id, token) => format!("{} returns {}", self.worker(*id), self.lease(*token)),
            Input::TaskSkipped(id, token) => format!("{} skips {}", self.worker(*id), self.lease(*token)),
            Input::JobSkipped(id, token) => {
                format!("{} skips the job of {}", self.worker(*id), self.lease(*token))
            }
            Input::Heard(id) => format!("{} is heard", self.worker(*id)),
            Input::Paused(id) => format!("{} pauses", self.worker(*id)),
            Input::Trained(id) => format!("{} has learned", self.worker(*id)),
            Input::Left(id) => format!("{} leaves", self.worker(*id)),
            Input::DrainAsked(id) => format!("{} shall go", self.worker(*id)),
            Input::RecruitAsked(pool, _, n) => format!("{n} wanted in {}", self.pool(*pool)),
            Input::RecruitFailed(order, n) => format!("r{}: {n} failed", order.0),
            Input::MoveAsked(id, to) => format!("{} is sent to {}", self.worker(*id), self.pool(*to)),
            Input::Resumed(since, _) => format!("resumed, asleep since {}", clock(*since)),
        })
    }

    fn put_decision(&self, decision: &Decision) -> Option<String> {
        Some(match decision {
            Decision::Leased(grant) => self.put_lease(grant),
            Decision::Parked(id) => format!("{} waits", self.worker(*id)),
            Decision::TrainingStarted(id, app) => format!("{} learns {}", self.worker(*id), self.app(*app)),
            Decision::Judged { task, worker, verdict, pay, .. } => {
                let worth = match verdict {
                    Verdict::Counted => "counts",
                    Verdict::LateCounted => "counts, late",
                    Verdict::LateKept => "is kept, late, uncounted",
                };
                format!("{} by {} {worth}{}", self.task(*task), self.worker(*worker), amount(", paid", *pay))
            }
            Decision::LeaseExpired(id, token) => {
                format!("{} of {} expires", self.lease(*token), self.worker(*id))
            }
            Decision::JobClosed { job, outcome: Outcome::Done, .. } => format!("{} is done", self.job(*job)),
            Decision::JobClosed { job, outcome: Outcome::Cancelled, .. } => {
                format!("{} is over", self.job(*job))
            }
            Decision::Departed { worker, why, owed } => {
                format!("{} is gone: {}{}", self.worker(*worker), departure(*why), wages(owed))
            }
            Decision::Draining(id) => format!("{} drains", self.worker(*id)),
            Decision::Moved { worker, to, owed } => {
                format!("{} is in {} now{}", self.worker(*worker), self.pool(*to), wages(owed))
            }
            Decision::Recruiting { recruit, pool, kind, n, deadline } => {
                let kind = self.names.name("kind", u64::from(kind.0));
                format!("r{}: {n} {kind} for {} by {}", recruit.0, self.pool(*pool), clock(*deadline))
            }
            Decision::RecruitLost(order, n) => format!("r{}: {n} lost", order.0),
            Decision::Evaluated(pool, family, seen) => {
                format!("{} {}: {}", self.pool(*pool), family.name(), assessment(seen))
            }
            Decision::Balanced(seen) => format!("balance: {}", assessment(seen)),
            Decision::Planned(pool, plan) => format!("{} plans {}", self.pool(*pool), self.put_plan(plan)),
            Decision::OutOfBudget(purse, left) => {
                format!("{} is out of budget, {left} left", self.purse(*purse))
            }
            Decision::BackInBudget(purse) => format!("{} is back in budget", self.purse(*purse)),
            Decision::IntervalBegan(id) => format!("{} has a new interval", self.tenant(*id)),
            Decision::Settled(pool, settlement) => return self.put_settlement(*pool, settlement),
            Decision::Billed { worker, cost, until } => {
                format!("{} is billed {cost} until {}", self.worker(*worker), clock(*until))
            }
            Decision::PolicyRestarted(pool, family) => {
                format!("{} {} began anew", self.pool(*pool), family.name())
            }
        })
    }

    fn put_lease(&self, grant: &Grant) -> String {
        let (worker, task) = (self.worker(grant.worker), self.task(grant.task));
        let price = amount(", set aside", grant.price);
        let why = (grant.why.code != 0).then(|| self.put_why(grant)).flatten();
        let why = why.map_or(String::new(), |why| format!(" ({why})"));
        format!("{worker} gets {task}: lease {} until {}{price}{why}", grant.token.0, clock(grant.deadline))
    }

    /// Why this task, in the words of the dispatch policy.
    pub(super) fn put_why(&self, grant: &Grant) -> Option<String> {
        let state = self.engine.state();
        let pool = state.worker(grant.worker).map_or(PoolId(0), |worker| worker.pool);
        self.engine.explain(pool, grant.why)
    }

    fn assignee(&self, who: Assignee) -> String {
        match who {
            Assignee::Worker(id) => self.worker(id).to_string(),
            Assignee::Coming(kind, n) => format!("newcomer {n} of {kind}"),
        }
    }

    fn put_plan(&self, plan: &[PlanEntry]) -> String {
        let entries = plan.iter().map(|entry| {
            format!("{} on {} at {}", self.task(entry.task), self.assignee(entry.who), clock(entry.start))
        });
        if plan.is_empty() { "nothing".to_owned() } else { entries.collect::<Vec<_>>().join(", ") }
    }

    fn purse(&self, purse: Purse) -> String {
        match purse {
            Purse::Tenant(id) => self.tenant(id),
            Purse::Job(id) => self.job(id),
        }
    }

    fn put_settlement(&self, pool: PoolId, settlement: &Settlement) -> Option<String> {
        if settlement.paid.is_empty() && settlement.charged.is_empty() && settlement.carried.is_zero() {
            return None;
        }
        let mut text = format!("{} settles:", self.pool(pool));
        for (worker, owed) in &settlement.paid {
            write!(text, " {} gets{};", self.worker(*worker), wages(owed)).expect("writing to a string");
        }
        for (tenant, amount) in &settlement.charged {
            write!(text, " {} pays {amount};", self.tenant(*tenant)).expect("writing to a string");
        }
        write!(text, " carried {}", settlement.carried).expect("writing to a string");
        Some(text)
    }
}

fn clock(at: Time) -> String {
    if at == Time::MAX { "never".to_owned() } else { exact(Span(at.0)) }
}

fn amount(what: &str, amount: Money) -> String {
    if amount.is_zero() { String::new() } else { format!("{what} {amount}") }
}

fn wages(owed: &Wages) -> String {
    format!("{}{}", amount(", for waiting", owed.waiting), amount(", for training", owed.training))
}

fn departure(why: Departure) -> &'static str {
    match why {
        Departure::Left => "left",
        Departure::Vanished => "vanished",
        Departure::Released => "released",
        Departure::Drained => "drained",
        Departure::Unaffordable => "unaffordable",
    }
}

fn assessment(seen: &Assessment) -> String {
    let round = |x: f64| (x * 1000.0).round() / 1000.0 + 0.0;
    format!(
        "{} (error {}, output {}, {} orders)",
        seen.reason,
        round(seen.error),
        round(seen.output),
        seen.orders
    )
}
