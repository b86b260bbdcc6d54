//! Figures that are hard to draw: empty, single, huge, tiny, constant, not numbers, long names, many lines.

use muster_report::chart::{At, Axis, Chart, Figure, Panels, Rows, Series, Spot};
use muster_report::html::{Page, Section};
use muster_report::interval::Interval;
use muster_report::number::Unit;

const LONG: &str =
    "Wartezeitverteilung der Mandanten mit außergewöhnlich langen Namen, die niemand kürzen wollte";
const WORD: &str = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnungsentwurfsvorlage";

fn plain(title: &str) -> Chart {
    Chart::new(title, Axis::new("x", Unit::Plain), Axis::new("y", Unit::Plain))
}

fn line(name: &str, values: &[f64]) -> Series {
    Series::new(name, (0..).map(f64::from).zip(values.iter().copied()).collect())
}

fn long_names() -> Chart {
    let axis = |unit| Axis::new(&format!("{LONG} {WORD}"), unit);
    (0..4).fold(
        Chart::new(
            &format!("{LONG}: {WORD} {LONG}"),
            axis(Unit::Seconds),
            axis(Unit::Of("USD/h".to_owned())),
        )
        .mark(LONG, At::X(1.0))
        .mark("a second marker, close by", At::X(1.1))
        .mark(LONG, At::Y(2.0)),
        |chart, i| chart.with(line(&format!("{i} {LONG}"), &[1.0, 2.0, 2.0 + f64::from(i) * 0.01])),
    )
}

fn ten_lines() -> Chart {
    (0..10).fold(plain("Ten lines that end together"), |chart, i| {
        chart.with(line(&format!("variant number {i}"), &[f64::from(i), 3.0, 5.0 + f64::from(i % 3) * 0.01]))
    })
}

fn not_numbers() -> Chart {
    let nan = f64::NAN;
    let band = vec![(0.0, nan, 1.0), (1.0, 2.0, f64::INFINITY), (nan, 1.0, 2.0), (3.0, 2.0, 1.0)];
    plain("Not numbers")
        .with(line("a", &[1.0, nan, 2.0, f64::INFINITY, 3.0, 1.0, f64::NEG_INFINITY]).with_band(band))
        .with(Series::new("b", vec![(nan, 1.0), (f64::INFINITY, 2.0)]).step())
        .with(line("c", &[nan, nan]).dots())
        .spot(Spot::new("nowhere", nan, 1.0))
        .spot(Spot::new("somewhere", 2.0, 1.0).x_within(nan, 3.0).y_within(0.0, f64::INFINITY))
        .mark("never", At::X(nan))
        .mark("beyond", At::Y(f64::INFINITY))
}

fn crowded() -> Chart {
    (0..12).fold(plain("Twelve points in one place"), |chart, i| {
        let k = f64::from(i);
        let spot = Spot::new(&format!("point {i}"), 10.0 + k * 0.01, 20.0 - k * 0.02);
        chart.spot(spot.x_within(9.9 + k * 0.01, 10.1 + k * 0.01).y_within(19.0, 21.0))
    })
}

fn odd_rows() -> Rows {
    Rows::differences(LONG, Axis::new(LONG, Unit::Seconds))
        .row(WORD, Interval::new(1e12, 1e11))
        .row("not a number", Interval::new(f64::NAN, 1.0))
        .row("not known", Interval::new(3.0, f64::INFINITY))
        .heading("below")
        .row("exact", Interval::exact(-4e11))
}

/// Figures that are hard to draw, with short names.
pub(crate) fn odd_figures() -> Vec<(&'static str, Figure)> {
    let noisy = (0..100_000).map(|i| (f64::from(i), f64::from(i * 7_919 % 1_000))).collect();
    let axis = |unit| Axis::new("x", unit);
    vec![
        ("empty", plain("Nothing").into()),
        ("empty-series", plain("Nothing in a line").with(line("nothing", &[])).into()),
        ("single", plain("One point").with(line("alone", &[7.0])).into()),
        (
            "single-log",
            Chart::new("One", axis(Unit::Seconds).log(), axis(Unit::Plain))
                .with(Series::cdf("one", &[5.0]))
                .into(),
        ),
        (
            "zeros-log",
            Chart::new("Zeros", axis(Unit::Plain).log(), axis(Unit::Plain).log())
                .with(line("zeros", &[0.0, 0.0]))
                .into(),
        ),
        ("huge", plain("Huge").with(line("huge", &[1e300, -1e288, 1e289, 4e288])).into()),
        ("large", plain("Large").with(line("large", &[1e12, 3e12, 1.5e14])).into()),
        ("tiny", plain("Tiny").with(line("tiny", &[1e-300, 3e-12, 2e-12])).into()),
        (
            "near",
            Chart::new("Near", axis(Unit::Plain), axis(Unit::Plain).free())
                .with(line("near", &[1e6, 1e6 + 0.25]))
                .into(),
        ),
        ("constant", plain("Constant").with(line("constant", &[4.0, 4.0, 4.0])).into()),
        ("zero", plain("Zero").with(line("zero", &[0.0, 0.0])).into()),
        ("negative", plain("Below zero").with(line("below", &[-4.0, -2.0, -3.0])).into()),
        ("not-numbers", not_numbers().into()),
        ("long-names", long_names().into()),
        ("ten-lines", ten_lines().into()),
        ("noisy", plain("A hundred thousand points").with(Series::new("noisy", noisy).step()).into()),
        ("crowded", crowded().into()),
        ("rows", odd_rows().into()),
        ("no-rows", Rows::bars("No rows", axis(Unit::Share)).into()),
        ("no-panels", Panels::new("No panels", Vec::new()).into()),
        ("odd-panels", Panels::new(LONG, vec![long_names(), plain("empty"), not_numbers()]).into()),
    ]
}

pub(crate) fn odd_page() -> Page {
    let section = odd_figures()
        .into_iter()
        .fold(Section::new("Odd figures"), |section, (name, figure)| section.figure(figure, name));
    Page::new(LONG).section(section)
}
