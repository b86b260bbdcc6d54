//! Hears every fact of a run and keeps what the properties are about.

use std::collections::BTreeMap;

use muster_engine::fact::{Body, Decision, Departure, Fact, Input, Recorder, Verdict};
use muster_engine::ids::{JobId, TaskId, WorkerId};
use muster_engine::policy::Registry;
use muster_engine::spec::{JobSpec, WorkerSpec};
use muster_engine::state::State;
use muster_engine::{Span, Time};
use muster_sim::drive::{Run, Unwatched, run_with};
use muster_sim::measure::Outcome;
use muster_sim::model::{Plan, Setup};

#[derive(Default)]
pub(crate) struct Witness {
    /// A hash of all facts, in order (FNV-1a).
    pub(crate) hash: u64,
    pub(crate) facts: u64,
    /// Jobs as they came.
    pub(crate) jobs: Vec<(Time, JobId, JobSpec)>,
    /// How long the answer to each task took.
    pub(crate) work: BTreeMap<TaskId, Span>,
    begun: BTreeMap<WorkerId, Time>,
    /// Those who joined, in order, and when each left of their own accord.
    pub(crate) joined: Vec<(WorkerId, WorkerSpec)>,
    pub(crate) left: BTreeMap<WorkerId, Time>,
    pub(crate) departed: u64,
    pub(crate) moved: u64,
    pub(crate) expired: u64,
    pub(crate) late: u64,
    pub(crate) trained: u64,
    pub(crate) recruited: u64,
    pub(crate) came: u64,
    pub(crate) lost: u64,
    /// At the end.
    pub(crate) workers: u64,
    pub(crate) on_their_way: u64,
}

impl Recorder for Witness {
    fn record(&mut self, number: u64, fact: &Fact, state: &State) {
        assert_eq!(number, self.facts, "facts are numbered");
        self.facts += 1;
        let start = if self.hash == 0 { 0xcbf2_9ce4_8422_2325 } else { self.hash };
        let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        self.hash = fact.encode().iter().fold(start, mix);
        match &fact.body {
            Body::Input(input) => self.hear_input(input, fact.at),
            Body::Decision(decision) => self.hear_decision(decision, fact.at),
        }
        self.workers = state.worker_count() as u64;
        self.on_their_way = state.recruits().values().map(|order| u64::from(order.n)).sum();
    }
}

impl Witness {
    fn hear_input(&mut self, input: &Input, at: Time) {
        match input {
            Input::JobSubmitted(job, spec) => self.jobs.push((at, *job, (**spec).clone())),
            Input::Joined(worker, spec) => {
                self.came += u64::from(spec.recruit.is_some());
                self.joined.push((*worker, (**spec).clone()));
            }
            Input::Trained(_) => self.trained += 1,
            _ => {}
        }
    }

    fn hear_decision(&mut self, decision: &Decision, at: Time) {
        match decision {
            Decision::Leased(grant) => {
                self.begun.insert(grant.worker, at);
            }
            Decision::Judged { worker, task, verdict, .. } => {
                self.late += u64::from(*verdict != Verdict::Counted);
                self.work.insert(*task, at.since(self.begun[worker]));
            }
            Decision::LeaseExpired(..) => self.expired += 1,
            Decision::Moved { .. } => self.moved += 1,
            Decision::Departed { worker, why, .. } => {
                self.departed += 1;
                if *why == Departure::Left {
                    self.left.insert(*worker, at);
                }
            }
            Decision::Recruiting { n, .. } => self.recruited += u64::from(*n),
            Decision::RecruitLost(_, n) => self.lost += u64::from(*n),
            _ => {}
        }
    }
}

/// One run, and what was heard of it.
pub(crate) fn watched(setup: &Setup, plan: &Plan) -> (Outcome, Witness) {
    let mut witness = Witness::default();
    let what = Run { setup, plan, number: 0, registry: &Registry::default(), watch: &Unwatched };
    let outcome = match run_with(what, &mut witness) {
        Ok(outcome) => outcome,
        Err(error) => panic!("{error}\n{setup:#?}"),
    };
    (outcome, witness)
}
