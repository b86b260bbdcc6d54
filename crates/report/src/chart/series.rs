//! Lines through points, and single points with a name of their own.

/// How the points of a series are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// By straight lines.
    Line,
    /// A value holds until the next point: queue lengths, pool sizes.
    Step,
    /// Not at all.
    Dots,
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
    /// How the points are joined.
    pub look: Look,
    /// A thin line in the colour of the series before it: what is recommended beside what is.
    pub thin: bool,
}

/// Enough steps that a distribution looks smooth.
const CDF_POINTS_MAX: usize = 1_000;

impl Series {
    /// A line without a band.
    #[must_use]
    pub fn new(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points, band: Vec::new(), look: Look::Line, thin: false }
    }

    /// The share of values up to each value, as steps; at most a thousand of them, the extremes among them.
    #[must_use]
    pub fn cdf(name: &str, values: &[f64]) -> Self {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        let kept = n.min(CDF_POINTS_MAX);
        let index = |k: usize| if kept > 1 { k * (n - 1) / (kept - 1) } else { 0 };
        let point = |i: usize| (sorted[i], (i + 1) as f64 / n as f64);
        let first = sorted.first().map(|least| (*least, 0.0));
        let points = first.into_iter().chain((0..kept).map(index).map(point)).collect();
        Self::new(name, points).step()
    }

    /// The same with a band.
    #[must_use]
    pub fn with_band(mut self, band: Vec<(f64, f64, f64)>) -> Self {
        self.band = band;
        self
    }

    /// The same in steps: a value holds until the next point. To reach the end of the chart, end with a point there.
    #[must_use]
    pub fn step(mut self) -> Self {
        self.look = Look::Step;
        self
    }

    /// The same as points that no line joins.
    #[must_use]
    pub fn dots(mut self) -> Self {
        self.look = Look::Dots;
        self
    }

    /// The same thin, in the colour of the series before it.
    #[must_use]
    pub fn thin(mut self) -> Self {
        self.thin = true;
        self
    }
}

/// A point with a name: one variant, one tenant. How uncertain it is, is shown as whiskers.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Written beside it.
    pub name: String,
    /// Where, to the right.
    pub x: f64,
    /// Where, upwards.
    pub y: f64,
    /// The ends of the whisker to the left and right.
    pub x_ends: Option<(f64, f64)>,
    /// The ends of the whisker below and above.
    pub y_ends: Option<(f64, f64)>,
}

impl Spot {
    /// A point without whiskers.
    #[must_use]
    pub fn new(name: &str, x: f64, y: f64) -> Self {
        Self { name: name.to_owned(), x, y, x_ends: None, y_ends: None }
    }

    /// With an interval to the left and right.
    #[must_use]
    pub fn x_within(mut self, low: f64, high: f64) -> Self {
        self.x_ends = Some((low, high));
        self
    }

    /// With an interval below and above.
    #[must_use]
    pub fn y_within(mut self, low: f64, high: f64) -> Self {
        self.y_ends = Some((low, high));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cdf_rises_from_nothing_to_all() {
        let cdf = Series::cdf("wait", &[3.0, 1.0, f64::NAN, 2.0, 2.0]);
        assert_eq!(cdf.points, [(1.0, 0.0), (1.0, 0.25), (2.0, 0.5), (2.0, 0.75), (3.0, 1.0)]);
        assert_eq!(Series::cdf("one", &[5.0]).points, [(5.0, 0.0), (5.0, 1.0)]);
        assert!(Series::cdf("none", &[]).points.is_empty());
    }

    #[test]
    fn a_long_cdf_keeps_its_ends() {
        let values: Vec<f64> = (0..50_000).map(f64::from).collect();
        let points = Series::cdf("wait", &values).points;
        assert_eq!(points.len(), 1_001);
        assert_eq!((points[0], points[1_000]), ((0.0, 0.0), (49_999.0, 1.0)));
    }
}
