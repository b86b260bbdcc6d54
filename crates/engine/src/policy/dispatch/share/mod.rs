//! Shares: who has had how much, and who is next. What `fair`, `weighted-fair` and `worker-conscious` keep.
//!
//! Shares are counted between tenants and then between a tenant's jobs, or between jobs alone; in running slots, in
//! dispatches, or in worker-time with a half-life. Least share divided by weight goes first. Between jobs alone ties go to
//! the older job, as in the papers; else to whom was served longest ago, so that one worker alone serves all in turn.
//!
//! [`party`] says how one share is counted. Start at [`Shares::note`] and [`Shares::first`].

mod count;
mod listed;
mod memory;
pub mod party;

use crate::ids::{JobId, TenantId};
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Change, Start, What};
use crate::rare::Rare;
use crate::state::job::LaneRef;
use crate::table::{Named, Table};
use crate::time::Time;
use crate::view::{Ask, View};

use super::order::{Found, LaneOrder};
use super::rank::{Plain, Rank, Ranking};
use listed::Listed;
use party::{Of, Party, Rule};

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
}
