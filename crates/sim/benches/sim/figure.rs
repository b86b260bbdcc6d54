//! Figures: measuring in turns, and printing a line of JSON for each. Does not know what is measured.
//!
//! Time is that of the processor, where the system tells it (Linux): others who use the machine do not count.

use std::time::Instant;

/// A peer's name and its figure.
pub(crate) type Peer<'a> = (&'a str, f64);

/// The nanoseconds that one of `n` takes.
pub(crate) fn nanos_each(n: u64, work: impl FnOnce()) -> f64 {
    let (start, busy) = (Instant::now(), busy_nanos());
    work();
    let nanos = match (busy, busy_nanos()) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed().as_nanos() as f64,
    };
    nanos / n as f64
}

/// How many nanoseconds this thread has been on a processor; `None` if the system does not say.
fn busy_nanos() -> Option<f64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split_whitespace().next()?.parse().ok()
}

/// The median nanoseconds of one of `ours` and one of `theirs`, measured in turns for so many rounds.
pub(crate) fn in_turns(
    rounds: usize,
    n: u64,
    mut ours: impl FnMut(u64),
    mut theirs: impl FnMut(u64),
) -> (f64, f64) {
    let mut samples = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        samples.0.push(nanos_each(n, || ours(n)));
        samples.1.push(nanos_each(n, || theirs(n)));
    }
    (median(samples.0), median(samples.1))
}

pub(crate) fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Prints a figure, as `cargo xtask bench` reads it.
pub(crate) fn print(name: &str, value: f64, unit: &str, peer: Option<Peer<'_>>) {
    let (peer, peer_value, ratio) = match peer {
        Some((peer, its)) => (format!("\"{peer}\""), its.to_string(), (value / its).to_string()),
        None => ("null".to_owned(), "null".to_owned(), "null".to_owned()),
    };
    println!(
        r#"{{"name":"{name}","value":{value},"unit":"{unit}","peer":{peer},"peer_value":{peer_value},"ratio":{ratio}}}"#
    );
}
