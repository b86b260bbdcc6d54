//! Stability (6.2, figure 3b): people leave after every tenth task; who keeps the pool up, and at what cost?

use muster_engine::Span;
use muster_engine::policy::settings::PolicySpec;
use muster_report::chart::{At, Axis, Chart, Figure};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::law::Law;
use muster_sim::model::{Leaving, Setup};
use muster_sim::study::{Study, Together};

use super::Inputs;
use super::world::{Policies, World, pool_sizes, printed_cost, scenario, throughput, waiting_pay};
use crate::claim::Printed;
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Method, Quantity, Sample, Wanted};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 4] = ["none", "rules", "average-rate", "hybrid"];
const N: usize = 0;
const RB: usize = 1;
const AR: usize = 2;
const HR: usize = 3;

/// Tasks per second: the highest bar is 10.7.
const RATE: f64 = 11.0;
/// Probability of leaving after each task.
const ALPHA: f64 = 0.1;

const QUANTITIES: [Quantity; 3] = [
    Quantity { name: "throughput", unit: "/s", best: Some(Best::High) },
    Quantity { name: "waiting pay", unit: "$/s", best: Some(Best::Low) },
    Quantity { name: "by the printed formula", unit: "$/s", best: None },
];
const THROUGHPUT: usize = 0;
const PAY: usize = 1;

const BARS: [&[Option<f64>]; 4] = [
    &[Some(1.55), Some(0.0)],
    &[Some(9.3), Some(0.00006)],
    &[Some(10.7), Some(0.00267)],
    &[Some(9.9), Some(0.0008)],
];

const TEXT: &str = "6.2";
const NEUTRAL: &str = "average-rate replaces those who left and never makes up for a pool that is already too small; rules add one per period \
                       while it is";

const EFFECTS: [Effect; 7] = [
    Effect::new(
        "stability-none",
        "rules do more than nobody being replaced: none is the worst by far",
        Printed::one(6.0, "figure 3b"),
        |s| (s[RB][THROUGHPUT], s[N][THROUGHPUT]),
        "without replacement a pool does ten tasks per worker and is empty; the factor is the length of the run",
    ),
    Effect::new(
        "stability-average-none",
        "average-rate does up to 14 times as much as none",
        Printed::range(1.0, 14.0, TEXT),
        |s| (s[AR][THROUGHPUT], s[N][THROUGHPUT]),
        "",
    ),
    Effect::new(
        "stability-average-hybrid",
        "average-rate does 5 to 15 % more than hybrid",
        Printed::range(1.05, 1.15, TEXT),
        |s| (s[AR][THROUGHPUT], s[HR][THROUGHPUT]),
        "",
    ),
    Effect::new(
        "stability-average-rules",
        "average-rate does 14 % to twice more than rules",
        Printed::range(1.14, 2.0, TEXT),
        |s| (s[AR][THROUGHPUT], s[RB][THROUGHPUT]),
        NEUTRAL,
    ),
    Effect::new(
        "stability-hybrid-rules",
        "hybrid does more than rules",
        Printed::one(1.065, "figure 3b"),
        |s| (s[HR][THROUGHPUT], s[RB][THROUGHPUT]),
        NEUTRAL,
    ),
    Effect::new(
        "stability-cost-hybrid",
        "average-rate pays 3.3 times as much for waiting as hybrid",
        Printed::one(3.3, TEXT),
        |s| (s[AR][PAY], s[HR][PAY]),
        "",
    ),
    Effect::new(
        "stability-cost-rules",
        "average-rate pays 47 times as much for waiting as rules",
        Printed::one(47.0, TEXT),
        |s| (s[AR][PAY], s[RB][PAY]),
        "",
    ),
];

#[derive(Clone, Copy, Debug)]
struct Settings {
    period: f64,
    window: f64,
    length: f64,
    rate: f64,
    counted: bool,
}

const BASE: [f64; 5] = [1.0, 60.0, 780.0, 0.0925, 0.0];

fn grid() -> Grid {
    Grid::new(vec![
        ("period of rules (s)", vec![1.0, 5.0, 20.0]),
        ("window of the average (s)", vec![10.0, 60.0, 300.0]),
        ("length of the run (s)", vec![300.0, 780.0, 3600.0]),
        ("tasks of a worker (/s)", vec![0.0925, 0.5]),
        ("recruits on their way counted (0 no, 1 yes)", vec![0.0, 1.0]),
    ])
}

impl Settings {
    fn of(at: &[f64]) -> Self {
        Self { period: at[0], window: at[1], length: at[2], rate: at[3], counted: at[4] > 0.5 }
    }

    fn world(&self) -> World {
        let mut world = World::generated(RATE, None, 0);
        world.work = Law::Exponential(1.0 / self.rate);
        world.leaving = Leaving { after_task: ALPHA, ..Leaving::default() };
        world.apps[0].2 = world.best_size(RATE);
        world
    }

    fn setups(&self) -> Vec<(&'static str, Setup)> {
        let rated = |name: &str| {
            let window = Span::from_secs_f64(self.window);
            PolicySpec::named(name).with("window", window).with("count_in_flight", self.counted)
        };
        let rules = PolicySpec::named("rules").with("every", Span::from_secs_f64(self.period));
        let replacement = [
            PolicySpec::named("none"),
            rules.with("count_in_flight", self.counted),
            rated("average-rate"),
            rated("hybrid"),
        ];
        let world = self.world();
        let setup = |replacement| world.setup(&Policies { replacement, ..Policies::nothing() });
        VARIANTS.into_iter().zip(replacement.map(setup)).collect()
    }
}

fn study(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Study, Trouble> {
    let settings = Settings::of(wanted.at);
    let times = (Span::from_secs_f64(settings.length), Span::ZERO);
    bench.study(&scenario("stability", times, (wanted.seed, wanted.replications), settings.setups()))
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Sample, Trouble> {
    let one =
        |variant: &Together| vec![throughput(variant), waiting_pay(variant), printed_cost(variant, 1, 0.0)];
    Ok(study(bench, wanted)?.variants.iter().map(one).collect())
}

pub(super) fn run(lab: &Lab<'_>, _inputs: &Inputs) -> Result<Experiment, Trouble> {
    let method = Method {
        id: "stability",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &BARS,
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (10, 4),
        sweep_runs: 2,
    };
    let mut found = method.run(lab, &sample)?;
    let curves = method.curves(lab, 10, study)?;
    found.figures.insert(0, sizes(&curves));
    let about = "One app, 11 tasks/s; everybody leaves with probability 0.1 after each task, and a recruit takes 50 s to come on average. \
                The pool begins with the best size and nothing but replacement brings anybody in.";
    Ok(method.told("Stability: people leave", about, parameters(), found))
}

fn sizes(study: &Study) -> (Figure, String) {
    let axes = (Axis::new("time", Unit::Seconds), Axis::new("workers", Unit::Count));
    let start = Chart::new("Who keeps the pool up?", axes.0, axes.1);
    let chart = pool_sizes(start, &VARIANTS, study, 0, true);
    let best = f64::from(Settings::of(&BASE).world().best_size(RATE));
    let caption = "Pool sizes in the main run, with the middle 90 % of runs".to_owned();
    (chart.mark("best size", At::Y(best)).into(), caption)
}

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new(From::Paper, "leaving", "alpha = 0.1 after each task", ""),
        Parameter::new(From::Paper, "recruiting", "exponential, r = 0.02 /s", ""),
        Parameter::new(From::Paper, "rules", "best - size > 5: recruit 1", "hybrid: the same threshold"),
        Parameter::new(From::Paper, "average-rate looks", "every second", ""),
        Parameter::new(From::Implied, "load", "11 /s", "the highest bar is 10.7"),
        Parameter::new(
            From::Implied,
            "tasks of a worker",
            "0.0925 /s",
            "from the balance bars; swept: 0.0925, 0.5",
        ),
        Parameter::new(
            From::Implied,
            "length",
            "780 s",
            "none does 10 tasks per worker in all, its bar is 1.55 /s; swept: 300, 780, 3600 s",
        ),
        Parameter::new(From::Ours, "period of rules", "1 s", "swept: 1, 5, 20 s"),
        Parameter::new(From::Ours, "window of the average", "60 s", "swept: 10, 60, 300 s"),
        Parameter::new(
            From::Ours,
            "recruits on their way",
            "not counted",
            "the paper's c is who is there; swept",
        ),
        Parameter::new(From::Ours, "eta, window of rates", "0.5 (in seconds), 1 min", "not swept"),
    ]
}
