//! Curves over the number of workers: which sizes to look at, and how far up to draw.

use muster_report::number::Unit;

/// At most so many points: more cannot be seen.
const POINTS_MOST: u32 = 120;

/// Sizes from `least` to `most`, both included, evenly apart.
pub(crate) fn sizes(least: u32, most: u32) -> Vec<u32> {
    let step = ((most.saturating_sub(least)) / POINTS_MOST).max(1);
    let mut sizes: Vec<u32> = (least..=most).step_by(step as usize).collect();
    if sizes.last() != Some(&most) && most > least {
        sizes.push(most);
    }
    sizes
}

/// A few roots of the load around it: where the number of workers makes a difference.
pub(crate) fn around(load: f64, roots_below: f64, roots_above: f64) -> (u32, u32) {
    let root = load.sqrt();
    ((load - roots_below * root).floor().max(0.0) as u32, (load + roots_above * root + 4.0).ceil() as u32)
}

/// A size in words, for a marker: `99,277 recommended`.
pub(crate) fn named(size: u32, word: &str) -> String {
    format!("{} {word}", Unit::Count.write(f64::from(size)))
}

/// Points of a function of the size.
pub(crate) fn points(sizes: &[u32], f: impl Fn(u32) -> f64) -> Vec<(f64, f64)> {
    sizes.iter().map(|size| (f64::from(*size), f(*size))).collect()
}

/// How far up to draw a curve that falls steeply at first: so that most of it can be seen, and `wanted` for certain.
pub(crate) fn ceiling(points: &[(f64, f64)], wanted: f64) -> f64 {
    let early = points.get(points.len() / 8).or(points.last()).map_or(1.0, |(_, y)| *y);
    let most = if wanted.is_finite() { early.max(1.5 * wanted) } else { early };
    if most > 0.0 && most.is_finite() { most } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_sizes_that_reach_the_end() {
        assert_eq!(sizes(3, 6), [3, 4, 5, 6]);
        assert_eq!(sizes(5, 5), [5]);
        let many = sizes(0, 100_000);
        assert!(many.len() <= 122 && many.last() == Some(&100_000), "{}", many.len());
    }
}
