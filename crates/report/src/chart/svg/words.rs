//! What a picture shows, in words: for those who do not see it.

use crate::chart::frame::Extent;
use crate::chart::{Axis, Chart, Figure, Look, Panels, Rows, Series};
use crate::number::Unit;

/// In words, what a figure shows.
pub(super) fn figure(figure: &Figure) -> String {
    match figure {
        Figure::Chart(chart) => self::chart(chart),
        Figure::Rows(rows) => self::rows(rows),
        Figure::Panels(panels) => self::panels(panels),
    }
}

pub(super) fn chart(chart: &Chart) -> String {
    let extent = Extent::of(chart);
    let mut parts = vec![format!("{}; {}.", range(&chart.y, extent.y), range(&chart.x, extent.x))];
    parts.extend(
        chart.series.iter().map(|series| format!("{}: {}.", named(&series.name), shown(chart, series))),
    );
    parts.extend(chart.spots.iter().map(|spot| {
        let (x, y) = (chart.x.unit.write(spot.x), chart.y.unit.write(spot.y));
        format!("{}: {} {x}, {} {y}.", named(&spot.name), chart.x.title, chart.y.title)
    }));
    parts.extend(chart.markers.iter().map(|marker| format!("Marked: {}.", marker.name)));
    parts.join(" ")
}

/// What matters most about a line: where half of a distribution is reached, or else where it ends.
fn shown(chart: &Chart, series: &Series) -> String {
    let points = || series.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
    let Some((_, last)) = points().next_back() else { return "no points".to_owned() };
    let is_distribution = chart.y.unit == Unit::Share && series.look == Look::Step && *last == 1.0;
    match points().find(|(_, y)| is_distribution && *y >= 0.5) {
        Some((x, _)) => format!("half of all up to {}", chart.x.unit.write(*x)),
        None => format!("{} at its end", chart.y.unit.write(*last)),
    }
}

fn range(axis: &Axis, (least, most): (f64, f64)) -> String {
    if axis.clock.is_some() {
        return format!("{} over {}", axis.title, axis.unit.write(most - least));
    }
    format!("{} from {} to {}", axis.title, axis.unit.write(least), axis.unit.write(most))
}

fn named(name: &str) -> &str {
    if name.is_empty() { "A line" } else { name }
}

fn rows(rows: &Rows) -> String {
    let row = |row: &crate::chart::Row| {
        let heading = row.heading.as_ref().map(|heading| format!("{heading}: ")).unwrap_or_default();
        format!("{heading}{}: {}.", row.name, row.value.write(&rows.axis.unit))
    };
    let all: Vec<String> =
        std::iter::once(format!("{}.", rows.axis.title)).chain(rows.rows.iter().map(row)).collect();
    all.join(" ")
}

fn panels(panels: &Panels) -> String {
    let all: Vec<String> =
        panels.panels.iter().map(|panel| format!("{}: {}", panel.title, chart(panel))).collect();
    all.join(" ")
}
