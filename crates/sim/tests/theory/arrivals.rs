//! When jobs come: counts of a Poisson process with a curve, and gaps by other laws.

use muster_engine::fact::{Body, Fact, Input, Recorder};
use muster_engine::state::State;
use muster_sim::law::Law;
use muster_sim::model::{Arrivals, Curve};

use crate::support::{agrees, heard, queue};

/// When jobs came, in seconds.
struct Comings(Vec<f64>);

impl Recorder for Comings {
    fn record(&mut self, _number: u64, fact: &Fact, _state: &State) {
        if let Body::Input(Input::JobSubmitted(..)) = fact.body {
            self.0.push(fact.at.as_secs_f64());
        }
    }
}

fn comings(arrivals: Arrivals, seed: u64, seconds: u64) -> Vec<f64> {
    let mut times = Comings(Vec::new());
    heard(&queue(1, Law::Fixed(0.001), arrivals), seed, seconds, &mut times);
    times.0
}

#[test]
fn counts_under_a_curve_are_poisson() {
    let day = 1_000.0;
    let curves = [
        (501, Curve::steps(&[(0.0, 0.5), (300.0, 2.0), (500.0, 0.0), (800.0, 1.0)], Some(day))),
        (502, Curve::slopes(&[(0.0, 0.0), (250.0, 3.0), (600.0, 1.0)], Some(day))),
    ];
    for (seed, curve) in curves {
        let curve = curve.expect("a curve");
        let (rate, days, bins) = (0.2, 200, 20);
        let times = comings(
            Arrivals::Renewal { gap: Law::Exponential(1.0), rate, curve: Some(curve.clone()) },
            seed,
            200_000,
        );
        let width = day / f64::from(bins);
        let mut counts = vec![0.0; (days * bins) as usize];
        times.iter().for_each(|at| counts[(at / width) as usize] += 1.0);
        // Pearson's statistic over all bins of all days in which anything may come: its mean is the number of bins, its
        // variance is that times 2 plus the sum of 1 / expected.
        let (mut statistic, mut mean, mut variance) = (0.0, 0.0, 0.0);
        for (bin, count) in counts.iter().enumerate() {
            let from = bin as f64 * width;
            let expected = rate * (curve.area(from + width) - curve.area(from));
            if expected < 1e-9 {
                assert_eq!(*count, 0.0, "bin {bin}");
                continue;
            }
            statistic += (count - expected) * (count - expected) / expected;
            mean += 1.0;
            variance += 2.0 + 1.0 / expected;
        }
        let off = (statistic - mean) / f64::sqrt(variance);
        assert!(off.abs() <= 3.0, "{curve:?}: {statistic} over {mean} bins, {off} standard deviations");
        let total = rate * curve.area(200_000.0);
        let off = (times.len() as f64 - total) / total.sqrt();
        assert!(off.abs() <= 3.0, "{curve:?}: {} jobs, {total} expected, {off}", times.len());
    }
}

#[test]
fn gaps_follow_their_law() {
    let laws = [(503, Law::log_normal(1.0, 2.0)), (504, Law::gamma(1.0, 0.5)), (505, Law::fixed(1.0))];
    for (seed, law) in laws {
        let gap = law.expect("a law");
        let times = comings(Arrivals::Renewal { gap: gap.clone(), rate: 2.0, curve: None }, seed, 20_000);
        let gaps: Vec<f64> = times.windows(2).map(|two| two[1] - two[0]).collect();
        if gap == Law::Fixed(1.0) {
            assert!(gaps.iter().all(|gap| (gap - 0.5).abs() < 1e-9), "every half second");
        } else {
            agrees(&format!("gaps by {gap:?}"), &gaps, 0.5, 0.02);
        }
    }
}
