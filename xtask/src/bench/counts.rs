//! Instruction counts: steady on a shared machine, where times are not.
//! A bench lists with `--counts` what can be counted, one `NAME UNIT [N]` on each line, and does it N times for
//! `--count NAME --n N`. Callgrind counts N and 2N; the difference over N is free of the cost of starting. Start at [`measure`].

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::Bench;
use super::figure::Figure;
use crate::needs::Need;
use crate::workspace::Workspace;

const VALGRIND: Need = Need { program: "valgrind", package: "valgrind" };
const REPEATS: u64 = 2000;

/// The bench's executable, and the folder where cargo would run it.
struct Binary {
    path: PathBuf,
    folder: PathBuf,
}

/// Something a bench can do N times, and what one of them is called.
#[derive(Debug, PartialEq)]
struct Count {
    name: String,
    unit: String,
    repeats: u64,
}

/// Adds a figure for each thing that the bench can count; none if valgrind is absent.
pub(super) fn measure(workspace: &Workspace, bench: &Bench, figures: &mut Vec<Figure>) -> Result<(), String> {
    let binary = Binary { path: executable(workspace, bench)?, folder: workspace.path(&bench.folder()) };
    let counts = list(&text_of(&binary.run(&["--counts"])?.stdout))?;
    if !counts.is_empty() && !VALGRIND.is_met() {
        let name = bench.name;
        eprintln!(
            "{name}: no instruction counts, valgrind is absent (Debian's package {})",
            VALGRIND.package
        );
        return Ok(());
    }
    for count in &counts {
        figures.push(count.figure(&binary)?);
    }
    Ok(())
}

fn executable(workspace: &Workspace, bench: &Bench) -> Result<PathBuf, String> {
    let package = bench.package();
    let args = ["bench", "-p", &package, "--bench", bench.target, "--no-run", "--message-format=json"];
    let out = finish(workspace.cargo(&args).stderr(Stdio::inherit()))?;
    find_executable(&text_of(&out.stdout), bench.target).ok_or_else(|| "cargo names no executable".to_owned())
}

/// Picks the bench's executable out of cargo's messages.
fn find_executable(messages: &str, target: &str) -> Option<PathBuf> {
    let mut messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.find_map(|message| {
        let is_bench = message["target"]["kind"] == serde_json::json!(["bench"]);
        let is_it =
            message["reason"] == "compiler-artifact" && message["target"]["name"] == target && is_bench;
        if is_it { message["executable"].as_str().map(PathBuf::from) } else { None }
    })
}

fn list(answer: &str) -> Result<Vec<Count>, String> {
    answer.lines().filter(|line| !line.trim().is_empty()).map(Count::parse).collect()
}

impl Count {
    fn parse(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, unit, repeats) = match words[..] {
            [name, unit] => (name, unit, Some(REPEATS)),
            [name, unit, repeats] => (name, unit, repeats.parse().ok().filter(|repeats| *repeats > 0)),
            _ => ("", "", None),
        };
        let repeats =
            repeats.ok_or_else(|| format!("answers --counts with `{line}`, not with `NAME UNIT [N]`"))?;
        Ok(Self { name: name.to_owned(), unit: unit.to_owned(), repeats })
    }

    fn figure(&self, binary: &Binary) -> Result<Figure, String> {
        let once = binary.instructions(&self.name, self.repeats)?;
        let twice = binary.instructions(&self.name, 2 * self.repeats)?;
        Ok(Figure {
            name: self.title(),
            value: (twice as f64 - once as f64) / self.repeats as f64,
            unit: "instructions".to_owned(),
            peer: None,
            peer_value: None,
            ratio: None,
        })
    }

    fn title(&self) -> String {
        if self.unit == "instructions" {
            self.name.clone()
        } else {
            format!("{} per {}", self.name, self.unit)
        }
    }
}

impl Binary {
    fn run(&self, args: &[&str]) -> Result<Output, String> {
        finish(Command::new(&self.path).args(args).current_dir(&self.folder).stderr(Stdio::inherit()))
    }

    fn instructions(&self, name: &str, repeats: u64) -> Result<u64, String> {
        let mut command = Command::new(VALGRIND.program);
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&self.path);
        command.args(["--count", name, "--n", &repeats.to_string()]).current_dir(&self.folder);
        let out = finish(&mut command)?;
        collected(&text_of(&out.stderr)).ok_or_else(|| format!("callgrind gave no total for {name}"))
    }
}

/// The total in callgrind's closing lines: `==123== Collected : 4567`.
fn collected(report: &str) -> Option<u64> {
    let mut totals = report.lines().filter_map(|line| line.split_once("Collected :"));
    totals.next_back()?.1.split_whitespace().next()?.parse().ok()
}

/// Runs to the end; `Err` if it fails, with what it said.
fn finish(command: &mut Command) -> Result<Output, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let out = command.output().map_err(|error| format!("{program} did not start: {error}"))?;
    if out.status.success() {
        return Ok(out);
    }
    Err(format!("{program} ended with {}\n{}", out.status, text_of(&out.stderr).trim_end()))
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bench_lists_what_it_can_count() {
        let count = |name: &str, unit: &str, repeats| Count { name: name.into(), unit: unit.into(), repeats };
        let counts = list("choose decision\n\nreplay fact 500\n").unwrap();
        assert_eq!(counts, [count("choose", "decision", 2000), count("replay", "fact", 500)]);
        assert_eq!(list(""), Ok(Vec::new()));
    }

    #[test]
    fn a_bench_that_does_not_understand_is_found_out() {
        for answer in ["choose", "choose decision many", "choose decision 0", "one two 3 four"] {
            assert!(list(answer).unwrap_err().contains(answer), "{answer}");
        }
    }

    #[test]
    fn the_title_says_what_is_counted() {
        assert_eq!(Count::parse("choose decision").unwrap().title(), "choose per decision");
        assert_eq!(Count::parse("choose instructions").unwrap().title(), "choose");
    }

    #[test]
    fn the_total_is_read_from_callgrinds_closing_lines() {
        let report = "==7== Callgrind\n==7== Events    : Ir\n==7== Collected : 4567\n==7== \n==7== I   refs:      4,567\n";
        assert_eq!(collected(report), Some(4567));
        assert_eq!(collected("==7== Callgrind\n"), None);
    }

    #[test]
    fn the_executable_is_found_among_cargos_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"tail"},"executable":null}
{"reason":"compiler-artifact","target":{"kind":["bench"],"name":"tail"},"executable":"target/release/deps/tail-1"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(find_executable(messages, "tail"), Some(PathBuf::from("target/release/deps/tail-1")));
        assert_eq!(find_executable(messages, "sim"), None);
    }
}
