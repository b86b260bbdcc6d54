//! What a paper claims, and what became of it here. Knows no paper.
//!
//! Effects are factors: how many times as much of something one policy has as another. 1 is no effect. A claim is judged on
//! our interval: whether its ends lie on the paper's side of 1, and how near our effect is to the paper's. Start at
//! [`Claim::judged`].

use std::fmt;

use muster_sim::study::Interval;
use serde::Serialize;

use crate::sweep::Held;

/// How near an effect must be to the paper's to count as reproduced: this part of it, on a logarithmic scale, and in any
/// case [`NEAR_MOST`]. For the paper's 1.17 that is 1.13 to 1.22, for its 19.4 it is 12.9 to 29.1.
pub const NEAR: f64 = 0.25;
/// No farther than this factor from the paper's.
pub const NEAR_MOST: f64 = 1.5;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Holds here, with a number near the paper's.
    Reproduced,
    /// Holds in direction; the number differs, or the paper gives none.
    Direction,
    /// Does not hold here.
    NotReproduced,
    /// Cannot be tested with what the paper gives.
    NotTestable,
}

impl Verdict {
    /// As it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Direction => "direction",
            Self::NotReproduced => "not-reproduced",
            Self::NotTestable => "not-testable",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What the paper has printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// The least number it gives.
    pub low: f64,
    /// The largest; the same if it gives one.
    pub high: f64,
    /// Where, as in `6.2` or `figure 3a`.
    pub place: &'static str,
}

impl Printed {
    /// One number.
    #[must_use]
    pub const fn one(value: f64, place: &'static str) -> Self {
        Self { low: value, high: value, place }
    }

    /// From one number to another.
    #[must_use]
    pub const fn range(low: f64, high: f64, place: &'static str) -> Self {
        Self { low, high, place }
    }
}

/// What kind of number a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A factor between two policies; 1 is no effect.
    Factor,
    /// A number in this unit; it has no side.
    Number(&'static str),
}

/// A claim as it is printed, before anything is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stated {
    /// Its name, unique in the paper.
    pub id: &'static str,
    /// What it says, in our words.
    pub says: &'static str,
    /// The paper's number.
    pub printed: Option<Printed>,
    /// What kind of number that is.
    pub kind: Kind,
}

impl Stated {
    /// A claim that one thing is so many times another.
    #[must_use]
    pub const fn factor(id: &'static str, says: &'static str, printed: Printed) -> Self {
        Self { id, says, printed: Some(printed), kind: Kind::Factor }
    }

    /// Whether a measured effect lies on the side of 1 that the paper says.
    #[must_use]
    pub fn is_on_side(&self, effect: f64) -> bool {
        match (self.kind, self.printed) {
            (Kind::Factor, Some(printed)) if printed.high > 1.0 => effect > 1.0,
            (Kind::Factor, Some(_)) => effect < 1.0,
            _ => false,
        }
    }
}

/// A claim, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What was claimed.
    pub stated: Stated,
    /// Ours; `None` if there is none.
    pub ours: Option<Interval>,
    /// What became of it.
    pub verdict: Verdict,
    /// Why, or what must be known to read it.
    pub note: String,
    /// Over which settings it holds, if settings were swept.
    pub held: Option<Held>,
}

impl Claim {
    /// With a verdict that somebody else has found.
    #[must_use]
    pub fn new(stated: Stated, ours: Option<Interval>, verdict: Verdict, note: impl Into<String>) -> Self {
        Self { stated, ours, verdict, note: note.into(), held: None }
    }

    /// Judges a factor: reproduced if it is near the paper's, direction if its whole interval is on the paper's side of 1. Where
    /// the paper says no more than that something is larger, that is a direction at best.
    #[must_use]
    pub fn judged(stated: Stated, ours: Option<Interval>, note: impl Into<String>) -> Self {
        let verdict = match (&ours, stated.printed) {
            (Some(ours), Some(printed)) => judge(&stated, ours, printed),
            _ => Verdict::NotTestable,
        };
        Self::new(stated, ours, verdict, note)
    }

    /// Judges a number that has no side: reproduced if the paper's lies in our interval, or no farther from our mean than
    /// [`NEAR`] of it.
    #[must_use]
    pub fn compared(stated: Stated, ours: Option<Interval>, note: impl Into<String>) -> Self {
        let near = |ours: &Interval, paper: Printed| {
            let slack = ours.half.max(NEAR * ours.mean.abs());
            paper.low <= ours.mean + slack && paper.high >= ours.mean - slack
        };
        let verdict = match (&ours, stated.printed) {
            (Some(ours), Some(paper)) if near(ours, paper) => Verdict::Reproduced,
            (Some(_), Some(_)) => Verdict::NotReproduced,
            _ => Verdict::NotTestable,
        };
        Self::new(stated, ours, verdict, note)
    }

    /// The same with the settings over which it holds.
    #[must_use]
    pub fn over(mut self, held: Option<Held>) -> Self {
        self.held = held;
        self
    }
}

fn judge(stated: &Stated, ours: &Interval, printed: Printed) -> Verdict {
    let (low, high) = ours.ends();
    let clear = stated.is_on_side(low) && stated.is_on_side(high);
    let (least, most) = (libm::log(printed.low), libm::log(printed.high));
    let slack = (NEAR * least.abs().max(most.abs())).min(libm::log(NEAR_MOST));
    let effect = libm::log(ours.mean.max(f64::MIN_POSITIVE));
    match () {
        () if clear && most.is_finite() && (least - slack..=most + slack).contains(&effect) => {
            Verdict::Reproduced
        }
        () if clear => Verdict::Direction,
        () => Verdict::NotReproduced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(printed: f64, mean: f64, half: f64) -> Verdict {
        let stated = Stated::factor("a", "b", Printed::one(printed, "6.2"));
        Claim::judged(stated, Some(Interval { mean, half, n: 20 }), "").verdict
    }

    #[test]
    fn near_the_paper_on_its_side_or_not_at_all() {
        assert_eq!(verdict(1.17, 1.15, 0.02), Verdict::Reproduced);
        assert_eq!(verdict(1.17, 1.05, 0.02), Verdict::Direction);
        assert_eq!(verdict(1.17, 1.6, 0.02), Verdict::Direction);
        assert_eq!(verdict(1.17, 1.01, 0.02), Verdict::NotReproduced);
        assert_eq!(verdict(1.17, 0.9, 0.02), Verdict::NotReproduced);
        assert_eq!(verdict(1.0 / 19.4, 0.06, 0.01), Verdict::Reproduced);
        assert_eq!(verdict(1.0 / 19.4, 0.5, 0.1), Verdict::Direction);
        assert_eq!(verdict(27.0, 12.5, 0.8), Verdict::Direction);
        assert_eq!(verdict(1.0 / 19.4, 0.9, 0.2), Verdict::NotReproduced);
        assert_eq!(verdict(f64::INFINITY, 3.0, 0.2), Verdict::Direction);
    }

    #[test]
    fn a_number_is_near_the_papers_or_has_it_in_its_interval() {
        let compared = |paper: f64, mean: f64, half: f64| {
            let printed = Some(Printed::one(paper, "table 1"));
            let stated = Stated { id: "a", says: "b", printed, kind: Kind::Number("s") };
            Claim::compared(stated, Some(Interval { mean, half, n: 20 }), "").verdict
        };
        assert_eq!(compared(75.0, 61.0, 1.0), Verdict::Reproduced);
        assert_eq!(compared(75.0, 50.0, 1.0), Verdict::NotReproduced);
        assert_eq!(compared(75.0, 50.0, 30.0), Verdict::Reproduced);
    }

    #[test]
    fn what_was_not_measured_is_not_testable() {
        let stated = Stated::factor("a", "b", Printed::one(2.0, "6.2"));
        assert_eq!(Claim::judged(stated, None, "").verdict, Verdict::NotTestable);
    }
}
