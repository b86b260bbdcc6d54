//! Erlang's formulas for a queue with Poisson arrivals and exponential service.
//!
//! All are found from Erlang B by its recursion, which has no factorials: it neither overflows nor loses digits, up to
//! any number of workers, in time proportional to it.

/// Erlang B: the share of arrivals that find all `workers` busy, where such arrivals are lost.
/// `load` is the arrival rate times the mean service time. Holds for any law of service times.
#[must_use]
pub fn erlang_b(workers: u32, load: f64) -> f64 {
    (1..=workers).fold(1.0, |blocked, n| next_b(blocked, load, n))
}

/// Erlang B with `n` workers from Erlang B with one fewer.
#[must_use]
pub fn next_b(blocked: f64, load: f64, n: u32) -> f64 {
    load * blocked / (f64::from(n) + load * blocked)
}

/// A queue in which those who find all workers busy wait, for as long as it takes (M/M/c).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queue {
    /// Whether the queue stays finite: arrivals come more slowly than all workers together can serve.
    pub stable: bool,
    /// The share of the workers' time that is needed.
    pub utilisation: f64,
    /// The probability that an arrival must wait (Erlang C).
    pub wait_probability: f64,
    /// The mean time from arrival to the beginning of service.
    pub wait: f64,
    /// The mean number waiting, those in service not counted.
    pub waiting: f64,
}

/// The M/M/c queue. `arrival_rate` >= 0, `service_rate` > 0 per worker.
#[must_use]
pub fn queue(workers: u32, arrival_rate: f64, service_rate: f64) -> Queue {
    from_b(workers, arrival_rate, service_rate, erlang_b(workers, arrival_rate / service_rate))
}

/// The same, where Erlang B is known.
#[must_use]
pub fn from_b(workers: u32, arrival_rate: f64, service_rate: f64, blocked: f64) -> Queue {
    let (c, load) = (f64::from(workers), arrival_rate / service_rate);
    let utilisation = if workers > 0 {
        load / c
    } else if load > 0.0 {
        f64::INFINITY
    } else {
        0.0
    };
    if arrival_rate == 0.0 {
        return Queue { stable: true, utilisation, wait_probability: 0.0, wait: 0.0, waiting: 0.0 };
    }
    if arrival_rate >= c * service_rate {
        return Queue {
            stable: false,
            utilisation,
            wait_probability: 1.0,
            wait: f64::INFINITY,
            waiting: f64::INFINITY,
        };
    }
    let wait_probability = c * blocked / ((c - load) + load * blocked);
    let wait = wait_probability / (c * service_rate - arrival_rate);
    Queue { stable: true, utilisation, wait_probability, wait, waiting: arrival_rate * wait }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // c = 100, arrival rate 45, service rate 0.5: load 90.
        let figures = queue(100, 45.0, 0.5);
        assert!((erlang_b(100, 90.0) - 0.026_957).abs() < 1e-6);
        assert!((figures.wait_probability - 0.216_940).abs() < 1e-6);
        assert!((figures.wait - 0.043_388).abs() < 1e-6);
    }

    #[test]
    fn a_hundred_thousand_workers() {
        let figures = queue(100_000, 99_900.0, 1.0);
        assert!(figures.stable && figures.wait_probability > 0.5 && figures.wait_probability < 0.8);
        let idle = queue(100_000, 1.0, 1.0);
        assert!(idle.wait_probability < 1e-300);
    }

    #[test]
    fn the_edges() {
        assert!(!queue(2, 2.0, 1.0).stable);
        assert_eq!(queue(0, 0.0, 1.0).wait, 0.0);
        assert_eq!(queue(0, 1.0, 1.0).wait, f64::INFINITY);
        assert_eq!(erlang_b(0, 5.0), 1.0);
    }
}
