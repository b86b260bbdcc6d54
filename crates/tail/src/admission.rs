//! Admission: whether a request that arrives now can still meet its target, and what its caller wants done if
//! not. Pure; the answer carries the numbers. Start at [`decide`].

use crate::policy::{Goal, Load, TailPolicy};
use std::fmt;

/// What the caller wants done with a request that would be late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenLate {
    /// Run it all the same.
    #[default]
    Queue,
    /// Run it on one core, and tell it ([`crate::is_degraded`]), so that it can do less.
    Degrade,
    /// Refuse it, with the reason.
    Shed,
}

/// What admission decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Admission {
    /// It runs as any other.
    Admit,
    /// It runs, degraded.
    Degrade(Late),
    /// It does not run.
    Shed(Late),
}

/// Why a request cannot meet its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Late {
    /// The latency to expect now, in the driver's unit (the pool: milliseconds).
    pub latency_expected: f64,
    /// Its target, in the same unit.
    pub target: f64,
    /// How crowded it is.
    pub load: Load,
}

impl fmt::Display for Late {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the target of {:.3} cannot be met: {:.3} to be expected, with {} requests active and {} waiting on {} cores",
            self.target, self.latency_expected, self.load.active, self.load.waiting, self.load.cores
        )
    }
}

/// Decides about a request that arrives at this load.
pub fn decide(policy: &dyn TailPolicy, load: &Load, goal: Goal, when_late: WhenLate) -> Admission {
    let (Some(target), Some(latency_expected)) = (policy.target(goal), policy.latency_expected(load)) else {
        return Admission::Admit;
    };
    if latency_expected <= target {
        return Admission::Admit;
    }
    let late = Late { latency_expected, target, load: *load };
    match when_late {
        WhenLate::Queue => Admission::Admit,
        WhenLate::Degrade => Admission::Degrade(late),
        WhenLate::Shed => Admission::Shed(late),
    }
}
