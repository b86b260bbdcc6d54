//! `muster`: the one program. Parses what the user typed and calls the crate that does it.
//!
//! Only this crate prints. Bad input ends with code 2 and a sentence on stderr that names the field, the value and what is
//! allowed. Start at [`run`].

mod archive;
mod args;
mod bots;
mod calc;
mod client;
mod demo;
mod json;
mod output;
mod policies;
mod progress;
mod refusal;
mod remote;
mod reproduce;
mod serve;
mod simulate;
mod token;
mod trace;
mod work;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use output::Console;
use refusal::Failure;

fn main() -> ExitCode {
    let console = Console::of_process();
    match run(&Cli::parse(), &console) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console.complain(&failure);
            failure.code()
        }
    }
}

fn run(cli: &Cli, console: &Console) -> Result<(), Failure> {
    match &cli.command {
        Command::Calc(call) => call.run(console),
        Command::Policies(wanted) => policies::run(wanted, console),
        Command::Simulate(call) => call.run(console),
        Command::Trace(call) => call.run(console),
        Command::Reproduce(paper) => paper.run(console),
        Command::Serve(serve) => serve.run(console),
        Command::Token(call) => call.run(console),
        Command::Backup(call) => call.run(console),
        Command::Export(call) => call.run(console),
        Command::Import(call) => call.run(console),
        Command::Work(call) => call.run(console),
        Command::Bots(call) => call.run(console),
    }
}
