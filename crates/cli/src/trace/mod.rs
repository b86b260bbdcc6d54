//! `muster trace`: what is in a recorded history, which laws fit it, a scenario made of it, and the history under other
//! policies. Reads files and prints; what traces are is in `formats`, laws and replays are in `sim`.

mod convert;
mod draft;
mod fit;
mod inspect;
mod replay;
mod streams;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use muster_formats::facts::{Facts, is_of_export};
use muster_formats::trace::{ColumnMap, OwnFacts, Trace};
use muster_formats::upload::Failure as ReadFailure;

use crate::output::Console;
use crate::refusal::{Failure, Refusal};

#[derive(Debug, Subcommand)]
pub(crate) enum TraceCall {
    /// What is in the file: rows, span, workers, types of task, and every odd row.
    #[command(after_help = "Example: muster trace inspect assignments.csv")]
    Inspect(inspect::Inspect),
    /// Laws fitted to what is in the file, and how well they fit.
    #[command(after_help = "Example: muster trace fit clamshell_trace.json --svg fit.svg")]
    Fit(fit::Fit),
    /// A scenario made of what is in the file.
    #[command(after_help = "Example: muster trace convert assignments.csv --out history.toml")]
    Convert(convert::Convert),
    /// The history under other policies: the same work, the same people, other decisions.
    #[command(
        after_help = "Example: muster trace replay assignments.csv --policy 'dispatch = \"fifo\"' --policy \
                            'dispatch = \"fair\"'"
    )]
    Replay(replay::Replay),
}

impl TraceCall {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        match self {
            Self::Inspect(call) => call.run(console),
            Self::Fit(call) => call.run(console),
            Self::Convert(call) => call.run(console),
            Self::Replay(call) => call.run(console),
        }
    }
}

/// A recorded history.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// CLAMShell JSON; a CSV of assignments, arrivals, stays or calls (MTurk batch results, CrowdFlower reports, call logs, ...);
    /// or our own facts as JSON lines, out of a simulation (`--facts`) or of a server (`muster export`).
    pub(crate) file: PathBuf,
    /// Which column means what, where their names do not tell, such as 'worker=Annotator,start=Begin'.
    #[arg(long, value_name = "MAP")]
    columns: Option<String>,
}

impl Source {
    pub(crate) fn read(&self) -> Result<Trace, Failure> {
        let map = match &self.columns {
            None => ColumnMap::default(),
            Some(text) => {
                ColumnMap::parse(text).map_err(|allowed| Refusal::value("--columns", text, &allowed))?
            }
        };
        let name = self.file.display().to_string();
        let weather = |error| Failure::File(name.clone(), error);
        let mut file = File::open(&self.file).map_err(weather)?;
        match first_byte(&mut file).map_err(weather)? {
            Some(b'{') if is_facts(&self.file).map_err(weather)? => read_facts(&name, file),
            Some(b'{') => {
                let mut text = String::new();
                file.read_to_string(&mut text).map_err(weather)?;
                Trace::read_clamshell(&name, &text).map_err(|refusals| Failure::Many(refusals.to_string()))
            }
            _ => Trace::read_table(&name, BufReader::new(file), &map).map_err(|failure| match failure {
                ReadFailure::Refused(refusals) => Failure::Many(refusals.to_string()),
                ReadFailure::Reading(error) => weather(error),
            }),
        }
    }
}

/// The first byte that is no space.
fn first_byte(file: &mut File) -> std::io::Result<Option<u8>> {
    let mut start = [0; 512];
    let n = file.read(&mut start)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(start[..n].iter().copied().find(|byte| !byte.is_ascii_whitespace() && *byte < 0x80))
}

/// Whether the first line is a fact of ours, or the head of an export.
fn is_facts(file: &Path) -> std::io::Result<bool> {
    let mut line = Vec::new();
    BufReader::new(File::open(file)?).take(1 << 20).read_until(b'\n', &mut line)?;
    if is_of_export(&line) {
        return Ok(true);
    }
    let mut found = false;
    let mut reader = Facts::new("");
    let whole = reader.feed(&line, &mut |_, _| found = true).is_ok();
    Ok(whole && found)
}

fn read_facts(name: &str, file: File) -> Result<Trace, Failure> {
    let (mut facts, mut reader) = (OwnFacts::new(), Facts::new(name));
    let refused = |refusals: muster_formats::refusal::Refusals| Failure::Many(refusals.to_string());
    let mut file = BufReader::new(file);
    loop {
        let chunk = file.fill_buf().map_err(|error| Failure::File(name.to_owned(), error))?;
        if chunk.is_empty() {
            break;
        }
        let n = chunk.len();
        reader.feed(chunk, &mut |number, fact| facts.add(number, &fact)).map_err(refused)?;
        file.consume(n);
    }
    reader.finish(&mut |number, fact| facts.add(number, &fact)).map_err(refused)?;
    Ok(facts.finish())
}
