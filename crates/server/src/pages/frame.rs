//! HTML of tenants, in a room of its own: a sandboxed frame without our origin, so whatever runs in there sees neither the page around
//! it nor the session, and can only say `{answer}` to the page, which checks who speaks.
//!
//! [`document`] is what the frame loads, [`element`] is the frame on a page. `task.js` is put in front of the tenant's HTML, where nothing
//! that is left open there can swallow it: it collects the fields, tells how high the content is, and sends on Ctrl+Enter.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// What may be loaded in there. (`form-action 'none'`: answers go by message, never by a form.)
const POLICY: &str = "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline' https:; \
                      img-src https: http: data:; media-src https: http: data:; font-src https: data:; form-action 'none'; \
                      base-uri 'none'; frame-ancestors 'self'";

const SCRIPT: &str = include_str!("assets/task.js");
const STYLE: &str = include_str!("assets/task.css");

/// A tenant's HTML, filled in, as the document of a frame.
#[must_use]
pub fn document(filled: &str) -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light";
            title { "Task" }
            style { (PreEscaped(STYLE)) }
            script { (PreEscaped(SCRIPT)) }
            (PreEscaped(filled))
        }
    };
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], page).into_response()
}

/// The frame on a page. Without `src` it is empty until something is loaded into it by its name.
#[must_use]
pub fn element(name: &str, title: &str, src: Option<&str>) -> Markup {
    html! {
        iframe .task-frame id=(name) name=(name) title=(title) src=[src] sandbox="allow-scripts allow-forms" referrerpolicy="no-referrer" {}
    }
}
