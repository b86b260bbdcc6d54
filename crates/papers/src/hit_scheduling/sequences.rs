//! Runs of like tasks (5.2.3, figure 6): two types in turn (RR), 10 at a time (SEQ10), 25 at a time (SEQ25).
//!
//! Each person works alone through 100 tasks, 50 of B6 and 50 of B7: under round-robin between the two batches, or under
//! fifo through batches cut to 10 or 25 tasks that lie in turn.

use muster_engine::policy::settings::PolicySpec;
use muster_report::chart::{Axis, Figure, Rows};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::study::Interval;

use super::Inputs;
use super::diary::Diary;
use super::world::{Batch, TABLE, World, averaged, hear, more, people};
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Found, Method, Quantity, Sample, Wanted, shown};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 3] = ["RR", "SEQ10", "SEQ25"];
/// Tasks of each of the two types.
const EACH: u32 = 50;

const QUANTITIES: [Quantity; 2] = [
    Quantity { name: "task time", unit: "s", best: Some(Best::Low) },
    Quantity { name: "switches", unit: "%", best: Some(Best::Low) },
];

const COST: &str = "follows from switches costing time at all, by how much is ours: what is tested is whether an experiment of this \
                    size would see it";

const EFFECTS: [Effect; 3] = [
    Effect::new(
        "sequences-10",
        "tasks take less time 10 at a time than in turn",
        more("5.2.3, figure 6"),
        |s| (s[0][0], s[1][0]),
        COST,
    ),
    Effect::new(
        "sequences-25",
        "and 25 at a time less than in turn",
        more("figure 6"),
        |s| (s[0][0], s[2][0]),
        COST,
    ),
    Effect::new(
        "sequences-25-10",
        "and 25 at a time less than 10 at a time",
        more("figure 6"),
        |s| (s[1][0], s[2][0]),
        "9 switches against 3 in a hundred tasks are 1.8 % of the time at a cost of 0.3: in groups of 24 people of different speed that cannot \
         be seen",
    ),
];

const BASE: [f64; 3] = [0.3, 24.0, 1.0];

fn grid() -> Grid {
    Grid::new(vec![
        ("cost of a change (of the task's time)", vec![0.0, 0.1, 0.3, 0.6]),
        ("people in each group", vec![8.0, 24.0, 100.0]),
        ("spread of task times (sd / mean)", vec![0.5, 1.0]),
    ])
}

fn world(at: &[f64], run: u32) -> World {
    let mut world = World::seven(1);
    world.types = vec![TABLE[5].1, TABLE[6].1];
    world.batches = (0..2 * EACH / run).map(|place| Batch::new(place as usize % 2, run)).collect();
    (world.switch, world.spread) = (at[0], at[2]);
    world
}

fn measured(diary: &Diary) -> Vec<f64> {
    vec![diary.task_time(), diary.switched()]
}

/// One run is one person; a sample is three groups of them, of different people, as in the paper.
fn sample(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Sample, Trouble> {
    let people = (wanted.at[1] as u32).max(1);
    let one = |person: u32| {
        let (run, policy) = [(EACH, "round-robin"), (10, "fifo"), (25, "fifo")][(person / people) as usize];
        (world(wanted.at, run), PolicySpec::named(policy), person)
    };
    let heard = hear(bench, wanted.seed, None, (0..3 * people).map(one).collect())?;
    let groups: Vec<Vec<Diary>> = heard.chunks(people as usize).map(<[Diary]>::to_vec).collect();
    Ok(averaged(&groups, measured))
}

pub(super) fn run(lab: &Lab<'_>, _inputs: &Inputs) -> Result<Experiment, Trouble> {
    let method = Method {
        id: "sequences",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &[],
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (20, 1),
        sweep_runs: 1,
    };
    let mut found = method.run(lab, &sample)?;
    found.figures.insert(0, bars(&found));
    let about = "Each person does 50 tasks of B6 and 50 of B7, alone: one of each in turn, or 10 or 25 of the same in a row. Groups of 24, of \
                 different people; intervals are over 20 such experiments.";
    Ok(method.told("Sequences: like tasks in a row", about, parameters(), found))
}

fn bars(found: &Found) -> (Figure, String) {
    let start = Rows::bars("How long does a task take?", Axis::new("mean task time", Unit::Seconds));
    let rows = VARIANTS.iter().enumerate().fold(start, |rows, (v, name)| {
        let ours = Interval::of(found.samples.iter().map(|sample| sample[v][0]));
        ours.map_or_else(|| rows.clone(), |ours| rows.clone().row(name, shown(ours)))
    });
    (
        rows.into(),
        "Groups of 24 people, 100 tasks each; 95 % intervals of the mean over 20 experiments".to_owned(),
    )
}

fn parameters() -> Vec<Parameter> {
    let mut all = vec![
        Parameter::new(
            From::Paper,
            "groups",
            "RR, SEQ10, SEQ25",
            "the section with the numbers is not in the text",
        ),
        Parameter::new(From::Ours, "types", "B6 and B7", "15 s and 22 s"),
        Parameter::new(From::Ours, "people in each group", "24, 100 tasks each", "swept: 8, 24, 100 people"),
    ];
    all.extend(people(&[("spread of task", "0.5, 1"), ("cost", "0, 0.1, 0.3, 0.6")]));
    all
}
