//! All pools in one table, live: queue, workers, size beside the recommended size, rates, waiting, cost. One look, one rendering
//! for all who watch; each viewer is sent the rows that changed.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};
use muster_engine::Time;
use muster_engine::money::Money;
use muster_engine::state::pool::Headcount;

use super::glance::{Glance, all};
use super::{log, may_see, or_dash, per_hour, policy, rate};
use crate::directory::Directory;
use crate::http::Server;
use crate::http::decisions::Told;
use crate::pages::live::{Fragments, stream};
use crate::pages::parts::{self, Tile};
use crate::pages::session::Visitor;
use crate::pages::{Page, layout};
use crate::problem::Answer;

pub(super) const PATH: &str = "/operations";

pub(super) fn router() -> Router<Server> {
    Router::new().route(PATH, get(show)).route("/live/operations", get(live))
}

/// Everything that the page shows.
struct Seen {
    names: Arc<Directory>,
    pools: Vec<Glance>,
    /// How they were lately, as small pictures; of a pool that was not looked at yet there is none.
    curves: Vec<Markup>,
    jobs: usize,
    /// The policy by which workers move between pools.
    balance: String,
    decisions: Vec<Told>,
    now: Time,
}

async fn seen(server: &Server) -> Answer<Seen> {
    let (curves, decisions) = (server.watch.histories(curve), server.watch.decisions(None, DECISIONS_MOST));
    server
        .look(|look| {
            let (names, pools) = (Arc::clone(&look.desk.directory), all(look.state()));
            let (jobs, balance) = (look.state().job_count(), look.state().balance().name.clone());
            Ok(Seen { names, pools, curves, jobs, balance, decisions, now: look.now })
        })
        .await
}

/// The latest decisions are shown, so many.
const DECISIONS_MOST: usize = 8;

/// A curve has so many points at most.
const POINTS_MOST: usize = 60;

/// A small picture of how a pool was: its size, beside the recommended size as a thinner line.
fn curve(looks: &VecDeque<Glance>) -> Markup {
    let every = looks.len().div_ceil(POINTS_MOST).max(1);
    let looks: Vec<&Glance> = looks.iter().rev().step_by(every).collect();
    let sizes = looks.iter().map(|it| Some(it.heads.size()));
    let recommended = looks.iter().map(|it| it.recommended);
    let most = sizes.clone().chain(recommended.clone()).flatten().max().unwrap_or(0).max(1);
    // A minute at least, so that the first looks are not drawn as if they were an age.
    let step = 120.0 / looks.len().saturating_sub(1).max(12) as f64;
    let points = |values: &mut dyn Iterator<Item = Option<u32>>| {
        let place = |(i, value): (usize, Option<u32>)| {
            let x = 120.0 - i as f64 * step;
            Some(format!("{x:.0},{:.1}", 22.0 - f64::from(value?) / f64::from(most) * 20.0))
        };
        values.enumerate().filter_map(place).collect::<Vec<_>>().join(" ")
    };
    html! {
        @if looks.len() > 1 {
            svg .curve width="120" height="24" viewBox="0 0 120 24" role="img" aria-label=(format!("Up to {most} workers lately")) {
                polyline .wanted points=(points(&mut recommended.into_iter())) {}
                polyline .there points=(points(&mut sizes.into_iter())) {}
            }
        }
    }
}

const COLUMNS: [(&str, &str); 10] = [
    ("Queue", "Open slots that wait for a worker"),
    ("Working", "Workers with a task in hand, of all who are there"),
    ("Who is there", "Workers by how they stand"),
    ("Size", "Workers the pool has, beside the recommended number"),
    ("Lately", "Size in the last quarter of an hour at most; the thin line is the recommended size"),
    ("Come", "Slots that open, lately"),
    ("Answered", "Answers, lately"),
    ("Wait", "Mean time until somebody begins, lately"),
    ("Busy", "Share of attended time in which workers were busy, lately"),
    (
        "Cost",
        "What it costs per hour as it stands: waiting, training, machines, and answers as they come lately",
    ),
];

/// Workers by standing as a bar, with the words for whoever cannot see it.
pub(super) fn standings(heads: &Headcount) -> Markup {
    let parts = [
        ("working", heads.leased),
        ("waiting", heads.idle),
        ("training", heads.training),
        ("paused", heads.paused),
        ("leaving", heads.draining),
    ];
    let words: Vec<String> =
        parts.iter().filter(|(_, n)| *n > 0).map(|(word, n)| format!("{n} {word}")).collect();
    let words = if words.is_empty() { "nobody".to_owned() } else { words.join(", ") };
    let all: u32 = parts.iter().map(|(_, n)| n).sum();
    html! {
        @if all == 0 { span .soft { (words) } }
        @else {
            svg .standings width="120" height="12" viewBox="0 0 120 12" role="img" aria-label=(words) {
                title { (words) }
                @for (class, x, width) in pieces(&parts.map(|(_, n)| n), 120.0) {
                    rect class=(class) x=(x) y="0" width=(width) height="12" {}
                }
            }
        }
    }
}

/// Where the pieces of a bar lie: class, left end, width. Those of nobody are left out.
fn pieces(parts: &[u32], width: f64) -> Vec<(String, String, String)> {
    let all: u32 = parts.iter().sum();
    let of_all = |n: u32| f64::from(n) / f64::from(all) * width;
    let mut before = 0;
    let mut pieces = Vec::new();
    for (i, n) in parts.iter().enumerate().filter(|(_, n)| **n > 0) {
        pieces.push((format!("s{i}"), format!("{:.1}", of_all(before)), format!("{:.1}", of_all(*n))));
        before += n;
    }
    pieces
}

/// A size beside the recommended one.
pub(super) fn size(glance: &Glance) -> Markup {
    let recommended = glance.recommended.map(parts::count);
    html! {
        (parts::count(glance.heads.size())) " "
        span .soft { "of " (or_dash(recommended)) @if glance.coming > 0 { ", " (parts::count(glance.coming)) " coming" } }
    }
}

fn row(seen: &Seen, id: usize, glance: &Glance) -> Markup {
    let name = seen.names.pools.name(id as u32);
    html! {
        th scope="row" { a href=(format!("/operations/pools/{id}")) { (name) } }
        td .m-n { (parts::count(glance.queue)) @if glance.unfunded > 0 { " " span .state.bad { (parts::count(glance.unfunded)) " unfunded" } } }
        td .m-n { (parts::count(glance.heads.busy())) " " span .soft { "of " (parts::count(glance.there())) } }
        td { (standings(&glance.heads)) }
        td .m-n { (size(glance)) }
        td { @if let Some(curve) = seen.curves.get(id) { (curve) } }
        td .m-n { (rate(glance.arrivals)) }
        td .m-n { (rate(glance.answers)) }
        td .m-n { (or_dash(glance.wait.map(parts::span))) }
        td .m-n { (super::percent(glance.utilisation)) }
        td .m-n { (per_hour(glance.cost)) }
    }
}

fn tiles(seen: &Seen) -> [(&'static str, &'static str, String); 5] {
    let sum = |of: fn(&Glance) -> u64| parts::count(seen.pools.iter().map(of).sum::<u64>());
    let cost = seen.pools.iter().fold(Money::ZERO, |sum, glance| Money(sum.0.saturating_add(glance.cost.0)));
    [
        ("all-queue", "Slots that wait", sum(|glance| glance.queue)),
        ("all-busy", "Workers with a task", sum(|glance| u64::from(glance.heads.busy()))),
        ("all-there", "Workers there", sum(|glance| u64::from(glance.there()))),
        ("all-jobs", "Jobs not done", parts::count(seen.jobs as u64)),
        ("all-cost", "Cost as it stands", per_hour(cost)),
    ]
}

fn table(seen: &Seen) -> Markup {
    html! {
        div .m-scroll tabindex="0" role="region" aria-label="Pools" {
            table {
                caption { span { "Pools" } }
                thead { tr {
                    th scope="col" { "Pool" }
                    @for (i, (title, about)) in COLUMNS.iter().enumerate() { th scope="col" .m-n[i != 2 && i != 4] title=(about) { (title) } }
                } }
                tbody { @for (id, glance) in seen.pools.iter().enumerate() { tr id=(format!("p{id}")) { (row(seen, id, glance)) } } }
            }
        }
    }
}

/// The page's body: what is measured when pages are measured.
fn body(seen: &Seen, is_admin: bool) -> Markup {
    let tiles: Vec<Tile> =
        tiles(seen).iter().map(|(id, label, value)| Tile::new(label, value).id(id)).collect();
    html! {
        h1 { "Operations" }
        div data-live="/live/operations" { (parts::tiles(&tiles)) }
        @if seen.pools.is_empty() {
            (parts::empty("No pool yet", html! {
                "A pool serves apps with its workers. "
                @if is_admin { a href=(super::setup::PATH) { "Make a tenant, an app and a pool" } " to begin." }
                @else { "An admin can make one." }
            }))
        } @else {
            (table(seen))
            p { "Waiting workers move between pools: " strong { (seen.balance) } "."
                @if is_admin { " " a href=(policy::BALANCE) { "Change balance" } } }
            h2 { "The latest decisions" }
            (log::table("latest", &seen.decisions, seen.now))
            p { a href=(log::PATH) { "All decisions" } }
        }
    }
}

async fn show(State(server): State<Server>, visitor: Visitor) -> Page {
    may_see(&visitor)?;
    let seen = seen(&server).await?;
    Ok(layout::page(Some(&visitor), "Operations", PATH, &body(&seen, visitor.is_admin())).into_response())
}

async fn fragments(server: Server) -> Answer<Fragments> {
    let seen = seen(&server).await?;
    let fragments = tiles(&seen)
        .iter()
        .fold(Fragments::default(), |all, (id, _, value)| all.with(*id, html! { (value) }));
    let fragments = fragments.with("latest", log::rows(&seen.decisions, seen.now));
    let rows = seen.pools.iter().enumerate();
    Ok(rows.fold(fragments, |all, (id, glance)| all.with(format!("p{id}"), row(&seen, id, glance))))
}

async fn live(State(server): State<Server>, visitor: Visitor) -> Result<Response, crate::problem::Problem> {
    may_see(&visitor)?;
    Ok(stream(&server, visitor, "operations", fragments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_who_is_there_in_words_as_well() {
        let heads = Headcount { leased: 3, idle: 1, ..Headcount::default() };
        let bar = standings(&heads).into_string();
        assert!(bar.contains(r#"aria-label="3 working, 1 waiting""#), "{bar}");
        assert!(
            bar.contains(r#"class="s0" x="0.0" y="0" width="90.0""#)
                && bar.contains(r#"class="s1" x="90.0""#),
            "{bar}"
        );
        assert!(standings(&Headcount::default()).into_string().contains("nobody"));
    }
}
