//! Who gets in: join links for people, tokens for programs and requesters. A token's text is shown once, when it is made.

use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use maud::{Markup, html};
use muster_engine::Span;
use muster_engine::Time;
use serde::Deserialize;

use super::{kinds, led_back, may_act, pools, tenants};
use crate::directory::Directory;
use crate::http::Server;
use crate::http::extract::{Body, Created, Json, Word};
use crate::http::links::{self, Link, NewLink};
use crate::http::tokens::{self, Made, NewToken, ScopeSaid, Token};
use crate::pages::form::{Fields, Form, hidden};
use crate::pages::parts::{self, Field};
use crate::pages::session::Visitor;
use crate::pages::{Page, layout};
use crate::problem::{Answer, Problem};
use crate::wire::Seconds;

pub(super) const PATH: &str = "/operations/access";

pub(super) fn router() -> Router<Server> {
    Router::new()
        .route(PATH, get(show))
        .route("/operations/links", post(make_link))
        .route("/operations/links/{id}/withdraw", post(withdraw))
        .route("/operations/tokens", post(make_token))
        .route("/operations/tokens/{id}/revoke", post(revoke))
}

fn until(expires: Option<crate::wire::Moment>, now: Time) -> Markup {
    html! {
        @match expires {
            None => "for ever",
            Some(at) if at.0 <= now => { span .state.bad { "expired" } }
            Some(at) => { "for another " (parts::span(at.0.since(now))) }
        }
    }
}

fn links_table(visitor: &Visitor, links: &[Link], now: Time) -> Markup {
    let columns = [
        parts::Column::text("Link"),
        parts::Column::text("Joins"),
        parts::Column::text("For"),
        parts::Column::number("Joined"),
        parts::Column::text("Good"),
        parts::Column::text("Acts"),
    ];
    let rows = links.iter().map(|link| {
        let joined = match link.most {
            Some(most) => html! { (link.joined) " of " (most) },
            None => html! { (link.joined) },
        };
        vec![
            html! { @if link.good { a .join-link href=(link.path) { (link.path.get(..17).unwrap_or(&link.path)) "…" } } @else { span .soft { "used up" } } },
            html! { (link.pool) " as " (link.kind) },
            html! { (link.label) },
            joined,
            until(link.expires, now),
            parts::confirm(visitor, &format!("/operations/links/{}/withdraw", link.id), "Withdraw…",
                "Nobody can join by it any more; who has joined stays.", "Withdraw the link", &html! {}),
        ]
    });
    html! {
        @if links.is_empty() { (parts::empty("No join link yet", "Make one below and send it to the people who are to work.")) }
        @else { (parts::table("Join links", &columns, rows)) }
    }
}

fn tokens_table(visitor: &Visitor, all: &[Token], now: Time) -> Markup {
    let columns = [
        parts::Column::number("No."),
        parts::Column::text("Allows"),
        parts::Column::text("For"),
        parts::Column::text("Made"),
        parts::Column::text("Good"),
        parts::Column::text("Acts"),
    ];
    let rows = all.iter().map(|token| {
        let own = token.id == visitor.id.0;
        let question = if own {
            "It is the token that you are signed in with: you will be signed out."
        } else {
            "Whoever uses it is refused from now on."
        };
        vec![
            html! { (token.id) },
            allows(token),
            html! { (token.label) @if own { " " span .state.good { "yours" } } },
            parts::ago(token.made.0, now),
            until(token.expires, now),
            parts::confirm(
                visitor,
                &format!("/operations/tokens/{}/revoke", token.id),
                "Revoke…",
                question,
                "Revoke the token",
                &html! {},
            ),
        ]
    });
    parts::table("Tokens", &columns, rows)
}

fn allows(token: &Token) -> Markup {
    let of = |name: &Option<String>| name.as_ref().map_or_else(String::new, |name| format!(" of {name}"));
    html! {
        @match token.scope {
            ScopeSaid::Admin => "everything",
            ScopeSaid::Tenant => { "requesting" (of(&token.tenant)) }
            ScopeSaid::Worker => { "working" (token.pool.as_ref().map_or_else(String::new, |pool| format!(" in {pool}"))) }
            ScopeSaid::Read => { "reading" (of(&token.tenant)) }
        }
    }
}

/// A choice that may be left open.
fn or_any(any: &str, options: Vec<(String, String)>) -> impl Iterator<Item = (String, String)> {
    std::iter::once((String::new(), any.to_owned())).chain(options)
}

fn hours(name: &str) -> Field {
    Field::new(name, "Good for so many hours").hint("For ever if left empty.").number(
        "any",
        Some(0.01),
        Some(100_000.0),
    )
}

fn forms(visitor: &Visitor, names: &Directory) -> Markup {
    let scopes = [
        ("tenant", "requesting: a tenant's jobs"),
        ("worker", "working: joining workers and acting for them"),
        ("read", "reading"),
        ("admin", "everything"),
    ];
    html! {
        div .acts {
            form .panel method="post" action="/operations/links" {
                h3 { "New join link" }
                (hidden(visitor))
                (Field::new("pool", "Pool").choice(pools(names)))
                (Field::new("kind", "As what").choice(kinds(names)))
                (Field::new("label", "What it is for").hint("Only admins see it."))
                (Field::new("most", "So many may join").hint("Any number if left empty.").number("1", Some(1.0), None))
                (hours("hours"))
                (parts::submit("Make a join link"))
            }
            form .panel method="post" action="/operations/tokens" {
                h3 { "New token" }
                (hidden(visitor))
                (Field::new("scope", "It allows").choice(scopes))
                (Field::new("tenant", "Of which tenant").hint("Needed for requesting.").choice(or_any("all tenants", tenants(names))))
                (Field::new("pool", "In which pool").hint("Matters for working only.").choice(or_any("any pool", pools(names))))
                (Field::new("label", "What it is for"))
                (hours("hours"))
                (parts::submit("Make a token"))
            }
        }
    }
}

async fn page(server: &Server, visitor: &Visitor, news: Option<Markup>) -> Answer<Markup> {
    may_act(visitor)?;
    let (names, now) = (server.directory(), server.keeper.shared.clock.now());
    let Json(links) = links::list(State(server.clone()), visitor.by()).await?;
    let Json(all) = tokens::list(State(server.clone()), visitor.by()).await?;
    let body = html! {
        h1 { "Access" }
        @if let Some(news) = news { (news) }
        @if names.pools.iter().next().is_none() { (parts::empty("No pool yet", html! { "People join pools: " a href=(super::setup::PATH) { "make one first" } "." })) }
        (links_table(visitor, &links.links, now))
        (tokens_table(visitor, &all.tokens, now))
        h2 { "New" }
        (forms(visitor, &names))
    };
    Ok(layout::page(Some(visitor), "Access", PATH, &body))
}

async fn show(State(server): State<Server>, visitor: Visitor) -> Page {
    Ok(page(&server, &visitor, None).await?.into_response())
}

/// A link or token, as said on the page.
#[derive(Clone, Debug, Deserialize)]
struct Said {
    scope: Option<String>,
    tenant: Option<String>,
    pool: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    label: String,
    most: Option<u32>,
    hours: Option<f64>,
}

impl Said {
    fn good_for(&self) -> Option<Seconds> {
        self.hours.map(|hours| Seconds(Span::from_secs_f64(hours.clamp(0.01, 1e5) * 3600.0)))
    }
}

/// Something that was made and is shown in full, to be copied.
fn made(what: &str, text: &str, note: &str) -> Markup {
    html! {
        div .notice.done role="status" {
            p { strong { (what) } }
            p { code .secret { (text) } }
            p .hint { (note) }
        }
    }
}

async fn make_link(State(server): State<Server>, form: Form<Said>) -> Page {
    let (visitor, said) = (form.visitor, form.said);
    let new = NewLink {
        expires_in: said.good_for(),
        pool: said.pool.unwrap_or_default(),
        kind: said.kind.unwrap_or_default(),
        label: said.label,
        most: said.most,
    };
    let Created(link) = match links::create(State(server.clone()), visitor.by(), Body::of(new)).await {
        Ok(made) => made,
        Err(problem) => return Ok(crate::pages::form::not_done(PATH, &problem)),
    };
    let what = format!("Send this to the people who are to join {}", link.pool);
    let news =
        made(&what, &link.path, "It comes after the address of this server, and stays in the list below.");
    Ok(page(&server, &visitor, Some(news)).await?.into_response())
}

fn scope(word: &str) -> Answer<ScopeSaid> {
    Ok(match word {
        "admin" => ScopeSaid::Admin,
        "tenant" => ScopeSaid::Tenant,
        "worker" => ScopeSaid::Worker,
        "read" => ScopeSaid::Read,
        other => return Err(Problem::field("scope", format!("'{other}'"), "admin, tenant, worker or read")),
    })
}

async fn issue(server: &Server, visitor: &Visitor, said: Said) -> Answer<Made> {
    let new = NewToken {
        scope: scope(said.scope.as_deref().unwrap_or_default())?,
        expires_in: said.good_for(),
        tenant: said.tenant,
        pool: said.pool,
        label: said.label,
    };
    let Created(made) = tokens::create(State(server.clone()), visitor.by(), Body::of(new)).await?;
    Ok(made)
}

async fn make_token(State(server): State<Server>, form: Form<Said>) -> Page {
    let visitor = form.visitor;
    match issue(&server, &visitor, form.said).await {
        Ok(token) => {
            let what = format!("Token {} was made. Copy it now: it is not shown again", token.id);
            let note = "Whoever has it signs in with it, or sends it as 'Authorization: Bearer …'.";
            let news = made(&what, &token.token, note);
            Ok(page(&server, &visitor, Some(news)).await?.into_response())
        }
        Err(problem) => Ok(crate::pages::form::not_done(PATH, &problem)),
    }
}

async fn withdraw(State(server): State<Server>, id: Word, form: Form<Fields>) -> Page {
    let gone = links::withdraw(State(server), form.visitor.by(), id).await;
    Ok(led_back(PATH, gone, |_| "The join link was withdrawn.".to_owned()))
}

async fn revoke(State(server): State<Server>, id: Word, form: Form<Fields>) -> Page {
    let words = format!("Token {} was revoked.", id.0);
    let gone = tokens::revoke(State(server), form.visitor.by(), id).await;
    Ok(led_back(PATH, gone, |_| words))
}
