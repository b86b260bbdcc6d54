//! End to end (6.3, figure 4): everything together on the people of the CLAMShell trace.

use muster_engine::Span;
use muster_engine::policy::settings::PolicySpec;
use muster_report::sheet::Best;
use muster_sim::measure::Measure;
use muster_sim::model::{Curve, Setup};
use muster_sim::study::Together;

use super::Inputs;
use super::crowd::Crowd;
use super::world::{Policies, World, mean, scenario, throughput, waiting_pay};
use crate::claim::Printed;
use crate::lab::{Bench, Lab, Trouble};
use crate::method::{Effect, Method, Quantity, Sample, Wanted};
use crate::report::{Experiment, From, Parameter};
use crate::sweep::Grid;

const VARIANTS: [&str; 2] = ["static + rules + none", "pid-throughput + hybrid + preference-aware"];
const BASELINE: usize = 0;
const CIOPPINO: usize = 1;

/// Tasks per second of each app, on average: the higher bar is 84 for three.
const RATE_EACH: f64 = 28.0;
/// How long an app's load stays as it is.
const PHASE: f64 = 600.0;
/// How long a run is, and from when on it is measured.
const LENGTH: Span = Span::from_mins(40);
const WARM_UP: Span = Span::from_mins(10);

const QUANTITIES: [Quantity; 4] = [
    Quantity { name: "throughput", unit: "/s", best: Some(Best::High) },
    Quantity { name: "waiting pay", unit: "$/s", best: Some(Best::Low) },
    Quantity { name: "preference", unit: "", best: Some(Best::High) },
    Quantity { name: "p95 wait", unit: "s", best: Some(Best::Low) },
];

const BARS: [&[Option<f64>]; 2] =
    [&[Some(70.0), Some(0.098), Some(0.33)], &[Some(84.0), Some(0.005), Some(0.77)]];

const TEXT: &str = "6.3";

const EFFECTS: [Effect; 3] = [
    Effect::new(
        "end-to-end-throughput",
        "Cioppino does 20 % more than the baseline",
        Printed::one(1.20, TEXT),
        |s| (s[CIOPPINO][0], s[BASELINE][0]),
        "what comes is done in the end, if the pools are large enough; the baseline falls behind only where it is too small",
    ),
    Effect::new(
        "end-to-end-cost",
        "the baseline pays 19.4 times as much for waiting",
        Printed::one(19.4, TEXT),
        |s| (s[BASELINE][1], s[CIOPPINO][1]),
        "the baseline pays less here since it is short of people at the peaks, where its tasks wait",
    ),
    Effect::new(
        "end-to-end-preference",
        "workers like what they get 2.3 times as much",
        Printed::one(2.3, TEXT),
        |s| (s[CIOPPINO][2], s[BASELINE][2]),
        "if everybody always did what they like best, likings that sum to 1 over three apps would give 0.52, 1.57 times a random \
               worker's: 0.77 cannot be the mean over workers drawn as the paper says",
    ),
];

#[derive(Clone, Copy, Debug)]
struct Settings {
    gain: f64,
    period: f64,
    swing: f64,
    counted: bool,
}

const BASE: [f64; 4] = [1.0, 10.0, 1.6, 0.0];

fn grid() -> Grid {
    Grid::new(vec![
        ("gain", vec![0.5, 1.0, 2.0]),
        ("control period (s)", vec![1.0, 10.0, 60.0]),
        ("peak of an app's load (of its mean)", vec![1.0, 1.6, 2.2]),
        ("recruits on their way counted (0 no, 1 yes)", vec![0.0, 1.0]),
    ])
}

/// Three phases in turn: a peak, and the rest evenly; each app has its peak in another phase, so the sum stays the same.
pub(crate) fn rotating(app: usize, swing: f64) -> Curve {
    let low = (3.0 - swing) / 2.0;
    let factor = |phase: usize| if phase == app % 3 { swing } else { low };
    let points: Vec<(f64, f64)> = (0..3).map(|phase| (phase as f64 * PHASE, factor(phase))).collect();
    Curve::steps(&points, Some(3.0 * PHASE)).expect("three steps are a curve")
}

impl Settings {
    fn of(at: &[f64]) -> Self {
        Self { gain: at[0], period: at[1], swing: at[2], counted: at[3] > 0.5 }
    }

    fn setups(&self, crowd: &Crowd) -> Vec<(&'static str, Setup)> {
        let mut world = World::generated(0.0, None, 0);
        world.work = crowd.work.clone();
        world.recruiting = crowd.recruiting.clone();
        world.leaving = crowd.leaving.clone();
        world.training = 30.0;
        let first = world.best_size(RATE_EACH);
        world.apps = (0..3).map(|app| (RATE_EACH, Some(rotating(app, self.swing)), first)).collect();
        let every = Span::from_secs_f64(self.period);
        let named = |name: &str| PolicySpec::named(name).with("count_in_flight", self.counted);
        let baseline =
            Policies { replacement: named("rules").with("every", Span::from_secs(1)), ..Policies::nothing() };
        let cioppino = Policies {
            scaling: named("pid-throughput").with("kp", self.gain).with("every", every),
            replacement: named("hybrid"),
            balance: PolicySpec::named("preference-aware").with("every", every).with("utility", "median"),
        };
        vec![(VARIANTS[0], world.setup(&baseline)), (VARIANTS[1], world.setup(&cioppino))]
    }
}

fn sample(bench: &Bench<'_>, wanted: Wanted<'_>, crowd: &Crowd) -> Result<Sample, Trouble> {
    let setups = Settings::of(wanted.at).setups(crowd);
    let runs = (wanted.seed, wanted.replications);
    let study = bench.study(&scenario("end to end", (LENGTH, WARM_UP), runs, setups))?;
    let one = |variant: &Together| {
        let measures = [Measure::Preference, Measure::WaitP95].map(|measure| mean(variant, measure));
        [throughput(variant), waiting_pay(variant)].into_iter().chain(measures).collect()
    };
    Ok(study.variants.iter().map(one).collect())
}

pub(super) fn run(lab: &Lab<'_>, inputs: &Inputs) -> Result<Experiment, Trouble> {
    let crowd = inputs.crowd()?;
    let method = Method {
        id: "end-to-end",
        variants: &VARIANTS,
        quantities: &QUANTITIES,
        bars: &BARS,
        effects: &EFFECTS,
        grid: grid(),
        base: &BASE,
        samples: (8, 2),
        sweep_runs: 1,
    };
    let found = method.run(lab, &|bench, wanted| sample(bench, wanted, &crowd))?;
    let about = format!(
        "Three apps of 28 tasks/s on average; each has a peak in another third of half an hour. People as in {}.",
        crowd.from
    );
    Ok(method.told("End to end, on the people of the trace", about, parameters(&crowd), found))
}

fn parameters(crowd: &Crowd) -> Vec<Parameter> {
    vec![
        Parameter::new(From::Paper, "recruiting, work, stays", crowd.from, "means 91.3 s, 1.97 s, 316.6 s"),
        Parameter::new(
            From::Paper,
            "policies",
            "S + RB + NT, CT-t + HR + PB",
            "with the paper's rules and thresholds",
        ),
        Parameter::new(From::Implied, "apps, load", "3, 84 /s in all", "the bars"),
        Parameter::new(From::Ours, "peak of an app's load", "1.6 of its mean", "swept: 1 (none), 1.6, 2.2"),
        Parameter::new(From::Ours, "gain (kp; ki = kd = 0)", "1", "swept: 0.5, 1, 2"),
        Parameter::new(From::Ours, "control period", "10 s", "of scaling and balance; swept: 1, 10, 60 s"),
        Parameter::new(From::Ours, "recruits on their way", "not counted", "swept: counted or not"),
        Parameter::new(From::Ours, "mean training", "30 s", "not swept here"),
        Parameter::new(From::Ours, "length", "40 min, measured from 10 min on", ""),
    ]
}
