//! Throughput against the number of people, and who does how much (2.3, figures 2a and 2b).

use muster_engine::Span;
use muster_report::chart::{Axis, Chart, Figure, Series};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::law::Law;

use super::Inputs;
use super::diary::Diary;
use super::hour::STAY;
use super::world::{Batch, TABLE, World, averaged, diaries, drifting, law, more, people};
use crate::claim::Printed;
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Method, Quantity, Sample, Wanted};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 3] = ["10 people there", "30 people there", "100 people there"];
const THERE: [f64; 3] = [10.0, 30.0, 100.0];
/// How long a run is, and from when on throughput is measured.
const LENGTH: f64 = 3600.0;
const SETTLED: f64 = 1800.0;
/// More tasks than anybody could do in an hour.
const ENDLESS: u32 = 100_000;

const QUANTITIES: [Quantity; 4] = [
    Quantity { name: "throughput", unit: "/min", best: Some(Best::High) },
    Quantity { name: "who came", unit: "", best: None },
    Quantity { name: "busiest fifth's share", unit: "%", best: None },
    Quantity { name: "", unit: "", best: None },
];
const THROUGHPUT: usize = 0;
const SHARE: usize = 2;
/// The share of the others.
const OTHERS: usize = 3;

const EFFECTS: [Effect; 3] = [
    Effect::new(
        "participation-linear",
        "throughput grows linearly with the number of workers: 100 against 10",
        Printed::one(10.0, "2.3, figure 2a"),
        |s| (s[2][THROUGHPUT], s[0][THROUGHPUT]),
        "follows from people working on their own, with tasks enough for all",
    ),
    Effect::new(
        "participation-linear-30",
        "and 30 against 10",
        Printed::one(3.0, "2.3, figure 2a"),
        |s| (s[1][THROUGHPUT], s[0][THROUGHPUT]),
        "",
    ),
    Effect::new(
        "participation-long-tail",
        "few do most of the tasks: the busiest fifth of the workers does more than all others together",
        more("2.3, figure 2b"),
        |s| (s[2][SHARE], s[2][OTHERS]),
        "the paper gives no share; where the line is drawn is ours. Follows from how stays and speeds differ",
    ),
];

const BASE: [f64; 4] = [1.0, 713.0, 0.3, 5.0];

fn grid() -> Grid {
    Grid::new(vec![
        ("spread of stays (sd / mean)", vec![0.0, 0.5, 1.0, 2.0]),
        ("mean stay (s)", vec![300.0, 713.0, 1800.0]),
        ("spread of people's speed (sd)", vec![0.0, 0.3, 0.8]),
        ("break after each task (s)", vec![0.0, 5.0, 20.0]),
    ])
}

/// Stays of a mean and spread: exponential for a spread of 1.
fn stays(at: &[f64]) -> Law {
    if (at[0] - 1.0).abs() < 1e-9 { Law::Exponential(at[1]) } else { law(at[1], at[0]) }
}

fn world(at: &[f64], there: f64, seed: u64) -> World {
    let mut world = World::seven(0);
    world.types = vec![TABLE[5].1];
    world.batches = vec![Batch::new(0, ENDLESS)];
    (world.speeds, world.pause) = (at[2], at[3]);
    world.shifts = drifting(there, &stays(at), LENGTH, seed);
    world
}

fn measured(diary: &Diary) -> Vec<f64> {
    let counts = diary.by_worker();
    let all: f64 = counts.iter().map(|n| f64::from(*n)).sum();
    let busiest: f64 = counts.iter().take(counts.len().div_ceil(5)).map(|n| f64::from(*n)).sum();
    let done = diary.stretches.iter().filter(|it| it.to > SETTLED).count() as f64;
    let per_minute = done / (LENGTH - SETTLED) * 60.0;
    vec![per_minute, counts.len() as f64, busiest / all, 1.0 - busiest / all]
}

fn heard(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Vec<Vec<Diary>>, Trouble> {
    let variants = |seed| {
        let fifo = || muster_engine::policy::settings::PolicySpec::named("fifo");
        THERE.iter().map(|there| (world(wanted.at, *there, seed), fifo())).collect()
    };
    diaries(bench, wanted, Some(Span::from_secs_f64(LENGTH)), &variants)
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Sample, Trouble> {
    Ok(averaged(&heard(bench, wanted)?, measured))
}

pub(super) fn run(lab: &Lab<'_>, _inputs: &Inputs) -> Result<Experiment, Trouble> {
    let method = Method {
        id: "participation",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &[],
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (10, 2),
        sweep_runs: 1,
    };
    let mut found = method.run(lab, &sample)?;
    let curves = method.curves(lab, 1, heard)?;
    found.figures.insert(0, tail(&curves[2][0]));
    let about = "One batch of endless tasks of 15 s; people come by chance for an hour and stay about 12 minutes. Throughput is measured in \
                 the second half hour.";
    Ok(method.told("Participation: who does how much", about, parameters(), found))
}

fn tail(diary: &Diary) -> (Figure, String) {
    let axes = (Axis::new("worker, busiest first", Unit::Count), Axis::new("tasks", Unit::Count));
    let points =
        diary.by_worker().iter().zip(1_u32..).map(|(n, rank)| (f64::from(rank), f64::from(*n))).collect();
    let chart =
        Chart::new("Few do much, many do little", axes.0, axes.1).with(Series::new("tasks done", points));
    (chart.into(), "One run with 100 people there on average, as figure 2b".to_owned())
}

fn parameters() -> Vec<Parameter> {
    let mut all = vec![
        Parameter::new(
            From::Paper,
            "people",
            "more than 100",
            "how many came at all, and for how long, is not given",
        ),
        Parameter::new(From::Ours, "task", "B6, 15 s", ""),
        Parameter::new(
            From::Ours,
            "stay",
            &format!("{STAY} s, exponential"),
            "as in the pilot runs; swept: 300, 713, 1800 s, sd 0 to 2 means",
        ),
    ];
    all.extend(people(&[("spread of people", "0, 0.3, 0.8"), ("break", "0, 5, 20 s")]));
    all
}
