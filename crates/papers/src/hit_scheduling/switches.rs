//! Switches and task time against the number of concessions K (4.5, 5.4.2, figure 9): what does it save people to stay?

use muster_engine::policy::settings::PolicySpec;
use muster_report::chart::{Axis, Chart, Figure, Series};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::study::Interval;

use super::Inputs;
use super::choice::self_chosen;
use super::diary::Diary;
use super::world::{World, averaged, diaries, fair, more, people, weighted_fair, worker_conscious};
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Found, Method, Quantity, Sample, Wanted};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 8] = [
    "self-chosen (individual)",
    "fair",
    "weighted-fair",
    "worker-conscious, K = 0",
    "worker-conscious, K = 1",
    "worker-conscious, K = 3",
    "worker-conscious, K = 10",
    "worker-conscious, unlimited",
];
const OWN: usize = 0;
const FAIR: usize = 1;
const WEIGHTED: usize = 2;
/// Where the variants with so many concessions are.
const CONCESSIONS: [(u32, usize); 4] = [(0, 3), (1, 4), (3, 5), (10, 6)];
const K1: usize = 4;
const K3: usize = 5;
const K10: usize = 6;

const QUANTITIES: [Quantity; 4] = [
    Quantity { name: "switches", unit: "%", best: Some(Best::Low) },
    Quantity { name: "task time", unit: "s", best: Some(Best::Low) },
    Quantity { name: "all done after", unit: "s", best: Some(Best::Low) },
    Quantity { name: "last batch / first", unit: "", best: None },
];
const SWITCHES: usize = 0;
const TASK: usize = 1;

const KEEPS: &str = "without breaks, and unless people finish at the same moment, nobody is taken away: whoever is through with a task finds its batch short of \
                     one, so fair leaves them there, and concessions change nothing";

const EFFECTS: [Effect; 6] = [
    Effect::new(
        "switches-individual-conscious",
        "task time is less with individual batches than with worker-conscious",
        more("5.4.2, figure 9"),
        |s| (s[K3][TASK], s[OWN][TASK]),
        "by what switches cost; the paper: the difference is minimal",
    ),
    Effect::new(
        "switches-conscious-fair",
        "task time is less with worker-conscious than with fair",
        more("5.4.2, figure 9"),
        |s| (s[FAIR][TASK], s[K3][TASK]),
        KEEPS,
    ),
    Effect::new(
        "switches-fewer",
        "worker-conscious makes people change less than fair",
        more("4.5"),
        |s| (s[FAIR][SWITCHES], s[K3][SWITCHES]),
        KEEPS,
    ),
    Effect::new(
        "switches-fall-with-k",
        "and the less the more concessions there are: K = 1 against 3",
        more("4.5"),
        |s| (s[K1][SWITCHES], s[K3][SWITCHES]),
        "the paper does not say which K it used",
    ),
    Effect::new(
        "switches-fall-with-k-still",
        "and K = 3 against 10",
        more("4.5"),
        |s| (s[K3][SWITCHES], s[K10][SWITCHES]),
        "",
    ),
    Effect::new(
        "switches-latency",
        "fewer switches also mean that all is done sooner: fair against worker-conscious",
        more("8"),
        |s| (s[FAIR][2], s[K3][2]),
        "all is done when B6, by far the largest, is; at the end nobody has anything else to change to",
    ),
];

const BASE: [f64; 5] = [5.0, 0.3, 20.0, 0.0, 1.0];

fn grid() -> Grid {
    Grid::new(vec![
        ("breaks per task, mean (s)", vec![0.0, 1.0, 5.0, 20.0]),
        ("cost of a change (of the task's time)", vec![0.1, 0.3, 0.6]),
        ("workers", vec![6.0, 12.0, 20.0, 50.0]),
        ("priorities (0 equal, 1 by price)", vec![0.0, 1.0]),
        ("share of tasks with a break", vec![0.1, 1.0]),
    ])
}

fn world(at: &[f64]) -> World {
    let world = World::seven(at[2] as u32);
    let mut world = if at[3] > 0.5 { world.by_price() } else { world };
    (world.pause, world.switch, world.pause_share) = (at[0], at[1], at[4]);
    world
}

fn policies(seed: u64) -> [PolicySpec; 8] {
    let unlimited =
        PolicySpec::named("worker-conscious").with("between", "jobs").with("concessions", "unlimited");
    let [k0, k1, k3, k10] = CONCESSIONS.map(|(k, _)| worker_conscious(k));
    [self_chosen(1.0, seed), fair(), weighted_fair(), k0, k1, k3, k10, unlimited]
}

fn measured(diary: &Diary) -> Vec<f64> {
    let times: Vec<f64> = (0..7).map(|batch| diary.response(batch)).collect();
    let (first, last) = times
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(first, last), time| (first.min(*time), last.max(*time)));
    vec![diary.switched(), diary.task_time(), diary.end(), last / first]
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Sample, Trouble> {
    let variants = |seed| policies(seed).map(|policy| (world(wanted.at), policy)).into();
    Ok(averaged(&diaries(bench, wanted, None, &variants)?, measured))
}

pub(super) fn run(lab: &Lab<'_>, _inputs: &Inputs) -> Result<Experiment, Trouble> {
    let method = Method {
        id: "switches",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &[],
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (10, 4),
        sweep_runs: 4,
    };
    let mut found = method.run(lab, &sample)?;
    debug_assert!(found.samples.iter().all(|s| s[WEIGHTED] == s[CONCESSIONS[0].1]), "K = 0 is weighted-fair");
    found.figures.insert(0, curve(&found));
    let about = "The seven batches and 20 people with equal priorities, under worker-conscious with more and more concessions. Individual \
                 batches are a model: people pick one themselves and stay with it.";
    Ok(method.told("Switches: how long people are left with a batch", about, parameters(), found))
}

fn curve(found: &Found) -> (Figure, String) {
    let axes =
        (Axis::new("concessions K", Unit::Plain), Axis::new("tasks that follow a switch", Unit::Share));
    let mean = |variant: usize| Interval::of(found.samples.iter().map(|sample| sample[variant][SWITCHES]));
    let points = CONCESSIONS.iter().filter_map(|(k, variant)| Some((f64::from(*k), mean(*variant)?)));
    let points: Vec<(f64, Interval)> = points.collect();
    let band = |(k, ours): &(f64, Interval)| (*k, ours.ends().0, ours.ends().1);
    let line = Series::new("worker-conscious", points.iter().map(|(k, ours)| (*k, ours.mean)).collect())
        .with_band(points.iter().map(band).collect());
    let level = |name: &str, variant: usize| {
        let at = mean(variant).map_or(f64::NAN, |ours| ours.mean);
        Series::new(name, vec![(0.0, at), (10.0, at)]).thin()
    };
    let chart = Chart::new("A few concessions spare people most of the switches", axes.0, axes.1);
    let chart = chart.with(line).with(level("fair", FAIR)).with(level("self-chosen", OWN));
    (chart.into(), "With breaks of 5 s; 95 % intervals".to_owned())
}

fn parameters() -> Vec<Parameter> {
    let mut all = vec![
        Parameter::new(From::Paper, "batches", "table 1", ""),
        Parameter::new(
            From::Ours,
            "concessions K",
            "0, 1, 3, 10, unlimited",
            "the paper does not give its K",
        ),
        Parameter::new(From::Ours, "workers", "20", "swept: 6, 12, 20, 50"),
        Parameter::new(From::Ours, "priorities", "equal", "swept: equal, or by price"),
        Parameter::new(
            From::Ours,
            "share of tasks with a break",
            "all",
            "swept: 0.1 with breaks ten times as long, nearer to the pilot runs",
        ),
        Parameter::new(
            From::Ours,
            "individual batches",
            "picked by open tasks, no search",
            "see splitting for the model",
        ),
    ];
    all.extend(people(&[("break", "0, 1, 5, 20 s"), ("cost", "0.1, 0.3, 0.6")]));
    all
}
