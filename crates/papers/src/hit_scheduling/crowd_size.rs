//! Crowd size (5.3.3, figure 8b): 10 to 15 people, and 20 to 25.

use muster_engine::policy::settings::PolicySpec;
use muster_report::chart::{Axis, Figure, Rows};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::random::{Chance, Purpose};

use super::Inputs;
use super::diary::Diary;
use super::world::{NAMES, World, averaged, diaries, fair, more, people, weighted_fair, worker_conscious};
use crate::claim::Printed;
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Found, Method, Quantity, Sample, Wanted, shown};
use crate::ratio;
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 2] = ["10 to 15 workers", "20 to 25 workers"];

const fn time(name: &'static str) -> Quantity {
    Quantity { name, unit: "s", best: Some(Best::Low) }
}

const QUANTITIES: [Quantity; 8] =
    [time("B1"), time("B2"), time("B3"), time("B4"), time("B5"), time("B6"), time("B7"), time("all")];

/// The batch that gains least by more people: its times.
fn least_gain(s: &Sample) -> (f64, f64) {
    let by_gain = |a: &usize, b: &usize| gain(s, *a).total_cmp(&gain(s, *b));
    (0..7).min_by(by_gain).map_or((f64::NAN, f64::NAN), |batch| (s[0][batch], s[1][batch]))
}

/// How many times sooner a batch is done.
fn gain(s: &Sample, batch: usize) -> f64 {
    s[0][batch] / s[1][batch]
}

/// The batch of the longest tasks, and that of the most tasks.
const B1: usize = 0;
const B6: usize = 5;

const EFFECTS: [Effect; 3] = [
    Effect::new(
        "crowd-all-faster",
        "with more workers every batch is done sooner",
        more("5.3.3, figure 8b"),
        least_gain,
        "the batch that gains least",
    ),
    Effect::new(
        "crowd-differ",
        "batches gain differently: B6, of the most tasks, more than B1, of the longest",
        more("5.3.3"),
        |s| (gain(s, B6), gain(s, B1)),
        "which gain more is not said; near its end a batch takes as long as its last task, however many people there are",
    ),
    Effect::new(
        "crowd-whole",
        "all work is done as many times sooner as there are more workers",
        Printed::one(1.8, "22.5 / 12.5 workers, 5.3.3"),
        |s| (s[0][7], s[1][7]),
        "implied by the sizes of the two crowds; the paper gives no factor",
    ),
];

const BASE: [f64; 4] = [0.0, 5.0, 1.0, 0.3];

fn grid() -> Grid {
    Grid::new(vec![
        ("policy (0 fair, 1 weighted-fair, 2 worker-conscious)", vec![0.0, 1.0, 2.0]),
        ("break after each task (s)", vec![0.0, 5.0, 20.0]),
        ("spread of task times (sd / mean)", vec![0.0, 0.5, 1.0]),
        ("cost of a change (of the task's time)", vec![0.0, 0.3, 0.6]),
    ])
}

fn policy(at: f64) -> PolicySpec {
    match at as u32 {
        0 => fair(),
        1 => weighted_fair(),
        _ => worker_conscious(3),
    }
}

fn measured(diary: &Diary) -> Vec<f64> {
    (0..7).map(|batch| diary.response(batch)).chain([diary.end()]).collect()
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Sample, Trouble> {
    let variants = |seed| {
        let more = (Chance::of(seed, Purpose::Size, 0, 0).unit() * 6.0) as u32;
        let of = |least: u32| {
            let mut world = World::seven(least + more).by_price();
            (world.pause, world.spread, world.switch) = (wanted.at[1], wanted.at[2], wanted.at[3]);
            (world, policy(wanted.at[0]))
        };
        vec![of(10), of(20)]
    };
    Ok(averaged(&diaries(bench, wanted, None, &variants)?, measured))
}

pub(super) fn run(lab: &Lab<'_>, _inputs: &Inputs) -> Result<Experiment, Trouble> {
    let method = Method {
        id: "crowd-size",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &[],
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (20, 5),
        sweep_runs: 10,
    };
    let mut found = method.run(lab, &sample)?;
    found.figures.insert(0, gains(&found));
    let about = "The seven batches, done by 10 to 15 people and by 20 to 25; how many there are is drawn for each run, and they stay.";
    Ok(method.told("Crowd size: twice as many people", about, parameters(), found))
}

fn gains(found: &Found) -> (Figure, String) {
    let start = Rows::bars("How many times sooner is each batch done?", Axis::new("factor", Unit::Plain));
    let rows = (0..7).fold(start, |rows, batch| {
        let pairs: Vec<(f64, f64)> = found.samples.iter().map(|s| (s[0][batch], s[1][batch])).collect();
        ratio::of_means(&pairs)
            .map_or_else(|| rows.clone(), |it| rows.clone().row(NAMES[batch], shown(it)).target(1.8))
    });
    (
        rows.targets_are("as many times as there are more workers").into(),
        "fair, with 95 % intervals".to_owned(),
    )
}

fn parameters() -> Vec<Parameter> {
    let mut all = vec![
        Parameter::new(
            From::Paper,
            "workers",
            "10 to 15, 20 to 25",
            "any number as likely; nobody comes or goes",
        ),
        Parameter::new(From::Paper, "batches", "table 1", "their sizes in the controlled run are not given"),
        Parameter::new(From::Ours, "policy", "fair", "swept: weighted-fair, worker-conscious (K = 3)"),
    ];
    all.extend(people(&[("spread of task", "0, 0.5, 1"), ("break", "0, 5, 20 s"), ("cost", "0, 0.3, 0.6")]));
    all
}
