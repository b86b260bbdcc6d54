//! The latest answers of a job, as rows. Reads through the same functions as the API.

use maud::{Markup, html};
use muster_engine::ids::{JobId, TaskId};

use super::super::parts::{self, Column};
use crate::http::Server;
use crate::keeper;
use crate::payload::Answer as Kept;
use crate::problem::Answer;
use crate::results;

/// So many are shown.
pub(super) const SHOWN_MOST: usize = 20;
/// Of each text so many letters.
const LETTERS_MOST: usize = 160;

pub(super) const COLUMNS: [Column; 5] = [
    Column::number("Task"),
    Column::text("Answer"),
    Column::text("Input"),
    Column::number("Worker"),
    Column::text("Came"),
];

/// An answer with the input it is for.
pub(super) struct Row {
    kept: Kept,
    input: String,
}

/// The latest answers, the last first.
pub(super) async fn latest(server: &Server, job: JobId) -> Answer<Vec<Row>> {
    let shared: std::sync::Arc<keeper::Shared> = std::sync::Arc::clone(&server.keeper.shared);
    server
        .read(move |reader| {
            let mut rows = Vec::new();
            for kept in results::latest(reader, job, SHOWN_MOST)? {
                let input = shared.cache.fetch(reader, TaskId { job, index: kept.task })?.unwrap_or_default();
                rows.push(Row { kept, input: String::from_utf8_lossy(&input).into_owned() });
            }
            Ok(rows)
        })
        .await
}

/// JSON as a person reads it: `label: cat, sure: true`, cut where it is long.
pub(super) fn told(json: &str) -> String {
    let text = match serde_json::from_str(json) {
        Ok(serde_json::Value::Object(fields)) => {
            let each = fields.iter().map(|(name, value)| format!("{name}: {}", plain(value)));
            each.collect::<Vec<_>>().join(", ")
        }
        Ok(other) => plain(&other),
        Err(_) => json.to_owned(),
    };
    cut(&text)
}

/// A value as text, without quotes around it.
pub(super) fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => "–".to_owned(),
        other => other.to_string(),
    }
}

/// The beginning of a text.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(LETTERS_MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The rows of the table.
pub(super) fn rows(rows: &[Row], now: muster_engine::Time) -> Markup {
    let row = |row: &Row| {
        let kept = &row.kept;
        let late = (!results::counts(kept)).then_some(" (came too late to count)");
        vec![
            html! { (u64::from(kept.task) + 1) },
            html! { (told(&String::from_utf8_lossy(&kept.body))) @if let Some(late) = late { span .soft { (late) } } },
            html! { (told(&row.input)) },
            html! { (kept.worker.0) },
            parts::ago(kept.at, now),
        ]
    };
    parts::rows_of(&COLUMNS, rows.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_without_braces_and_cut() {
        assert_eq!(told(r#"{"label":"cat","sure":true,"why":null}"#), "label: cat, sure: true, why: –");
        assert_eq!(told("7"), "7");
        assert_eq!(told("no json"), "no json");
        assert_eq!(told(&format!("\"{}\"", "ä".repeat(300))).chars().count(), LETTERS_MOST + 1);
    }
}
