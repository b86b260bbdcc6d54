//! One figure of a benchmark: read from the line a bench prints, written as JSON. Knows nothing of tables.

use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) unit: String,
    pub(super) peer: Option<String>,
    pub(super) peer_value: Option<f64>,
    pub(super) ratio: Option<f64>,
}

/// What one line of a bench's output is.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    Figure(Figure),
    /// Not JSON: for the person who watches.
    Text,
    /// JSON, but not a figure: a mistake of the bench, which must not pass for "nothing measured".
    Wrong(String),
}

impl Line {
    pub(super) fn parse(line: &str) -> Self {
        match serde_json::from_str::<Value>(line) {
            Ok(value) if value.is_object() => Figure::read(&value).map_or_else(Self::Wrong, Self::Figure),
            _ => Self::Text,
        }
    }
}

impl Figure {
    fn read(value: &Value) -> Result<Self, String> {
        Ok(Self {
            name: text(value, "name")?.ok_or("`name` is missing")?,
            value: number(value, "value")?.ok_or("`value` is missing")?,
            unit: text(value, "unit")?.ok_or("`unit` is missing")?,
            peer: text(value, "peer")?,
            peer_value: number(value, "peer_value")?,
            ratio: number(value, "ratio")?,
        })
    }

    /// In the order of the table, which a JSON map would not keep.
    fn write(&self) -> String {
        let Self { name, value, unit, peer, peer_value, ratio } = self;
        format!(
            r#"{{"name": {}, "value": {}, "unit": {}, "peer": {}, "peer_value": {}, "ratio": {}}}"#,
            json!(name),
            json!(value),
            json!(unit),
            json!(peer),
            json!(peer_value),
            json!(ratio)
        )
    }
}

/// A JSON array with one figure on each line.
pub(super) fn array(figures: &[Figure]) -> String {
    let lines: Vec<String> = figures.iter().map(|figure| format!("\n  {}", figure.write())).collect();
    let end = if lines.is_empty() { "" } else { "\n" };
    format!("[{}{end}]\n", lines.join(","))
}

fn text(value: &Value, key: &str) -> Result<Option<String>, String> {
    match &value[key] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        other => Err(format!("`{key}` is {other}, not a text")),
    }
}

fn number(value: &Value, key: &str) -> Result<Option<f64>, String> {
    match &value[key] {
        Value::Null => Ok(None),
        Value::Number(number) => Ok(number.as_f64()),
        other => Err(format!("`{key}` is {other}, not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        r#"{"name": "push", "value": 12.5, "unit": "ns", "peer": "std", "peer_value": 25.0, "ratio": 0.5}"#;
    const ALONE: &str =
        r#"{"name": "pop", "value": 7.0, "unit": "ns", "peer": null, "peer_value": null, "ratio": null}"#;

    fn figure(line: &str) -> Figure {
        match Line::parse(line) {
            Line::Figure(figure) => figure,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_line_is_a_figure() {
        let push = figure(LINE);
        assert_eq!((push.name.as_str(), push.value, push.unit.as_str()), ("push", 12.5, "ns"));
        assert_eq!((push.peer.as_deref(), push.peer_value, push.ratio), (Some("std"), Some(25.0), Some(0.5)));
    }

    #[test]
    fn a_peer_may_be_null_or_absent() {
        assert_eq!(figure(ALONE).peer, None);
        assert_eq!(figure(r#"{"name":"pop","value":7,"unit":"ns"}"#), figure(ALONE));
    }

    #[test]
    fn other_text_is_not_a_figure() {
        for line in ["", "running 3 benches", "12", "[1, 2]", "{ not json }"] {
            assert_eq!(Line::parse(line), Line::Text, "{line}");
        }
    }

    #[test]
    fn json_that_is_not_a_figure_is_a_mistake() {
        let cases = [
            (r#"{"value":1,"unit":"ns"}"#, "`name` is missing"),
            (r#"{"name":"x","value":"1","unit":"ns"}"#, "`value` is \"1\", not a number"),
            (r#"{"name":"x","value":1,"unit":2}"#, "`unit` is 2, not a text"),
        ];
        for (line, why) in cases {
            assert_eq!(Line::parse(line), Line::Wrong(why.to_owned()), "{line}");
        }
    }

    #[test]
    fn the_array_reads_back() {
        let figures = [figure(LINE), figure(ALONE)];
        assert_eq!(array(&figures), format!("[\n  {LINE},\n  {ALONE}\n]\n"));
        assert_eq!(array(&[]), "[]\n");
    }
}
