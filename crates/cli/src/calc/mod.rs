//! `muster calc`: the formulas as calculators.
//!
//! A calculator is a table of fields and a function from inputs to an answer: one file, and one line in [`ALL`]. Flags, JSON
//! input, help, checks and output follow from it. Knows no formula itself. Start at [`Calculator`].

mod answer;
mod average_rate;
mod backlog;
mod curve;
mod erlang_a;
mod erlang_b;
mod erlang_c;
mod fair_share;
mod field;
mod inputs;
mod patience;
mod pid;
mod pool_size;

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, Subcommand};

use crate::output::Console;
use crate::refusal::{Failure, Refusal};
use answer::Answer;
use field::Field;
use inputs::Inputs;

/// One calculator.
#[derive(Debug)]
pub(crate) struct Calculator {
    name: &'static str,
    /// What it answers, in a sentence.
    about: &'static str,
    /// Where it holds and where it comes from.
    more: &'static str,
    /// A call that works, without the name of the calculator.
    example: &'static str,
    fields: &'static [Field],
    /// Whether the answer has a curve.
    draws: bool,
    run: fn(&Inputs) -> Result<Answer, Refusal>,
}

const ALL: &[&Calculator] = &[
    &erlang_b::CALCULATOR,
    &erlang_c::CALCULATOR,
    &erlang_a::CALCULATOR,
    &pool_size::CALCULATOR,
    &backlog::CALCULATOR,
    &fair_share::CALCULATOR,
    &patience::CALCULATOR,
    &average_rate::CALCULATOR,
    &pid::CALCULATOR,
];

/// A calculator and what was typed for it.
#[derive(Debug)]
pub(crate) struct Call {
    calculator: &'static Calculator,
    flags: Vec<(&'static Field, String)>,
    input: Option<PathBuf>,
    json: bool,
    svg: Option<PathBuf>,
}

impl Call {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let fields = self.calculator.fields;
        let mut given = match &self.input {
            Some(path) => inputs::read(path, fields)?,
            None => Vec::new(),
        };
        given.extend(self.flags.iter().map(|(field, text)| (*field, text.clone())));
        let inputs = Inputs::new(fields, given)?;
        let answer = (self.calculator.run)(&inputs)?;
        if let Some(path) = &self.svg {
            let written = std::fs::write(path, answer.picture());
            written.map_err(|error| Failure::File(path.display().to_string(), error))?;
        }
        if self.json {
            return console.print(&answer.json(self.calculator.name, &inputs));
        }
        let mut text = answer.text(console.out);
        if let Some(path) = &self.svg {
            text += &format!("\npicture: {}\n", path.display());
        }
        console.print(&text)
    }
}

impl FromArgMatches for Call {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, matches) = matches.subcommand().ok_or_else(no_calculator)?;
        let calculator = ALL.iter().find(|calculator| calculator.name == name).ok_or_else(no_calculator)?;
        let path = |id| matches.try_get_one::<PathBuf>(id).ok().flatten().cloned();
        Ok(Self {
            calculator,
            flags: calculator
                .fields
                .iter()
                .filter_map(|field| Some((field, matches.get_one::<String>(field.name)?.clone())))
                .collect(),
            input: path("input"),
            json: matches.get_flag("json"),
            svg: path("svg"),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn no_calculator() -> clap::Error {
    clap::Error::new(clap::error::ErrorKind::MissingSubcommand)
}

impl Subcommand for Call {
    fn augment_subcommands(command: Command) -> Command {
        ALL.iter().fold(command, |command, calculator| command.subcommand(calculator.command()))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        ALL.iter().any(|calculator| calculator.name == name)
    }
}

impl Calculator {
    fn command(&self) -> Command {
        let example = format!("Example: muster calc {} {}", self.name, self.example);
        let command =
            Command::new(self.name).about(self.about).after_help(format!("{}\n\n{example}", self.more));
        let command = command.arg_required_else_help(true);
        let command = self.fields.iter().fold(command, |command, field| command.arg(arg(field)));
        let file = |name: &'static str| {
            Arg::new(name).long(name).value_name("FILE").value_parser(clap::value_parser!(PathBuf))
        };
        let command = command
            .arg(
                file("input").help("Read fields from a JSON object, - for standard input; flags win over it"),
            )
            .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Write JSON"));
        if self.draws { command.arg(file("svg").help("Write the curves as a picture")) } else { command }
    }
}

fn arg(field: &'static Field) -> Arg {
    let arg = Arg::new(field.name).long(field.name).help(field.help);
    arg.value_name(field.kind.placeholder()).allow_hyphen_values(true)
}
