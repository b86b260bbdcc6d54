//! Quantities as a person reads them: few digits, a unit that fits, thousands apart.

/// What a number counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nothing in particular.
    Plain,
    /// Whole things.
    Count,
    /// A part of one, shown in percent.
    Share,
    /// A length of time in seconds, shown in the unit that fits.
    Seconds,
    /// Anything with a unit of its own, such as `USD/h`.
    Of(String),
}

/// A number in a chosen unit: what to multiply by, and its sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Shown = kept * factor.
    pub factor: f64,
    /// As written after the number; empty for plain numbers.
    pub sign: String,
}

/// Upper ends of the ranges in which a time is shown, with factor and sign.
const TIMES: &[(f64, f64, &str)] = &[
    (1e-3, 1e6, "µs"),
    (1.0, 1e3, "ms"),
    (120.0, 1.0, "s"),
    (7_200.0, 1.0 / 60.0, "min"),
    (172_800.0, 1.0 / 3_600.0, "h"),
    (f64::INFINITY, 1.0 / 86_400.0, "d"),
];

impl Unit {
    /// The form in which numbers up to `most` are best shown.
    #[must_use]
    pub fn shown(&self, most: f64) -> Shown {
        let (factor, sign) = match self {
            Self::Plain | Self::Count => (1.0, ""),
            Self::Share => (100.0, "%"),
            Self::Seconds if most == 0.0 || !most.is_finite() => (1.0, "s"),
            Self::Seconds => {
                let (_, factor, sign) = TIMES.iter().find(|(end, ..)| most.abs() < *end).unwrap_or(&TIMES[5]);
                (*factor, *sign)
            }
            Self::Of(sign) => (1.0, sign.as_str()),
        };
        Shown { factor, sign: sign.to_owned() }
    }

    /// A number with its unit: `43.39 ms`, `21.69 %`, `1,200`.
    #[must_use]
    pub fn write(&self, number: f64) -> String {
        let shown = self.shown(number);
        let digits = match self {
            Self::Count => whole_or(number),
            _ => significant(number * shown.factor, 4),
        };
        if shown.sign.is_empty() { digits } else { format!("{digits} {}", shown.sign) }
    }
}

fn whole_or(number: f64) -> String {
    if number.fract() == 0.0 { grouped(&format!("{number:.0}")) } else { significant(number, 4) }
}

/// So many significant digits, without zeros at the end, thousands apart. Far from 1 as a power of ten.
#[must_use]
pub fn significant(number: f64, digits: usize) -> String {
    if number.is_nan() {
        return "?".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    let exponent = exponent(number, digits);
    if !(-5..15).contains(&exponent) {
        return scientific(number, digits);
    }
    let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
    grouped(trimmed(&format!("{number:.decimals$}")))
}

/// As a power of ten with so many digits at most: `1.5e20`.
pub(crate) fn scientific(number: f64, digits: usize) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{number:.*e}", digits.saturating_sub(1));
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{power}", trimmed(mantissa))
}

/// So many decimals, zeros included, thousands apart. Nothing is written as `-0`.
#[must_use]
pub fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    grouped(if is_zero { text.trim_start_matches('-') } else { &text })
}

/// The power of ten of the first digit, after rounding.
fn exponent(number: f64, digits: usize) -> i32 {
    let text = format!("{number:.*e}", digits.saturating_sub(1));
    text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0)
}

/// Without zeros at the end of the decimals.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Thousands set apart by commas.
fn grouped(text: &str) -> String {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, rest) = text.find('.').map_or((text, ""), |at| text.split_at(at));
    let mut out = String::from(sign);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_few_digits() {
        let written = |x| significant(x, 4);
        assert_eq!(written(0.216_940), "0.2169");
        assert_eq!(written(1_234_567.0), "1,234,567");
        assert_eq!(written(99_999.6), "100,000");
        assert_eq!(written(-1_234.5), "-1,234");
        assert_eq!(written(0.5), "0.5");
        assert_eq!(written(1e-9), "1e-9");
        assert_eq!(written(1.5e20), "1.5e20");
        assert_eq!(written(f64::INFINITY), "∞");
        assert_eq!(written(-0.0), "0");
    }

    #[test]
    fn decimals_can_be_fixed() {
        assert_eq!(fixed(1_234.5, 2), "1,234.50");
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!(fixed(-0.06, 1), "-0.1");
    }

    #[test]
    fn units_fit_the_number() {
        assert_eq!(Unit::Seconds.write(0.043_388), "43.39 ms");
        assert_eq!(Unit::Seconds.write(90.0), "90 s");
        assert_eq!(Unit::Seconds.write(600.0), "10 min");
        assert_eq!(Unit::Seconds.write(5e-9), "0.005 µs");
        assert_eq!(Unit::Seconds.write(f64::INFINITY), "∞ s");
        assert_eq!(Unit::Seconds.write(0.0), "0 s");
        assert_eq!(Unit::Share.write(0.2169), "21.69 %");
        assert_eq!(Unit::Count.write(100_000.0), "100,000");
        assert_eq!(Unit::Count.write(2.5), "2.5");
        assert_eq!(Unit::Of("USD/h".to_owned()).write(3.0), "3 USD/h");
    }
}
