//! Small multiples: one plot per panel, all with the same ends of axes, so that they can be compared.

use super::pen::Pen;
use super::{ALONE, Drawn, Room, element, head, plot, words};
use crate::chart::frame::Extent;
use crate::chart::scale::Scale;
use crate::chart::{Chart, Panels};

const PANEL: Room = Room { width: 290.0, plot: 120.0, pad: 6.0, titled: true, axes_titled: false };

/// How many panels stand side by side in a picture of its own.
const COLUMNS: usize = 3;

/// The panels, each drawn within the same ends.
fn drawn(panels: &Panels) -> Vec<Drawn> {
    let extent = extent(panels);
    panels.panels.iter().map(|panel| plot::draw(&alike(panel, panels), extent, &PANEL)).collect()
}

fn extent(panels: &Panels) -> Extent {
    let all = panels.panels.iter().map(|panel| Extent::of(&alike(panel, panels)));
    all.reduce(Extent::and).unwrap_or(Extent { x: (0.0, 1.0), y: (0.0, 1.0) })
}

/// A panel with the axes of the first. The name of an only line says nothing that the panel's title does not.
fn alike(panel: &Chart, panels: &Panels) -> Chart {
    let mut alike = panel.clone();
    if let Some(first) = panels.panels.first() {
        (alike.x, alike.y) = (first.x.clone(), first.y.clone());
    }
    if let [only] = alike.series.as_mut_slice() {
        only.name.clear();
    }
    alike
}

/// What the axes of every panel are, in words.
pub(super) fn axes(panels: &Panels) -> String {
    let Some(first) = panels.panels.first() else { return String::new() };
    let extent = extent(panels);
    let title = |axis, ends| Scale::new(axis, ends, 3, false).title;
    format!("{} by {}, the same axes in each", title(&first.y, extent.y), title(&first.x, extent.x))
}

/// As elements of a page, which puts them side by side as they fit.
pub(super) fn in_page(panels: &Panels) -> String {
    let one = |(panel, drawn): (&Chart, &Drawn)| element("mc", &panel.title, &words::chart(panel), drawn);
    let all: String = panels.panels.iter().zip(&drawn(panels)).map(one).collect();
    format!("<div class=\"m-panels\">\n{all}</div>\n")
}

/// As one picture.
pub(super) fn draw(panels: &Panels) -> Drawn {
    let drawn = drawn(panels);
    let columns = drawn.len().clamp(1, COLUMNS);
    let width = drawn.iter().map(|panel| panel.width).fold(PANEL.width, f64::max);
    let inner = columns as f64 * width;
    let room = Room { width: (inner + 2.0 * (ALONE.pad - PANEL.pad)).max(ALONE.width), ..ALONE };
    let mut pen = Pen::default();
    let top = head::title(&mut pen, &panels.title, &room);
    let about = if drawn.is_empty() { "nothing to show".to_owned() } else { axes(panels) };
    let mut top = head::note(&mut pen, &about, top, &room) + 4.0;
    let mut elements = pen.done();
    for row in drawn.chunks(columns) {
        for (i, panel) in row.iter().enumerate() {
            let x = room.pad - PANEL.pad + i as f64 * width;
            elements += &format!("<g transform=\"translate({x} {top})\">\n{}</g>\n", panel.elements);
        }
        top += row.iter().map(|panel| panel.height).fold(0.0, f64::max) + 6.0;
    }
    Drawn { elements, width: room.width, height: top + room.pad - 6.0 }
}
