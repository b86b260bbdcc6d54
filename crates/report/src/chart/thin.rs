//! Fewer points, the same picture: what a line of 100,000 points shows at a few hundred.
//!
//! The range of x is cut into equal parts; of each part the first, the lowest, the highest and the last point stay. So no
//! peak is lost, and both ends stay where they are. A point that is not finite stays too, once per part: it interrupts.

/// At most about `most` of the points of a line by rising x (at least 4). A line of no more than `most` is left as it is.
///
/// ```
/// use muster_report::chart::thin;
///
/// let long: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), f64::from(i % 97))).collect();
/// let short = thin(&long, 400);
/// assert!(short.len() <= 400);
/// assert!(short.iter().any(|(_, y)| *y == 96.0));
/// ```
#[must_use]
pub fn thin(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    let xs = points.iter().map(|(x, _)| *x).filter(|x| x.is_finite());
    let (low, high) = xs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    thin_by(points, most, |(x, _)| (x - low) / (high - low), &[|(_, y)| *y])
}

/// The same for points of any kind: `place` says where along the picture they are, from 0 to 1; of each of `values` the
/// extremes are kept.
pub(super) fn thin_by<T: Copy>(
    points: &[T],
    most: usize,
    place: impl Fn(&T) -> f64,
    values: &[fn(&T) -> f64],
) -> Vec<T> {
    if points.len() <= most.max(4) {
        return points.to_vec();
    }
    // A line that only rises keeps two points of a part, a noisy one more: as fine as there is room for.
    let mut parts = (most / 2).max(1);
    loop {
        let thinned = thin_into(parts, points, &place, values);
        if thinned.len() <= most || parts == 1 {
            return thinned;
        }
        parts = (parts * 4 / 5).max(1).min(parts - 1);
    }
}

fn thin_into<T: Copy>(
    parts: usize,
    points: &[T],
    place: &impl Fn(&T) -> f64,
    values: &[fn(&T) -> f64],
) -> Vec<T> {
    let part = |point: &T| ((place(point).clamp(0.0, 1.0) * parts as f64) as usize).min(parts - 1);
    let runs = points.chunk_by(|a, b| part(a) == part(b));
    runs.flat_map(|run| extremes(run, values).into_iter().map(|i| run[i])).collect()
}

/// Which points of a part stay, in order.
fn extremes<T>(run: &[T], values: &[fn(&T) -> f64]) -> Vec<usize> {
    let mut kept = vec![0, run.len() - 1];
    for value in values {
        let finite = || run.iter().map(value).enumerate().filter(|(_, value)| value.is_finite());
        kept.extend(finite().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i));
        kept.extend(finite().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i));
        kept.extend(run.iter().position(|point| !value(point).is_finite()));
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_and_ends_stay() {
        let mut long: Vec<(f64, f64)> =
            (0..100_000).map(|i| (f64::from(i), f64::from(i * 7919 % 1000))).collect();
        long[34_567].1 = 5e6;
        long[34_569].1 = -5e6;
        let short = thin(&long, 400);
        assert!(short.len() <= 400, "{}", short.len());
        assert!(short.len() > 200, "{}", short.len());
        assert_eq!((short[0], short[short.len() - 1]), (long[0], long[99_999]));
        assert!(short.contains(&long[34_567]) && short.contains(&long[34_569]));
        assert!(short.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn short_lines_are_left_alone() {
        let line = [(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0)];
        assert_eq!(format!("{:?}", thin(&line, 400)), format!("{line:?}"));
        assert!(thin(&[], 400).is_empty());
    }

    #[test]
    fn an_interruption_stays() {
        let mut long: Vec<(f64, f64)> = (0..5_000).map(|i| (f64::from(i), 1.0)).collect();
        long[2_500].1 = f64::NAN;
        assert_eq!(thin(&long, 400).iter().filter(|(_, y)| y.is_nan()).count(), 1);
    }

    #[test]
    fn all_at_one_place() {
        let same = vec![(3.0, 4.0); 1_000];
        assert_eq!(thin(&same, 100), [(3.0, 4.0); 2]);
    }
}
