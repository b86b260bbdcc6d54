//! What workers will see of a row of an upload: the page that is being written, or the app's, in the sandboxed frame.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use muster_formats::refusal::Refusals;
use muster_formats::template::Template;

use super::super::frame;
use crate::drafts::{self, Draft};
use crate::http::Server;
use crate::problem::Answer;

/// What is wrong with a page that is being written, line by line.
pub(super) fn wrong(refused: &Refusals) -> Vec<String> {
    let line = |refusal: &muster_formats::refusal::Refusal| {
        let place = refusal.at.as_ref().map(|at| format!("line {}: ", at.line)).unwrap_or_default();
        format!("{place}{}", refusal.message())
    };
    refused.0.iter().map(line).collect()
}

/// What is wrong with a page and the rows together; empty if workers can see every row.
pub(super) async fn problems(server: &Server, upload: u64, draft: &Draft, text: &str) -> Answer<Vec<String>> {
    let template = match Template::parse("page", text) {
        Ok(template) => template,
        Err(refused) => return Ok(wrong(&refused)),
    };
    let draft = draft.clone();
    server.read(move |reader| drafts::misfits(reader, upload, &draft, &template)).await
}

/// The document of the frame: a row in the page.
pub(super) async fn document(server: &Server, upload: u64, text: &str, place: u32) -> Answer<Response> {
    let found = server.read(move |reader| drafts::rows(reader, upload, place, 1)).await?;
    let Some(row) = found.into_iter().next() else {
        return Ok(said(&["there is no such row".to_owned()]));
    };
    let filled = match Template::parse("page", text) {
        Err(refused) => Err(wrong(&refused)),
        Ok(template) => template
            .render(&row)
            .map_err(|name| vec![format!("this row has no '{name}', and the page shows it")]),
    };
    Ok(match filled {
        Ok(filled) => frame::document(&filled),
        Err(wrong) => said(&wrong),
    })
}

/// Why there is nothing to see.
fn said(wrong: &[String]) -> Response {
    let text: Markup = html! {
        p { strong { "This page cannot be shown." } }
        ul { @for line in wrong { li { (line) } } }
    };
    (StatusCode::UNPROCESSABLE_ENTITY, frame::document(&text.into_string())).into_response()
}
