//! Moments in RFC 3339, as the server writes them, to seconds since 1970. Reads no clock.

/// `2026-11-15T22:45:00.250Z` in seconds since 1970; `None` if it is something else.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut date = date.splitn(3, '-').map(str::parse::<i64>);
    let mut next = || date.next()?.ok();
    let (year, month, day) = (next()?, next()?, next()?);
    let mut time = time.splitn(3, ':').map(str::parse::<f64>);
    let mut next = || time.next()?.ok();
    let (hours, minutes, seconds) = (next()?, next()?, next()?);
    Some(days(year, month, day) as f64 * 86_400.0 + hours * 3600.0 + minutes * 60.0 + seconds)
}

/// Days since 1970-01-01 in the calendar that we use: years begin in March, so that the day that is sometimes there is last.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn moments_are_read_as_they_are_written() {
        assert_eq!(seconds("1970-01-01T00:00:00.000Z"), Some(0.0));
        assert_eq!(seconds("2000-02-29T00:00:00.000Z"), Some(951_782_400.0));
        assert_eq!(seconds("2026-11-15T22:45:00.250Z"), Some(1_794_782_700.25));
        assert_eq!(seconds("2100-03-01T00:00:00Z"), Some(4_107_542_400.0));
        for odd in ["", "Z", "2026-11-15", "2026-11-15T22:45Z", "yesterdayTnoonZ"] {
            assert_eq!(seconds(odd), None, "{odd}");
        }
    }
}
