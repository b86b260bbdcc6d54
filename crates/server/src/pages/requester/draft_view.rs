//! How the second step of a new job looks. Pure: values in, markup out.

use maud::{Markup, html};
use serde_json::{Map, Value};

use super::super::form::hidden;
use super::super::parts::{self, Field, Tile};
use super::super::session::Visitor;
use super::super::{assets, frame, layout};
use super::PLACE;
use super::answers::{cut, plain};
use super::job::plural;
use super::upload::address;
use super::wishes::Wishes;
use crate::directory::AppRecord;
use crate::drafts::Draft;

/// So many rows of the file are shown.
pub(super) const ROWS_SHOWN: usize = 5;
/// So many inputs of a row are shown.
const INPUTS_SHOWN: usize = 12;

/// What the page shows.
pub(super) struct Shown<'a> {
    pub(super) visitor: &'a Visitor,
    pub(super) upload: u64,
    pub(super) draft: &'a Draft,
    pub(super) wishes: &'a Wishes,
    /// What is wrong with the page for workers.
    pub(super) problems: &'a [String],
    pub(super) estimate: &'a Markup,
    /// The row with the app's form, for when there is no page.
    pub(super) form: Option<&'a Markup>,
    pub(super) rows: &'a [Map<String, Value>],
    pub(super) tenant: &'a str,
    pub(super) app: Option<&'a AppRecord>,
}

/// The page.
pub(super) fn page(shown: &Shown<'_>) -> Markup {
    let (draft, at) = (shown.draft, address(shown.upload));
    let wrong = !shown.problems.is_empty() || !shown.wishes.wrong.is_empty();
    let body = html! {
        p .crumbs { a href="/jobs" { "Jobs" } " / " a href="/jobs/new" { "New job" } }
        h1 { @if draft.name.is_empty() { (draft.file) } @else { (draft.name) } }
        p .soft { "Nothing is submitted yet. Look at the rows, say what workers see and what an answer is worth, then submit." }
        @if let Some(wrong) = shown.wishes.error("") { (parts::problem(wrong)) }
        @else if wrong { (parts::problem("Not ready to submit: what is wrong is marked below.")) }
        (rows(shown))
        form #draft method="post" action=(at) data-estimate=(format!("{at}/estimate")) {
            (hidden(shown.visitor))
            (editor(shown))
            (settings(shown))
            div .row {
                (parts::submit(&format!("Submit {} {}", parts::count(draft.tasks), plural(u64::from(draft.tasks), "task", "tasks"))))
                button #check name="act" value="check" { "Check again" }
            }
        }
        (discard(shown, &at))
        (assets::script("draft.js"))
    };
    layout::page(Some(shown.visitor), "New job", PLACE, &body)
}

fn rows(shown: &Shown<'_>) -> Markup {
    let draft = shown.draft;
    let tiles = [
        Tile::new("Tasks", parts::count(draft.tasks)).note(html! { "a row each, from " (draft.file) }),
        Tile::new("Inputs", parts::count(draft.inputs.len() as u64)).note(cut(&draft.inputs.join(", "))),
        Tile::new("App", shown.app.map_or("?", |app| app.name.as_str()))
            .note(html! { "of tenant " (shown.tenant) }),
    ];
    html! {
        (parts::tiles(&tiles))
        @if !draft.ignored.is_empty() {
            div .notice {
                p { "Not used as inputs:" }
                ul { @for column in &draft.ignored { li { (column) } } }
            }
        }
        h2 { "The first rows" }
        (table(shown))
    }
}

/// The rows as a table of their own: its columns are the file's.
fn table(shown: &Shown<'_>) -> Markup {
    let inputs: Vec<&String> = shown.draft.inputs.iter().take(INPUTS_SHOWN).collect();
    let more = shown.draft.inputs.len() - inputs.len();
    let value = |row: &Map<String, Value>, name: &str| row.get(name).map(|value| cut(&plain(value)));
    html! {
        div .m-scroll tabindex="0" role="region" aria-label="The first rows" {
            table #rows {
                thead { tr { th scope="col" .m-n { "Row" } @for input in &inputs { th scope="col" { (input) } } } }
                tbody {
                    @for (n, row) in (1..).zip(shown.rows) {
                        tr {
                            th scope="row" .m-n { (n) }
                            @for input in &inputs {
                                td { @match value(row, input) { Some(text) => (text), None => span .soft { "missing" } } }
                            }
                        }
                    }
                }
            }
        }
        @if more > 0 { p .soft { "and " (more) " more " (plural(more as u64, "input", "inputs")) } }
    }
}

fn editor(shown: &Shown<'_>) -> Markup {
    let has_page = shown.app.is_some_and(|app| app.template.is_some());
    let hint = match (has_page, shown.app.is_some_and(|app| app.form.is_some())) {
        (true, _) => "This is the app's page. Change it for this job only, or leave it as it is.",
        (false, true) => {
            "Leave it empty and workers get the app's form. Or write HTML with fields; it is for this job only."
        }
        (false, false) => {
            "HTML with the fields that workers fill in. Left empty, workers see the inputs and a field for text."
        }
    };
    html! {
        h2 { "What workers see" }
        div .editor {
            div .field {
                label for="f-template" { "Page (HTML)" }
                textarea #f-template .code name="template" rows="18" spellcheck="false" aria-describedby="h-template"
                    aria-invalid=[(!shown.problems.is_empty()).then_some("true")] placeholder=(EXAMPLE) { "\n" (shown.wishes.template) }
                p .hint #h-template { (hint) " Values: " (variables(shown.draft)) }
                @if !shown.problems.is_empty() {
                    ul #page-problems .error { @for problem in shown.problems { li { (problem) } } }
                }
            }
            div .preview {
                div .row {
                    label for="f-row" { "Preview of row" }
                    input #f-row type="number" name="row" min="1" max=(shown.draft.tasks) value=(shown.wishes.row);
                    button #preview-button formaction=(format!("/frame/drafts/{:016x}", shown.upload)) formtarget="preview" formnovalidate { "Show" }
                }
                div #preview-place { (frame::element("preview", "What a worker sees of this row", None)) }
                @if let Some(form) = shown.form { div #form-preview .panel { (form) } }
            }
        }
    }
}

const EXAMPLE: &str = "<p>Is this a cat?</p>\n<img src=\"${image}\" alt=\"\">\n<label><input type=\"radio\" name=\"cat\" value=\"yes\" required> Yes</label>\n<label><input type=\"radio\" name=\"cat\" value=\"no\"> No</label>";

fn variables(draft: &Draft) -> Markup {
    let shown = draft.inputs.iter().take(INPUTS_SHOWN);
    html! { @for (i, name) in shown.enumerate() { @if i > 0 { " " } code { "${" (name) "}" } } }
}

fn settings(shown: &Shown<'_>) -> Markup {
    let wishes = shown.wishes;
    let field =
        |name: &str, label: &str, value: &str| Field::new(name, label).value(value).error(wishes.error(name));
    let most = f64::from(u8::MAX);
    html! {
        h2 { "Price and size" }
        div .columns {
            div .narrow {
                (field("name", "Name of the job", &wishes.name))
                (field("price", "Price of an answer", &wishes.price).number("any", Some(0.0), None)
                    .hint("What a person gets for an answer that counts."))
                (field("slots", "Answers per task", &wishes.slots).number("1", Some(1.0), Some(most))
                    .hint("From different workers, so that they can be compared."))
                (field("priority", "Priority", &wishes.priority).number("1", Some(1.0), None)
                    .hint("Its share against your other jobs: 2 gets twice as much as 1."))
                (field("budget", "Budget", &wishes.budget).number("any", Some(0.0), None)
                    .hint("Optional: the job never costs more than this."))
            }
            section .panel aria-labelledby="estimate-title" {
                h3 #estimate-title { "What it will cost, and when it will be done" }
                div #estimate aria-live="polite" { (shown.estimate) }
            }
        }
    }
}

fn discard(shown: &Shown<'_>, at: &str) -> Markup {
    let question = format!(
        "The {} tasks that were uploaded are deleted. Nothing of them was submitted.",
        parts::count(shown.draft.tasks)
    );
    parts::confirm(
        shown.visitor,
        &format!("{at}/discard"),
        "Discard upload…",
        &question,
        "Discard this upload",
        &html! {},
    )
}
