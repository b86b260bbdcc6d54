//! Balance (6.2, figure 3c): three apps, workers in the wrong pools; who moves them where they are needed and like to be?

use muster_engine::Span;
use muster_engine::policy::settings::PolicySpec;
use muster_report::chart::{Axis, Chart, Figure, Series};
use muster_report::number::Unit;
use muster_report::sheet::Best;
use muster_sim::measure::Measure;
use muster_sim::model::Setup;
use muster_sim::study::{Study, Together};

use super::Inputs;
use super::world::{Policies, World, mean, scenario, throughput, waiting_pay};
use crate::claim::{Printed, Stated};
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
    Effect {
        stated: Stated::factor(
            "balance-throughput-random",
            "preference-aware does 18 % more than random",
            Printed::one(1.18, TEXT),
        ),
        of: |s| (s[PB][THROUGHPUT], s[RT][THROUGHPUT]),
        note: "",
    },
    Effect {
        stated: Stated::factor(
            "balance-throughput-none",
            "preference-aware does 76 % more than none",
            Printed::one(1.76, TEXT),
        ),
        of: |s| (s[PB][THROUGHPUT], s[NT][THROUGHPUT]),
        note: "",
    },
    Effect {
        stated: Stated::factor(
            "balance-throughput-moving",
            "random does more than none",
            Printed::one(1.48, "figure 3c"),
        ),
        of: |s| (s[RT][THROUGHPUT], s[NT][THROUGHPUT]),
        note: "",
    },
    Effect {
        stated: Stated::factor(
            "balance-cost-random",
            "random pays 10 times as much for waiting as preference-aware",
            Printed::one(10.0, TEXT),
        ),
        of: |s| (s[RT][PAY], s[PB][PAY]),
        note: "the paper's own bars give 2.8",
    },
    Effect {
        stated: Stated::factor(
            "balance-cost-none",
            "none pays 27 times as much for waiting as preference-aware",
            Printed::one(27.0, TEXT),
        ),
        of: |s| (s[NT][PAY], s[PB][PAY]),
        note: "the paper's own bars give 6.0",
    },
    Effect {
        stated: Stated::factor(
            "balance-cost-none-bars",
            "none pays 6.0 times as much for waiting as preference-aware",
            Printed::one(5.97, "figure 3c"),
        ),
        of: |s| (s[NT][PAY], s[PB][PAY]),
        note: "the same as before, by the bars",
    },
    Effect {
        stated: Stated::factor(
            "balance-preference",
            "workers like what they get 43 % more than with random",
            Printed::one(1.43, TEXT),
        ),
        of: |s| (s[PB][PREFERENCE], s[RT][PREFERENCE]),
        note: "the paper's own bars give 1.15; here over all tasks done, not over those who were moved",
    },
    Effect {
        stated: Stated::factor(
            "balance-preference-none",
            "workers like what they get more than with none",
            Printed::one(1.12, "figure 3c"),
        ),
        of: |s| (s[PB][PREFERENCE], s[NT][PREFERENCE]),
        note: "",
    },
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
    let bench = lab.begin("balance", 1);
    let curves = study(&bench, Wanted { at: &BASE, seed: 1, replications: if lab.quick { 1 } else { 4 } })?;
    found.figures.insert(0, backlog(&curves));
    Ok(Experiment {
        id: "balance",
        title: "Balance: workers in the wrong pools".to_owned(),
        about: "Three apps with 20, 34 and 34 tasks/s, and 700, 160 and 160 workers who neither come nor go. Who moves has to learn the \
                other app first. Likings are drawn at random and sum to 1 over the apps."
            .to_owned(),
        parameters: parameters(),
        tables: vec![found.table],
        claims: found.claims,
        figures: found.figures,
    })
}

fn backlog(study: &Study) -> (Figure, String) {
    let axes = (Axis::new("time", Unit::Seconds), Axis::new("workers", Unit::Count));
    let start = Chart::new("How fast do workers come to the second app?", axes.0, axes.1);
    let chart = VARIANTS.iter().zip(&study.variants).fold(start, |chart, (name, variant)| {
        let size = variant.size(1);
        chart.with(Series::new(name, size.iter().map(|point| (point.at, point.mean)).collect()))
    });
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
