//! Charts as SVG: one self-contained picture, light or dark as the viewer's system is, the same bytes for the same chart.
//!
//! No ids, so several pictures can stand in one page. Text is selectable and large enough for a phone.

use std::fmt::Write;

use super::frame::Frame;
use super::labels::spread;
use super::{At, Chart};

/// All lengths in the picture's own units; a page scales it to its width.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 300.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 46.0;
const LINE: f64 = 15.0;
/// How wide a letter is, about.
const LETTER: f64 = 7.2;

/// Okabe and Ito's palette, which colour-blind people can tell apart; on dark ground its lighter colours first. Names are
/// in the colour of text, with a dot in that of the line: small letters need more contrast than lines.
const STYLE: &str = "\
.mc{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;font-variant-numeric:tabular-nums}\
.mc-back{fill:#fff}.mc text{fill:#222}.mc .mc-title{font-weight:600;font-size:15px}.mc .mc-soft{fill:#5a5a5a}\
.mc-grid{stroke:#e4e4e4}.mc-axis{stroke:#888}.mc-mark{stroke:#5a5a5a;stroke-dasharray:2 3}\
.mc-line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}.mc-band{opacity:.18;stroke:none}\
.mc-c0{stroke:#0072b2;fill:#0072b2}.mc-c1{stroke:#d55e00;fill:#d55e00}.mc-c2{stroke:#009e73;fill:#009e73}\
.mc-c3{stroke:#cc79a7;fill:#cc79a7}.mc-c4{stroke:#e69f00;fill:#e69f00}.mc-c5{stroke:#56b4e9;fill:#56b4e9}\
.mc .mc-line{fill:none}\
@media(prefers-color-scheme:dark){.mc-back{fill:#16181c}.mc text{fill:#e6e6e6}.mc .mc-soft{fill:#a8a8a8}\
.mc-grid{stroke:#2c2f36}.mc-axis{stroke:#777}.mc-mark{stroke:#a8a8a8}\
.mc-c0{stroke:#56b4e9;fill:#56b4e9}.mc-c1{stroke:#e69f00;fill:#e69f00}.mc-c5{stroke:#0072b2;fill:#0072b2}}";

/// How many colours there are.
const COLOURS: usize = 6;

/// The charts, one below the other, as one picture.
#[must_use]
pub fn picture(charts: &[Chart]) -> String {
    let height = HEIGHT * charts.len().max(1) as f64;
    let titles: Vec<&str> = charts.iter().map(|chart| chart.title.as_str()).collect();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mc\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{}\">\n<style>{STYLE}</style>\n<rect class=\"mc-back\" width=\"{WIDTH}\" height=\"{height}\"/>\n",
        escape(&titles.join("; "))
    );
    for (i, chart) in charts.iter().enumerate() {
        let _ = writeln!(out, "<g transform=\"translate(0 {})\">", HEIGHT * i as f64);
        Panel::new(chart).draw(&mut out);
        out.push_str("</g>\n");
    }
    out + "</svg>\n"
}

/// One chart and where its frame lies.
struct Panel<'a> {
    chart: &'a Chart,
    frame: Frame,
    left: f64,
    right: f64,
}

impl<'a> Panel<'a> {
    fn new(chart: &'a Chart) -> Self {
        let frame = Frame::new(chart, (6, 5));
        let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0) as f64 * LETTER;
        let left = widest(&mut frame.y.ticks.iter().map(|(_, text)| text.chars().count()));
        let level = chart.markers.iter().filter(|marker| matches!(marker.at, At::Y(_))).map(|it| &it.name);
        let names = chart.series.iter().map(|series| &series.name).chain(level);
        let right = widest(&mut names.map(|name| name.chars().count()));
        Self { chart, frame, left: 22.0 + left, right: WIDTH - (right + 24.0).min(WIDTH / 3.0) }
    }

    fn x(&self, x: f64) -> f64 {
        self.left + self.frame.x.place(x) * (self.right - self.left)
    }

    fn y(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - self.frame.y.place(y) * (HEIGHT - BOTTOM - TOP)
    }

    fn draw(&self, out: &mut String) {
        text(out, (14.0, 22.0), "mc-title", "start", &self.chart.title);
        text(out, (14.0, 42.0), "mc-soft", "start", &self.frame.y.title);
        self.draw_axes(out);
        self.draw_markers(out);
        self.draw_bands(out);
        self.draw_lines(out);
        self.draw_names(out);
    }

    fn draw_axes(&self, out: &mut String) {
        for (value, shown) in &self.frame.y.ticks {
            let y = self.y(*value);
            line(out, "mc-grid", (self.left, y), (self.right, y));
            text(out, (self.left - 6.0, y + 4.5), "mc-soft", "end", shown);
        }
        let floor = HEIGHT - BOTTOM;
        line(out, "mc-axis", (self.left, floor), (self.right, floor));
        for (value, shown) in &self.frame.x.ticks {
            let x = self.x(*value);
            line(out, "mc-axis", (x, floor), (x, floor + 4.0));
            text(out, (x, floor + 18.0), "mc-soft", "middle", shown);
        }
        let middle = f64::midpoint(self.left, self.right);
        text(out, (middle, floor + 36.0), "mc-soft", "middle", &self.frame.x.title);
    }

    fn draw_markers(&self, out: &mut String) {
        for marker in &self.chart.markers {
            match marker.at {
                At::X(x) => {
                    let x = self.x(x);
                    line(out, "mc-mark", (x, TOP - 4.0), (x, HEIGHT - BOTTOM));
                    // Written to the side where there is room.
                    let (anchor, shift) = if x > WIDTH / 2.0 { ("end", 4.0) } else { ("start", -4.0) };
                    text(out, (x + shift, TOP - 8.0), "mc-soft", anchor, &marker.name);
                }
                At::Y(y) => line(out, "mc-mark", (self.left, self.y(y)), (self.right, self.y(y))),
            }
        }
    }

    fn draw_bands(&self, out: &mut String) {
        for (i, band) in self.frame.bands.iter().enumerate().filter(|(_, band)| band.len() > 1) {
            let upper = band.iter().map(|(x, _, high)| (self.x(*x), self.y(*high)));
            let lower = band.iter().rev().map(|(x, low, _)| (self.x(*x), self.y(*low)));
            let points = points(upper.chain(lower));
            let _ = writeln!(out, "<polygon class=\"mc-band mc-c{}\" points=\"{points}\"/>", i % COLOURS);
        }
    }

    fn draw_lines(&self, out: &mut String) {
        for (i, pieces) in self.frame.lines.iter().enumerate() {
            for piece in pieces {
                let points = points(piece.iter().map(|(x, y)| (self.x(*x), self.y(*y))));
                let _ =
                    writeln!(out, "<polyline class=\"mc-line mc-c{}\" points=\"{points}\"/>", i % COLOURS);
            }
        }
    }

    fn draw_names(&self, out: &mut String) {
        let series = self.chart.series.iter().enumerate();
        let ends = series.filter_map(|(i, it)| {
            self.frame.end(i).map(|(x, y)| (it.name.as_str(), (self.x(x), self.y(y)), Some(i % COLOURS)))
        });
        let levels = self.chart.markers.iter().filter_map(|marker| match marker.at {
            At::Y(y) => Some((marker.name.as_str(), (self.right, self.y(y)), None)),
            At::X(_) => None,
        });
        let names: Vec<(&str, (f64, f64), Option<usize>)> = ends.chain(levels).collect();
        let wanted: Vec<f64> = names.iter().map(|(_, (_, y), _)| *y).collect();
        let places = spread(&wanted, LINE, TOP, HEIGHT - BOTTOM);
        for ((name, (x, _), colour), y) in names.iter().zip(places) {
            let class = if colour.is_some() { "mc-name" } else { "mc-soft" };
            text(out, (x + 16.0, y + 4.5), class, "start", name);
            if let Some(colour) = colour {
                let (x, y) = (short(x + 9.0), short(y));
                let _ = writeln!(out, "<circle class=\"mc-c{colour}\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>");
            }
        }
    }
}

fn line(out: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let (x1, y1, x2, y2) = (short(from.0), short(from.1), short(to.0), short(to.1));
    let _ = writeln!(out, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
}

fn text(out: &mut String, (x, y): (f64, f64), class: &str, anchor: &str, words: &str) {
    let (x, y, words) = (short(x), short(y), escape(words));
    let _ =
        writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>");
}

fn points(points: impl Iterator<Item = (f64, f64)>) -> String {
    points.map(|(x, y)| format!("{},{}", short(x), short(y))).collect::<Vec<_>>().join(" ")
}

/// A tenth of a unit is finer than the eye, and the same on every machine.
fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Text that cannot be taken for markup.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
