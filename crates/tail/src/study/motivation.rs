//! Figure 2: neither steal-first nor admit-first is always better. 98 % small requests, 2 % of five or a hundred times
//! the size, 65 % utilisation.

use super::Study;
use super::figure::{Cell, Claim, Figure, Row, Verdict};
use super::scenario::{CORES, Scenario};
use crate::sim::{Law, Setup, Shape, Victims, misses, percentile, run, summary};
use crate::{AdmitFirst, StealFirst};

/// The paper's targets are only in the picture; ours are tails of steal-first.
const TAILS: [f64; 6] = [0.90, 0.95, 0.975, 0.99, 0.995, 0.9975];
/// Requests of each run in the paper.
const REQUESTS: usize = 10_000;
const UTILISATION: f64 = 0.65;

pub(super) fn figure_2(study: &Study) -> Figure {
    let requests = study.plan().requests.min(REQUESTS);
    let laws = [("short tail", 5.0), ("long tail", 100.0)].map(|(label, large)| {
        let rate = UTILISATION * CORES as f64 / (0.98 + 0.02 * large);
        Scenario::poisson(label, Law::TwoSizes { large }, rate)
    });
    let all = study.for_each_seed("figure 2", &laws, |scenario, seed| ratios(scenario, requests, seed));
    let cell = |s: usize, i: usize| Cell::Ours(summary(&all[s].iter().map(|r| r[i]).collect::<Vec<_>>()));
    let row =
        |i: usize| Row { label: format!("{:.2} %", 100.0 * TAILS[i]), cells: vec![cell(0, i), cell(1, i)] };
    let rows: Vec<Row> = (0..TAILS.len()).map(row).collect();
    let claims = claims(&rows);
    let settings = format!(
        "16 cores, {requests} requests, {} seeds; small requests of 1, leaves of 1/16, one loop each. The targets are \
         steal-first's own tails, because the paper's are only in its picture. Misses of admit-first / steal-first.",
        study.plan().seeds
    );
    let title = "neither steal-first nor admit-first is always better".to_owned();
    Figure { id: "2", title, settings, columns: vec!["short tail AF/SF", "long tail AF/SF"], rows, claims }
}

fn ratios(scenario: &Scenario, requests: usize, seed: u64) -> [f64; 6] {
    let offers = scenario.offers(requests, seed);
    let shape = Shape::one_loop(1.0 / 16.0);
    let setup = Setup { cores: CORES, shape, victims: Victims::Random(seed), trace: false };
    let steal_first = run(&setup, &StealFirst, &offers).latencies;
    let admit_first = run(&setup, &AdmitFirst, &offers).latencies;
    TAILS.map(|tail| {
        let target = percentile(&steal_first, tail);
        misses(&admit_first, target) as f64 / (misses(&steal_first, target) as f64).max(1.0)
    })
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let column = |c: usize| rows.iter().filter_map(|row| row.cells[c].value()).collect::<Vec<f64>>();
    let (short, long) = (column(0), column(1));
    let verdict = |holds: bool| if holds { Verdict::Reproduced } else { Verdict::NotReproduced };
    let before_longest = &long[..long.len() - 1];
    vec![
        Claim::new(
            "short tail: steal-first is better at every target",
            verdict(short.iter().all(|r| *r > 1.0)),
            format!("{short:.2?}"),
        ),
        Claim::new(
            "long tail: admit-first is better except at the longest targets",
            verdict(before_longest[..3].iter().all(|r| *r < 1.0) && long[long.len() - 1] > long[0]),
            format!("{long:.2?}"),
        ),
    ]
}
