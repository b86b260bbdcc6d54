//! How many workers a pool should have: the size that makes waiting and cost together least.
//!
//! From "Cioppino" (optimal size), as restated in our notes: minimise `eta * E[W] + (1 - eta) * cost`, with the cost as
//! printed there (`s * max(0, c - E[L])`, which counts waiting tasks where idle workers are meant) or of the idle workers
//! (`s * (c - load)`). The sum adds a time to a money rate, so it depends on the unit of time: use one for all rates. What a
//! person can state instead (a wait, a share, an occupancy, money) is in `target`.
//!
//! Holds for Poisson arrivals and exponential service. Takes one step of the recursion per size looked at, and some nine
//! roots of the load to begin: for 100,000 workers microseconds.

use super::erlang::{Queue, erlang_b, from_b, next_b};

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
        let cost = if self.cost_of_idle {
            idle_cost(workers, load, self.cost_rate)
        } else {
            printed_cost(workers, waiting, self.cost_rate)
        };
        self.eta * wait + (1.0 - self.eta) * cost
    }

    /// Whether its value is convex in the size. With the printed cost it is so exactly if waiting weighs at least as much as
    /// the discount that the cost gives for it; it falls and then rises in any case.
    #[must_use]
    pub fn is_convex(&self, arrival_rate: f64) -> bool {
        self.cost_of_idle || self.eta >= (1.0 - self.eta) * self.cost_rate * arrival_rate
    }
}

/// The cost as printed in the paper: of all workers less the tasks that wait.
#[must_use]
pub fn printed_cost(workers: u32, waiting: f64, cost_rate: f64) -> f64 {
    cost_rate * (f64::from(workers) - waiting).max(0.0)
}

/// The cost of the workers who are idle on average.
#[must_use]
pub fn idle_cost(workers: u32, load: f64, cost_rate: f64) -> f64 {
    cost_rate * (f64::from(workers) - load).max(0.0)
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

/// The sizes from the least stable one upwards, each with its queue; one step of the recursion each.
#[derive(Clone, Debug)]
pub struct Sizes {
    arrival_rate: f64,
    service_rate: f64,
    next: Option<(u32, f64)>,
}

impl Sizes {
    /// `arrival_rate` >= 0, `service_rate` > 0. There are none if the load is beyond all sizes.
    #[must_use]
    pub fn stable(arrival_rate: f64, service_rate: f64) -> Self {
        Self::from(least_stable(arrival_rate / service_rate), arrival_rate, service_rate)
    }

    /// The sizes from `least` upwards, stable or not.
    #[must_use]
    pub fn from(least: u32, arrival_rate: f64, service_rate: f64) -> Self {
        let begin = || (least, erlang_b(least, arrival_rate / service_rate));
        Self { arrival_rate, service_rate, next: (least < u32::MAX).then(begin) }
    }
}

impl Iterator for Sizes {
    type Item = (u32, Queue);

    fn next(&mut self) -> Option<Self::Item> {
        let (workers, blocked) = self.next?;
        let load = self.arrival_rate / self.service_rate;
        self.next = workers.checked_add(1).map(|more| (more, next_b(blocked, load, more)));
        Some((workers, from_b(workers, self.arrival_rate, self.service_rate, blocked)))
    }
}

/// The size at which a value that falls and then rises is least, the smallest of equals; `None` if there is no size.
pub(super) fn lowest(
    sizes: impl Iterator<Item = (u32, Queue)>,
    value: impl Fn(u32, &Queue) -> f64,
) -> Option<u32> {
    let mut best: Option<(u32, f64)> = None;
    for (workers, queue) in sizes {
        let next = value(workers, &queue);
        if best.is_some_and(|(_, value)| next >= value) {
            break;
        }
        best = Some((workers, next));
    }
    best.map(|(workers, _)| workers)
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
    // Asked first: a load beyond `most` needs no work at all.
    if least_stable(load) > most.unwrap_or(u32::MAX - 1) {
        return None;
    }
    if objective.eta >= 1.0 {
        return most;
    }
    let sizes = Sizes::stable(arrival_rate, service_rate)
        .take_while(|(workers, _)| most.is_none_or(|most| *workers <= most));
    lowest(sizes, |workers, queue| objective.value(workers, load, queue.wait, queue.waiting))
}
