//! Times as other programs write them: seconds, ISO 8601, MTurk's, CrowdFlower's. Knows no time zone but the few that stand
//! in such files, and no leap seconds.

use muster_engine::{Span, Time};

const SECOND: u64 = 1_000_000_000;

/// What a moment may look like.
pub(super) const MOMENT: &str =
    "seconds (also since 1970), 2014-01-13T20:40:03Z, 6/27/2014 14:49:50, or Fri Sep 22 06:40:57 PDT 2017";
/// What a length of time may look like.
pub(super) const LENGTH: &str = "seconds, such as 12.5, or a length of time, such as 2 min";

/// A moment in one of the forms above.
pub(super) fn moment(text: &str) -> Option<Time> {
    let text = text.trim();
    seconds(text).or_else(|| iso(text)).or_else(|| slashes(text)).or_else(|| words(text)).map(Time)
}

/// A length of time.
pub(super) fn length(text: &str) -> Option<Span> {
    let text = text.trim();
    seconds(text).map(Span).or_else(|| text.parse().ok())
}

/// Seconds with any number of decimals, exactly to the nanosecond.
fn seconds(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !are_digits(whole) || !are_digits(part) {
        return None;
    }
    let nanos: u64 = format!("{:0<9.9}", part).parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(SECOND)?.checked_add(nanos)
}

/// `2014-01-13T20:40:03.265091+00:00`; without a zone it is UTC.
fn iso(text: &str) -> Option<u64> {
    let (date, rest) = text.split_once(['T', ' '])?;
    let [year, month, day] = numbers(date, '-')?;
    let (clock, zone) = match rest.find(['Z', '+', '-']) {
        Some(at) => rest.split_at(at),
        None => (rest, "Z"),
    };
    at(days(year, month, day)?, clock, zone_seconds(zone)?)
}

/// `6/27/2014 14:49:50`, in UTC.
fn slashes(text: &str) -> Option<u64> {
    let (date, clock) = text.split_once(' ')?;
    let [month, day, year] = numbers(date, '/')?;
    at(days(year, month, day)?, clock, 0)
}

/// `Fri Sep 22 06:40:57 PDT 2017`
fn words(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = text.split_whitespace().collect();
    let [_, month, day, clock, zone, year] = words[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let date = days(year.parse().ok()?, i64::try_from(month).ok()?, day.parse().ok()?)?;
    at(date, clock, zone_seconds(zone)?)
}

fn numbers<const N: usize>(text: &str, between: char) -> Option<[i64; N]> {
    let parts: Vec<i64> = text.split(between).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    parts.try_into().ok()
}

/// Days from 1970-01-01 to a date of our calendar, from 1970 to 9999.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    let before = usize::try_from(month - 1).ok()?;
    if !(1..=length[before]).contains(&day) {
        return None;
    }
    let leaps = |year: i64| year / 4 - year / 100 + year / 400;
    let years = 365 * (year - 1970) + leaps(year - 1) - leaps(1969);
    Some(years + length[..before].iter().sum::<i64>() + day - 1)
}

/// A clock's time of a day, in a zone that is so many seconds ahead of UTC.
fn at(days: i64, clock: &str, ahead: i64) -> Option<u64> {
    let mut parts = clock.split(':');
    let (hours, minutes) = (parts.next()?.parse::<u32>().ok()?, parts.next()?.parse::<u32>().ok()?);
    let within = seconds(parts.next().unwrap_or("0"))?;
    if hours > 23 || minutes > 59 || within >= 61 * SECOND || parts.next().is_some() {
        return None;
    }
    let whole = days * 86_400 + i64::from(hours) * 3600 + i64::from(minutes) * 60 - ahead;
    u64::try_from(whole).ok()?.checked_mul(SECOND)?.checked_add(within)
}

/// `Z`, `+01:00`, `PDT`.
fn zone_seconds(zone: &str) -> Option<i64> {
    let hours = match zone {
        "Z" | "UTC" | "GMT" => 0,
        "PST" => -8,
        "PDT" | "MST" => -7,
        "MDT" | "CST" => -6,
        "CDT" | "EST" => -5,
        "EDT" => -4,
        "CET" => 1,
        "CEST" => 2,
        _ => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let [hours, minutes] = numbers(zone.strip_prefix(['+', '-'])?, ':')?;
            return (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60));
        }
    };
    Some(hours * 3600)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_same_moment_in_every_form() {
        let expected = Some(Time(1_506_087_657 * SECOND));
        for text in [
            "1506087657",
            "1506087657.000",
            "2017-09-22T13:40:57Z",
            "2017-09-22 15:40:57+02:00",
            "9/22/2017 13:40:57",
            "Fri Sep 22 06:40:57 PDT 2017",
        ] {
            assert_eq!(moment(text), expected, "{text}");
        }
        assert_eq!(moment("2014-01-13T20:40:03.265091+00:00"), Some(Time(1_389_645_603_265_091_000)));
        assert_eq!(moment("2000-02-29T00:00:00Z"), Some(Time(951_782_400 * SECOND)));
        for wrong in [
            "",
            "-1",
            "1e3",
            "2017-02-29T00:00:00Z",
            "2017-13-01 00:00:00",
            "9/22/2017",
            "Fri Sep 22 06:40:57 XYZ 2017",
            "2017-09-22T24:00:00Z",
        ] {
            assert_eq!(moment(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lengths_are_seconds_or_spans() {
        assert_eq!(length("12.5"), Some(Span::from_millis(12_500)));
        assert_eq!(length("2 min"), Some(Span::from_mins(2)));
        assert_eq!(length("-3"), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[0-9:/TZ+. a-z-]{0,30}|\\PC{0,20}") {
            let _ = (moment(&text), length(&text));
        }
    }
}
