//! Inputs with expected outputs, from files: finds them, runs what a test knows, and compares.
//!
//! The folder is `tests/vectors`, or the one that MUSTER_VECTORS names. A file that no test of this crate knows (see
//! [`KNOWN`]) is left alone; a folder without any known file fails, so that a wrong path does not look like success.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::path::PathBuf;

use serde_json::Value;

/// Every file that some test of this crate runs. A test that runs another one adds it here.
const KNOWN: &[&str] = &[
    "000_abandon_window",
    "000_c_star",
    "000_completion_time",
    "000_erlang_c",
    "000_evaluate_transfer",
    "000_greedy_assign",
    "000_perf",
    "000_pid",
    "000_pool_balance",
    "000_recruiters",
    "000_rules",
    "001_fair_share",
    "001_seq_fifo",
    "001_seq_fs",
    "001_seq_rr",
    "001_seq_sjf",
    "001_seq_wcfs",
    "001_seq_wfs",
    "001_simulate",
    "003_active_users",
    "003_k_j",
    "003_lpf_order",
    "003_patience",
];

/// One input and what should come of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<'a> {
    pub(crate) input: &'a Value,
    pub(crate) expected: &'a Value,
}

/// How a test answers a case: in the form of the expected output, infinity as by [`real`], undefined as null.
pub(crate) type Answer = fn(Case<'_>) -> Value;

/// Runs every file of the folder that `answers` has; panics with all differences, each with its file and case.
pub(crate) fn run(answers: &[(&str, Answer)]) {
    let folder = folder();
    let there = |name: &str| folder.join(format!("{name}.json"));
    assert!(KNOWN.iter().any(|name| there(name).exists()), "no known vector file in {}", folder.display());
    let mut differences = Vec::new();
    for (name, answer) in answers {
        assert!(KNOWN.contains(name), "{name} is missing in KNOWN");
        if there(name).exists() {
            let text = std::fs::read_to_string(there(name)).expect("a readable file");
            let file: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            run_file(name, &file, *answer, &mut differences);
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

fn folder() -> PathBuf {
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    std::env::var_os("MUSTER_VECTORS").map_or_else(own, PathBuf::from)
}

fn run_file(name: &str, file: &Value, answer: Answer, differences: &mut Vec<String>) {
    let tolerance = Tolerance {
        relative: file["tolerance_rel"].as_f64().expect("tolerance_rel"),
        absolute: file["tolerance_abs"].as_f64().unwrap_or(0.0),
    };
    let cases = file["cases"].as_array().expect("cases");
    assert!(!cases.is_empty(), "{name} has no cases");
    for case in cases {
        let expected = &case["out"];
        let got = answer(Case { input: &case["in"], expected });
        if !tolerance.same(expected, &got) {
            differences.push(format!("{name} {}: expected {expected}, got {got}", case["id"]));
        }
    }
}

struct Tolerance {
    relative: f64,
    absolute: f64,
}

impl Tolerance {
    /// Numbers with the tolerance, whole numbers and all else exactly.
    fn same(&self, expected: &Value, got: &Value) -> bool {
        match (expected, got) {
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(a, b))
            }
            (Value::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| self.same(a, b)))
            }
            (Value::Number(a), Value::Number(b)) if a.is_f64() || b.is_f64() => {
                let (a, b) = (number(expected), number(got));
                (a - b).abs() <= self.absolute.max(self.relative * a.abs().max(b.abs()))
            }
            _ => expected == got,
        }
    }
}

/// A number of a file: "inf" and "-inf" are strings there.
pub(crate) fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().unwrap_or_else(|| panic!("not a number: {value}")),
    }
}

/// A whole number of a file.
pub(crate) fn whole(value: &Value) -> u32 {
    value
        .as_u64()
        .and_then(|n| u32::try_from(n).ok())
        .unwrap_or_else(|| panic!("not a whole number: {value}"))
}

/// A list of a file, each item read.
pub(crate) fn list<T>(value: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}")).iter().map(read).collect()
}

/// A number as files write it.
pub(crate) fn real(number: f64) -> Value {
    if number.is_finite() {
        Value::from(number)
    } else {
        Value::from(if number > 0.0 { "inf" } else { "-inf" })
    }
}
