//! Means with their uncertainty, and other quantities as a report writes them: as many digits as are known, no more.

use crate::number::{Unit, fixed, significant};

/// A mean and half the width of its confidence interval: `mean ± half`.
///
/// ```
/// use muster_report::interval::Interval;
/// use muster_report::number::Unit;
///
/// assert_eq!(Interval::new(12.3456, 0.4321).write(&Unit::Seconds), "12.3 ± 0.4 s");
/// assert_eq!(Interval::new(0.216_94, 0.0012).write(&Unit::Share), "21.69 ± 0.12 %");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The middle.
    pub mean: f64,
    /// From the middle to either end; 0 if it is known exactly, infinite or NaN if it is not known.
    pub half: f64,
}

impl Interval {
    /// A mean and half the width of its interval.
    #[must_use]
    pub fn new(mean: f64, half: f64) -> Self {
        Self { mean, half: half.abs() }
    }

    /// A number that is known exactly, such as a setting.
    #[must_use]
    pub fn exact(mean: f64) -> Self {
        Self { mean, half: 0.0 }
    }

    /// The lower end.
    #[must_use]
    pub fn low(self) -> f64 {
        self.mean - self.half
    }

    /// The upper end.
    #[must_use]
    pub fn high(self) -> f64 {
        self.mean + self.half
    }

    /// Whether a value lies within, ends included.
    #[must_use]
    pub fn holds(self, value: f64) -> bool {
        self.low() <= value && value <= self.high()
    }

    /// With its unit: `12.3 ± 0.4 s`.
    #[must_use]
    pub fn write(self, unit: &Unit) -> String {
        let shown = unit.shown(self.mean.abs().max(if self.mean == 0.0 { self.half } else { 0.0 }));
        let text = self.scaled(shown.factor).digits(None).join();
        if shown.sign.is_empty() { text } else { format!("{text} {}", shown.sign) }
    }

    /// A difference, with its unit: as [`Interval::write`], but a plus stands before what is more than zero.
    #[must_use]
    pub fn write_signed(self, unit: &Unit) -> String {
        let sign = if self.mean > 0.0 { "+" } else { "" };
        format!("{sign}{}", self.write(unit))
    }

    /// The same in another unit.
    #[must_use]
    pub(crate) fn scaled(self, factor: f64) -> Self {
        Self { mean: self.mean * factor, half: self.half * factor }
    }

    /// How many decimals its half-width is worth; `None` if it has none to go by, or very many.
    pub(crate) fn decimals(self) -> Option<usize> {
        if !(self.half > 0.0 && self.half.is_finite()) {
            return None;
        }
        // Two digits if the first is 1 or 2, since rounding 1.4 to 1 says something else.
        let text = format!("{:.1e}", self.half);
        let (digits, power) = text.split_once('e')?;
        let more = i32::from(digits.starts_with(['1', '2']));
        let decimals = (more - power.parse::<i32>().ok()?).max(0);
        usize::try_from(decimals).ok().filter(|decimals| *decimals <= 9)
    }

    /// Mean and half-width as texts, to so many decimals or to as many as are worth it.
    pub(crate) fn digits(self, decimals: Option<usize>) -> Digits {
        let far = |value: f64| value != 0.0 && !(1e-6..1e15).contains(&value.abs());
        let decimals = decimals.or_else(|| self.decimals());
        let write = |value: f64| match decimals {
            Some(decimals) if value.is_finite() && !far(value) => fixed(value, decimals),
            _ => significant(value, 4),
        };
        Digits { mean: write(self.mean), half: if self.half == 0.0 { None } else { Some(write(self.half)) } }
    }
}

/// An interval, written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digits {
    pub(crate) mean: String,
    /// `None` if the mean is exact.
    pub(crate) half: Option<String>,
}

impl Digits {
    pub(crate) fn join(&self) -> String {
        self.half.as_ref().map_or_else(|| self.mean.clone(), |half| format!("{} ± {half}", self.mean))
    }
}

/// The largest size among figures that are numbers.
pub(crate) fn largest(numbers: &[Interval]) -> f64 {
    numbers.iter().map(|number| number.mean.abs()).filter(|size| size.is_finite()).fold(0.0, f64::max)
}

/// As many decimals as the narrowest interval is worth, or four digits of the largest figure; five digits of it at most.
pub(crate) fn decimals(numbers: &[Interval]) -> usize {
    let largest = largest(numbers);
    let before = if largest >= 1.0 { libm::log10(largest).floor() as usize + 1 } else { 1 };
    let worth = numbers.iter().filter_map(|number| number.decimals()).max();
    let whole = numbers.iter().all(|number| number.mean.fract() == 0.0 || !number.mean.is_finite());
    let plain = if whole { 0 } else { 4_usize.saturating_sub(before) };
    // A column of small figures has no digits before the point to count.
    let small = if largest > 0.0 && largest < 1.0 { (-libm::log10(largest)).floor() as usize } else { 0 };
    worth.map_or(plain + small.min(6), |worth| worth.min(5_usize.saturating_sub(before) + small.min(6)))
}

/// A part of one in percent: `21.7 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{} %", significant(share * 100.0, 3))
}

/// An amount of money: `1,234.50 USD`. Less than a cent keeps two digits: `0.0042 USD`.
#[must_use]
pub fn money(amount: f64, currency: &str) -> String {
    let cents = amount == 0.0 || (0.01..1e13).contains(&amount.abs());
    let digits = if cents { fixed(amount, 2) } else { significant(amount, 2) };
    format!("{digits} {currency}")
}

/// A length of time in its two largest units: `1 h 05 min`, `2 min 03 s`, `43.4 ms`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds.abs() < 60.0 || seconds.abs() > 1e12 {
        return Unit::Seconds.write(three_digits(seconds));
    }
    let sign = if seconds < 0.0 { "-" } else { "" };
    let size = seconds.abs();
    let units = [(86_400.0, "d", 3_600.0, "h", 24.0), (3_600.0, "h", 60.0, "min", 60.0)];
    let found = units.into_iter().find(|(large, _, small, ..)| size >= large - small / 2.0);
    let (large, large_sign, small, small_sign, most) = found.unwrap_or((60.0, "min", 1.0, "s", 60.0));
    let parts = (size / small).round();
    let (whole, rest) = ((parts / most).floor(), parts % most);
    let (whole, zeros) = (fixed(whole, 0), usize::from(large < 80_000.0) + 1);
    format!("{sign}{whole} {large_sign} {rest:0zeros$} {small_sign}")
}

fn three_digits(seconds: f64) -> f64 {
    format!("{seconds:.2e}").parse().unwrap_or(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_half_width() {
        let write = |mean, half| Interval::new(mean, half).write(&Unit::Plain);
        assert_eq!(write(12.3456, 0.4321), "12.3 ± 0.4");
        assert_eq!(write(12.3456, 0.1321), "12.35 ± 0.13");
        assert_eq!(write(12.3456, 0.0987), "12.35 ± 0.10");
        assert_eq!(write(1_234_567.0, 4_321.0), "1,234,567 ± 4,321");
        assert_eq!(write(0.5, 30.0), "0 ± 30");
        assert_eq!(write(-0.04, 3.0), "0 ± 3");
        assert_eq!(write(12.3456, 0.0), "12.35");
        assert_eq!(write(12.3456, f64::INFINITY), "12.35 ± ∞");
        assert_eq!(write(f64::NAN, f64::NAN), "? ± ?");
        assert_eq!(write(1e-9, 1e-10), "1e-9 ± 1e-10");
        assert_eq!(write(0.0, 7.1e-66), "0 ± 7.1e-66");
    }

    #[test]
    fn units_go_with_them() {
        assert_eq!(Interval::new(0.0433, 0.0021).write(&Unit::Seconds), "43.3 ± 2.1 ms");
        assert_eq!(Interval::new(0.0, 0.4).write(&Unit::Seconds), "0 ± 400 ms");
        assert_eq!(Interval::new(-90.0, 10.0).write_signed(&Unit::Seconds), "-90 ± 10 s");
        assert_eq!(Interval::new(3.21, 0.5).write_signed(&Unit::Of("USD/h".to_owned())), "+3.2 ± 0.5 USD/h");
        assert!(Interval::new(-1.0, 2.0).holds(0.0) && !Interval::new(3.0, 2.0).holds(0.0));
    }

    #[test]
    fn money_has_cents() {
        assert_eq!(money(1_234.5, "USD"), "1,234.50 USD");
        assert_eq!(money(0.0, "EUR"), "0.00 EUR");
        assert_eq!(money(0.004_23, "EUR"), "0.0042 EUR");
        assert_eq!(money(-3.999, "EUR"), "-4.00 EUR");
    }

    #[test]
    fn shares_are_percent() {
        assert_eq!(percent(0.216_94), "21.7 %");
        assert_eq!(percent(1.0), "100 %");
    }

    #[test]
    fn durations_have_two_units() {
        let written: Vec<String> =
            [0.0433, 1.5, 59.96, 123.0, 3_599.7, 3_900.0, 86_399.0, 93_600.0, -75.0, f64::INFINITY]
                .into_iter()
                .map(duration)
                .collect();
        assert_eq!(
            written,
            [
                "43.3 ms",
                "1.5 s",
                "60 s",
                "2 min 03 s",
                "1 h 00 min",
                "1 h 05 min",
                "1 d 0 h",
                "1 d 2 h",
                "-1 min 15 s",
                "∞ s"
            ]
        );
    }
}
