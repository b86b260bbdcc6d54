//! Workers who are there: how they stand, what they have in hand and why, what they earned; pause, drain, send elsewhere.

use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use maud::{Markup, html};
use muster_engine::Time;
use muster_engine::ids::WorkerId;
use serde::Deserialize;

use super::{led_back, may_act, may_see, pools};
use crate::directory::Directory;
use crate::http::Server;
use crate::http::extract::{Body, Json, Query, Word};
use crate::http::operations::{self, Where, Which, Workers};
use crate::http::workers::Worker;
use crate::journal::{Key, Reader};
use crate::keeper::desk::WorkerRecord;
use crate::keeper::recover::record;
use crate::keys;
use crate::pages::form::{Fields, Form, encoded};
use crate::pages::parts::{self, Field};
use crate::pages::session::Visitor;
use crate::pages::{Page, layout};
use crate::problem::Answer;

pub(super) const PATH: &str = "/operations/workers";

/// So many workers are on one page.
const SHOWN_MOST: usize = 100;

pub(super) fn router() -> Router<Server> {
    Router::new()
        .route(PATH, get(show))
        .route("/operations/workers/{worker}/pause", post(pause))
        .route("/operations/workers/{worker}/drain", post(drain))
        .route("/operations/workers/{worker}/move", post(send))
}

const STANDINGS: [(&str, &str); 6] = [
    ("", "however they stand"),
    ("leased", "with a task"),
    ("idle", "waiting"),
    ("training", "in training"),
    ("paused", "paused"),
    ("draining", "leaving after their task"),
];

fn standing(word: &str) -> &str {
    STANDINGS.iter().find(|(known, _)| *known == word).map_or(word, |(_, label)| label)
}

/// Which workers, as said on the page.
#[derive(Clone, Debug, Default, Deserialize)]
struct Said {
    #[serde(default)]
    pool: String,
    #[serde(default)]
    standing: String,
    #[serde(default)]
    from: u32,
}

impl Said {
    fn which(&self) -> Which {
        let said = |word: &String| Some(word.clone()).filter(|word| !word.is_empty());
        Which {
            pool: said(&self.pool),
            standing: said(&self.standing),
            from: self.from,
            most: Some(SHOWN_MOST),
        }
    }

    fn path(&self, from: u32) -> String {
        format!("{PATH}?pool={}&standing={}&from={from}", encoded(&self.pool), encoded(&self.standing))
    }
}

fn filters(said: &Said, names: &Directory) -> Markup {
    let anywhere = std::iter::once((String::new(), "all pools".to_owned()));
    let pool = names.pool(&said.pool).map(|id| names.pools.name(id.0).to_owned()).unwrap_or_default();
    html! {
        form .filters method="get" action=(PATH) {
            (Field::new("pool", "Pool").choice(anywhere.chain(pools(names))).value(pool))
            (Field::new("standing", "Who").choice(STANDINGS).value(&said.standing))
            button { "Show" }
        }
    }
}

fn acts(visitor: &Visitor, it: &Worker, names: &Directory) -> Markup {
    let path = |what: &str| format!("{PATH}/{}/{what}", it.worker);
    let elsewhere: Vec<&str> =
        names.pools.iter().map(|(_, pool)| pool.name.as_str()).filter(|name| *name != it.pool).collect();
    html! {
        div .row {
            @if matches!(it.standing, "idle" | "training") { (parts::act(visitor, &path("pause"), "Pause")) }
            @if it.standing != "draining" {
                (parts::confirm(visitor, &path("drain"), "Let go…", "They finish what they have in hand, and leave.", "Let them go", &html! {}))
            }
            @if !elsewhere.is_empty() && it.standing != "draining" {
                (parts::confirm(visitor, &path("move"), "Move…", "They may have to learn other apps there.", "Move them", &html! {
                    div .field { label for=(format!("m{}", it.worker)) { "To which pool" }
                        select id=(format!("m{}", it.worker)) name="pool" { @for name in &elsewhere { option { (name) } } } }
                }))
            }
        }
    }
}

fn in_hand(it: &Worker) -> Markup {
    html! {
        @match (it.lease, it.job) {
            (Some(lease), Some(job)) => { a href=(format!("/jobs/{job}")) { "job " (job) } " · " a href=(format!("/operations/leases/{lease}")) { "why?" } }
            _ => "–",
        }
    }
}

fn table(visitor: &Visitor, found: &Workers, called: &[String], names: &Directory, now: Time) -> Markup {
    let mut columns = vec![
        parts::Column::number("No."),
        parts::Column::text("Name"),
        parts::Column::text("Pool"),
        parts::Column::text("Kind"),
        parts::Column::text("Stands"),
        parts::Column::text("Since"),
        parts::Column::text("In hand"),
        parts::Column::number("By answers"),
        parts::Column::number("By waiting"),
    ];
    if visitor.is_admin() {
        columns.push(parts::Column::text("Acts"));
    }
    let rows = found.workers.iter().zip(called).map(|(it, name)| {
        let mut row = vec![
            html! { (it.worker) },
            html! { (name) },
            html! { (it.pool) },
            html! { (it.kind) },
            html! { (standing(it.standing)) },
            parts::ago(it.since.0, now),
            in_hand(it),
            html! { (super::cents(it.earned)) },
            html! { (super::cents(it.wages)) },
        ];
        if visitor.is_admin() {
            row.push(acts(visitor, it, names));
        }
        row
    });
    parts::table("Workers", &columns, rows)
}

/// What workers call themselves.
async fn called(server: &Server, found: &Workers) -> Answer<Vec<String>> {
    let keys: Vec<_> = found.workers.iter().map(|it| keys::worker(WorkerId(it.worker))).collect();
    let name = |reader: &dyn Reader, key: &Key| {
        let kept = reader.get(key)?.map(|bytes| record::<WorkerRecord>(key, &bytes)).transpose()?;
        Ok(kept.map(|kept| kept.name).unwrap_or_default())
    };
    server.read(move |reader| keys.iter().map(|key| name(reader, key)).collect()).await
}

async fn show(State(server): State<Server>, visitor: Visitor, Query(said): Query<Said>) -> Page {
    may_see(&visitor)?;
    let names = server.directory();
    let Json(found) = operations::list(State(server.clone()), visitor.by(), Query(said.which())).await?;
    let now = server.keeper.shared.clock.now();
    let called = called(&server, &found).await?;
    let body = html! {
        h1 { "Workers" }
        (filters(&said, &names))
        @if found.workers.is_empty() {
            (parts::empty("Nobody is there", html! { "Send people a " a href=(super::access::PATH) { "join link" } ", or recruit on a pool's page." }))
        } @else { (table(&visitor, &found, &called, &names, now)) }
        @if let Some(from) = found.more { p { a href=(said.path(from)) { "More workers" } } }
    };
    Ok(layout::page(Some(&visitor), "Workers", PATH, &body).into_response())
}

async fn pause(State(server): State<Server>, word: Word, form: Form<Fields>) -> Page {
    may_act(&form.visitor)?;
    let words = format!("Worker {} is paused; asking for a task ends it.", word.0);
    Ok(led_back(PATH, operations::pause(State(server), form.visitor.by(), word).await, |_| words))
}

async fn drain(State(server): State<Server>, word: Word, form: Form<Fields>) -> Page {
    may_act(&form.visitor)?;
    let words = format!("Worker {} leaves as soon as nothing is in hand.", word.0);
    Ok(led_back(PATH, operations::drain(State(server), form.visitor.by(), word).await, |_| words))
}

async fn send(State(server): State<Server>, word: Word, form: Form<Fields>) -> Page {
    may_act(&form.visitor)?;
    let pool = form.fields.get("pool").to_owned();
    let words = format!("Worker {} is in pool {pool} now.", word.0);
    let moved = operations::send(State(server), form.visitor.by(), word, Body::of(Where { pool })).await;
    Ok(led_back(PATH, moved, |_| words))
}
