//! Beyond the paper: `look-ahead` beside the paper's best, at equal or better waiting. Is less paid for waiting?
//!
//! For each load and each gain of the paper's best, `look-ahead` gets the longest wait at which its p95 was no worse than the
//! other's on the runs for choosing. Then both are run once on unseen chance.

use muster_report::chart::{Axis, Chart, Figure, Spot};
use muster_report::interval::Interval as Shown;
use muster_report::number::Unit;
use muster_report::sheet::{Cell, Sheet};
use muster_sim::measure::{Measure, Scope};
use muster_sim::model::Setup;
use muster_sim::study::{Interval, Study, Together};

use super::Inputs;
use super::contest::{CHOOSING, GAINS, JUDGING, Load, WITHIN, loads};
use super::world::scenario;
use crate::claim::{Claim, Printed, Stated, Verdict};
use crate::lab::{Bench, Lab, Trouble};
use crate::method::shown;
use crate::ratio;
use crate::report::{Experiment, From, Parameter};

/// So much of the pay is left, if the aim is met.
const AIM: f64 = 0.8;
/// The paper's best is the cheapest of its gains that keeps this p95 wait on the runs for choosing, else the one with the
/// shortest.
const P95_WANTED: f64 = 10.0;

/// What one side did on a load.
#[derive(Clone, Debug)]
struct Side {
    p95: Vec<f64>,
    pay: Vec<f64>,
}

/// One comparison.
struct Match {
    id: &'static str,
    load: &'static str,
    gain: f64,
    within: f64,
    /// Whether this gain is the paper's best on this load.
    best: bool,
    paper: Side,
    ours: Side,
}

impl Side {
    fn of(together: &Together) -> Self {
        let values =
            |measure| together.values(Scope::All, measure).map(|value| value.unwrap_or(0.0)).collect();
        let pay: Vec<f64> = values(Measure::CostWaiting);
        Self { p95: values(Measure::WaitP95), pay }
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len().max(1) as f64
    }
}

impl Match {
    /// Our pay as a part of theirs.
    fn pay(&self) -> Option<Interval> {
        let pairs: Vec<(f64, f64)> =
            self.ours.pay.iter().copied().zip(self.paper.pay.iter().copied()).collect();
        ratio::of_means(&pairs)
    }

    /// Our p95 wait less theirs.
    fn wait(&self) -> Option<Interval> {
        Interval::of(self.ours.p95.iter().zip(&self.paper.p95).map(|(ours, paper)| ours - paper))
    }

    fn verdict(&self) -> Verdict {
        let waits = self.wait().is_some_and(|wait| wait.mean <= 0.0);
        match self.pay() {
            Some(pay) if waits && pay.mean <= AIM && pay.ends().1 < 1.0 => Verdict::Reproduced,
            Some(pay) if waits && pay.ends().1 < 1.0 => Verdict::Direction,
            _ => Verdict::NotReproduced,
        }
    }
}

fn study(bench: &Bench<'_>, load: &Load, runs: (u64, u32), setups: Vec<Setup>) -> Result<Study, Trouble> {
    let names = setups.into_iter().map(|setup| ("", setup)).collect();
    bench.study(&scenario(load.name, (load.length, load.warm_up), runs, names))
}

/// The comparisons on one load, one for each gain.
fn compare(bench: &Bench<'_>, load: &Load, quick: bool) -> Result<Vec<Match>, Trouble> {
    let runs = |(seed, n): (u64, u32)| (seed, if quick { 1 } else { n });
    let setups =
        GAINS.iter().map(|gain| load.paper(*gain)).chain(WITHIN.iter().map(|within| load.ours(*within)));
    let chosen = study(bench, load, runs(CHOOSING), setups.collect())?;
    let sides: Vec<Side> = chosen.variants.iter().map(Side::of).collect();
    let (papers, ours) = sides.split_at(GAINS.len());
    let rungs: Vec<usize> = papers.iter().map(|paper| rung(paper, ours)).collect();
    let setups =
        GAINS.iter().zip(&rungs).flat_map(|(gain, rung)| [load.paper(*gain), load.ours(WITHIN[*rung])]);
    let judged = study(bench, load, runs(JUDGING), setups.collect())?;
    let best = best(papers);
    let one = |(place, pair): (usize, &[Together])| Match {
        id: load.id,
        load: load.name,
        gain: GAINS[place],
        within: WITHIN[rungs[place]],
        best: place == best,
        paper: Side::of(&pair[0]),
        ours: Side::of(&pair[1]),
    };
    Ok(judged.variants.chunks(2).enumerate().map(one).collect())
}

/// The longest wait at which ours is no worse; the shortest of all if there is none.
fn rung(paper: &Side, ours: &[Side]) -> usize {
    let limit = Side::mean(&paper.p95);
    ours.iter().rposition(|side| Side::mean(&side.p95) <= limit).unwrap_or(0)
}

/// The paper's best among its gains.
fn best(papers: &[Side]) -> usize {
    let (p95, pay) = (|side: &Side| Side::mean(&side.p95), |side: &Side| Side::mean(&side.pay));
    let places = || papers.iter().enumerate();
    let good =
        places().filter(|(_, side)| p95(side) <= P95_WANTED).min_by(|a, b| pay(a.1).total_cmp(&pay(b.1)));
    let shortest = || places().min_by(|a, b| p95(a.1).total_cmp(&p95(b.1)));
    good.or_else(shortest).map_or(0, |(place, _)| place)
}

pub(super) fn run(lab: &Lab<'_>, inputs: &Inputs) -> Result<Experiment, Trouble> {
    let crowd = inputs.crowd()?;
    let loads = loads(&crowd, inputs.assignments.as_ref())?;
    let bench = lab.begin("look-ahead", 2 * loads.len());
    let matches: Vec<Match> = loads
        .iter()
        .map(|load| compare(&bench, load, lab.quick))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    let days = if inputs.assignments.is_some() {
        "Three days of the assignment table: a task comes when somebody began on it there."
    } else {
        "No assignment table was given, so the three days of crowdflower_jobs were skipped."
    };
    Ok(Experiment {
        id: "look-ahead",
        title: "Beyond the paper: looking ahead".to_owned(),
        about: format!(
            "look-ahead + none + preference-aware beside pid-throughput + hybrid + preference-aware. Loads, settings to choose from and \
             seeds were fixed before look-ahead was tuned; each side chooses on seed {}, both are judged on seed {}, {} runs. {days}",
            CHOOSING.0, JUDGING.0, JUDGING.1
        ),
        parameters: parameters(crowd.from),
        tables: vec![table(&matches)],
        claims: claims(&matches),
        figures: figures(&matches),
    })
}

fn claims(matches: &[Match]) -> Vec<Claim> {
    let claim = |it: &Match| {
        let stated = Stated {
            id: it.id,
            says: "at a p95 wait no longer than that of the paper's best, look-ahead pays at least 20 % less for waiting",
            printed: Some(Printed::one(AIM, "our aim")),
            kind: crate::claim::Kind::Factor,
        };
        let wait = it.wait().map_or_else(String::new, |wait| {
            format!(
                "p95 wait {:.2} s against {:.2} s (difference {:+.2} ± {:.2} s)",
                Side::mean(&it.ours.p95),
                Side::mean(&it.paper.p95),
                wait.mean,
                wait.half
            )
        });
        Claim::new(
            stated,
            it.pay(),
            it.verdict(),
            format!("gain {}, within {} s; {wait}", it.gain, it.within),
        )
    };
    matches.iter().filter(|it| it.best).map(claim).collect()
}

fn table(matches: &[Match]) -> Sheet {
    let start = Sheet::new("load, gain of the paper's")
        .caption("On unseen chance: the paper's best and look-ahead")
        .column("within", Unit::Seconds)
        .column("p95 wait, paper's", Unit::Seconds)
        .column("p95 wait, ours", Unit::Seconds)
        .column("pay, paper's", Unit::Of("$/h".to_owned()))
        .column("pay, ours", Unit::Of("$/h".to_owned()))
        .column("ours of theirs", Unit::Share)
        .column("", Unit::Plain);
    let interval = |values: &[f64]| Interval::of(values.iter().copied()).map(shown);
    matches.iter().fold(start, |sheet, it| {
        let cells: [Cell; 7] = [
            it.within.into(),
            interval(&it.paper.p95).into(),
            interval(&it.ours.p95).into(),
            interval(&it.paper.pay).into(),
            interval(&it.ours.pay).into(),
            it.pay().map(shown).into(),
            if it.best { "the paper's best".into() } else { "".into() },
        ];
        sheet.row(&format!("{}, {}", it.load, it.gain), cells)
    })
}

/// For each load: waiting against pay.
fn figures(matches: &[Match]) -> Vec<(Figure, String)> {
    let chart = |of: &[Match]| {
        let axes =
            (Axis::new("p95 wait", Unit::Seconds), Axis::new("waiting pay", Unit::Of("$/h".to_owned())));
        let start = Chart::new(&format!("{}: what does a short wait cost?", of[0].load), axes.0, axes.1);
        let spot = |name: &str, side: &Side| {
            let ends = |values: &[f64]| Interval::of(values.iter().copied()).map_or(Shown::exact(0.0), shown);
            let (wait, pay) = (ends(&side.p95), ends(&side.pay));
            Spot::new(name, wait.mean, pay.mean)
                .x_within(wait.low(), wait.high())
                .y_within(pay.low(), pay.high())
        };
        let chart = of.iter().fold(start, |chart, it| {
            let theirs = spot(&format!("gain {}", it.gain), &it.paper);
            chart.spot(theirs).spot(spot(&format!("within {} s", it.within), &it.ours))
        });
        (
            chart.into(),
            "Nearer to the corner is better; each on unseen chance, with 95 % intervals".to_owned(),
        )
    };
    matches.chunk_by(|a, b| a.load == b.load).map(chart).collect()
}

fn parameters(from: &str) -> Vec<Parameter> {
    vec![
        Parameter::new(From::Ours, "people", from, "on the days: stays of the table"),
        Parameter::new(
            From::Ours,
            "streams",
            "3 apps, 10 tasks/s each",
            "steady; waves of 40 min; steps every 10 min; 60 min long",
        ),
        Parameter::new(From::Ours, "both look", "every 10 s", ""),
        Parameter::new(
            From::Ours,
            "gain of the paper's",
            "0.5, 1, 1.5 or 2",
            "its best: the cheapest that keeps a p95 wait of 10 s, or the shortest",
        ),
        Parameter::new(
            From::Ours,
            "wait of ours",
            "95 % within 0.5 to 40 s",
            "the longest that is no worse than the paper's",
        ),
    ]
}
