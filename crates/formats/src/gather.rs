//! The refusals of one long file, gathered until there are too many to go on. Does not know the format.

use crate::refusal::{At, Reason, Refusal, Refusals};

/// After so many refusals the rest of the file is not read.
pub(crate) const REFUSED_MOST: usize = 100;

/// Reading cannot go on; why is among the refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop;

/// What is wrong with a file so far.
#[derive(Debug)]
pub(crate) struct Gather {
    file: String,
    refused_most: usize,
    refused: Vec<Refusal>,
}

impl Gather {
    pub(crate) fn new(file: &str) -> Self {
        Self::up_to(file, REFUSED_MOST)
    }

    /// The same with another limit.
    pub(crate) fn up_to(file: &str, refused_most: usize) -> Self {
        Self { file: file.to_owned(), refused_most, refused: Vec::new() }
    }

    /// Something is wrong with a field, and reading may go on unless too much is.
    pub(crate) fn refuse(&mut self, at: At, field: impl Into<String>, reason: Reason) -> Result<(), Stop> {
        self.refused.push(Refusal { file: self.file.clone(), at: Some(at), field: field.into(), reason });
        if self.refused.len() < self.refused_most { Ok(()) } else { Err(Stop) }
    }

    /// The same in a sentence.
    pub(crate) fn complain(
        &mut self,
        line: u64,
        field: impl Into<String>,
        sentence: impl Into<String>,
    ) -> Result<(), Stop> {
        self.refuse(At::line(line), field, Reason::Other(sentence.into()))
    }

    /// Something is wrong that ends the reading.
    pub(crate) fn stop(&mut self, line: u64, sentence: impl Into<String>) -> Stop {
        let _ = self.complain(line, "", sentence);
        Stop
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.refused.is_empty()
    }

    /// All of it; never empty if reading was stopped.
    pub(crate) fn all(&self) -> Refusals {
        Refusals(self.refused.clone())
    }
}
