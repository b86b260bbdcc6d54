//! Beyond the paper: `look-ahead` beside the paper's best, at equal or better waiting. Is less paid for waiting?
//!
//! For each load the paper's best gets the gain, and then `look-ahead` the longest wait at which its p95 is no worse, on the runs
//! for choosing. Then both are run once on unseen chance, and only that is judged.

use muster_report::chart::{Axis, Chart, Figure, Series};
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
    joined: Vec<f64>,
}

/// One comparison.
struct Match {
    id: &'static str,
    load: &'static str,
    /// The settings with which both sides were judged, and what they did.
    gain: f64,
    within: f64,
    paper: Side,
    ours: Side,
    /// What all settings did on the runs for choosing: the paper's gains, then our waits.
    tried: Vec<Side>,
}

impl Side {
    fn of(together: &Together) -> Self {
        let values =
            |measure| together.values(Scope::All, measure).map(|value| value.unwrap_or(0.0)).collect();
        Self {
            p95: values(Measure::WaitP95),
            pay: values(Measure::CostWaiting),
            joined: values(Measure::Joined),
        }
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

/// Chooses on one load, and judges.
fn compare(bench: &Bench<'_>, load: &Load, quick: bool) -> Result<Match, Trouble> {
    let runs = |(seed, n): (u64, u32)| (seed, if quick { 1 } else { n });
    let setups =
        GAINS.iter().map(|gain| load.paper(*gain)).chain(WITHIN.iter().map(|within| load.ours(*within)));
    let chosen = study(bench, load, runs(load.choosing()), setups.collect())?;
    let tried: Vec<Side> = chosen.variants.iter().map(Side::of).collect();
    let (papers, ours) = tried.split_at(GAINS.len());
    let best = best(papers);
    let (gain, within) = (GAINS[best], WITHIN[rung(&papers[best], ours)]);
    // A quick run must not look at the chance on which a full one judges.
    let judging = if quick { (CHOOSING.0 + 1, 1) } else { JUDGING };
    let judged = study(bench, load, judging, vec![load.paper(gain), load.ours(within)])?;
    let (paper, ours) = (Side::of(&judged.variants[0]), Side::of(&judged.variants[1]));
    let within = load.seconds(within);
    Ok(Match { id: load.id, load: load.name, gain, within, paper, ours, tried })
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
    let matches: Vec<Match> =
        loads.iter().map(|load| compare(&bench, load, lab.quick)).collect::<Result<Vec<_>, _>>()?;
    let days = if inputs.assignments.is_some() {
        "Three days of the assignment table: a task comes when somebody began on it there."
    } else {
        "No assignment table was given, so the three days of crowdflower_jobs were skipped."
    };
    Ok(Experiment {
        id: "look-ahead",
        title: "Beyond the paper: looking ahead".to_owned(),
        about: format!(
            "look-ahead + none + preference-aware beside pid-throughput + hybrid + preference-aware. Loads and seeds were fixed \
             before look-ahead was tuned; each side chooses on seed {}, both are judged on seed {}, {} runs. {days}",
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
            format!("gain {}, within {:.2} s; {wait}", it.gain, it.within),
        )
    };
    matches.iter().map(claim).collect()
}

fn table(matches: &[Match]) -> Sheet {
    let start = Sheet::new("load")
        .caption("On unseen chance: the paper's best and look-ahead")
        .column("gain of the paper's", Unit::Plain)
        .column("ours within", Unit::Seconds)
        .column("p95 wait, paper's", Unit::Seconds)
        .column("p95 wait, ours", Unit::Seconds)
        .column("pay, paper's", Unit::Of("$/h".to_owned()))
        .column("pay, ours", Unit::Of("$/h".to_owned()))
        .column("ours of theirs", Unit::Share)
        .column("recruits, paper's", Unit::Of("/h".to_owned()))
        .column("recruits, ours", Unit::Of("/h".to_owned()));
    let interval = |values: &[f64]| Interval::of(values.iter().copied()).map(shown);
    matches.iter().fold(start, |sheet, it| {
        let cells: [Cell; 9] = [
            it.gain.into(),
            it.within.into(),
            interval(&it.paper.p95).into(),
            interval(&it.ours.p95).into(),
            interval(&it.paper.pay).into(),
            interval(&it.ours.pay).into(),
            it.pay().map(shown).into(),
            interval(&it.paper.joined).into(),
            interval(&it.ours.joined).into(),
        ];
        sheet.row(it.load, cells)
    })
}

/// For each load: waiting against pay, with every setting that was tried.
fn figures(matches: &[Match]) -> Vec<(Figure, String)> {
    let line = |name: &str, sides: &[Side]| {
        let point = |side: &Side| (Side::mean(&side.p95), Side::mean(&side.pay));
        let mut points: Vec<(f64, f64)> = sides.iter().map(point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series::new(name, points)
    };
    let chart = |it: &Match| {
        let axes =
            (Axis::new("p95 wait", Unit::Seconds), Axis::new("waiting pay", Unit::Of("$/h".to_owned())));
        let (papers, ours) = it.tried.split_at(GAINS.len());
        let chart = Chart::new(&format!("{}: what does a short wait cost?", it.load), axes.0, axes.1)
            .with(line("the paper's best, by gain", papers))
            .with(line("look-ahead, by wait", ours));
        (chart.into(), "On the runs for choosing; nearer to the corner is better".to_owned())
    };
    matches.iter().map(chart).collect()
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
            "95 % within 0.15 to 4 times a task's time",
            "the longest that is no worse than the paper's",
        ),
    ]
}
