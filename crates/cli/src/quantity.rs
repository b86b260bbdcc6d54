//! Quantities with units, as people write them: `12 /min`, `1 min 30 s`, `0.05 USD/min`.

use muster_engine::Span;

/// Money per time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MoneyRate {
    /// Per second.
    pub(crate) per_second: f64,
    /// As in `USD`.
    pub(crate) currency: String,
}

/// A number that is not infinite.
pub(crate) fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// A length of time, in seconds.
pub(crate) fn seconds(text: &str) -> Option<f64> {
    text.parse::<Span>().ok().map(Span::as_secs_f64)
}

/// A rate such as `12 /min`, per second.
pub(crate) fn rate(text: &str) -> Option<f64> {
    let (count, unit) = text.split_once('/')?;
    Some(number(count)? / unit_seconds(unit)?).filter(|rate| rate.is_finite())
}

/// Money per time, such as `0.05 USD/min`.
pub(crate) fn money_rate(text: &str) -> Option<MoneyRate> {
    let (amount, unit) = text.split_once('/')?;
    let at = amount.find(|c: char| c.is_ascii_alphabetic())?;
    let currency = amount[at..].trim();
    let is_code = currency.len() == 3 && currency.chars().all(|c| c.is_ascii_uppercase());
    let per_second = number(&amount[..at])? / unit_seconds(unit)?;
    (is_code && per_second.is_finite()).then(|| MoneyRate { per_second, currency: currency.to_owned() })
}

/// How long one of a unit is: `min` is 60.
fn unit_seconds(unit: &str) -> Option<f64> {
    let unit = unit.trim();
    let is_word = !unit.is_empty() && unit.chars().all(char::is_alphabetic);
    is_word.then(|| seconds(&format!("1 {unit}"))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_with_and_without_spaces() {
        assert_eq!(rate("12 /min"), Some(0.2));
        assert_eq!(rate("12/min"), Some(0.2));
        assert_eq!(rate("3600 / h"), Some(1.0));
        for wrong in ["12", "12 min", "/min", "12 /", "12 /2 min", "inf /s", "12 /parsec"] {
            assert_eq!(rate(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn money_has_a_currency_and_a_time() {
        let wage = money_rate("3 USD/min").unwrap();
        assert_eq!((wage.per_second, wage.currency.as_str()), (0.05, "USD"));
        assert!(money_rate("3USD/h").is_some());
        for wrong in ["3 USD", "3 /min", "USD/min", "3 dollars/min", "3 usd/min"] {
            assert_eq!(money_rate(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(seconds("1 min 30 s"), Some(90.0));
        assert_eq!(seconds("90"), None);
    }
}
