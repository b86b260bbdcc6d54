//! What a policy learns while it runs: recent work, arrival rate and the most requests that were active; and
//! whether these have drifted since the table was last built. Pure: times are arguments. Memory is bounded by
//! the two windows. Start at [`Profile::drifted`].

use crate::table::{Model, TableError, active_max_generous};
use crate::work::Work;
use std::collections::VecDeque;

/// Works that are remembered.
const WORKS_MAX: usize = 4096;
/// Arrivals that are remembered.
const ARRIVALS_MAX: usize = 1024;
/// Fewest works before a table is built at all.
const WORKS_MIN: usize = 512;
/// Finishes between two looks at the drift.
const LOOK_EVERY: usize = 256;
/// A figure has drifted when it has moved by more than this share.
const DRIFT: f64 = 0.2;
/// Bins of the learned distribution: narrow, because wide ones overstate the load and switch the policy off.
const BINS_MAX: usize = 200;

/// The recent past of a pool, or of a virtual machine.
#[derive(Debug)]
pub struct Profile {
    cores: usize,
    works: VecDeque<f64>,
    arrivals: VecDeque<f64>,
    active_max: usize,
    since_look: usize,
    built_from: Option<Figures>,
    /// Works that the last table was built from; twice as many are a reason to build a better one.
    built_works: usize,
    builds: usize,
    refusal: Option<TableError>,
}

/// The figures whose drift matters.
#[derive(Clone, Copy, Debug)]
struct Figures {
    rate: f64,
    work_mean: f64,
    work_p99: f64,
    active_max: usize,
}

impl Profile {
    /// Nothing seen yet, on so many cores.
    pub fn new(cores: usize) -> Self {
        Self {
            cores,
            works: VecDeque::with_capacity(WORKS_MAX),
            arrivals: VecDeque::with_capacity(ARRIVALS_MAX),
            active_max: 0,
            since_look: 0,
            built_from: None,
            built_works: 0,
            builds: 0,
            refusal: None,
        }
    }

    /// A request has arrived, the `active`-th that is active.
    pub fn arrived(&mut self, now: f64, active: usize) {
        push_bounded(&mut self.arrivals, now, ARRIVALS_MAX);
        self.active_max = self.active_max.max(active);
    }

    /// A request has finished after so much work.
    pub fn finished(&mut self, work: f64) {
        if work > 0.0 && work.is_finite() {
            push_bounded(&mut self.works, work, WORKS_MAX);
        }
        self.since_look += 1;
    }

    /// The model to build a new table from, if it is time to look and the figures have drifted.
    pub fn drifted(&mut self, target: f64) -> Option<(Model, usize)> {
        if self.since_look < LOOK_EVERY || self.works.len() < WORKS_MIN {
            return None;
        }
        self.since_look = 0;
        let figures = self.figures()?;
        let few = self.works.len() >= 2 * self.built_works;
        if !few && self.built_from.is_some_and(|before| !figures.differ(&before)) {
            return None;
        }
        self.built_from = Some(figures);
        self.built_works = self.works.len();
        let work = Work::observed(self.works.make_contiguous(), BINS_MAX).ok()?;
        let model = Model { target, rate: figures.rate, cores: self.cores, work };
        Some((model, active_max_generous(self.cores, figures.active_max)))
    }

    /// The table was built, or refused.
    pub fn built(&mut self, refusal: Option<TableError>) {
        self.builds += usize::from(refusal.is_none());
        self.refusal = refusal;
    }

    /// Tables built so far.
    pub fn builds(&self) -> usize {
        self.builds
    }

    /// Why the last table was refused, if it was.
    pub fn refusal(&self) -> Option<&TableError> {
        self.refusal.as_ref()
    }

    fn figures(&self) -> Option<Figures> {
        let span = self.arrivals.back()? - self.arrivals.front()?;
        if span <= 0.0 {
            return None;
        }
        let mut sorted: Vec<f64> = self.works.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        Some(Figures {
            rate: (self.arrivals.len() - 1) as f64 / span,
            work_mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
            work_p99: sorted[sorted.len() * 99 / 100],
            active_max: self.active_max,
        })
    }
}

impl Figures {
    fn differ(&self, before: &Self) -> bool {
        let moved = |now: f64, then: f64| (now - then).abs() > DRIFT * then;
        moved(self.rate, before.rate)
            || moved(self.work_mean, before.work_mean)
            || moved(self.work_p99, before.work_p99)
            || moved(self.active_max as f64, before.active_max as f64)
    }
}

fn push_bounded(window: &mut VecDeque<f64>, value: f64, len_max: usize) {
    if window.len() == len_max {
        window.pop_front();
    }
    window.push_back(value);
}
