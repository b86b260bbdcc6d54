//! Names at the ends of lines: near them, and never on top of each other.

/// Moves places apart so that they are at least `gap` from each other and within `[least, most]` if there is room. Keeps
/// their order, and moves as little as it simply can.
pub(super) fn spread(wanted: &[f64], gap: f64, least: f64, most: f64) -> Vec<f64> {
    let heights = vec![gap; wanted.len()];
    spread_boxes(wanted, &heights, least - gap / 2.0, most + gap / 2.0)
}

/// The same for boxes of different heights around their places; the boxes, not the places, stay within `[top, bottom]`.
pub(super) fn spread_boxes(wanted: &[f64], heights: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut places = wanted.to_vec();
    let mut edge = top;
    for i in &order {
        places[*i] = places[*i].max(edge + heights[*i] / 2.0);
        edge = places[*i] + heights[*i] / 2.0;
    }
    let mut edge = bottom;
    for i in order.iter().rev() {
        places[*i] = places[*i].min(edge - heights[*i] / 2.0);
        edge = places[*i] - heights[*i] / 2.0;
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

    #[test]
    fn tall_labels_need_more_room() {
        assert_eq!(spread_boxes(&[0.0, 0.0, 50.0], &[10.0, 30.0, 10.0], 0.0, 50.0), [5.0, 25.0, 45.0]);
    }
}
