//! `cargo xtask bench`: runs the benchmarks of our crates and shows their figures beside their peers'.
//! Does not measure: a bench prints one JSON object per figure, and answers `--counts` and `--count`. Start at [`run`].

mod counts;
mod figure;
mod table;

use std::io::{self, BufRead, BufReader, Read};
use std::process::Stdio;

use crate::workspace::Workspace;
use figure::{Figure, Line};

/// A benchmark that can be asked for: what the user calls it, and where it is.
struct Bench {
    name: &'static str,
    room: &'static str,
    target: &'static str,
}

const BENCHES: &[Bench] = &[
    Bench { name: "engine", room: "engine", target: "engine" },
    Bench { name: "sim", room: "sim", target: "sim" },
    Bench { name: "tail", room: "tail", target: "tail" },
    Bench { name: "serve", room: "server", target: "serve" },
];

impl Bench {
    fn package(&self) -> String {
        format!("muster-{}", self.room)
    }

    fn folder(&self) -> String {
        format!("crates/{}", self.room)
    }

    fn file(&self) -> String {
        format!("{}/benches/{}.rs", self.folder(), self.target)
    }

    /// A file, or a folder with a `main.rs`, as cargo finds it.
    fn is_in(&self, workspace: &Workspace) -> bool {
        workspace.has(&self.file()) || workspace.has(&self.file().replace(".rs", "/main.rs"))
    }

    fn say_absent(&self) {
        eprintln!("{}: no benchmark yet ({} is absent)", self.name, self.file());
    }
}

/// Runs the benchmark asked for, or every one there is; true if each of them ran to its end.
pub(crate) fn run(workspace: &Workspace, name: Option<&str>, json: bool) -> bool {
    let wanted = |bench: &&Bench| name.is_none_or(|name| name == bench.name);
    let (present, absent): (Vec<&Bench>, Vec<&Bench>) =
        BENCHES.iter().filter(wanted).partition(|bench| bench.is_in(workspace));
    if present.is_empty() {
        absent.iter().for_each(|bench| bench.say_absent());
    }

    let mut figures = Vec::new();
    let mut good = name.is_none() || !present.is_empty();
    for bench in present {
        let outcome = measure(workspace, bench, &mut figures)
            .and_then(|()| counts::measure(workspace, bench, &mut figures));
        if let Err(error) = outcome {
            eprintln!("{}: {error}", bench.name);
            good = false;
        }
    }
    let shown = if json { figure::array(&figures) } else { table::layout(&figures) };
    print!("{shown}");
    good
}

/// Runs one benchmark with its own output on stderr, and takes the figures out of what it prints.
fn measure(workspace: &Workspace, bench: &Bench, figures: &mut Vec<Figure>) -> Result<(), String> {
    let mut command = workspace.cargo(&["bench", "-p", &bench.package(), "--bench", bench.target]);
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|error| format!("did not start: {error}"))?;
    let wrong = match child.stdout.take() {
        Some(stdout) => collect(stdout, figures).map_err(|error| format!("unreadable output: {error}"))?,
        None => 0,
    };
    let status = child.wait().map_err(|error| format!("did not end: {error}"))?;
    match (status.success(), wrong) {
        (true, 0) => Ok(()),
        (true, _) => Err(format!("{wrong} of its JSON lines are not figures (see above)")),
        (false, _) => Err(format!("cargo bench ended with {status}")),
    }
}

/// Passes other text through to stderr as it comes; returns how many JSON lines were not figures.
fn collect(output: impl Read, figures: &mut Vec<Figure>) -> io::Result<usize> {
    let mut wrong = 0;
    for line in BufReader::new(output).lines() {
        let line = line?;
        match Line::parse(&line) {
            Line::Figure(figure) => figures.push(figure),
            Line::Text => eprintln!("{line}"),
            Line::Wrong(why) => {
                eprintln!("{line}\n  not a figure: {why}");
                wrong += 1;
            }
        }
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::SUBJECTS;

    #[test]
    fn every_word_that_is_allowed_names_a_benchmark() {
        assert!(BENCHES.iter().map(|bench| &bench.name).eq(SUBJECTS));
        let serve = &BENCHES[3];
        assert_eq!(
            (serve.package(), serve.file()),
            ("muster-server".into(), "crates/server/benches/serve.rs".into())
        );
    }

    #[test]
    fn figures_are_taken_out_of_what_a_bench_prints() {
        let output = "warming up\n{\"name\":\"a\",\"value\":1,\"unit\":\"ns\"}\n\n{\"oops\":1}\n";
        let mut figures = Vec::new();
        assert_eq!(collect(output.as_bytes(), &mut figures).unwrap(), 1);
        assert_eq!(figures.iter().map(|figure| &figure.name[..]).collect::<Vec<_>>(), ["a"]);
    }
}
