//! Rules as text: `if queue > 10 or recommended - size > 5 then recruit 1`.
//!
//! Conditions compare arithmetic over what is observed in a pool, joined by and, or, not and parentheses. All rules of a
//! list that hold act together: their changes add up. A metric that is not known yet makes every comparison with it fail.
//! [`parse`] reads them and marks the place where one is wrong.

pub mod parse;

use crate::policy::settings::{Reader, SettingError, Value};
use crate::view::Observation;

pub use parse::RuleError;

/// A name that rules may use, what it means, and where it is found.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// What it means, with its unit.
    pub meaning: &'static str,
    value: fn(&Observation, bool) -> Option<f64>,
}

macro_rules! metrics {
    ($($name:literal, $meaning:literal, |$seen:ident, $flying:ident| $value:expr;)*) => {
        &[$(Metric { name: $name, meaning: $meaning, value: |$seen, $flying| $value }),*]
    };
}

/// Everything that rules may ask for.
pub const METRICS: &[Metric] = metrics! {
    "queue", "open slots that wait", |seen, _f| Some(seen.queue as f64);
    "size", "workers in the pool, with those on their way if they count", |seen, flying| Some(f64::from(seen.size(flying)));
    "recommended", "the recommended size", |seen, _f| seen.recommended().map(f64::from);
    "in_flight", "workers on their way", |seen, _f| Some(f64::from(seen.in_flight));
    "idle", "workers who wait for a task", |seen, _f| Some(f64::from(seen.workers.idle));
    "busy", "workers with a task", |seen, _f| Some(f64::from(seen.workers.busy()));
    "training", "workers who learn", |seen, _f| Some(f64::from(seen.workers.training));
    "paused", "workers who are there but do not ask", |seen, _f| Some(f64::from(seen.workers.paused));
    "draining", "workers who go when their task is done", |seen, _f| Some(f64::from(seen.workers.draining));
    "arrivals", "slots that opened in the window", |seen, _f| Some(seen.arrivals as f64);
    "completions", "answers that counted in the window", |seen, _f| Some(seen.completions as f64);
    "departures", "workers who left in the window", |seen, _f| Some(seen.departures as f64);
    "arrival_rate", "slots that open, per second", |seen, _f| Some(seen.arrival_rate);
    "service_rate", "answers per second of one busy worker", |seen, _f| seen.service_rate;
    "departure_rate", "workers who leave, per second", |seen, _f| Some(seen.departure_rate);
    "throughput", "answers per second of the whole pool", |seen, _f| Some(seen.throughput);
    "latency", "mean seconds from opening to answer", |seen, _f| seen.latency.map(crate::time::Span::as_secs_f64);
    "wait", "mean seconds from opening to lease", |seen, _f| seen.wait.map(crate::time::Span::as_secs_f64);
    "utilisation", "share of idle and busy workers' time in which they were busy, 0 to 1", |seen, _f| Some(seen.utilisation);
};

/// An expression; a condition is one that is 0 or 1.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Number(f64),
    /// A metric, by its place in [`METRICS`].
    Metric(usize),
    /// The other way round.
    Not(Box<Expr>),
    /// Below zero.
    Minus(Box<Expr>),
    /// Two joined.
    Both(Op, Box<Expr>, Box<Expr>),
}

/// How two expressions are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Either or both.
    Or,
    /// Both.
    And,
    /// Greater.
    Above,
    /// Greater or equal.
    AtLeast,
    /// Smaller.
    Below,
    /// Smaller or equal.
    AtMost,
    /// Equal.
    Is,
    /// Not equal.
    IsNot,
    /// Sum.
    Plus,
    /// Difference.
    Less,
    /// Product.
    Times,
    /// Quotient.
    Per,
}

/// A rule: when to change the pool, and by how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// As it was written.
    pub text: String,
    condition: Expr,
    amount: Expr,
    /// 1 to recruit, -1 to release.
    sign: f64,
}

/// What metrics stand for.
pub type Lookup<'a> = &'a dyn Fn(usize) -> Option<f64>;

impl Expr {
    /// Its value; `None` if something in it is not known.
    #[must_use]
    pub fn value(&self, lookup: Lookup<'_>) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Metric(metric) => lookup(*metric),
            Self::Minus(inner) => inner.value(lookup).map(|value| -value),
            // What is not known does not hold, and neither does its opposite.
            Self::Not(inner) => inner.value(lookup).map(|value| truth(value == 0.0)),
            Self::Both(Op::Or, a, b) => either(a.value(lookup), b.value(lookup)),
            Self::Both(Op::And, a, b) => {
                let opposite = |value: Option<f64>| value.map(|value| truth(value == 0.0));
                opposite(either(opposite(a.value(lookup)), opposite(b.value(lookup))))
            }
            Self::Both(op, a, b) => Some(op.join(a.value(lookup)?, b.value(lookup)?)),
        }
    }
}

/// Whether one of two holds: known as soon as one does.
fn either(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), _) if a != 0.0 => Some(1.0),
        (_, Some(b)) if b != 0.0 => Some(1.0),
        (Some(_), Some(_)) => Some(0.0),
        _ => None,
    }
}

const fn truth(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

impl Op {
    fn join(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Or => truth(a != 0.0 || b != 0.0),
            Self::And => truth(a != 0.0 && b != 0.0),
            Self::Above => truth(a > b),
            Self::AtLeast => truth(a >= b),
            Self::Below => truth(a < b),
            Self::AtMost => truth(a <= b),
            Self::Is => truth(a == b),
            Self::IsNot => truth(a != b),
            Self::Plus => a + b,
            Self::Less => a - b,
            Self::Times => a * b,
            Self::Per => a / b,
        }
    }
}

impl Rule {
    /// By how many workers this rule changes the pool: zero if its condition does not hold.
    #[must_use]
    pub fn change(&self, lookup: Lookup<'_>) -> i64 {
        if self.condition.value(lookup).is_none_or(|value| value == 0.0) {
            return 0;
        }
        let amount = self.amount.value(lookup).filter(|amount| amount.is_finite()).unwrap_or(0.0);
        // A float-to-integer cast saturates; a negative amount changes nothing.
        (libm::floor(amount + 1e-9).max(0.0) * self.sign) as i64
    }
}

/// What a list of rules makes of a pool: the sum of all changes, and the rules that acted.
#[must_use]
pub fn net<'a>(rules: &'a [Rule], lookup: Lookup<'_>) -> (i64, Vec<&'a str>) {
    let changes = rules.iter().map(|rule| (rule.change(lookup), rule.text.as_str()));
    let acting: Vec<(i64, &str)> = changes.filter(|(change, _)| *change != 0).collect();
    (acting.iter().map(|(change, _)| change).sum(), acting.into_iter().map(|(_, text)| text).collect())
}

/// Looks metrics up in what was observed.
pub fn observed(seen: &Observation, count_in_flight: bool) -> impl Fn(usize) -> Option<f64> + '_ {
    move |metric| (METRICS[metric].value)(seen, count_in_flight)
}

/// Reads the setting `rules`: a text or a list of texts.
pub fn read(reader: &Reader<'_>, default: &[&str]) -> Result<Vec<Rule>, SettingError> {
    let texts: Vec<String> = match reader.value("rules") {
        None => default.iter().map(|text| (*text).to_owned()).collect(),
        Some(Value::Text(text)) => vec![text.clone()],
        Some(Value::List(values)) => {
            let texts = values.iter().map(|value| match value {
                Value::Text(text) => Ok(text.clone()),
                other => Err(reader.wrong("rules", other, "a text such as 'if queue > 10 then recruit 1'")),
            });
            texts.collect::<Result<_, _>>()?
        }
        Some(other) => return Err(reader.wrong("rules", other, "a list of texts")),
    };
    texts
        .iter()
        .map(|text| parse::rule(text).map_err(|error| SettingError::Rule { policy: reader.policy(), error }))
        .collect()
}

#[cfg(test)]
mod tests;
