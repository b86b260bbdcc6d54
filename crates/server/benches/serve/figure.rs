//! Figures: a line of JSON for each, as `cargo xtask bench` reads them.

/// A peer's name and its figure.
pub(crate) type Peer<'a> = (&'a str, f64);

pub(crate) fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Prints a figure.
pub(crate) fn print(name: &str, value: f64, unit: &str, peer: Option<Peer<'_>>) {
    let (peer, peer_value, ratio) = match peer {
        Some((peer, its)) => (format!("\"{peer}\""), its.to_string(), (value / its).to_string()),
        None => ("null".to_owned(), "null".to_owned(), "null".to_owned()),
    };
    println!(
        r#"{{"name":"{name}","value":{value},"unit":"{unit}","peer":{peer},"peer_value":{peer_value},"ratio":{ratio}}}"#
    );
}
