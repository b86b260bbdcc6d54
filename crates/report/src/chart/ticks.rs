//! The round values beside an axis: decimal, of times, of the clock, of powers. Knows nothing of where they are drawn.

use super::Axis;
use crate::number::{Shown, Unit, scientific, significant};

/// A round value, and how it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) text: String,
}

/// Ticks, the ends they led to, and the title with the unit they are in.
pub(super) struct Made {
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) title: String,
    pub(super) ticks: Vec<Tick>,
}

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3_600.0;
const DAY: f64 = 86_400.0;

/// Equal steps.
pub(super) fn linear(axis: &Axis, (least, most): (f64, f64), n: usize, round: bool) -> Made {
    let shown = shown(&axis.unit, least.abs().max(most.abs()));
    let (mut low, mut high) = (least * shown.factor, most * shown.factor);
    let whole = axis.unit == Unit::Count && shown.factor == 1.0;
    let step = step((high - low) / n.max(1) as f64, &shown.sign, whole);
    if round {
        (low, high) = (down(low, step) * step, -down(-high, step) * step);
    }
    if high <= low {
        high = low + step;
    }
    let first = -down(-low, step);
    let count = (down(high, step) - first).clamp(0.0, 100.0) as usize;
    let tick = |i: usize| {
        let value = (first + i as f64) * step;
        Tick { value: value / shown.factor, text: written(value, step) }
    };
    let ticks = (0..=count).map(tick).collect();
    Made { least: low / shown.factor, most: high / shown.factor, title: titled(axis, &shown), ticks }
}

/// Times of day. Whole days are counted, from 1.
pub(super) fn clock(axis: &Axis, (least, most): (f64, f64), start: f64, n: usize) -> Made {
    const STEPS: [f64; 13] = [
        1.0,
        10.0,
        MINUTE,
        5.0 * MINUTE,
        15.0 * MINUTE,
        30.0 * MINUTE,
        HOUR,
        2.0 * HOUR,
        3.0 * HOUR,
        6.0 * HOUR,
        12.0 * HOUR,
        DAY,
        7.0 * DAY,
    ];
    let wanted = (most - least) / n.max(1) as f64;
    let found = STEPS.into_iter().find(|step| *step >= wanted * (1.0 - 1e-9));
    let step = found.unwrap_or_else(|| decimal_step(wanted / DAY) * DAY);
    let first = -down(-(least + start), step);
    let count = (down(most + start, step) - first).clamp(0.0, 100.0) as usize;
    let tick = |i: usize| {
        let at = (first + i as f64) * step;
        Tick { value: at - start, text: time_of_day(at, step) }
    };
    Made { least, most, title: axis.title.clone(), ticks: (0..=count).map(tick).collect() }
}

/// A second since the first midnight, as the clock shows it.
fn time_of_day(at: f64, step: f64) -> String {
    let (day, second) = ((at / DAY).floor(), at.rem_euclid(DAY).round());
    if second == 0.0 && (day > 0.0 || step >= DAY) {
        return format!("day {}", significant(day + 1.0, 6));
    }
    let (hour, minute, rest) = ((second / HOUR).floor(), (second / MINUTE).floor() % 60.0, second % 60.0);
    if step < MINUTE { format!("{hour:02}:{minute:02}:{rest:02}") } else { format!("{hour:02}:{minute:02}") }
}

/// Times that are round on an axis over many sizes.
const TIMES: [f64; 15] = [
    1e-6,
    1e-5,
    1e-4,
    1e-3,
    1e-2,
    0.1,
    1.0,
    10.0,
    MINUTE,
    600.0,
    HOUR,
    36_000.0,
    DAY,
    864_000.0,
    8_640_000.0,
];

/// Steps that multiply.
pub(super) fn log(axis: &Axis, (least, most): (f64, f64), n: usize) -> Made {
    let within = |value: &f64| *value >= least * (1.0 - 1e-9) && *value <= most * (1.0 + 1e-9);
    let times: Vec<f64> = TIMES.into_iter().filter(within).collect();
    let is_time = axis.unit == Unit::Seconds && times.len() > 1;
    let values = if is_time { every(&times, n) } else { powers(least, most, n) };
    // A time is best read in its own unit, so each is written with it; other units are in the title.
    let shown = Shown { factor: 1.0, sign: String::new() };
    let shown = if axis.unit == Unit::Seconds { shown } else { axis.unit.shown(most) };
    let text = |value: f64| match axis.unit {
        Unit::Seconds => axis.unit.write(value),
        _ if most >= 1e7 => scientific(value * shown.factor, 6),
        _ => significant(value * shown.factor, 6),
    };
    let text = |value: f64| if is_time { time(value) } else { text(value) };
    let ticks = values.into_iter().map(|value| Tick { value, text: text(value) }).collect();
    Made { least, most, title: titled(axis, &shown), ticks }
}

/// A round time in the largest unit in which it is whole.
fn time(seconds: f64) -> String {
    let units = [(DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    let (size, sign) = units.into_iter().find(|(size, _)| seconds >= size * (1.0 - 1e-9)).unwrap_or(units[5]);
    format!("{} {sign}", significant(seconds / size, 6))
}

/// Powers of ten, with 2 and 5 between them if there is room, some left out if there is none.
fn powers(least: f64, most: f64, n: usize) -> Vec<f64> {
    let (low, high) = (libm::log10(least).floor() as i32, libm::log10(most).ceil() as i32);
    let within = |value: &f64| *value >= least * (1.0 - 1e-9) && *value <= most * (1.0 + 1e-9);
    let of = |digits: &[f64]| -> Vec<f64> {
        let all = (low..=high).flat_map(|power| digits.iter().map(move |digit| digit * ten_to(power)));
        all.filter(within).collect()
    };
    let fine = of(&[1.0, 2.0, 5.0]);
    if fine.len() <= n.max(5) && fine.len() > 1 {
        return fine;
    }
    let coarse = of(&[1.0]);
    if coarse.len() > 1 { every(&coarse, n) } else { vec![least, most] }
}

/// At most about n of them, evenly.
fn every(values: &[f64], n: usize) -> Vec<f64> {
    let step = values.len().div_ceil(n.max(2)).max(1);
    values.iter().copied().step_by(step).collect()
}

/// Ten to a power, by the text that every machine reads alike.
fn ten_to(power: i32) -> f64 {
    format!("1e{power}").parse().unwrap_or(0.0)
}

/// The number of whole steps, a hair above counted as whole.
fn down(value: f64, step: f64) -> f64 {
    (value / step + 1e-9).floor()
}

/// The unit for numbers up to `most`; millions or billions if they are many.
fn shown(unit: &Unit, most: f64) -> Shown {
    let shown = unit.shown(most);
    let (size, word) = match most {
        1e7..1e10 => (1e6, "million"),
        1e10..1e13 => (1e9, "billion"),
        _ => return shown,
    };
    match unit {
        Unit::Plain | Unit::Count | Unit::Of(_) => {
            let sign = format!("{word} {}", shown.sign).trim_end().to_owned();
            Shown { factor: shown.factor / size, sign }
        }
        Unit::Share | Unit::Seconds => shown,
    }
}

fn titled(axis: &Axis, shown: &Shown) -> String {
    if shown.sign.is_empty() { axis.title.clone() } else { format!("{} ({})", axis.title, shown.sign) }
}

/// With enough digits to tell ticks apart; what would be very long as a power of ten.
fn written(value: f64, step: f64) -> String {
    if step >= 1e12 {
        scientific(value, digits(value, step))
    } else {
        significant(value, digits(value, step))
    }
}

fn digits(value: f64, step: f64) -> usize {
    if value == 0.0 || step == 0.0 {
        return 6;
    }
    let needed = libm::log10(value.abs()).floor() - libm::log10(step).floor() + 2.0;
    (needed.clamp(6.0, 15.0)) as usize
}

/// The round step from `least` up, for a unit; whole if asked for.
fn step(least: f64, sign: &str, whole: bool) -> f64 {
    let steps: &[f64] = match sign {
        "s" | "min" => &[1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0],
        "h" => &[1.0, 2.0, 3.0, 6.0, 12.0, 24.0, 48.0],
        "d" => &[1.0, 2.0, 7.0, 14.0, 28.0],
        _ => &[],
    };
    let found = steps.iter().find(|step| least > 0.5 && **step >= least * (1.0 - 1e-9));
    let step = found.copied().unwrap_or_else(|| decimal_step(least));
    if whole { step.max(1.0) } else { step }
}

/// The next of 1, 2, 5, 10 ... from `least` up.
fn decimal_step(least: f64) -> f64 {
    let power = ten_to(libm::log10(least).floor() as i32);
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|step| *step >= least * (1.0 - 1e-9));
    step.unwrap_or(10.0 * power)
}
