//! How a rate changes with time, as it is written: a file, steps, slopes, days that repeat, and spikes on top.
//!
//! Knows no law of arrivals. A file has a column of times and one called `factor`. Spikes are in the curve's own time, so in
//! a curve that repeats they repeat with it. Start at [`read`].

use muster_formats::document::{Table, Value, form};

use super::Context;
use crate::model::{Curve, CurveError};

/// A jump in a curve of slopes takes so long, in seconds.
const JUMP: f64 = 1e-6;
/// No factor is above this.
const FACTOR_MOST: f64 = 1e6;

type Point = (f64, f64);

/// Points as they were written, before they are a curve.
struct Written {
    points: Vec<Point>,
    are_slopes: bool,
    every: Option<f64>,
}

/// A time in which more comes than usual.
#[derive(Clone, Copy)]
struct Spike {
    from: f64,
    to: f64,
    factor: f64,
}

/// The curve of a table with `curve` and `spikes`; `None` if there is neither, or it was refused.
pub(super) fn read(table: Table<'_>, cx: &Context<'_>) -> Option<Curve> {
    let curve = table.value("curve");
    let spikes = spikes(table);
    let written = match &curve {
        Some(value) => written(value, cx)?,
        None => Written { points: vec![(0.0, 1.0)], are_slopes: false, every: None },
    };
    if curve.is_none() && spikes.as_ref().is_some_and(Vec::is_empty) {
        return None;
    }
    let spikes = spikes?;
    let place = curve.or_else(|| table.value("spikes"))?;
    let plain = make(&written).map_err(|error| place.complain(said(&error))).ok()?;
    if spikes.iter().any(|spike| written.every.is_some_and(|every| spike.to > every)) {
        table.complain("spikes", "a spike ends after the curve begins again");
        return None;
    }
    if spikes.is_empty() {
        return Some(plain);
    }
    make(&with_spikes(&plain, &written, &spikes)).map_err(|error| place.complain(said(&error))).ok()
}

fn make(written: &Written) -> Result<Curve, CurveError> {
    let make = if written.are_slopes { Curve::slopes } else { Curve::steps };
    make(&written.points, written.every)
}

fn said(error: &CurveError) -> &'static str {
    match error {
        CurveError::Empty => "a curve has at least one point",
        CurveError::Order(_) => "times must go up from point to point",
        CurveError::Factor(_) => "factors are numbers from 0",
        CurveError::Period => {
            "a curve that repeats has its first point at 0 and its last before it begins again (`every`)"
        }
        CurveError::Zero => "nothing would ever come: all factors are 0",
    }
}

fn written(value: &Value<'_>, cx: &Context<'_>) -> Option<Written> {
    if value.as_text().is_some() {
        return Some(Written { points: from_file(value, cx)?, are_slopes: false, every: None });
    }
    let Some(table) = value.as_table() else {
        value.refuse("the name of a file, or a table such as { steps = [[\"0 h\", 1], [\"2 h\", 3]] }");
        return None;
    };
    let every = table.span("every").optional().map(|span| span.as_secs_f64());
    let (file, steps, slopes) = (table.value("file"), table.value("steps"), table.value("slopes"));
    let shape = table.choice("shape", &[("steps", false), ("slopes", true)]);
    if file.is_none()
        && let Some(written) = shape.written()
    {
        written.complain("only a file needs it");
    }
    let (points, are_slopes) = match (file, steps, slopes) {
        (Some(file), None, None) => (from_file(&file, cx)?, shape.or(false)),
        (None, Some(steps), None) => (points(&steps)?, false),
        (None, None, Some(slopes)) => (points(&slopes)?, true),
        _ => {
            table.complain("steps", "give one of file, steps and slopes");
            return None;
        }
    };
    Some(Written { points, are_slopes, every })
}

/// `[["0 h", 1], ["2 h", 3]]`.
fn points(value: &Value<'_>) -> Option<Vec<Point>> {
    let allowed = "a list of points, each a time and a factor, such as [[\"0 h\", 1], [\"2 h\", 3]]";
    let Some(items) = value.as_list() else {
        value.refuse(allowed);
        return None;
    };
    let mut points: Vec<Point> = Vec::new();
    let mut are_right = true;
    for item in items {
        let Some(point) = point(&item) else {
            are_right = false;
            continue;
        };
        if points.last().is_some_and(|last| last.0 >= point.0) {
            item.complain("its time is not after that of the point before");
            are_right = false;
        }
        points.push(point);
    }
    are_right.then_some(points)
}

fn point(item: &Value<'_>) -> Option<Point> {
    let parts = item.as_list().unwrap_or_default();
    let [at, factor] = parts.as_slice() else {
        item.refuse("a time and a factor, such as [\"2 h\", 1.5]");
        return None;
    };
    let at = at.read(&form::span_or_zero());
    let factor = factor.read(&form::number(0.0..=FACTOR_MOST));
    Some((at?.as_secs_f64(), factor?))
}

fn from_file(file: &Value<'_>, cx: &Context<'_>) -> Option<Vec<Point>> {
    let sheet = cx.files.sheet(file)?;
    let (time, factor) = (sheet.time_column(), sheet.column_required("factor"));
    let (time, unit) = time?;
    let rows = sheet.rows([time, factor?])?;
    if let Some(two) = rows.windows(2).find(|two| two[0].1[0] >= two[1].1[0]) {
        sheet.refuse(two[1].0, "its time is not after that of the row before");
        return None;
    }
    if let Some((line, _)) = rows.iter().find(|(_, [_, factor])| *factor > FACTOR_MOST) {
        sheet.refuse(*line, "no factor is above 1000000");
        return None;
    }
    Some(rows.into_iter().map(|(_, [at, factor])| (at * unit, factor)).collect())
}

/// All spikes; `None` if one was refused.
fn spikes(table: Table<'_>) -> Option<Vec<Spike>> {
    let given = table.tables("spikes");
    if given.is_absent() {
        return Some(Vec::new());
    }
    let read = |spike: &Table<'_>| {
        let at = spike.span_or_zero("at").required();
        let length = spike.span("length").required();
        let factor = spike.number("factor", 0.0..=FACTOR_MOST).required();
        let from = at?.as_secs_f64();
        Some(Spike { from, to: from + length?.as_secs_f64(), factor: factor? })
    };
    let read: Vec<Option<Spike>> = given.optional()?.iter().map(read).collect();
    read.into_iter().collect()
}

/// The points of a curve with spikes on it.
fn with_spikes(plain: &Curve, written: &Written, spikes: &[Spike]) -> Written {
    let end = written.every.unwrap_or(f64::INFINITY);
    let edges = spikes.iter().flat_map(|spike| [spike.from, spike.to]);
    let mut times: Vec<f64> = written.points.iter().map(|point| point.0).chain(edges).chain([0.0]).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let lifted = |at: f64, inside: f64| {
        let on = spikes.iter().filter(|spike| (spike.from..spike.to).contains(&inside));
        plain.at(at) * on.map(|spike| spike.factor).product::<f64>()
    };
    let mut points: Vec<Point> = Vec::with_capacity(times.len() * 2);
    for (place, at) in times.iter().enumerate() {
        let before = at - JUMP;
        let has_room = place > 0 && before > times[place - 1];
        let (left, right) = (lifted(before, before), lifted(*at, *at));
        if written.are_slopes && has_room && (left - right).abs() > JUMP * right.abs().max(1.0) {
            points.push((before, left));
        }
        if *at < end {
            points.push((*at, right));
        }
    }
    Written { points, are_slopes: written.are_slopes, every: written.every }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spiked(points: &[Point], are_slopes: bool, every: Option<f64>, spikes: &[Spike]) -> Curve {
        let written = Written { points: points.to_vec(), are_slopes, every };
        let plain = make(&written).expect("it is a curve");
        make(&with_spikes(&plain, &written, spikes)).expect("it is one with spikes too")
    }

    #[test]
    fn spikes_lift_steps() {
        let spikes =
            [Spike { from: 5.0, to: 15.0, factor: 4.0 }, Spike { from: 12.0, to: 13.0, factor: 10.0 }];
        let curve = spiked(&[(0.0, 1.0), (10.0, 2.0)], false, None, &spikes);
        let seen: Vec<f64> = [0.0, 5.0, 9.0, 10.0, 12.5, 13.0, 15.0, 99.0].map(|at| curve.at(at)).to_vec();
        assert_eq!(seen, [1.0, 4.0, 4.0, 8.0, 80.0, 8.0, 2.0, 2.0]);
    }

    #[test]
    fn spikes_lift_slopes_and_repeat_with_them() {
        let spikes = [Spike { from: 4.0, to: 6.0, factor: 3.0 }];
        let curve = spiked(&[(0.0, 0.0), (10.0, 10.0)], true, Some(20.0), &spikes);
        for round in [0.0, 20.0, 40.0] {
            let at = |time: f64| curve.at(round + time);
            assert!((at(3.9) - 3.9).abs() < 1e-3 && (at(6.1) - 6.1).abs() < 1e-3);
            assert!((at(4.5) - 13.5).abs() < 1e-3 && (at(5.9) - 17.7).abs() < 1e-3, "{}", at(4.5));
        }
        // 100 under the slopes, and twice the 10 from 4 to 6 more.
        assert!((curve.area(20.0) - 120.0).abs() < 1e-3, "{}", curve.area(20.0));
    }

    #[test]
    fn a_spike_may_last_until_the_curve_begins_again() {
        let spikes = [Spike { from: 15.0, to: 20.0, factor: 2.0 }];
        for are_slopes in [false, true] {
            let curve = spiked(&[(0.0, 1.0)], are_slopes, Some(20.0), &spikes);
            assert!((curve.area(40.0) - 50.0).abs() < 1e-3, "{}", curve.area(40.0));
        }
    }
}
