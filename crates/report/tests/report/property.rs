//! Any chart at all: it can be drawn, every number in it is one, and no two words meet.

use muster_report::chart::terminal::{Size, draw};
use muster_report::chart::{At, Axis, Chart, Figure, Panels, Rows, Series, Spot, svg};
use muster_report::interval::Interval;
use muster_report::number::Unit;
use muster_report::paint::Paint;
use proptest::prelude::*;

use crate::figures::{drawings, problem};

/// Numbers as they come, and now and then any number that there is.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -100.0..1_000.0, 1 => 0.0..1e-6, 1 => 1e6..1e13, 1 => any::<f64>(), 1 => Just(0.0), 1 => Just(f64::NAN)]
}

fn name() -> impl Strategy<Value = String> {
    "[a-z]{1,14}( [a-zA-Z]{1,14}){0,6}"
}

fn axis() -> impl Strategy<Value = Axis> {
    let unit = prop_oneof![
        Just(Unit::Plain),
        Just(Unit::Count),
        Just(Unit::Share),
        Just(Unit::Seconds),
        Just(Unit::Of("USD/h".to_owned()))
    ];
    (name(), unit, any::<bool>(), any::<bool>(), prop::option::of(number()), prop::option::of(0.0..86_400.0))
        .prop_map(|(title, unit, log, free, most, clock)| Axis {
            log,
            free,
            clock: clock.filter(|_| !log),
            ..most.into_iter().fold(Axis::new(&title, unit), Axis::up_to)
        })
}

fn series() -> impl Strategy<Value = Series> {
    let points = prop::collection::vec((number(), number()), 0..12);
    let band = prop::collection::vec((number(), number(), number()), 0..6);
    (name(), points, band, 0..3_usize, any::<bool>()).prop_map(|(name, mut points, band, look, thin)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let series = Series::new(&name, points).with_band(band);
        let series = match look {
            0 => series,
            1 => series.step(),
            _ => series.dots(),
        };
        if thin { series.thin() } else { series }
    })
}

fn chart() -> impl Strategy<Value = Chart> {
    let spot = (name(), number(), number(), number()).prop_map(|(name, x, y, half)| {
        Spot::new(&name, x, y).x_within(x - half, x + half).y_within(y - half, y + half)
    });
    let marker = (name(), number(), any::<bool>())
        .prop_map(|(name, value, upright)| (name, if upright { At::X(value) } else { At::Y(value) }));
    let parts = (
        prop::collection::vec(series(), 0..11),
        prop::collection::vec(spot, 0..6),
        prop::collection::vec(marker, 0..4),
    );
    (name(), axis(), axis(), parts, any::<bool>()).prop_map(
        |(title, x, y, (series, spots, markers), diagonal)| {
            let chart = Chart { series, spots, diagonal, ..Chart::new(&title, x, y) };
            markers.into_iter().fold(chart, |chart, (name, at)| chart.mark(&name, at))
        },
    )
}

fn rows() -> impl Strategy<Value = Rows> {
    let row = (name(), number(), number(), prop::option::of(number()), any::<bool>());
    (name(), axis(), prop::collection::vec(row, 0..6), any::<bool>()).prop_map(|(title, axis, rows, bars)| {
        let start = if bars { Rows::bars(&title, axis) } else { Rows::differences(&title, axis) };
        rows.into_iter().fold(
            start.targets_are("as promised"),
            |rows, (name, mean, half, target, heading)| {
                let rows = if heading { rows.heading(&name) } else { rows };
                let rows = rows.row(&name, Interval::new(mean, half));
                target.into_iter().fold(rows, Rows::target)
            },
        )
    })
}

fn check(figure: &Figure) -> Result<(), TestCaseError> {
    for drawing in drawings(figure) {
        if let Some(problem) = problem(&drawing) {
            return Err(TestCaseError::fail(format!("{problem}\n{drawing}")));
        }
    }
    prop_assert_eq!(svg::figure(figure), svg::figure(&figure.clone()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_chart(chart in chart(), columns in 1..120_usize, rows in 0..20_usize) {
        let text = draw(&chart, Size { columns, rows }, Paint::Plain);
        prop_assert!(text.lines().count() >= 4);
        check(&chart.into())?;
    }

    #[test]
    fn any_rows(rows in rows()) {
        check(&rows.into())?;
    }

    #[test]
    fn any_panels(panels in prop::collection::vec(chart(), 0..4), title in name()) {
        check(&Panels::new(&title, panels).into())?;
    }
}
