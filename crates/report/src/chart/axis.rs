//! An axis: what it shows, in which unit, how its values are spaced and written.

use crate::number::Unit;

/// Numbers beyond are as good as infinite.
pub(super) const HUGE: f64 = 1e290;

/// An axis: what it shows, in which unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows.
    pub title: String,
    /// In which unit.
    pub unit: Unit,
    /// Values above are cut off; without it the axis reaches to the largest.
    pub most: Option<f64>,
    /// Each step multiplies: for what ranges over powers of ten. What is not above zero, or less than a
    /// millionth of the largest, stands at the lower end.
    pub log: bool,
    /// Written as times of day: the second of the day at which value 0 (seconds) lies.
    pub clock: Option<f64>,
    /// Need not begin at zero. Matters upwards only; to the right an axis always begins at the least value.
    pub free: bool,
}

impl Axis {
    /// An axis that reaches to the largest value.
    #[must_use]
    pub fn new(title: &str, unit: Unit) -> Self {
        Self { title: title.to_owned(), unit, most: None, log: false, clock: None, free: false }
    }

    /// Cut off above `most`, if that is a number.
    #[must_use]
    pub fn up_to(mut self, most: f64) -> Self {
        self.most = Some(most).filter(|most| most.abs() < HUGE);
        self
    }

    /// Each step multiplies.
    #[must_use]
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }

    /// Times of day, for values in seconds; `start` is the second of the day at which value 0 lies.
    #[must_use]
    pub fn clock(mut self, start: f64) -> Self {
        self.clock = Some(if start.is_finite() { start } else { 0.0 });
        self
    }

    /// Whether a value has a place on it. Numbers beyond 1e290 are as good as infinite.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.abs() < HUGE && self.most.is_none_or(|most| value <= most)
    }

    /// Need not begin at zero.
    #[must_use]
    pub fn free(mut self) -> Self {
        self.free = true;
        self
    }
}
