//! Figures as SVG: self-contained pictures, light or dark as the viewer's system is, the same bytes for the same figure.
//!
//! No ids, so several pictures can stand in one page. Text is selectable. Titles and names are wrapped rather than cut, and a
//! picture becomes taller if its names need it. Start at [`picture`] and [`figure`]; [`in_page`] is for HTML.

mod head;
mod ink;
mod panels;
mod pen;
mod plot;
mod rows;
mod spots;
mod words;

use super::frame::Extent;
use super::{Chart, Figure};
use crate::markup::escape;
use crate::theme;
use pen::short;

/// How much room a picture has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Room {
    /// Of everything, in the picture's own units; a page scales it to its width.
    width: f64,
    /// The least height of the part within the axes.
    plot: f64,
    /// Free at the edges.
    pad: f64,
    /// Whether the title is drawn, rather than written beside it by the page.
    titled: bool,
    /// Whether the titles of axes are drawn.
    axes_titled: bool,
}

/// A picture of its own.
const ALONE: Room = Room { width: 560.0, plot: 200.0, pad: 14.0, titled: true, axes_titled: true };
/// Beside another on a wide page.
const WIDE: Room = Room { width: 560.0, plot: 210.0, pad: 4.0, titled: false, axes_titled: true };
/// On a phone, where letters keep their size.
const NARROW: Room = Room { width: 350.0, plot: 190.0, pad: 2.0, titled: false, axes_titled: true };

/// Something drawn: its elements, and how tall it came out.
struct Drawn {
    elements: String,
    width: f64,
    height: f64,
}

/// The charts, one below the other, as one picture.
#[must_use]
pub fn picture(charts: &[Chart]) -> String {
    let drawn = charts.iter().map(|chart| plot::draw(chart, Extent::of(chart), &ALONE)).collect();
    let titles: Vec<&str> = charts.iter().map(|chart| chart.title.as_str()).collect();
    let about: Vec<String> = charts.iter().map(words::chart).collect();
    alone(&titles.join("; "), &about.join(" "), drawn)
}

/// A figure as a picture of its own.
#[must_use]
pub fn figure(figure: &Figure) -> String {
    let drawn = match figure {
        Figure::Chart(chart) => plot::draw(chart, Extent::of(chart), &ALONE),
        Figure::Rows(rows) => rows::draw(rows, &ALONE),
        Figure::Panels(panels) => panels::draw(panels),
    };
    alone(figure.title(), &words::figure(figure), vec![drawn])
}

/// A figure as elements of a page that has [`crate::html::style`]: pictures without title and colours of their own. Some are
/// drawn twice, for wide and for narrow screens, and the style shows one of both.
#[must_use]
pub fn in_page(figure: &Figure) -> String {
    let (title, about) = (figure.title(), words::figure(figure));
    let twice = |wide: &Drawn, narrow: &Drawn| {
        element("mc mc-wide", title, &about, wide) + &element("mc mc-narrow", title, &about, narrow)
    };
    match figure {
        Figure::Chart(chart) => {
            let draw = |room| plot::draw(chart, Extent::of(chart), room);
            twice(&draw(&WIDE), &draw(&NARROW))
        }
        Figure::Rows(rows) => twice(&rows::draw(rows, &WIDE), &rows::draw(rows, &NARROW)),
        Figure::Panels(panels) => panels::in_page(panels),
    }
}

/// What the axes of small multiples are, in words; empty for other figures, whose axes have titles.
pub(crate) fn axes_in_words(figure: &Figure) -> String {
    match figure {
        Figure::Panels(panels) => panels::axes(panels),
        _ => String::new(),
    }
}

/// A picture within a page.
fn element(class: &str, title: &str, about: &str, drawn: &Drawn) -> String {
    let size = format!("viewBox=\"0 0 {} {}\"", short(drawn.width), short(drawn.height));
    let (title, about) = (escape(title), escape(about));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" {size} role=\"img\">\n\
         <title>{title}</title>\n<desc>{about}</desc>\n{}</svg>\n",
        drawn.elements
    )
}

/// A picture with its own style and ground.
fn alone(title: &str, about: &str, parts: Vec<Drawn>) -> String {
    let width = parts.iter().map(|part| part.width).fold(ALONE.width, f64::max);
    let mut elements = String::new();
    let mut top = 0.0;
    for part in parts {
        elements += &format!("<g transform=\"translate(0 {})\">\n{}</g>\n", short(top), part.elements);
        top += part.height;
    }
    let height = if top > 0.0 { top } else { 40.0 };
    let (w, h) = (short(width), short(height));
    let back = format!("<rect class=\"mc-back\" width=\"{w}\" height=\"{h}\"/>");
    let elements = format!("<style>{}</style>\n{back}\n{elements}", theme::picture_alone());
    element("mc", title, about, &Drawn { elements, width, height })
}
