//! The authors' pilot runs of October 2013: what people did in them beside table 1 and beside our people, and four of them run again
//! here with who was there when.
//!
//! Small, and the early ones were for finding mistakes. One run of each kind, so what two runs show has no interval.

mod replay;
mod tables;

use std::collections::BTreeMap;

use muster_report::chart::{Axis, Chart, Figure};
use muster_report::number::Unit;
use muster_report::sheet::{Cell, Sheet};
use muster_sim::fit::{describe, distance, quantile_pairs};
use muster_sim::law::Law;
use muster_sim::study::Interval;

use super::diary::mean;
use super::inputs::Inputs;
use super::world::{TABLE, law, more};
use crate::claim::{Claim, Kind, Printed, Stated, Verdict};
use crate::lab::{Lab, Trouble};
use crate::ratio;
use crate::report::{Experiment, From, Parameter};
use replay::{replay_table, replayed_claim, replays};
use tables::{Answer, PilotRun};
pub use tables::{Pilots, Row, Tables};

const ID: &str = "pilots";

/// The pilots' batches that are in table 1: their name, their place there, and the ids of their claims.
const TYPES: [(&str, usize, &str); 5] = [
    ("Company Customer Service Phone", 0, "pilots-time-b1"),
    ("Image Labeling", 1, "pilots-time-b2"),
    ("Sentiment Analysis", 2, "pilots-time-b3"),
    ("Mobile Phone Memorization", 3, "pilots-time-b4"),
    ("Spelling mistake correction", 4, "pilots-time-b5"),
];
/// Whoever has done so many tasks of a type is practised.
const PRACTISED: usize = 5;
/// How often a pilot run is run again here.
const REPLAYS: u32 = 40;
/// Nobody comes again that much later in a run: longer gaps are no breaks.
const BREAK_MOST: f64 = 600.0;

/// By run, worker and type: times of tasks after one of another batch, and after one of the same.
type Cells<'a> = BTreeMap<(usize, usize, &'a str), (Vec<f64>, Vec<f64>)>;

pub(super) fn run(lab: &Lab<'_>, inputs: &Inputs) -> Result<Experiment, Trouble> {
    let title = "The authors' pilot runs, beside our people".to_owned();
    let Some(pilots) = &inputs.pilots else {
        let about = "Not given (--pilots DIR, with answers.csv, batches.csv, runs.csv and sessions.csv): skipped. So how near our people \
                     are to real ones is not checked here."
            .to_owned();
        return Ok(Experiment {
            id: ID,
            title,
            about,
            parameters: Vec::new(),
            tables: Vec::new(),
            claims: Vec::new(),
            figures: Vec::new(),
        });
    };
    let bench = lab.begin(ID, pilots.replayed().count());
    let replays = replays(&bench, pilots, if lab.quick { 3 } else { REPLAYS })?;
    let mut claims: Vec<Claim> = TYPES.iter().filter_map(|it| pilots.task_time(*it)).collect();
    claims.extend(pilots.switch_costs());
    claims.extend(pilots.between_runs());
    claims.extend(pilots.long_tail());
    claims.extend(replayed_claim(&replays));
    Ok(Experiment {
        id: ID,
        title,
        about: "14 runs of the authors' system with real workers, before the paper's own. What people did in them is set beside table 1 and \
                beside the people of our experiments. The runs whose policy is noted are run again here, with the people who were there \
                when they were there, and with the pilots' own task times."
            .to_owned(),
        parameters: parameters(),
        tables: vec![pilots.people_table(), replay_table(&replays)],
        claims,
        figures: pilots.figures(),
    })
}

impl Pilots {
    fn type_of(&self, answer: &Answer) -> &str {
        &self.runs[answer.run].batches[answer.batch].name
    }

    pub(super) fn seconds(&self, name: &str) -> Vec<f64> {
        self.answers.iter().filter(|it| self.type_of(it) == name).map(|it| it.seconds).collect()
    }

    /// The mean time of a type beside that of table 1; workers differ, so the interval is over workers.
    fn task_time(&self, (name, place, id): (&str, usize, &'static str)) -> Option<Claim> {
        let mut by_worker: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for it in self.answers.iter().filter(|it| self.type_of(it) == name) {
            let sum = by_worker.entry(it.worker).or_default();
            *sum = (sum.0 + it.seconds, sum.1 + 1.0);
        }
        let pairs: Vec<(f64, f64)> = by_worker.into_values().collect();
        let says = "the mean time of a task of this batch, table 1 beside the pilot runs";
        let printed = Some(Printed::one(TABLE[place].1, "table 1"));
        let stated = Stated { id, says, printed, kind: Kind::Number("s") };
        let ours = ratio::of_means(&pairs)?;
        Some(Claim::compared(stated, Some(ours), format!("{name}; interval over {} workers", pairs.len())))
    }

    /// How much longer a task takes after one of another batch: the same worker and type, with and without.
    fn switch_costs(&self) -> Option<Claim> {
        let claim = |after: usize| {
            let cells = self.with_and_without(after);
            let pairs: Vec<(f64, f64)> = cells
                .values()
                .filter(|(with, without)| !with.is_empty() && !without.is_empty())
                .map(both)
                .collect();
            (ratio::of_means(&pairs), pairs.len())
        };
        let (all, cells) = claim(0);
        let (practised, few) = claim(PRACTISED);
        let practised = practised.map_or_else(String::new, |it| {
            let (low, high) = it.ends();
            format!("; once a worker has done {PRACTISED} tasks of the type it is {:.2} ({low:.2} to {high:.2}) in {few} cells: too few to tell a switch from want of practice", it.mean)
        });
        let note = format!(
            "by worker and type, {cells} cells with both kinds of task{practised}. Our experiments take 1.3, swept from 1 to 1.6"
        );
        let stated = Stated::factor(
            "pilots-switch-cost",
            "a task that follows one of another batch takes longer",
            more("5.2.3, 7"),
        );
        Some(Claim::judged(stated, Some(all?), note))
    }

    /// For each run, worker and type: times after another batch, and after the same; without anybody's first tasks of the type.
    fn with_and_without(&self, after: usize) -> Cells<'_> {
        let mut last: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut done: BTreeMap<(usize, usize, &str), usize> = BTreeMap::new();
        let mut cells = Cells::new();
        for it in &self.answers {
            let key = (it.run, it.worker, self.type_of(it));
            let before = last.insert((it.run, it.worker), it.batch);
            let count = done.entry(key).or_default();
            *count += 1;
            let Some(before) = before.filter(|_| *count > after) else { continue };
            let cell = cells.entry(key).or_default();
            if before == it.batch { &mut cell.1 } else { &mut cell.0 }.push(it.seconds);
        }
        cells
    }

    /// The share of answers that follow one of another batch, in a run.
    fn switched(&self, run: usize) -> f64 {
        let mut last: BTreeMap<usize, usize> = BTreeMap::new();
        mean(self.answers.iter().filter(|it| it.run == run).map(|it| {
            let before = last.insert(it.worker, it.batch);
            f64::from(u8::from(before.is_some_and(|before| before != it.batch)))
        }))
    }

    fn run_noted(&self, note: &str) -> Option<usize> {
        self.runs.iter().position(|run| run.note == note)
    }

    /// Figure 8 and round-robin's switches: one run against another.
    fn between_runs(&self) -> Vec<Claim> {
        let (dear, cheap, many, robin) = (
            self.run_noted("FS"),
            self.run_noted("FS 0.05 Batch2"),
            self.run_noted("FS 20 workers"),
            self.run_noted("RR"),
        );
        let time = |run: usize, batch: usize| self.runs[run].time(batch);
        let priority = dear.zip(cheap).and_then(|(one, other)| {
            let cents = |run: usize| self.runs[run].batches.get(1).map(|batch| batch.cents);
            let (dear, cheap) = if cents(one) > cents(other) { (one, other) } else { (other, one) };
            Some(time(cheap, 1)? / time(dear, 1)?)
        });
        let crowd = cheap.zip(many).and_then(|(few, many)| {
            let gains = (0..5)
                .map(|batch| Some(time(few, batch)? / time(many, batch)?))
                .collect::<Option<Vec<f64>>>()?;
            Some(gains.into_iter().fold(f64::INFINITY, f64::min))
        });
        let switches = robin.map(|robin| {
            let others = [dear, cheap, many].into_iter().flatten().map(|run| self.switched(run));
            self.switched(robin) / others.fold(0.0, f64::max)
        });
        let rows = [
            (
                Stated::factor(
                    "pilots-priority",
                    "a higher price for B2 makes it done sooner",
                    more("5.3.3, figure 8a"),
                ),
                priority,
                "0.02 $ against 0.05 $ in the two runs noted FS; by their prices, since the notes have them the other way round",
            ),
            (
                Stated::factor(
                    "pilots-crowd",
                    "with about 20 workers every batch is done sooner than with about 12",
                    more("5.3.3, figure 8b"),
                ),
                crowd,
                "the batch that gains least",
            ),
            (
                Stated::factor(
                    "pilots-robin-switches",
                    "round-robin makes people change more than FS",
                    more("4.3"),
                ),
                switches,
                "against the FS run with the most switches",
            ),
        ];
        rows.into_iter()
            .filter_map(|(stated, ours, note)| {
                Some(without_interval(stated, ours?, format!("one run of each, so it may be chance; {note}")))
            })
            .collect()
    }

    /// How many tasks each worker did in a run, most first, over all runs.
    fn by_worker(&self) -> Vec<u32> {
        let mut counts: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        self.answers.iter().for_each(|it| *counts.entry((it.run, it.worker)).or_default() += 1);
        let mut counts: Vec<u32> = counts.into_values().collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        counts
    }

    fn long_tail(&self) -> Option<Claim> {
        let counts = self.by_worker();
        let (busiest, others) = counts.split_at(counts.len().div_ceil(5));
        let sum = |counts: &[u32]| counts.iter().map(|n| f64::from(*n)).sum::<f64>();
        let stated = Stated::factor(
            "pilots-long-tail",
            "few do most of the tasks: the busiest fifth of the workers does more than all others together",
            more("2.3, figure 2b"),
        );
        let note = format!("{} workers of all runs together, so without an interval", counts.len());
        (sum(others) > 0.0).then(|| without_interval(stated, sum(busiest) / sum(others), note))
    }

    /// From one answer to the beginning of the same worker's next, where both times are known.
    fn breaks(&self) -> Vec<f64> {
        let mut last: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let gap = |it: &Answer| {
            let submit = it.submit?;
            let before = last.insert((it.run, it.worker), submit)?;
            Some((submit - it.seconds - before).max(0.0)).filter(|gap| *gap < BREAK_MOST)
        };
        self.answers.iter().filter_map(gap).collect()
    }

    fn stays(&self) -> Vec<f64> {
        self.runs.iter().flat_map(|run| run.stays.iter().map(|(_, length)| *length)).collect()
    }

    /// Our people beside the pilots'.
    fn people_table(&self) -> Sheet {
        let sheet = Sheet::new("what")
            .caption("People in the pilot runs, and the laws we take for them")
            .column("n", Unit::Count)
            .column("mean", Unit::Of("s".to_owned()))
            .column("sd / mean", Unit::Plain)
            .column("our law", Unit::Plain)
            .column("distance (KS)", Unit::Plain);
        let row = |sheet: Sheet, name: &str, values: &[f64], words: &str, ours: Option<Law>| {
            let Some(seen) = describe(values) else { return sheet };
            let mut sorted = values.to_vec();
            sorted.sort_by(f64::total_cmp);
            let far = ours.map(|law| distance(&law, &sorted));
            let cells: [Cell; 5] = [
                (seen.n as f64).into(),
                seen.mean.into(),
                (seen.sd / seen.mean).into(),
                words.into(),
                far.into(),
            ];
            sheet.row(name, cells)
        };
        let sheet = TYPES.iter().fold(sheet, |sheet, (name, ..)| {
            let seconds = self.seconds(name);
            let ours = (!seconds.is_empty()).then(|| law(mean(seconds.iter().copied()), 1.0));
            row(sheet, name, &seconds, "log-normal, sd / mean 1", ours)
        });
        let stays = self.stays();
        let ours = (!stays.is_empty()).then(|| Law::Exponential(mean(stays.iter().copied())));
        let sheet = row(sheet, "stay", &stays, "exponential", ours);
        row(sheet, "break after a task", &self.breaks(), "exponential, 5 s", Some(Law::Exponential(5.0)))
    }

    fn figures(&self) -> Vec<(Figure, String)> {
        let stays = self.stays();
        if stays.is_empty() {
            return Vec::new();
        }
        let axes = (Axis::new("exponential", Unit::Seconds), Axis::new("in the pilot runs", Unit::Seconds));
        let pairs = quantile_pairs(&Law::Exponential(mean(stays.iter().copied())), &stays, 100);
        let chart = Chart::qq("Stays are nearly exponential", axes.0, axes.1, "stays", pairs);
        vec![(
            chart.into(),
            "Quantiles of stays in the pilot runs against those of an exponential law of the same mean"
                .to_owned(),
        )]
    }
}

impl PilotRun {
    /// How long a batch took, if it was done.
    pub(super) fn time(&self, batch: usize) -> Option<f64> {
        let it = self.batches.get(batch)?;
        it.finished.map(|finished| finished - it.published).filter(|time| *time > 0.0)
    }
}

fn both((with, without): &(Vec<f64>, Vec<f64>)) -> (f64, f64) {
    (mean(with.iter().copied()), mean(without.iter().copied()))
}

/// A factor of which there is but one sample: on the paper's side or not.
fn without_interval(stated: Stated, ours: f64, note: String) -> Claim {
    let verdict = if stated.is_on_side(ours) { Verdict::Direction } else { Verdict::NotReproduced };
    Claim::new(stated, Some(Interval { mean: ours, half: f64::INFINITY, n: 1 }), verdict, note)
}

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new(
            From::Paper,
            "seconds per task",
            "table 1",
            "the pilots' own where they are run again",
        ),
        Parameter::new(From::Ours, "FS", "weighted-fair by price", "as fair as printed knows no price"),
        Parameter::new(
            From::Ours,
            "people",
            "as in the other experiments",
            "but there from when to when they were there in the pilot",
        ),
        Parameter::new(From::Ours, "skips", "left out", "skipped tasks are in the pilots, not in our people"),
    ]
}
