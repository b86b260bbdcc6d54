//! Time and spans of time, in whole nanoseconds.
//!
//! Does not know any clock: a driver says what time it is. Invariant: arithmetic saturates, so that a
//! deadline far in the future is `Time::MAX` and never wraps.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A moment, counted in nanoseconds from a beginning that the driver chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Time(pub u64);

/// A length of time in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span(pub u64);

impl Time {
    /// The beginning.
    pub const ZERO: Self = Self(0);
    /// Never.
    pub const MAX: Self = Self(u64::MAX);

    /// How long after `earlier` this is; zero if it is not after.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// This moment in seconds, for people and formulas.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        Span(self.0).as_secs_f64()
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// For ever.
    pub const MAX: Self = Self(u64::MAX);

    /// A span of whole milliseconds.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    /// A span of whole seconds.
    #[must_use]
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1_000_000_000))
    }

    /// A span of whole minutes.
    #[must_use]
    pub const fn from_mins(mins: u64) -> Self {
        Self::from_secs(mins.saturating_mul(60))
    }

    /// A span of whole hours.
    #[must_use]
    pub const fn from_hours(hours: u64) -> Self {
        Self::from_mins(hours.saturating_mul(60))
    }

    /// The nearest span to a number of seconds; negative and undefined numbers give zero, too large ones `MAX`.
    #[must_use]
    pub fn from_secs_f64(secs: f64) -> Self {
        // A float-to-integer cast saturates, and sends NaN to zero.
        Self(libm::round(secs * 1e9) as u64)
    }

    /// This span in seconds.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Whether this is no time at all.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// This span times a factor, to the nearest nanosecond.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self(libm::round(self.0 as f64 * factor) as u64)
    }

    /// What remains after taking `other` away; zero if nothing does.
    #[must_use]
    pub const fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add<Span> for Time {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Time {
    type Output = Self;
    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Units a person writes, longest first, with their length in nanoseconds.
const UNITS: [(&str, u64); 7] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("min", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

impl fmt::Display for Span {
    /// The two largest units that say it: `1 h 30 min`, `2.5 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(at) = UNITS.iter().position(|(_, nanos)| self.0 >= *nanos) else {
            return f.write_str("0 s");
        };
        let (unit, nanos) = UNITS[at];
        let rest = self.0 % nanos;
        if rest == 0 {
            return write!(f, "{} {unit}", self.0 / nanos);
        }
        if at >= 3 {
            return write!(f, "{} {unit}", trim(self.0 as f64 / nanos as f64));
        }
        let (lower, lower_nanos) = UNITS[at + 1];
        match rest / lower_nanos {
            0 => write!(f, "{} {unit}", self.0 / nanos),
            n => write!(f, "{} {unit} {n} {lower}", self.0 / nanos),
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::MAX { f.write_str("never") } else { Span(self.0).fmt(f) }
    }
}

/// Three decimals, without the zeros at the end.
fn trim(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl FromStr for Span {
    type Err = String;

    /// Reads `90 s`, `1.5 h`, `1 min 30 s`.
    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("'{text}' is not a length of time; write for example 90 s, 1.5 h or 1 min 30 s");
        let mut rest = text.trim();
        if rest.is_empty() {
            return Err(bad());
        }
        let mut total = Self::ZERO;
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(bad)?;
            let number: f64 = rest[..digits].parse().map_err(|_| bad())?;
            let after = rest[digits..].trim_start();
            let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            let unit = match &after[..end] {
                "m" => "min",
                unit => unit,
            };
            let (_, nanos) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(bad)?;
            total += Self(libm::round(number * *nanos as f64) as u64);
            rest = after[end..].trim_start();
        }
        Ok(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_as_they_are_written() {
        for text in ["90 s", "1 h 30 min", "250 ms", "2.5 s", "3 d", "1 min 30 s", "17 ns"] {
            let span: Span = text.parse().unwrap();
            assert_eq!(span.to_string().parse::<Span>().unwrap(), span, "{text}");
        }
        assert_eq!("90 s".parse::<Span>().unwrap().to_string(), "1 min 30 s");
        assert_eq!("1.5h".parse(), Ok(Span::from_mins(90)));
        assert_eq!("2 m".parse(), Ok(Span::from_mins(2)));
    }

    #[test]
    fn what_is_no_span_is_refused_with_an_example() {
        for text in ["", "soon", "3", "5 parsecs", "-2 s", "1..5 s"] {
            let error = text.parse::<Span>().unwrap_err();
            assert!(error.contains("write for example"), "{error}");
        }
    }

    #[test]
    fn time_saturates() {
        assert_eq!(Time::MAX + Span::from_secs(1), Time::MAX);
        assert_eq!(Time(3).since(Time(5)), Span::ZERO);
        assert_eq!(Span::from_secs_f64(f64::INFINITY), Span::MAX);
        assert_eq!(Span::from_secs_f64(-1.0), Span::ZERO);
        assert_eq!(Span::from_secs_f64(f64::NAN), Span::ZERO);
    }
}
