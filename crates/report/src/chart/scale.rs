//! From values to places on an axis. Which round values are written beside it is in `ticks`.

use super::Axis;
use super::ticks::{self, Tick};

/// An axis with its ends fixed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) least: f64,
    pub(super) most: f64,
    log: bool,
    /// The title with the unit.
    pub(super) title: String,
    /// Round values, and how they are written.
    pub(super) ticks: Vec<Tick>,
}

impl Scale {
    /// An axis over values from `least` to `most` with about `n` ticks. `round` lets it end at a tick.
    pub(super) fn new(axis: &Axis, ends: (f64, f64), n: usize, round: bool) -> Self {
        let made = if axis.log {
            ticks::log(axis, widened(log_ends(ends)), n)
        } else if let Some(start) = axis.clock {
            ticks::clock(axis, widened(ends), start, n)
        } else {
            ticks::linear(axis, widened(ends), n, round)
        };
        Self { least: made.least, most: made.most, log: axis.log, title: made.title, ticks: made.ticks }
    }

    /// Where a value lies: 0 at the least, 1 at the most.
    pub(super) fn place(&self, value: f64) -> f64 {
        let place = if self.log {
            let value = value.max(self.least);
            libm::log10(value / self.least) / libm::log10(self.most / self.least)
        } else {
            (value - self.least) / (self.most - self.least)
        };
        place.clamp(0.0, 1.0)
    }

    /// The value at a place; the other way round.
    pub(super) fn value(&self, place: f64) -> f64 {
        if self.log {
            self.least * libm::pow(self.most / self.least, place)
        } else {
            self.least + place * (self.most - self.least)
        }
    }
}

/// Ends above zero, at most a million apart: a single tiny value must not squeeze all others.
fn log_ends((least, most): (f64, f64)) -> (f64, f64) {
    match (least > 0.0, most > 0.0) {
        (true, _) => (least.max(most / 1e6), most),
        (false, true) => (most / 1e3, most),
        (false, false) => (1.0, 10.0),
    }
}

/// Ends far enough apart to tell them from each other.
fn widened((least, most): (f64, f64)) -> (f64, f64) {
    let size = least.abs().max(most.abs());
    if most - least > size * 1e-9 {
        return (least, most);
    }
    (least, if size == 0.0 { 1.0 } else { least + size / 2.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Unit;

    fn ticks(axis: &Axis, ends: (f64, f64), n: usize, round: bool) -> Vec<String> {
        Scale::new(axis, ends, n, round).ticks.into_iter().map(|tick| tick.text).collect()
    }

    fn unit_ticks(unit: Unit, ends: (f64, f64), n: usize, round: bool) -> Vec<String> {
        ticks(&Axis::new("x", unit), ends, n, round)
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(unit_ticks(Unit::Plain, (0.0, 0.93), 5, true), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(unit_ticks(Unit::Count, (16.0, 19.0), 8, false), ["16", "17", "18", "19"]);
        assert_eq!(unit_ticks(Unit::Count, (91.0, 130.0), 6, false), ["100", "110", "120", "130"]);
        assert_eq!(unit_ticks(Unit::Share, (0.0, 1.0), 5, true), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(unit_ticks(Unit::Plain, (-3.0, 3.0), 3, true), ["-4", "-2", "0", "2", "4"]);
    }

    #[test]
    fn times_have_steps_of_their_own() {
        assert_eq!(unit_ticks(Unit::Seconds, (0.0, 300.0), 5, true), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(unit_ticks(Unit::Seconds, (0.0, 86_400.0), 5, false), ["0", "6", "12", "18", "24"]);
        assert_eq!(unit_ticks(Unit::Seconds, (0.0, 3_600.0), 5, false), ["0", "15", "30", "45", "60"]);
    }

    #[test]
    fn times_of_day() {
        let axis = Axis::new("time of day", Unit::Seconds).clock(8.0 * 3_600.0);
        assert_eq!(ticks(&axis, (0.0, 28_800.0), 4, false), ["08:00", "10:00", "12:00", "14:00", "16:00"]);
        assert_eq!(ticks(&axis, (0.0, 86_400.0), 4, false), ["12:00", "18:00", "day 2", "06:00"]);
        assert_eq!(
            ticks(&axis, (0.0, 5.0 * 86_400.0), 6, false),
            ["day 2", "day 3", "day 4", "day 5", "day 6"]
        );
    }

    #[test]
    fn powers_of_ten() {
        let plain = Axis::new("x", Unit::Plain).log();
        assert_eq!(ticks(&plain, (0.5, 3_000.0), 6, false), ["1", "10", "100", "1,000"]);
        assert_eq!(ticks(&plain, (1.0, 20.0), 6, false), ["1", "2", "5", "10", "20"]);
        let wait = Axis::new("wait", Unit::Seconds).log();
        assert_eq!(
            ticks(&wait, (0.2, 40_000.0), 8, false),
            ["1 s", "10 s", "1 min", "10 min", "1 h", "10 h"]
        );
        let scale = Scale::new(&wait, (0.0, 1_000.0), 5, false);
        assert_eq!((scale.place(0.0), scale.place(-3.0), scale.place(1_000.0)), (0.0, 0.0, 1.0));
        assert!((scale.value(scale.place(50.0)) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_single_value_has_an_axis_too() {
        let plain = Axis::new("x", Unit::Plain);
        let scale = Scale::new(&plain, (2.0, 2.0), 4, false);
        assert_eq!((scale.least, scale.most), (2.0, 3.0));
        for value in [1e20, -1e20, 1e-20, 1e290, 0.0] {
            for axis in [plain.clone(), plain.clone().log()] {
                let scale = Scale::new(&axis, (value, value), 4, true);
                assert!(scale.most > scale.least && scale.place(value).is_finite(), "{value}");
                assert!((1..20).contains(&scale.ticks.len()), "{value}: {:?}", scale.ticks);
            }
        }
    }

    #[test]
    fn counts_that_are_hardly_any() {
        let scale = Scale::new(&Axis::new("x", Unit::Count), (-2e-156, -1e-156), 4, true);
        assert!(scale.most > scale.least && scale.place(-2e-156).is_finite());
    }

    #[test]
    fn near_values_are_told_apart() {
        let texts = unit_ticks(Unit::Plain, (1_000_000.0, 1_000_000.5), 5, false);
        assert_eq!(texts[1], "1,000,000.1");
    }

    #[test]
    fn large_numbers_are_counted_in_millions() {
        let scale = Scale::new(&Axis::new("tasks", Unit::Count), (0.0, 4e7), 4, true);
        assert_eq!(scale.title, "tasks (million)");
        assert_eq!(scale.ticks[1].text, "10");
        let cost = Scale::new(&Axis::new("cost", Unit::Of("USD".to_owned())), (0.0, 2e9), 4, true);
        assert_eq!(cost.title, "cost (million USD)");
    }

    #[test]
    fn the_title_names_the_unit() {
        let scale = Scale::new(&Axis::new("wait", Unit::Seconds), (0.0, 0.2), 4, true);
        assert_eq!(scale.title, "wait (ms)");
    }
}
