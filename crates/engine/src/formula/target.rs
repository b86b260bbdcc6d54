//! How many workers a pool should have, by aims that a person can state; and how many to keep on the books if they leave.
//!
//! Standard results for the M/M/c queue: the mean wait and the probability of a long wait fall with each worker more, so
//! the first size that meets the aim is the least; the cost in money is convex, so the first rise ends the search. Steps as
//! in `pool_size`.

use super::erlang::Queue;
use super::pool_size::{Objective, Sizes, best_size, least_stable, lowest};

/// What a size should achieve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// The objective of the paper is least.
    Objective(Objective),
    /// The mean wait is at most this; above 0.
    Wait(f64),
    /// At least this share (below 1) begins within this time.
    Within {
        /// The time, from 0.
        time: f64,
        /// The share, from 0 to below 1.
        share: f64,
    },
    /// Workers are busy for at most this share of their time, above 0 and below 1.
    Occupancy(f64),
    /// What waiting and workers cost together, per unit of time, is least.
    Money {
        /// What it is worth that one task waits one unit of time less; from 0.
        waiting: f64,
        /// What a worker costs per unit of time; above 0.
        wage: f64,
    },
}

/// The least size that achieves the target. `None` if no size up to `most` does, or (with an aim that is never reached, such
/// as a share of 1) no size at all; with free workers and no `most` there is no least either.
#[must_use]
pub fn least_size(arrival_rate: f64, service_rate: f64, target: &Target, most: Option<u32>) -> Option<u32> {
    if let Target::Objective(objective) = target {
        return best_size(arrival_rate, service_rate, objective, most);
    }
    if arrival_rate <= 0.0 {
        return Some(0);
    }
    let load = arrival_rate / service_rate;
    if least_stable(load) > most.unwrap_or(u32::MAX - 1) {
        return None;
    }
    let mut sizes = Sizes::stable(arrival_rate, service_rate)
        .take_while(|(workers, _)| most.is_none_or(|most| *workers <= most));
    let mut first = |met: &dyn Fn(&Queue) -> bool| sizes.find(|(_, queue)| met(queue)).map(|(size, _)| size);
    match *target {
        Target::Objective(_) => None,
        Target::Wait(mean) if mean > 0.0 => first(&|queue| queue.wait <= mean),
        Target::Within { time, share } if share < 1.0 => first(&|queue| queue.served_within(time) >= share),
        Target::Occupancy(share) if share > 0.0 => for_occupancy(load, share, most),
        Target::Money { waiting, wage } if wage > 0.0 => {
            lowest(sizes, |workers, queue| money_rate(workers, queue, waiting, wage))
        }
        Target::Money { waiting, .. } if waiting > 0.0 => most,
        Target::Wait(_) | Target::Within { .. } | Target::Occupancy(_) | Target::Money { .. } => None,
    }
}

/// What waiting and workers cost per unit of time.
#[must_use]
pub fn money_rate(workers: u32, queue: &Queue, waiting: f64, wage: f64) -> f64 {
    let waited = if waiting == 0.0 { 0.0 } else { waiting * queue.waiting };
    waited + wage * f64::from(workers)
}

fn for_occupancy(load: f64, share: f64, most: Option<u32>) -> Option<u32> {
    // The allowance is for shares such as 0.85, which have no exact form.
    let wanted = libm::ceil(load / share - 1e-9).max(f64::from(least_stable(load)));
    let wanted = (wanted < f64::from(u32::MAX)).then_some(wanted as u32)?;
    most.is_none_or(|most| wanted <= most).then_some(wanted)
}

/// Workers who leave, and the time it takes to find others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Churn {
    /// How often one worker leaves per unit of time: the inverse of the mean stay. From 0.
    pub departure_rate: f64,
    /// The mean time from calling for a worker to their beginning. From 0.
    pub recruitment_delay: f64,
}

impl Churn {
    /// How many of `size` workers leave, on average, while one is being recruited (Little's law).
    #[must_use]
    pub fn departures_during_delay(&self, size: u32) -> f64 {
        f64::from(size) * self.departure_rate * self.recruitment_delay
    }

    /// How many to have, present or on their way, so that `size` are present on average, if every one who leaves is called
    /// for anew at once. About the mean: at times fewer are present.
    #[must_use]
    pub fn positions(&self, size: u32) -> u32 {
        libm::ceil(f64::from(size) + self.departures_during_delay(size) - 1e-9) as u32
    }

    /// How many are present, on average, of so many positions.
    #[must_use]
    pub fn present(&self, positions: u32) -> f64 {
        f64::from(positions) / (1.0 + self.departure_rate * self.recruitment_delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::erlang::queue;

    fn least(target: Target) -> Option<u32> {
        least_size(45.0, 0.5, &target, None)
    }

    #[test]
    fn one_worker_fewer_would_miss_the_aim() {
        let size = least(Target::Wait(0.05)).unwrap();
        assert!(queue(size, 45.0, 0.5).wait <= 0.05 && queue(size - 1, 45.0, 0.5).wait > 0.05);

        let size = least(Target::Within { time: 0.2, share: 0.9 }).unwrap();
        let share = |size| queue(size, 45.0, 0.5).served_within(0.2);
        assert!(share(size) >= 0.9 && share(size - 1) < 0.9);

        assert_eq!(least(Target::Occupancy(0.9)), Some(100));
        assert_eq!(least(Target::Occupancy(1.0)), Some(91));

        let size = least(Target::Money { waiting: 2.0, wage: 1.0 }).unwrap();
        let cost = |size| money_rate(size, &queue(size, 45.0, 0.5), 2.0, 1.0);
        assert!(cost(size) < cost(size - 1) && cost(size) <= cost(size + 1));
    }

    #[test]
    fn what_cannot_be_reached_is_none() {
        assert_eq!(least(Target::Wait(0.0)), None);
        assert_eq!(least(Target::Within { time: 1.0, share: 1.0 }), None);
        assert_eq!(least(Target::Occupancy(0.0)), None);
        assert_eq!(least(Target::Money { waiting: 1.0, wage: 0.0 }), None);
        assert_eq!(least_size(45.0, 0.5, &Target::Wait(0.05), Some(95)), None);
        assert_eq!(least_size(45.0, 0.5, &Target::Money { waiting: 1.0, wage: 0.0 }, Some(200)), Some(200));
        assert_eq!(least_size(1e30, 1.0, &Target::Wait(1.0), None), None);
        assert_eq!(least_size(0.0, 1.0, &Target::Wait(1.0), None), Some(0));
    }

    #[test]
    fn without_value_of_waiting_the_least_stable_size_is_cheapest() {
        assert_eq!(least(Target::Money { waiting: 0.0, wage: 1.0 }), Some(91));
    }

    #[test]
    fn positions_make_up_for_those_who_leave() {
        // 100 positions, a stay of 20 s, 50 s to recruit: capacity for 100 * 20 / 70 workers.
        let churn = Churn { departure_rate: 0.05, recruitment_delay: 50.0 };
        assert!((churn.present(100) - 100.0 * 20.0 / 70.0).abs() < 1e-12);
        assert_eq!(churn.positions(20), 70);
        assert_eq!(Churn { departure_rate: 0.0, recruitment_delay: 50.0 }.positions(20), 20);
    }
}
