//! JSON that people can read too: in a chosen order, and short lists on one line.

use serde_json::Value;

/// An object with its keys in this order.
pub(crate) fn object(parts: &[(&str, Value)]) -> String {
    let lines: Vec<String> = parts.iter().map(|(key, value)| line(key, value, 1)).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

fn line(key: &str, value: &Value, depth: usize) -> String {
    format!("{}{}: {}", indent(depth), Value::from(key), pretty(value, depth))
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}

/// An object or a list of objects over several lines, all else on one; so are short rows deep inside.
fn pretty(value: &Value, depth: usize) -> String {
    let (open, lines, close) = match value {
        Value::Object(map) if depth < 2 || !is_row(value) => {
            ('{', map.iter().map(|(key, value)| line(key, value, depth + 1)).collect::<Vec<_>>(), '}')
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let item = |item| format!("{}{}", indent(depth + 1), pretty(item, depth + 1));
            ('[', items.iter().map(item).collect(), ']')
        }
        _ => return value.to_string(),
    };
    format!("{open}\n{}\n{}{close}", lines.join(",\n"), indent(depth))
}

/// A row of a table, deep inside: numbers and words only, and few.
fn is_row(value: &Value) -> bool {
    let plain = |value: &Value| !value.is_object() && !value.is_array();
    value
        .as_object()
        .is_some_and(|map| map.len() <= 6 && map.values().all(plain) && value.to_string().len() <= 160)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn short_things_stay_on_one_line() {
        let value = json!({"rows": [{"a": 1}, {"a": 2}], "points": [[1, 2], [3, 4]], "empty": []});
        let text = object(&[("name", json!("x")), ("result", value.clone())]);
        expect![[r#"
            {
              "name": "x",
              "result": {
                "empty": [],
                "points": [[1,2],[3,4]],
                "rows": [
                  {"a":1},
                  {"a":2}
                ]
              }
            }
        "#]]
        .assert_eq(&text);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["result"], value);
    }
}
