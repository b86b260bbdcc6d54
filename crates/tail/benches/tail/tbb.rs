//! oneTBB: a small program of our own in C++ (`tbb.cpp`), compiled if a compiler and the library are there, and run
//! beside our rounds. Otherwise said once and skipped.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

type Answers = BTreeMap<String, f64>;

/// TBB's figure for this workload, if TBB is there.
pub(crate) fn ask(workload: &str, threads: usize) -> Vec<(&'static str, f64)> {
    static ANSWERS: [OnceLock<Answers>; 2] = [const { OnceLock::new() }; 2];
    let answers = ANSWERS[threads - 1].get_or_init(|| run(threads));
    answers.get(workload).map(|value| ("oneTBB", *value)).into_iter().collect()
}

fn program() -> Option<&'static PathBuf> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAM.get_or_init(compile).as_ref()
}

fn compile() -> Option<PathBuf> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/tail/tbb.cpp");
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tail-tbb");
    let compiled = Command::new("g++")
        .args(["-std=c++17", "-O3", source, "-o"])
        .arg(&program)
        .arg("-ltbb")
        .output()
        .is_ok_and(|output| output.status.success());
    if !compiled {
        eprintln!("oneTBB: skipped, because g++ with libtbb-dev is not installed");
    }
    compiled.then_some(program)
}

fn run(threads: usize) -> Answers {
    let output = program().and_then(|program| Command::new(program).arg(threads.to_string()).output().ok());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let pair = |line: &str| {
        let (name, value) = line.split_once(' ')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    text.lines().filter_map(pair).collect()
}
