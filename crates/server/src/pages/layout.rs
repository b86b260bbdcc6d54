//! The page around everything: head, skip link, navigation by what the token allows, notices. Does not know what a page shows.

use maud::{DOCTYPE, Markup, html};

use super::session::Visitor;
use super::{assets, form, operations, parts, requester, worker};
use crate::access::Scope;

/// Where the navigation leads, for whom.
fn places(scope: Scope) -> Vec<(&'static str, &'static str)> {
    match scope {
        Scope::Admin | Scope::Read(None) => [operations::PLACES, requester::PLACES].concat(),
        Scope::Tenant(_) | Scope::Read(Some(_)) => requester::PLACES.to_vec(),
        Scope::Worker(_) => worker::PLACES.to_vec(),
    }
}

/// A page. `place` is the path of the navigation's item that is current, or nothing.
#[must_use]
pub fn page(visitor: Option<&Visitor>, title: &str, place: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " – Muster" }
                link rel="icon" type="image/svg+xml" href=(assets::url("muster.svg"));
                link rel="stylesheet" href=(assets::url("muster.css"));
                (assets::script("live.js"))
            }
            body data-csrf=[visitor.map(|visitor| &visitor.csrf)] {
                a .skip href="#main" { "Skip to what this page shows" }
                (head(visitor, place))
                p #connection .notice.problem role="status" hidden { "Connection lost. Trying again…" }
                main #main tabindex="-1" {
                    @if let Some(notice) = visitor.and_then(|visitor| visitor.notice.as_ref()) { (parts::notice(notice)) }
                    (body)
                }
            }
        }
    }
}

fn head(visitor: Option<&Visitor>, place: &str) -> Markup {
    html! {
        header .top {
            a .brand href="/" { "Muster" }
            @if let Some(visitor) = visitor {
                nav aria-label="Pages" {
                    ul {
                        @for (path, label) in places(visitor.scope) {
                            li { a href=(path) aria-current=[(path == place).then_some("page")] { (label) } }
                        }
                    }
                }
                div .sign-out { (sign_out(visitor)) }
            }
        }
    }
}

/// A worker's session cannot be had again, so a worker is asked first.
fn sign_out(visitor: &Visitor) -> Markup {
    const QUESTION: &str = "This browser then forgets you: nobody can sign in as this worker again, and only those who run this can tell \
                            you what you earned.";
    match visitor.scope {
        Scope::Worker(_) => {
            parts::confirm(visitor, "/sign-out", "Sign out…", QUESTION, "Sign out for good", &html! {})
        }
        _ => html! {
            form method="post" action="/sign-out" { (form::hidden(visitor)) button .quiet { "Sign out" } }
        },
    }
}
