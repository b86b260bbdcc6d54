//! `muster backup`, `muster export` and `muster import`: a server's file as a copy, and as text.

use std::fs::File;
use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use clap::Args;
use muster_server::archive::{Amounts, backup, export, import};
use muster_server::journal::JournalError;

use crate::output::Console;
use crate::refusal::Failure;

/// What to copy, and where.
#[derive(Args, Debug)]
pub(crate) struct Backup {
    /// The server's file; the server may be running
    #[arg(long, value_name = "FILE", default_value = "muster.db")]
    data: PathBuf,
    /// The copy, which must not be there yet
    to: PathBuf,
}

/// What to write as text.
#[derive(Args, Debug)]
pub(crate) struct Export {
    /// The server's file; the server may be running
    #[arg(long, value_name = "FILE", default_value = "muster.db")]
    data: PathBuf,
    /// Where to write; to standard output unless said
    to: Option<PathBuf>,
}

/// What to make of an export.
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// The new file, which must not be there yet
    #[arg(long, value_name = "FILE", default_value = "muster.db")]
    data: PathBuf,
    /// The export; standard input unless said
    from: Option<PathBuf>,
}

fn failed(error: &JournalError) -> Failure {
    Failure::Said(error.to_string())
}

fn told(done: &str, amounts: Amounts, place: &str) -> String {
    format!("{done} {} facts and {} blobs: {place}\n", amounts.facts, amounts.blobs)
}

impl Backup {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let amounts = backup(&self.data, &self.to).map_err(|error| failed(&error))?;
        console.print(&format!("copied {} facts: {}\n", amounts.facts, self.to.display()))
    }
}

impl Export {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let Some(to) = &self.to else {
            return export(&self.data, &mut stdout().lock()).map(|_| ()).map_err(|error| failed(&error));
        };
        let named = |error: std::io::Error| {
            let there = error.kind() == std::io::ErrorKind::AlreadyExists;
            let said = std::io::Error::other("there is such a file already; name another");
            Failure::File(to.display().to_string(), if there { said } else { error })
        };
        let mut file = File::create_new(to).map_err(named)?;
        let amounts = export(&self.data, &mut file).map_err(|error| failed(&error))?;
        file.sync_all().map_err(named)?;
        console.print(&told("wrote", amounts, &to.display().to_string()))
    }
}

impl Import {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let amounts = match &self.from {
            None => import("standard input", &mut stdin().lock(), &self.data),
            Some(from) => {
                let name = from.display().to_string();
                let file = File::open(from).map_err(|error| Failure::File(name.clone(), error))?;
                import(&name, &mut BufReader::new(file), &self.data)
            }
        };
        let amounts = amounts.map_err(|error| failed(&error))?;
        console.print(&told("read", amounts, &self.data.display().to_string()))
    }
}
