//! `muster reproduce PAPER`: a paper's experiments, with its numbers beside ours. One file per paper; the experiments
//! themselves are in `muster-papers` and `muster-tail`.

mod cioppino;
mod hit_scheduling;
mod progress;
mod shared;
mod tail_control;

use clap::Subcommand;

use crate::output::Console;
use crate::refusal::Failure;

/// Which paper.
#[derive(Debug, Subcommand)]
pub(crate) enum Paper {
    /// Tail-control: work stealing that meets a target latency; in virtual time on 16 cores.
    #[command(after_help = "Example: muster reproduce tail-control 8 9")]
    TailControl(tail_control::TailControl),
    /// Cioppino: how large a pool of people to keep, whom to replace, whom to move.
    #[command(after_help = "Example: muster reproduce cioppino stability --html report.html")]
    Cioppino(cioppino::Cioppino),
    /// Scheduling human intelligence tasks: which batch the next person gets.
    #[command(after_help = "Example: muster reproduce hit-scheduling switches --html report.html")]
    HitScheduling(hit_scheduling::HitScheduling),
}

impl Paper {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        match self {
            Self::TailControl(wanted) => tail_control::run(wanted, console),
            Self::Cioppino(wanted) => cioppino::run(wanted, console),
            Self::HitScheduling(wanted) => hit_scheduling::run(wanted, console),
        }
    }
}
