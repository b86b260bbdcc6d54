//! What is within the axes: bands behind, then thin markers, then lines and dots.

use super::pen::{Pen, colour};
use super::plot::Plot;
use crate::chart::{At, Look};

pub(super) fn draw(pen: &mut Pen, plot: &Plot<'_>) {
    draw_bands(pen, plot);
    draw_markers(pen, plot);
    for (i, series) in plot.chart.series.iter().enumerate() {
        match series.look {
            Look::Dots => draw_dots(pen, plot, i),
            Look::Line | Look::Step => draw_line(pen, plot, i),
        }
    }
}

fn draw_bands(pen: &mut Pen, plot: &Plot<'_>) {
    for (i, band) in plot.frame.bands.iter().enumerate().filter(|(_, band)| band.len() > 1) {
        let upper = band.iter().map(|(x, _, high)| (plot.x(*x), plot.y(*high)));
        let lower = band.iter().rev().map(|(x, low, _)| (plot.x(*x), plot.y(*low)));
        pen.polygon(&format!("mc-band {}", colour(plot.colours[i])), upper.chain(lower));
    }
}

fn draw_markers(pen: &mut Pen, plot: &Plot<'_>) {
    for marker in plot.chart.markers_shown() {
        match marker.at {
            At::X(x) => pen.line("mc-mark", (plot.x(x), plot.top - 4.0), (plot.x(x), plot.bottom)),
            At::Y(y) => pen.line("mc-mark", (plot.left, plot.y(y)), (plot.right, plot.y(y))),
        }
    }
    if plot.chart.diagonal {
        let (x, y) = (&plot.frame.x, &plot.frame.y);
        let (low, high) = (x.least.max(y.least), x.most.min(y.most));
        // A diagonal is straight only if both axes are alike; through some points it is right in any case.
        let at = |k: u32| x.value(x.place(low) + (x.place(high) - x.place(low)) * f64::from(k) / 32.0);
        let points = (0..=32).map(at).map(|value| (plot.x(value), plot.y(value)));
        pen.polyline("mc-line mc-thin mc-mark", points);
    }
}

fn draw_line(pen: &mut Pen, plot: &Plot<'_>, i: usize) {
    let thin = if plot.chart.series[i].thin { " mc-thin" } else { "" };
    let class = format!("mc-line{thin} {}", colour(plot.colours[i]));
    for piece in &plot.frame.lines[i] {
        match piece.as_slice() {
            // A line of one point is a dot.
            [(x, y)] => {
                pen.circle(&format!("mc-dot {}", colour(plot.colours[i])), (plot.x(*x), plot.y(*y)), 3.0);
            }
            points => pen.polyline(&class, points.iter().map(|(x, y)| (plot.x(*x), plot.y(*y)))),
        }
    }
}

fn draw_dots(pen: &mut Pen, plot: &Plot<'_>, i: usize) {
    let class = format!("mc-cloud {}", colour(plot.colours[i]));
    for (x, y) in plot.frame.lines[i].iter().flatten() {
        pen.circle(&class, (plot.x(*x), plot.y(*y)), 2.5);
    }
}
