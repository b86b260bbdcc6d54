//! A setting of the paper's machine and how its policies fare there: 16 cores, targets from steal-first's own tail,
//! tables from a profiled sample in bins of one millisecond.

use super::paper::TAILS;
use crate::sim::{Arrivals, Law, Offer, Outcome, Setup, Shape, Victims, misses, percentile, run, workload};
use crate::{AdmitFirst, Model, StealFirst, TailControl, TailPolicy, Work};

/// The paper's machine.
pub(super) const CORES: usize = 16;
/// Rows of the threshold tables; the paper's number is unknown.
pub(super) const ROWS: usize = 200;
/// The largest leaf, in milliseconds; the paper's is unknown.
const LEAF_MS: f64 = 0.2;
/// Leaves of a short loop: 3.2 ms of work.
const LOOP_LEAVES: u32 = 16;
/// Works in the profiled sample, with a seed that no run uses.
const SAMPLE: (u64, usize) = (1_000_003, 100_000);

/// One setting.
#[derive(Clone, Debug)]
pub(super) struct Scenario {
    pub(super) label: &'static str,
    pub(super) law: Law,
    pub(super) arrivals: Arrivals,
    /// Arrivals per millisecond.
    pub(super) rate: f64,
    /// Share of each request that is sequential.
    pub(super) sequential: f64,
    /// What the tables are computed from.
    pub(super) work: Work,
}

impl Scenario {
    pub(super) fn poisson(label: &'static str, law: Law, rate: f64) -> Self {
        let arrivals = Arrivals::Poisson { rate };
        Self { label, law, arrivals, rate, sequential: 0.0, work: profiled(&law) }
    }

    /// The same at another rate.
    pub(super) fn at(&self, rate: f64) -> Self {
        Self { rate, arrivals: Arrivals::Poisson { rate }, ..self.clone() }
    }

    pub(super) fn offers(&self, requests: usize, seed: u64) -> Vec<Offer> {
        workload(&self.law, &self.arrivals, requests, seed)
    }

    /// Requests as sequences of short parallel loops.
    pub(super) fn loops(&self, seed: u64) -> Setup {
        let shape = Shape { sequential: self.sequential, ..Shape::loops(LEAF_MS, LOOP_LEAVES) };
        Setup { cores: CORES, shape, victims: Victims::Random(seed), trace: false }
    }

    /// Requests as one parallel loop each.
    pub(super) fn one_loop(&self, seed: u64) -> Setup {
        let shape = Shape { sequential: self.sequential, ..Shape::one_loop(LEAF_MS) };
        Setup { shape, ..self.loops(seed) }
    }

    pub(super) fn model(&self, target: f64) -> Model {
        Model { target, rate: self.rate, cores: CORES, work: self.work.clone() }
    }

    pub(super) fn tail_control(&self, target: f64) -> TailControl {
        let policy = TailControl::with_rows(self.model(target), ROWS);
        policy.expect("the settings of the study keep the machine below its capacity")
    }
}

/// The distribution that a provider would have profiled, in bins of one millisecond.
pub(super) fn profiled(law: &Law) -> Work {
    let sample = law.sample(SAMPLE.0, SAMPLE.1);
    let largest = sample.iter().copied().fold(1.0, f64::max);
    Work::observed(&sample, largest.ceil() as usize).expect("a sound sample")
}

/// One seed of a comparison on requests of short loops: targets, and misses at each target.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub(super) targets: [f64; 5],
    pub(super) steal_first: [f64; 5],
    pub(super) admit_first: [f64; 5],
    pub(super) lazy: [f64; 5],
    /// Requests that lazy marking gave up, and whether its schedule was steal-first's to the last bit.
    pub(super) lazy_marked: [usize; 5],
    pub(super) lazy_same: [bool; 5],
}

/// Runs steal-first, admit-first and lazy tail-control, at each of steal-first's own tails.
pub(super) fn compare(scenario: &Scenario, setup: &Setup, offers: &[Offer]) -> Compared {
    let steal_first = run(setup, &StealFirst, offers).latencies;
    let targets = TAILS.map(|tail| percentile(&steal_first, tail));
    let lazy = targets.map(|target| run(setup, &scenario.tail_control(target).lazy(), offers));
    Compared {
        targets,
        steal_first: targets.map(|target| misses(&steal_first, target) as f64),
        admit_first: misses_of(&AdmitFirst, setup, offers, &targets),
        lazy: each(&lazy, &targets),
        lazy_marked: std::array::from_fn(|i| lazy[i].marked),
        lazy_same: std::array::from_fn(|i| lazy[i].latencies == steal_first),
    }
}

/// One seed of lazy beside prompt: misses avoided against steal-first at its own tails, in per cent.
pub(super) fn lazy_and_prompt(scenario: &Scenario, setup: &Setup, offers: &[Offer]) -> [[f64; 5]; 2] {
    let steal_first = run(setup, &StealFirst, offers).latencies;
    let avoided = |tail: f64, lazy: bool| {
        let target = percentile(&steal_first, tail);
        let policy = scenario.tail_control(target);
        let policy = if lazy { policy.lazy() } else { policy };
        let latencies = run(setup, &policy, offers).latencies;
        gain(misses(&latencies, target) as f64, misses(&steal_first, target) as f64)
    };
    [TAILS.map(|tail| avoided(tail, true)), TAILS.map(|tail| avoided(tail, false))]
}

/// Misses of each outcome at its own target.
pub(super) fn each(outcomes: &[Outcome; 5], targets: &[f64; 5]) -> [f64; 5] {
    std::array::from_fn(|i| misses(&outcomes[i].latencies, targets[i]) as f64)
}

/// Misses avoided, in per cent.
pub(super) fn gain(misses: f64, before: f64) -> f64 {
    100.0 * (1.0 - misses / before.max(1.0))
}

/// Misses of any policy at each target.
pub(super) fn misses_of(
    policy: &impl TailPolicy,
    setup: &Setup,
    offers: &[Offer],
    targets: &[f64; 5],
) -> [f64; 5] {
    let latencies = run(setup, policy, offers).latencies;
    targets.map(|target| misses(&latencies, target) as f64)
}
