//! Which facts are told to the outside, and how: small objects that name things as the API does.

use muster_engine::fact::{Body, Decision, Fact, Input, Outcome, Purse, Verdict};
use muster_engine::ids::{JobId, TenantId};
use muster_engine::spec::Role;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::directory::Directory;
use crate::results;
use crate::wire::Moment;

/// What can be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    /// A job came, or is over.
    Job,
    /// An answer was judged.
    Answer,
    /// Workers are wanted, or did not come in time.
    Wanted,
    /// A worker joined, moved or is gone.
    Worker,
    /// Money is short, or there again.
    Budget,
    /// A policy changed something, with its reason.
    Decision,
}

/// What an event is about, so that it can be kept from other tenants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A tenant's own.
    Tenant(TenantId),
    /// A job's.
    Job(JobId),
    /// Nobody's in particular.
    All,
}

/// What is told of a fact, if anything.
#[must_use]
pub fn of(
    number: u64,
    fact: &Fact,
    names: &Directory,
    role: impl Fn(u32) -> Option<Role>,
) -> Option<(Sort, About, Value)> {
    let (sort, about, mut told) = match &fact.body {
        Body::Input(input) => input_told(input, names)?,
        Body::Decision(decision) => decided(decision, names, role)?,
    };
    if let Value::Object(fields) = &mut told {
        fields.insert("event".to_owned(), json!(sort));
        fields.insert("number".to_owned(), json!(number));
        fields.insert("at".to_owned(), json!(Moment(fact.at)));
    }
    Some((sort, about, told))
}

fn input_told(input: &Input, names: &Directory) -> Option<(Sort, About, Value)> {
    Some(match input {
        Input::JobSubmitted(job, spec) => {
            let tenant = names.tenants.name(spec.tenant.0);
            let told = json!({"what": "submitted", "job": job.0, "tenant": tenant, "tasks": spec.work.len()});
            (Sort::Job, About::Tenant(spec.tenant), told)
        }
        Input::Joined(worker, spec) => {
            let (pool, kind) = (names.pools.name(spec.pool.0), names.kinds.name(spec.kind.0));
            let recruit = spec.recruit.map(|recruit| recruit.0);
            let told =
                json!({"what": "joined", "worker": worker.0, "pool": pool, "kind": kind, "recruit": recruit});
            (Sort::Worker, About::All, told)
        }
        _ => return None,
    })
}

fn decided(
    decision: &Decision,
    names: &Directory,
    role: impl Fn(u32) -> Option<Role>,
) -> Option<(Sort, About, Value)> {
    Some(match decision {
        Decision::JobClosed { job, outcome, spent, .. } => {
            let what = if *outcome == Outcome::Done { "done" } else { "cancelled" };
            (Sort::Job, About::Job(*job), json!({"what": what, "job": job.0, "spent": spent.as_units_f64()}))
        }
        Decision::Judged { worker, task, verdict, pay, .. } if *verdict != Verdict::LateKept => {
            let told = json!({
                "what": results::word(*verdict), "job": task.job.0, "task": task.index, "worker": worker.0,
                "pay": pay.as_units_f64(),
            });
            (Sort::Answer, About::Job(task.job), told)
        }
        Decision::Recruiting { recruit, pool, kind, n, deadline } => {
            let (pool, kind_name) = (names.pools.name(pool.0), names.kinds.name(kind.0));
            let words = crate::http::operations::words(*n, kind_name, role(kind.0).as_ref());
            let told = json!({
                "what": "wanted", "recruit": recruit.0, "pool": pool, "kind": kind_name, "n": n, "words": words,
                "until": Moment(*deadline),
            });
            (Sort::Wanted, About::All, told)
        }
        Decision::RecruitLost(recruit, n) => {
            (Sort::Wanted, About::All, json!({"what": "lost", "recruit": recruit.0, "n": n}))
        }
        Decision::Departed { worker, .. } => {
            (Sort::Worker, About::All, json!({"what": "gone", "worker": worker.0}))
        }
        Decision::Moved { worker, to, .. } => {
            let pool = names.pools.name(to.0);
            (Sort::Worker, About::All, json!({"what": "moved", "worker": worker.0, "pool": pool}))
        }
        Decision::OutOfBudget(purse, _) => (Sort::Budget, whose(*purse), purse_told("short", *purse, names)),
        Decision::BackInBudget(purse) => (Sort::Budget, whose(*purse), purse_told("enough", *purse, names)),
        Decision::Evaluated(pool, family, it) if it.orders > 0 => {
            let pool = names.pools.name(pool.0);
            (Sort::Decision, About::All, json!({"what": family.name(), "pool": pool, "reason": it.reason}))
        }
        Decision::Balanced(it) if it.orders > 0 => {
            (Sort::Decision, About::All, json!({"what": "balance", "reason": it.reason}))
        }
        _ => return None,
    })
}

fn whose(purse: Purse) -> About {
    match purse {
        Purse::Tenant(tenant) => About::Tenant(tenant),
        Purse::Job(job) => About::Job(job),
    }
}

fn purse_told(what: &str, purse: Purse, names: &Directory) -> Value {
    match purse {
        Purse::Tenant(tenant) => json!({"what": what, "tenant": names.tenants.name(tenant.0)}),
        Purse::Job(job) => json!({"what": what, "job": job.0}),
    }
}
