//! Rules: those of the vectors, written as text, make of a pool what they should.

mod support_vectors;

use muster_engine::policy::rule::{METRICS, Rule, net, parse};
use serde_json::Value;
use support_vectors::{Case, run};

/// The name that our rules have for a metric of the vectors.
fn name(metric: &str) -> &str {
    match metric {
        "L" => "queue",
        "c" => "size",
        "c_star" => "recommended",
        "lam" => "arrival_rate",
        "mu" => "service_rate",
        other => other,
    }
}

fn condition(value: &Value) -> String {
    let joined = |values: &Value, word: &str| {
        let parts: Vec<String> = values.as_array().unwrap().iter().map(condition).collect();
        format!("({})", parts.join(word))
    };
    if let Some(parts) = value.get("and") {
        joined(parts, " and ")
    } else if let Some(parts) = value.get("or") {
        joined(parts, " or ")
    } else if let Some(part) = value.get("not") {
        format!("not ({})", condition(part))
    } else {
        let metric = match value["metric"].as_str().unwrap() {
            "c_star-c" | "c*-c" => "recommended - size",
            metric => name(metric),
        };
        format!("{metric} {} {}", value["op"].as_str().unwrap(), value["value"])
    }
}

fn texts(rules: &Value) -> Vec<String> {
    let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    match rules.as_str() {
        Some("RB_ELASTICITY") => own(&[
            "if queue > 10 or recommended - size > 5 then recruit 1",
            "if recommended - size < -5 then release 1",
        ]),
        Some("RB_STABILITY") => own(&["if recommended - size > 5 then recruit 1"]),
        Some(other) => panic!("unknown rules {other}"),
        None => {
            let text = |rule: &Value| {
                let then = &rule["then"];
                format!("if {} then {} {}", condition(&rule["if"]), then[0].as_str().unwrap(), then[1])
            };
            rules.as_array().unwrap().iter().map(text).collect()
        }
    }
}

fn rules(case: Case<'_>) -> Value {
    let rules: Vec<Rule> =
        texts(&case.input["rules"]).iter().map(|text| parse::rule(text).unwrap()).collect();
    let state = case.input["state"].as_object().unwrap();
    let lookup = |metric: usize| {
        let known = state.iter().find(|(key, _)| name(key) == METRICS[metric].name);
        known.and_then(|(_, value)| value.as_f64())
    };
    Value::from(net(&rules, &lookup).0)
}

#[test]
fn vectors_of_rules() {
    run(&[("000_rules", rules)]);
}
