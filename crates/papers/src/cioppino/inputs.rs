//! What the experiments may be given from outside: traces, as `muster-formats` reads them.

use muster_engine::Span;
use muster_formats::trace::{Outcome, Trace};
use muster_sim::law::LawError;

use super::contest::Assignments;
use super::crowd::{Crowd, Streams};
use crate::lab::Trouble;

/// Whoever pauses for longer has left and comes again.
const STAY_GAP: Span = Span::from_mins(5);

/// What the experiments may be given.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The CLAMShell trace; without it laws that were fitted to it are used.
    pub trace: Option<Streams>,
    /// A table of assignments, as of crowdflower_jobs; without it its days are skipped.
    pub assignments: Option<Assignments>,
}

impl Inputs {
    /// The people of the trace, or of the laws.
    pub(super) fn crowd(&self) -> Result<Crowd, Trouble> {
        let Some(streams) = &self.trace else { return Ok(Crowd::fitted()) };
        let wrong = |error: LawError| {
            Trouble::Input(format!("the trace's {} are not {}", error.field, error.allowed))
        };
        Crowd::traced(streams).map_err(wrong)
    }
}

impl From<&Trace> for Streams {
    fn from(trace: &Trace) -> Self {
        let seconds = |spans: &[Span]| spans.iter().map(|span| span.as_secs_f64()).collect();
        Self {
            recruitments: seconds(&trace.recruitments),
            works: seconds(&trace.works),
            stays: seconds(&trace.stays),
        }
    }
}

impl From<&Trace> for Assignments {
    /// Only what was answered and has a beginning and a length.
    fn from(trace: &Trace) -> Self {
        let answered = trace.assignments.iter().filter(|it| it.outcome == Outcome::Answered);
        let work = answered.filter_map(|it| {
            let start = it.start?;
            let took = it.work.or_else(|| it.submit.map(|submit| submit.since(start)))?;
            Some((start.as_secs_f64(), took.as_secs_f64()))
        });
        let stays = trace.sessions_within(STAY_GAP);
        Self { work: work.collect(), stays: stays.iter().map(|stay| stay.length.as_secs_f64()).collect() }
    }
}
