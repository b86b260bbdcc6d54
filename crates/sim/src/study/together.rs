//! The runs of one variant together: values run by run, waiting times merged, curves over time averaged.

use hdrhistogram::Histogram;

use super::Interval;
use crate::measure::{Edges, Measure, Outcome, PoolMoment, Scope};
use crate::model::Setup;

/// All runs of a variant.
#[derive(Clone, Debug)]
pub struct Together {
    /// What was measured, in order.
    keys: Vec<(Scope, Measure)>,
    /// For each run, what was measured.
    runs: Vec<Vec<Option<f64>>>,
    /// Waiting times in microseconds, for each tenant.
    pub waits: Vec<Histogram<u64>>,
    /// For each pool, how things went over time.
    curves: Vec<Curves>,
    /// When each stretch of the curves ends, in seconds.
    times: Vec<f64>,
    /// What became of everything, in all runs together.
    pub edges: Edges,
    /// Facts recorded in all runs together.
    pub facts: u64,
    /// Virtual seconds in all runs together.
    pub seconds: f64,
}

/// A moment of a curve: the mean over runs, and the ends of the middle 90 % of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Seconds from the beginning.
    pub at: f64,
    /// The mean.
    pub mean: f64,
    /// 5 % of the runs are below.
    pub low: f64,
    /// 5 % of the runs are above.
    pub high: f64,
}

/// For each stretch of time, one value per run.
#[derive(Clone, Debug, Default)]
struct Curves {
    queue: Vec<Vec<f32>>,
    size: Vec<Vec<f32>>,
    busy: Vec<Vec<f32>>,
    recommended: Vec<Vec<f32>>,
}

/// How one variant differs from another, run by run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// What it is about.
    pub scope: Scope,
    /// What was measured.
    pub measure: Measure,
    /// This variant less the other.
    pub interval: Interval,
    /// The mean of the other.
    pub base: f64,
}

impl Together {
    pub(super) fn new(setup: &Setup) -> Self {
        Self {
            keys: Vec::new(),
            runs: Vec::new(),
            waits: Vec::new(),
            curves: vec![Curves::default(); setup.pools.len()],
            times: Vec::new(),
            edges: Edges::default(),
            facts: 0,
            seconds: 0.0,
        }
    }

    pub(super) fn add(&mut self, outcome: &Outcome) {
        if self.runs.is_empty() {
            self.keys = outcome.readings.iter().map(|reading| (reading.scope, reading.measure)).collect();
            self.waits.clone_from(&outcome.waits);
        } else {
            for (all, one) in self.waits.iter_mut().zip(&outcome.waits) {
                all.add(one).expect("histograms that grow take everything");
            }
        }
        self.runs.push(outcome.readings.iter().map(|reading| reading.value).collect());
        self.add_curves(outcome);
        self.edges += outcome.edges;
        self.facts += outcome.facts;
        self.seconds += outcome.end.as_secs_f64();
    }

    fn add_curves(&mut self, outcome: &Outcome) {
        let timeline = &outcome.timeline;
        for (pool, curves) in self.curves.iter_mut().enumerate() {
            let queue = timeline.means(pool, |moment: &PoolMoment| moment.queue);
            if self.times.len() < queue.len() {
                self.times = queue.iter().map(|(at, _)| *at).collect();
            }
            put(&mut curves.queue, &queue);
            put(&mut curves.size, &timeline.means(pool, |moment| moment.size));
            put(&mut curves.busy, &timeline.means(pool, |moment| u128::from(moment.busy)));
            let recommended = timeline
                .moments()
                .iter()
                .skip(1)
                .map(|moment| (0.0, moment.pools[pool].recommended.map_or(f64::NAN, f64::from)));
            put(&mut curves.recommended, &recommended.collect::<Vec<_>>());
        }
    }

    /// How many runs there are.
    #[must_use]
    pub fn replications(&self) -> usize {
        self.runs.len()
    }

    /// What was measured, in order.
    #[must_use]
    pub fn keys(&self) -> &[(Scope, Measure)] {
        &self.keys
    }

    fn place(&self, scope: Scope, measure: Measure) -> Option<usize> {
        self.keys.iter().position(|key| *key == (scope, measure))
    }

    /// The values, run by run.
    pub fn values(&self, scope: Scope, measure: Measure) -> impl Iterator<Item = Option<f64>> {
        let place = self.place(scope, measure);
        self.runs.iter().map(move |run| place.and_then(|place| run[place]))
    }

    /// The mean over the runs in which there was something to measure.
    #[must_use]
    pub fn interval(&self, scope: Scope, measure: Measure) -> Option<Interval> {
        Interval::of(self.values(scope, measure).flatten())
    }

    /// How this differs from another variant, over the runs in which both were measured.
    #[must_use]
    pub fn against(&self, base: &Self, scope: Scope, measure: Measure) -> Option<Difference> {
        let pairs: Vec<(f64, f64)> = self
            .values(scope, measure)
            .zip(base.values(scope, measure))
            .filter_map(|(ours, theirs)| Some((ours?, theirs?)))
            .collect();
        let interval = Interval::of(pairs.iter().map(|(ours, theirs)| ours - theirs))?;
        let mean = pairs.iter().map(|(_, theirs)| theirs).sum::<f64>() / pairs.len() as f64;
        Some(Difference { scope, measure, interval, base: mean })
    }

    /// Tasks waiting in a pool over time.
    #[must_use]
    pub fn queue(&self, pool: usize) -> Vec<Point> {
        self.points(&self.curves[pool].queue)
    }

    /// Workers in a pool over time.
    #[must_use]
    pub fn size(&self, pool: usize) -> Vec<Point> {
        self.points(&self.curves[pool].size)
    }

    /// Busy workers in a pool over time.
    #[must_use]
    pub fn busy(&self, pool: usize) -> Vec<Point> {
        self.points(&self.curves[pool].busy)
    }

    /// The recommended size of a pool over time, where there is one.
    #[must_use]
    pub fn recommended(&self, pool: usize) -> Vec<Point> {
        self.points(&self.curves[pool].recommended)
    }

    fn points(&self, values: &[Vec<f32>]) -> Vec<Point> {
        let point = |(at, values): (&f64, &Vec<f32>)| {
            let mut values: Vec<f64> =
                values.iter().copied().filter(|v| v.is_finite()).map(f64::from).collect();
            values.sort_by(f64::total_cmp);
            let last = values.len().checked_sub(1)?;
            let rank = |share: f64| values[libm::round(share * last as f64) as usize];
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            Some(Point { at: *at, mean, low: rank(0.05), high: rank(0.95) })
        };
        self.times.iter().zip(values).filter_map(point).collect()
    }
}

fn put(all: &mut Vec<Vec<f32>>, one: &[(f64, f64)]) {
    if all.len() < one.len() {
        all.resize(one.len(), Vec::new());
    }
    all.iter_mut().zip(one).for_each(|(all, (_, value))| all.push(*value as f32));
}
