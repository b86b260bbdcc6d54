//! Names at the ends of lines: near them, and never on top of each other.

/// Moves places apart so that they are at least `gap` from each other and within `[least, most]` if there is room. Keeps
/// their order, and moves as little as it simply can.
pub(super) fn spread(wanted: &[f64], gap: f64, least: f64, most: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut places = wanted.to_vec();
    let mut floor = least;
    for i in &order {
        places[*i] = places[*i].max(floor);
        floor = places[*i] + gap;
    }
    let mut ceiling = most;
    for i in order.iter().rev() {
        places[*i] = places[*i].min(ceiling);
        ceiling = places[*i] - gap;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_meet() {
        assert_eq!(spread(&[5.0, 5.0, 1.0], 2.0, 0.0, 10.0), [5.0, 7.0, 1.0]);
        assert_eq!(spread(&[10.0, 10.0], 2.0, 0.0, 10.0), [8.0, 10.0]);
        assert_eq!(spread(&[3.0], 2.0, 0.0, 10.0), [3.0]);
    }
}
