//! Over which settings a claim holds: a grid of settings, each tried, and what held where. Knows no experiment.
//!
//! Invariant: every setting of the grid is tried, in the order of its axes, and nothing is left out of the counts. What
//! could not be measured (nobody was idle at all, say) is counted apart, neither as holding nor as failing.

use muster_report::chart::{Axis, Chart, Series};
use muster_report::number::Unit;

/// One setting that is varied, and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// What it is, with its unit.
    pub name: &'static str,
    /// Its values.
    pub values: Vec<f64>,
}

/// All combinations of some settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The settings.
    pub dimensions: Vec<Dimension>,
}

/// What was found with one combination: for each claim, whether it holds, if that could be said.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The values, one for each dimension.
    pub at: Vec<f64>,
    /// One for each claim.
    pub holds: Vec<Option<bool>>,
}

/// A value of a dimension, with how many settings it held and of how many.
pub type OfValue = (f64, usize, usize);

/// Over which part of a grid a claim holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// With so many settings.
    pub held: usize,
    /// Of so many in which it could be said.
    pub of: usize,
    /// With so many it could not be said.
    pub silent: usize,
    /// For each dimension and value, how many held and of how many.
    pub by: Vec<(&'static str, Vec<OfValue>)>,
}

impl Grid {
    /// All combinations of these.
    #[must_use]
    pub fn new(dimensions: Vec<(&'static str, Vec<f64>)>) -> Self {
        let dimension = |(name, values)| Dimension { name, values };
        Self { dimensions: dimensions.into_iter().map(dimension).collect() }
    }

    /// Only the ends of the first dimension, with the others as given: to see that it works.
    #[must_use]
    pub fn thinned(&self, base: &[f64]) -> Self {
        let dimension = |(place, it): (usize, &Dimension)| {
            let ends = [it.values.first(), it.values.last()].into_iter().flatten().copied().collect();
            Dimension { name: it.name, values: if place == 0 { ends } else { vec![base[place]] } }
        };
        Self { dimensions: self.dimensions.iter().enumerate().map(dimension).collect() }
    }

    /// Every combination, the last dimension changing fastest.
    #[must_use]
    pub fn settings(&self) -> Vec<Vec<f64>> {
        self.dimensions.iter().fold(vec![Vec::new()], |all, dimension| {
            let longer = |before: &Vec<f64>, value: f64| before.iter().copied().chain([value]).collect();
            all.iter()
                .flat_map(|before| dimension.values.iter().map(move |value| longer(before, *value)))
                .collect()
        })
    }

    /// Over which part of the grid claim number `claim` holds.
    #[must_use]
    pub fn held(&self, trials: &[Trial], claim: usize) -> Held {
        let said = |trial: &&Trial| trial.holds[claim].is_some();
        let count = |some: &mut dyn Iterator<Item = &Trial>| {
            some.fold((0, 0), |(held, of), trial| match trial.holds[claim] {
                Some(holds) => (held + usize::from(holds), of + 1),
                None => (held, of),
            })
        };
        let by = |(place, dimension): (usize, &Dimension)| {
            let row = |value: &f64| {
                let (held, of) = count(&mut trials.iter().filter(|trial| trial.at[place] == *value));
                (*value, held, of)
            };
            (dimension.name, dimension.values.iter().map(row).collect())
        };
        let (held, of) = count(&mut trials.iter());
        let silent = trials.len() - trials.iter().filter(said).count();
        Held { held, of, silent, by: self.dimensions.iter().enumerate().map(by).collect() }
    }
}

impl Held {
    /// In words: `holds with 14 of 24 settings (period 1 s: 6/6, ...)`, naming the settings that matter.
    #[must_use]
    pub fn words(&self) -> String {
        let silent = if self.silent > 0 {
            format!("; with {} more it cannot be said", self.silent)
        } else {
            String::new()
        };
        let text = format!("{} of {} settings{silent}", self.held, self.of);
        let matter: Vec<String> =
            self.by.iter().filter(|(_, rows)| matters(rows)).map(dimension_words).collect();
        if self.held == 0 || self.held == self.of || matter.is_empty() {
            return text;
        }
        format!("{text} ({})", matter.join("; "))
    }
}

/// Whether the share of settings in which a claim holds differs by a fifth or more along a dimension.
fn matters(rows: &[(f64, usize, usize)]) -> bool {
    let shares = || rows.iter().filter(|(_, _, of)| *of > 0).map(|(_, held, of)| *held as f64 / *of as f64);
    shares().fold(0.0, f64::max) - shares().fold(1.0, f64::min) >= 0.2
}

fn dimension_words((name, rows): &(&'static str, Vec<(f64, usize, usize)>)) -> String {
    let row = |(value, held, of): &(f64, usize, usize)| format!("{value} {held}/{of}");
    format!("{name} {}", rows.iter().map(row).collect::<Vec<_>>().join(", "))
}

/// For one dimension: the share of settings in which each claim holds, along its values.
#[must_use]
pub fn chart(title: &str, dimension: usize, claims: &[(&str, &Held)]) -> Option<Chart> {
    let (name, _) = claims.first()?.1.by.get(dimension)?;
    let axis = Axis::new(name, Unit::Plain);
    let share = Axis::new("share of settings in which it holds", Unit::Share).up_to(1.0);
    let series = |(id, held): &(&str, &Held)| {
        let point = |(value, held, of): &(f64, usize, usize)| (*value, *held as f64 / (*of).max(1) as f64);
        Series::new(id, held.by[dimension].1.iter().filter(|row| row.2 > 0).map(point).collect())
    };
    Some(claims.iter().map(series).fold(Chart::new(title, axis, share), Chart::with))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_tried_and_counted() {
        let grid = Grid::new(vec![("period (s)", vec![1.0, 10.0]), ("gain", vec![0.5, 1.0, 2.0])]);
        let settings = grid.settings();
        assert_eq!(settings.len(), 6);
        assert_eq!(settings[1], [1.0, 1.0]);
        let trial = |at: Vec<f64>| {
            let holds = if at[1] == 2.0 { None } else { Some(at[0] == 1.0) };
            Trial { at, holds: vec![holds] }
        };
        let trials: Vec<Trial> = settings.into_iter().map(trial).collect();
        let held = grid.held(&trials, 0);
        assert_eq!((held.held, held.of, held.silent), (2, 4, 2));
        assert_eq!(held.by[0], ("period (s)", vec![(1.0, 2, 2), (10.0, 0, 2)]));
        assert_eq!(held.words(), "2 of 4 settings; with 2 more it cannot be said (period (s) 1 2/2, 10 0/2)");
        let chart = chart("where?", 0, &[("a", &held)]).unwrap();
        assert_eq!(chart.series[0].points, [(1.0, 1.0), (10.0, 0.0)]);
    }
}
