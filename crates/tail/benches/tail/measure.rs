//! Timing and printing. Contestants take turns within each round, so that what the machine does meanwhile hits all.

use serde_json::json;
use std::time::Instant;

/// Nanoseconds that one call takes.
pub(crate) fn time<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(run());
    start.elapsed().as_nanos() as f64
}

pub(crate) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// A contestant: who, and one round that gives a value.
pub(crate) struct Contestant<'a> {
    pub(crate) name: &'static str,
    pub(crate) round: Box<dyn FnMut() -> f64 + 'a>,
}

pub(crate) fn contestant<'a>(name: &'static str, round: impl FnMut() -> f64 + 'a) -> Contestant<'a> {
    Contestant { name, round: Box::new(round) }
}

/// Runs the rounds in turn and gives each contestant's best: on a shared machine the least disturbed round says most.
pub(crate) fn compete(rounds: usize, contestants: &mut [Contestant<'_>]) -> Vec<(&'static str, f64)> {
    let mut values = vec![Vec::with_capacity(rounds); contestants.len()];
    for round in 0..=rounds {
        for (i, contestant) in contestants.iter_mut().enumerate() {
            let value = (contestant.round)();
            if round > 0 {
                values[i].push(value); // the first round only warms up
            }
        }
    }
    contestants
        .iter()
        .zip(&values)
        .map(|(contestant, values)| (contestant.name, quantile(values, 0.0)))
        .collect()
}

/// Prints the first contestant beside each of the others.
pub(crate) fn report(name: &str, unit: &str, bests: &[(&'static str, f64)], more: &[(&'static str, f64)]) {
    let value = bests[0].1;
    for &(peer, peer_value) in bests[1..].iter().chain(more) {
        line(name, value, unit, Some((peer, peer_value)));
    }
}

pub(crate) fn line(name: &str, value: f64, unit: &str, peer: Option<(&str, f64)>) {
    let round = |value: f64| (value * 1000.0).round() / 1000.0;
    println!(
        "{}",
        json!({
            "name": name, "value": round(value), "unit": unit, "peer": peer.map(|peer| peer.0),
            "peer_value": peer.map(|peer| round(peer.1)), "ratio": peer.map(|peer| round(value / peer.1)),
        })
    );
}
