//! Reads our own SVG and HTML back, far enough to check it.

use std::collections::BTreeSet;

/// Words of a picture, and about how much of it they cover.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// How wide a letter is in common fonts, on average, at the size of plain letters and of titles.
const LETTER: f64 = 7.0;
const TITLE_LETTER: f64 = 8.4;

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

fn number(element: &str, name: &str) -> f64 {
    attribute(element, name)
        .and_then(|value| value.parse().ok())
        .unwrap_or_else(|| panic!("{name} of {element}"))
}

/// Width and height of a picture.
pub(crate) fn size(picture: &str) -> (f64, f64) {
    let parts: Vec<f64> = attribute(picture, "viewBox")
        .unwrap_or_default()
        .split(' ')
        .filter_map(|part| part.parse().ok())
        .collect();
    (parts[2], parts[3])
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}

/// All words of a picture.
pub(crate) fn words(picture: &str) -> Vec<Word> {
    let mut shifts = vec![(0.0, 0.0)];
    let mut words = Vec::new();
    for line in picture.lines() {
        let (dx, dy) = *shifts.last().expect("one at least");
        if let Some(shift) = line.strip_prefix("<g transform=\"translate(") {
            let shift: Vec<f64> = shift
                .split(')')
                .next()
                .unwrap_or_default()
                .split(' ')
                .filter_map(|part| part.parse().ok())
                .collect();
            shifts.push((dx + shift[0], dy + shift[1]));
        } else if line == "</g>" {
            shifts.pop();
        } else if line.starts_with("<text") {
            words.push(word(line, (dx, dy)));
        }
    }
    words
}

fn word(line: &str, (dx, dy): (f64, f64)) -> Word {
    let text =
        unescaped(line.split('>').nth(1).and_then(|rest| rest.strip_suffix("</text")).unwrap_or_default());
    let letter = if line.contains("mc-title") { TITLE_LETTER } else { LETTER };
    let width =
        text.chars().map(|c| if "ijltfr.,:;'()[] -".contains(c) { 0.55 } else { 1.0 }).sum::<f64>() * letter;
    let (x, y) = (number(line, "x") + dx, number(line, "y") + dy);
    let left = match attribute(line, "text-anchor") {
        Some("middle") => x - width / 2.0,
        Some("end") => x - width,
        _ => x,
    };
    Word { text, left, right: left + width, top: y - 10.0, bottom: y + 3.0 }
}

/// Whether every element that begins ends, in order.
pub(crate) fn balanced(markup: &str) -> Result<(), String> {
    let void: BTreeSet<&str> = ["!doctype", "meta"].into_iter().collect();
    let mut open: Vec<&str> = Vec::new();
    for tag in markup.split('<').skip(1) {
        let inside = tag.split('>').next().unwrap_or_default();
        let name = inside.split([' ', '/']).next().unwrap_or_default();
        if let Some(name) = inside.strip_prefix('/') {
            let last = open.pop();
            if last != Some(name) {
                return Err(format!("</{name}> ends {last:?}"));
            }
        } else if !inside.ends_with('/') && !void.contains(name) {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("never ended: {open:?}")) }
}
