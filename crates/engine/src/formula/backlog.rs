//! How long a backlog takes, if nothing more comes: with the workers there are, and with others who must train first.
//!
//! Source: Cioppino, equations 3 and 4. Exponential service at the same rate for all. New workers train at the same time,
//! each for an exponential time, and are counted only once the last of them has finished, so the estimate is on the safe
//! side. Continuous in every argument; takes as many steps as there are new workers.

/// Equation 3: `tasks` >= 0 worked off by `workers` at `service_rate` > 0 each. Infinite if there are tasks and nobody.
#[must_use]
pub fn drain_time(tasks: f64, workers: u32, service_rate: f64) -> f64 {
    if tasks <= 0.0 {
        return 0.0;
    }
    // Division by zero is infinite, as it should be.
    tasks / (f64::from(workers) * service_rate)
}

/// The mean time until the last of `newcomers` has trained, each at `training_rate` > 0.
#[must_use]
pub fn training_time(newcomers: u32, training_rate: f64) -> f64 {
    if newcomers == 0 { 0.0 } else { harmonic(newcomers) / training_rate }
}

/// Equation 4: the same as [`drain_time`] with `newcomers` who first train. `workers` are those who stay.
#[must_use]
pub fn drain_time_with(
    tasks: f64,
    workers: u32,
    newcomers: u32,
    service_rate: f64,
    training_rate: f64,
) -> f64 {
    let trained = training_time(newcomers, training_rate);
    let done_before = service_rate * f64::from(workers) * trained;
    if tasks <= 0.0 || tasks <= done_before || newcomers == 0 {
        return drain_time(tasks, workers, service_rate);
    }
    trained + (tasks - done_before) / ((f64::from(workers) + f64::from(newcomers)) * service_rate)
}

/// The mean of the largest of `n` exponential times of mean 1: 1 + 1/2 + ... + 1/n.
#[must_use]
pub fn harmonic(n: u32) -> f64 {
    // Small terms first, so that they are not lost.
    (1..=n).rev().map(|j| 1.0 / f64::from(j)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_and_edges() {
        assert!((harmonic(10) - 2.928_968).abs() < 1e-6);
        assert_eq!(drain_time(0.0, 0, 1.0), 0.0);
        assert_eq!(drain_time(1.0, 0, 1.0), f64::INFINITY);
        assert_eq!(drain_time_with(1.0, 0, 0, 1.0, 1.0), f64::INFINITY);
        assert_eq!(drain_time_with(0.0, 0, 3, 1.0, 1.0), 0.0);
    }

    #[test]
    fn continuous_where_training_ends() {
        let done = 3.0 * training_time(2, 0.5);
        let just_before = drain_time_with(done, 3, 2, 1.0, 0.5);
        let just_after = drain_time_with(done + 1e-9, 3, 2, 1.0, 0.5);
        assert!((just_before - just_after).abs() < 1e-8);
    }
}
