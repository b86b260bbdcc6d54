//! Reading files of inputs with expected outputs.
//!
//! They lie in `tests/vectors`, or in the folder that `MUSTER_VECTORS` names. A test says which files it knows and runs
//! every one that is there; it fails if none is.

#![allow(clippy::disallowed_methods, reason = "a test may ask where its files are")]

use std::path::PathBuf;

use serde_json::Value;

/// The cases of a file, and how exactly numbers must agree.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) cases: Vec<Value>,
    pub(crate) tolerance: (f64, f64),
}

fn folder() -> PathBuf {
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    std::env::var_os("MUSTER_VECTORS").map_or_else(own, PathBuf::from)
}

/// The files of these names that are there.
pub(crate) fn known(names: &[&str]) -> Vec<File> {
    let files: Vec<File> = names.iter().filter_map(|name| read(name)).collect();
    assert!(!files.is_empty(), "none of {names:?} is in {}", folder().display());
    files
}

fn read(name: &str) -> Option<File> {
    let text = std::fs::read_to_string(folder().join(format!("{name}.json"))).ok()?;
    let file: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let tolerance = |key: &str, default: f64| file[key].as_f64().unwrap_or(default);
    let cases = file["cases"].as_array().unwrap_or_else(|| panic!("{name} has no cases")).clone();
    assert!(!cases.is_empty(), "{name} is empty");
    Some(File {
        name: name.to_owned(),
        cases,
        tolerance: (tolerance("tolerance_rel", 1e-9), tolerance("tolerance_abs", 1e-12)),
    })
}

impl File {
    /// Asserts that a number is the expected one: "inf" and "-inf" are words, null is "not defined".
    pub(crate) fn agrees(&self, case: &Value, what: &str, ours: Option<f64>, expected: &Value) {
        let expected = match expected {
            Value::Null => None,
            Value::String(word) => Some(if word == "inf" { f64::INFINITY } else { f64::NEG_INFINITY }),
            number => number.as_f64(),
        };
        let same = match (ours, expected) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                a == b || (a - b).abs() <= self.tolerance.1.max(self.tolerance.0 * a.abs().max(b.abs()))
            }
            _ => false,
        };
        assert!(same, "{} {}: {what} is {ours:?}, expected {expected:?}", self.name, case["id"]);
    }
}
