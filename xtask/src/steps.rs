//! `cargo xtask test`: every step in order, each with its time, none skipped because another failed.
//! Start at [`run`]. The steps' output goes straight to the terminal; the last line is the verdict.

use std::env;
use std::time::Instant;

use crate::needs::{Here, Provider};
use crate::suites::{SUITES, Suite};
use crate::summary::{self, Done, Outcome};
use crate::workspace::Workspace;
use crate::{edges, show, tidy};

/// Tells the tests that draw random cases to draw many more.
const LONG: (&str, &str) = ("MUSTER_LONG", "1");

/// Runs everything; true if the run counts as passed.
pub(crate) fn run(workspace: &Workspace, long: bool) -> bool {
    let mut run = Run { workspace, long, done: Vec::new() };
    run.cargo("format", &["fmt", "--all", "--check"], &[]);
    run.cargo("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[]);
    run.cargo("tests", &["test", "--workspace", "--no-fail-fast"], &[]);
    run.check("edges", edges::run);
    run.check("tidy", tidy::run);
    run.cargo("docs", &["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")]);
    run.suites(SUITES);
    run.finish(env::var("CI").is_ok_and(|ci| ci == "true"))
}

struct Run<'a> {
    workspace: &'a Workspace,
    long: bool,
    done: Vec<Done>,
}

impl Run<'_> {
    fn cargo(&mut self, name: &'static str, args: &[&str], env: &[(&str, &str)]) {
        let heading = format!("{name}: {}", spelled(args, env));
        self.step(name, &heading, |run| run.status(args, env));
    }

    fn check(&mut self, name: &'static str, check: fn(&Workspace) -> Result<String, Vec<String>>) {
        self.step(name, name, |run| passed(show(name, check(run.workspace))));
    }

    fn suites(&mut self, suites: &[Suite]) {
        let mut provider = Provider::new(Here);
        for suite in suites.iter().filter(|suite| self.workspace.has(suite.file)) {
            let heading = format!("{}: {}", suite.name, spelled(suite.cargo, suite.env));
            self.step(suite.name, &heading, |run| match provider.provide(suite.needs) {
                Ok(()) => run.status(suite.cargo, suite.env),
                Err(why) => Outcome::CouldNotStart(why),
            });
        }
    }

    fn step(&mut self, name: &'static str, heading: &str, act: impl FnOnce(&Self) -> Outcome) {
        println!("\n== {heading}");
        let start = Instant::now();
        let outcome = act(self);
        let done = Done { name, outcome, took: start.elapsed() };
        println!("== {name}: {:.1} s", done.took.as_secs_f64());
        self.done.push(done);
    }

    fn status(&self, args: &[&str], env: &[(&str, &str)]) -> Outcome {
        let mut command = self.workspace.cargo(args);
        command.envs(env.iter().copied()).envs(self.long.then_some(LONG));
        match command.status() {
            Ok(status) => passed(status.success()),
            Err(error) => {
                println!("cargo did not start: {error}");
                Outcome::Failed
            }
        }
    }

    fn finish(self, ci: bool) -> bool {
        print!("\n{}", summary::table(&self.done));
        println!("{}", summary::last_line(&self.done, ci));
        summary::is_good(&self.done, ci)
    }
}

fn passed(good: bool) -> Outcome {
    if good { Outcome::Passed } else { Outcome::Failed }
}

/// The command as one would type it.
fn spelled(args: &[&str], env: &[(&str, &str)]) -> String {
    let variables = env.iter().map(|(name, value)| format!("{name}=\"{value}\" "));
    format!("{}cargo {}", variables.collect::<String>(), args.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_can_be_typed_again() {
        let env = [("RUSTFLAGS", "--cfg loom")];
        assert_eq!(spelled(&["test", "-p", "x"], &env), "RUSTFLAGS=\"--cfg loom\" cargo test -p x");
    }

    #[test]
    fn suites_have_names_of_their_own() {
        for (index, suite) in SUITES.iter().enumerate() {
            assert!(SUITES[..index].iter().all(|other| other.name != suite.name), "{}", suite.name);
        }
    }
}
