//! Shares: who has had how much, and who is next. What `fair`, `weighted-fair` and `worker-conscious` keep.
//!
//! Shares are counted between tenants and then between a tenant's jobs, or between jobs alone; in running slots, in
//! dispatches, or in worker-time with a half-life. Least share divided by weight goes first. Between jobs alone ties go to
//! the older job, as in the papers; else to whom was served longest ago, so that one worker alone serves all in turn.
//!
//! Keys are non-negative floating-point numbers compared by their bits. For running slots that is exact: with slots below
//! 2^31 and weights up to 10^6, two different fractions differ by more than the rounding of a division.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::ids::{JobId, TenantId};
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Change, Start, What, remember};
use crate::state::job::LaneRef;
use crate::table::{Named, Slot, Table};
use crate::time::{Span, Time};
use crate::view::{Ask, View};

use super::order::LaneOrder;

/// What can be set in every policy that keeps shares.
pub const SETTINGS: &[Setting] = &[
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

/// Whose shares are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Tenants, then a tenant's jobs.
    Tenants,
    /// Jobs alone.
    Jobs,
}

/// What a share is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Running slots.
    Slots,
    /// Dispatches.
    Dispatches,
    /// Worker-time, fading.
    Time,
}

/// How shares are kept.
#[derive(Clone, Copy, Debug)]
struct Rule {
    between: Between,
    measure: Measure,
    half_life: Span,
    weighted: bool,
}

/// What a share divided by weight is, in bits that compare; then who was served longest ago.
pub type Key = (u64, u64);

/// The part of a party that cannot be seen from the pool.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Past {
    /// Dispatches divided by weight, from where the others were when it came.
    pass: f64,
    /// Worker-time in seconds, times two to the number of half-lives from the base to when it was spent.
    time: f64,
    /// When it was last served, as a count of dispatches.
    served: u64,
}

/// One who has a share.
#[derive(Clone, Copy, Debug)]
struct Party {
    past: Past,
    running: u32,
    weight: f64,
    key: Key,
}

#[derive(Debug)]
struct JobShare {
    id: JobId,
    tenant: TenantId,
    party: Party,
    lanes: Vec<LaneRef>,
}

impl Named for JobShare {
    type Id = JobId;
    fn id(&self) -> JobId {
        self.id
    }
}

/// A tenant, or all jobs together.
#[derive(Debug)]
struct Group {
    party: Party,
    order: LaneOrder<Key>,
    listed: u32,
    /// The pass of the job last served.
    pass: f64,
}

/// The shares of a pool.
#[derive(Debug)]
pub struct Shares {
    rule: Rule,
    jobs: Table<JobId, JobShare>,
    groups: Vec<Option<Group>>,
    /// For each app of the pool, the groups that have lanes of it.
    top: Vec<BTreeSet<(Key, TenantId)>>,
    dispatches: u64,
    base: Time,
    pass: f64,
}

#[derive(Serialize, Deserialize)]
struct Memory {
    dispatches: u64,
    base: Time,
    pass: f64,
    groups: Vec<(TenantId, Past, f64)>,
    jobs: Vec<(JobId, Past)>,
}

/// So many half-lives after the base, it is moved.
const REBASE_AFTER: f64 = 256.0;

impl Shares {
    /// Starts from the pool as it is and, if there is one, the memory.
    pub fn start(start: &Start<'_>, reader: &Reader<'_>, weighted: bool) -> Result<Self, SettingError> {
        let rule = Rule {
            between: reader.word("between", &[("tenants", Between::Tenants), ("jobs", Between::Jobs)])?,
            measure: reader.word(
                "share",
                &[("slots", Measure::Slots), ("dispatches", Measure::Dispatches), ("time", Measure::Time)],
            )?,
            half_life: reader.span("half_life", Span::from_hours(1))?,
            weighted,
        };
        let mut shares = Self {
            rule,
            jobs: Table::default(),
            groups: Vec::new(),
            top: Vec::new(),
            dispatches: 0,
            base: start.view.now(),
            pass: 0.0,
        };
        if let Some(memory) = start.recall::<Memory>()? {
            shares.restore(memory, start.view);
        }
        for lane in start.view.lanes() {
            shares.take_up(lane, start.view);
        }
        Ok(shares)
    }

    fn restore(&mut self, memory: Memory, view: View<'_>) {
        (self.dispatches, self.base, self.pass) = (memory.dispatches, memory.base, memory.pass);
        for (tenant, past, pass) in memory.groups {
            let group = self.group(tenant, view);
            group.party.past = past;
            group.pass = pass;
            self.rekey_group(tenant);
        }
        for (job, past) in memory.jobs {
            if let Some(kept) = view.state.job(job) {
                let slot = self.job_of(job, kept.tenant, view);
                self.jobs[slot].party.past = past;
                self.rekey_job(slot, view);
            }
        }
    }

    /// Counts a lane that was there before the policy.
    fn take_up(&mut self, at: LaneRef, view: View<'_>) {
        let (lane, job) = (view.lane(at), view.job(at));
        if lane.listed || lane.running > 0 {
            let slot = self.job_of(job.id, job.tenant, view);
            self.run(slot, job.tenant, i64::from(lane.running), view);
        }
        if lane.listed {
            self.list(at, view);
        }
    }

    /// What it remembers.
    #[must_use]
    pub fn memory(&self) -> Vec<u8> {
        let mut jobs: Vec<(JobId, Past)> =
            self.jobs.unordered().map(|(_, job)| (job.id, job.party.past)).collect();
        jobs.sort_unstable_by_key(|(id, _)| *id);
        let groups = (0..).zip(&self.groups);
        let groups = groups.filter_map(|(id, group)| {
            group.as_ref().map(|group| (TenantId(id), group.party.past, group.pass))
        });
        remember(&Memory {
            dispatches: self.dispatches,
            base: self.base,
            pass: self.pass,
            groups: groups.collect(),
            jobs,
        })
    }

    /// Something changed in the pool.
    pub fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => self.list(lane, view),
            What::Unlisted(lane) => self.unlist(lane, view),
            What::Leased { lane, tenant, expected, .. } => self.leased(lane, tenant, expected, view),
            What::Ended { lane, tenant, granted, held, expected, .. } => {
                let correction = held.as_secs_f64() - expected.as_secs_f64();
                self.ended(lane, tenant, correction * self.scale(granted), view);
            }
            What::JobClosed { job, .. } => {
                self.jobs.remove(job);
            }
            What::Changed => self.reweigh(view),
            What::Idle(_) | What::NotIdle { .. } => {}
        }
    }

    /// The lane of least share that has something for the worker, and the task.
    #[must_use]
    pub fn first(&self, ask: &Ask<'_>) -> Option<(LaneRef, u32)> {
        let (_, tenant) = self.tops(ask).min()?;
        let in_group = |tenant: TenantId| {
            let group = self.groups[tenant.index()].as_ref()?;
            group.order.first(ask).map(|(_, lane, task)| (lane, task))
        };
        in_group(tenant).or_else(|| {
            let places = (0..self.top.len()).filter(|place| ask.may(*place));
            let rest: BTreeSet<(Key, TenantId)> =
                places.flat_map(|place| self.top[place].iter().copied()).collect();
            rest.into_iter().find_map(|(_, tenant)| in_group(tenant))
        })
    }

    fn tops(&self, ask: &Ask<'_>) -> impl Iterator<Item = (Key, TenantId)> {
        let apps = (0..).zip(&self.top).filter(|(place, _)| ask.may(*place));
        apps.filter_map(|(_, groups)| groups.first().copied())
    }

    fn list(&mut self, at: LaneRef, view: View<'_>) {
        let job = view.job(at);
        let slot = self.job_of(job.id, job.tenant, view);
        self.wake_up(slot, view);
        let tenant = self.group_of(job.tenant);
        let key = self.jobs[slot].party.key;
        self.jobs[slot].lanes.push(at);
        let place = usize::from(view.lane(at).place);
        let group = self.groups[tenant.index()].as_mut().expect("made with the job");
        if group.order.is_empty(place) {
            if self.top.len() <= place {
                self.top.resize_with(place + 1, BTreeSet::new);
            }
            self.top[place].insert((group.party.key, tenant));
        }
        group.order.insert(key, at, view);
        group.listed += 1;
    }

    /// One who comes (back) starts where the others are now, not with the right to all they had meanwhile.
    fn wake_up(&mut self, slot: Slot<JobShare>, view: View<'_>) {
        if self.rule.measure != Measure::Dispatches {
            return;
        }
        let tenant = self.group_of(self.jobs[slot].tenant);
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

    fn unlist(&mut self, at: LaneRef, view: View<'_>) {
        let job = view.job(at);
        let slot = self.job_of(job.id, job.tenant, view);
        let tenant = self.group_of(job.tenant);
        let share = &mut self.jobs[slot];
        share.lanes.retain(|lane| *lane != at);
        let key = share.party.key;
        let place = usize::from(view.lane(at).place);
        let group = self.groups[tenant.index()].as_mut().expect("made with the job");
        group.order.remove(key, at, view);
        group.listed -= 1;
        if group.order.is_empty(place) {
            self.top[place].remove(&(group.party.key, tenant));
        }
    }

    fn leased(&mut self, at: LaneRef, tenant: TenantId, expected: Span, view: View<'_>) {
        self.rebase(view);
        let slot = self.job_of(view.job(at).id, tenant, view);
        let time = expected.as_secs_f64() * self.scale(view.now());
        self.dispatches += 1;
        let served = self.dispatches;
        let group = self.group_of(tenant);
        let kept = self.groups[group.index()].as_mut().expect("made with the job");
        self.pass = kept.party.past.pass;
        kept.pass = self.jobs[slot].party.past.pass;
        for party in [&mut kept.party, &mut self.jobs[slot].party] {
            party.past.served = served;
            party.past.pass += 1.0 / party.weight;
            party.past.time += time;
        }
        self.run(slot, tenant, 1, view);
    }

    fn ended(&mut self, at: LaneRef, tenant: TenantId, time: f64, view: View<'_>) {
        let slot = self.job_of(view.job(at).id, tenant, view);
        let group = self.group_of(tenant);
        let kept = self.groups[group.index()].as_mut().expect("made with the job");
        for party in [&mut kept.party, &mut self.jobs[slot].party] {
            party.past.time = (party.past.time + time).max(0.0);
        }
        self.run(slot, tenant, -1, view);
    }

    /// So many more or fewer of a job's slots are running; its place in the order follows.
    fn run(&mut self, slot: Slot<JobShare>, tenant: TenantId, n: i64, view: View<'_>) {
        let group = self.group_of(tenant);
        let kept = self.groups[group.index()].as_mut().expect("made with the job");
        for party in [&mut kept.party, &mut self.jobs[slot].party] {
            party.running = u32::try_from(i64::from(party.running) + n).expect("slots are counted exactly");
        }
        self.rekey_group(group);
        self.rekey_job(slot, view);
    }

    fn rekey_job(&mut self, slot: Slot<JobShare>, view: View<'_>) {
        let share = &self.jobs[slot];
        let (old, new) = (share.party.key, self.key(&share.party));
        if old == new {
            return;
        }
        let tenant = self.group_of(share.tenant);
        let group = self.groups[tenant.index()].as_mut().expect("made with the job");
        for lane in &share.lanes {
            group.order.remove(old, *lane, view);
            group.order.insert(new, *lane, view);
        }
        self.jobs[slot].party.key = new;
    }

    fn rekey_group(&mut self, tenant: TenantId) {
        if self.rule.between == Between::Jobs {
            return; // One group alone has nobody to be compared with.
        }
        let group = self.groups[tenant.index()].as_ref().expect("made before");
        let (old, new) = (group.party.key, self.key(&group.party));
        if old == new {
            return;
        }
        for (place, groups) in self.top.iter_mut().enumerate() {
            if !group.order.is_empty(place) {
                groups.remove(&(old, tenant));
                groups.insert((new, tenant));
            }
        }
        self.groups[tenant.index()].as_mut().expect("made before").party.key = new;
    }

    fn key(&self, party: &Party) -> Key {
        let share = match self.rule.measure {
            Measure::Slots => f64::from(party.running) / party.weight,
            Measure::Dispatches => party.past.pass,
            Measure::Time => party.past.time / party.weight,
        };
        let tie = if self.rule.between == Between::Jobs { 0 } else { party.past.served };
        (share.to_bits(), tie)
    }

    /// Two to the number of half-lives from the base to `at`.
    fn scale(&self, at: Time) -> f64 {
        if self.rule.measure != Measure::Time {
            return 0.0;
        }
        let elapsed = at.0 as f64 - self.base.0 as f64;
        libm::exp2(elapsed / self.rule.half_life.0 as f64)
    }

    /// Keeps the numbers small: all shares are divided by the same, and the order stays.
    fn rebase(&mut self, view: View<'_>) {
        let elapsed = view.now().since(self.base).0 as f64 / self.rule.half_life.0 as f64;
        if self.rule.measure != Measure::Time || elapsed < REBASE_AFTER {
            return;
        }
        let factor = 1.0 / self.scale(view.now());
        self.base = view.now();
        self.each_party(view, |party, _| party.past.time *= factor);
    }

    fn reweigh(&mut self, view: View<'_>) {
        let rule = self.rule;
        self.each_party(view, |party, of| party.weight = weight(rule, of, view));
    }

    fn each_party(&mut self, view: View<'_>, mut change: impl FnMut(&mut Party, Of)) {
        for (id, group) in (0..).zip(&mut self.groups) {
            if let Some(group) = group {
                change(&mut group.party, Of::Group(TenantId(id)));
            }
        }
        let tenants: Vec<TenantId> =
            (0..).zip(&self.groups).filter(|(_, g)| g.is_some()).map(|(id, _)| TenantId(id)).collect();
        tenants.into_iter().for_each(|tenant| self.rekey_group(tenant));
        let slots: Vec<Slot<JobShare>> = self.jobs.unordered().map(|(slot, _)| slot).collect();
        for slot in slots {
            let job = self.jobs[slot].id;
            change(&mut self.jobs[slot].party, Of::Job(job));
            self.rekey_job(slot, view);
        }
    }

    fn group_of(&self, tenant: TenantId) -> TenantId {
        if self.rule.between == Between::Jobs { TenantId(0) } else { tenant }
    }

    fn group(&mut self, id: TenantId, view: View<'_>) -> &mut Group {
        if self.groups.len() <= id.index() {
            self.groups.resize_with(id.index() + 1, || None);
        }
        let party = self.new_party(Of::Group(id), view);
        self.groups[id.index()].get_or_insert_with(|| Group {
            party,
            order: LaneOrder::default(),
            listed: 0,
            pass: 0.0,
        })
    }

    fn job_of(&mut self, id: JobId, tenant: TenantId, view: View<'_>) -> Slot<JobShare> {
        if let Some(slot) = self.jobs.find(id) {
            return slot;
        }
        self.group(self.group_of(tenant), view);
        let party = self.new_party(Of::Job(id), view);
        self.jobs.insert(id, JobShare { id, tenant, party, lanes: Vec::new() })
    }

    fn new_party(&self, of: Of, view: View<'_>) -> Party {
        let mut party =
            Party { past: Past::default(), running: 0, weight: weight(self.rule, of, view), key: (0, 0) };
        party.key = self.key(&party);
        party
    }
}

/// Whose weight.
#[derive(Clone, Copy)]
enum Of {
    Group(TenantId),
    Job(JobId),
}

/// A tenant's weight, a job's priority; between jobs alone, both.
fn weight(rule: Rule, of: Of, view: View<'_>) -> f64 {
    let tenant = |id: TenantId| view.state.tenant(id).map_or(1.0, |tenant| f64::from(tenant.weight));
    if !rule.weighted {
        return 1.0;
    }
    match (of, rule.between) {
        (Of::Group(_), Between::Jobs) => 1.0,
        (Of::Group(id), Between::Tenants) => tenant(id),
        (Of::Job(id), between) => view.state.job(id).map_or(1.0, |job| {
            let own = f64::from(job.priority);
            if between == Between::Jobs { own * tenant(job.tenant) } else { own }
        }),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn fractions_of_slots_and_weights_compare_exactly_as_floats() {
        let mut random = 88_u64;
        let mut next = |most: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 20) % most
        };
        for _ in 0..200_000 {
            let (a, b) = (next(1 << 31), 1 + next(1_000_000));
            // Near misses and exact multiples are what could go wrong.
            let (c, d) = match next(3) {
                0 => (a + next(3), b + next(3)),
                1 => (a / 3 * 2, (b / 3 * 2).max(1)),
                _ => (next(1 << 31), 1 + next(1_000_000)),
            };
            let exact = (u128::from(a) * u128::from(d)).cmp(&(u128::from(c) * u128::from(b)));
            let float = (a as f64 / b as f64).to_bits().cmp(&(c as f64 / d as f64).to_bits());
            assert_eq!(exact, float, "{a}/{b} against {c}/{d}");
        }
    }
}
