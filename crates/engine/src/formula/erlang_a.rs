//! Erlang A: a queue whose customers lose patience and go (M/M/c+M).
//!
//! Source: C. Palm 1957; the sums are those of the birth-and-death chain. Poisson arrivals, exponential service, and every
//! customer who waits gives up after an exponential time of its own. Such a queue is stable for every number of workers.
//!
//! Evaluation: relative to the state "all busy, nobody waits", the states below sum to 1 / B (Erlang B), and those above to
//! a series of positive terms. Below the workers' capacity the terms fall, and are added as they are; above it they first
//! rise, so the inverse of the sum is found from its far end, as Erlang B is; where they rise beyond all numbers it is zero,
//! and nothing is added up. Both are free of cancellation. At most about fifty roots of `arrival_rate / patience_rate` steps.

use super::erlang::erlang_b;

/// A queue with customers who leave it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impatient {
    /// The probability that an arrival finds all workers busy.
    pub wait_probability: f64,
    /// The share of arrivals that give up before they are served.
    pub abandoned: f64,
    /// The mean time in the queue, of those served and those who gave up together.
    pub wait: f64,
    /// The mean number waiting.
    pub waiting: f64,
    /// The share of the workers' time in which they are busy.
    pub utilisation: f64,
}

/// The queue of `workers` who serve at `service_rate` > 0 each, `arrival_rate` >= 0, where one who waits gives up at
/// `patience_rate` > 0 (the inverse of the mean patience).
#[must_use]
pub fn queue(workers: u32, arrival_rate: f64, service_rate: f64, patience_rate: f64) -> Impatient {
    if arrival_rate <= 0.0 {
        return Impatient {
            wait_probability: 0.0,
            abandoned: 0.0,
            wait: 0.0,
            waiting: 0.0,
            utilisation: 0.0,
        };
    }
    let capacity = f64::from(workers) * service_rate;
    let blocked = erlang_b(workers, arrival_rate / service_rate);
    let (wait_probability, waiting) = if arrival_rate < capacity {
        below(blocked, arrival_rate, capacity, patience_rate)
    } else {
        above(blocked, arrival_rate, capacity, patience_rate)
    };
    let abandoned = (patience_rate * waiting / arrival_rate).min(1.0);
    let served = arrival_rate * (1.0 - abandoned);
    let utilisation = if workers == 0 { 0.0 } else { served / capacity };
    Impatient { wait_probability, abandoned, wait: waiting / arrival_rate, waiting, utilisation }
}

/// Probability of waiting and number waiting, if the workers can keep up: the terms fall from the first.
fn below(blocked: f64, arrival_rate: f64, capacity: f64, patience_rate: f64) -> (f64, f64) {
    let (mut term, mut sum, mut weighted, mut j) = (1.0, 1.0, 0.0, 0.0);
    loop {
        j += 1.0;
        term *= arrival_rate / (capacity + j * patience_rate);
        sum += term;
        weighted += j * term;
        // What is left is less than a geometric series from here on.
        let ratio = arrival_rate / (capacity + (j + 1.0) * patience_rate);
        if j * term * ratio <= 1e-17 * weighted * (1.0 - ratio) * (1.0 - ratio) {
            break;
        }
    }
    let total = 1.0 / blocked + sum - 1.0;
    (sum / total, weighted / total)
}

/// The same, if more comes than the workers can do.
fn above(blocked: f64, arrival_rate: f64, capacity: f64, patience_rate: f64) -> (f64, f64) {
    let excess = arrival_rate - capacity;
    let (peak, spread) = (excess / patience_rate, libm::sqrt(2.0 * arrival_rate / patience_rate));
    let mut inverse = if log_of_peak(arrival_rate, capacity, patience_rate) > 800.0 { 0.0 } else { 1.0 };
    let mut j = libm::floor(peak + 9.0 * spread) + 40.0;
    while j >= 1.0 && inverse > 0.0 {
        let ratio = arrival_rate / (capacity + j * patience_rate);
        inverse /= inverse + ratio;
        j -= 1.0;
    }
    let total = inverse / blocked + (1.0 - inverse);
    (1.0 / total, (excess + capacity * inverse) / (patience_rate * total))
}

/// About the logarithm of the largest term: the integral of those of the ratios. Beyond 745 no number is as large.
fn log_of_peak(arrival_rate: f64, capacity: f64, patience_rate: f64) -> f64 {
    let falls = if capacity > 0.0 { capacity * libm::log(arrival_rate / capacity) } else { 0.0 };
    (arrival_rate - capacity - falls) / patience_rate
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::erlang;

    fn near(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() <= tolerance * b.abs()
    }

    #[test]
    fn a_known_value() {
        let figures = queue(100, 55.0, 0.5, 0.1);
        assert!(near(figures.abandoned, 0.091_479, 1e-5), "{figures:?}");
        assert!(near(figures.wait, 0.914_79, 1e-5), "{figures:?}");
    }

    #[test]
    fn what_comes_is_served_or_given_up() {
        // The workers' busy time, from the chain itself: c minus those idle.
        for (c, arrivals, patience) in [(3_u32, 2.0, 0.5), (3, 3.0, 0.5), (10, 25.0, 2.0), (1, 0.2, 9.0)] {
            let (mut weight, mut total, mut busy) = (1.0, 1.0, 0.0);
            for n in 1..2000_u32 {
                let servers = n.min(c);
                weight *= arrivals / (f64::from(servers) + f64::from(n - servers) * patience);
                total += weight;
                busy += weight * f64::from(servers);
            }
            let figures = queue(c, arrivals, 1.0, patience);
            assert!(near(figures.utilisation, busy / total / f64::from(c), 1e-12), "{c}: {figures:?}");
        }
    }

    #[test]
    fn patience_without_end_is_erlang_c() {
        let (patient, stays) = (queue(20, 18.0, 1.0, 1e-9), erlang::queue(20, 18.0, 1.0));
        assert!(near(patient.wait, stays.wait, 1e-5));
        assert!(near(patient.wait_probability, stays.wait_probability, 1e-5));
    }

    #[test]
    fn a_hundred_thousand_workers_light_and_heavy() {
        let light = queue(100_000, 50_000.0, 1.0, 0.01);
        assert!(light.wait < 1e-100);
        let edge = queue(100_000, 100_000.0, 1.0, 0.01);
        assert!(edge.wait_probability > 0.8 && edge.wait_probability < 1.0, "{edge:?}");
        let heavy = queue(100_000, 200_000.0, 1.0, 0.1);
        assert!(near(heavy.abandoned, 0.5, 1e-9) && near(heavy.wait, 5.0, 1e-9), "{heavy:?}");
        let endless = queue(100_000, 200_000.0, 1.0, 1e-12);
        assert!(near(endless.abandoned, 0.5, 1e-9) && endless.wait_probability == 1.0, "{endless:?}");
    }

    #[test]
    fn both_ways_of_summing_meet_at_capacity() {
        let under = queue(50, 50.0 * (1.0 - 1e-12), 1.0, 0.3);
        let over = queue(50, 50.0 * (1.0 + 1e-12), 1.0, 0.3);
        assert!(
            near(under.wait, over.wait, 1e-9) && near(under.wait_probability, over.wait_probability, 1e-9)
        );
    }

    #[test]
    fn the_edges() {
        assert_eq!(queue(4, 0.0, 1.0, 1.0).wait, 0.0);
        let nobody = queue(0, 2.0, 1.0, 0.5);
        assert!(near(nobody.abandoned, 1.0, 1e-12) && near(nobody.wait, 2.0, 1e-12), "{nobody:?}");
    }
}
