//! Numbers, rates and laws as a person says them.

use muster_engine::Span;
use muster_engine::money::Money;
use muster_engine::policy::settings::PolicySpec;

use crate::law::Law;

/// Three significant figures, without needless zeros.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "endless".to_owned();
    }
    let digits = if value == 0.0 { 0.0 } else { libm::floor(libm::log10(value.abs())) };
    if digits > 2.0 {
        let unit = libm::pow(10.0, digits - 2.0);
        return format!("{:.0}", libm::round(value / unit) * unit);
    }
    let decimals = (2.0 - digits).min(9.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A share, in hundredths.
pub(super) fn share(value: f64) -> String {
    format!("{} %", number(value * 100.0))
}

/// A length of time in seconds, to three significant figures.
pub(super) fn time(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "an endless time".to_owned();
    }
    if seconds >= 100.0 {
        return Span::from_secs_f64(libm::round(seconds)).to_string();
    }
    let rounded: f64 = number(seconds).parse().unwrap_or(seconds);
    Span::from_secs_f64(rounded).to_string()
}

/// The unit of time in which a rate per second is at least one.
fn unit(per_second: f64) -> (f64, &'static str) {
    let units = [(1.0, "second"), (60.0, "minute"), (3600.0, "hour"), (86_400.0, "day")];
    units.into_iter().find(|(length, _)| per_second * length >= 1.0).unwrap_or((86_400.0, "day"))
}

/// A rate per second, in the unit in which it is at least one.
pub(super) fn rate(per_second: f64) -> String {
    let (length, unit) = unit(per_second);
    format!("{} per {unit}", number(per_second * length))
}

/// Two rates in the unit of a third.
pub(super) fn rates(least: f64, most: f64, like: f64) -> String {
    let (length, unit) = unit(like);
    format!("{} to {} per {unit}", number(least * length), number(most * length))
}

/// Money in units of the currency.
pub(super) fn money(amount: Money, currency: &str) -> String {
    format!("{amount} {currency}")
}

/// So many of something.
pub(super) fn count(n: u64, one: &str, several: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {several}") }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// How a law spreads, in a word.
fn shape(law: &Law) -> String {
    match law {
        Law::Fixed(_) => "always".to_owned(),
        Law::Exponential(_) => "exponential".to_owned(),
        Law::LogNormal { .. } => "log-normal".to_owned(),
        Law::Gamma { .. } => "gamma".to_owned(),
        Law::Weibull { shape, .. } => format!("Weibull of shape {}", number(*shape)),
        Law::Pareto { shape, .. } => format!("Pareto of shape {}", number(*shape)),
        Law::Uniform(..) => "uniform".to_owned(),
        Law::Mixture(parts) => format!("a mixture of {} laws", parts.len()),
        Law::Empirical(values) => format!("one of {} recorded values", values.len()),
    }
}

/// A law of times: `18 s on average (log-normal)`.
pub(super) fn times(law: &Law) -> String {
    of(law, time)
}

/// A law of numbers.
pub(super) fn numbers(law: &Law) -> String {
    of(law, number)
}

fn of(law: &Law, say: fn(f64) -> String) -> String {
    match law {
        Law::Fixed(value) => say(*value),
        Law::Uniform(least, most) => format!("{} to {}", say(*least), say(*most)),
        other if other.mean().is_finite() => format!("{} on average ({})", say(other.mean()), shape(other)),
        other => format!("a time or number without a mean ({})", shape(other)),
    }
}

/// Whether a law is nothing at all.
pub(super) fn is_nothing(law: &Law) -> bool {
    matches!(law, Law::Fixed(value) if *value <= 0.0)
}

/// A policy with what was set.
pub(super) fn policy(spec: &PolicySpec, kinds: &[String]) -> String {
    if spec.settings.is_empty() {
        return spec.name.clone();
    }
    let setting = |(name, value): (&String, &muster_engine::policy::settings::Value)| {
        let kind = match value {
            muster_engine::policy::settings::Value::Number(place) if name == "kind" => {
                kinds.get(*place as usize)
            }
            _ => None,
        };
        kind.map_or_else(|| format!("{name} {value}"), |kind| format!("{name} '{kind}'"))
    };
    let settings: Vec<String> = spec.settings.iter().map(setting).collect();
    format!("{} ({})", spec.name, settings.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_to_three_figures() {
        let said = [0.0, 0.0123456, 0.5, 3.14159, 14.2, 99.96, 1234.0, 1_234_567.0].map(number);
        assert_eq!(said, ["0", "0.0123", "0.5", "3.14", "14.2", "100", "1230", "1230000"]);
        assert_eq!([0.2, 0.01, 20.0].map(rate), ["12 per minute", "36 per hour", "20 per second"]);
        assert_eq!([90.0, 18.1234, 4000.4].map(time), ["1 min 30 s", "18.1 s", "1 h 6 min"]);
    }
}
