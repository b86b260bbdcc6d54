//! Shares: who has had how much, and who is next. What `fair`, `weighted-fair` and `worker-conscious` keep.
//!
//! Shares are counted between tenants and then between a tenant's jobs, or between jobs alone; in running slots, in
//! dispatches, or in worker-time with a half-life. Least share divided by weight goes first. Between jobs alone ties go to
//! the older job, as in the papers; else to whom was served longest ago, so that one worker alone serves all in turn.
//!
//! [`party`] says how one share is counted. Start at [`Shares::note`] and [`Shares::first`].

mod listed;
mod memory;
pub mod party;

use crate::ids::{JobId, TenantId};
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Change, Start, What};
use crate::rare::Rare;
use crate::state::job::LaneRef;
use crate::table::{Named, Slot, Table};
use crate::time::{Span, Time};
use crate::view::{Ask, View};

use super::order::{Found, LaneOrder};
use super::rank::{Plain, Rank, Ranking};
use listed::Listed;
use party::{Between, Measure, Of, Party, Rule};

/// What can be set in every policy that keeps shares.
pub const SETTINGS: [Setting; 3] = [
    Setting {
        name: "between",
        meaning: "Whose shares are compared: tenants (then a tenant's jobs), or jobs.",
        default: "tenants",
    },
    Setting {
        name: "share",
        meaning: "What a share is counted in: slots (running now), dispatches, or time (worker-time, fading).",
        default: "slots",
    },
    Setting {
        name: "half_life",
        meaning: "With share = time: after so long, past worker-time counts half.",
        default: "1 h",
    },
];

/// Which rankings are used: plain ones, or such as count concessions.
pub trait Rankings: std::fmt::Debug + Send {
    /// Of lanes.
    type Lanes: Ranking<LaneRef>;
    /// Of tenants.
    type Tenants: Ranking<TenantId>;
}

/// Rankings that know no concessions.
#[derive(Debug)]
pub struct WithoutConcessions;

impl Rankings for WithoutConcessions {
    type Lanes = Plain<LaneRef>;
    type Tenants = Plain<TenantId>;
}

#[derive(Debug)]
pub(super) struct JobShare {
    id: JobId,
    tenant: TenantId,
    party: Party,
    /// Its listed lanes.
    lanes: Listed,
    /// What its lanes that are not listed have conceded, if anything.
    conceded: Rare<Vec<(u16, u32)>>,
}

impl Named for JobShare {
    type Id = JobId;
    fn id(&self) -> JobId {
        self.id
    }
}

/// A tenant, or all jobs together.
#[derive(Debug)]
pub(super) struct Group<L> {
    party: Party,
    pub(super) order: LaneOrder<L>,
    listed: u32,
    /// The pass of the job last served.
    pass: f64,
    /// What it has conceded in apps of which it has no lane now, if anything.
    conceded: Rare<Vec<(usize, u32)>>,
}

impl<L> Group<L> {
    /// What it has conceded in apps of which it has no lane now is forgotten.
    pub(super) fn forgive(&mut self) {
        self.conceded.clear();
    }
}

/// The shares of a pool.
#[derive(Debug)]
pub struct Shares<R: Rankings = WithoutConcessions> {
    rule: Rule,
    jobs: Table<JobId, JobShare>,
    groups: Vec<Option<Group<R::Lanes>>>,
    /// For each app of the pool, the groups that have lanes of it.
    top: Vec<R::Tenants>,
    dispatches: u64,
    base: Time,
    pass: f64,
}

/// So many half-lives after the base, it is moved.
const REBASE_AFTER: f64 = 256.0;

impl<R: Rankings> Shares<R> {
    /// Starts from the pool as it is and, if there is one, the memory.
    pub fn start(start: &Start<'_>, reader: &Reader<'_>, weighted: bool) -> Result<Self, SettingError> {
        let mut shares = Self {
            rule: Rule::read(reader, weighted)?,
            jobs: Table::default(),
            groups: Vec::new(),
            top: Vec::new(),
            dispatches: 0,
            base: start.view.now(),
            pass: 0.0,
        };
        shares.recall(start)?;
        for lane in start.view.lanes() {
            shares.take_up(lane, start.view);
        }
        if start.memory.is_none() {
            shares.charge_running(start.view);
        }
        Ok(shares)
    }

    /// Leases given before the policy was there are charged by expectation, as they will be corrected.
    fn charge_running(&mut self, view: View<'_>) {
        for lease in view.workers().filter_map(|worker| worker.lease.as_ref()) {
            let at = lease.at.0;
            let job = view.job(at);
            let slot = self.job_of(job.id, job.tenant, view);
            let time = self.time(|| lease.expected.as_secs_f64(), lease.granted);
            let group = self.rule.group_of(job.tenant);
            let kept = self.groups[group.index()].as_mut().expect("made with the job");
            kept.party.past.time += time;
            self.jobs[slot].party.past.time += time;
            self.rekey_group(group);
            self.rekey_job(slot, view);
        }
    }

    /// Counts a lane that was there before the policy.
    fn take_up(&mut self, at: LaneRef, view: View<'_>) {
        let (lane, job) = (view.lane(at), view.job(at));
        if lane.listed || lane.running > 0 {
            let slot = self.job_of(job.id, job.tenant, view);
            self.run(slot, i64::from(lane.running), view);
        }
        if lane.listed {
            self.list(at, view);
        }
    }

    /// Something changed in the pool.
    pub fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => {
                self.wake_up(lane, view);
                self.list(lane, view);
            }
            What::Unlisted(lane) => self.unlist(lane, view),
            What::Leased { lane, expected, .. } => self.leased(lane, expected, view),
            What::Ended { lane, granted, held, expected, .. } => {
                let correction = || held.as_secs_f64() - expected.as_secs_f64();
                self.ended(lane, self.time(correction, granted), view);
            }
            What::JobClosed { job, .. } => {
                self.jobs.remove(job);
            }
            What::Changed => {
                let rule = self.rule;
                self.each_party(view, |party, of| party.weight = rule.weight(of, view));
            }
            What::Reweighted(job) => self.reweigh(job, view),
            What::Resized(_) | What::Joined(_) | What::Idle(_) | What::NotIdle { .. } => {}
        }
    }

    fn reweigh(&mut self, job: JobId, view: View<'_>) {
        if let Some(slot) = self.jobs.find(job) {
            self.jobs[slot].party.weight = self.rule.weight(Of::Job(job), view);
            self.rekey_job(slot, view);
        }
    }

    /// The lane of least share that has something for the worker.
    #[must_use]
    pub fn first(&self, ask: &Ask<'_>) -> Option<Found> {
        let tops = self.tops(ask).filter_map(Ranking::first);
        let (_, tenant) = tops.min_by_key(|(rank, _)| *rank)?;
        self.first_of(tenant, ask).or_else(|| {
            let mut rest: Vec<(Rank, TenantId)> = self.tops(ask).flat_map(Ranking::iter).collect();
            rest.sort_unstable();
            rest.into_iter().find_map(|(_, tenant)| self.first_of(tenant, ask))
        })
    }

    /// The lane of least share of one tenant (or of all jobs) that has something for the worker.
    pub(super) fn first_of(&self, tenant: TenantId, ask: &Ask<'_>) -> Option<Found> {
        self.groups.get(tenant.index())?.as_ref()?.order.first(ask)
    }

    /// The rankings of tenants in the apps that the worker may do.
    pub(super) fn tops<'a>(&'a self, ask: &'a Ask<'_>) -> impl Iterator<Item = &'a R::Tenants> {
        (0..).zip(&self.top).filter(|(place, _)| ask.may(*place)).map(|(_, groups)| groups)
    }

    pub(super) fn tops_mut(&mut self) -> &mut [R::Tenants] {
        &mut self.top
    }

    /// In whose ranking a tenant's lanes stand.
    pub(super) fn group_id(&self, tenant: TenantId) -> TenantId {
        self.rule.group_of(tenant)
    }

    pub(super) fn group_at(&self, id: TenantId) -> Option<&Group<R::Lanes>> {
        self.groups.get(id.index()).and_then(Option::as_ref)
    }

    pub(super) fn group_at_mut(&mut self, id: TenantId) -> Option<&mut Group<R::Lanes>> {
        self.groups.get_mut(id.index()).and_then(Option::as_mut)
    }

    /// Where a tenant stands among tenants.
    pub(super) fn group_rank(&self, id: TenantId) -> Option<Rank> {
        self.group_at(id).map(|group| (group.party.key, u64::from(id.0)))
    }

    /// Where a lane stands (or would stand) among its tenant's lanes.
    pub(super) fn rank(&self, at: LaneRef, view: View<'_>) -> Option<Rank> {
        let slot = self.jobs.find(view.job(at).id)?;
        Some((self.jobs[slot].party.key, view.lane(at).seq))
    }

    /// The listed lanes of a job.
    pub(super) fn listed_lanes(&self, job: JobId) -> impl Iterator<Item = LaneRef> {
        self.jobs.find(job).into_iter().flat_map(|slot| self.jobs[slot].lanes.iter())
    }

    /// The share of a lane's job and how often the lane has conceded.
    pub(super) fn figures(&self, at: LaneRef, view: View<'_>) -> Option<(f64, u32)> {
        let job = view.job(at);
        let slot = self.jobs.find(job.id)?;
        let share = &self.jobs[slot];
        let rank = (share.party.key, view.lane(at).seq);
        let group = self.group_at(self.rule.group_of(job.tenant))?;
        let conceded = if share.lanes.contains(at) {
            group.order.app(usize::from(view.lane(at).place)).map_or(0, |lanes| lanes.conceded(rank))
        } else {
            share.conceded.iter().find(|(lane, _)| *lane == at.lane).map_or(0, |(_, n)| *n)
        };
        Some((f64::from_bits(share.party.key.0), conceded))
    }

    /// How often a listed lane that was found has conceded.
    pub(super) fn conceded(&self, found: &Found, view: View<'_>) -> u32 {
        let group = self.group_at(self.rule.group_of(view.job(found.lane).tenant));
        let lanes = group.and_then(|group| group.order.app(usize::from(view.lane(found.lane).place)));
        lanes.map_or(0, |lanes| lanes.conceded(found.rank))
    }

    fn list(&mut self, at: LaneRef, view: View<'_>) {
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

    fn unlist(&mut self, at: LaneRef, view: View<'_>) {
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
    fn wake_up(&mut self, at: LaneRef, view: View<'_>) {
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

    fn leased(&mut self, at: LaneRef, expected: Span, view: View<'_>) {
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

    fn ended(&mut self, at: LaneRef, time: f64, view: View<'_>) {
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
    fn run(&mut self, slot: Slot<JobShare>, n: i64, view: View<'_>) {
        let group = self.rule.group_of(self.jobs[slot].tenant);
        let kept = self.groups[group.index()].as_mut().expect("made with the job");
        for party in [&mut kept.party, &mut self.jobs[slot].party] {
            party.running = u32::try_from(i64::from(party.running) + n).expect("slots are counted exactly");
        }
        self.rekey_group(group);
        self.rekey_job(slot, view);
    }

    fn rekey_job(&mut self, slot: Slot<JobShare>, view: View<'_>) {
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

    fn rekey_group(&mut self, tenant: TenantId) {
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
    fn time(&self, seconds: impl FnOnce() -> f64, at: Time) -> f64 {
        if self.rule.measure == Measure::Time { seconds() * self.scale(at) } else { 0.0 }
    }

    /// Two to the number of half-lives from the base to `at`.
    fn scale(&self, at: Time) -> f64 {
        libm::exp2(self.rule.half_lives(self.base, at))
    }

    /// Keeps the numbers small: all shares are divided by the same, and the order stays.
    fn rebase(&mut self, view: View<'_>) {
        if self.rule.measure != Measure::Time || self.rule.half_lives(self.base, view.now()) < REBASE_AFTER {
            return;
        }
        let factor = 1.0 / self.scale(view.now());
        self.base = view.now();
        self.each_party(view, |party, _| party.past.time *= factor);
    }

    fn each_party(&mut self, view: View<'_>, mut change: impl FnMut(&mut Party, Of)) {
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

    fn group(&mut self, id: TenantId, view: View<'_>) -> &mut Group<R::Lanes> {
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

    fn job_of(&mut self, id: JobId, tenant: TenantId, view: View<'_>) -> Slot<JobShare> {
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
