//! Points with whiskers and names. A name stands where it covers neither a point, nor a whisker, nor another name.

use super::pen::{Anchor, Pen, colour};
use super::plot::Plot;
use crate::chart::Spot;
use crate::chart::text::{LINE, SIZE, widest, wrap};

const R: f64 = 4.5;

/// A part of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// The place within that is nearest to a point.
    fn nearest(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (x.clamp(self.left, self.right), y.clamp(self.top, self.bottom))
    }

    fn distance(&self, point: (f64, f64)) -> f64 {
        let near = self.nearest(point);
        libm::hypot(near.0 - point.0, near.1 - point.1)
    }

    fn within(&self, other: &Self) -> bool {
        self.left >= other.left
            && self.right <= other.right
            && self.top >= other.top
            && self.bottom <= other.bottom
    }
}

pub(super) fn draw(pen: &mut Pen, plot: &Plot<'_>) {
    let spots: Vec<(&Spot, usize)> = plot.chart.spots_shown().collect();
    let points: Vec<(f64, f64)> = spots.iter().map(|(spot, _)| (plot.x(spot.x), plot.y(spot.y))).collect();
    let mut taken: Vec<Area> = spots.iter().flat_map(|(spot, _)| areas(plot, spot)).collect();
    for (spot, index) in &spots {
        draw_whiskers(pen, plot, spot, *index);
    }
    for (spot, index) in &spots {
        pen.circle(&format!("mc-dot {}", colour(*index)), (plot.x(spot.x), plot.y(spot.y)), R);
        draw_name(pen, plot, spot, &mut taken, &points);
    }
}

/// The ends of a whisker, if both can be shown.
fn ends(ends: Option<(f64, f64)>) -> Option<(f64, f64)> {
    ends.filter(|(low, high)| low.is_finite() && high.is_finite() && low < high)
}

/// What a point and its whiskers cover.
fn areas(plot: &Plot<'_>, spot: &Spot) -> Vec<Area> {
    let (x, y) = (plot.x(spot.x), plot.y(spot.y));
    let around = |left: f64, right: f64, top: f64, bottom: f64| Area { left, right, top, bottom };
    let mut areas = vec![around(x - R, x + R, y - R, y + R)];
    areas.extend(ends(spot.x_ends).map(|(low, high)| around(plot.x(low), plot.x(high), y - 2.0, y + 2.0)));
    areas.extend(ends(spot.y_ends).map(|(low, high)| around(x - 2.0, x + 2.0, plot.y(high), plot.y(low))));
    areas
}

fn draw_whiskers(pen: &mut Pen, plot: &Plot<'_>, spot: &Spot, index: usize) {
    let class = format!("mc-whisker mc-c{}", index % crate::theme::SERIES);
    let (x, y) = (plot.x(spot.x), plot.y(spot.y));
    if let Some((low, high)) = ends(spot.x_ends) {
        let (low, high) = (plot.x(low), plot.x(high));
        pen.line(&class, (low, y), (high, y));
        [low, high].into_iter().for_each(|end| pen.line(&class, (end, y - 3.0), (end, y + 3.0)));
    }
    if let Some((low, high)) = ends(spot.y_ends) {
        let (low, high) = (plot.y(low), plot.y(high));
        pen.line(&class, (x, low), (x, high));
        [low, high].into_iter().for_each(|end| pen.line(&class, (x - 3.0, end), (x + 3.0, end)));
    }
}

/// Writes the name at the first free place, near ones first. With no place at all it is left to the description.
fn draw_name(pen: &mut Pen, plot: &Plot<'_>, spot: &Spot, taken: &mut Vec<Area>, points: &[(f64, f64)]) {
    let lines = wrap(&spot.name, SIZE, (plot.right - plot.left) * 0.6);
    let size = (widest(lines.iter().map(String::as_str), SIZE), lines.len() as f64 * LINE);
    let frame = Area { left: plot.left, right: plot.right + 4.0, top: plot.top - 10.0, bottom: plot.bottom };
    let at = (plot.x(spot.x), plot.y(spot.y));
    let free = |area: &Area| area.within(&frame) && !taken.iter().any(|other| area.meets(other));
    let Some((area, far)) = places(at, size).find(|(area, _)| free(area)) else { return };
    // A line from the point to its name, if the name is far away or nearer to another point.
    let nearer = points.iter().any(|point| *point != at && area.distance(*point) < area.distance(at) + 12.0);
    if far || nearer {
        pen.line("mc-lead", at, area.nearest(at));
    }
    let middle = f64::midpoint(area.top, area.bottom);
    pen.lines((area.left, middle), "mc-name", Anchor::Start, &lines);
    taken.push(area);
}

/// Where a name could stand: beside, above and below the point, then in wider and wider circles.
fn places((x, y): (f64, f64), (width, height): (f64, f64)) -> impl Iterator<Item = (Area, bool)> {
    const SIDES: [(f64, f64); 8] = [
        (1.0, -1.0),
        (1.0, 1.0),
        (-1.0, -1.0),
        (-1.0, 1.0),
        (1.0, 0.0),
        (-1.0, 0.0),
        (0.0, -1.0),
        (0.0, 1.0),
    ];
    (0..14).flat_map(move |ring| {
        SIDES.into_iter().map(move |(right, down)| {
            let gap = 6.0 + f64::from(ring) * LINE * 0.75;
            let middle = (x + right * (gap + width / 2.0), y + down * (gap + height / 2.0));
            let (left, top) = (middle.0 - width / 2.0, middle.1 - height / 2.0);
            (Area { left, right: left + width, top, bottom: top + height }, ring > 1)
        })
    })
}
