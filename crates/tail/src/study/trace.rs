//! Figure 15: the number of active requests over time and who is late, in the 0.8 seconds in which steal-first is latest.

use super::Study;
use super::figure::{Cell, Claim, Figure, Row, Verdict};
use super::scenario::Scenario;
use crate::StealFirst;
use crate::sim::{Law, Offer, Outcome, Setup, run};

const TARGET_MS: f64 = 25.0;
const WINDOW_MS: f64 = 800.0;
const STEP_MS: f64 = 50.0;
/// The paper's late requests in its window: steal-first and tail-control.
const PAPER: [f64; 2] = [183.0, 42.0];

pub(super) fn figure_15(study: &Study) -> Figure {
    let scenario = Scenario::poisson("1200 rps", Law::BingLike, 1.2);
    let offers = scenario.offers(study.plan().requests, 1);
    let setup = Setup { trace: true, ..scenario.loops(1) };
    let lazy = run(&setup, &scenario.tail_control(TARGET_MS).lazy(), &offers);
    let prompt = run(&setup, &scenario.tail_control(TARGET_MS), &offers);
    let all = [run(&setup, &StealFirst, &offers), lazy, prompt];
    let start = worst_window(&all[0], &offers);
    let steps = (WINDOW_MS / STEP_MS) as usize;
    let mut rows: Vec<Row> = (0..steps).map(|i| step(&all, &offers, start, i)).collect();
    let late = all.each_ref().map(|outcome| late(outcome, &offers, start, WINDOW_MS));
    let longest = all.each_ref().map(|outcome| longest(outcome, &offers, start));
    rows.push(Row {
        label: "in all".to_owned(),
        cells: [Cell::Absent; 3].into_iter().chain(late.map(Cell::One)).collect(),
    });
    let paper =
        [Cell::Absent, Cell::Absent, Cell::Absent, Cell::One(PAPER[0]), Cell::One(PAPER[1]), Cell::Absent];
    rows.push(Row { label: "in all, paper".to_owned(), cells: paper.into() });
    let settings = format!(
        "Bing-like work (the law is ours), 1200 rps, 16 cores, target 25 ms, loops of 3.2 ms; one seed, the 0.8 s from {:.1} s on, in \
         which steal-first has the most late requests (the paper does not say how it chose its window). Most active in each \
         step, and requests of the step that are late.",
        start / 1000.0
    );
    Figure {
        id: "15",
        title: "the inner workings over time".to_owned(),
        settings,
        columns: vec!["active SF", "active lazy", "active prompt", "late SF", "late lazy", "late prompt"],
        rows,
        claims: claims(late, longest),
    }
}

fn late(outcome: &Outcome, offers: &[Offer], start: f64, length: f64) -> f64 {
    let inside = |offer: &Offer| (start..start + length).contains(&offer.arrival);
    let is_late = |(offer, latency): &(&Offer, &f64)| inside(offer) && **latency > TARGET_MS;
    offers.iter().zip(&outcome.latencies).filter(is_late).count() as f64
}

fn longest(outcome: &Outcome, offers: &[Offer], start: f64) -> f64 {
    let inside = offers
        .iter()
        .zip(&outcome.latencies)
        .filter(|(o, _)| (start..start + WINDOW_MS).contains(&o.arrival));
    inside.map(|(_, latency)| *latency).fold(0.0, f64::max)
}

/// The start of the window with the most late requests.
fn worst_window(outcome: &Outcome, offers: &[Offer]) -> f64 {
    let end = offers.last().map_or(0.0, |offer| offer.arrival);
    let mut per_step = vec![0u32; (end / STEP_MS) as usize + 1];
    for (offer, latency) in offers.iter().zip(&outcome.latencies) {
        per_step[(offer.arrival / STEP_MS) as usize] += u32::from(*latency > TARGET_MS);
    }
    let steps = (WINDOW_MS / STEP_MS) as usize;
    let best = per_step.windows(steps.min(per_step.len())).map(|w| w.iter().sum::<u32>()).enumerate();
    best.max_by_key(|(i, sum)| (*sum, usize::MAX - i)).map_or(0.0, |(i, _)| i as f64 * STEP_MS)
}

fn step(all: &[Outcome; 3], offers: &[Offer], start: f64, i: usize) -> Row {
    let from = start + i as f64 * STEP_MS;
    let active = |outcome: &Outcome| {
        let inside = outcome.trace.iter().filter(|point| (from..from + STEP_MS).contains(&point.time));
        Cell::One(inside.map(|point| point.active).max().unwrap_or(0) as f64)
    };
    let late = |outcome: &Outcome| Cell::One(late(outcome, offers, from, STEP_MS));
    let cells = all.iter().map(active).chain(all.iter().map(late)).collect();
    Row { label: format!("{:.2} s", (from - start) / 1000.0), cells }
}

fn claims(late: [f64; 3], longest: [f64; 3]) -> Vec<Claim> {
    let ratio = late[1] / late[0].max(1.0);
    let verdict = match ratio {
        ratio if ratio <= 0.5 => Verdict::Reproduced,
        ratio if ratio < 1.0 => Verdict::Direction,
        _ => Verdict::NotReproduced,
    };
    let sacrificed = if longest[1] > longest[0] { Verdict::Reproduced } else { Verdict::NotReproduced };
    vec![
        Claim::new(
            "far fewer late requests while it is crowded",
            verdict,
            format!(
                "{:.0} against {:.0}; the paper 42 against 183; at most half counts as far fewer",
                late[1], late[0]
            ),
        ),
        Claim::new(
            "a few large requests are sacrificed",
            sacrificed,
            format!("longest latency {:.0} ms against {:.0} ms under steal-first", longest[1], longest[0]),
        ),
    ]
}
