//! Counting shares: lanes listed and taken off, slots leased and given back, and the places in the rankings that follow.

use crate::ids::{JobId, TenantId};
use crate::rare::Rare;
use crate::state::job::LaneRef;
use crate::table::Slot;
use crate::time::{Span, Time};
use crate::view::View;

use super::party::{Between, Measure, Of, Party};
use super::{Group, JobShare, LaneOrder, Listed, Ranking, Rankings, Shares};

/// So many half-lives after the base, it is moved.
const REBASE_AFTER: f64 = 256.0;

impl<R: Rankings> Shares<R> {
    pub(super) fn list(&mut self, at: LaneRef, view: View<'_>) {
        let job = view.job(at);
        let slot = self.job_of(job.id, job.tenant, view);
        let tenant = self.rule.group_of(job.tenant);
        let share = &mut self.jobs[slot];
        share.lanes.push(at);
        let (key, conceded) = (share.party.key, take(&mut share.conceded, at.lane));
        let place = usize::from(view.lane(at).place);
        if self.top.len() <= place {
            self.top.resize_with(place + 1, Default::default);
        }
        let group = self.groups[tenant.index()].as_mut().expect("made with the job");
        if group.order.is_empty(place) {
            let conceded = take(&mut group.conceded, place);
            self.top[place].insert((group.party.key, u64::from(tenant.0)), tenant, conceded);
        }
        group.order.insert(key, at, conceded, view);
        group.listed += 1;
    }

    pub(super) fn unlist(&mut self, at: LaneRef, view: View<'_>) {
        let job = view.job(at);
        let slot = self.job_of(job.id, job.tenant, view);
        let tenant = self.rule.group_of(job.tenant);
        let share = &mut self.jobs[slot];
        share.lanes.remove(at);
        let place = usize::from(view.lane(at).place);
        let group = self.groups[tenant.index()].as_mut().expect("made with the job");
        let conceded = group.order.remove(share.party.key, at, view);
        keep(&mut share.conceded, at.lane, conceded);
        group.listed -= 1;
        if group.order.is_empty(place) {
            let conceded = self.top[place].remove((group.party.key, u64::from(tenant.0)), tenant);
            keep(&mut group.conceded, place, conceded);
        }
    }

    /// One who comes (back) starts where the others are now, not with the right to all they had meanwhile.
    pub(super) fn wake_up(&mut self, at: LaneRef, view: View<'_>) {
        if self.rule.measure != Measure::Dispatches {
            return;
        }
        let job = view.job(at);
        let slot = self.job_of(job.id, job.tenant, view);
        let tenant = self.rule.group_of(job.tenant);
        let pass = self.pass;
        let group = self.groups[tenant.index()].as_mut().expect("made with the job");
        let job_pass = group.pass;
        if group.listed == 0 {
            group.party.past.pass = group.party.past.pass.max(pass);
            self.rekey_group(tenant);
        }
        if self.jobs[slot].lanes.is_empty() {
            let party = &mut self.jobs[slot].party;
            party.past.pass = party.past.pass.max(job_pass);
            self.rekey_job(slot, view);
        }
    }

    pub(super) fn leased(&mut self, at: LaneRef, expected: Span, view: View<'_>) {
        self.rebase(view);
        let job = view.job(at);
        let slot = self.job_of(job.id, job.tenant, view);
        let time = self.time(|| expected.as_secs_f64(), view.now());
        self.dispatches += 1;
        let served = self.dispatches;
        let group = self.rule.group_of(job.tenant);
        let kept = self.groups[group.index()].as_mut().expect("made with the job");
        self.pass = kept.party.past.pass;
        kept.pass = self.jobs[slot].party.past.pass;
        for party in [&mut kept.party, &mut self.jobs[slot].party] {
            party.past.served = served;
            party.past.pass += 1.0 / party.weight;
            party.past.time += time;
        }
        self.run(slot, 1, view);
    }

    pub(super) fn ended(&mut self, at: LaneRef, time: f64, view: View<'_>) {
        let job = view.job(at);
        let slot = self.job_of(job.id, job.tenant, view);
        let group = self.rule.group_of(job.tenant);
        let kept = self.groups[group.index()].as_mut().expect("made with the job");
        for party in [&mut kept.party, &mut self.jobs[slot].party] {
            party.past.time = (party.past.time + time).max(0.0);
        }
        self.run(slot, -1, view);
    }

    /// So many more or fewer of a job's slots are running; its place in the order follows.
    pub(super) fn run(&mut self, slot: Slot<JobShare>, n: i64, view: View<'_>) {
        let group = self.rule.group_of(self.jobs[slot].tenant);
        let kept = self.groups[group.index()].as_mut().expect("made with the job");
        for party in [&mut kept.party, &mut self.jobs[slot].party] {
            party.running = u32::try_from(i64::from(party.running) + n).expect("slots are counted exactly");
        }
        self.rekey_group(group);
        self.rekey_job(slot, view);
    }

    pub(super) fn rekey_job(&mut self, slot: Slot<JobShare>, view: View<'_>) {
        let share = &self.jobs[slot];
        let (old, new) = (share.party.key, self.rule.key(&share.party));
        if old == new {
            return;
        }
        let tenant = self.rule.group_of(share.tenant);
        let group = self.groups[tenant.index()].as_mut().expect("made with the job");
        for lane in share.lanes.iter() {
            let conceded = group.order.remove(old, lane, view);
            group.order.insert(new, lane, conceded, view);
        }
        self.jobs[slot].party.key = new;
    }

    pub(super) fn rekey_group(&mut self, tenant: TenantId) {
        if self.rule.between == Between::Jobs {
            return; // One group alone has nobody to be compared with.
        }
        let group = self.groups[tenant.index()].as_mut().expect("made before");
        let (old, new) = (group.party.key, self.rule.key(&group.party));
        if old == new {
            return;
        }
        group.party.key = new;
        let number = u64::from(tenant.0);
        for (place, groups) in self.top.iter_mut().enumerate() {
            if !group.order.is_empty(place) {
                let conceded = groups.remove((old, number), tenant);
                groups.insert((new, number), tenant, conceded);
            }
        }
    }

    /// What so many seconds of worker-time at `at` count; nothing where time does not count.
    pub(super) fn time(&self, seconds: impl FnOnce() -> f64, at: Time) -> f64 {
        if self.rule.measure == Measure::Time { seconds() * self.scale(at) } else { 0.0 }
    }

    /// Two to the number of half-lives from the base to `at`.
    pub(super) fn scale(&self, at: Time) -> f64 {
        libm::exp2(self.rule.half_lives(self.base, at))
    }

    /// Keeps the numbers small: all shares are divided by the same, and the order stays.
    pub(super) fn rebase(&mut self, view: View<'_>) {
        if self.rule.measure != Measure::Time || self.rule.half_lives(self.base, view.now()) < REBASE_AFTER {
            return;
        }
        let factor = 1.0 / self.scale(view.now());
        self.base = view.now();
        self.each_party(view, |party, _| party.past.time *= factor);
    }

    pub(super) fn each_party(&mut self, view: View<'_>, mut change: impl FnMut(&mut Party, Of)) {
        for id in (0..self.groups.len()).map(|id| TenantId(u32::try_from(id).expect("ids have 32 bits"))) {
            if let Some(group) = self.groups[id.index()].as_mut() {
                change(&mut group.party, Of::Group(id));
                self.rekey_group(id);
            }
        }
        let slots: Vec<Slot<JobShare>> = self.jobs.unordered().map(|(slot, _)| slot).collect();
        for slot in slots {
            let job = self.jobs[slot].id;
            change(&mut self.jobs[slot].party, Of::Job(job));
            self.rekey_job(slot, view);
        }
    }

    pub(super) fn group(&mut self, id: TenantId, view: View<'_>) -> &mut Group<R::Lanes> {
        if self.groups.len() <= id.index() {
            self.groups.resize_with(id.index() + 1, || None);
        }
        let party = self.rule.party(Of::Group(id), view);
        self.groups[id.index()].get_or_insert_with(|| Group {
            party,
            order: LaneOrder::default(),
            listed: 0,
            pass: 0.0,
            conceded: Rare::default(),
        })
    }

    pub(super) fn job_of(&mut self, id: JobId, tenant: TenantId, view: View<'_>) -> Slot<JobShare> {
        if let Some(slot) = self.jobs.find(id) {
            return slot;
        }
        self.group(self.rule.group_of(tenant), view);
        let party = self.rule.party(Of::Job(id), view);
        self.jobs
            .insert(id, JobShare { id, tenant, party, lanes: Listed::default(), conceded: Rare::default() })
    }
}

/// Takes out what was kept under a name.
fn take<K: Copy + PartialEq + 'static>(kept: &mut Rare<Vec<(K, u32)>>, name: K) -> u32 {
    let at = kept.iter().position(|(known, _)| *known == name);
    at.map_or(0, |at| kept.swap_remove(at).1)
}

/// Keeps a number under a name, unless it is zero.
fn keep<K: 'static>(kept: &mut Rare<Vec<(K, u32)>>, name: K, conceded: u32) {
    if conceded > 0 {
        kept.push((name, conceded));
    }
}
