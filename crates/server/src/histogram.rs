//! Histograms: how many values fell into which range, counted by many threads at once, and as Prometheus reads them. Knows no
//! clock and no names.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many values were at most this, and their sum. Values are whole: nanoseconds, or things.
#[derive(Debug)]
pub struct Histogram {
    bounds: &'static [u64],
    /// One for each bound, and one for what is beyond.
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

/// Bounds for how long something takes: 100 microseconds to a minute.
pub const TIMES: &[u64] = &[
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    2_500_000_000,
    5_000_000_000,
    10_000_000_000,
    30_000_000_000,
    60_000_000_000,
];

/// Bounds for how many there are.
pub const SIZES: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

impl Histogram {
    /// An empty one; bounds go up.
    #[must_use]
    pub fn new(bounds: &'static [u64]) -> Self {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Self { bounds, counts, sum: AtomicU64::new(0) }
    }

    /// Counts a value.
    pub fn count(&self, value: u64) {
        let place = self.bounds.partition_point(|bound| *bound < value);
        self.counts[place].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    /// As Prometheus reads it: `labels` without braces, values divided by `unit`.
    pub fn write(&self, page: &mut String, name: &str, labels: &str, unit: f64) {
        let comma = if labels.is_empty() { "" } else { "," };
        let mut so_far = 0;
        for (place, count) in self.counts.iter().enumerate() {
            so_far += count.load(Ordering::Relaxed);
            let bound = match self.bounds.get(place) {
                Some(bound) => (*bound as f64 / unit).to_string(),
                None => "+Inf".to_owned(),
            };
            let _ = writeln!(page, "{name}_bucket{{{labels}{comma}le=\"{bound}\"}} {so_far}");
        }
        let braced = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        let sum = self.sum.load(Ordering::Relaxed) as f64 / unit;
        let _ = writeln!(page, "{name}_sum{braced} {sum}\n{name}_count{braced} {so_far}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_up_to_their_bound() {
        let histogram = Histogram::new(&[1, 10]);
        [0, 1, 2, 10, 11].iter().for_each(|value| histogram.count(*value));
        let mut page = String::new();
        histogram.write(&mut page, "size", "", 1.0);
        let expected = "size_bucket{le=\"1\"} 2\nsize_bucket{le=\"10\"} 4\nsize_bucket{le=\"+Inf\"} 5\nsize_sum 24\nsize_count 5\n";
        assert_eq!(page, expected);
        let mut page = String::new();
        histogram.write(&mut page, "size", "pool=\"day\"", 10.0);
        assert!(page.starts_with("size_bucket{pool=\"day\",le=\"0.1\"} 2\n"), "{page}");
        assert!(page.ends_with("size_sum{pool=\"day\"} 2.4\nsize_count{pool=\"day\"} 5\n"), "{page}");
    }
}
