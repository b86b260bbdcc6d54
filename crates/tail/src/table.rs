//! The threshold table: how much work a request may do before it counts as large, for each number of active
//! requests. Pure arithmetic from target, arrival rate, cores and work; knows neither clock nor threads.
//! Units are the caller's, as long as they agree (the pool uses milliseconds). Start at [`Table::build`].

use crate::work::{Split, Work};
use std::fmt;

/// Two candidates whose expected misses differ by less than this share are equal; the larger threshold wins.
const TIE_RELATIVE: f64 = 1e-12;

/// What a table is computed from.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The latency that requests should meet.
    pub target: f64,
    /// Arrivals per unit of time.
    pub rate: f64,
    /// Cores that serve the requests.
    pub cores: usize,
    /// How much work a request brings.
    pub work: Work,
}

/// Expected misses during a pile-up, for one threshold and one number of active requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misses {
    /// Length of the pile-up.
    pub length: f64,
    /// Large requests that miss the target.
    pub large: f64,
    /// Cores that remain for essential work.
    pub cores_small: f64,
    /// How many requests must be ahead of a small one for it to miss (may be negative for short targets).
    pub ahead: Option<f64>,
    /// Active requests that have that many ahead of them.
    pub late_active: Option<f64>,
    /// Requests that arrive while there are still that many.
    pub late_arriving: Option<f64>,
    /// Small requests that miss the target.
    pub small: f64,
}

/// Why there is no table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableError {
    /// More work arrives than the cores can do: no threshold helps.
    Overloaded {
        /// Cores that the arriving work needs.
        utilisation: f64,
        /// Cores that there are.
        cores: usize,
        /// Mean work of a request.
        work_mean: f64,
        /// Arrivals per unit of time.
        rate: f64,
    },
    /// Target and rate must be positive and finite, and there must be at least one core and one row.
    BadInput {
        /// The name of the input.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overloaded { utilisation, cores, work_mean, rate } => write!(
                f,
                "the work that arrives needs {utilisation} cores, but there are only {cores} \
                 (mean work {work_mean} x rate {rate}): no threshold can help"
            ),
            Self::BadInput { name, value } => write!(f, "{name} is {value}: it must be above 0 and finite"),
        }
    }
}

impl std::error::Error for TableError {}

impl Misses {
    /// All expected misses.
    pub fn total(&self) -> f64 {
        self.small + self.large
    }
}

impl Model {
    /// Cores that the arriving work needs on average.
    pub fn utilisation(&self) -> f64 {
        self.work.mean() * self.rate
    }

    /// Checks the inputs.
    ///
    /// # Errors
    /// If one is out of range, or if the work that arrives needs all cores or more.
    pub fn check(&self) -> Result<(), TableError> {
        let positive = |name, value: f64| {
            if value > 0.0 && value.is_finite() { Ok(()) } else { Err(TableError::BadInput { name, value }) }
        };
        positive("target", self.target)?;
        positive("rate", self.rate)?;
        positive("cores", self.cores as f64)?;
        let utilisation = self.utilisation();
        if utilisation < self.cores as f64 {
            return Ok(());
        }
        let (cores, work_mean, rate) = (self.cores, self.work.mean(), self.rate);
        Err(TableError::Overloaded { utilisation, cores, work_mean, rate })
    }

    /// The misses to expect with this threshold when `active` requests are active.
    pub fn misses(&self, threshold: f64, active: usize) -> Misses {
        self.misses_of(threshold, &self.work.split(threshold), active)
    }

    fn misses_of(&self, threshold: f64, split: &Split, active: usize) -> Misses {
        let cores = self.cores as f64;
        let others = active as f64 - 1.0;
        let rest = split.superfluous_mean;
        let drained = (rest + threshold + others * split.mean) / (cores - split.mean * self.rate);
        let length = drained.max(threshold / cores + rest);
        // The "+ 1" is the large request that caused the pile-up; it stays even if no request can be large.
        let large = split.large * (self.rate * length + others) + 1.0;
        let cores_small = cores - large * rest / length;
        let none = Misses {
            length,
            large,
            cores_small,
            ahead: None,
            late_active: None,
            late_arriving: None,
            small: f64::INFINITY,
        };
        if cores_small <= 0.0 {
            return none; // cannot happen while utilisation < cores; kept as a guard
        }
        let ahead = (self.target * cores_small - split.small_mean - threshold) / split.essential_mean;
        let leaving = cores_small / split.essential_mean - self.rate;
        if leaving <= 0.0 {
            return Misses { ahead: Some(ahead), ..none }; // as above
        }
        let late_active = (others - ahead).max(0.0);
        let late_arriving = late_active * self.rate / leaving;
        Misses {
            ahead: Some(ahead),
            late_active: Some(late_active),
            late_arriving: Some(late_arriving),
            small: (late_active + late_arriving) * split.small,
            ..none
        }
    }
}

/// Thresholds by the number of active requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    thresholds: Vec<f64>,
}

impl Table {
    /// Computes the table for 1..=`active_max` active requests, in O(`active_max` x bins).
    ///
    /// # Errors
    /// If an input is out of range or the machine is overloaded.
    pub fn build(model: &Model, active_max: usize) -> Result<Self, TableError> {
        model.check()?;
        if active_max == 0 {
            return Err(TableError::BadInput { name: "active_max", value: 0.0 });
        }
        let splits = model.work.splits();
        let thresholds = (1..=active_max).map(|active| best(model, &splits, active)).collect();
        Ok(Self { thresholds })
    }

    /// A table from its thresholds, the first for one active request.
    ///
    /// # Errors
    /// If it is empty.
    pub fn from_thresholds(thresholds: Vec<f64>) -> Result<Self, TableError> {
        if thresholds.is_empty() {
            return Err(TableError::BadInput { name: "active_max", value: 0.0 });
        }
        Ok(Self { thresholds })
    }

    /// The threshold for this many active requests; beyond the table, its last entry.
    pub fn threshold(&self, active: usize) -> f64 {
        self.thresholds[active.clamp(1, self.thresholds.len()) - 1]
    }

    /// The smallest threshold anywhere in the table.
    pub fn strictest(&self) -> f64 {
        self.thresholds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// All thresholds, the first for one active request.
    pub fn thresholds(&self) -> &[f64] {
        &self.thresholds
    }
}

/// The candidate with the least expected misses; of equal ones the largest.
fn best(model: &Model, splits: &[(f64, Split)], active: usize) -> f64 {
    let mut least = f64::INFINITY;
    let mut chosen = splits[0].0;
    for (threshold, split) in splits {
        let total = model.misses_of(*threshold, split, active).total();
        if total <= least || total - least <= TIE_RELATIVE * least.abs() {
            chosen = *threshold;
        }
        least = least.min(total);
    }
    chosen
}

/// Mean number of active requests if each ran on one core (M/M/m), and `factor` times it, rounded up. The paper
/// takes twice the mean for the table's length, which in practice switches the policy off: see
/// [`active_max_generous`].
pub fn active_mean(rate: f64, work_mean: f64, cores: usize, factor: f64) -> (f64, usize) {
    let load = rate * work_mean;
    let m = cores as f64;
    // Erlang B by its recursion, then Erlang C from it.
    let blocked = (1..=cores).fold(1.0, |b, k| load * b / (k as f64 + load * b));
    let waits = blocked / (1.0 - load / m * (1.0 - blocked));
    let mean = load + waits * load / (m - load);
    (mean, (factor * mean).ceil() as usize)
}

/// A table length that does not switch the policy off: ten rows a core, or the most that was ever seen.
pub fn active_max_generous(cores: usize, active_seen: usize) -> usize {
    (10 * cores).max(active_seen)
}
