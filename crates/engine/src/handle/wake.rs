//! What is due when time has come, and going on after standing still.

use crate::command::Reply;
use crate::fact::{Decision, Departure, Input, Recorder};
use crate::ids::{PoolId, WorkerId};
use crate::policy::Family;
use crate::refusal::Refusal;
use crate::state::timers::Due;
use crate::state::worker::Standing;
use crate::time::Time;

use super::Turn;

impl<R: Recorder> Turn<'_, R> {
    /// Does everything that is due, in order of time and, at equal times, of [`Due`]. A late wake does it late: controllers
    /// look once, budget intervals and billing periods that were missed are gone through one by one.
    pub(super) fn wake(&mut self) -> Result<Reply, Refusal> {
        self.input(Input::Woken);
        while let Some((at, due)) = self.state().timers.next() {
            if at > self.now {
                break;
            }
            self.fire(due);
            debug_assert!(self.state().timers.next() != Some((at, due)), "what is done is no longer due");
            // What has opened goes to those who wait before the next thing is looked at.
            self.follow_up();
        }
        Ok(Reply::Done)
    }

    fn fire(&mut self, due: Due) {
        match due {
            Due::Watch(worker) => self.silence(worker),
            Due::Recruit(recruit) => {
                let n = self.state().recruits.get(&recruit).map_or(0, |recruit| recruit.n);
                self.decide(Decision::RecruitLost(recruit, n));
            }
            Due::Interval(tenant) => self.decide(Decision::IntervalBegan(tenant)),
            Due::Settle(pool) => self.settle(pool),
            Due::Replacement(pool) => self.evaluate(pool, Family::Replacement),
            Due::Scaling(pool) => self.evaluate(pool, Family::Scaling),
            Due::Balance => self.balance(),
            Due::Billing(worker) => self.renew(worker),
        }
    }

    /// A worker's lease has run out, or nothing was heard of the worker for too long, or both at once.
    fn silence(&mut self, id: WorkerId) {
        let slot = self.state().worker_slot(id);
        let worker = &self.state().workers[slot];
        let presence = self.state().pools[worker.pool.index()].spec.presence;
        let vanished = presence.is_some_and(|span| worker.heard + span <= self.now);
        let expired = worker.lease_ends().is_some_and(|at| at <= self.now);
        if let (true, Some(lease)) = (expired, &worker.lease) {
            let token = lease.token;
            self.decide(Decision::LeaseExpired(id, token));
        }
        if self.state().workers[slot].standing == Standing::Gone {
            self.depart(slot, Departure::Drained);
        } else if vanished {
            self.depart(slot, Departure::Vanished);
        }
    }

    /// Goes on after the driver stood still since a time, with these policies started anew.
    pub(super) fn resume(&mut self, since: Time, restarted: Vec<(PoolId, Family)>) -> Result<Reply, Refusal> {
        for (pool, _) in restarted.iter().filter(|(_, family)| *family != Family::Balance) {
            self.state().pool(*pool).ok_or(Refusal::UnknownPool(*pool))?;
        }
        let since = since.max(self.state().now).min(self.now);
        self.input(Input::Resumed(since, restarted.clone()));
        for (pool, family) in restarted {
            self.decide(Decision::PolicyRestarted(pool, family));
        }
        Ok(Reply::Done)
    }
}
