//! The priority of B2 (5.3.3, figure 8a): what a higher price does for a batch, and to the others.

use muster_report::chart::{Axis, Chart, Figure, Series};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::study::Interval;

use super::Inputs;
use super::diary::{Diary, mean};
use super::world::{World, averaged, diaries, fair, more, people, weighted_fair};
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Found, Method, Quantity, Sample, Wanted};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 6] = [
    "weighted-fair, B2 1x",
    "weighted-fair, B2 2x",
    "weighted-fair, B2 5x",
    "weighted-fair, B2 10x",
    "fair, B2 1x",
    "fair, B2 10x",
];
const FACTORS: [u32; 4] = [1, 2, 5, 10];
const B2: usize = 1;

const QUANTITIES: [Quantity; 3] = [
    Quantity { name: "B2 done after", unit: "s", best: Some(Best::Low) },
    Quantity { name: "the others, mean", unit: "s", best: Some(Best::Low) },
    Quantity { name: "all done after", unit: "s", best: Some(Best::Low) },
];

const EFFECTS: [Effect; 4] = [
    Effect::new(
        "priority-sooner",
        "a higher priority (5 times) is done sooner",
        more("5.3.3, figure 8a"),
        |s| (s[0][0], s[2][0]),
        "the time with priority 1 divided by that with 5; weighted-fair. With fewer workers than batches some batch has none, and at none all \
         priorities tie",
    ),
    Effect::new(
        "priority-sooner-still",
        "and the sooner the higher it is: 10 times against 5 times",
        more("5.3.3"),
        |s| (s[2][0], s[3][0]),
        "it ends where B2 has as many workers as it has tasks left, and its longest task decides",
    ),
    Effect::new(
        "priority-others",
        "at the expense of other batches: the others are done later (10 times against 1)",
        more("5.3.3"),
        |s| (s[3][1], s[0][1]),
        "by little: B2 is 6 % of the work",
    ),
    Effect::new(
        "priority-fair-as-printed",
        "with FS as printed (algorithm 1), a higher price for B2 makes it done sooner",
        more("5.3.3"),
        |s| (s[4][0], s[5][0]),
        "5.3.3 says FS only, but algorithm 1 sorts by running tasks alone and knows no price: the paper must have run WFS",
    ),
];

const BASE: [f64; 4] = [12.0, 0.0, 5.0, 1.0];

fn grid() -> Grid {
    Grid::new(vec![
        ("workers", vec![6.0, 12.0, 22.0, 50.0]),
        ("priority of the others (0 equal, 1 by price)", vec![0.0, 1.0]),
        ("break after each task (s)", vec![0.0, 5.0, 20.0]),
        ("spread of task times (sd / mean)", vec![0.0, 0.5, 1.0]),
    ])
}

fn world(at: &[f64], factor: u32) -> World {
    let world = World::seven(at[0] as u32);
    let mut world = if at[1] > 0.5 { world.by_price() } else { world };
    world.batches[B2].priority *= factor;
    (world.pause, world.spread) = (at[2], at[3]);
    world
}

fn measured(diary: &Diary) -> Vec<f64> {
    let others = mean((0..7).filter(|batch| *batch != B2).map(|batch| diary.response(batch)));
    vec![diary.response(B2), others, diary.end()]
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Sample, Trouble> {
    let variants = |_| {
        let weighted = FACTORS.map(|factor| (world(wanted.at, factor), weighted_fair()));
        let printed = [1, 10].map(|factor| (world(wanted.at, factor), fair()));
        weighted.into_iter().chain(printed).collect()
    };
    Ok(averaged(&diaries(bench, wanted, None, &variants)?, measured))
}

pub(super) fn run(lab: &Lab<'_>, _inputs: &Inputs) -> Result<Experiment, Trouble> {
    let method = Method {
        id: "priority",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &[],
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (20, 4),
        sweep_runs: 8,
    };
    let mut found = method.run(lab, &sample)?;
    found.figures.insert(0, curve(&found));
    let about = "The seven batches and 12 people; the priority of B2 is raised from that of the others to 10 times as much.";
    Ok(method.told("Priority: B2 is worth more", about, parameters(), found))
}

fn curve(found: &Found) -> (Figure, String) {
    let axes = (Axis::new("priority of B2", Unit::Plain), Axis::new("done after", Unit::Seconds));
    let line = |name: &str, quantity: usize| {
        let at = |(place, factor): (usize, &u32)| {
            let ours = Interval::of(found.samples.iter().map(|sample| sample[place][quantity]))?;
            Some((f64::from(*factor), ours))
        };
        let points: Vec<(f64, Interval)> = FACTORS.iter().enumerate().filter_map(at).collect();
        let band = |(x, ours): &(f64, Interval)| (*x, ours.ends().0, ours.ends().1);
        Series::new(name, points.iter().map(|(x, ours)| (*x, ours.mean)).collect())
            .with_band(points.iter().map(band).collect())
    };
    let chart = Chart::new("A higher priority shortens B2 and costs the others little", axes.0, axes.1);
    let chart = chart.with(line("B2", 0)).with(line("the others, mean", 1));
    (chart.into(), "weighted-fair, with 95 % intervals".to_owned())
}

fn parameters() -> Vec<Parameter> {
    let mut all = vec![
        Parameter::new(From::Paper, "batches", "table 1", "their sizes in the controlled run are not given"),
        Parameter::new(From::Paper, "workers", "12", "10 to 15 in 5.3.3; swept: 6, 12, 22, 50"),
        Parameter::new(From::Ours, "priority of the others", "1", "swept: equal, or by price"),
        Parameter::new(
            From::Ours,
            "priority of B2",
            "1, 2, 5, 10 times",
            "the paper varies its price, by how much is not in the text",
        ),
    ];
    all.extend(people(&[("spread of task", "0, 0.5, 1"), ("break", "0, 5, 20 s")]));
    all
}
