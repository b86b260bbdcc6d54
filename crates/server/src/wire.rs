//! How amounts, spans, moments and policies look in JSON, for every resource alike. Decides nothing.
//!
//! Money is a number in the currency's unit (0.05), spans are seconds (90) or words ("1 min 30 s"), moments are RFC 3339.

use std::collections::BTreeMap;
use std::fmt;

use muster_engine::money::Money;
use muster_engine::policy::settings::{PolicySpec, Value};
use muster_engine::{Span, Time};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

/// An amount of money, in the currency's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(value_type = f64, example = 0.05)]
pub struct Amount(pub Money);

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_units_f64())
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let units = f64::deserialize(deserializer)?;
        let micros = units * 1e6;
        let whole = micros.round();
        if whole.abs() <= 1e15 && (micros - whole).abs() <= 1e-3 {
            return Ok(Self(Money(whole as i64)));
        }
        Err(de::Error::custom(format!(
            "{units} is no amount; allowed is a number with at most 6 decimals, up to 1000000"
        )))
    }
}

/// A length of time: seconds as a number, or words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(value_type = f64, example = 90)]
pub struct Seconds(pub Span);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_secs_f64())
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Seconds;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("seconds, as in 90, or a length of time, as in \"1 min 30 s\"")
            }
            fn visit_f64<E: de::Error>(self, seconds: f64) -> Result<Seconds, E> {
                if (0.0..=1e9).contains(&seconds) {
                    Ok(Seconds(Span::from_secs_f64(seconds)))
                } else {
                    Err(E::custom(format!(
                        "{seconds} is no length of time; allowed is 0 to 1000000000 seconds"
                    )))
                }
            }
            fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<Seconds, E> {
                self.visit_f64(seconds as f64)
            }
            fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<Seconds, E> {
                self.visit_f64(seconds as f64)
            }
            fn visit_str<E: de::Error>(self, words: &str) -> Result<Seconds, E> {
                words.parse().map(Seconds).map_err(|error| E::custom(format!("'{words}': {error}")))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// A moment, in RFC 3339.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, format = DateTime, example = "2026-11-15T22:45:00.125Z")]
pub struct Moment(pub Time);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, rest) = (self.0.0 / 86_400_000_000_000, self.0.0 % 86_400_000_000_000);
        let (year, month, day) = civil(days);
        let millis = rest / 1_000_000;
        let (seconds, millis) = (millis / 1000, millis % 1000);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        // Every lease has one: written digit by digit, as formatting each number took a share of all work that could be seen.
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let parts = [(3, year), (6, month), (9, day), (12, hour), (15, minute), (18, second), (22, millis)];
        for (last, number) in parts {
            let (mut place, mut left) = (last, number);
            while left > 0 {
                text[place] = b'0' + (left % 10) as u8;
                (place, left) = (place.saturating_sub(1), left / 10);
            }
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

/// Year, month and day of a number of days since 1970: the calendar repeats after 400 years, counted from the 1st of March.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A policy: its name, or its name with settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Policy {
    /// Everything as it is by default.
    Named(String),
    /// With settings.
    Set {
        /// Its name.
        name: String,
        /// What is set.
        #[serde(flatten)]
        #[schema(value_type = Object)]
        settings: BTreeMap<String, Setting>,
    },
}

/// The value of a policy's setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A word, a length of time, a rule.
    Text(String),
    /// Several.
    List(Vec<Setting>),
}

impl From<Setting> for Value {
    fn from(setting: Setting) -> Self {
        match setting {
            Setting::Flag(flag) => Self::Flag(flag),
            Setting::Number(number) => Self::Number(number),
            Setting::Text(text) => Self::Text(text),
            Setting::List(list) => Self::List(list.into_iter().map(Self::from).collect()),
        }
    }
}

impl From<&Value> for Setting {
    fn from(value: &Value) -> Self {
        match value {
            Value::Flag(flag) => Self::Flag(*flag),
            Value::Number(number) => Self::Number(*number),
            Value::Text(text) => Self::Text(text.clone()),
            Value::List(list) => Self::List(list.iter().map(Self::from).collect()),
        }
    }
}

impl From<Policy> for PolicySpec {
    fn from(policy: Policy) -> Self {
        match policy {
            Policy::Named(name) => Self { name, settings: BTreeMap::new() },
            Policy::Set { name, settings } => Self {
                name,
                settings: settings.into_iter().map(|(key, value)| (key, value.into())).collect(),
            },
        }
    }
}

impl From<&PolicySpec> for Policy {
    fn from(spec: &PolicySpec) -> Self {
        if spec.settings.is_empty() {
            return Self::Named(spec.name.clone());
        }
        let settings = spec.settings.iter().map(|(key, value)| (key.clone(), value.into())).collect();
        Self::Set { name: spec.name.clone(), settings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_follow_the_calendar() {
        let at = |seconds: u64| Moment(Time(seconds * 1_000_000_000)).to_string();
        assert_eq!(at(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00.000Z");
        assert_eq!(at(1_794_782_700), "2026-11-15T22:45:00.000Z");
        assert_eq!(at(4_107_542_399), "2100-02-28T23:59:59.000Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00.000Z");
    }

    #[test]
    fn amounts_and_spans_are_exact_or_refused() {
        let amount = |text: &str| serde_json::from_str::<Amount>(text).map(|amount| amount.0.0).ok();
        assert_eq!(amount("0.05"), Some(50_000));
        assert_eq!(amount("0.0000001"), None);
        assert_eq!(amount("1e300"), None);
        let span = |text: &str| serde_json::from_str::<Seconds>(text).map(|span| span.0).ok();
        assert_eq!(span("90"), Some(Span::from_secs(90)));
        assert_eq!(span("\"1 min 30 s\""), Some(Span::from_secs(90)));
        assert_eq!(span("-1"), None);
        assert_eq!(span("\"soon\""), None);
    }

    #[test]
    fn policies_go_there_and_back() {
        for text in [r#""fair""#, r#"{"name":"worker-conscious","concessions":3.0}"#] {
            let policy: Policy = serde_json::from_str(text).unwrap();
            let spec = PolicySpec::from(policy);
            assert_eq!(serde_json::to_string(&Policy::from(&spec)).unwrap(), text);
        }
    }
}
