//! How much work a request brings: a distribution in bins, and what follows from it for one threshold.
//! Does not know targets, rates or cores. Invariant: bins are sorted by work and their probabilities sum to 1.
//! Units are the caller's (the pool uses milliseconds). Start at [`Work`].

use std::fmt;

/// One bin of a work distribution: requests that fall into it with `probability`, none above `work_max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The chance that a request falls into this bin.
    pub probability: f64,
    /// The largest work in this bin.
    pub work_max: f64,
}

/// A work distribution in bins, sorted by work.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    bins: Vec<Bin>,
}

/// What a threshold makes of a work distribution; the words are those of the paper's table 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Mean work of a request.
    pub mean: f64,
    /// Chance that a request has more work than the threshold.
    pub large: f64,
    /// Chance that it does not.
    pub small: f64,
    /// Mean work of a request that is not large (0 if there is none).
    pub small_mean: f64,
    /// Mean essential work of a request: all of a small one, the part up to the threshold of a large one.
    pub essential_mean: f64,
    /// Mean superfluous work of a large request: what lies beyond the threshold (0 if none is large).
    pub superfluous_mean: f64,
}

/// Why a work distribution cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkError {
    /// There are no bins.
    NoBins,
    /// A bin has a probability outside 0..=1 or a work that is not positive and finite.
    BadBin {
        /// Its place in the list that was given, from 0.
        index: usize,
        /// The bin itself.
        bin: Bin,
    },
    /// The probabilities do not sum to 1 (allowed: within a millionth).
    BadSum {
        /// What they sum to.
        sum: f64,
    },
}

impl fmt::Display for WorkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBins => write!(f, "the work distribution has no bins"),
            Self::BadBin { index, bin } => write!(
                f,
                "bin {index} has probability {} and work {}: a probability lies in 0..=1, work is above 0",
                bin.probability, bin.work_max
            ),
            Self::BadSum { sum } => write!(f, "the probabilities of the bins sum to {sum}, not to 1"),
        }
    }
}

impl std::error::Error for WorkError {}

impl Work {
    /// A distribution from its bins, in any order.
    ///
    /// # Errors
    /// If there are none, if one is out of range, or if the probabilities do not sum to 1.
    pub fn new(mut bins: Vec<Bin>) -> Result<Self, WorkError> {
        if bins.is_empty() {
            return Err(WorkError::NoBins);
        }
        if let Some((index, bin)) = bins.iter().enumerate().find(|(_, bin)| !bin.is_sound()) {
            return Err(WorkError::BadBin { index, bin: *bin });
        }
        let sum: f64 = bins.iter().map(|bin| bin.probability).sum();
        if (sum - 1.0).abs() > 1e-6 {
            return Err(WorkError::BadSum { sum });
        }
        bins.sort_by(|a, b| a.work_max.total_cmp(&b.work_max));
        Ok(Self { bins })
    }

    /// A distribution from observed works: at most `bins_max` bins of equal width, each as wide as the largest
    /// work that fell into it (a bin's upper edge would overstate the mean and with it the load).
    ///
    /// # Errors
    /// If nothing was observed, or something that is not positive and finite.
    pub fn observed(works: &[f64], bins_max: usize) -> Result<Self, WorkError> {
        let largest = works.iter().copied().fold(0.0, f64::max);
        let width = largest / bins_max.max(1) as f64;
        let mut bins: Vec<(usize, f64)> = vec![(0, 0.0); bins_max.max(1)];
        for (index, &work) in works.iter().enumerate() {
            if !work.is_finite() || work <= 0.0 {
                return Err(WorkError::BadBin { index, bin: Bin { probability: 0.0, work_max: work } });
            }
            let place = ((work / width).ceil() as usize).clamp(1, bins.len()) - 1;
            bins[place].0 += 1;
            bins[place].1 = bins[place].1.max(work);
        }
        let count = works.len() as f64;
        let seen = bins.iter().filter(|bin| bin.0 > 0);
        Self::new(seen.map(|&(n, work_max)| Bin { probability: n as f64 / count, work_max }).collect())
    }

    /// The bins, by rising work.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// Mean work of a request.
    pub fn mean(&self) -> f64 {
        self.bins.iter().map(|bin| bin.probability * bin.work_max).sum()
    }

    /// What `threshold` makes of this distribution.
    pub fn split(&self, threshold: f64) -> Split {
        let cut = self.bins.partition_point(|bin| bin.work_max <= threshold);
        let (small, large) = self.bins.split_at(cut);
        let sum = |bins: &[Bin]| (probability(bins), bins.iter().map(|b| b.probability * b.work_max).sum());
        Split::of(threshold, self.mean(), sum(small), sum(large))
    }

    /// The splits at every distinct work of the bins, by rising work: all in one pass.
    pub fn splits(&self) -> Vec<(f64, Split)> {
        let mean = self.mean();
        let mut above: Vec<(f64, f64)> = vec![(0.0, 0.0); self.bins.len() + 1];
        for (i, bin) in self.bins.iter().enumerate().rev() {
            above[i] = (above[i + 1].0 + bin.probability, above[i + 1].1 + bin.probability * bin.work_max);
        }
        let mut below = (0.0, 0.0);
        let mut splits: Vec<(f64, Split)> = Vec::with_capacity(self.bins.len());
        for (i, bin) in self.bins.iter().enumerate() {
            below = (below.0 + bin.probability, below.1 + bin.probability * bin.work_max);
            if self.bins.get(i + 1).is_none_or(|next| next.work_max > bin.work_max) {
                splits.push((bin.work_max, Split::of(bin.work_max, mean, below, above[i + 1])));
            }
        }
        splits
    }
}

impl Bin {
    fn is_sound(&self) -> bool {
        (0.0..=1.0).contains(&self.probability) && self.work_max > 0.0 && self.work_max.is_finite()
    }
}

impl Split {
    /// From the (probability, probability x work) sums of the bins up to the threshold and beyond it.
    fn of(threshold: f64, mean: f64, small: (f64, f64), large: (f64, f64)) -> Self {
        let small_chance = 1.0 - large.0;
        let ratio = |value: f64, over: f64| if over > 0.0 { value / over } else { 0.0 };
        Self {
            mean,
            large: large.0,
            small: small_chance,
            small_mean: ratio(small.1, small_chance),
            essential_mean: small.1 + large.0 * threshold,
            superfluous_mean: ratio(large.1 - large.0 * threshold, large.0),
        }
    }
}

fn probability(bins: &[Bin]) -> f64 {
    bins.iter().map(|bin| bin.probability).sum()
}
