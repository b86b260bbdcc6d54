//! What a chart shows, without how it is drawn. [`svg`] draws every [`Figure`], [`terminal`] a [`Chart`].
//!
//! The title says the finding or the question, axes have units, lines are named at their ends, uncertainty is a band or a
//! whisker, and a recommended value is a thin line. Start at [`Chart`] (lines, steps, points), [`Rows`] (bars, differences
//! with intervals) or [`Panels`] (small multiples). Numbers that are not finite are left out, never drawn wrongly.

mod axis;
mod canvas;
mod frame;
mod labels;
mod rows;
mod scale;
mod series;
pub mod svg;
pub mod terminal;
mod text;
mod thin;
mod ticks;

pub use axis::Axis;
pub use rows::{Row, Rows};
pub use series::{Look, Series, Spot};
pub use thin::thin;

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

/// A chart with two axes: lines, steps and points.
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
    /// Single points with names of their own.
    pub spots: Vec<Spot>,
    /// Thin lines for what is recommended or demanded.
    pub markers: Vec<Marker>,
    /// A thin line where both axes have the same value.
    pub diagonal: bool,
}

impl Chart {
    /// A chart without lines yet.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self {
            title: title.to_owned(),
            x,
            y,
            series: Vec::new(),
            spots: Vec::new(),
            markers: Vec::new(),
            diagonal: false,
        }
    }

    /// Quantiles beside quantiles (or any pairs that should agree): points against the diagonal.
    #[must_use]
    pub fn qq(title: &str, x: Axis, y: Axis, name: &str, pairs: Vec<(f64, f64)>) -> Self {
        let mut chart = Self::new(title, x.free(), y.free()).with(Series::new(name, pairs).dots());
        chart.diagonal = true;
        chart
    }

    /// One more line.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// One more point with a name.
    #[must_use]
    pub fn spot(mut self, spot: Spot) -> Self {
        self.spots.push(spot);
        self
    }

    /// A thin line at a value.
    #[must_use]
    pub fn mark(mut self, name: &str, at: At) -> Self {
        self.markers.push(Marker { name: name.to_owned(), at });
        self
    }

    /// The points with names that can be shown, and their colours.
    fn spots_shown(&self) -> impl Iterator<Item = (&Spot, usize)> {
        let colours = self.colours().into_iter().skip(self.series.len());
        self.spots.iter().zip(colours).filter(|(spot, _)| self.x.shows(spot.x) && self.y.shows(spot.y))
    }

    /// The markers that can be shown.
    fn markers_shown(&self) -> impl Iterator<Item = &Marker> {
        self.markers.iter().filter(|marker| match marker.at {
            At::X(x) => self.x.shows(x),
            At::Y(y) => self.y.shows(y),
        })
    }

    /// Which colour each series has, then each spot. A thin line has that of the series before it.
    fn colours(&self) -> Vec<usize> {
        let mut next = 0;
        let mut colours: Vec<usize> = Vec::new();
        for series in &self.series {
            let colour = if series.thin { colours.last().copied().unwrap_or(0) } else { next };
            colours.push(colour);
            next = next.max(colour + 1);
        }
        colours.extend((0..self.spots.len()).map(|i| next + i));
        colours
    }
}

/// Small multiples: the same axes in every panel, whose title says what it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Panels {
    /// The finding, or the question, of all together.
    pub title: String,
    /// The panels; the axes of the first are those of all.
    pub panels: Vec<Chart>,
}

impl Panels {
    /// Panels that share their axes.
    #[must_use]
    pub fn new(title: &str, panels: Vec<Chart>) -> Self {
        Self { title: title.to_owned(), panels }
    }
}

/// Anything that [`svg`] draws and a page can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// Lines, steps and points.
    Chart(Box<Chart>),
    /// Bars, or differences with intervals.
    Rows(Rows),
    /// Small multiples.
    Panels(Panels),
}

impl Figure {
    /// The finding, or the question.
    #[must_use]
    pub fn title(&self) -> &str {
        match self {
            Self::Chart(chart) => &chart.title,
            Self::Rows(rows) => &rows.title,
            Self::Panels(panels) => &panels.title,
        }
    }
}

impl From<Chart> for Figure {
    fn from(chart: Chart) -> Self {
        Self::Chart(Box::new(chart))
    }
}

impl From<Rows> for Figure {
    fn from(rows: Rows) -> Self {
        Self::Rows(rows)
    }
}

impl From<Panels> for Figure {
    fn from(panels: Panels) -> Self {
        Self::Panels(panels)
    }
}

#[cfg(test)]
mod tests;
