//! A chart made ready to draw: ends of the axes, lines cut off where they leave the frame.

use super::scale::Scale;
use super::{At, Chart, Series};

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
    pub(super) fn new(chart: &Chart, ticks: (usize, usize)) -> Self {
        let x = Scale::new(&chart.x, ends(xs(chart), None), ticks.0, false);
        let ys = std::iter::once(0.0).chain(ys(chart));
        let y = Scale::new(&chart.y, ends(ys, chart.y.most), ticks.1, true);
        let most = chart.y.most.map_or(f64::INFINITY, |_| y.most);
        let lines = chart.series.iter().map(|series| pieces(&series.points, most)).collect();
        let bands = chart.series.iter().map(|series| band(series, most)).collect();
        Self { x, y, lines, bands }
    }

    /// Where a series ends, if it is seen at all.
    pub(super) fn end(&self, series: usize) -> Option<(f64, f64)> {
        self.lines[series].last().and_then(|piece| piece.last()).copied()
    }
}

fn xs(chart: &Chart) -> impl Iterator<Item = f64> {
    let marked =
        chart.markers.iter().filter_map(|marker| if let At::X(x) = marker.at { Some(x) } else { None });
    chart.series.iter().flat_map(|series| series.points.iter().map(|(x, _)| *x)).chain(marked)
}

fn ys(chart: &Chart) -> impl Iterator<Item = f64> {
    let marked =
        chart.markers.iter().filter_map(|marker| if let At::Y(y) = marker.at { Some(y) } else { None });
    let bands = chart.series.iter().flat_map(|series| series.band.iter().map(|(_, _, high)| *high));
    chart.series.iter().flat_map(|series| series.points.iter().map(|(_, y)| *y)).chain(bands).chain(marked)
}

/// The least and the most of the finite values, cut off at `most`; 0 and 1 if there are none.
fn ends(values: impl Iterator<Item = f64>, most: Option<f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return (0.0, 1.0);
    }
    (low, most.map_or(high, |most| high.min(most)))
}

fn band(series: &Series, most: f64) -> Vec<(f64, f64, f64)> {
    let finite = series.band.iter().filter(|(x, low, _)| x.is_finite() && low.is_finite());
    finite.map(|(x, low, high)| (*x, low.min(most), high.min(most))).collect()
}

/// The parts of a line below `most`, ended where it crosses.
fn pieces(points: &[(f64, f64)], most: f64) -> Vec<Vec<(f64, f64)>> {
    let mut pieces: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
    let mut before: Option<(f64, f64)> = None;
    for &(x, y) in points {
        if !(x.is_finite() && y.is_finite()) {
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

    #[test]
    fn a_line_is_cut_where_it_leaves() {
        let cut = pieces(&[(0.0, 30.0), (1.0, 10.0), (2.0, 0.0), (3.0, f64::INFINITY), (4.0, 1.0)], 20.0);
        assert_eq!(cut, [vec![(0.5, 20.0), (1.0, 10.0), (2.0, 0.0)], vec![(4.0, 1.0)]]);
        assert_eq!(pieces(&[(0.0, 0.0), (1.0, 40.0), (2.0, 0.0)], 20.0).len(), 2);
        assert!(pieces(&[], 1.0).is_empty());
    }

    #[test]
    fn ends_of_nothing() {
        assert_eq!(ends([f64::NAN].into_iter(), None), (0.0, 1.0));
        assert_eq!(ends([3.0, 9.0].into_iter(), Some(5.0)), (3.0, 5.0));
    }
}
