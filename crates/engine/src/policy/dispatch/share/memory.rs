//! What shares remember beyond what can be seen in the pool, and starting from it again.

use serde::{Deserialize, Serialize};

use crate::ids::{JobId, TenantId};
use crate::policy::settings::SettingError;
use crate::policy::{Start, remember};
use crate::time::Time;
use crate::view::View;

use super::party::Past;
use super::{Group, JobShare, Ranking, Rankings, Shares};

#[derive(Serialize, Deserialize)]
struct Memory {
    dispatches: u64,
    base: Time,
    pass: f64,
    groups: Vec<GroupMemory>,
    jobs: Vec<JobMemory>,
}

#[derive(Serialize, Deserialize)]
struct JobMemory {
    id: JobId,
    past: Past,
    conceded: Vec<(u16, u32)>,
}

#[derive(Serialize, Deserialize)]
struct GroupMemory {
    id: TenantId,
    past: Past,
    pass: f64,
    conceded: Vec<(usize, u32)>,
}

impl<R: Rankings> Shares<R> {
    /// What it remembers, always the same bytes for the same memory.
    #[must_use]
    pub fn memory(&self, view: View<'_>) -> Vec<u8> {
        let mut jobs: Vec<JobMemory> = self
            .jobs
            .unordered()
            .map(|(_, job)| JobMemory {
                id: job.id,
                past: job.party.past,
                conceded: self.job_concessions(job, view),
            })
            .collect();
        jobs.sort_unstable_by_key(|job| job.id);
        let groups = (0..).map(TenantId).zip(&self.groups);
        let groups =
            groups.filter_map(|(id, group)| group.as_ref().map(|group| self.group_memory(id, group)));
        remember(&Memory {
            dispatches: self.dispatches,
            base: self.base,
            pass: self.pass,
            groups: groups.collect(),
            jobs,
        })
    }

    fn job_concessions(&self, job: &JobShare, view: View<'_>) -> Vec<(u16, u32)> {
        let mut conceded = job.conceded.to_vec();
        for at in job.lanes.iter() {
            conceded.extend(self.figures(at, view).map(|(_, n)| (at.lane, n)));
        }
        conceded.retain(|(_, n)| *n > 0);
        conceded.sort_unstable();
        conceded
    }

    fn group_memory(&self, id: TenantId, group: &Group<R::Lanes>) -> GroupMemory {
        let mut conceded = group.conceded.to_vec();
        let rank = (group.party.key, u64::from(id.0));
        let listed = (0..).zip(&self.top).filter(|(place, _)| !group.order.is_empty(*place));
        conceded.extend(listed.map(|(place, groups)| (place, groups.conceded(rank))));
        conceded.retain(|(_, n)| *n > 0);
        conceded.sort_unstable();
        GroupMemory { id, past: group.party.past, pass: group.pass, conceded }
    }

    /// Takes up what was remembered, before the lanes of the pool are listed.
    pub(super) fn recall(&mut self, start: &Start<'_>) -> Result<(), SettingError> {
        let Some(memory) = start.recall::<Memory>()? else { return Ok(()) };
        (self.dispatches, self.base, self.pass) = (memory.dispatches, memory.base, memory.pass);
        for kept in memory.groups {
            let group = self.group(kept.id, start.view);
            (group.party.past, group.pass, group.conceded) = (kept.past, kept.pass, kept.conceded.into());
            self.rekey_group(kept.id);
        }
        for JobMemory { id, past, conceded } in memory.jobs {
            if let Some(job) = start.view.state.job(id) {
                let slot = self.job_of(id, job.tenant, start.view);
                self.jobs[slot].party.past = past;
                self.jobs[slot].conceded = conceded.into();
                self.rekey_job(slot, start.view);
            }
        }
        Ok(())
    }
}
