//! `cargo xtask`: the project's own commands. Reads like a table of contents; start at `main`.
//! Depends on none of our crates: it must still run when one of them does not compile.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints")]

mod args;
mod bench;
mod edges;
mod needs;
mod screenshots;
mod steps;
mod suites;
mod summary;
mod tidy;
mod workspace;

use std::process::ExitCode;

use args::Task;
use workspace::Workspace;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match args::parse(&words) {
        Ok(task) => perform(&task),
        Err(refusal) => {
            eprintln!("{refusal}\n`cargo xtask help` describes each.");
            ExitCode::from(2)
        }
    }
}

fn perform(task: &Task) -> ExitCode {
    let workspace = Workspace::find();
    let good = match task {
        Task::Test { long } => steps::run(&workspace, *long),
        Task::Bench { subject, json } => bench::run(&workspace, subject.as_deref(), *json),
        Task::Edges => show("edges", edges::run(&workspace)),
        Task::Tidy => show("tidy", tidy::run(&workspace)),
        Task::Screenshots => screenshots::run(&workspace),
        Task::Help => help(),
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn help() -> bool {
    print!("{}", args::HELP);
    true
}

/// Prints what a check found; true if it found nothing wrong.
fn show(check: &str, found: Result<String, Vec<String>>) -> bool {
    match found {
        Ok(seen) => {
            println!("{check}: {seen}");
            true
        }
        Err(problems) => {
            problems.iter().for_each(|problem| println!("{problem}"));
            println!("{check}: {} to mend", problems.len());
            false
        }
    }
}
