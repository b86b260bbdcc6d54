//! What can be typed. Decides nothing.

use clap::{Parser, Subcommand};

use crate::archive::{Backup, Export, Import};
use crate::bots::Bots;
use crate::calc::Call;
use crate::policies::Wanted;
use crate::reproduce::Paper;
use crate::serve::Serve;
use crate::simulate::Simulate;
use crate::token::Token;
use crate::trace::TraceCall;
use crate::work::Work;

/// Shared work on elastic pools of people and machines.
#[derive(Debug, Parser)]
#[command(name = "muster", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The formulas as calculators: how long is the wait, how many workers, what does it cost?
    #[command(
        subcommand,
        after_help = "Example: muster calc pool-size --arrivals '12 /min' --work '90 s' --wait '30 s'"
    )]
    Calc(Call),
    /// Every policy that can be chosen, with its settings.
    #[command(after_help = "Example: muster policies scaling")]
    Policies(Wanted),
    /// What would happen: a scenario's variants side by side, in virtual time.
    #[command(after_help = "Example: muster simulate scenarios/three-apps.toml")]
    Simulate(Simulate),
    /// Recorded histories: what is in them, which laws fit them, and what other policies would have done.
    #[command(subcommand, after_help = "Example: muster trace inspect assignments.csv")]
    Trace(TraceCall),
    /// A paper's experiments, with its numbers beside ours and a verdict on each claim.
    #[command(subcommand, after_help = "Example: muster reproduce tail-control --quick 8")]
    Reproduce(Paper),
    /// The live server: tenants, jobs and workers over HTTP, everything in one file.
    #[command(after_help = "Example: muster serve --data muster.db --listen 127.0.0.1:7700")]
    Serve(Serve),
    /// Tokens of a running server: made, listed, revoked.
    #[command(subcommand)]
    Token(Token),
    /// Copies a server's file while the server runs.
    #[command(after_help = "Example: muster backup --data muster.db monday.db")]
    Backup(Backup),
    /// Writes a server's file as lines of JSON: everything, facts last.
    #[command(after_help = "Example: muster export --data muster.db monday.jsonl")]
    Export(Export),
    /// Makes a server's file of an export.
    #[command(after_help = "Example: muster import --data new.db monday.jsonl")]
    Import(Import),
    /// Any program as a machine worker: a task's JSON on standard input, the answer's JSON on standard output.
    #[command(after_help = "Example: muster work --app look -n 4 -- ./classify.py")]
    Work(Work),
    /// Synthetic people and machines who use a server as real ones would.
    #[command(after_help = "Example: muster bots --pool day -n 50 --work '20 s' --speed 10")]
    Bots(Box<Bots>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn flags_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }
}
