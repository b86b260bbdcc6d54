//! What the experiments may be given from outside: the hour of 28 batches, and the pilot runs.

use muster_formats::trace::{Shape, Trace};
use muster_sim::random::{Chance, Purpose};

use super::pilots::Pilots;

/// What the experiments may be given.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The batches of an hour.
    pub hour: Hour,
    /// The authors' pilot runs; without them that experiment is skipped.
    pub pilots: Option<Pilots>,
}

/// A batch of the hour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Planned {
    /// Its type, by place in table 1.
    pub(crate) kind: usize,
    pub(crate) tasks: u32,
    pub(crate) slots: u8,
    /// When it comes, in seconds.
    pub(crate) at: f64,
}

/// How large the paper calls a batch. Its ranges overlap at 9; 9 is small, since only so there are 16, 8 and 4 of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Small,
    Medium,
    Large,
}

impl Size {
    pub(crate) const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

impl Planned {
    pub(crate) fn size(&self) -> Size {
        match self.tasks {
            0..=9 => Size::Small,
            10..=15 => Size::Medium,
            _ => Size::Large,
        }
    }
}

/// The batches of an hour: those of a trace, or drawn anew for each sample.
#[derive(Clone, Debug, Default)]
pub struct Hour {
    recorded: Option<Vec<Planned>>,
}

/// The types of the trace, and their places in table 1.
const TYPES: [(&str, usize); 5] =
    [("data", 0), ("tag", 1), ("sentiment", 2), ("classify", 5), ("er_multi", 6)];
/// How many of which size, and their least and largest.
const SHAPE: [(u32, u32, u32); 3] = [(16, 1, 9), (8, 10, 15), (4, 16, 45)];
/// The mean gap between two batches in seconds.
const GAP: f64 = 128.0;
/// How many answers a task needs in the authors' files.
const SLOTS: u8 = 3;
/// No batch of a trace has more tasks.
const TASKS_MOST: u32 = 10_000;

impl Hour {
    /// The batches of a trace of arrivals, such as `workload28.csv`; an error says what is wrong with it.
    pub fn recorded(trace: &Trace) -> Result<Self, String> {
        if trace.shape != Shape::Arrivals || trace.arrivals.is_empty() {
            return Err("there are no arrivals in it; columns batch, task_class, num_tasks, repetition and arrival_s are needed"
                .to_owned());
        }
        let first = trace.arrivals.iter().map(|it| it.at).min().unwrap_or_default();
        let batch = |it: &muster_formats::trace::Arrival| {
            let name = it.app.map_or("", |app| trace.apps.list()[app].as_str());
            let known = TYPES.iter().find(|(of, _)| *of == name);
            let types = TYPES.map(|(name, _)| name).join(", ");
            let (_, kind) = known
                .ok_or_else(|| format!("line {}: task_class is '{name}'; allowed is {types}", it.line))?;
            let slots = u8::try_from(it.slots).ok().filter(|slots| (1..=20).contains(slots));
            let slots = slots
                .ok_or_else(|| format!("line {}: repetition is {}; allowed is 1 to 20", it.line, it.slots))?;
            if !(1..=TASKS_MOST).contains(&it.tasks) {
                return Err(format!(
                    "line {}: num_tasks is {}; allowed is 1 to {TASKS_MOST}",
                    it.line, it.tasks
                ));
            }
            Ok(Planned { kind: *kind, tasks: it.tasks, slots, at: it.at.since(first).as_secs_f64() })
        };
        let mut batches = trace.arrivals.iter().map(batch).collect::<Result<Vec<Planned>, String>>()?;
        batches.sort_by(|a, b| a.at.total_cmp(&b.at));
        Ok(Self { recorded: Some(batches) })
    }

    /// The batches, in the order in which they come.
    pub(crate) fn batches(&self, seed: u64) -> Vec<Planned> {
        self.recorded.clone().unwrap_or_else(|| synthetic(seed))
    }

    pub(crate) fn about(&self) -> &'static str {
        if self.recorded.is_some() {
            "The batches of the trace that was given."
        } else {
            "No trace was given (--trace workload28.csv): a synthetic hour of the same shape, drawn anew for each sample."
        }
    }

    pub(crate) fn source(&self) -> String {
        let Some(batches) = &self.recorded else {
            return "sizes evenly within the paper's ranges, types by chance, exponential gaps of 128 s as in the authors' script"
                .to_owned();
        };
        let tasks: u32 = batches.iter().map(|it| it.tasks).sum();
        format!("the trace has {} batches with {tasks} tasks", batches.len())
    }

    pub(crate) fn slots_words(&self) -> &'static str {
        if self.recorded.is_some() { "as in the trace" } else { "3" }
    }
}

/// 16 small, 8 medium and 4 large batches in any order.
fn synthetic(seed: u64) -> Vec<Planned> {
    let mut chance = Chance::of(seed, Purpose::Size, 28, 0);
    let below = |n: u32, chance: &mut Chance| (chance.unit() * f64::from(n)) as u32;
    let mut sizes = Vec::new();
    for (count, least, most) in SHAPE {
        sizes.extend((0..count).map(|_| least + below(most - least + 1, &mut chance)));
    }
    let mut at = 0.0;
    let mut batches = Vec::new();
    while !sizes.is_empty() {
        let tasks = sizes.swap_remove(below(sizes.len() as u32, &mut chance) as usize);
        let (_, kind) = TYPES[below(TYPES.len() as u32, &mut chance) as usize];
        batches.push(Planned { kind, tasks, slots: SLOTS, at });
        at += muster_sim::law::Law::Exponential(GAP).draw(&mut chance);
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_synthetic_hour_has_the_shape_of_the_papers() {
        for seed in 0..20 {
            let batches = Hour::default().batches(seed);
            let count = |size| batches.iter().filter(|it| it.size() == size).count();
            assert_eq!(Size::ALL.map(count), [16, 8, 4]);
            assert_eq!(batches[0].at, 0.0);
            assert!(batches.windows(2).all(|two| two[0].at < two[1].at));
            assert!(batches.iter().all(|it| (1..=45).contains(&it.tasks)));
        }
    }
}
