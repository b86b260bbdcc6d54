//! Which columns of a table are inputs, and how they are called. Knows the habits of MTurk and Turkle, no rows.

use crate::refusal::nearest;

use crate::gather::{Gather, Stop};
use crate::refusal::{At, Reason};

/// A column that is no input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Its name in the file.
    pub column: String,
    /// Why it is ignored.
    pub reason: &'static str,
}

/// The inputs of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    /// How many columns a row has.
    pub(super) width: usize,
    /// The places of the inputs among them, with their names.
    pub(super) inputs: Vec<(usize, String)>,
    pub(super) ignored: Vec<Ignored>,
}

const INPUT: &str = "Input.";
const ANSWER: &str = "Answer.";

impl Header {
    /// Reads the names. Without a header that can be understood no row can be, so what is wrong here stops the reading.
    pub(super) fn read(
        fields: &[&str],
        line: u64,
        needs: &[String],
        gather: &mut Gather,
    ) -> Result<Self, Stop> {
        let names: Vec<&str> = fields.iter().map(|name| name.trim()).collect();
        if let [alone] = names[..]
            && let Some(sign) = [';', '\t', '|'].into_iter().find(|sign| alone.contains(*sign))
        {
            let seems = format!("columns must be separated by commas; this file seems to use {sign:?}");
            return Err(gather.stop(line, seems));
        }
        let header = Self::sorted(&names);
        header.check_names(&names, line, gather)?;
        header.check_needs(line, needs, gather)?;
        if gather.is_empty() { Ok(header) } else { Err(Stop) }
    }

    fn sorted(names: &[&str]) -> Self {
        let says_input = names.iter().any(|name| name.starts_with(INPUT));
        let mut header = Self { width: names.len(), ..Self::default() };
        for (at, name) in names.iter().enumerate() {
            let ignored = |reason| Ignored { column: (*name).to_owned(), reason };
            match name.strip_prefix(INPUT) {
                Some(input) => header.inputs.push((at, input.trim().to_owned())),
                None if name.starts_with(ANSWER) => {
                    header.ignored.push(ignored("it holds answers, not inputs"));
                }
                None if says_input => {
                    header
                        .ignored
                        .push(ignored("only the columns called Input.* are inputs, where there are some"));
                }
                None => header.inputs.push((at, (*name).to_owned())),
            }
        }
        header
    }

    fn check_names(&self, names: &[&str], line: u64, gather: &mut Gather) -> Result<(), Stop> {
        for (i, (at, name)) in self.inputs.iter().enumerate() {
            let field = format!("column {}", at + 1);
            if name.is_empty() {
                gather.complain(line, field, "it has no name in the header")?;
            } else if let Some((first, _)) = self.inputs[..i].iter().find(|(_, other)| other == name) {
                let twice = format!("it is called '{}', as is column {}", names[*at], first + 1);
                gather.complain(line, field, twice)?;
            }
        }
        if self.inputs.is_empty() {
            return Err(gather.stop(line, "no column of the file is an input"));
        }
        Ok(())
    }

    fn check_needs(&self, line: u64, needs: &[String], gather: &mut Gather) -> Result<(), Stop> {
        let known = || self.inputs.iter().map(|(_, name)| name.as_str());
        for need in needs.iter().filter(|need| !known().any(|name| name == *need)) {
            let near =
                nearest(need, known()).map(|near| format!(" ('{near}' comes near)")).unwrap_or_default();
            let allowed = format!(
                "a column that the template needs{near}; there are {}",
                known().collect::<Vec<_>>().join(", ")
            );
            gather.refuse(At::line(line), need, Reason::Missing { allowed })?;
        }
        Ok(())
    }
}
