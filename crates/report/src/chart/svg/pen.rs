//! Strokes, shapes and words of a picture, as SVG. Knows nothing of charts. Text is escaped here and nowhere else.

use std::fmt::Write;

use crate::chart::text::LINE;
use crate::markup::escape;
use crate::theme::SERIES;

/// Where words stand from their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn written(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// What has been drawn so far.
#[derive(Default)]
pub(super) struct Pen {
    out: String,
}

impl Pen {
    pub(super) fn done(self) -> String {
        self.out
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (short(from.0), short(from.1), short(to.0), short(to.1));
        self.write(&format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
    }

    /// Words with their middle at the height y.
    pub(super) fn text(&mut self, (x, y): (f64, f64), class: &str, anchor: Anchor, words: &str) {
        let (x, y, words, anchor) = (short(x), short(y + 4.5), escape(words), anchor.written());
        self.write(&format!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>"
        ));
    }

    /// Lines of words, the middle of all at the height y.
    pub(super) fn lines(&mut self, (x, y): (f64, f64), class: &str, anchor: Anchor, lines: &[String]) {
        let top = y - (lines.len().max(1) - 1) as f64 * LINE / 2.0;
        for (i, line) in lines.iter().enumerate() {
            self.text((x, top + i as f64 * LINE), class, anchor, line);
        }
    }

    pub(super) fn circle(&mut self, class: &str, (x, y): (f64, f64), r: f64) {
        self.write(&format!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            short(x),
            short(y),
            short(r)
        ));
    }

    pub(super) fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let (x, y, width, height) = (short(x), short(y), short(width), short(height));
        self.write(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        ));
    }

    pub(super) fn polyline(&mut self, class: &str, points: impl Iterator<Item = (f64, f64)>) {
        self.write(&format!("<polyline class=\"{class}\" points=\"{}\"/>", joined(points)));
    }

    pub(super) fn polygon(&mut self, class: &str, points: impl Iterator<Item = (f64, f64)>) {
        self.write(&format!("<polygon class=\"{class}\" points=\"{}\"/>", joined(points)));
    }

    fn write(&mut self, element: &str) {
        self.out.push_str(element);
        self.out.push('\n');
    }
}

/// The class of a series' colour, and of its dashes once all colours have been used.
pub(super) fn colour(index: usize) -> String {
    match index / SERIES {
        0 => format!("mc-c{index}"),
        dashes => format!("mc-c{} mc-d{}", index % SERIES, (dashes - 1) % 2 + 1),
    }
}

/// Points as text; one at the place of the one before is left out.
fn joined(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut out = String::new();
    let mut before = String::new();
    for (x, y) in points {
        let point = format!("{},{}", short(x), short(y));
        if point != before {
            let _ = write!(out, "{}{point}", if out.is_empty() { "" } else { " " });
            before = point;
        }
    }
    out
}

/// A tenth of a unit is finer than the eye, and the same on every machine.
pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
