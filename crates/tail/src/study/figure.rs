//! What an experiment gives: a table with the paper's numbers and ours, and verdicts on the paper's claims. Can be
//! shown as text; other forms are the caller's.

use crate::sim::Summary;
use std::fmt;

/// One experiment's results.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its number in the paper.
    pub id: &'static str,
    /// What it shows.
    pub title: String,
    /// What was run, and which inputs are ours because the paper does not give them.
    pub settings: String,
    /// Names of the columns, with units.
    pub columns: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Verdicts.
    pub claims: Vec<Claim>,
}

/// A row of a figure's table.
#[derive(Clone, Debug)]
pub struct Row {
    /// What the row is for.
    pub label: String,
    /// A cell for each column.
    pub cells: Vec<Cell>,
}

/// A cell of a figure's table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// Nothing to show, for instance no number in the paper's text.
    Absent,
    /// One number, without spread: the paper's, or a computed one.
    One(f64),
    /// Ours, with the spread over seeds.
    Ours(Summary),
}

impl Cell {
    /// The number, if there is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Absent => None,
            Self::One(value) => Some(*value),
            Self::Ours(summary) => Some(summary.mean),
        }
    }
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Absent, Self::One)
    }
}

/// What the paper claims, and what became of it here.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The claim, in our words.
    pub text: String,
    /// What became of it.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
}

impl Claim {
    /// A claim and what became of it.
    pub fn new(text: &str, verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { text: text.to_owned(), verdict, reason: reason.into() }
    }
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Holds here, with numbers close to the paper's.
    Reproduced,
    /// Holds in direction; the numbers differ.
    Direction,
    /// Does not hold here.
    NotReproduced,
    /// Cannot be tested with what the paper gives.
    NotTestable,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Reproduced => "reproduced",
            Self::Direction => "direction",
            Self::NotReproduced => "not-reproduced",
            Self::NotTestable => "not-testable",
        })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.pad("-"),
            Self::One(value) => f.pad(&short(*value)),
            Self::Ours(s) => f.pad(&format!("{} ({}..{})", short(s.mean), short(s.low), short(s.high))),
        }
    }
}

/// Two digits where they say something.
fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 100.0 || v == 0.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Figure {}: {}\n{}\n", self.id, self.title, self.settings)?;
        let cells: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.cells.iter().map(Cell::to_string).collect()).collect();
        let label_width = self.rows.iter().map(|row| row.label.len()).max().unwrap_or(0);
        let width = |column: usize| {
            let longest = cells.iter().map(|row| row[column].len()).max().unwrap_or(0);
            longest.max(self.columns[column].len())
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        write!(f, "{:label_width$}", "")?;
        self.columns.iter().zip(&widths).try_for_each(|(name, width)| write!(f, "  {name:>width$}"))?;
        writeln!(f)?;
        for (row, cells) in self.rows.iter().zip(&cells) {
            write!(f, "{:label_width$}", row.label)?;
            cells.iter().zip(&widths).try_for_each(|(cell, width)| write!(f, "  {cell:>width$}"))?;
            writeln!(f)?;
        }
        writeln!(f)?;
        self.claims.iter().try_for_each(|c| writeln!(f, "{:<14}  {} ({})", c.verdict, c.text, c.reason))
    }
}
