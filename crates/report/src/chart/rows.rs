//! Charts with a row per name: bars from zero, or intervals beside a zero line.

use super::Axis;
use crate::interval::Interval;

/// What stands in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A bar from zero.
    Bar,
    /// A point with its whisker, and a line at zero: differences.
    Point,
}

/// One name and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Written before it.
    pub name: String,
    /// The value; its half-width is the whisker.
    pub value: Interval,
    /// What it should be: a thin line across the row.
    pub target: Option<f64>,
    /// A heading above this row.
    pub heading: Option<String>,
}

/// Rows of bars or of intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// The finding, or the question.
    pub title: String,
    /// To the right. It always has zero on it.
    pub axis: Axis,
    /// From top to bottom.
    pub rows: Vec<Row>,
    /// What the thin lines of [`Rows::target`] are.
    pub target_name: String,
    pub(super) shape: Shape,
    heading: Option<String>,
}

impl Rows {
    /// Bars from zero, with whiskers: shares, counts.
    #[must_use]
    pub fn bars(title: &str, axis: Axis) -> Self {
        Self::new(title, axis, Shape::Bar)
    }

    /// Differences: points with whiskers beside a line at zero. One whose interval holds zero is drawn hollow.
    #[must_use]
    pub fn differences(title: &str, axis: Axis) -> Self {
        Self::new(title, axis, Shape::Point)
    }

    fn new(title: &str, axis: Axis, shape: Shape) -> Self {
        Self {
            title: title.to_owned(),
            axis,
            rows: Vec::new(),
            target_name: String::new(),
            shape,
            heading: None,
        }
    }

    /// One more row.
    #[must_use]
    pub fn row(mut self, name: &str, value: Interval) -> Self {
        let heading = self.heading.take();
        self.rows.push(Row { name: name.to_owned(), value, target: None, heading });
        self
    }

    /// What the last row should be: a thin line across it.
    #[must_use]
    pub fn target(mut self, value: f64) -> Self {
        if let Some(row) = self.rows.last_mut() {
            row.target = Some(value);
        }
        self
    }

    /// What the thin lines are, such as "share by weight".
    #[must_use]
    pub fn targets_are(mut self, name: &str) -> Self {
        name.clone_into(&mut self.target_name);
        self
    }

    /// A heading above the next row.
    #[must_use]
    pub fn heading(mut self, name: &str) -> Self {
        self.heading = Some(name.to_owned());
        self
    }
}
