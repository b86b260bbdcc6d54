//! The seven batches of table 1 under all policies (4.3, 4.4): who is done first, who changes most, who shares how.

use muster_engine::policy::settings::PolicySpec;
use muster_report::chart::{Axis, Figure, Rows};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::study::Interval;

use super::Inputs;
use super::diary::Diary;
use super::world::{
    NAMES, TABLE, World, averaged, diaries, fair, more, people, weighted_fair, worker_conscious,
};
use crate::claim::{Claim, Kind, Stated, Verdict};
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Found, Method, Quantity, Sample, Wanted, shown};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 6] =
    ["fifo", "shortest-first", "round-robin", "fair", "weighted-fair", "worker-conscious"];
const FIFO: usize = 0;
const SJF: usize = 1;
const RR: usize = 2;

const fn time(name: &'static str) -> Quantity {
    Quantity { name, unit: "s", best: Some(Best::Low) }
}

const QUANTITIES: [Quantity; 12] = [
    time("B1"),
    time("B2"),
    time("B3"),
    time("B4"),
    time("B5"),
    time("B6"),
    time("B7"),
    Quantity { name: "switches", unit: "%", best: Some(Best::Low) },
    Quantity { name: "task time", unit: "s", best: Some(Best::Low) },
    time("all"),
    Quantity { name: "", unit: "", best: None },
    Quantity { name: "", unit: "", best: None },
];
const B1: usize = 0;
const B4: usize = 3;
const SWITCHES: usize = 7;
/// Workers at B1 and at B4 while all batches have tasks left.
const AT_B1: usize = 10;
const AT_B4: usize = 11;

/// The least of a quantity over the other policies.
fn least_of_others(s: &Sample, policy: usize, quantity: usize) -> f64 {
    let others = (0..s.len()).filter(|other| *other != policy);
    others.map(|other| s[other][quantity]).fold(f64::INFINITY, f64::min)
}

const EFFECTS: [Effect; 6] = [
    Effect::new(
        "seven-fifo-throughput",
        "fifo gives the batch in turn the best throughput: with no other policy is B1 done as soon",
        more("4.3"),
        |s| (least_of_others(s, FIFO, B1), s[FIFO][B1]),
        "the time of the best other policy divided by that of fifo",
    ),
    Effect::new(
        "seven-shortest-first",
        "shortest-first is done with the batch of the shortest tasks, B4, before any other batch",
        more("4.3"),
        |s| {
            (
                (0..7).filter(|batch| *batch != B4).map(|batch| s[SJF][batch]).fold(f64::INFINITY, f64::min),
                s[SJF][B4],
            )
        },
        "the time of the next batch divided by that of B4",
    ),
    Effect::new(
        "seven-shortest-sooner",
        "with no other policy is B4 done as soon",
        more("4.3"),
        |s| (least_of_others(s, SJF, B4), s[SJF][B4]),
        "",
    ),
    Effect::new(
        "seven-robin-switches",
        "round-robin makes people change most: more than any other policy",
        more("4.3"),
        |s| {
            let others = (0..s.len()).filter(|other| *other != RR);
            (s[RR][SWITCHES], others.map(|other| s[other][SWITCHES]).fold(0.0, f64::max))
        },
        "six of seven tasks while all batches are open, none when only B6 is left. Not always: with many people who take long breaks fair \
         makes them change as much or more, since those on a break are missing everywhere and whoever comes back goes where most are missing",
    ),
    Effect::new(
        "seven-robin-short",
        "round-robin gives batches of short tasks more of the workforce than those of long ones",
        more("4.3"),
        |s| (s[RR][AT_B4], s[RR][AT_B1]),
        "it hands out as many tasks of each batch, so workers at work go by the length of a task: B4 has 11/75 of those of B1",
    ),
    Effect::new(
        "seven-fifo-switches",
        "fifo and shortest-first leave people with a batch: fair makes them change more",
        more("4.3"),
        |s| (s[3][SWITCHES], s[FIFO][SWITCHES].max(s[SJF][SWITCHES])),
        "only with breaks: without them whoever is through with a task finds its batch short of one (see switches)",
    ),
];

const BASE: [f64; 4] = [12.0, 5.0, 1.0, 0.3];

fn grid() -> Grid {
    Grid::new(vec![
        ("workers", vec![6.0, 12.0, 25.0, 50.0]),
        ("break after each task (s)", vec![0.0, 5.0, 20.0]),
        ("spread of task times (sd / mean)", vec![0.0, 0.5, 1.0]),
        ("cost of a change (of the task's time)", vec![0.0, 0.3, 0.6]),
    ])
}

fn world(at: &[f64]) -> World {
    let mut world = World::seven(at[0] as u32).by_price();
    (world.pause, world.spread, world.switch) = (at[1], at[2], at[3]);
    world
}

fn policies() -> [PolicySpec; 6] {
    let named = PolicySpec::named;
    [
        named("fifo"),
        named("shortest-first"),
        named("round-robin"),
        fair(),
        weighted_fair(),
        worker_conscious(3),
    ]
}

fn measured(diary: &Diary) -> Vec<f64> {
    let stretch = (0.0, diary.all_open_until());
    let at_work = [B1, B4].map(|batch| diary.busy(|it| it == batch, stretch));
    let times = (0..7).map(|batch| diary.response(batch));
    times.chain([diary.switched(), diary.task_time(), diary.end()]).chain(at_work).collect()
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Sample, Trouble> {
    let variants = |_| policies().map(|policy| (world(wanted.at), policy)).into();
    Ok(averaged(&diaries(bench, wanted, None, &variants)?, measured))
}

pub(super) fn run(lab: &Lab<'_>, _inputs: &Inputs) -> Result<Experiment, Trouble> {
    let method = Method {
        id: "seven-batches",
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
    found.figures.insert(0, finished(&found));
    found.claims.extend(exact(lab)?);
    let about = "The seven batches of table 1 are there from the beginning, and 12 people do them. How long each batch takes, how many \
                 tasks follow one of another batch, and how long a task takes. HITs are tasks here.";
    Ok(method.told("Seven batches, all policies", about, parameters(), found))
}

fn finished(found: &Found) -> (Figure, String) {
    let start = Rows::bars("When is each batch done?", Axis::new("time", Unit::Seconds));
    let rows = VARIANTS.iter().enumerate().fold(start, |rows, (v, policy)| {
        (0..7).fold(rows.heading(policy), |rows, batch| {
            let times = found.samples.iter().map(|sample| sample[v][batch]).filter(|time| time.is_finite());
            Interval::of(times)
                .map_or_else(|| rows.clone(), |time| rows.clone().row(NAMES[batch], shown(time)))
        })
    });
    (rows.into(), "With 95 % intervals, from when all batches were published".to_owned())
}

/// What follows from the algorithms, whatever people do: measured where it must hold.
fn exact(lab: &Lab<'_>) -> Result<Vec<Claim>, Trouble> {
    let bench = lab.begin("seven-batches", 2);
    let runs = |n| if lab.quick { 2 } else { n };
    let wanted = Wanted { at: &[12.0, 0.0, 1.0, 0.0], seed: 1, replications: runs(20) };
    let even = diaries(&bench, wanted, None, &|_| vec![(world(wanted.at), fair())])?;
    let uneven = even[0].iter().map(|diary| f64::from(diary.uneven_most)).fold(0.0, f64::max);
    let off = shares_off(&bench, runs(5))?;
    Ok(vec![
        exact_claim(
            "seven-fair-even",
            "fair gives all batches the same number of workers: while all have tasks left they differ by at most 1",
            ("workers", uneven, u32::from(uneven > 0.0) * runs(20)),
            uneven <= 1.0,
            "the most over all runs, right after any task was handed out; without breaks, with a crowd that stays: with breaks it \
             does not hold, since whoever takes one is missing at their batch",
        ),
        exact_claim(
            "seven-weighted-shares",
            "weighted-fair gives each batch its fair share of the workers, p / sum p",
            ("of the share", off, runs(5)),
            off <= 0.05,
            "the largest deviation of any batch with 110 workers, 5 for each cent of price, from shares by price, over half an hour; \
             batches are made so large that none ends",
        ),
    ])
}

fn exact_claim(
    id: &'static str,
    says: &'static str,
    (unit, value, n): (&'static str, f64, u32),
    holds: bool,
    note: &str,
) -> Claim {
    let stated = Stated { id, says, printed: None, kind: Kind::Number(unit) };
    let verdict = if holds { Verdict::Reproduced } else { Verdict::NotReproduced };
    Claim::new(stated, Some(Interval { mean: value, half: 0.0, n }), verdict, note)
}

/// How far the shares of the workers are from those by price, at the most.
fn shares_off(bench: &Bench<'_>, replications: u32) -> Result<f64, Trouble> {
    let mut many = world(&[110.0, 0.0, 1.0, 0.0]);
    many.batches.iter_mut().for_each(|batch| batch.of[0].1 = 20_000);
    let end = muster_engine::Span::from_mins(40);
    let wanted = Wanted { at: &[], seed: 2, replications };
    let runs = diaries(bench, wanted, Some(end), &|_| vec![(many.clone(), weighted_fair())])?;
    let stretch = (300.0, 2100.0);
    let total: f64 = TABLE.iter().map(|row| f64::from(row.2)).sum();
    let off = |diary: &Diary| {
        let all = diary.busy(|_| true, stretch);
        let of = |batch: usize| {
            let due = f64::from(TABLE[batch].2) / total;
            (diary.busy(|it| it == batch, stretch) / all / due - 1.0).abs()
        };
        (0..7).map(of).fold(0.0, f64::max)
    };
    Ok(runs[0].iter().map(off).fold(0.0, f64::max))
}

fn parameters() -> Vec<Parameter> {
    let mut all = vec![
        Parameter::new(From::Paper, "batches", "table 1", "tasks, mean time and price of each"),
        Parameter::new(From::Paper, "priority", "the price", "7, 2, 5, 3, 3, 1 and 1 cents"),
        Parameter::new(From::Paper, "workers", "12", "10 to 15 in 5.3.3; swept: 6, 12, 25, 50"),
        Parameter::new(From::Ours, "concessions K", "3", "swept in the experiment switches"),
    ];
    all.extend(people(&[("spread of task", "0, 0.5, 1"), ("break", "0, 5, 20 s"), ("cost", "0, 0.3, 0.6")]));
    all
}
