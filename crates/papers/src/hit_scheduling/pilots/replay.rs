//! Pilot runs run again here: their batches, and the people who were there when they were there.

use muster_engine::Span;
use muster_engine::policy::settings::PolicySpec;
use muster_report::number::Unit;
use muster_report::sheet::{Cell, Sheet};
use muster_sim::model::Shift;
use muster_sim::study::Interval;

use super::super::diary::{Diary, mean};
use super::super::world::{Batch, World, diaries, weighted_fair};
use super::tables::{PilotBatch, PilotRun, Pilots};
use crate::claim::{Claim, Kind, Printed, Stated};
use crate::lab::{Bench, Trouble};
use crate::method::{Wanted, shown};
use crate::ratio;

impl Pilots {
    /// The runs that can be run again: their policy is noted, all their batches were done and are of table 1.
    pub(super) fn replayed(&self) -> impl Iterator<Item = (&PilotRun, PolicySpec)> {
        self.runs.iter().filter_map(|run| {
            let policy =
                if run.note.starts_with("FS") { weighted_fair() } else { PolicySpec::named("round-robin") };
            let whole =
                !run.batches.is_empty() && (0..run.batches.len()).all(|batch| run.time(batch).is_some());
            (!run.note.is_empty() && whole && !run.stays.is_empty()).then_some((run, policy))
        })
    }
}

/// A pilot run and our runs of it: for each batch its name, its time there, and ours.
pub(super) type Replay<'a> = (&'a PilotRun, Vec<(&'a str, f64, Option<Interval>)>);

pub(super) fn replays<'a>(
    bench: &Bench<'_>,
    pilots: &'a Pilots,
    replications: u32,
) -> Result<Vec<Replay<'a>>, Trouble> {
    let one = |(run, policy): (&'a PilotRun, PolicySpec)| {
        let world = replayed_world(pilots, run);
        let wanted = Wanted { at: &[], seed: 1, replications };
        let heard = diaries(bench, wanted, None, &|_| vec![(world.clone(), policy.clone())])?;
        let batch = |(place, batch): (usize, &'a PilotBatch)| {
            let times =
                heard[0].iter().map(|diary: &Diary| diary.response(place)).filter(|time| time.is_finite());
            Some((batch.name.as_str(), run.time(place)?, Interval::of(times)))
        };
        Ok((run, run.batches.iter().enumerate().filter_map(batch).collect()))
    };
    pilots.replayed().map(one).collect()
}

/// A pilot run as a world: its batches, with the pilots' own task times, and the people who were there when they were.
fn replayed_world(pilots: &Pilots, run: &PilotRun) -> World {
    let mut world = World::seven(0);
    let mean_of = |name: &str| {
        let seconds = pilots.seconds(name);
        if seconds.is_empty() { 30.0 } else { mean(seconds.into_iter()) }
    };
    // The pilots' mean has the switches in it.
    world.switch = 0.0;
    world.types = run.batches.iter().map(|batch| mean_of(&batch.name)).collect();
    let batch = |(place, it): (usize, &PilotBatch)| Batch {
        priority: it.cents.max(1),
        ..Batch::new(place, it.tasks)
    };
    world.batches = run.batches.iter().enumerate().map(batch).collect();
    world.slots = run.batches.iter().map(|it| it.slots).max().unwrap_or(1);
    let begin = run.batches.iter().map(|it| it.published).fold(f64::INFINITY, f64::min);
    let shift = |(from, length): &(f64, f64)| {
        let (from, to) = ((from - begin).max(0.0), (from + length - begin).max(0.0));
        Shift {
            kind: 0,
            workers: 1,
            from: Span::from_secs_f64(from),
            length: Span::from_secs_f64(to - from),
            every: None,
        }
    };
    world.shifts = run.stays.iter().map(shift).filter(|shift| !shift.length.is_zero()).collect();
    world
}

pub(super) fn replayed_claim(replays: &[Replay<'_>]) -> Option<Claim> {
    let pairs: Vec<(f64, f64)> = replays
        .iter()
        .flat_map(|(_, batches)| {
            batches.iter().filter_map(|(_, pilot, ours)| Some((ours.as_ref()?.mean, *pilot)))
        })
        .collect();
    let says = "run again here, batches take as long as they did: our times divided by the pilots'";
    let stated = Stated {
        id: "pilots-replayed",
        says,
        printed: Some(Printed::one(1.0, "the pilot runs themselves")),
        kind: Kind::Number("of the pilots' time"),
    };
    let note = format!(
        "{} batches of {} runs; a check of our people, not a claim of the paper. Ours skip nothing and ask for the next task after short breaks; which of this makes \
         the difference is not told apart here",
        pairs.len(),
        replays.len()
    );
    Some(Claim::compared(stated, Some(ratio::of_means(&pairs)?), note))
}

pub(super) fn replay_table(replays: &[Replay<'_>]) -> Sheet {
    let sheet = Sheet::new("run, batch")
        .caption("Pilot runs, and the same run here with the people who were there: when each batch was done")
        .column("pilot", Unit::Seconds)
        .column("ours", Unit::Seconds);
    replays.iter().fold(sheet, |sheet, (run, batches)| {
        batches.iter().fold(sheet, |sheet, (name, pilot, ours)| {
            let cells: [Cell; 2] = [(*pilot).into(), ours.map(shown).into()];
            sheet.row(&format!("{}: {name}", run.note), cells)
        })
    })
}
