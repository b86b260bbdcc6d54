//! What the experiments have in common: the paper's batches, people who do them, and how runs become numbers.
//!
//! The paper's HITs are tasks here and its batches jobs; every batch of table 1 is of an app of its own. People are ours: the
//! paper says nothing of how they behave. Start at [`World`].

use std::sync::Arc;

use muster_engine::Span;
use muster_engine::ids::AppId;
use muster_engine::money::Money;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{KindSpec, LeaseLength, PoolSpec};
use muster_sim::law::Law;
use muster_sim::model::{
    App, Arrivals, Demand, Horizon, Kind, Pausing, Plan, Pool, Replications, Setup, Shift, Step, Task, Tenant,
};
use muster_sim::random::{Chance, Purpose};

use super::choice;
use super::diary::{Diary, mean};
use crate::claim::Printed;
use crate::lab::{Bench, Heard, Trouble};
use crate::method::{Sample, Wanted};
use crate::report::{From, Parameter};

/// Table 1: tasks, seconds per task, price in cents.
pub(crate) const TABLE: [(u32, f64, u32); 7] = [
    (50, 75.0, 7),
    (50, 40.0, 2),
    (200, 22.0, 5),
    (100, 11.0, 3),
    (100, 36.0, 3),
    (600, 15.0, 1),
    (96, 22.0, 1),
];
/// The paper's names of the batches.
pub(crate) const NAMES: [&str; 7] = ["B1", "B2", "B3", "B4", "B5", "B6", "B7"];

/// Nobody's time for a task runs out: so every task that is handed out is answered.
const NO_LIMIT: Span = Span::from_hours(24);

/// How the paper's claims without a number are written: more than 1 times.
pub(crate) const fn more(place: &'static str) -> Printed {
    Printed::range(1.0, f64::INFINITY, place)
}

/// A batch.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// The types of its tasks, by place, and how many of each.
    pub(crate) of: Vec<(usize, u32)>,
    pub(crate) priority: u32,
    /// When it comes, in seconds.
    pub(crate) at: f64,
}

impl Batch {
    /// So many tasks of a type, there from the beginning.
    pub(crate) fn new(app: usize, tasks: u32) -> Self {
        Self { of: vec![(app, tasks)], priority: 1, at: 0.0 }
    }
}

/// Batches and people.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// Seconds per task, for each type.
    pub(crate) types: Vec<f64>,
    pub(crate) batches: Vec<Batch>,
    /// How many answers a task needs.
    pub(crate) slots: u8,
    /// How much task times differ: the standard deviation as a part of the mean.
    pub(crate) spread: f64,
    /// How fast people are: the standard deviation, around 1.
    pub(crate) speeds: f64,
    /// Breaks of so many seconds for each task, on average.
    pub(crate) pause: f64,
    /// After which share of the tasks there is a break: the fewer there are, the longer.
    pub(crate) pause_share: f64,
    /// What changing to another type costs each time, as a part of the task's time.
    pub(crate) switch: f64,
    /// How long it takes to find another batch, in seconds: if it is of the same type, and if it is of another.
    pub(crate) search: (f64, f64),
    /// Who is there all the time.
    pub(crate) workers: u32,
    /// Who comes and goes.
    pub(crate) shifts: Vec<Shift>,
}

impl World {
    /// The seven batches of table 1, all there from the beginning, with priorities of 1.
    pub(crate) fn seven(workers: u32) -> Self {
        let batch = |(place, row): (usize, &(u32, f64, u32))| Batch::new(place, row.0);
        Self {
            types: TABLE.iter().map(|row| row.1).collect(),
            batches: TABLE.iter().enumerate().map(batch).collect(),
            slots: 1,
            spread: 1.0,
            speeds: 0.3,
            pause: 5.0,
            pause_share: 1.0,
            switch: 0.3,
            search: (0.0, 0.0),
            workers,
            shifts: Vec::new(),
        }
    }

    /// The same with the price as priority.
    pub(crate) fn by_price(mut self) -> Self {
        self.batches.iter_mut().zip(&TABLE).for_each(|(batch, row)| batch.priority = row.2);
        self
    }

    /// The set-up under a dispatch policy.
    pub(crate) fn setup(&self, dispatch: PolicySpec) -> Setup {
        let mut setup = Setup::new();
        setup.tenants.push(Tenant::new("everybody"));
        setup.kinds.push(self.people());
        setup.apps =
            self.types.iter().enumerate().map(|(place, seconds)| self.app(place, *seconds)).collect();
        let apps: Vec<AppId> = (0..).map(AppId).take(setup.apps.len()).collect();
        let mut spec = PoolSpec::serving(&apps);
        spec.policies.dispatch = dispatch;
        let mut pool = Pool::new("crowd", spec);
        pool.workers.push((0, self.workers));
        pool.shifts.clone_from(&self.shifts);
        setup.pools.push(pool);
        setup.demands =
            self.batches.iter().enumerate().map(|(place, batch)| self.demand(place, batch)).collect();
        setup
    }

    fn app(&self, place: usize, seconds: f64) -> App {
        let mut app = App::new(&format!("type {}", place + 1), law(seconds, self.spread));
        app.spec.lease = LeaseLength::Fixed(NO_LIMIT);
        app.switch_app = Law::Fixed(self.switch * seconds + self.search.1);
        app.switch_job = Law::Fixed(self.search.0);
        app
    }

    fn people(&self) -> Kind {
        let mut people = Kind::steady("people", KindSpec::person(Money::ZERO));
        people.speed = law(1.0, self.speeds);
        if self.pause > 0.0 {
            let law = Law::Exponential(self.pause / self.pause_share);
            people.pausing = Pausing { share: self.pause_share, law };
        }
        people
    }

    fn demand(&self, place: usize, batch: &Batch) -> Demand {
        let (first, tasks) = batch.of[0];
        let mut demand = Demand::of(&format!("batch {}", place + 1), 0, first, Arrivals::None);
        if batch.at > 0.0 {
            demand.arrivals = Arrivals::Recorded(Arc::new([(Span::from_secs_f64(batch.at), 0)]));
        } else {
            demand.backlog = 1;
        }
        demand.task = match batch.of[..] {
            [_] => Task::Batch { app: first, size: Law::Fixed(f64::from(tasks)) },
            _ => Task::Workflow(batch.of.iter().flat_map(steps).collect()),
        };
        demand.slots = self.slots;
        demand.priority = batch.priority;
        demand.expected = Some(Span::from_secs_f64(self.types[first]));
        demand
    }

    /// When the last batch has come.
    fn all_there(&self) -> Span {
        let last = self.batches.iter().map(|batch| batch.at).fold(0.0, f64::max);
        Span::from_secs_f64(last + 1.0)
    }
}

fn steps((app, tasks): &(usize, u32)) -> impl Iterator<Item = Step> {
    let step = Step { app: *app, after: Vec::new() };
    std::iter::repeat_n(step, *tasks as usize)
}

/// Log-normal with this mean and a standard deviation of a part of it; fixed if that is zero.
pub(crate) fn law(mean: f64, spread: f64) -> Law {
    let law = if spread > 0.0 { Law::log_normal(mean, spread * mean) } else { Law::fixed(mean) };
    law.expect("means are above zero")
}

/// People who come by chance, so many there on average, and stay by a law: until a time.
pub(crate) fn drifting(there: f64, stay: &Law, until: f64, seed: u64) -> Vec<Shift> {
    let mut chance = Chance::of(seed, Purpose::Recruiting, 0, 0);
    let gap = Law::Exponential(stay.mean() / there);
    let come = std::iter::successors(Some(0.0), move |at| Some(at + gap.draw(&mut chance)));
    let mut stays = Chance::of(seed, Purpose::Recruiting, 1, 0);
    let shift = |at: f64| Shift {
        kind: 0,
        workers: 1,
        from: Span::from_secs_f64(at),
        length: Span::from_secs_f64(stay.draw(&mut stays)),
        every: None,
    };
    come.take_while(|at| *at < until).map(shift).collect()
}

/// Everybody gets what has least of the workers, whatever its priority.
pub(crate) fn fair() -> PolicySpec {
    PolicySpec::named("fair").with("between", "jobs")
}

/// The same by priorities.
pub(crate) fn weighted_fair() -> PolicySpec {
    PolicySpec::named("weighted-fair").with("between", "jobs")
}

/// The same, with so many concessions.
pub(crate) fn worker_conscious(concessions: u32) -> PolicySpec {
    PolicySpec::named("worker-conscious").with("between", "jobs").with("concessions", concessions)
}

/// A world, the policy it is under, and which of the independent runs it is: the same number is the same people.
pub(crate) type Trial = (World, PolicySpec, u32);

/// Makes runs; a run ends when all is done, or at `end`.
pub(crate) fn hear(
    bench: &Bench<'_>,
    seed: u64,
    end: Option<Span>,
    trials: Vec<Trial>,
) -> Result<Vec<Diary>, Trouble> {
    let all_there = trials.iter().map(|(world, ..)| world.all_there()).max().unwrap_or(Span::ZERO);
    let horizon = end.map_or(Horizon::Drain(all_there), Horizon::Time);
    let replications = Replications::Fixed(1);
    let plan = Plan { horizon, warm_up: Span::ZERO, replications, seed, points: 2 };
    let runs: Vec<(Setup, u32)> =
        trials.into_iter().map(|(world, dispatch, number)| (world.setup(dispatch), number)).collect();
    bench.hear(Heard { runs: &runs, plan: &plan, registry: &choice::registry() })
}

/// Runs the variants of a world as often as wanted: for each variant its diaries. What differs between the runs (who comes
/// when, say) is made from the number given.
pub(crate) fn diaries(
    bench: &Bench<'_>,
    wanted: Wanted<'_>,
    end: Option<Span>,
    variants: &dyn Fn(u64) -> Vec<(World, PolicySpec)>,
) -> Result<Vec<Vec<Diary>>, Trouble> {
    let round = |number: u32| {
        let seed = Chance::of(wanted.seed, Purpose::Replication, u64::from(number), 1).bits();
        variants(seed).into_iter().map(move |(world, dispatch)| (world, dispatch, number))
    };
    let heard = hear(bench, wanted.seed, end, (0..wanted.replications).flat_map(round).collect())?;
    let count = heard.len() / wanted.replications.max(1) as usize;
    let mut by_variant = vec![Vec::new(); count];
    heard.into_iter().enumerate().for_each(|(place, diary)| by_variant[place % count].push(diary));
    Ok(by_variant)
}

/// The mean over each variant's runs of what is measured in one.
pub(crate) fn averaged(diaries: &[Vec<Diary>], measured: impl Fn(&Diary) -> Vec<f64>) -> Sample {
    let variant = |runs: &Vec<Diary>| {
        let all: Vec<Vec<f64>> = runs.iter().map(&measured).collect();
        let width = all.first().map_or(0, Vec::len);
        (0..width).map(|q| mean(all.iter().map(|run| run[q]))).collect()
    };
    diaries.iter().map(variant).collect()
}

/// What is ours in every experiment, but for what is swept in it.
pub(crate) fn people(swept: &[(&str, &str)]) -> Vec<Parameter> {
    let usual = [
        ("spread of task times (sd / mean)", "1, log-normal", "0.8 to 1.2 in the pilot runs"),
        ("spread of people's speed (sd)", "0.3, log-normal", ""),
        (
            "break after each task",
            "5 s, exponential",
            "the pilot runs: 11 s on average, mostly none and a few long ones",
        ),
        ("cost of changing to another type", "0.3 of the task's time", ""),
    ];
    let row = |(name, value, note): (&str, &str, &str)| {
        let sweep =
            swept.iter().find(|(of, _)| name.starts_with(of)).map(|(_, values)| format!("swept: {values}"));
        let note = match (note, sweep) {
            ("", None) => "not swept".to_owned(),
            (note, None) => note.to_owned(),
            ("", Some(sweep)) => sweep,
            (note, Some(sweep)) => format!("{note}; {sweep}"),
        };
        Parameter::new(From::Ours, name, value, &note)
    };
    usual.map(row).into()
}
