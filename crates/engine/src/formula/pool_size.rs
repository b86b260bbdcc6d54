//! How many workers a pool should have: the size that makes waiting and cost together least.
//!
//! From "Cioppino" (optimal size), as restated in our notes: minimise `eta * E[W] + (1 - eta) * cost`, with the cost as
//! printed there (`s * max(0, c - E[L])`, which counts waiting tasks where idle workers are meant) or of the idle workers
//! (`s * (c - load)`). The sum adds a time to a money rate, so it depends on the unit of time: use one for all rates.

use super::erlang::{from_b, next_b};

/// What is to be made least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// The weight of waiting, from 0 to 1; cost has the rest.
    pub eta: f64,
    /// What a waiting worker costs per unit of time.
    pub cost_rate: f64,
    /// Whether the cost counts idle workers, or follows the paper as printed.
    pub cost_of_idle: bool,
}

impl Objective {
    /// Its value for a stable queue.
    #[must_use]
    pub fn value(&self, workers: u32, load: f64, wait: f64, waiting: f64) -> f64 {
        let c = f64::from(workers);
        let paid = if self.cost_of_idle { c - load } else { (c - waiting).max(0.0) };
        self.eta * wait + (1.0 - self.eta) * self.cost_rate * paid
    }
}

/// The smallest number of workers with which the queue stays finite.
#[must_use]
pub fn least_stable(load: f64) -> u32 {
    if load <= 0.0 {
        return 0;
    }
    // A float-to-integer cast saturates.
    (libm::floor(load) as u32).saturating_add(1)
}

/// The size that makes the objective least; the smallest of equals. `None` if no size up to `most` is stable, or (with
/// eta = 1 and no `most`) more is always better.
///
/// The objective falls and then rises, for every input, so going up from the least stable size while it falls is exact.
#[must_use]
pub fn best_size(
    arrival_rate: f64,
    service_rate: f64,
    objective: &Objective,
    most: Option<u32>,
) -> Option<u32> {
    if arrival_rate <= 0.0 {
        return Some(0);
    }
    let load = arrival_rate / service_rate;
    let least = least_stable(load);
    if most.is_some_and(|most| least > most) || least == u32::MAX {
        return None;
    }
    if objective.eta >= 1.0 {
        return most;
    }
    let mut blocked = super::erlang::erlang_b(least, load);
    let value = |workers: u32, blocked: f64| {
        let queue = from_b(workers, arrival_rate, service_rate, blocked);
        objective.value(workers, load, queue.wait, queue.waiting)
    };
    let (mut best, mut best_value) = (least, value(least, blocked));
    while most.is_none_or(|most| best < most) {
        blocked = next_b(blocked, load, best + 1);
        let next = value(best + 1, blocked);
        if next >= best_value {
            break;
        }
        (best, best_value) = (best + 1, next);
    }
    Some(best)
}
