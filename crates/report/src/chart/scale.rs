//! From values to places on an axis, and the round values that are written beside it.

use crate::chart::Axis;
use crate::number::{Shown, significant};

/// An axis with its ends fixed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) least: f64,
    pub(super) most: f64,
    /// The title with the unit.
    pub(super) title: String,
    /// Round values, and how they are written.
    pub(super) ticks: Vec<(f64, String)>,
}

impl Scale {
    /// An axis over values from `least` to `most` with about `n` ticks. `round` lets it end at a tick.
    pub(super) fn new(axis: &Axis, (least, most): (f64, f64), n: usize, round: bool) -> Self {
        let shown = axis.unit.shown(least.abs().max(most.abs()));
        let whole = axis.unit == crate::number::Unit::Count;
        let (mut low, mut high) = (least * shown.factor, most * shown.factor);
        if high - low <= 0.0 {
            high = low + 1.0;
        }
        let step = round_step((high - low) / n.max(1) as f64, whole);
        if round {
            (low, high) = (down(low, step) * step, -down(-high, step) * step);
        }
        let first = -down(-low, step);
        let count = ((high / step + 1e-9).floor() - first).max(0.0) as usize;
        let tick = |i: usize| {
            let value = (first + i as f64) * step;
            (value / shown.factor, significant(value, 6))
        };
        let ticks = (0..=count).map(tick).collect();
        Self { least: low / shown.factor, most: high / shown.factor, title: titled(axis, &shown), ticks }
    }

    /// Where a value lies: 0 at the least, 1 at the most.
    pub(super) fn place(&self, value: f64) -> f64 {
        ((value - self.least) / (self.most - self.least)).clamp(0.0, 1.0)
    }
}

/// The number of whole steps, a hair above counted as whole.
fn down(value: f64, step: f64) -> f64 {
    (value / step + 1e-9).floor()
}

fn titled(axis: &Axis, shown: &Shown) -> String {
    if shown.sign.is_empty() { axis.title.clone() } else { format!("{} ({})", axis.title, shown.sign) }
}

/// The next of 1, 2, 5, 10 ... from `least` up; whole if asked for.
fn round_step(least: f64, whole: bool) -> f64 {
    let power = 10_f64.powi(least.log10().floor() as i32);
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|step| *step >= least * (1.0 - 1e-9));
    let step = step.unwrap_or(10.0 * power);
    if whole { step.max(1.0) } else { step }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Unit;

    fn ticks(unit: Unit, ends: (f64, f64), n: usize, round: bool) -> Vec<String> {
        let scale = Scale::new(&Axis::new("x", unit), ends, n, round);
        scale.ticks.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(Unit::Plain, (0.0, 0.93), 5, true), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(ticks(Unit::Count, (16.0, 19.0), 8, false), ["16", "17", "18", "19"]);
        assert_eq!(ticks(Unit::Count, (91.0, 130.0), 6, false), ["100", "110", "120", "130"]);
        assert_eq!(ticks(Unit::Seconds, (0.0, 300.0), 5, true), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(ticks(Unit::Share, (0.0, 1.0), 5, true), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(ticks(Unit::Plain, (-3.0, 3.0), 3, true), ["-4", "-2", "0", "2", "4"]);
    }

    #[test]
    fn a_single_value_has_an_axis_too() {
        let scale = Scale::new(&Axis::new("x", Unit::Plain), (2.0, 2.0), 4, false);
        assert_eq!((scale.least, scale.most), (2.0, 3.0));
    }

    #[test]
    fn the_title_names_the_unit() {
        let scale = Scale::new(&Axis::new("wait", Unit::Seconds), (0.0, 0.2), 4, true);
        assert_eq!(scale.title, "wait (ms)");
    }
}
