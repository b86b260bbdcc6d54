//! Figures and pages to look at and to test: made of formulas, so that they are the same every time
//! and on every machine.

mod odd;

use muster_report::chart::{At, Axis, Chart, Figure, Panels, Rows, Series, Spot};
use muster_report::html::{Page, Section, Tile};
use muster_report::interval::{Interval, duration, money, percent};
use muster_report::number::Unit;
use muster_report::sheet::{Best, Cell, Sheet};

pub(crate) use odd::{odd_figures, odd_page};

/// A wave that looks like a day's work, from 0 to 1.
fn wave(k: f64) -> f64 {
    (0.5 - 0.5 * libm::cos(k * std::f64::consts::TAU)) * (0.75 + 0.25 * libm::sin(k * 55.0)).clamp(0.0, 1.0)
}

fn day(f: impl Fn(f64) -> f64, n: u32) -> Vec<(f64, f64)> {
    (0..=n).map(|i| f64::from(i) / f64::from(n)).map(|k| (k * 28_800.0, f(k))).collect()
}

fn clock() -> Axis {
    Axis::new("time of day", Unit::Seconds).clock(8.0 * 3_600.0)
}

pub(crate) fn pool() -> Chart {
    Chart::new(
        "The pool follows the recommended size after some minutes",
        clock(),
        Axis::new("workers", Unit::Count),
    )
    .with(Series::new("workers", day(|k| (4.0 + 14.0 * wave(k - 0.02)).round(), 96)).step())
    .with(Series::new("recommended", day(|k| (5.0 + 15.0 * wave(k)).round(), 96)).step().thin())
    .mark("campaign starts", At::X(9_000.0))
}

pub(crate) fn queue() -> Chart {
    let band = day(|k| 60.0 * wave(k), 60).into_iter().map(|(x, y)| (x, y * 0.8, y * 1.25 + 3.0)).collect();
    Chart::new("At noon 50 tasks wait", clock(), Axis::new("queue length (tasks)", Unit::Count))
        .with(Series::new("weighted-fair", day(|k| 60.0 * wave(k), 60)).with_band(band))
        .with(Series::new("fifo", day(|k| 44.0 * wave(k * 0.97), 60)))
        .mark("at most 70", At::Y(70.0))
}

/// Values spread like waiting times: most short, some very long.
fn waits(n: u32, scale: f64) -> Vec<f64> {
    let value = |i: u32| {
        let k = (f64::from(i) + 0.5) / f64::from(n);
        scale * libm::pow(-libm::log(1.0 - k), 1.7)
    };
    (0..n).map(value).collect()
}

pub(crate) fn cdf() -> Chart {
    Chart::new(
        "Half of the tasks of every tenant wait less than a minute",
        Axis::new("wait", Unit::Seconds).log(),
        Axis::new("share of tasks", Unit::Share),
    )
    .with(Series::cdf("bakery", &waits(3_000, 20.0)))
    .with(Series::cdf("city library", &waits(3_000, 60.0)))
    .with(Series::cdf("newsroom", &waits(3_000, 34.0)))
    .mark("2 min", At::X(120.0))
}

pub(crate) fn scatter() -> Chart {
    let spot = |name: &str, x: f64, y: f64| {
        Spot::new(name, x, y).x_within(x - 0.04 * x - 0.2, x + 0.04 * x + 0.2).y_within(y * 0.86, y * 1.14)
    };
    Chart::new(
        "Utilisation costs least, patience waits least",
        Axis::new("cost", Unit::Of("USD/h".to_owned())),
        Axis::new("mean wait", Unit::Seconds),
    )
    .spot(spot("static 20", 31.0, 22.0))
    .spot(spot("pid-throughput", 24.5, 31.0))
    .spot(spot("pid-size", 25.0, 34.0))
    .spot(spot("utilisation", 19.0, 71.0))
    .spot(spot("patience", 36.5, 12.0))
    .spot(spot("rules", 26.5, 29.0))
}

pub(crate) fn differences() -> Rows {
    Rows::differences(
        "Patience and shortest-first wait less than fifo, beyond doubt",
        Axis::new("difference in mean wait to fifo", Unit::Seconds),
    )
    .heading("More workers")
    .row("patience", Interval::new(-14.2, 2.1))
    .row("static 20", Interval::new(-2.4, 3.8))
    .heading("The same workers")
    .row("weighted-fair, weights by budget of the tenant", Interval::new(1.7, 2.2))
    .row("round-robin", Interval::new(8.8, 3.0))
    .row("shortest-first", Interval::new(-5.1, 1.4))
}

pub(crate) fn bars() -> Rows {
    Rows::bars(
        "The newsroom gets less than its weight promises",
        Axis::new("share of work done", Unit::Share),
    )
    .row("bakery", Interval::new(0.34, 0.012))
    .target(0.25)
    .row("city library", Interval::new(0.27, 0.020))
    .target(0.25)
    .row("newsroom", Interval::new(0.39, 0.016))
    .target(0.5)
    .targets_are("share by weight")
}

pub(crate) fn qq() -> Chart {
    let ours = waits(60, 30.0);
    let pairs =
        ours.iter().zip(waits(60, 31.5)).map(|(a, b)| (*a, b * (1.0 + 0.04 * libm::sin(a / 9.0)))).collect();
    Chart::qq(
        "Does the fitted law describe the waits?",
        Axis::new("wait by the law", Unit::Seconds),
        Axis::new("wait seen", Unit::Seconds),
        "",
        pairs,
    )
}

pub(crate) fn panels() -> Panels {
    let panel = |(i, name): (u32, &str)| {
        let part = f64::from(i + 1) / 4.0;
        Chart::new(name, clock(), Axis::new("workers", Unit::Count))
            .with(Series::new("actual", day(|k| (2.0 + 16.0 * wave(k) * part).round(), 96)).step())
            .with(Series::new("wanted", day(|k| (3.0 + 17.0 * wave(k) * part).round(), 96)).step().thin())
    };
    let names = ["moderation", "translation", "call-back desk", "night shift"];
    Panels::new("Every pool is smallest in the morning", (0..).zip(names).map(panel).collect())
}

pub(crate) fn sheet() -> Sheet {
    let row = |wait: f64, cost: f64, done: f64, fair: f64| {
        [
            Cell::from(Interval::new(wait, wait * 0.06)),
            Interval::new(wait * 4.2, wait * 0.5).into(),
            Interval::new(cost, 0.21).into(),
            Interval::new(done, 4.0).into(),
            Interval::new(fair, 0.008).into(),
        ]
    };
    Sheet::new("variant")
        .caption("Means of 20 replications with 95 % intervals")
        .column("mean wait", Unit::Seconds)
        .best(Best::Low)
        .column("wait p95", Unit::Seconds)
        .best(Best::Low)
        .column("cost", Unit::Of("USD/h".to_owned()))
        .best(Best::Low)
        .column("done", Unit::Of("/h".to_owned()))
        .best(Best::High)
        .column("fairness", Unit::Plain)
        .best(Best::High)
        .row("fifo", row(31.4, 24.5, 612.0, 0.81))
        .row("weighted-fair", row(34.1, 24.6, 611.0, 0.97))
        .row("utilisation", row(71.0, 19.2, 608.0, 0.83))
        .row("patience", row(12.2, 36.5, 613.0, 0.86))
}

/// A figure of every kind, with a short name.
pub(crate) fn figures() -> Vec<(&'static str, Figure)> {
    vec![
        ("pool", pool().into()),
        ("queue", queue().into()),
        ("cdf", cdf().into()),
        ("scatter", scatter().into()),
        ("differences", differences().into()),
        ("bars", bars().into()),
        ("qq", qq().into()),
        ("panels", panels().into()),
    ]
}

pub(crate) fn page() -> Page {
    let tiles = [
        Tile::new("mean wait", &Interval::new(31.4, 1.9).write(&Unit::Seconds)).note("fifo, as it is today"),
        Tile::new("cost of the day", &money(196.4, "USD")).note("of which 12 % for waiting"),
        Tile::new("idle", &percent(0.1234)),
        Tile::new("longest wait", &duration(1_265.0)).note("city library, 12:40"),
        Tile::new("fairness", "0.81 ± 0.01").note("1 is equal slowdown"),
    ];
    let scenario = "name = \"three apps share a crowd\"\nhorizon = \"8 h\"\nreplications = 20\n\n[[app]]\nname = \"moderation\"\n\
                    arrivals = { law = \"poisson\", rate = \"12 /min\" }   # <script> is only text here\n";
    Page::new("Three apps share a crowd")
        .subtitle("8 h, 20 replications, seed 1 · muster 0.1.0")
        .lead("Patience cuts the mean wait from 31 s to 12 s and costs 12 USD/h more; weighted-fair is the fairest at the price of fifo.")
        .section(Section::new("Key figures").tiles(tiles).table(sheet()))
        .section(
            Section::new("Waiting")
                .text("Waits are counted from submission to the first lease. Tasks that never got a worker are not among them.")
                .figure(queue(), "Mean of 20 replications; the band is the 95 % interval.")
                .figure(cdf(), "Weighted-fair.")
                .figure(differences(), "Paired differences, the same crowd in every variant. Left of zero is better; hollow: may be chance."),
        )
        .section(
            Section::new("Workers and cost")
                .figure(pool(), "First replication.")
                .figure(scatter(), "One point per variant; whiskers are 95 % intervals.")
                .figure(panels(), "First replication."),
        )
        .section(
            Section::new("Fairness")
                .figure(bars(), "Whiskers are 95 % intervals.")
                .figure(qq(), "Sixty quantiles; on the line both are equal."),
        )
        .section(
            Section::new("How this was made")
                .list(["Warm-up: the first hour is not counted.", "All variants see the same crowd."])
                .folded("The scenario", scenario),
        )
        .footer("muster simulate three-apps.toml --seed 1 --html report.html")
}
