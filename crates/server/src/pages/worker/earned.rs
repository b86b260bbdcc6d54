//! What a worker earned, line by line, also after leaving.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use axum::routing::get;
use maud::html;
use muster_engine::ids::WorkerId;
use serde::Deserialize;

use super::super::parts::{self, Column};
use super::super::session::Visitor;
use super::super::{Page, layout};
use super::stage;
use crate::http::Server;
use crate::http::extract::Query;
use crate::http::ledger::{Line, Purpose, earned};

/// The page.
pub fn router() -> Router<Server> {
    Router::new().route("/work/{worker}/earned", get(show))
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct From {
    from: Option<u64>,
}

const COLUMNS: [Column; 3] = [Column::text("What for"), Column::number("Amount"), Column::text("When")];

async fn show(
    State(server): State<Server>,
    visitor: Visitor,
    Path(worker): Path<u32>,
    Query(From { from }): Query<From>,
) -> Page {
    let (by, worker) = (visitor.by(), WorkerId(worker));
    let found = earned(&server, &by, worker, from).await?;
    let (glance, _) = stage::find(&server, &by, worker).await?;
    let now = server.keeper.shared.clock.now();
    let is_all = from.is_none() && found.next >= found.end;
    let rows = found.lines.iter().rev().map(|line| {
        vec![html! { (words(line)) }, html! { (parts::money(line.amount.0)) }, parts::ago(line.at.0, now)]
    });
    let body = html! {
        h1 { "What you earned" }
        p { a href={ "/work/" (worker.0) } { "Back to work" } }
        (parts::tiles(&[
            parts::Tile::new(if is_all { "Paid so far" } else { "Paid in these lines" }, parts::money(found.sum.0)),
            parts::Tile::new("For waiting and learning, to be paid", parts::money(glance.owed)),
        ]))
        @if found.lines.is_empty() {
            (parts::empty("Nothing has been paid yet.", "Answers are paid at once; waiting and learning every few minutes."))
        } @else { (parts::table("Latest first", &COLUMNS, rows)) }
        @if found.next < found.end { p { a href={ "?from=" (found.next) } { "Later lines" } } }
    };
    Ok(layout::page(Some(&visitor), "What you earned", "/work", &body).into_response())
}

fn words(line: &Line) -> String {
    match (line.what, line.job, line.task) {
        (Purpose::Answer, Some(job), Some(task)) => {
            format!("Answer: job {job}, task {}", u64::from(task) + 1)
        }
        (Purpose::Answer, ..) => "Answer".to_owned(),
        (Purpose::Waiting, ..) => "Waiting".to_owned(),
        (Purpose::Training, ..) => "Learning".to_owned(),
        (Purpose::Machine, ..) => "Machine time".to_owned(),
        (Purpose::Charge, ..) => "Charge".to_owned(),
    }
}
