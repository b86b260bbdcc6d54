//! How an experiment is made: the same runs several times for the main settings, once for every setting of a grid, and the
//! claims judged on what comes out. Knows no paper.
//!
//! A sample is what one study (a few runs of every variant, on the same chance) has shown: a number for each variant and
//! quantity. Samples with different seeds are independent, so intervals are over samples. Start at [`Method::run`].

use muster_report::chart::Figure;
use muster_report::interval::Interval as Shown;
use muster_report::number::Unit;
use muster_report::sheet::{Best, Cell, Sheet};
use muster_sim::study::Interval;

use crate::claim::{Claim, Printed, Stated, Verdict};
use crate::lab::{Bench, Lab, Trouble};
use crate::ratio;
use crate::report::{Experiment, Parameter};
use crate::sweep::{self, Grid, Trial};

/// By variant, then by quantity. What could not be measured is not a number.
pub type Sample = Vec<Vec<f64>>;

/// Something that is measured.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// What it is; what has no name is for claims only, and not shown.
    pub name: &'static str,
    /// Its unit: `s`, `%` for shares, anything else as it is written; empty for plain numbers.
    pub unit: &'static str,
    /// What is good.
    pub best: Option<Best>,
}

/// A claim about a sample: the first number divided by the second.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// What is claimed.
    pub stated: Stated,
    /// The two numbers.
    pub of: fn(&Sample) -> (f64, f64),
    /// What must be known to read it.
    pub note: &'static str,
    /// Whether it follows from something the paper does not give and that is only assumed here: then it is measured and
    /// swept, and not judged.
    pub assumed: bool,
}

impl Effect {
    /// A claim that the first of two numbers is so many times the second.
    #[must_use]
    pub const fn new(
        id: &'static str,
        says: &'static str,
        printed: Printed,
        of: fn(&Sample) -> (f64, f64),
        note: &'static str,
    ) -> Self {
        Self { stated: Stated::factor(id, says, printed), of, note, assumed: false }
    }

    /// The same, following from what is only assumed here.
    #[must_use]
    pub const fn assumed(mut self) -> Self {
        self.assumed = true;
        self
    }
}

/// What is to be sampled.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The values of the swept settings, one for each dimension.
    pub at: &'a [f64],
    /// What all chance begins with.
    pub seed: u64,
    /// How many runs of every variant.
    pub replications: u32,
}

/// An experiment, but for what is simulated.
#[derive(Clone, Debug)]
pub struct Method<'a> {
    /// Its name.
    pub id: &'static str,
    /// What is compared.
    pub variants: &'a [&'a str],
    /// What is measured.
    pub quantities: &'a [Quantity],
    /// The paper's bars, by variant and quantity.
    pub bars: &'a [&'a [Option<f64>]],
    /// What is claimed.
    pub effects: &'a [Effect],
    /// The settings that are swept.
    pub grid: Grid,
    /// The values of these in the main run.
    pub base: &'a [f64],
    /// How many samples the main run has, and how many runs each.
    pub samples: (u64, u32),
    /// How many runs a setting of the grid gets.
    pub sweep_runs: u32,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Found {
    /// The samples of the main run.
    pub samples: Vec<Sample>,
    /// The judged claims.
    pub claims: Vec<Claim>,
    /// The paper's bars beside ours.
    pub table: Sheet,
    /// Where the claims hold, one for each dimension.
    pub figures: Vec<(Figure, String)>,
}

/// The seed of every setting of a grid: another than any of the main run.
const SWEEP_SEED: u64 = 10_001;

impl Method<'_> {
    /// Samples the main settings and the grid, and judges.
    pub fn run(
        &self,
        lab: &Lab<'_>,
        sample: &dyn Fn(&Bench<'_>, Wanted<'_>) -> Result<Sample, Trouble>,
    ) -> Result<Found, Trouble> {
        let (count, runs) = if lab.quick { (2, 1) } else { self.samples };
        let grid = if lab.quick { self.grid.thinned(self.base) } else { self.grid.clone() };
        let settings = grid.settings();
        let bench = lab.begin(self.id, usize::try_from(count).unwrap_or(usize::MAX) + settings.len());
        let main = |seed| sample(&bench, Wanted { at: self.base, seed, replications: runs });
        let samples = (1..=count).map(main).collect::<Result<Vec<Sample>, Trouble>>()?;
        let sweep_runs = if lab.quick { 1 } else { self.sweep_runs };
        let trial = |at: Vec<f64>| {
            let wanted = Wanted { at: &at, seed: SWEEP_SEED, replications: sweep_runs };
            let found = sample(&bench, wanted)?;
            let holds = self.effects.iter().map(|effect| holds(effect, &found)).collect();
            Ok(Trial { at, holds })
        };
        let trials = settings.into_iter().map(trial).collect::<Result<Vec<Trial>, Trouble>>()?;
        Ok(self.judge(samples, &grid, &trials))
    }

    /// The main settings once more, on one chance: for curves over time.
    pub fn curves<T>(
        &self,
        lab: &Lab<'_>,
        runs: u32,
        study: impl FnOnce(&Bench<'_>, Wanted<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let bench = lab.begin(self.id, 1);
        study(&bench, Wanted { at: self.base, seed: 1, replications: if lab.quick { 1 } else { runs } })
    }

    /// What was found, under its heading.
    #[must_use]
    pub fn told(
        &self,
        title: &str,
        about: impl Into<String>,
        parameters: Vec<Parameter>,
        found: Found,
    ) -> Experiment {
        Experiment {
            id: self.id,
            title: title.to_owned(),
            about: about.into(),
            parameters,
            tables: vec![found.table],
            claims: found.claims,
            figures: found.figures,
        }
    }

    fn judge(&self, samples: Vec<Sample>, grid: &Grid, trials: &[Trial]) -> Found {
        let claim = |(place, effect): (usize, &Effect)| {
            let pairs: Vec<(f64, f64)> = samples.iter().map(effect.of).filter(is_said).collect();
            let held = grid.held(trials, place);
            let mut claim = Claim::judged(effect.stated, ratio::of_means(&pairs), effect.note);
            if effect.assumed {
                claim.verdict = Verdict::NotTestable;
            }
            claim.over((held.of > 0 && trials.len() > 1).then_some(held))
        };
        let claims: Vec<Claim> = self.effects.iter().enumerate().map(claim).collect();
        let figures = charts(self.id, grid, &claims);
        Found { table: self.table(&samples), samples, claims, figures }
    }

    /// The paper's bars beside ours.
    fn table(&self, samples: &[Sample]) -> Sheet {
        let has_bar = |q: usize| self.bars.iter().any(|bars| bars.get(q).is_some_and(Option::is_some));
        let any = (0..self.quantities.len()).any(has_bar);
        let with_bars = "The paper's bars, and ours with 95 % intervals";
        let without = "Ours, with 95 % intervals; the paper's text gives no numbers to set beside them";
        let start = Sheet::new("policy").caption(if any { with_bars } else { without });
        let shown = || self.quantities.iter().enumerate().filter(|(_, quantity)| !quantity.name.is_empty());
        let sheet = shown().fold(start, |sheet, (q, quantity)| {
            let sheet = if has_bar(q) {
                sheet.column(&format!("{}, paper", quantity.name), unit(quantity))
            } else {
                sheet
            };
            let title = if any { format!("{}, ours", quantity.name) } else { quantity.name.to_owned() };
            let ours = sheet.column(&title, unit(quantity));
            quantity.best.map_or_else(|| ours.clone(), |best| ours.clone().best(best))
        });
        let cells = |v: usize| {
            let cell = |q: usize| {
                let values = samples.iter().map(|sample| sample[v][q]).filter(|value| value.is_finite());
                let ours: Cell = Interval::of(values).map(self::shown).into();
                let bar = has_bar(q).then(|| Cell::from(self.bars[v].get(q).copied().flatten()));
                bar.into_iter().chain([ours]).collect::<Vec<Cell>>()
            };
            shown().flat_map(|(q, _)| cell(q)).collect::<Vec<Cell>>()
        };
        self.variants.iter().enumerate().fold(sheet, |sheet, (v, name)| sheet.row(name, cells(v)))
    }
}

/// An interval as reports show it.
#[must_use]
pub fn shown(interval: Interval) -> Shown {
    Shown::new(interval.mean, if interval.half.is_finite() { interval.half } else { 0.0 })
}

fn unit(quantity: &Quantity) -> Unit {
    match quantity.unit {
        "" => Unit::Plain,
        "s" => Unit::Seconds,
        "%" => Unit::Share,
        unit => Unit::Of(unit.to_owned()),
    }
}

fn is_said(pair: &(f64, f64)) -> bool {
    pair.0.is_finite() && pair.1.is_finite()
}

/// Whether an effect is on the paper's side; `None` if there is nothing to divide by.
fn holds(effect: &Effect, sample: &Sample) -> Option<bool> {
    let (above, below) = (effect.of)(sample);
    if !(above.is_finite() && below.is_finite()) || (above <= 0.0 && below <= 0.0) {
        return None;
    }
    let ratio = if below > 0.0 { above / below } else { f64::INFINITY };
    Some(effect.stated.is_on_side(ratio))
}

/// The word with which the names of all claims begin.
fn shared_word(claims: &[Claim]) -> Option<&'static str> {
    let word = |claim: &Claim| claim.stated.id.split_once('-').map(|(word, _)| word);
    let first = word(claims.first()?)?;
    claims.iter().all(|claim| word(claim) == Some(first)).then_some(first)
}

fn charts(experiment: &str, grid: &Grid, claims: &[Claim]) -> Vec<(Figure, String)> {
    let shared = shared_word(claims).unwrap_or(experiment);
    let short = |id: &'static str| {
        let rest = id.strip_prefix(experiment).or_else(|| id.strip_prefix(shared));
        rest.map_or(id, |rest| rest.trim_start_matches('-'))
    };
    let held: Vec<(&str, &sweep::Held)> =
        claims.iter().filter_map(|claim| Some((short(claim.stated.id), claim.held.as_ref()?))).collect();
    let varied = grid.dimensions.iter().enumerate().filter(|(_, dimension)| dimension.values.len() > 1);
    let chart = |(place, dimension): (usize, &sweep::Dimension)| {
        let title = format!("Where the claims hold: {}", dimension.name);
        let caption = "Over all values of the other settings; only the direction counts";
        Some((Figure::from(sweep::chart(&title, place, &held)?), caption.to_owned()))
    };
    varied.filter_map(chart).collect()
}
