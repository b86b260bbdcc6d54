//! Elasticity (6.2, figure 3a): the load steps up; who follows how fast, and at what cost?

use muster_engine::Span;
use muster_engine::policy::settings::PolicySpec;
use muster_report::chart::{At, Axis, Chart, Figure};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::measure::Measure;
use muster_sim::model::{Curve, Setup};
use muster_sim::study::{Study, Together};

use super::Inputs;
use super::world::{
    Policies, WAGE_SECOND, World, mean, pool_sizes, printed_cost, scenario, throughput, waiting_pay,
};
use crate::claim::Printed;
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Method, Quantity, Sample, Wanted};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 4] = ["static", "rules", "pid-size", "pid-throughput"];
const S: usize = 0;
const RB: usize = 1;
const CT_P: usize = 2;
const CT_T: usize = 3;

/// Tasks per second after the step: as in the bars of figure 3a.
const RATE_AFTER: f64 = 40.0;
/// When the load steps, and when the run ends: 13 min before and after.
const STEP_AT: f64 = 780.0;
const END: f64 = 1560.0;
/// A pool has settled when its size stays within this part of the recommended one.
const SETTLED: f64 = 0.15;

const QUANTITIES: [Quantity; 6] = [
    Quantity { name: "throughput", unit: "/s", best: Some(Best::High) },
    Quantity { name: "waiting pay", unit: "$/s", best: Some(Best::Low) },
    Quantity { name: "the same before and after", unit: "$/s", best: None },
    Quantity { name: "by the printed formula", unit: "$/s", best: None },
    Quantity { name: "settled after", unit: "s", best: Some(Best::Low) },
    Quantity { name: "p95 wait", unit: "s", best: Some(Best::Low) },
];
const THROUGHPUT: usize = 0;
const PAY: usize = 1;
const PRINTED_COST: usize = 3;
const SETTLING: usize = 4;

const BARS: [&[Option<f64>]; 4] = [
    &[Some(33.6), Some(0.072)],
    &[Some(35.0), Some(0.0040)],
    &[Some(39.2), Some(0.0062)],
    &[Some(38.5), Some(0.0008)],
];

const TEXT: &str = "6.2";
const MORE: Printed = Printed::range(1.0, f64::INFINITY, TEXT);
const SETTLES: &str =
    "settled: the size stays within 15 % of the recommended one; who never does counts with the whole time";

const KEEPS: &str = "pid-throughput calls for people while a backlog grows, and only idle people are released here, so they stay when it is \
                     worked off; it is cheap only with a small gain, which keeps a backlog standing";
const PRINTED: &str = "by the printed formula (workers less waiting tasks): after the step nobody is idle in a static pool that is too small. \
                       Over the whole run its waiting pay comes near its bar, so the bar seems to be that";

const EFFECTS: [Effect; 8] = [
    Effect::new(
        "elasticity-settles-size",
        "pid-size reaches the new best size sooner than rules (factor of time)",
        MORE,
        |s| (s[RB][SETTLING], s[CT_P][SETTLING]),
        SETTLES,
    ),
    Effect::new(
        "elasticity-settles-throughput",
        "pid-throughput reaches the new best size sooner than rules (factor of time)",
        MORE,
        |s| (s[RB][SETTLING], s[CT_T][SETTLING]),
        SETTLES,
    ),
    Effect::new(
        "elasticity-throughput-static",
        "pid-size does 17 % more than a static pool",
        Printed::one(1.17, TEXT),
        |s| (s[CT_P][THROUGHPUT], s[S][THROUGHPUT]),
        "a static pool sized for the mean load is too small after the step, so the factor is the step's, not the policy's",
    ),
    Effect::new(
        "elasticity-throughput-rules",
        "pid-size does 12 % more than rules",
        Printed::one(1.12, TEXT),
        |s| (s[CT_P][THROUGHPUT], s[RB][THROUGHPUT]),
        "in the long run all that come are done; the factor is what rules have not yet caught up with when the run ends",
    ),
    Effect::new(
        "elasticity-throughput-pid",
        "pid-size does 2 to 12 % more than pid-throughput",
        Printed::range(1.02, 1.12, TEXT),
        |s| (s[CT_P][THROUGHPUT], s[CT_T][THROUGHPUT]),
        "",
    ),
    Effect::new(
        "elasticity-cost-rules",
        "rules pay 5 to 8 times as much for waiting as pid-throughput",
        Printed::range(5.0, 8.0, TEXT),
        |s| (s[RB][PAY], s[CT_T][PAY]),
        KEEPS,
    ),
    Effect::new(
        "elasticity-cost-size",
        "pid-size pays 5 to 8 times as much for waiting as pid-throughput",
        Printed::range(5.0, 8.0, TEXT),
        |s| (s[CT_P][PAY], s[CT_T][PAY]),
        "",
    ),
    Effect::new(
        "elasticity-cost-static",
        "a static pool pays 88 times as much for waiting as pid-throughput",
        Printed::one(88.0, TEXT),
        |s| (s[S][PRINTED_COST], s[CT_T][PRINTED_COST]),
        PRINTED,
    ),
];

/// The swept settings.
#[derive(Clone, Copy, Debug)]
struct Settings {
    period: f64,
    gain: f64,
    step: f64,
    begin: f64,
    counted: bool,
}

const BASE: [f64; 5] = [1.0, 0.5, 2.0, 0.5, 1.0];

fn grid() -> Grid {
    Grid::new(vec![
        ("control period (s)", vec![1.0, 10.0, 60.0]),
        ("gain", vec![0.1, 0.5, 1.0]),
        ("step in load (factor)", vec![1.5, 2.0, 4.0]),
        ("size at the beginning (of the best)", vec![0.0, 0.5, 1.0]),
        ("recruits on their way counted (0 no, 1 yes)", vec![0.0, 1.0]),
    ])
}

impl Settings {
    fn of(at: &[f64]) -> Self {
        Self { period: at[0], gain: at[1], step: at[2], begin: at[3], counted: at[4] > 0.5 }
    }

    fn world(&self, workers: u32) -> World {
        let curve = Curve::steps(&[(0.0, 1.0 / self.step), (STEP_AT, 1.0)], None).expect("a step is a curve");
        World::generated(RATE_AFTER, Some(curve), workers)
    }

    fn scaling(&self, name: &str) -> PolicySpec {
        PolicySpec::named(name)
            .with("every", Span::from_secs_f64(self.period))
            .with("count_in_flight", self.counted)
    }

    fn setups(&self) -> Vec<(&'static str, Setup)> {
        let blank = self.world(0);
        let (before, over_all) = (RATE_AFTER / self.step, RATE_AFTER * (1.0 + 1.0 / self.step) / 2.0);
        let first = libm::round(self.begin * f64::from(blank.best_size(before))) as u32;
        let scaling = [
            PolicySpec::named("static"),
            self.scaling("rules"),
            self.scaling("pid-size").with("kp", self.gain),
            self.scaling("pid-throughput").with("kp", self.gain),
        ];
        let setup = |(place, scaling): (usize, PolicySpec)| {
            let workers = if place == S { blank.best_size(over_all) } else { first };
            (VARIANTS[place], self.world(workers).setup(&Policies { scaling, ..Policies::nothing() }))
        };
        scaling.into_iter().enumerate().map(setup).collect()
    }
}

fn study(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Study, Trouble> {
    let times = (Span::from_secs_f64(END), Span::from_secs_f64(STEP_AT));
    let runs = (wanted.seed, wanted.replications);
    bench.study(&scenario("elasticity", times, runs, Settings::of(wanted.at).setups()))
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Sample, Trouble> {
    let best = f64::from(Settings::of(wanted.at).world(0).best_size(RATE_AFTER));
    let one = |variant: &Together| {
        vec![
            throughput(variant),
            waiting_pay(variant),
            WAGE_SECOND * idle(variant),
            printed_cost(variant, 1, STEP_AT),
            settling(variant, best),
            mean(variant, Measure::WaitP95),
        ]
    };
    Ok(study(bench, wanted)?.variants.iter().map(one).collect())
}

/// Idle workers on average over the whole run.
fn idle(variant: &Together) -> f64 {
    let (size, busy) = (variant.size(0), variant.busy(0));
    let idle: Vec<f64> = size.iter().zip(&busy).map(|(size, busy)| size.mean - busy.mean).collect();
    idle.iter().sum::<f64>() / idle.len().max(1) as f64
}

/// How long after the step the size is near the best for good.
fn settling(variant: &Together, best: f64) -> f64 {
    let far = |at: &f64| *at > STEP_AT;
    let away = variant.size(0).into_iter().filter(|point| (point.mean - best).abs() > SETTLED * best);
    away.map(|point| point.at).rfind(far).map_or(0.0, |last| (last - STEP_AT).min(END - STEP_AT))
}

pub(super) fn run(lab: &Lab<'_>, _inputs: &Inputs) -> Result<Experiment, Trouble> {
    let method = Method {
        id: "elasticity",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &BARS,
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (8, 3),
        sweep_runs: 1,
    };
    let mut found = method.run(lab, &sample)?;
    let curves = method.curves(lab, 5, study)?;
    found.figures.insert(0, sizes(&curves));
    let about = "One app; the load doubles at 13 min of 26. The static pool has the best size for the mean load of the whole run, the \
                others begin smaller and follow. Measured after the step.";
    Ok(method.told("Elasticity: the load steps up", about, parameters(), found))
}

fn sizes(study: &Study) -> (Figure, String) {
    let axes = (Axis::new("time", Unit::Seconds), Axis::new("workers", Unit::Count).up_to(1000.0));
    let start = Chart::new("Who follows a doubled load?", axes.0, axes.1).mark("step", At::X(STEP_AT));
    let best = f64::from(Settings::of(&BASE).world(0).best_size(RATE_AFTER));
    let chart = pool_sizes(start, &VARIANTS, study, 0, true);
    (
        chart.mark("best size after the step", At::Y(best)).into(),
        "Pool sizes in the main run, with the middle 90 % of runs".to_owned(),
    )
}

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new(From::Paper, "waiting wage", "0.05 $/min", ""),
        Parameter::new(
            From::Paper,
            "rules",
            "as printed",
            "queue > 10 or best - size > 5: recruit 1; best - size < -5: release 1",
        ),
        Parameter::new(
            From::Paper,
            "recruiting",
            "exponential, r = 0.02 /s",
            "given for stability; used here too",
        ),
        Parameter::new(
            From::Implied,
            "tasks of a worker",
            "0.0925 /s",
            "from the bars of the balance experiment",
        ),
        Parameter::new(From::Implied, "load after the step", "40 /s", "the highest bar is 39.2"),
        Parameter::new(From::Ours, "load before", "20 /s", "swept: steps of 1.5, 2 and 4"),
        Parameter::new(From::Ours, "control period", "1 s", "swept: 1, 10, 60 s"),
        Parameter::new(From::Ours, "gain (kp; ki = kd = 0)", "0.5", "swept: 0.1, 0.5, 1"),
        Parameter::new(From::Ours, "size at the beginning", "half the best", "swept: none, half, the best"),
        Parameter::new(From::Ours, "recruits on their way", "counted", "swept: counted or not"),
        Parameter::new(
            From::Ours,
            "length",
            "13 min before and after",
            "implied for stability by the bar of 'none'",
        ),
        Parameter::new(From::Ours, "eta, window", "0.5 (in seconds), 1 min", "not swept"),
    ]
}
