//! A script's line as words: what comes first, what was set by name, and values in plain writing. What stands between '
//! and ' is one word.
//! A word that nobody takes is a mistake in the script, and the test says so.

use muster_engine::Span;
use muster_engine::money::Money;
use muster_engine::policy::settings::{PolicySpec, Value};

/// The words of a line that have not been taken yet.
pub(crate) struct Words<'a> {
    line: &'a str,
    left: Vec<&'a str>,
}

impl<'a> Words<'a> {
    pub(crate) fn of(line: &'a str) -> Self {
        let mut quoted = false;
        let between = move |letter: char| {
            quoted ^= letter == '\'';
            letter.is_whitespace() && !quoted
        };
        Self { line, left: line.split(between).filter(|word| !word.is_empty()).collect() }
    }

    /// The first word left.
    pub(crate) fn next(&mut self) -> &'a str {
        assert!(!self.left.is_empty(), "something is missing in: {}", self.line);
        self.left.remove(0)
    }

    /// The word after `key`; takes both.
    pub(crate) fn option(&mut self, key: &str) -> Option<&'a str> {
        let at = self.left.iter().position(|word| *word == key)?;
        assert!(at + 1 < self.left.len(), "'{key}' needs a value in: {}", self.line);
        self.left.remove(at);
        Some(self.left.remove(at))
    }

    /// Whether `key` stands there; takes it.
    pub(crate) fn flag(&mut self, key: &str) -> bool {
        let at = self.left.iter().position(|word| *word == key);
        at.map(|at| self.left.remove(at)).is_some()
    }

    /// All that is left.
    pub(crate) fn rest(&mut self) -> Vec<&'a str> {
        std::mem::take(&mut self.left)
    }

    /// The rest as a line of its own, if there is any.
    pub(crate) fn rest_if_any(&mut self) -> Option<Self> {
        (!self.left.is_empty()).then(|| Self { line: self.line, left: self.rest() })
    }

    /// The line must be used up.
    pub(crate) fn done(&self) {
        assert!(self.left.is_empty(), "nobody knows {:?} in: {}", self.left, self.line);
    }
}

/// `90s`, `1h30min`.
pub(crate) fn span(text: &str) -> Span {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// `0.05`, to the micro-unit.
pub(crate) fn money(text: &str) -> Money {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{part:0<6}");
    assert!(digits.len() == 6, "'{text}' has more than six decimals");
    let number = |digits: &str| digits.parse::<i64>().unwrap_or_else(|_| panic!("'{text}' is no amount"));
    Money(number(whole) * 1_000_000 + number(&digits))
}

/// A name with settings: `fair,between=jobs,half_life=1h`; a list is `rules='if idle > 1 then release 1; if ...'`.
pub(crate) fn policy(text: &str) -> PolicySpec {
    let mut quoted = false;
    let mut parts = text.split(move |letter: char| {
        quoted ^= letter == '\'';
        letter == ',' && !quoted
    });
    let spec = PolicySpec::named(parts.next().unwrap_or_default());
    parts.fold(spec, |spec, part| {
        let (name, value) = part.split_once('=').unwrap_or_else(|| panic!("'{part}' is no setting"));
        let quoted = value.strip_prefix('\'').and_then(|value| value.strip_suffix('\''));
        let list = |text: &str| text.split(';').map(|part| Value::from(part.trim())).collect();
        let value = match (value, value.parse::<f64>()) {
            _ if quoted.is_some() => Value::List(quoted.map(list).unwrap_or_default()),
            ("true" | "false", _) => Value::Flag(value == "true"),
            (_, Ok(number)) => Value::Number(number),
            _ => Value::Text(value.to_owned()),
        };
        spec.with_value(name, value)
    })
}

trait WithValue {
    fn with_value(self, name: &str, value: Value) -> Self;
}

impl WithValue for PolicySpec {
    fn with_value(mut self, name: &str, value: Value) -> Self {
        self.settings.insert(name.to_owned(), value);
        self
    }
}

/// A span to the nanosecond, without spaces: `1h0min10s` is `1h10s`.
pub(crate) fn exact(span: Span) -> String {
    const UNITS: [(&str, u64); 5] = [
        ("h", 3_600_000_000_000),
        ("min", 60_000_000_000),
        ("s", 1_000_000_000),
        ("ms", 1_000_000),
        ("ns", 1),
    ];
    let mut left = span.0;
    let mut text = String::new();
    for (unit, nanos) in UNITS {
        if left >= nanos {
            text.push_str(&format!("{}{unit}", left / nanos));
            left %= nanos;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}
