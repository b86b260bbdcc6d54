//! What reproducing a paper gives: experiments with tables, figures and claims. Knows no form; see `text`, `json`, `page`.

use muster_report::chart::Figure;
use muster_report::sheet::Sheet;

use crate::claim::Claim;

/// A paper, reproduced.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its name, as in `cioppino`.
    pub paper: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where it was printed.
    pub source: &'static str,
    /// Whether there were enough runs for verdicts to mean anything.
    pub conclusive: bool,
    /// The experiments, in order.
    pub experiments: Vec<Experiment>,
}

/// One experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name, as a user types it.
    pub id: &'static str,
    /// What it shows, as a heading.
    pub title: String,
    /// What was run, in a few sentences.
    pub about: String,
    /// What the paper gives, and what is ours.
    pub parameters: Vec<Parameter>,
    /// Tables: the paper's numbers beside ours.
    pub tables: Vec<Sheet>,
    /// The claims.
    pub claims: Vec<Claim>,
    /// Pictures, with captions.
    pub figures: Vec<(Figure, String)>,
}

/// A number that goes into an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// What it is.
    pub name: String,
    /// What it was in the main run.
    pub value: String,
    /// Who says so.
    pub from: From,
    /// Over what it was swept, or why it is what it is.
    pub note: String,
}

/// Who gives a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The paper prints it.
    Paper,
    /// It follows from the paper's figures.
    Implied,
    /// It is ours.
    Ours,
}

impl From {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Implied => "implied",
            Self::Ours => "ours",
        }
    }
}

impl Parameter {
    /// A parameter, with who gives it.
    #[must_use]
    pub fn new(from: From, name: &str, value: &str, note: &str) -> Self {
        Self { name: name.to_owned(), value: value.to_owned(), from, note: note.to_owned() }
    }
}

impl Report {
    /// All claims, each with the experiment it belongs to.
    pub fn claims(&self) -> impl Iterator<Item = (&Experiment, &Claim)> {
        self.experiments
            .iter()
            .flat_map(|experiment| experiment.claims.iter().map(move |claim| (experiment, claim)))
    }
}
