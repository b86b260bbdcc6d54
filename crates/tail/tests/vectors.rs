//! The 004 vectors: every file that we know, here or in the folder that MUSTER_VECTORS names.

use muster_tail::policy::{AdmitFirst, KnownWork, StealFirst, TailControl, TailPolicy};
use muster_tail::sim::{Offer, Setup, Shape, Victims, run};
use muster_tail::table::{Misses, Model, Table, active_mean};
use muster_tail::work::{Bin, Work};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

type Check = fn(&Value) -> Value;

const KNOWN: [(&str, Check); 9] = [
    ("004_lookup.json", lookup),
    ("004_misses.json", misses),
    ("004_q_max.json", q_max),
    ("004_sim_admit_first.json", sim_admit_first),
    ("004_sim_clairvoyant.json", sim_clairvoyant),
    ("004_sim_steal_first.json", sim_steal_first),
    ("004_sim_tail_control.json", sim_tail_control),
    ("004_table.json", table),
    ("004_work_stats.json", work_stats),
];

#[test]
fn all_vectors_agree() {
    let folder = folder();
    let present: Vec<_> = KNOWN.iter().filter(|(name, _)| folder.join(name).is_file()).collect();
    assert!(!present.is_empty(), "no file with vectors that this crate knows in {}", folder.display());
    for (name, check) in present {
        check_file(&folder.join(name), *check);
    }
}

#[test]
fn own_vectors_are_complete() {
    for (name, _) in KNOWN {
        assert!(own_folder().join(name).is_file(), "{name} is missing");
    }
}

fn own_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

fn folder() -> PathBuf {
    std::env::var_os("MUSTER_VECTORS").map_or_else(own_folder, PathBuf::from)
}

fn check_file(path: &Path, check: Check) {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let file: Value = serde_json::from_str(&text).expect("a JSON file");
    let tolerance = (number(&file["tolerance_rel"]), number(&file["tolerance_abs"]));
    let cases = file["cases"].as_array().expect("cases");
    assert!(!cases.is_empty(), "{} has no cases", path.display());
    for case in cases {
        let ours = check(&case["in"]);
        assert!(
            agrees(&ours, &case["out"], tolerance),
            "{}, {}: ours {ours}, expected {}",
            path.display(),
            case["id"],
            case["out"]
        );
    }
}

/// Equal within the tolerance; a null that is expected at "marked" says nothing.
fn agrees(ours: &Value, expected: &Value, tolerance: (f64, f64)) -> bool {
    match (ours, expected) {
        (Value::Object(a), Value::Object(b)) => b.iter().all(|(key, value)| {
            (key == "marked" && value.is_null()) || a.get(key).is_some_and(|v| agrees(v, value, tolerance))
        }),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| agrees(x, y, tolerance))
        }
        (Value::Null, Value::Null) => true,
        (Value::Null, _) | (_, Value::Null) => false,
        _ => close(number(ours), number(expected), tolerance),
    }
}

fn close(a: f64, b: f64, (relative, absolute): (f64, f64)) -> bool {
    a == b || (a - b).abs() <= absolute + relative * a.abs().max(b.abs())
}

fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("inf" | "Infinity") => f64::INFINITY,
        Some(other) => panic!("not a number: {other}"),
        None => value.as_f64().unwrap_or_else(|| panic!("not a number: {value}")),
    }
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a count")).expect("a small count")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

fn work(input: &Value) -> Work {
    let bins = input["bins"].as_array().expect("bins");
    let bin = |pair: &Value| Bin { probability: number(&pair[0]), work_max: number(&pair[1]) };
    Work::new(bins.iter().map(bin).collect()).expect("sound bins")
}

fn model(input: &Value) -> Model {
    Model {
        target: number(&input["target"]),
        rate: number(&input["rate"]),
        cores: count(&input["m"]),
        work: work(input),
    }
}

fn lookup(input: &Value) -> Value {
    let table = Table::from_thresholds(numbers(&input["table"])).expect("a table");
    json!(table.threshold(count(&input["q"])))
}

fn misses(input: &Value) -> Value {
    let m: Misses = model(input).misses(number(&input["l"]), count(&input["q"]));
    let finite = |value: f64| if value.is_finite() { json!(value) } else { json!("inf") };
    json!({
        "T": m.length, "miss_l": m.large, "m_s": m.cores_small, "x": m.ahead, "y1": m.late_active,
        "y2": m.late_arriving, "miss_s": finite(m.small), "total": finite(m.total()),
    })
}

fn q_max(input: &Value) -> Value {
    let (mean, rows) = active_mean(
        number(&input["rate"]),
        number(&input["w_bar"]),
        count(&input["m"]),
        number(&input["factor"]),
    );
    json!({ "mean_active": mean, "q_max": rows })
}

fn table(input: &Value) -> Value {
    match Table::build(&model(input), count(&input["q_max"])) {
        Ok(table) => json!(table.thresholds()),
        Err(error) => json!({ "error": error.to_string() }),
    }
}

fn work_stats(input: &Value) -> Value {
    let s = work(input).split(number(&input["l"]));
    json!({
        "w_bar": s.mean, "p_l": s.large, "p_s": s.small, "w_s": s.small_mean, "w_e": s.essential_mean,
        "w_f": s.superfluous_mean,
    })
}

fn simulate(input: &Value, policy: &dyn TailPolicy) -> Value {
    let pairs = input["requests"].as_array().expect("requests");
    let offers: Vec<Offer> = pairs.iter().map(|p| Offer::new(number(&p[0]), number(&p[1]))).collect();
    let loop_leaves = input["phase"].as_u64().map(|leaves| u32::try_from(leaves).expect("a small loop"));
    let shape = Shape { grain: number(&input["grain"]), loop_leaves, sequential: 0.0 };
    assert_eq!(input["victim"], json!("cyclic"));
    let setup = Setup { cores: count(&input["m"]), shape, victims: Victims::Cyclic, trace: false };
    let outcome = run(&setup, policy, &offers);
    json!({ "latency": outcome.latencies, "marked": outcome.marked })
}

fn lazy(input: &Value) -> TailControl {
    let table = Table::from_thresholds(numbers(&input["table"])).expect("a table");
    TailControl::with_table(1.0, table).lazy()
}

fn sim_steal_first(input: &Value) -> Value {
    simulate(input, &StealFirst)
}

fn sim_admit_first(input: &Value) -> Value {
    simulate(input, &AdmitFirst)
}

fn sim_tail_control(input: &Value) -> Value {
    simulate(input, &lazy(input))
}

fn sim_clairvoyant(input: &Value) -> Value {
    simulate(input, &KnownWork(lazy(input)))
}
