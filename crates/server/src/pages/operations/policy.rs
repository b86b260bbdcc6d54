//! Another policy for a pool: choose one, see what each of its settings means and what it is by default, and have them checked by
//! the policy itself before anything changes. What was wrong is said beside the fields, which keep what was written.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};
use muster_engine::policy::settings::Setting as Known;
use muster_engine::policy::{Family, Registry};
use serde::Deserialize;
use std::collections::BTreeMap;

use super::{may_act, overview};
use crate::directory::Directory;
use crate::http::Server;
use crate::http::extract::{Body, Json, Query};
use crate::http::{policies, pools};
use crate::pages::form::{self, Fields, Form, hidden};
use crate::pages::parts::{self, Field};
use crate::pages::session::Visitor;
use crate::pages::{Page, layout};
use crate::problem::{Answer, Problem};
use crate::wire::{Policy, Setting};

pub(super) fn router() -> Router<Server> {
    Router::new()
        .route("/operations/pools/{pool}/policies/{family}", get(show).post(change))
        .route(BALANCE, get(show_balance).post(change_balance))
}

/// The policy that all pools have together.
pub(super) const BALANCE: &str = "/operations/balance";

/// The question that a family answers.
pub(super) const fn question(family: Family) -> &'static str {
    match family {
        Family::Dispatch => "Which slot does a worker get?",
        Family::Matching => "Which waiting worker gets a new task?",
        Family::Scaling => "How many workers, of which kind?",
        Family::Replacement => "How are people who leave made up for?",
        Family::Balance => "Do waiting workers move to another pool?",
    }
}

/// A policy's name.
pub(super) fn name(policy: &Policy) -> String {
    match policy {
        Policy::Named(name) | Policy::Set { name, .. } => name.clone(),
    }
}

/// What is set, in a line.
pub(super) fn settings(policy: &Policy) -> String {
    let Policy::Set { settings, .. } = policy else { return String::new() };
    let all: Vec<String> =
        settings.iter().map(|(name, value)| format!("{name} = {}", shown(value, "; "))).collect();
    all.join(", ")
}

/// A value as a person writes it.
fn shown(value: &Setting, between: &str) -> String {
    match value {
        Setting::Flag(flag) => flag.to_string(),
        Setting::Number(number) => number.to_string(),
        Setting::Text(text) => text.clone(),
        Setting::List(list) => list.iter().map(|it| shown(it, between)).collect::<Vec<_>>().join(between),
    }
}

/// What a person wrote, as a value: lines are a list, and what reads as a number or as yes and no is one.
fn read(name: &str, words: &str) -> Setting {
    if is_list(name) {
        let lines = words.lines().map(str::trim).filter(|line| !line.is_empty());
        return Setting::List(lines.map(|line| Setting::Text(line.to_owned())).collect());
    }
    match (words, words.parse::<f64>()) {
        ("true", _) => Setting::Flag(true),
        ("false", _) => Setting::Flag(false),
        (_, Ok(number)) => Setting::Number(number),
        _ => Setting::Text(words.to_owned()),
    }
}

/// Settings that are lists have names in the plural.
fn is_list(name: &str) -> bool {
    matches!(name.rsplit('_').next(), Some("rules" | "kinds"))
}

/// What is looked at: a policy as it is, of a pool or of all together.
struct Place {
    pool: Option<u32>,
    family: Family,
    now: Policy,
}

async fn place(server: &Server, pool: &str, family: &str) -> Answer<Place> {
    let family = policies::family(family, true)?;
    let id = server.directory().pool(pool)?;
    let said =
        server.look(move |look| Ok(pools::pool(look.engine, &look.desk.directory, id)?.policies)).await?;
    let now = match family {
        Family::Dispatch => said.dispatch,
        Family::Matching => said.matching,
        Family::Scaling => said.scaling,
        Family::Replacement | Family::Balance => said.replacement,
    };
    let now = now.ok_or_else(|| Problem::not_found(format_args!("{} policy", family.name())))?;
    Ok(Place { pool: Some(id.0), family, now })
}

async fn balance(server: &Server, visitor: &Visitor) -> Answer<Place> {
    let Json(now) = policies::balance(State(server.clone()), visitor.by()).await?;
    Ok(Place { pool: None, family: Family::Balance, now: now.balance })
}

impl Place {
    fn path(&self) -> String {
        match self.pool {
            Some(pool) => format!("/operations/pools/{pool}/policies/{}", self.family.name()),
            None => BALANCE.to_owned(),
        }
    }

    /// The page that is about it.
    fn home(&self) -> String {
        self.pool.map_or_else(|| overview::PATH.to_owned(), |pool| format!("/operations/pools/{pool}"))
    }

    /// What stands in the fields of a policy: what is set now, if it is the one in use.
    fn written(&self, chosen: &str) -> BTreeMap<String, String> {
        match &self.now {
            Policy::Set { name, settings } if name == chosen => {
                settings.iter().map(|(name, value)| (name.clone(), shown(value, "\n"))).collect()
            }
            _ => BTreeMap::new(),
        }
    }
}

fn field(
    known: &Known,
    written: &BTreeMap<String, String>,
    names: &Directory,
    wrong: Option<&Problem>,
) -> Field {
    let hint = format!("{} {}", known.meaning, by_default(known, names));
    let wrong =
        wrong.filter(|problem| problem.field.as_deref().is_some_and(|field| is_about(field, known.name)));
    let field = Field::new(known.name, known.name)
        .hint(&hint)
        .value(written.get(known.name).map_or("", String::as_str))
        .error(wrong.map(|problem| problem.detail.as_str()));
    match known.name {
        "kind" => field
            .choice(std::iter::once((String::new(), "as by default".to_owned())).chain(super::kinds(names))),
        list if is_list(list) => field.area(4).hint(&format!("{hint} One in a line.")),
        _ => field,
    }
}

/// What a setting is if nothing is said.
fn by_default(known: &Known, names: &Directory) -> String {
    let default = match (known.name, known.default.parse()) {
        ("kind", Ok(number)) => names.kinds.get(number).map_or(known.default, |kind| kind.name.as_str()),
        _ => known.default,
    };
    format!("{default} unless said.")
}

/// Whether a problem's field is this setting: `scaling.kp` is about `kp`.
fn is_about(field: &str, name: &str) -> bool {
    field.rsplit('.').next().is_some_and(|last| last.split('[').next() == Some(name))
}

fn page(
    visitor: &Visitor,
    names: &Directory,
    place: &Place,
    chosen: &str,
    written: &BTreeMap<String, String>,
    wrong: Option<&Problem>,
) -> Markup {
    let known = Registry::default().describe(place.family);
    let settings =
        known.iter().find(|(name, ..)| *name == chosen).map_or(&[][..], |(_, _, settings)| settings);
    let body = html! {
        h1 { (question(place.family)) }
        p { "The " (place.family.name()) " policy of "
            @match place.pool { Some(pool) => { "pool " a href=(place.home()) { (names.pools.name(pool)) } } None => { a href=(place.home()) { "all pools together" } } }
            ". In use: " strong { (name(&place.now)) } "." }
        div .choices {
            nav aria-label="Policies" {
                ul .policy-list {
                    @for (name, about, _) in &known {
                        li {
                            a href=(format!("{}?name={name}", place.path())) aria-current=[(*name == chosen).then_some("true")] { (name) }
                            p .hint { (about) }
                        }
                    }
                }
            }
            form .panel method="post" action=(place.path()) {
                h2 { (chosen) }
                (hidden(visitor))
                input type="hidden" name="policy" value=(chosen);
                @if let Some(problem) = wrong { (parts::problem(&problem.detail)) }
                @if settings.is_empty() { p .soft { "It has no settings." } }
                @for known in settings { (field(known, written, names, wrong)) }
                (parts::submit(&format!("Use {chosen} from now on")))
            }
        }
    };
    layout::page(Some(visitor), "Change a policy", overview::PATH, &body)
}

/// Which policy's settings are shown.
#[derive(Clone, Debug, Deserialize)]
struct Which {
    name: Option<String>,
}

async fn show(
    State(server): State<Server>,
    visitor: Visitor,
    Path((pool, family)): Path<(String, String)>,
    Query(which): Query<Which>,
) -> Page {
    may_act(&visitor)?;
    let place = place(&server, &pool, &family).await?;
    Ok(shown_at(&server, &visitor, &place, which))
}

async fn show_balance(State(server): State<Server>, visitor: Visitor, Query(which): Query<Which>) -> Page {
    may_act(&visitor)?;
    let place = balance(&server, &visitor).await?;
    Ok(shown_at(&server, &visitor, &place, which))
}

fn shown_at(server: &Server, visitor: &Visitor, place: &Place, which: Which) -> Response {
    let chosen = which.name.unwrap_or_else(|| name(&place.now));
    let written = place.written(&chosen);
    page(visitor, &server.directory(), place, &chosen, &written, None).into_response()
}

/// What was filled in: which policy, and its settings as they were written.
fn filled(fields: Fields) -> (String, BTreeMap<String, String>) {
    let chosen = fields.get("policy").to_owned();
    let set = fields.0.into_iter().filter(|(name, value)| name != "policy" && !value.trim().is_empty());
    (chosen, set.collect())
}

fn said(chosen: &str, written: &BTreeMap<String, String>) -> Body<Policy> {
    let settings = written.iter().map(|(name, value)| (name.clone(), read(name, value.trim()))).collect();
    Body::of(Policy::Set { name: chosen.to_owned(), settings })
}

/// Leads on, or shows the form again with what is wrong.
fn changed<T>(
    server: &Server,
    visitor: &Visitor,
    place: &Place,
    filled: &(String, BTreeMap<String, String>),
    outcome: Answer<T>,
) -> Response {
    let (chosen, written) = filled;
    match outcome {
        Ok(_) => {
            let words = format!("The {} policy is {chosen} from now on.", place.family.name());
            form::done(&place.home(), &words)
        }
        Err(problem) => {
            let page = page(visitor, &server.directory(), place, chosen, written, Some(&problem));
            (problem.status(), page).into_response()
        }
    }
}

async fn change(
    State(server): State<Server>,
    Path((pool, family)): Path<(String, String)>,
    form: Form<Fields>,
) -> Page {
    let (visitor, filled) = (form.visitor, filled(form.fields));
    may_act(&visitor)?;
    let place = place(&server, &pool, &family).await?;
    let (path, said) = (Path((pool, family)), said(&filled.0, &filled.1));
    let outcome = pools::set_policy(State(server.clone()), visitor.by(), path, said).await;
    Ok(changed(&server, &visitor, &place, &filled, outcome))
}

async fn change_balance(State(server): State<Server>, form: Form<Fields>) -> Page {
    let (visitor, filled) = (form.visitor, filled(form.fields));
    may_act(&visitor)?;
    let place = balance(&server, &visitor).await?;
    let said = said(&filled.0, &filled.1);
    let outcome = policies::set_balance(State(server.clone()), visitor.by(), said).await;
    Ok(changed(&server, &visitor, &place, &filled, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_they_were_shown() {
        let list = Setting::List(vec![Setting::Text("if queue > 3 then recruit 1".to_owned())]);
        for (name, value) in [
            ("kp", Setting::Number(0.5)),
            ("count_in_flight", Setting::Flag(true)),
            ("every", Setting::Text("10 s".to_owned())),
            ("rules", list),
        ] {
            assert_eq!(read(name, &shown(&value, "\n")), value);
        }
    }

    #[test]
    fn a_problem_is_shown_at_its_setting() {
        assert!(
            is_about("scaling.kp", "kp")
                && is_about("kp", "kp")
                && is_about("policy.scaling.rules[0]", "rules")
        );
        assert!(!is_about("scaling.kp", "ki"));
    }
}
