//! Fair shares: what each of several jobs or tenants should have of the workers.
//!
//! Source: HIT scheduling. A share is a fraction of the workers, in proportion to the weight.

/// `weight / sum of weights` for each, weights >= 0. All are 0 if the sum is not above 0.
#[must_use]
pub fn fair_shares(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| if sum > 0.0 { weight / sum } else { 0.0 }).collect()
}

/// Whole workers for each, all of them handed out (if any share is above 0): the whole part of each share first, then one
/// each by the largest remainder, the first of equals.
#[must_use]
pub fn whole_workers(shares: &[f64], workers: u32) -> Vec<u32> {
    let exact: Vec<f64> = shares.iter().map(|share| share * f64::from(workers)).collect();
    let mut whole: Vec<u32> = exact.iter().map(|part| libm::floor(part + 1e-9) as u32).collect();
    let remainder = |i: &usize| exact[*i] - f64::from(whole[*i]);
    let mut order: Vec<usize> = (0..shares.len()).filter(|i| shares[*i] > 0.0).collect();
    order.sort_by(|a, b| remainder(b).total_cmp(&remainder(a)));
    let left = workers.saturating_sub(whole.iter().sum()) as usize;
    for i in order.into_iter().take(left) {
        whole[i] += 1;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_is_handed_out() {
        assert_eq!(whole_workers(&fair_shares(&[1.0, 1.0, 1.0]), 10), [4, 3, 3]);
        assert_eq!(whole_workers(&fair_shares(&[3.0, 1.0]), 20), [15, 5]);
        assert_eq!(whole_workers(&fair_shares(&[5.0, 0.0]), 3), [3, 0]);
        assert_eq!(whole_workers(&fair_shares(&[0.0, 0.0]), 3), [0, 0]);
        assert_eq!(fair_shares(&[]), [0.0; 0]);
    }
}
