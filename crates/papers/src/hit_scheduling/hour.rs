//! The 28 batches of an hour (5.4, figures 9 to 11): individual batches, and bundles under fair and worker-conscious, with people
//! who come and go.

use muster_report::chart::{Axis, Chart, Figure, Panels, Series};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::law::Law;
use muster_sim::study::Interval;

use super::Inputs;
use super::choice::self_chosen;
use super::diary::Diary;
use super::inputs::{Hour, Planned, Size};
use super::world::{Batch, TABLE, World, averaged, diaries, drifting, fair, more, people, worker_conscious};
use crate::claim::{Claim, Kind, Printed, Stated, Verdict};
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Found, Method, Quantity, Sample, Wanted};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 3] = ["self-chosen (individual)", "fair", "worker-conscious, K = 3"];
const OWN: usize = 0;
const FAIR: usize = 1;
const CONSCIOUS: usize = 2;

/// How long people stay on average, as in the pilot runs.
pub(super) const STAY: f64 = 713.0;
/// Until when people come.
const UNTIL: f64 = 6.0 * 3600.0;

const fn time(name: &'static str) -> Quantity {
    Quantity { name, unit: "s", best: Some(Best::Low) }
}

const QUANTITIES: [Quantity; 8] = [
    time("task time"),
    Quantity { name: "switches", unit: "%", best: Some(Best::Low) },
    time("small: 25 %"),
    time("medium: 25 %"),
    time("large: 25 %"),
    time("small: last"),
    time("medium: last"),
    time("large: last"),
];
const TASK: usize = 0;
const SWITCHES: usize = 1;
const QUARTER: [usize; 3] = [2, 3, 4];
const LAST: [usize; 3] = [5, 6, 7];

const CHOICE: &str = "depends on how people pick batches, which the paper does not say: see over which settings of the model it holds";

const EFFECTS: [Effect; 9] = [
    Effect::new(
        "hour-time-conscious",
        "a task takes less time with individual batches than with worker-conscious",
        more("5.4.2, figure 9"),
        |s| (s[CONSCIOUS][TASK], s[OWN][TASK]),
        "the paper: the difference is minimal",
    ),
    Effect::new(
        "hour-time-fair",
        "and with worker-conscious less than with fair",
        more("5.4.2, figure 9"),
        |s| (s[FAIR][TASK], s[CONSCIOUS][TASK]),
        "",
    ),
    Effect::new(
        "hour-switches",
        "worker-conscious makes people change less than fair",
        more("4.5, 5.4.2"),
        |s| (s[FAIR][SWITCHES], s[CONSCIOUS][SWITCHES]),
        "",
    ),
    Effect::new(
        "hour-starts-small",
        "individual small batches start faster than with fair",
        more("5.4.3, figure 10"),
        |s| (s[FAIR][QUARTER[0]], s[OWN][QUARTER[0]]),
        CHOICE,
    )
    .assumed(),
    Effect::new(
        "hour-starts-large",
        "individual large batches start faster than with fair",
        more("5.4.3, figure 10"),
        |s| (s[FAIR][QUARTER[2]], s[OWN][QUARTER[2]]),
        CHOICE,
    )
    .assumed(),
    Effect::new(
        "hour-last-small",
        "individual small batches end last: the slowest later than with fair",
        more("5.4.3, figure 10"),
        |s| (s[OWN][LAST[0]], s[FAIR][LAST[0]]),
        CHOICE,
    )
    .assumed(),
    Effect::new(
        "hour-last-small-conscious",
        "and later than with worker-conscious",
        more("5.4.3, figure 10"),
        |s| (s[OWN][LAST[0]], s[CONSCIOUS][LAST[0]]),
        CHOICE,
    )
    .assumed(),
    Effect::new(
        "hour-last-medium",
        "individual medium batches end last",
        more("5.4.3, figure 10"),
        |s| (s[OWN][LAST[1]], s[FAIR][LAST[1]]),
        CHOICE,
    )
    .assumed(),
    Effect::new(
        "hour-last-large",
        "individual large batches end last",
        more("5.4.3, figure 10"),
        |s| (s[OWN][LAST[2]], s[FAIR][LAST[2]]),
        CHOICE,
    )
    .assumed(),
];

const BASE: [f64; 5] = [12.0, 1.0, 30.0, 0.3, 1.0];

fn grid() -> Grid {
    Grid::new(vec![
        ("people there on average", vec![8.0, 12.0, 24.0]),
        ("pull of open tasks (power)", vec![0.0, 1.0, 2.0]),
        ("search for another batch (s)", vec![0.0, 30.0, 120.0]),
        ("cost of a change (of the task's time)", vec![0.1, 0.3, 0.6]),
        ("batches come (0 all at once, 1 over the hour)", vec![0.0, 1.0]),
    ])
}

/// The hour with its people; whoever picks batches themselves has to find them.
fn world(at: &[f64], batches: &[Planned], seed: u64, own: bool) -> World {
    let mut world = World::seven(0);
    let batch =
        |it: &Planned| Batch { at: if at[4] > 0.5 { it.at } else { 0.0 }, ..Batch::new(it.kind, it.tasks) };
    world.batches = batches.iter().map(batch).collect();
    world.slots = batches.first().map_or(1, |it| it.slots);
    world.search = if own { (at[2], at[2]) } else { (0.0, 0.0) };
    world.switch = at[3];
    world.shifts = drifting(at[0], &Law::Exponential(STAY), UNTIL, seed);
    world
}

/// When a quarter of the tasks of these batches was done, each counted from when its batch came; and the last.
fn quarter_and_last(diary: &Diary, which: &[usize]) -> (f64, f64) {
    let of = diary.stretches.iter().filter(|it| which.contains(&it.batch));
    let mut done: Vec<f64> = of.map(|it| it.to - diary.came(it.batch)).collect();
    done.sort_by(f64::total_cmp);
    let quarter = done.get(done.len() / 4).copied().unwrap_or(f64::NAN);
    (quarter, done.last().copied().unwrap_or(f64::NAN))
}

fn measured(diary: &Diary, batches: &[Planned]) -> Vec<f64> {
    let of =
        |size: Size| -> Vec<usize> { (0..batches.len()).filter(|it| batches[*it].size() == size).collect() };
    let times = Size::ALL.map(|size| quarter_and_last(diary, &of(size)));
    let (quarters, lasts) = (times.map(|it| it.0), times.map(|it| it.1));
    [diary.task_time(), diary.switched()].into_iter().chain(quarters).chain(lasts).collect()
}

fn heard(bench: &Bench<'_>, wanted: Wanted<'_>, hour: &Hour) -> Result<Vec<Vec<Diary>>, Trouble> {
    let batches = hour.batches(wanted.seed);
    let variants = |seed| {
        vec![
            (world(wanted.at, &batches, seed, true), self_chosen(wanted.at[1], seed)),
            (world(wanted.at, &batches, seed, false), fair()),
            (world(wanted.at, &batches, seed, false), worker_conscious(3)),
        ]
    };
    diaries(bench, wanted, None, &variants)
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>, hour: &Hour) -> Result<Sample, Trouble> {
    let batches = hour.batches(wanted.seed);
    let mut sample = averaged(&heard(bench, wanted, hour)?, |diary| measured(diary, &batches));
    // Finding another batch is no part of a task.
    sample[OWN][TASK] -= wanted.at[2] * sample[OWN][SWITCHES];
    Ok(sample)
}

pub(super) fn run(lab: &Lab<'_>, inputs: &Inputs) -> Result<Experiment, Trouble> {
    let hour = &inputs.hour;
    let method = Method {
        id: "live-hour",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &[],
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (20, 2),
        sweep_runs: 8,
    };
    let mut found = method.run(lab, &|bench, wanted| sample(bench, wanted, hour))?;
    found.claims.push(quarter_of_small(&found));
    let curves = method.curves(lab, 1, |bench, wanted| heard(bench, wanted, hour))?;
    let batches = hour.batches(1);
    found.figures.insert(0, at_work(&curves, &batches));
    found.figures.insert(1, small_done(&curves, &batches));
    let about = format!(
        "{} People come by chance, 12 there on average, and stay about 12 minutes. As individual batches people pick them, with the \
         open tasks as weights, and stay with one until it has nothing for them; in a bundle they get what the policy says. Times are \
         from when a batch came.",
        hour.about()
    );
    Ok(method.told("The hour of 28 batches", about, parameters(hour), found))
}

fn quarter_of_small(found: &Found) -> Claim {
    let stated = Stated {
        id: "hour-quarter-small",
        says: "a quarter of the small batches' tasks is done within 500 s with individual batches",
        printed: Some(Printed::one(500.0, "5.4.3, figure 10")),
        kind: Kind::Number("s"),
    };
    let ours = Interval::of(found.samples.iter().map(|sample| sample[OWN][QUARTER[0]]));
    let note = "how many people came is not given, and this follows from it; measured from when each batch came, since with the hour's own \
                arrivals less than a quarter of the small tasks has even come after 500 s";
    Claim::new(stated, ours, Verdict::NotTestable, note)
}

/// Workers per size of batch over time, in one run of each variant.
fn at_work(curves: &[Vec<Diary>], batches: &[Planned]) -> (Figure, String) {
    let end = curves.iter().map(|runs| runs[0].end()).fold(0.0, f64::max);
    let step = end / 60.0;
    let panel = |(name, runs): (&&str, &Vec<Diary>)| {
        let axes = (Axis::new("time", Unit::Seconds), Axis::new("workers at work", Unit::Count));
        let line = |chart: Chart, size: Size| {
            let at = |bin: u32| {
                let from = f64::from(bin) * step;
                (from + step, runs[0].busy(|it| batches[it].size() == size, (from, from + step)))
            };
            chart.with(Series::new(size.name(), (0..60).map(at).collect()))
        };
        Size::ALL.into_iter().fold(Chart::new(name, axes.0, axes.1), line)
    };
    let panels = VARIANTS.iter().zip(curves).map(panel).collect();
    let caption = "One run: who is at work on batches of which size, over time (as figure 11, which has a colour for each batch)";
    (Panels::new("Workers per batch size over time", panels).into(), caption.to_owned())
}

/// How the tasks of small batches get done.
fn small_done(curves: &[Vec<Diary>], batches: &[Planned]) -> (Figure, String) {
    let axes = (
        Axis::new("time since the batch came", Unit::Seconds),
        Axis::new("tasks done", Unit::Share).up_to(1.0),
    );
    let line = |chart: Chart, (name, runs): (&&str, &Vec<Diary>)| {
        let small = runs[0].stretches.iter().filter(|it| batches[it.batch].size() == Size::Small);
        let times: Vec<f64> = small.map(|it| it.to - runs[0].came(it.batch)).collect();
        chart.with(Series::cdf(name, &times))
    };
    let start = Chart::new("When are the tasks of small batches done?", axes.0, axes.1);
    let chart = VARIANTS.iter().zip(curves).fold(start, line);
    (chart.into(), "One run, as figure 10".to_owned())
}

fn parameters(hour: &Hour) -> Vec<Parameter> {
    let seconds = TABLE.map(|row| row.1.to_string()).join(", ");
    let mut all = vec![
        Parameter::new(
            From::Paper,
            "batches",
            "28: 16 small (1-9 tasks), 8 medium (10-15), 4 large (16-45)",
            &hour.source(),
        ),
        Parameter::new(
            From::Paper,
            "price",
            "the same for all",
            "so priorities are equal, and weighted-fair is fair",
        ),
        Parameter::new(From::Paper, "seconds per task", &seconds, "table 1, by type"),
        Parameter::new(
            From::Ours,
            "answers per task",
            hour.slots_words(),
            "as in the authors' files; the paper counts 286 tasks",
        ),
        Parameter::new(From::Ours, "people there on average", "12, Poisson", "swept: 8, 12, 24"),
        Parameter::new(From::Ours, "stay", "713 s, exponential", "as in the pilot runs"),
        Parameter::new(
            From::Ours,
            "pull of open tasks",
            "1",
            "weight of a batch: open tasks to this power; swept: 0, 1, 2",
        ),
        Parameter::new(
            From::Ours,
            "search for another batch",
            "30 s",
            "individual batches only; swept: 0, 30, 120 s",
        ),
        Parameter::new(From::Ours, "batches come", "over the hour", "swept: all at once"),
        Parameter::new(From::Ours, "concessions K", "3", ""),
        Parameter::new(
            From::Ours,
            "crowds",
            "one for each setting",
            "the paper ran the three at the same time, for the same crowd",
        ),
    ];
    all.extend(people(&[("cost", "0.1, 0.3, 0.6")]));
    all
}
