//! Charts in a terminal: lines of braille dots, axes with round values, names at the ends of lines.

use super::canvas::{Canvas, Seen};
use super::frame::{Extent, Frame};
use super::labels::spread;
use super::ticks::Tick;
use super::{At, Chart, Look};
use crate::paint::Paint;
use crate::table::width;

/// How large a chart is drawn, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Of everything, at least 40.
    pub columns: usize,
    /// Of the part with the lines, at least 4.
    pub rows: usize,
}

/// The chart as lines of text.
#[must_use]
pub fn draw(chart: &Chart, size: Size, paint: Paint) -> String {
    let rows = size.rows.max(4);
    let frame = Frame::new(chart, Extent::of(chart), (size.columns / 12, rows / 3));
    let names = names(chart, &frame, rows);
    let left = frame.y.ticks.iter().map(|tick| width(&tick.text)).max().unwrap_or(0);
    let right = names.iter().map(|name| width(&name.text)).max().unwrap_or(0);
    let columns = size.columns.max(40).saturating_sub(left + right + 4).max(16);
    let drawing = Drawing { chart, frame, names, left, columns, rows, paint };
    drawing.lines().iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A name at the right end of a row.
struct Name {
    text: String,
    row: usize,
    /// `None` for a marker.
    colour: Option<usize>,
}

fn names(chart: &Chart, frame: &Frame, rows: usize) -> Vec<Name> {
    let row = |y: f64| (1.0 - frame.y.place(y)) * (rows - 1) as f64;
    let colours = chart.colours();
    let series = chart.series.iter().enumerate();
    let ends = series.filter_map(|(i, it)| frame.end(i).map(|(_, y)| (it.name.clone(), y, Some(colours[i]))));
    let spots = chart.spots_shown().map(|(spot, colour)| (spot.name.clone(), spot.y, Some(colour)));
    let marked = chart.markers_shown().filter_map(|marker| match marker.at {
        At::Y(y) => Some((marker.name.clone(), y, None)),
        At::X(_) => None,
    });
    let all = ends.chain(spots).chain(marked);
    let wanted: Vec<(String, f64, Option<usize>)> =
        all.map(|(text, y, colour)| (text, row(y).round(), colour)).collect();
    let places: Vec<f64> = wanted.iter().map(|(_, row, _)| *row).collect();
    let places = spread(&places, 1.0, 0.0, (rows - 1) as f64);
    let name = |((text, _, colour), row): ((String, f64, Option<usize>), f64)| Name {
        text,
        row: row.max(0.0) as usize,
        colour,
    };
    wanted.into_iter().zip(places).map(name).collect()
}

struct Drawing<'a> {
    chart: &'a Chart,
    frame: Frame,
    names: Vec<Name>,
    left: usize,
    columns: usize,
    rows: usize,
    paint: Paint,
}

impl Drawing<'_> {
    fn lines(&self) -> Vec<String> {
        let canvas = self.canvas();
        let mut lines = vec![self.paint.strong(&self.chart.title), self.frame.y.title.clone()];
        lines.extend(self.marker_names());
        lines.extend((0..self.rows).map(|row| self.row(&canvas, row)));
        lines.extend(self.x_axis());
        lines
    }

    fn canvas(&self) -> Canvas {
        let mut canvas = Canvas::new(self.columns, self.rows);
        self.draw_bands(&mut canvas);
        self.draw_markers(&mut canvas);
        let colours = self.chart.colours();
        for ((pieces, series), colour) in self.frame.lines.iter().zip(&self.chart.series).zip(&colours) {
            pieces.iter().for_each(|piece| self.draw_piece(&mut canvas, piece, series.look, *colour));
        }
        for (spot, colour) in self.chart.spots_shown() {
            self.draw_piece(&mut canvas, &[(spot.x, spot.y)], Look::Dots, colour);
        }
        canvas
    }

    fn draw_piece(&self, canvas: &mut Canvas, piece: &[(f64, f64)], look: Look, colour: usize) {
        let dot = |&(x, y): &(f64, f64)| canvas.dot(self.frame.x.place(x), self.frame.y.place(y));
        let dots: Vec<(i64, i64)> = piece.iter().map(dot).collect();
        let alone = if look == Look::Dots { dots.len() } else { 1 };
        let alone = dots.iter().take(alone).map(|dot| (*dot, *dot));
        let lines = dots.windows(2).map(|pair| (pair[0], pair[1])).filter(|_| look != Look::Dots);
        alone.chain(lines).for_each(|(from, to)| canvas.line(from, to, colour));
    }

    fn draw_markers(&self, canvas: &mut Canvas) {
        if self.chart.diagonal {
            for column in 0..self.columns {
                let x = self.frame.x.value((column as f64 + 0.5) / self.columns as f64);
                let row = canvas.dot(0.0, self.frame.y.place(x)).1 as usize / 4;
                canvas.under(column, row, '·');
            }
        }
        for marker in self.chart.markers_shown() {
            match marker.at {
                At::X(x) => (0..self.rows).for_each(|row| canvas.under(self.column(x), row, '┊')),
                At::Y(y) => {
                    let row = canvas.dot(0.0, self.frame.y.place(y)).1 as usize / 4;
                    (0..self.columns).for_each(|column| canvas.under(column, row, '┈'));
                }
            }
        }
    }

    fn draw_bands(&self, canvas: &mut Canvas) {
        for pair in self.frame.bands.iter().flat_map(|band| band.windows(2)) {
            let (from, to) = (self.column(pair[0].0), self.column(pair[1].0));
            for column in from..=to {
                let part = if to > from { (column - from) as f64 / (to - from) as f64 } else { 0.0 };
                let at = |a: f64, b: f64| self.frame.y.place(a + part * (b - a));
                let (low, high) = (at(pair[0].1, pair[1].1), at(pair[0].2, pair[1].2));
                let rows = canvas.dot(0.0, high).1 / 4..=canvas.dot(0.0, low).1 / 4;
                rows.for_each(|row| canvas.under(column, row as usize, '░'));
            }
        }
    }

    fn column(&self, x: f64) -> usize {
        (self.frame.x.place(x) * (self.columns * 2 - 1) as f64).round() as usize / 2
    }

    /// The names of vertical markers, each above its line.
    fn marker_names(&self) -> Vec<String> {
        let name = |marker: &super::Marker| {
            let At::X(x) = marker.at else { return None };
            let column = self.left + 2 + self.column(x);
            let length = width(&marker.name);
            let start = (column + 1).saturating_sub(length.div_ceil(2)).min(self.columns + self.left + 2);
            Some(format!("{}{}", " ".repeat(start), self.paint.faint(&marker.name)))
        };
        self.chart.markers_shown().filter_map(name).collect()
    }

    fn row(&self, canvas: &Canvas, row: usize) -> String {
        let tick = self
            .frame
            .y
            .ticks
            .iter()
            .find(|tick| canvas.dot(0.0, self.frame.y.place(tick.value)).1 as usize / 4 == row);
        let (text, edge) = tick.map_or(("", '│'), |tick| (tick.text.as_str(), '┤'));
        let plot: String = canvas.row(row).map(|seen| self.shown(seen)).collect();
        let name = self.names.iter().find(|name| name.row == row).map(|name| match name.colour {
            Some(colour) => format!(" {}", self.paint.series(colour, &name.text)),
            None => format!(" {}", self.paint.faint(&name.text)),
        });
        format!("{text:>left$} {edge}{plot}{}", name.unwrap_or_default(), left = self.left)
    }

    fn shown(&self, seen: Seen) -> String {
        match seen {
            Seen::Nothing => " ".to_owned(),
            Seen::Under(under) => self.paint.faint(&under.to_string()),
            Seen::Line(line, series) => self.paint.series(series, &line.to_string()),
        }
    }

    /// The line below, its values, and what they are.
    fn x_axis(&self) -> [String; 3] {
        let mut line: Vec<char> = vec!['─'; self.columns];
        let mut values: Vec<char> = Vec::new();
        for Tick { value, text } in &self.frame.x.ticks {
            let column = self.column(*value);
            line[column] = '┬';
            let start = (self.left + 2 + column).saturating_sub(width(text) / 2);
            if start > values.len() || values.is_empty() {
                values.resize(start, ' ');
                values.extend(text.chars());
            }
        }
        let indent = " ".repeat(self.left + 1);
        let line: String = line.into_iter().collect();
        let middle = (self.left + 2 + self.columns / 2).saturating_sub(width(&self.frame.x.title) / 2);
        [
            format!("{indent}└{line}"),
            values.into_iter().collect(),
            format!("{}{}", " ".repeat(middle), self.frame.x.title),
        ]
    }
}
