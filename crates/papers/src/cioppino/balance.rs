//! Balance (6.2, figure 3c): three apps, workers in the wrong pools; who moves them where they are needed and like to be?

use muster_engine::Span;
use muster_engine::policy::settings::PolicySpec;
use muster_report::chart::{Axis, Chart, Figure};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::measure::Measure;
use muster_sim::model::Setup;
use muster_sim::study::{Study, Together};

use super::Inputs;
use super::world::{Policies, World, mean, pool_sizes, scenario, throughput, waiting_pay};
use crate::claim::Printed;
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Method, Quantity, Sample, Wanted};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 3] = ["none", "random", "preference-aware"];
const NT: usize = 0;
const RT: usize = 1;
const PB: usize = 2;

/// Tasks per second and workers of each app: 1,020 workers in all, most of them where little is to be done.
const APPS: [(f64, u32); 3] = [(20.0, 700), (34.0, 160), (34.0, 160)];

const QUANTITIES: [Quantity; 3] = [
    Quantity { name: "throughput", unit: "/s", best: Some(Best::High) },
    Quantity { name: "waiting pay", unit: "$/s", best: Some(Best::Low) },
    Quantity { name: "preference", unit: "", best: Some(Best::High) },
];
const THROUGHPUT: usize = 0;
const PAY: usize = 1;
const PREFERENCE: usize = 2;

const BARS: [&[Option<f64>]; 3] = [
    &[Some(50.0), Some(0.40), Some(0.34)],
    &[Some(74.0), Some(0.185), Some(0.33)],
    &[Some(87.0), Some(0.067), Some(0.38)],
];

const TEXT: &str = "6.2";

const EFFECTS: [Effect; 8] = [
    Effect::new(
        "balance-throughput-random",
        "preference-aware does 18 % more than random",
        Printed::one(1.18, TEXT),
        |s| (s[PB][THROUGHPUT], s[RT][THROUGHPUT]),
        "whoever random sends to a wrong pool is idle there and moves on: with ten moves at a time it gets there as fast",
    ),
    Effect::new(
        "balance-throughput-none",
        "preference-aware does 76 % more than none",
        Printed::one(1.76, TEXT),
        |s| (s[PB][THROUGHPUT], s[NT][THROUGHPUT]),
        "",
    ),
    Effect::new(
        "balance-throughput-moving",
        "random does more than none",
        Printed::one(1.48, "figure 3c"),
        |s| (s[RT][THROUGHPUT], s[NT][THROUGHPUT]),
        "",
    ),
    Effect::new(
        "balance-cost-random",
        "random pays 10 times as much for waiting as preference-aware",
        Printed::one(10.0, TEXT),
        |s| (s[RT][PAY], s[PB][PAY]),
        "the paper's own bars give 2.8",
    ),
    Effect::new(
        "balance-cost-none",
        "none pays 27 times as much for waiting as preference-aware",
        Printed::one(27.0, TEXT),
        |s| (s[NT][PAY], s[PB][PAY]),
        "the paper's own bars give 6.0",
    ),
    Effect::new(
        "balance-cost-none-bars",
        "none pays 6.0 times as much for waiting as preference-aware",
        Printed::one(5.97, "figure 3c"),
        |s| (s[NT][PAY], s[PB][PAY]),
        "the same as before, by the bars",
    ),
    Effect::new(
        "balance-preference",
        "workers like what they get 43 % more than with random",
        Printed::one(1.43, TEXT),
        |s| (s[PB][PREFERENCE], s[RT][PREFERENCE]),
        "the paper's own bars give 1.15; here over all tasks done, not over those who were moved",
    ),
    Effect::new(
        "balance-preference-none",
        "workers like what they get more than with none",
        Printed::one(1.12, "figure 3c"),
        |s| (s[PB][PREFERENCE], s[NT][PREFERENCE]),
        "",
    ),
];

#[derive(Clone, Copy, Debug)]
struct Settings {
    period: f64,
    omega: f64,
    training: f64,
    length: f64,
}

const BASE: [f64; 4] = [1.0, 0.5, 60.0, 780.0];

fn grid() -> Grid {
    Grid::new(vec![
        ("period (s)", vec![1.0, 10.0, 60.0]),
        ("omega", vec![0.0, 0.1, 0.5, 0.9]),
        ("mean training (s)", vec![10.0, 60.0, 300.0]),
        ("length of the run (s)", vec![300.0, 780.0, 1800.0]),
    ])
}

impl Settings {
    fn of(at: &[f64]) -> Self {
        Self { period: at[0], omega: at[1], training: at[2], length: at[3] }
    }

    fn setups(&self) -> Vec<(&'static str, Setup)> {
        let mut world = World::generated(0.0, None, 0);
        world.apps = APPS.iter().map(|(rate, workers)| (*rate, None, *workers)).collect();
        world.training = self.training;
        let every = Span::from_secs_f64(self.period);
        let balance = [
            PolicySpec::named("none"),
            PolicySpec::named("random").with("every", every),
            PolicySpec::named("preference-aware")
                .with("every", every)
                .with("omega", self.omega)
                .with("utility", "median"),
        ];
        let setup = |balance| world.setup(&Policies { balance, ..Policies::nothing() });
        VARIANTS.into_iter().zip(balance.map(setup)).collect()
    }
}

fn study(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Study, Trouble> {
    let settings = Settings::of(wanted.at);
    let times = (Span::from_secs_f64(settings.length), Span::ZERO);
    bench.study(&scenario("balance", times, (wanted.seed, wanted.replications), settings.setups()))
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>) -> Result<Sample, Trouble> {
    let one = |variant: &Together| {
        vec![throughput(variant), waiting_pay(variant), mean(variant, Measure::Preference)]
    };
    Ok(study(bench, wanted)?.variants.iter().map(one).collect())
}

pub(super) fn run(lab: &Lab<'_>, _inputs: &Inputs) -> Result<Experiment, Trouble> {
    let method = Method {
        id: "balance",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &BARS,
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (8, 2),
        sweep_runs: 1,
    };
    let mut found = method.run(lab, &sample)?;
    let curves = method.curves(lab, 4, study)?;
    found.figures.insert(0, backlog(&curves));
    let about = "Three apps with 20, 34 and 34 tasks/s, and 700, 160 and 160 workers who neither come nor go. Who moves has to learn the \
                other app first. Likings are drawn at random and sum to 1 over the apps.";
    Ok(method.told("Balance: workers in the wrong pools", about, parameters(), found))
}

fn backlog(study: &Study) -> (Figure, String) {
    let axes = (Axis::new("time", Unit::Seconds), Axis::new("workers", Unit::Count));
    let start = Chart::new("How fast do workers come to the second app?", axes.0, axes.1);
    let chart = pool_sizes(start, &VARIANTS, study, 1, false);
    (chart.into(), "Workers in the pool of app 2, training included; it needs 368".to_owned())
}

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new(
            From::Paper,
            "moves at once",
            "at most 10",
            "given for preference-aware; used for random too",
        ),
        Parameter::new(From::Paper, "likings", "uniform, normalised", ""),
        Parameter::new(
            From::Paper,
            "utility",
            "1 / median",
            "with more than half of the pools empty it says nothing",
        ),
        Parameter::new(From::Implied, "apps", "3", "a random worker's mean liking is 0.33"),
        Parameter::new(
            From::Implied,
            "tasks of a worker, workers",
            "0.0925 /s, 1,020",
            "throughput / rate + idle is the same for all three bars",
        ),
        Parameter::new(
            From::Implied,
            "load",
            "88 /s in all",
            "the highest bar is 87; split so that none does about 50",
        ),
        Parameter::new(From::Implied, "length", "780 s", "as for stability; swept: 300, 780, 1800 s"),
        Parameter::new(From::Ours, "period", "1 s", "swept: 1, 10, 60 s"),
        Parameter::new(From::Ours, "omega", "0.5", "swept: 0, 0.1, 0.5, 0.9"),
        Parameter::new(From::Ours, "mean training", "60 s, exponential", "swept: 10, 60, 300 s"),
    ]
}
