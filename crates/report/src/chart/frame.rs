//! A chart made ready to draw: ends of the axes, thinned lines, cut off where they leave the frame.

use super::axis::HUGE;
use super::scale::Scale;
use super::thin::thin_by;
use super::{At, Chart, Look, Series};

/// Points of a line that are drawn at most, about: two for each step that the eye can tell apart.
const POINTS_MAX: usize = 500;
/// Numbers nearer to zero are as good as zero.
const TINY: f64 = 1e-290;

/// From where to where the values of a chart reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
}

impl Extent {
    pub(super) fn of(chart: &Chart) -> Self {
        let mut x = ends(xs(chart), chart.x.log, chart.x.most);
        let zero = (!chart.y.free && !chart.y.log).then_some(0.0);
        let mut y = ends(zero.into_iter().chain(ys(chart)), chart.y.log, chart.y.most);
        if chart.diagonal {
            let both = (x.0.min(y.0), x.1.max(y.1));
            (x, y) = (both, both);
        }
        Self { x, y }
    }

    /// Over both.
    pub(super) fn and(self, other: Self) -> Self {
        let both = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
        Self { x: both(self.x, other.x), y: both(self.y, other.y) }
    }
}

/// What both ways of drawing begin with.
pub(super) struct Frame {
    pub(super) x: Scale,
    pub(super) y: Scale,
    /// For each series its pieces within the frame.
    pub(super) lines: Vec<Vec<Vec<(f64, f64)>>>,
    /// For each series its band, cut off likewise.
    pub(super) bands: Vec<Vec<(f64, f64, f64)>>,
}

impl Frame {
    /// `ticks`: about how many on each axis.
    pub(super) fn new(chart: &Chart, extent: Extent, ticks: (usize, usize)) -> Self {
        let x = Scale::new(&chart.x, extent.x, ticks.0, false);
        let y = Scale::new(&chart.y, extent.y, ticks.1, true);
        Self::with(chart, x, y)
    }

    pub(super) fn with(chart: &Chart, x: Scale, y: Scale) -> Self {
        let most = chart.y.most.map_or(f64::INFINITY, |_| y.most);
        let right = chart.x.most.unwrap_or(f64::INFINITY);
        let line = |series| pieces(&until(&joined(series, &x), right), most);
        let lines = chart.series.iter().map(line).collect();
        let bands = chart.series.iter().map(|series| band(series, &x, right, most)).collect();
        Self { x, y, lines, bands }
    }

    /// Where a series ends, if it is seen at all.
    pub(super) fn end(&self, series: usize) -> Option<(f64, f64)> {
        self.lines[series].last().and_then(|piece| piece.last()).copied()
    }

    /// How high a series is at a place along the x axis, if it is there; beyond its end as high as there.
    pub(super) fn height(&self, series: usize, place: f64) -> Option<f64> {
        let (end, last) = self.end(series)?;
        if place >= self.x.place(end) {
            return Some(self.y.place(last));
        }
        let x = self.x.value(place);
        let mut pairs = self.lines[series].iter().flat_map(|piece| piece.windows(2));
        let found = pairs.rfind(|pair| pair[0].0 <= x && x <= pair[1].0)?;
        let part = if found[1].0 > found[0].0 { (x - found[0].0) / (found[1].0 - found[0].0) } else { 1.0 };
        Some(self.y.place(found[0].1 + part * (found[1].1 - found[0].1)))
    }
}

fn xs(chart: &Chart) -> impl Iterator<Item = f64> {
    let marked =
        chart.markers_shown().filter_map(|marker| if let At::X(x) = marker.at { Some(x) } else { None });
    let spots = chart.spots_shown();
    let spots = spots.flat_map(|(spot, _)| std::iter::once(spot.x).chain(both(spot.x_ends)));
    chart.series.iter().flat_map(|series| series.points.iter().map(|(x, _)| *x)).chain(marked).chain(spots)
}

fn ys(chart: &Chart) -> impl Iterator<Item = f64> {
    let marked =
        chart.markers_shown().filter_map(|marker| if let At::Y(y) = marker.at { Some(y) } else { None });
    let bands = chart.series.iter().flat_map(|series| &series.band).flat_map(|(_, low, high)| [*low, *high]);
    let spots = chart.spots_shown();
    let spots = spots.flat_map(|(spot, _)| std::iter::once(spot.y).chain(both(spot.y_ends)));
    let points = chart.series.iter().flat_map(|series| series.points.iter().map(|(_, y)| *y));
    points.chain(bands).chain(marked).chain(spots)
}

fn both(ends: Option<(f64, f64)>) -> impl Iterator<Item = f64> {
    ends.into_iter().flat_map(|(low, high)| [low, high])
}

/// The least and the most of the values that can be shown, cut off at `most`; 0 and 1 if there are none.
pub(super) fn ends(values: impl Iterator<Item = f64>, log: bool, most: Option<f64>) -> (f64, f64) {
    let near = |value: f64| if value.abs() < TINY { 0.0 } else { value };
    let shown = values.filter(|value| value.abs() < HUGE).map(near).filter(|value| !log || *value > 0.0);
    let (low, high) =
        shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return (0.0, 1.0);
    }
    (low, most.map_or(high, |most| high.min(most)).max(low))
}

fn band(series: &Series, x: &Scale, right: f64, most: f64) -> Vec<(f64, f64, f64)> {
    let shown = |x: f64| x.abs() < HUGE && x <= right;
    let finite = series.band.iter().copied().filter(|(x, low, high)| shown(*x) && low <= high);
    let finite: Vec<(f64, f64, f64)> = finite.collect();
    let thinned = thin_by(&finite, POINTS_MAX, |(at, ..)| x.place(*at), &[|it| it.1, |it| it.2]);
    let mut cut: Vec<(f64, f64, f64)> = Vec::with_capacity(thinned.len());
    for (x, low, high) in thinned.into_iter().map(|(x, low, high)| (x, low.min(most), high.min(most))) {
        if let Some((_, low, high)) = cut.last().copied().filter(|_| series.look == Look::Step) {
            cut.push((x, low, high));
        }
        cut.push((x, low, high));
    }
    cut
}

/// The points of a series with the corners of its steps.
fn joined(series: &Series, x: &Scale) -> Vec<(f64, f64)> {
    let thinned = thin_by(&series.points, POINTS_MAX, |(at, _)| x.place(*at), &[|(_, y)| *y]);
    if series.look != Look::Step {
        return thinned;
    }
    let mut out: Vec<(f64, f64)> = Vec::with_capacity(thinned.len() * 2);
    for point in thinned {
        if let Some((_, held)) = out.last().copied().filter(|(_, held)| held.is_finite()) {
            out.push((point.0, held));
        }
        out.push(point);
    }
    out.dedup();
    out
}

/// The part of a line up to `right`, ended where it crosses.
fn until(points: &[(f64, f64)], right: f64) -> Vec<(f64, f64)> {
    let within = points.iter().take_while(|(x, _)| x.is_nan() || *x <= right);
    let mut out: Vec<(f64, f64)> = within.copied().collect();
    if let (Some(from), Some(to)) = (out.last(), points.get(out.len())) {
        let part = (right - from.0) / (to.0 - from.0);
        out.push((right, from.1 + part * (to.1 - from.1)));
    }
    out
}

/// The parts of a line below `most`, ended where it crosses.
fn pieces(points: &[(f64, f64)], most: f64) -> Vec<Vec<(f64, f64)>> {
    let mut pieces: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
    let mut before: Option<(f64, f64)> = None;
    for &(x, y) in points {
        if !(x.abs() < HUGE && y.abs() < HUGE) {
            pieces.push(Vec::new());
            before = None;
            continue;
        }
        if let Some(cut) = before.and_then(|from| crossing(from, (x, y), most)) {
            if y > most {
                pieces.last_mut().expect("one at least").push(cut);
                pieces.push(Vec::new());
            } else {
                pieces.push(vec![cut]);
            }
        }
        if y <= most {
            pieces.last_mut().expect("one at least").push((x, y));
        }
        before = Some((x, y));
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn crossing(from: (f64, f64), to: (f64, f64), most: f64) -> Option<(f64, f64)> {
    if (from.1 > most) == (to.1 > most) {
        return None;
    }
    let part = (most - from.1) / (to.1 - from.1);
    Some((from.0 + part * (to.0 - from.0), most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Axis;
    use crate::number::Unit;

    #[test]
    fn a_line_is_cut_where_it_leaves() {
        let cut = pieces(&[(0.0, 30.0), (1.0, 10.0), (2.0, 0.0), (3.0, f64::INFINITY), (4.0, 1.0)], 20.0);
        assert_eq!(cut, [vec![(0.5, 20.0), (1.0, 10.0), (2.0, 0.0)], vec![(4.0, 1.0)]]);
        assert_eq!(pieces(&[(0.0, 0.0), (1.0, 40.0), (2.0, 0.0)], 20.0).len(), 2);
        assert!(pieces(&[], 1.0).is_empty());
    }

    #[test]
    fn a_line_is_cut_at_the_right() {
        assert_eq!(until(&[(0.0, 0.0), (2.0, 4.0), (4.0, 8.0)], 3.0), [(0.0, 0.0), (2.0, 4.0), (3.0, 6.0)]);
        assert_eq!(until(&[(0.0, 0.0), (2.0, 4.0)], 2.0), [(0.0, 0.0), (2.0, 4.0)]);
        assert!(until(&[(5.0, 0.0)], 2.0).is_empty());
    }

    #[test]
    fn ends_of_nothing() {
        assert_eq!(ends([f64::NAN].into_iter(), false, None), (0.0, 1.0));
        assert_eq!(ends([3.0, 9.0].into_iter(), false, Some(5.0)), (3.0, 5.0));
        assert_eq!(ends([-3.0, 0.0, 9.0].into_iter(), true, None), (9.0, 9.0));
    }

    #[test]
    fn a_step_holds_its_value() {
        let x = Scale::new(&Axis::new("x", Unit::Plain), (0.0, 3.0), 4, false);
        let series = Series::new("n", vec![(0.0, 1.0), (2.0, 4.0), (3.0, f64::NAN), (5.0, 2.0)]).step();
        let pieces = pieces(&joined(&series, &x), f64::INFINITY);
        assert_eq!(pieces, [vec![(0.0, 1.0), (2.0, 1.0), (2.0, 4.0), (3.0, 4.0)], vec![(5.0, 2.0)]]);
    }
}
