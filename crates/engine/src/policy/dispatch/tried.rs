//! Which jobs may hold nothing for a worker although they have open work: those of which it had one of several slots, or
//! skipped a task. A hint, wider than the truth; derived from the jobs, so it is no memory.

use std::collections::BTreeSet;

use crate::ids::{JobId, WorkerId};
use crate::policy::{Change, What};
use crate::view::View;

/// Pairs of worker and job, both ways round.
#[derive(Debug, Default)]
pub(super) struct Tried {
    by_worker: BTreeSet<(WorkerId, JobId)>,
    by_job: BTreeSet<(JobId, WorkerId)>,
}

impl Tried {
    pub(super) fn start(view: View<'_>) -> Self {
        let mut tried = Self::default();
        for lane in view.lanes() {
            let job = view.job(lane);
            for (_, worker) in job.touched.iter() {
                tried.add(*worker, job.id);
            }
        }
        tried
    }

    fn add(&mut self, worker: WorkerId, job: JobId) {
        self.by_worker.insert((worker, job));
        self.by_job.insert((job, worker));
    }

    pub(super) fn jobs_of(&self, worker: WorkerId) -> impl Iterator<Item = JobId> + '_ {
        let all = (worker, JobId(0))..=(worker, JobId(u64::MAX));
        self.by_worker.range(all).map(|(_, job)| *job)
    }

    pub(super) fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Leased { lane, worker, .. } if view.job(lane).slots > 1 => {
                self.add(view.state.worker_at(worker).id, view.job(lane).id);
            }
            What::Ended { lane, worker, skipped: true, .. } => self.add(worker, view.job(lane).id),
            What::JobClosed { job, .. } => {
                let all = (job, WorkerId(0))..=(job, WorkerId(u32::MAX));
                let gone: Vec<(JobId, WorkerId)> = self.by_job.range(all).copied().collect();
                for (job, worker) in gone {
                    self.by_job.remove(&(job, worker));
                    self.by_worker.remove(&(worker, job));
                }
            }
            _ => {}
        }
    }
}
