//! Results as files: the API's replies, for somebody with a session instead of a token.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::routing::get;

use super::super::Page;
use super::super::session::Visitor;
use crate::http::Server;
use crate::http::extract::{Query, Word};
use crate::http::results::{self, Format, How, Which};
use crate::problem::Problem;

/// The files.
pub(super) fn router() -> Router<Server> {
    Router::new().route("/jobs/{job}/download/{file}", get(send))
}

/// What there is to download: its name, and what it is in words.
pub(super) const FILES: [(&str, &str); 4] = [
    ("answers.csv", "Answers as a table (CSV)"),
    ("answers.jsonl", "Answers as lines of JSON"),
    ("majority.csv", "What most say, per task (CSV)"),
    ("majority.jsonl", "What most say (JSON)"),
];

async fn send(
    State(server): State<Server>,
    visitor: Visitor,
    Path((job, file)): Path<(String, String)>,
) -> Page {
    let (what, ending) = file.split_once('.').unwrap_or((&file, ""));
    let format = match ending {
        "csv" => Format::Csv,
        "jsonl" => Format::Jsonl,
        _ => return Err(missing(&file).into()),
    };
    let (state, by, word) = (State(server), visitor.by(), Word(job.clone()));
    let mut response = match what {
        "answers" => {
            let which = Which { format, from: 0, follow: false, all: false };
            results::list(state, by, word, Query(which)).await?
        }
        "majority" => results::most_say(state, by, word, Query(How { format })).await?,
        _ => return Err(missing(&file).into()),
    };
    // The job was found, so its word is a number.
    let name = format!("attachment; filename=\"job-{job}-{what}.{ending}\"");
    let name = HeaderValue::from_str(&name).map_err(|error| Problem::unreadable(error.to_string()))?;
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

fn missing(file: &str) -> Problem {
    Problem::not_found(format_args!("file '{file}'"))
}
