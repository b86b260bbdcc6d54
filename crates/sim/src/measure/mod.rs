//! What a run is measured by: the measures with their names, units and which way is better, and where they apply.
//!
//! A run gives one number for each measure and scope; over several runs these become intervals (`study`). Everything is
//! counted or integrated as it happens; nothing is sampled. Start at [`Measure`].

mod outcome;
mod tally;
mod timeline;

use std::fmt;

use serde::Serialize;

pub(crate) use outcome::{Closing, Reader};
pub use outcome::{Edges, Outcome, Reading};
pub(crate) use tally::{PoolTally, Tally};
pub use timeline::{Moment, PoolMoment, Timeline};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Answers that counted, per hour.
    Throughput,
    /// Mean time until somebody begins on a task.
    WaitMean,
    /// Half of the tasks wait less.
    WaitP50,
    /// 95 % of the tasks wait less.
    WaitP95,
    /// 99 % of the tasks wait less.
    WaitP99,
    /// Mean time from submission until a job is done.
    ResponseMean,
    /// How many times as long as with nobody else there a job takes, on average.
    Slowdown,
    /// Tasks waiting, on average over time.
    Queue,
    /// The share of jobs whose end users gave up.
    GaveUp,
    /// Everything that is paid, per hour.
    Cost,
    /// Paid for answers, per hour.
    CostAnswers,
    /// Paid for waiting, per hour.
    CostWaiting,
    /// Paid for training, per hour.
    CostTraining,
    /// Paid for machines, per hour.
    CostMachines,
    /// What an answer costs in all.
    CostPerAnswer,
    /// The share of idle and busy workers' time in which they were idle.
    IdleShare,
    /// Workers, on average over time.
    Size,
    /// The recommended size, on average over the times at which there was one.
    Recommended,
    /// How far the size is from the recommended one, on average.
    SizeGap,
    /// Of 100 leases, how many are of another job than the worker's last.
    SwitchesJob,
    /// Of 100 leases, how many are of another app than the worker's last.
    SwitchesApp,
    /// The share of the workers' working time.
    Share,
    /// How even tenants' shares are, by their weights: 1 is perfectly fair (Jain's index).
    Fairness,
    /// How much workers like what they get, on average.
    Preference,
    /// Workers who joined, per hour.
    Joined,
    /// Workers who left of their own accord, per hour.
    Left,
    /// Workers moved between pools, per hour.
    Moved,
    /// Leases that ran out, of 100.
    Expired,
    /// Patience of the clients at the end, on average.
    Patience,
}

/// What the numbers of a measure are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Per hour.
    PerHour,
    /// Money per hour, in units of the currency.
    MoneyPerHour,
    /// Money, in units of the currency.
    Money,
    /// From 0 to 1.
    Share,
    /// A count.
    Count,
    /// Out of a hundred.
    PerHundred,
    /// Without a unit.
    Plain,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Less is.
    Less,
    /// More is.
    More,
    /// Neither.
    Neither,
}

use Better::{Less, More, Neither};

/// Name in files and JSON, name for people, unit, which way is better.
type Row = (Measure, &'static str, &'static str, Unit, Better);

const ROWS: [Row; 29] = [
    (Measure::Throughput, "throughput", "throughput", Unit::PerHour, More),
    (Measure::WaitMean, "wait-mean", "waiting, mean", Unit::Seconds, Less),
    (Measure::WaitP50, "wait-p50", "waiting, median", Unit::Seconds, Less),
    (Measure::WaitP95, "wait-p95", "waiting, p95", Unit::Seconds, Less),
    (Measure::WaitP99, "wait-p99", "waiting, p99", Unit::Seconds, Less),
    (Measure::ResponseMean, "response-mean", "response, mean", Unit::Seconds, Less),
    (Measure::Slowdown, "slowdown", "slowdown", Unit::Plain, Less),
    (Measure::Queue, "queue", "queue", Unit::Count, Less),
    (Measure::GaveUp, "gave-up", "gave up", Unit::Share, Less),
    (Measure::Cost, "cost", "cost", Unit::MoneyPerHour, Less),
    (Measure::CostAnswers, "cost-answers", "for answers", Unit::MoneyPerHour, Neither),
    (Measure::CostWaiting, "cost-waiting", "for waiting", Unit::MoneyPerHour, Less),
    (Measure::CostTraining, "cost-training", "for training", Unit::MoneyPerHour, Less),
    (Measure::CostMachines, "cost-machines", "for machines", Unit::MoneyPerHour, Less),
    (Measure::CostPerAnswer, "cost-per-answer", "cost of an answer", Unit::Money, Less),
    (Measure::IdleShare, "idle-share", "idle share", Unit::Share, Less),
    (Measure::Size, "size", "pool size", Unit::Count, Neither),
    (Measure::Recommended, "recommended", "recommended size", Unit::Count, Neither),
    (Measure::SizeGap, "size-gap", "off the recommended", Unit::Count, Less),
    (Measure::SwitchesJob, "switches-job", "job switches", Unit::PerHundred, Less),
    (Measure::SwitchesApp, "switches-app", "app switches", Unit::PerHundred, Less),
    (Measure::Share, "share", "share of work", Unit::Share, Neither),
    (Measure::Fairness, "fairness", "fairness index", Unit::Plain, More),
    (Measure::Preference, "preference", "average preference", Unit::Plain, More),
    (Measure::Joined, "joined", "joined", Unit::PerHour, Neither),
    (Measure::Left, "left", "left", Unit::PerHour, Neither),
    (Measure::Moved, "moved", "moved", Unit::PerHour, Neither),
    (Measure::Expired, "expired", "leases run out", Unit::PerHundred, Less),
    (Measure::Patience, "patience", "clients' patience", Unit::Plain, More),
];

impl Measure {
    /// All of them, in the order in which they are shown.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.0)
    }

    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.0 == self).unwrap_or(&ROWS[0])
    }

    /// As it is named in files and JSON.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.row().1
    }

    /// As a person reads it.
    #[must_use]
    pub fn label(self) -> &'static str {
        self.row().2
    }

    /// What its numbers are.
    #[must_use]
    pub fn unit(self) -> Unit {
        self.row().3
    }

    /// Which way is better.
    #[must_use]
    pub fn better(self) -> Better {
        self.row().4
    }

    /// The measure of this name.
    #[must_use]
    pub fn named(key: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.1 == key).map(|row| row.0)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

/// What a number is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Everything.
    All,
    /// One tenant, by place.
    Tenant(usize),
    /// One pool, by place.
    Pool(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_has_a_row_of_its_own() {
        for measure in Measure::all() {
            assert_eq!(Measure::named(measure.key()), Some(measure));
            let rows = ROWS.iter().filter(|row| row.0 == measure || row.1 == measure.key());
            assert_eq!(rows.count(), 1, "{measure:?}");
        }
    }
}
