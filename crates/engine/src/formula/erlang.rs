//! Erlang's formulas for a queue with Poisson arrivals and exponential service, in which everyone stays (B: or is lost).
//!
//! Source: A. K. Erlang 1917; the recursion is in any textbook of queueing. All are found from Erlang B by its recursion,
//! which has no factorials: it neither overflows nor loses digits, up to any number of workers. A relative error shrinks
//! by `n / (n + load * B)` at each step, so the recursion may begin close to the load instead of at one worker: the
//! formulas take about as many steps as nine roots of the load, plus the workers beyond the load.

/// Erlang B: the share of arrivals that find all `workers` busy, where such arrivals are lost.
/// `load` >= 0 is the arrival rate times the mean service time. Holds for any law of service times.
#[must_use]
pub fn erlang_b(workers: u32, load: f64) -> f64 {
    let (start, mut blocked) = beginning(workers, load);
    for n in start + 1..=workers {
        blocked = next_b(blocked, load, n);
        if blocked == 0.0 {
            break;
        }
    }
    blocked
}

/// Erlang B with `n` workers from Erlang B with one fewer.
#[must_use]
pub fn next_b(blocked: f64, load: f64, n: u32) -> f64 {
    load * blocked / (f64::from(n) + load * blocked)
}

/// Where the recursion begins, and with what. An error made `9 * sqrt(load)` steps below `n <= load` is multiplied by less
/// than `exp(-40)` on the way to `n`: less than the last digit, whatever it was.
fn beginning(workers: u32, load: f64) -> (u32, f64) {
    let start = load.min(f64::from(workers)) - 9.0 * libm::sqrt(load) - 9.0;
    if start >= 1.0 && load.is_finite() {
        let start = libm::floor(start);
        (start as u32, 1.0 - start / load)
    } else {
        (0, 1.0)
    }
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
    /// How much faster work could be done than it comes: the rate at which the queue shrinks while there is one.
    pub spare_rate: f64,
}

impl Queue {
    /// The probability of waiting longer than `time` >= 0, if those who came first go first.
    #[must_use]
    pub fn wait_longer(&self, time: f64) -> f64 {
        if !self.stable || self.wait_probability == 0.0 {
            return self.wait_probability;
        }
        self.wait_probability * libm::exp(-self.spare_rate * time)
    }

    /// The share of arrivals whose service begins within `time` >= 0.
    #[must_use]
    pub fn served_within(&self, time: f64) -> f64 {
        1.0 - self.wait_longer(time)
    }
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
    let utilisation = utilisation(c, load);
    let spare_rate = c * service_rate - arrival_rate;
    if arrival_rate == 0.0 {
        return Queue {
            stable: true,
            utilisation,
            wait_probability: 0.0,
            wait: 0.0,
            waiting: 0.0,
            spare_rate,
        };
    }
    if arrival_rate >= c * service_rate {
        let never = f64::INFINITY;
        return Queue {
            stable: false,
            utilisation,
            wait_probability: 1.0,
            wait: never,
            waiting: never,
            spare_rate,
        };
    }
    let wait_probability = c * blocked / ((c - load) + load * blocked);
    let wait = wait_probability / spare_rate;
    Queue { stable: true, utilisation, wait_probability, wait, waiting: arrival_rate * wait, spare_rate }
}

fn utilisation(workers: f64, load: f64) -> f64 {
    if workers > 0.0 {
        load / workers
    } else if load > 0.0 {
        f64::INFINITY
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the very beginning: what the shortcut must agree with.
    fn plain_b(workers: u32, load: f64) -> f64 {
        (1..=workers).fold(1.0, |blocked, n| next_b(blocked, load, n))
    }

    #[test]
    fn known_values() {
        // c = 100, arrival rate 45, service rate 0.5: load 90.
        let figures = queue(100, 45.0, 0.5);
        assert!((erlang_b(100, 90.0) - 0.026_957).abs() < 1e-6);
        assert!((figures.wait_probability - 0.216_940).abs() < 1e-6);
        assert!((figures.wait - 0.043_388).abs() < 1e-6);
        assert!((figures.wait_longer(0.2) - 0.079_808).abs() < 1e-6);
        assert!((figures.served_within(0.0) - (1.0 - figures.wait_probability)).abs() < 1e-15);
    }

    #[test]
    fn beginning_near_the_load_loses_no_digit() {
        for load in [0.3, 5.0, 99.5, 127.0, 900.0, 12_345.6, 99_000.0, 1e6] {
            for percent in [10, 50, 80, 95, 99, 100, 101, 110, 150] {
                let workers = libm::ceil(load * f64::from(percent) / 100.0) as u32;
                let (fast, slow) = (erlang_b(workers, load), plain_b(workers, load));
                assert!((fast - slow).abs() <= 1e-11 * slow, "{workers} workers, load {load}: {fast} {slow}");
            }
        }
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
        assert_eq!(queue(2, 2.0, 1.0).wait_longer(1e9), 1.0);
        assert_eq!(queue(0, 0.0, 1.0).wait, 0.0);
        assert_eq!(queue(0, 1.0, 1.0).wait, f64::INFINITY);
        assert_eq!(erlang_b(0, 5.0), 1.0);
        assert_eq!(erlang_b(7, 0.0), 0.0);
        assert_eq!(queue(0, 0.0, 1.0).served_within(0.0), 1.0);
    }
}
