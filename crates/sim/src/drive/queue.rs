//! Who waits since when: for waiting times, and for Little's law, which must hold to the nanosecond on every run.
//!
//! A slot waits from when it opens until it is leased, filled by a late answer, or no longer wanted. It may open again.
//! The sum of all these waits must be the area under the queues. Start at [`Reopened`].

use std::collections::BTreeMap;

use muster_engine::Time;
use muster_engine::ids::TaskId;
use muster_engine::state::State;
use muster_engine::state::job::{Job, TaskState};

/// Slots that opened again, and when.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reopened(BTreeMap<TaskId, Vec<Time>>);

impl Reopened {
    pub(crate) fn put(&mut self, task: TaskId, at: Time) {
        self.0.entry(task).or_default().push(at);
    }

    /// One of a task's slots leaves the queue: since when it was open again, if it was.
    #[inline]
    pub(crate) fn take(&mut self, task: TaskId) -> Option<Time> {
        if self.0.is_empty() {
            return None;
        }
        let times = self.0.get_mut(&task)?;
        let at = times.pop();
        if times.is_empty() {
            self.0.remove(&task);
        }
        at
    }

    fn of(&self, task: TaskId) -> &[Time] {
        self.0.get(&task).map_or(&[], Vec::as_slice)
    }

    /// What all slots that still wait have waited until now, in nanoseconds, and how many they are.
    pub(crate) fn still_waiting(&self, state: &State, now: Time) -> (u128, u64) {
        let jobs = state.jobs();
        let slots = jobs.iter().flat_map(|job| self.open_since(job));
        slots.fold((0, 0), |(sum, n), since| (sum + u128::from(now.since(since).0), n + 1))
    }

    /// Since when each open slot of a job waits.
    fn open_since(&self, job: &Job) -> Vec<Time> {
        let mut all = Vec::new();
        for (index, task) in job.tasks().iter().enumerate().filter(|(_, task)| task.state == TaskState::Open)
        {
            let index = index as u32;
            let open = usize::from(job.slots.saturating_sub(task.leased).saturating_sub(task.answered));
            let again = self.of(job.task_id(index));
            assert!(again.len() <= open, "{} has {open} open slots, {again:?} again", job.task_id(index));
            all.extend_from_slice(again);
            all.resize(all.len() + open - again.len(), job.opened(index));
        }
        all
    }
}
