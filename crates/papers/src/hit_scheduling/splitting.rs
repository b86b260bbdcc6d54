//! Splitting and merging (5.2.1, 5.2.2, figures 4 and 5): the same tasks as one batch or many, alone or in a bundle, all published at
//! the same time for the same crowd. What attracts people is a model of ours: see `choice`.

use muster_report::chart::{Axis, Chart, Figure, Series};
use muster_report::number::Unit;
use muster_sim::law::Law;

use super::Inputs;
use super::choice::self_chosen;
use super::diary::{Diary, Stretch};
use super::hour::STAY;
use super::world::{Batch, TABLE, World, drifting, hear, more, people};
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Method, Quantity, Sample, Wanted};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 7] =
    ["1 x 600", "10 x 60", "60 x 10", "B6 alone (96)", "B7 alone (96)", "B6 in a bundle", "B7 in a bundle"];
/// How B6 is split: so many batches of so many tasks.
const SPLITS: [(u32, u32); 3] = [(1, 600), (10, 60), (60, 10)];
/// Tasks of each type in the merging test.
const MERGED: u32 = 96;
/// Until when people come.
const UNTIL: f64 = 12.0 * 3600.0;

const QUANTITIES: [Quantity; 3] = [
    Quantity { name: "half done after", unit: "s", best: None },
    Quantity { name: "done after", unit: "s", best: None },
    Quantity { name: "done while 1 x 600 was open", unit: "", best: None },
];
const DONE: usize = 1;
const MEANWHILE: usize = 2;

const MODEL: &str = "only with a model of what attracts people, which the paper does not give";

const EFFECTS: [Effect; 5] = [
    Effect::new("split-largest-first", "one batch of 600 is done before the same tasks as 10 batches", more("5.2.1, figure 4"), |s| (s[1][DONE], s[0][DONE]), "follows from the pull: below 1 the many small batches attract more people together, above 1 the large one does, and at 1 whoever is there stays longest").assumed(),
    Effect::new("split-smallest-last", "and 10 batches of 60 before 60 batches of 10", more("5.2.1, figure 4"), |s| (s[2][DONE], s[1][DONE]), MODEL).assumed(),
    Effect::new("split-kick-off", "10 batches get going only when the large one is done: while it is open, more of it is done", more("5.2.1, figure 4"), |s| (s[0][MEANWHILE], s[1][MEANWHILE]), MODEL).assumed(),
    Effect::new("merge-b6", "B6 is done sooner in a bundle with B7 than alone", more("5.2.2, figure 5"), |s| (s[3][DONE], s[5][DONE]), "in a bundle people change between types, which costs time; only a larger batch's pull can make up for it").assumed(),
    Effect::new("merge-b7", "and so is B7", more("5.2.2, figure 5"), |s| (s[4][DONE], s[6][DONE]), MODEL).assumed(),
];

const BASE: [f64; 4] = [1.0, 30.0, 20.0, 0.3];

fn grid() -> Grid {
    Grid::new(vec![
        ("pull of open tasks (power)", vec![0.0, 0.5, 1.0, 1.5, 2.0, 3.0]),
        ("search for another batch (s)", vec![0.0, 30.0, 120.0]),
        ("people there on average", vec![10.0, 20.0, 50.0]),
        ("cost of a change (of the task's time)", vec![0.1, 0.3]),
    ])
}

/// A bundle has two types, between which nobody has to search; that those who come from a batch alone to one of the other type
/// do not either is the price of it.
fn world(at: &[f64], batches: Vec<Batch>, seed: u64) -> World {
    let mut world = World::seven(0);
    world.types = vec![TABLE[5].1, TABLE[6].1];
    world.batches = batches;
    (world.search, world.switch) = ((at[1], 0.0), at[3]);
    world.shifts = drifting(at[2], &Law::Exponential(STAY), UNTIL, seed);
    world
}

fn split() -> Vec<Batch> {
    SPLITS.iter().flat_map(|(count, tasks)| (0..*count).map(|_| Batch::new(0, *tasks))).collect()
}

fn merged() -> Vec<Batch> {
    let bundle = Batch { of: vec![(0, MERGED), (1, MERGED)], ..Batch::new(0, 0) };
    vec![Batch::new(0, MERGED), Batch::new(1, MERGED), bundle]
}

/// When half and all of some tasks were done, and how many until a time.
fn progress(diary: &Diary, which: impl Fn(&Stretch) -> bool, until: f64) -> Vec<f64> {
    let done: Vec<f64> = diary.stretches.iter().filter(|it| which(it)).map(|it| it.to).collect();
    let at = |place: usize| done.get(place).copied().unwrap_or(f64::NAN);
    let meanwhile =
        if until.is_finite() { done.iter().filter(|at| **at <= until).count() as f64 } else { f64::NAN };
    vec![at(done.len() / 2), at(done.len().wrapping_sub(1)), meanwhile]
}

/// By which of the three ways a batch is split.
fn way(batch: usize) -> usize {
    match batch {
        0 => 0,
        1..=10 => 1,
        _ => 2,
    }
}

fn of_split(diary: &Diary) -> [Vec<f64>; 3] {
    let open_until = diary.came(0) + diary.response(0);
    [0, 1, 2].map(|wanted| progress(diary, |it| way(it.batch) == wanted, open_until))
}

fn of_merged(diary: &Diary) -> [Vec<f64>; 4] {
    let in_bundle = |it: &Stretch, second: bool| it.batch == 2 && (it.task >= MERGED) == second;
    [
        progress(diary, |it| it.batch == 0, f64::NAN),
        progress(diary, |it| it.batch == 1, f64::NAN),
        progress(diary, |it| in_bundle(it, false), f64::NAN),
        progress(diary, |it| in_bundle(it, true), f64::NAN),
    ]
}

fn heard(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Vec<Diary>, Trouble> {
    let round = |number: u32| {
        let seed = wanted.seed * 1000 + u64::from(number);
        let trial =
            |batches| (world(wanted.at, batches, seed), self_chosen(wanted.at[0], seed << 12), number);
        [trial(split()), trial(merged())]
    };
    hear(bench, wanted.seed, None, (0..wanted.replications).flat_map(round).collect())
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Sample, Trouble> {
    let heard = heard(bench, wanted)?;
    let runs: Vec<Sample> = heard
        .chunks(2)
        .map(|both| of_split(&both[0]).into_iter().chain(of_merged(&both[1])).collect())
        .collect();
    let cell = |v: usize, q: usize| super::diary::mean(runs.iter().map(|run| run[v][q]));
    Ok((0..VARIANTS.len()).map(|v| (0..QUANTITIES.len()).map(|q| cell(v, q)).collect()).collect())
}

pub(super) fn run(lab: &Lab<'_>, _inputs: &Inputs) -> Result<Experiment, Trouble> {
    let method = Method {
        id: "splitting",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &[],
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (20, 2),
        sweep_runs: 3,
    };
    let mut found = method.run(lab, &sample)?;
    let curves = method.curves(lab, 1, heard)?;
    found.figures.insert(0, progress_curves(&curves[0]));
    let about = "600 tasks of B6 as 1, 10 and 60 batches, all at the same time for the same crowd; then 96 tasks each of B6 and B7, alone and \
                 in a bundle. The model: whoever has a batch goes on with it; else a batch is picked by chance, its weight being its open \
                 tasks to a power, the pull, after a search. None of this is in the paper, and the outcome follows from it: so these claims \
                 are measured over the model's settings and not judged.";
    Ok(method.told("Splitting and merging batches", about, parameters(), found))
}

fn progress_curves(diary: &Diary) -> (Figure, String) {
    let axes = (Axis::new("time", Unit::Seconds), Axis::new("tasks done", Unit::Count).up_to(600.0));
    let line = |chart: Chart, (wanted, name): (usize, &&str)| {
        let done = diary.stretches.iter().filter(|it| way(it.batch) == wanted);
        let points =
            done.zip(1_u32..).filter(|(_, n)| n % 10 == 0).map(|(it, n)| (it.to, f64::from(n))).collect();
        chart.with(Series::new(name, points))
    };
    let start = Chart::new("Which way of splitting is done first?", axes.0, axes.1);
    let chart = VARIANTS[..3].iter().enumerate().fold(start, line);
    (chart.into(), "One run with a pull of 1, as figure 4".to_owned())
}

fn parameters() -> Vec<Parameter> {
    let mut all = vec![
        Parameter::new(
            From::Paper,
            "batches",
            "B6 as 1 x 600, 10 x 60, 60 x 10",
            "then B6 and B7 of 96, and a bundle of both",
        ),
        Parameter::new(From::Paper, "price", "the same for all", ""),
        Parameter::new(
            From::Ours,
            "pull of open tasks",
            "1",
            "0: all batches alike, 1: all tasks alike; swept: 0, 0.5, 1, 1.5, 2, 3",
        ),
        Parameter::new(
            From::Ours,
            "search for another batch",
            "30 s",
            "not between the types of a bundle; swept: 0, 30, 120 s",
        ),
        Parameter::new(From::Ours, "people there on average", "20, Poisson; stay 713 s", "swept: 10, 20, 50"),
        Parameter::new(From::Ours, "within a bundle", "a type by chance", "as MTurk does (footnote 4)"),
    ];
    all.extend(people(&[("cost", "0.1, 0.3")]));
    all
}
