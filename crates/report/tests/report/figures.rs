//! Every kind of figure as it comes out, and what holds for all of them, odd ones included.

use expect_test::expect_file;
use muster_report::chart::{Figure, svg};

use crate::markup::{self, Word, balanced, words};
use crate::samples;

fn all() -> Vec<(&'static str, Figure)> {
    samples::figures().into_iter().chain(samples::odd_figures()).collect()
}

/// All ways in which a figure is drawn.
pub(crate) fn drawings(figure: &Figure) -> Vec<String> {
    let page = svg::in_page(figure);
    let in_page = page.split_inclusive("</svg>").filter(|part| part.contains("<svg"));
    let in_page = in_page.filter_map(|part| part.find("<svg").map(|at| part[at..].to_owned()));
    std::iter::once(svg::figure(figure)).chain(in_page).collect()
}

#[test]
fn every_kind_as_a_picture() {
    for (name, figure) in samples::figures() {
        let path = format!("{}/tests/golden/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        expect_file![path].assert_eq(&svg::figure(&figure));
    }
}

/// What is wrong with a picture: a number that is none, words that leave it or meet, elements that do not end.
pub(crate) fn problem(drawing: &str) -> Option<String> {
    let shapes = drawing.split("</desc>").nth(1)?;
    let mut values = shapes.split('"').skip(1).step_by(2);
    if let Some(value) = values.find(|value| value.contains("NaN") || value.contains("inf")) {
        return Some(format!("not a number: {value}"));
    }
    let (width, height) = markup::size(drawing);
    let inside = |word: &Word| {
        word.left > -1.0 && word.right < width + 1.0 && word.top > -3.0 && word.bottom < height + 3.0
    };
    let meet =
        |a: &Word, b: &Word| a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    let words = words(drawing);
    for (i, a) in words.iter().enumerate() {
        if !inside(a) {
            return Some(format!("{a:?} leaves {width} x {height}"));
        }
        if let Some(b) = words[i + 1..].iter().find(|b| meet(a, b)) {
            return Some(format!("{a:?} meets {b:?}"));
        }
    }
    balanced(drawing).err()
}

#[test]
fn nothing_is_wrong_with_any() {
    for (name, figure) in all() {
        for drawing in drawings(&figure) {
            assert_eq!(problem(&drawing), None, "{name}");
        }
    }
}

#[test]
fn every_name_is_written_in_full() {
    let (_, figure) = all().into_iter().find(|(name, _)| *name == "long-names").expect("such a figure");
    let Figure::Chart(chart) = &figure else { panic!("not a chart") };
    for drawing in drawings(&figure) {
        let written: String = words(&drawing).iter().map(|word| word.text.replace(' ', "")).collect();
        let names = chart.series.iter().map(|it| &it.name).chain(chart.markers.iter().map(|it| &it.name));
        for name in names.chain([&chart.x.title, &chart.y.title]) {
            assert!(written.contains(&name.replace(' ', "")), "{name} in {written}");
        }
    }
}

#[test]
fn every_point_has_its_name_beside_it() {
    for (name, figure) in all().into_iter().filter(|(name, _)| ["scatter", "crowded"].contains(name)) {
        let Figure::Chart(chart) = &figure else { panic!("not a chart") };
        for drawing in drawings(&figure) {
            let words = words(&drawing);
            let missing = chart.spots.iter().find(|spot| !words.iter().any(|word| word.text == spot.name));
            assert_eq!(missing, None, "{name}");
        }
    }
}

#[test]
fn long_series_become_short_pictures() {
    let (_, figure) = all().into_iter().find(|(name, _)| *name == "noisy").expect("such a figure");
    let picture = svg::figure(&figure);
    assert!(picture.len() < 20_000, "{}", picture.len());
}

#[test]
fn pictures_say_what_they_are() {
    for (name, figure) in all() {
        for drawing in drawings(&figure) {
            assert!(drawing.contains("role=\"img\"") && drawing.contains("<title>"), "{name}");
            assert!(!drawing.contains(" id="), "{name}");
        }
        assert_eq!(svg::figure(&figure), svg::figure(&figure.clone()), "{name}");
    }
}
