//! Answers: what a judged answer does to slot, worker and money. Does not judge.

use crate::fact::{Outcome, Verdict};
use crate::ids::{AppId, JobId, PoolId, TaskId, Token, WorkerId};
use crate::money::Money;
use crate::policy::{Change, What};
use crate::time::Span;

use super::job::LaneRef;
use super::worker::Expired;
use super::{Effects, State};

/// A judged answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    pub(crate) worker: WorkerId,
    pub(crate) token: Token,
    pub(crate) task: TaskId,
    pub(crate) verdict: Verdict,
    pub(crate) pay: Money,
}

impl State {
    /// An answer has been judged.
    pub(crate) fn judged(&mut self, judged: Judged, fx: &mut Effects) {
        if judged.verdict == Verdict::Counted {
            self.in_time(judged, fx);
        } else {
            let expired = self.expired.remove(&judged.token).expect("recorded of an expired lease");
            self.late(judged, &expired, fx);
        }
    }

    fn in_time(&mut self, judged: Judged, fx: &mut Effects) {
        let slot = self.worker_slot(judged.worker);
        let lease = self.end_lease(slot, false, fx);
        let (at, kind) = (lease.at.0, self.workers[slot].kind);
        let (app, pool) = (self.lane(at).app, self.lane(at).pool);
        self.pay_answer(at.job, lease.price, judged.pay, fx);
        self.workers[slot].earned += judged.pay;
        self.pools[pool.index()].kind_mut(kind).completed += 1;
        self.took(app, self.now.since(lease.granted));
        self.fill_leased(at, judged.task.index, fx);
    }

    /// A late answer teaches how long tasks take as well: else leases that are too short would stay so.
    fn late(&mut self, judged: Judged, expired: &Expired, fx: &mut Effects) {
        self.took(expired.app, self.now.since(expired.granted));
        if let Some(slot) = self.workers.find(judged.worker) {
            self.workers[slot].earned += judged.pay;
        }
        let Some(job) = self.jobs.find(judged.task.job) else {
            return self.pay_stray(expired.tenant, judged.pay, fx);
        };
        self.pay_answer(job, Money::ZERO, judged.pay, fx);
        if judged.verdict == Verdict::LateCounted {
            let lane = self.jobs[job].lane_of(judged.task.index);
            let at = LaneRef { job, lane };
            let pool = self.lane(at).pool;
            self.pools[pool.index()].kind_mut(expired.kind).completed += 1;
            fx.changes.push(Change { pool, what: What::Resized(at) });
            self.fill_open(at, judged.task.index, judged.worker, fx);
        }
    }

    fn took(&mut self, app: AppId, span: Span) {
        self.apps[app.index()].took(span);
    }

    /// A job is over: it leaves memory.
    pub(crate) fn close(&mut self, id: JobId, outcome: Outcome, fx: &mut Effects) {
        let (slot, job) = self.jobs.take(id).expect("a job is closed once");
        fx.opened.retain(|lane| lane.job != slot);
        let response = self.now.since(job.submitted);
        let what = What::JobClosed { job: id, tenant: job.tenant, outcome, response };
        match job.only_pool() {
            Some(pool) => fx.changes.push(Change { pool, what }),
            None => fx.changes.extend(job.pools().into_iter().map(|pool| Change { pool, what })),
        }
        if let Some(client) = job.client.and_then(|client| self.clients.get_mut(client)) {
            client.waiting -= 1;
            if outcome == Outcome::Done {
                client.answered(response);
            }
        }
    }

    /// Who holds a lease of a job, by id.
    pub(crate) fn holders(&self, job: JobId) -> Vec<WorkerId> {
        let Some(kept) = self.jobs.get(job) else { return Vec::new() };
        let running = |pool: &PoolId| kept.lanes().any(|lane| lane.pool == *pool && lane.running > 0);
        let pools = kept.pools().into_iter().filter(running);
        let members = pools.flat_map(|pool| self.pools[pool.index()].members.iter().copied());
        let holds = |worker: &WorkerId| {
            let lease = self.workers.get(*worker).and_then(|worker| worker.lease.as_ref());
            lease.is_some_and(|lease| lease.task.job == job)
        };
        members.filter(holds).collect()
    }
}
