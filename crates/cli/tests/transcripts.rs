//! The real program, as a user sees it: transcripts of commands and what they print.
//!
//! Each file `.txt` of `tests/calc` and `tests/trace` holds commands after `$ `, as in a shell with single quotes, each followed by its output; `|`
//! gives the text of an `echo` as standard input. UPDATE_EXPECT=1 writes the outputs anew: read them before committing.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::{ExpectFile, expect_file};
use muster_engine::policy::{Family, Registry};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Runs all transcripts of a folder again; there are at least so many.
fn check(name: &str, least: usize) {
    let files = std::fs::read_dir(folder(name)).expect("the folder of transcripts");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    paths.sort();
    assert!(paths.len() >= least, "too few transcripts: {paths:?}");
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a transcript");
        let expected: ExpectFile = expect_file![&path];
        expected.assert_eq(&again(&text, &folder(name)));
    }
}

#[test]
fn formulas_and_policies() {
    check("calc", 10);
}

#[test]
fn histories() {
    check("trace", 3);
}

#[test]
fn a_history_becomes_a_scenario_that_runs() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("history");
    std::fs::create_dir_all(&out).expect("a folder");
    let source = folder("trace");
    for file in ["assignments.csv", "calls.csv"] {
        let scenario = out.join(file).with_extension("toml");
        let scenario = scenario.to_str().expect("a plain path");
        let made = run(&format!("muster trace convert {file} --out {scenario} --force"), &source);
        assert!(made.contains(&format!("now: muster simulate {scenario}\n")), "{made}");
        let done =
            run(&format!("muster simulate {scenario} --horizon '1 h' --replications 3 --no-html"), &source);
        assert!(done.contains("3 runs of each of 2 variants") && done.contains("one more"), "{done}");
        let text = std::fs::read_to_string(scenario).expect("the scenario");
        expect_file![folder("trace").join(file).with_extension("toml")].assert_eq(&text);
    }
}

/// The transcript with what the commands print today.
fn again(text: &str, folder: &Path) -> String {
    let commands = text.lines().filter_map(|line| line.strip_prefix("$ "));
    commands.map(|command| format!("$ {command}\n{}\n", run(command, folder))).collect()
}

fn run(command: &str, folder: &Path) -> String {
    let (input, call) = match command.strip_prefix("echo ").and_then(|rest| rest.split_once(" | ")) {
        Some((input, call)) => (words(input).join(" "), call),
        None => (String::new(), command),
    };
    let words = words(call);
    assert_eq!(words[0], "muster", "{command}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(&words[1..])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that refuses before it reads closes the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let done = child.wait_with_output().expect("the program ends");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let code = done.status.code().expect("an exit code");
    let code = if code == 0 { String::new() } else { format!("(exit code {code})\n") };
    text(&done.stdout) + &text(&done.stderr) + &code
}

/// Words as a shell splits them; single quotes keep spaces.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn every_policy_is_listed_with_its_settings() {
    let done = Command::new(env!("CARGO_BIN_EXE_muster")).arg("policies").output().expect("the program ends");
    let said = String::from_utf8(done.stdout).expect("UTF-8");
    let registry = Registry::default();
    for family in [Family::Dispatch, Family::Matching, Family::Scaling, Family::Replacement, Family::Balance]
    {
        assert!(said.contains(&format!("{}  ", family.name())), "{said}");
        for (name, about, settings) in registry.describe(family) {
            assert!(said.contains(&format!("\n  {name}\n    {about}\n")), "{name} is missing in {said}");
            assert!(settings.iter().all(|setting| said.contains(setting.meaning)), "{name}");
        }
    }
}

#[test]
fn a_picture_is_written_as_it_should_look() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pool-size.svg");
    let path_text = path.to_str().expect("a plain path");
    let done = Command::new(env!("CARGO_BIN_EXE_muster"))
        .args([
            "calc",
            "pool-size",
            "--arrivals",
            "12 /min",
            "--work",
            "90 s",
            "--value",
            "12 USD/h",
            "--wage",
            "3 USD/h",
        ])
        .args(["--svg", path_text])
        .output()
        .expect("the program ends");
    assert!(done.status.success());
    let said = String::from_utf8(done.stdout).expect("UTF-8");
    assert!(said.ends_with(&format!("\npicture: {path_text}\n")), "{said}");
    expect_file!["calc/pool-size.svg"].assert_eq(&std::fs::read_to_string(&path).expect("a picture"));
}

#[test]
fn a_picture_that_cannot_be_written_is_a_failure() {
    let done = Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(["calc", "erlang-b", "--workers", "3", "--load", "2", "--svg", "no/such/folder/x.svg"])
        .output()
        .expect("the program ends");
    assert_eq!(done.status.code(), Some(1));
    assert!(done.stdout.is_empty());
    assert!(String::from_utf8_lossy(&done.stderr).starts_with("error: no/such/folder/x.svg: "));
}
