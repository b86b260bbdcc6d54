//! Quantities with units, as people write them: `12 /min`, `1 min 30 s`, `0.05 USD/min`, `5 %`.
//!
//! Does not know where they stand. What is wrong is answered with what is allowed and an example; the caller adds field,
//! value and place.

use muster_engine::Span;
use muster_engine::money::Money;

/// What a length of time may be.
pub const SPAN: &str = "a length of time above zero, such as 90 s or 1.5 h";
/// What a length of time may be where none at all is one too.
pub const SPAN_OR_ZERO: &str = "a length of time, such as 90 s or 1.5 h";
/// What a rate may be.
pub const RATE: &str = "a rate from 0, such as 12 /min";
/// What an amount of money may be.
pub const MONEY: &str =
    "money from 0 to 1000000 with at most six decimals and its currency, such as 0.05 USD";
/// What money per time may be.
pub const MONEY_RATE: &str = "money per time from 0, such as 0.05 USD/min";
/// What a share of a whole may be.
pub const SHARE: &str = "a share from 0 to 1 or from 0 % to 100 %, such as 0.05 or 5 %";
/// What a number may be.
pub const NUMBER: &str = "a number, such as 3 or 0.5";

/// An amount of money and what it is counted in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
    /// How much.
    pub money: Money,
    /// As in `USD`.
    pub currency: String,
}

/// Money per time.
#[derive(Clone, Debug, PartialEq)]
pub struct MoneyRate {
    /// Per second.
    pub per_second: f64,
    /// As in `USD`.
    pub currency: String,
}

impl MoneyRate {
    /// The same per hour, to the nearest micro-unit: what the engine calls a wage. Too much for an amount is the most there is.
    #[must_use]
    pub fn per_hour(&self) -> Money {
        Money((self.per_second * 3600.0 * 1e6).round() as i64)
    }
}

/// A number that is not infinite.
pub fn number(text: &str) -> Result<f64, &'static str> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or(NUMBER)
}

/// A length of time above zero.
pub fn span(text: &str) -> Result<Span, &'static str> {
    text.parse::<Span>().ok().filter(|span| !span.is_zero()).ok_or(SPAN)
}

/// A length of time, perhaps zero.
pub fn span_or_zero(text: &str) -> Result<Span, &'static str> {
    text.parse::<Span>().map_err(|_| SPAN_OR_ZERO)
}

/// A rate from 0 such as `12 /min`, per second.
pub fn rate(text: &str) -> Result<f64, &'static str> {
    per_time(text).filter(|rate| *rate >= 0.0).ok_or(RATE)
}

/// A share of a whole, such as `5 %`; a bare number is a share from 0 to 1.
pub fn share(text: &str) -> Result<f64, &'static str> {
    let share = match text.trim().strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        None => number(text),
    };
    share.ok().filter(|share| (0.0..=1.0).contains(share)).ok_or(SHARE)
}

/// An amount of money from 0 such as `0.05 USD`.
pub fn money(text: &str) -> Result<Amount, &'static str> {
    let read = || {
        let (amount, currency) = split_currency(text)?;
        Some(Amount { money: micros(amount)?, currency: currency.to_owned() })
    };
    read().ok_or(MONEY)
}

/// Money per time from 0, such as `0.05 USD/min`.
pub fn money_rate(text: &str) -> Result<MoneyRate, &'static str> {
    let read = || {
        let (amount, unit) = text.split_once('/')?;
        let (amount, currency) = split_currency(amount)?;
        let per_second = number(amount).ok()? / unit_seconds(unit)?;
        let fits = per_second.is_finite() && per_second >= 0.0;
        fits.then(|| MoneyRate { per_second, currency: currency.to_owned() })
    };
    read().ok_or(MONEY_RATE)
}

fn per_time(text: &str) -> Option<f64> {
    let (count, unit) = text.split_once('/')?;
    Some(number(count).ok()? / unit_seconds(unit)?).filter(|rate| rate.is_finite())
}

/// How long one of a unit is: `min` is 60.
fn unit_seconds(unit: &str) -> Option<f64> {
    let unit = unit.trim();
    let is_word = !unit.is_empty() && unit.chars().all(char::is_alphabetic);
    is_word.then(|| format!("1 {unit}").parse::<Span>().ok().map(Span::as_secs_f64)).flatten()
}

/// `0.05 USD` as `0.05` and `USD`.
fn split_currency(text: &str) -> Option<(&str, &str)> {
    let (amount, currency) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic())?);
    let currency = currency.trim();
    let is_code = currency.len() == 3 && currency.chars().all(|c| c.is_ascii_uppercase());
    is_code.then(|| (amount.trim(), currency))
}

/// A decimal number in millionths, exactly.
fn micros(text: &str) -> Option<Money> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
    if !are_digits(whole) || !are_digits(part) || whole.len() + part.len() == 0 || part.len() > 6 {
        return None;
    }
    let units: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let micros: i64 = format!("{part:0<6}").parse().ok()?;
    let money = Money::units(units) + Money(micros);
    (money <= Money::MOST).then_some(money)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_with_and_without_spaces() {
        assert_eq!(rate("12 /min"), Ok(0.2));
        assert_eq!(rate("12/min"), Ok(0.2));
        assert_eq!(rate("3600 / h"), Ok(1.0));
        for wrong in ["12", "12 min", "/min", "12 /", "12 /2 min", "inf /s", "12 /parsec", "-1 /s"] {
            assert_eq!(rate(wrong), Err(RATE), "{wrong}");
        }
    }

    #[test]
    fn money_has_a_currency_and_a_time() {
        let wage = money_rate("3 USD/min").unwrap();
        assert_eq!((wage.per_second, wage.currency.as_str()), (0.05, "USD"));
        assert_eq!(money_rate("0.05 USD/min").unwrap().per_hour(), Money::units(3));
        assert!(money_rate("3USD/h").is_ok());
        for wrong in ["3 USD", "3 /min", "USD/min", "3 dollars/min", "3 usd/min", "-3 USD/min", "inf USD/s"] {
            assert_eq!(money_rate(wrong), Err(MONEY_RATE), "{wrong}");
        }
    }

    #[test]
    fn amounts_are_exact_to_the_micro_unit() {
        let cents = |text: &str| money(text).map(|amount| amount.money);
        assert_eq!(cents("0.05 USD"), Ok(Money::cents(5)));
        assert_eq!(cents("0.000001 EUR"), Ok(Money(1)));
        assert_eq!(cents(".5 EUR"), Ok(Money::cents(50)));
        assert_eq!(cents("1000000 EUR"), Ok(Money::MOST));
        for wrong in ["0.05", "USD", "-1 USD", "0.0000001 USD", "1000000.01 USD", "1e3 USD", ". USD", "1 ÄUS"]
        {
            assert_eq!(cents(wrong), Err(MONEY), "{wrong}");
        }
    }

    #[test]
    fn shares_in_hundredths_or_not() {
        assert_eq!(share("5 %"), Ok(0.05));
        assert_eq!(share("100%"), Ok(1.0));
        assert_eq!(share("0.3"), Ok(0.3));
        for wrong in ["", "%", "101 %", "-1 %", "2", "nan %", "5 % %"] {
            assert_eq!(share(wrong), Err(SHARE), "{wrong}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(span("1 min 30 s"), Ok(Span::from_secs(90)));
        assert_eq!(span("90"), Err(SPAN));
        assert_eq!(span("0 s"), Err(SPAN));
        assert_eq!(span_or_zero("0 s"), Ok(Span::ZERO));
    }
}
