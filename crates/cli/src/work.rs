//! `muster work`: any program as a machine worker, until it is told to stop.

use std::time::Duration;

use clap::Args;
use muster_bots::work::{self, Program};
use muster_formats::quantity;

use crate::output::Console;
use crate::refusal::{Failure, Refusal};
use crate::remote::{self, Remote};

/// Which program, and as what.
#[derive(Args, Debug)]
pub(crate) struct Work {
    #[command(flatten)]
    remote: Remote,
    /// The app whose tasks it does; several times for several
    #[arg(long = "app", value_name = "APP", required = true)]
    apps: Vec<String>,
    /// The pool to join, if several serve the app
    #[arg(long, value_name = "POOL")]
    pool: Option<String>,
    /// The kind to join as, if there are several kinds of machine
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// So many at once, each a worker of its own
    #[arg(short = 'n', long = "at-once", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    at_once: u32,
    /// A run may take so long, as in '30 s'; as long as the lease unless said
    #[arg(long, value_name = "TIME")]
    time_limit: Option<String>,
    /// A worker leaves after so many failures in a row
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    failures_most: u32,
    /// The recruit order that is filled
    #[arg(long, value_name = "NUMBER")]
    recruit: Option<u32>,
    /// The program: gets the task's JSON on standard input, and prints the answer's JSON
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<String>,
}

impl Work {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let time_limit = self.time_limit.as_deref().map(|text| {
            let span =
                quantity::span(text).map_err(|allowed| Refusal::value("--time-limit", text, allowed))?;
            Ok::<_, Refusal>(Duration::from_nanos(span.0))
        });
        let program = Program {
            command: self.command.clone(),
            apps: self.apps.clone(),
            pool: self.pool.clone(),
            kind: self.kind.clone(),
            recruit: self.recruit,
            at_once: self.at_once,
            time_limit: time_limit.transpose()?,
            failures_most: self.failures_most,
            unique: remote::unique(),
        };
        let client = self.remote.client()?;
        let tally = remote::run(async |stop, tell| work::run(client, program, stop, tell).await)?;
        console.print(&format!("{} answers, {} failures\n", tally.answers, tally.failures))?;
        if tally.gave_up == self.at_once {
            return Err(Failure::Said("every worker gave up: the program fails again and again".to_owned()));
        }
        Ok(())
    }
}
