//! One pool: figures and curves, live; who is being served; its policies; calling for workers and letting them go.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use muster_engine::ids::PoolId;
use muster_engine::policy::Family;
use serde::Deserialize;

use super::glance::Glance;
use super::{
    charts, led_back, log, may_act, may_see, or_dash, overview, people, per_hour, percent, policy, rate,
};
use crate::directory::Directory;
use crate::http::Server;
use crate::http::extract::{Body, Created, Json, Word};
use crate::http::operations::{self, SoMany};
use crate::http::policies::PoliciesSaid;
use crate::http::pools;
use crate::pages::form::{Form, hidden};
use crate::pages::live::{Fragments, stream};
use crate::pages::parts::{self, Field, Tile};
use crate::pages::session::Visitor;
use crate::pages::{Page, layout};
use crate::problem::{Answer, Problem};
use crate::wire::Policy;

/// So many decisions of the pool's are shown.
const DECISIONS_MOST: usize = 12;

pub(super) fn router() -> Router<Server> {
    Router::new()
        .route("/operations/pools/{pool}", get(show))
        .route("/live/pools/{pool}", get(live))
        .route("/operations/pools/{pool}/recruit", post(recruit))
        .route("/operations/pools/{pool}/release", post(release))
}

/// Everything that the page shows.
struct Seen {
    id: PoolId,
    names: Arc<Directory>,
    glance: Glance,
    /// Tasks in hand and weight of every tenant that has some, and what waits in the apps.
    shares: Vec<(String, u32, u32)>,
    apps: Vec<(String, u64, u32)>,
    policies: PoliciesSaid,
}

async fn seen(server: &Server, id: PoolId) -> Answer<Seen> {
    server
        .look(move |look| {
            let names = Arc::clone(&look.desk.directory);
            let state = look.state();
            let missing = || Problem::not_found(id);
            let glance = Glance::of(state, id).ok_or_else(missing)?;
            let shares = glance.shares.iter().map(|(tenant, n)| {
                let weight = state.tenant(*tenant).map_or(1, |tenant| tenant.weight);
                (names.tenants.name(tenant.0).to_owned(), *n, weight)
            });
            let pool = state.pool(id).ok_or_else(missing)?;
            let apps =
                pool.apps.iter().map(|app| (names.apps.name(app.app.0).to_owned(), app.open, app.learning));
            let policies = pools::pool(look.engine, &names, id)?.policies;
            Ok(Seen { id, shares: shares.collect(), apps: apps.collect(), glance, policies, names })
        })
        .await
}

/// Figures by the id of their element.
fn figures(glance: &Glance) -> [(&'static str, &'static str, Markup, Markup); 8] {
    let heads = &glance.heads;
    let text = |words: String| html! { (words) };
    [
        (
            "queue",
            "Slots that wait",
            text(parts::count(glance.queue)),
            match glance.unfunded {
                0 => html! {},
                n => html! { (parts::count(n)) " more wait for money" },
            },
        ),
        ("size", "Workers", overview::size(glance), overview::standings(heads)),
        (
            "busy",
            "With a task",
            text(parts::count(heads.busy())),
            html! { "busy " (percent(glance.utilisation)) " of the time" },
        ),
        ("arrivals", "Come", text(rate(glance.arrivals)), html! {}),
        (
            "answers",
            "Answered",
            text(rate(glance.answers)),
            match glance.service {
                Some(service) if service > 0.0 => {
                    html! { "a task takes " (format!("{:.1} s", 1.0 / service)) }
                }
                _ => html! {},
            },
        ),
        ("wait", "Wait until begun", or_dash(glance.wait.map(parts::span)), html! { "mean, lately" }),
        (
            "waiting",
            "Waiting for a task",
            text(parts::count(heads.idle)),
            html! { (parts::count(heads.training)) " in training" },
        ),
        ("cost", "Cost as it stands", text(per_hour(glance.cost)), html! {}),
    ]
}

fn tiles(glance: &Glance) -> Markup {
    let tiles = figures(glance).map(|(id, label, value, note)| {
        let note = html! { span id=(format!("{id}-note")) { (note) } };
        Tile::new(label, value).id(id).note(note)
    });
    parts::tiles(&tiles)
}

/// Who is being served: tasks in hand by tenant, beside what weights would give.
fn shares(seen: &Seen) -> Markup {
    let (all, weights) =
        seen.shares.iter().fold((0, 0), |(all, weights), (_, n, weight)| (all + n, weights + weight));
    let share = |part: u32, whole: u32| percent(f64::from(part) / f64::from(whole.max(1)));
    let rows = seen.shares.iter().map(|(name, n, weight)| {
        vec![
            html! { (name) },
            html! { (parts::count(*n)) },
            html! { (share(*n, all)) },
            html! { (weight) },
            html! { (share(*weight, weights)) },
        ]
    });
    let columns = [
        parts::Column::text("Tenant"),
        parts::Column::number("Tasks in hand"),
        parts::Column::number("Share now"),
        parts::Column::number("Weight"),
        parts::Column::number("Share by weight"),
    ];
    html! {
        @if seen.shares.is_empty() { p .soft { "Nobody has a task of this pool in hand." } }
        @else { (parts::table("Share per tenant", &columns, rows)) }
    }
}

fn apps(seen: &Seen) -> Markup {
    let columns = [
        parts::Column::text("App"),
        parts::Column::number("Slots that wait"),
        parts::Column::number("Learning it"),
    ];
    let rows = seen.apps.iter().map(|(name, open, learning)| {
        vec![html! { (name) }, html! { (parts::count(*open)) }, html! { (parts::count(*learning)) }]
    });
    parts::table("Apps", &columns, rows)
}

fn policies(seen: &Seen, is_admin: bool) -> Markup {
    let said = &seen.policies;
    let all: [(Family, &Option<Policy>); 4] = [
        (Family::Dispatch, &said.dispatch),
        (Family::Matching, &said.matching),
        (Family::Scaling, &said.scaling),
        (Family::Replacement, &said.replacement),
    ];
    html! {
        dl .policies {
            @for (family, policy) in all {
                div {
                    dt { (policy::question(family)) }
                    dd {
                        strong { (policy.as_ref().map_or_else(|| "default".to_owned(), policy::name)) }
                        @if let Some(set) = policy.as_ref().map(policy::settings).filter(|set| !set.is_empty()) { " " span .soft { (set) } }
                        @if is_admin { " " a href=(format!("/operations/pools/{}/policies/{}", seen.id.0, family.name())) { "Change " (family.name()) } }
                    }
                }
            }
        }
    }
}

fn acts(visitor: &Visitor, seen: &Seen) -> Markup {
    let place = format!("/operations/pools/{}", seen.id.0);
    let kinds = super::kinds(&seen.names);
    let n = |label| Field::new("n", label).number("1", Some(1.0), Some(1000.0)).value(1).required();
    html! {
        div .acts {
            form .panel method="post" action=(format!("{place}/recruit")) {
                h3 { "Call for workers" }
                (hidden(visitor))
                (n("How many"))
                (Field::new("kind", "Of which kind").choice(kinds.clone()))
                (parts::submit("Recruit"))
            }
            div .panel {
                h3 { "Let workers go" }
                p .hint { "Those who wait go at once; nobody is taken away from a task." }
                (parts::confirm(visitor, &format!("{place}/release"), "Release…", "They are told that they are not needed any more.", "Release them", &html! {
                    div .field { label for="r-n" { "How many" } input #r-n name="n" type="number" min="1" max="1000" value="1" required; }
                    div .field { label for="r-kind" { "Of which kind" } select #r-kind name="kind" { @for (value, label) in &kinds { option value=(value) { (label) } } } }
                }))
            }
        }
    }
}

async fn show(State(server): State<Server>, visitor: Visitor, word: Word) -> Page {
    may_see(&visitor)?;
    let id = server.directory().pool(&word.0)?;
    let seen = seen(&server, id).await?;
    let name = seen.names.pools.name(id.0).to_owned();
    let decisions = server.watch.decisions(Some(&name), DECISIONS_MOST);
    let is_admin = visitor.is_admin();
    let body = html! {
        h1 { "Pool " (name) }
        p { a href=(overview::PATH) { "All pools" } " · " a href=(format!("{}?pool={}", people::PATH, id.0)) { "Its workers" } }
        div data-live=(format!("/live/pools/{}", id.0)) { (tiles(&seen.glance)) }
        div #charts { (charts::of_pool(&server.watch.history(id), &seen.names)) }
        h2 { "Why" }
        (log::table("decisions", &decisions, server.keeper.shared.clock.now()))
        h2 { "Who is served" }
        div #shares { (shares(&seen)) }
        div #apps { (apps(&seen)) }
        h2 { "Policies" }
        (policies(&seen, is_admin))
        @if is_admin { h2 { "By hand" } (acts(&visitor, &seen)) }
    };
    Ok(layout::page(Some(&visitor), &name, overview::PATH, &body).into_response())
}

async fn fragments(server: Server, id: PoolId) -> Answer<Fragments> {
    let seen = seen(&server, id).await?;
    let decisions = server.watch.decisions(Some(seen.names.pools.name(id.0)), DECISIONS_MOST);
    let all = figures(&seen.glance).into_iter().fold(Fragments::default(), |all, (id, _, value, note)| {
        all.with(id, value).with(format!("{id}-note"), note)
    });
    Ok(all
        .with("charts", charts::of_pool(&server.watch.history(id), &seen.names))
        .with("decisions", log::rows(&decisions, server.keeper.shared.clock.now()))
        .with("shares", shares(&seen))
        .with("apps", apps(&seen)))
}

async fn live(State(server): State<Server>, visitor: Visitor, word: Word) -> Result<Response, Problem> {
    may_see(&visitor)?;
    let id = server.directory().pool(&word.0)?;
    Ok(stream(&server, visitor, &format!("pool {}", id.0), move |server| fragments(server, id)))
}

/// So many of a kind, as said on the page.
#[derive(Clone, Debug, Deserialize)]
struct Said {
    n: u32,
    kind: String,
}

async fn recruit(State(server): State<Server>, word: Word, form: Form<Said>) -> Page {
    may_act(&form.visitor)?;
    let place = format!("/operations/pools/{}", word.0);
    let said = Body::of(SoMany { kind: form.said.kind, n: form.said.n });
    let made = operations::recruit(State(server), form.visitor.by(), word, said).await;
    Ok(led_back(&place, made, |Created(order)| format!("Called for: {}.", order.words)))
}

async fn release(State(server): State<Server>, word: Word, form: Form<Said>) -> Page {
    may_act(&form.visitor)?;
    let place = format!("/operations/pools/{}", word.0);
    let said = Body::of(SoMany { kind: form.said.kind, n: form.said.n });
    let gone = operations::release(State(server), form.visitor.by(), word, said).await;
    Ok(led_back(&place, gone, |Json(released)| match released.workers.len() {
        0 => "Nobody of that kind waits, so nobody was released.".to_owned(),
        1 => "Released 1 worker.".to_owned(),
        n => format!("Released {n} workers."),
    }))
}
