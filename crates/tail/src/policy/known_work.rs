//! tail-control with known work: a request that is large by its caller's word never runs on more than one core.
//! A request of unknown work is watched as tail-control watches it.

use super::{Finished, Goal, Load, Progress, Serialise, TailControl, TailPolicy};

/// [`TailControl`] for callers who know how much work a request brings.
#[derive(Debug)]
pub struct KnownWork(pub TailControl);

impl TailPolicy for KnownWork {
    fn name(&self) -> &str {
        "known-work"
    }
    fn serialise(&self) -> Serialise {
        self.0.serialise()
    }
    fn watches(&self) -> bool {
        true
    }
    fn is_large(&self, load: &Load, request: &Progress) -> bool {
        request.work_known.is_none() && self.0.is_large(load, request)
    }
    fn is_large_at_start(&self, load: &Load, request: &Progress) -> bool {
        let Some(work) = request.work_known else { return false };
        self.0.is_large(load, &Progress { processed: work, ..*request })
    }
    fn latency_expected(&self, load: &Load) -> Option<f64> {
        self.0.latency_expected(load)
    }
    fn target(&self, goal: Goal) -> Option<f64> {
        self.0.target(goal)
    }
    fn arrived(&self, now: f64, load: &Load, goal: Goal) {
        self.0.arrived(now, load, goal);
    }
    fn finished(&self, finished: &Finished) {
        self.0.finished(finished);
    }
}
