//! What the formulas promise, on random inputs.

use muster_engine::formula::erlang::queue;
use muster_engine::formula::pool_size::{Objective, Sizes, best_size, least_stable};
use muster_engine::formula::target::{Target, least_size};
use muster_engine::formula::{erlang_a, recruit};
use proptest::prelude::*;

/// Values of the objective from the least stable size on.
fn values(arrivals: f64, service: f64, objective: &Objective, n: usize) -> Vec<f64> {
    let value = |(c, queue): (u32, muster_engine::formula::erlang::Queue)| {
        objective.value(c, arrivals / service, queue.wait, queue.waiting)
    };
    Sizes::stable(arrivals, service).take(n).map(value).collect()
}

/// Second differences, and whether each is clearly above or below zero given the digits of the values.
fn bends(values: &[f64]) -> (bool, bool) {
    let bend = |w: &[f64]| (w[2] - 2.0 * w[1] + w[0], 1e-12 * (w[0].abs() + w[1].abs() + w[2].abs()));
    let bends: Vec<(f64, f64)> = values.windows(3).map(bend).collect();
    (bends.iter().any(|(bend, noise)| *bend > *noise), bends.iter().any(|(bend, noise)| *bend < -*noise))
}

prop_compose! {
    fn inputs()(arrivals in 0.01_f64..200.0, service in 0.05_f64..3.0, eta in 0.0_f64..0.999,
                cost in -4.0_f64..0.0, cost_of_idle: bool) -> (f64, f64, Objective) {
        (arrivals, service, Objective { eta, cost_rate: 10.0_f64.powi(cost as i32) * -cost, cost_of_idle })
    }
}

proptest! {
    #[test]
    fn the_objective_falls_and_then_rises((arrivals, service, objective) in inputs()) {
        let values = values(arrivals, service, &objective, 80);
        let mut rises = false;
        for pair in values.windows(2) {
            let noise = 1e-12 * pair[0].abs();
            prop_assert!(!rises || pair[1] >= pair[0] - noise, "falls after a rise: {values:?}");
            rises |= pair[1] > pair[0] + noise;
        }
    }

    #[test]
    fn the_best_size_is_the_best_of_all((arrivals, service, objective) in inputs()) {
        let best = best_size(arrivals, service, &objective, None).unwrap();
        let least = least_stable(arrivals / service);
        let values = values(arrivals, service, &objective, 400);
        let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let at = (best - least) as usize;
        prop_assert!(at < 400 && values[at] <= smallest * (1.0 + 1e-12) + 1e-300);
    }

    #[test]
    fn convex_exactly_when_waiting_outweighs_its_discount((arrivals, service, objective) in inputs()) {
        // Beyond the least stable size, where the cost of the paper may be cut off at zero.
        let values = values(arrivals, service, &objective, 60);
        let (up, down) = bends(&values[1..]);
        if objective.is_convex(arrivals) {
            prop_assert!(!down, "bends down: {values:?}");
        } else {
            prop_assert!(!up, "bends up: {values:?}");
        }
    }

    #[test]
    fn a_target_is_met_and_one_worker_fewer_misses_it(
        arrivals in 0.01_f64..500.0, service in 0.05_f64..3.0, wait in 0.001_f64..10.0, share in 0.01_f64..0.999,
    ) {
        let least = least_stable(arrivals / service);
        let size = least_size(arrivals, service, &Target::Wait(wait), None).unwrap();
        prop_assert!(queue(size, arrivals, service).wait <= wait * (1.0 + 1e-9));
        prop_assert!(size == least || queue(size - 1, arrivals, service).wait > wait * (1.0 - 1e-9));

        let size = least_size(arrivals, service, &Target::Within { time: wait, share }, None).unwrap();
        let within = |size| queue(size, arrivals, service).served_within(wait);
        prop_assert!(within(size) >= share - 1e-9);
        prop_assert!(size == least || within(size - 1) < share + 1e-9);
    }

    #[test]
    fn who_gives_up_shortens_the_queue(
        workers in 1_u32..60, arrivals in 0.01_f64..80.0, patience in 0.001_f64..20.0,
    ) {
        let (all_stay, some_go) = (queue(workers, arrivals, 1.0), erlang_a::queue(workers, arrivals, 1.0, patience));
        prop_assert!(some_go.wait <= all_stay.wait * (1.0 + 1e-9));
        prop_assert!((0.0..=1.0).contains(&some_go.abandoned) && some_go.utilisation <= 1.0 + 1e-9);
        prop_assert!((some_go.abandoned - patience * some_go.wait).abs() <= 1e-9);
    }

    #[test]
    fn average_rate_recruits_exactly_what_left(departures in 0_u64..5000, step in 1_u64..100, window in 1_u64..600) {
        // Draws spread evenly: one for each of the window's parts.
        let draws = (0..window).map(|part| (part as f64 + 0.5) / window as f64);
        let recruited: u64 = draws.map(|draw| recruit::average_rate(departures, step, window, draw)).sum();
        prop_assert_eq!(recruited, departures * step);
    }

    #[test]
    fn hybrid_recruits_nobody_at_its_threshold(
        size in 0_u64..100, threshold in -20_i64..100, departures in 0_u64..500, draw in 0.0_f64..1.0,
    ) {
        let recruits = recruit::hybrid(size, threshold, departures, 1, 60, draw);
        let average = recruit::average_rate(departures, 1, 60, draw);
        let below = i64::try_from(size).unwrap() < threshold;
        prop_assert_eq!(recruits, if below { average } else { 0 });
        // At the threshold itself, and from there on.
        let threshold = i64::try_from(size).unwrap();
        prop_assert_eq!(recruit::hybrid(size, threshold, departures, 1, 60, draw), 0);
        prop_assert_eq!(recruit::hybrid(size + 1, threshold, departures, 1, 60, draw), 0);
        prop_assert_eq!(recruit::rule(size, threshold, 2), 0);
    }
}
