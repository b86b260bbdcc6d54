//! Figure 12: the highest rate at which 99.5 % of the requests meet a target.

use super::Study;
use super::figure::{Cell, Claim, Figure, Row, Verdict};
use super::scenario::Scenario;
use crate::sim::{Law, percentile, run, summary};
use crate::{AdmitFirst, StealFirst};

/// Targets in milliseconds; the paper's text names 20.
const TARGETS: [f64; 2] = [20.0, 30.0];
/// The paper's rates at 20 ms: steal-first, admit-first, tail-control.
const PAPER: [f64; 3] = [800.0, 775.0, 880.0];
const MEETS: f64 = 0.995;
/// The search: between these rates (per second), halving so often.
const RATES: (f64, f64) = (300.0, 1550.0);
const HALVINGS: u32 = 7;

#[derive(Clone, Copy, PartialEq)]
enum Who {
    StealFirst,
    AdmitFirst,
    Lazy,
    Prompt,
}

const WHO: [Who; 4] = [Who::StealFirst, Who::AdmitFirst, Who::Lazy, Who::Prompt];

pub(super) fn figure_12(study: &Study) -> Figure {
    let items: Vec<(f64, Who)> = TARGETS.iter().flat_map(|&target| WHO.map(|who| (target, who))).collect();
    let requests = study.plan().requests;
    let scenario = Scenario::poisson("capacity", Law::BingLike, 1.0);
    let all = study.for_each_seed("figure 12", &items, |&(target, who), seed| {
        capacity(|rate_per_s| meets(&scenario.at(rate_per_s / 1000.0), target, who, requests, seed))
    });
    let row = |t: usize| Row {
        label: format!("{} ms", TARGETS[t]),
        cells: (0..WHO.len()).map(|w| Cell::Ours(summary(&all[t * WHO.len() + w]))).collect(),
    };
    let mut rows: Vec<Row> = (0..TARGETS.len()).map(row).collect();
    let paper = PAPER.map(Cell::One).into_iter().chain([Cell::Absent]).collect();
    rows.push(Row { label: "20 ms, paper".to_owned(), cells: paper });
    let claims = vec![claim(&rows[0])];
    let settings = format!(
        "Bing-like work (the law is ours), 16 cores, {requests} requests, {} seeds, loops of 3.2 ms, bins of 1 ms, 200 rows. \
         Highest rate (requests per second, found by halving to 10) at which 99.5 % meet the target.",
        study.plan().seeds
    );
    let columns = vec!["steal-first rps", "admit-first rps", "lazy rps", "prompt rps"];
    Figure { id: "12", title: "capacity at 99.5 %".to_owned(), settings, columns, rows, claims }
}

/// The highest rate per second at which the target is met.
fn capacity(meets: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = RATES;
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if meets(middle) { low = middle } else { high = middle }
    }
    low
}

fn meets(scenario: &Scenario, target: f64, who: Who, requests: usize, seed: u64) -> bool {
    let (setup, offers) = (scenario.loops(seed), scenario.offers(requests, seed));
    let outcome = match who {
        Who::StealFirst => run(&setup, &StealFirst, &offers),
        Who::AdmitFirst => run(&setup, &AdmitFirst, &offers),
        Who::Lazy => run(&setup, &scenario.tail_control(target).lazy(), &offers),
        Who::Prompt => run(&setup, &scenario.tail_control(target), &offers),
    };
    percentile(&outcome.latencies, MEETS) <= target
}

fn claim(at_20_ms: &Row) -> Claim {
    let [sf, af, lazy] = [0, 1, 2].map(|c| at_20_ms.cells[c].value().unwrap_or(f64::NAN));
    let more = 100.0 * (lazy / sf.max(af) - 1.0);
    let verdict = match more {
        more if more >= 5.0 => Verdict::Reproduced,
        more if more > 0.0 => Verdict::Direction,
        _ => Verdict::NotReproduced,
    };
    let reason = format!(
        "{more:.1} % more than the better of the two here; the rates themselves depend on the histogram"
    );
    Claim::new("10 % more capacity at a target of 20 ms", verdict, reason)
}
