//! The OpenAPI document: whole in itself. What the server does by it is tested against the real program.

use serde_json::Value;

/// Every `$ref` in a value, wherever it stands.
fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(to)) = fields.get("$ref") {
                found.push(to.clone());
            }
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = serde_json::to_value(muster_server::http::openapi()).expect("it is JSON");
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 100, "only {} references", found.len());
    let leads_nowhere = |to: &&String| to.strip_prefix('#').and_then(|to| document.pointer(to)).is_none();
    let lost: Vec<&String> = found.iter().filter(leads_nowhere).collect();
    assert!(lost.is_empty(), "these lead nowhere: {lost:?}");
}

#[test]
fn every_operation_says_what_it_does() {
    let document = serde_json::to_value(muster_server::http::openapi()).expect("it is JSON");
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let words = operation["summary"].as_str().or(operation["description"].as_str());
            assert!(words.is_some_and(|words| !words.is_empty()), "{method} {path} says nothing");
        }
    }
}

#[test]
fn everything_that_makes_something_takes_an_idempotency_key() {
    let document = serde_json::to_value(muster_server::http::openapi()).expect("it is JSON");
    let mut makers = 0;
    for (path, methods) in document["paths"].as_object().expect("paths") {
        // The link of the first start can be used once anyway.
        if methods["post"]["responses"]["201"].is_null() || path == "/api/claim" {
            continue;
        }
        makers += 1;
        let parameters = methods["post"]["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        let has_key = parameters.iter().any(|parameter| parameter["name"] == "Idempotency-Key");
        assert!(has_key, "{path} makes something, and takes no key");
    }
    assert!(makers > 8, "only {makers}");
}
