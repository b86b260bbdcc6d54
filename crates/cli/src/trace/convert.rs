//! `muster trace convert`: a scenario made of what is in the file, to go on from. What it says is made in `draft`.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use muster_engine::Span;

use super::Source;
use super::draft::{Files, scenario};
use crate::output::Console;
use crate::refusal::{Failure, Refusal};

#[derive(Debug, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    source: Source,
    /// Where to write the scenario; recorded values go into CSV files beside it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What follows within this time of the end before belongs to the same stay of a worker.
    #[arg(long, value_name = "TIME", default_value = "5 min")]
    gap: Span,
    /// Write over files that are there.
    #[arg(long)]
    force: bool,
}

impl Convert {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let trace = self.source.read()?;
        let mut files = Files { stem: self.out.with_extension(""), all: Vec::new() };
        let text = scenario(&trace, &self.source.file, self.gap, &mut files)
            .map_err(|why| Refusal::Together(format!("{}: {why}", self.source.file.display())))?;
        files.all.insert(0, (self.out.clone(), text));
        let source = fs::canonicalize(&self.source.file);
        let is_source = |file: &PathBuf| {
            fs::canonicalize(file).is_ok_and(|file| source.as_ref().is_ok_and(|source| *source == file))
        };
        if let Some((file, _)) = files.all.iter().find(|(file, _)| is_source(file)) {
            return Err(
                Refusal::value("--out", file.display(), "a file that is not the history itself").into()
            );
        }
        if let Some((there, _)) = files.all.iter().find(|(file, _)| file.exists() && !self.force) {
            let allowed = "a name that is free, or --force to write over it";
            return Err(Refusal::value("--out", there.display(), allowed).into());
        }
        for (file, text) in &files.all {
            fs::write(file, text).map_err(|error| Failure::File(file.display().to_string(), error))?;
        }
        let mut said = String::new();
        for (file, _) in &files.all {
            said += &format!("wrote {}\n", file.display());
        }
        console.print(&(said + &format!("now: muster simulate {}\n", self.out.display())))
    }
}
