//! Line charts: what is drawn, without how. [`terminal`] and [`svg`] draw the same [`Chart`].
//!
//! The title says the finding or the question, axes have units, lines are named at their ends, uncertainty is a band, and a
//! recommended value is a thin line.

mod canvas;
mod frame;
mod labels;
mod scale;
pub mod svg;
pub mod terminal;

use crate::number::Unit;

/// An axis: what it shows, in which unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows.
    pub title: String,
    /// In which unit.
    pub unit: Unit,
    /// Values above are cut off; without it the axis reaches to the largest.
    pub most: Option<f64>,
}

impl Axis {
    /// An axis that reaches to the largest value.
    #[must_use]
    pub fn new(title: &str, unit: Unit) -> Self {
        Self { title: title.to_owned(), unit, most: None }
    }

    /// Cut off above `most`.
    #[must_use]
    pub fn up_to(mut self, most: f64) -> Self {
        self.most = Some(most);
        self
    }
}

/// A line through points, by rising x. A point that is not finite interrupts it.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Written at its end.
    pub name: String,
    /// The points.
    pub points: Vec<(f64, f64)>,
    /// How uncertain it is: x, the lower and the upper end.
    pub band: Vec<(f64, f64, f64)>,
}

impl Series {
    /// A line without a band.
    #[must_use]
    pub fn new(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points, band: Vec::new() }
    }

    /// The same with a band.
    #[must_use]
    pub fn with_band(mut self, band: Vec<(f64, f64, f64)>) -> Self {
        self.band = band;
        self
    }
}

/// A thin line across the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Written beside it.
    pub name: String,
    /// Where.
    pub at: At,
}

/// Where a marker is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// A vertical line.
    X(f64),
    /// A horizontal one.
    Y(f64),
}

/// A line chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The finding, or the question.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards, from zero unless something lies below.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// Thin lines for what is recommended or demanded.
    pub markers: Vec<Marker>,
}

impl Chart {
    /// A chart without lines yet.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self { title: title.to_owned(), x, y, series: Vec::new(), markers: Vec::new() }
    }

    /// One more line.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// A thin line at a value.
    #[must_use]
    pub fn mark(mut self, name: &str, at: At) -> Self {
        self.markers.push(Marker { name: name.to_owned(), at });
        self
    }
}

#[cfg(test)]
mod tests;
