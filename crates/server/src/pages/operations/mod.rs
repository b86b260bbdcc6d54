//! The operations pages: pools as they are, decisions with their reasons, workers, and the things that admins make.
//!
//! | file | page |
//! |---|---|
//! | `overview` | all pools in one table, live |
//! | `pool`, `charts` | one pool: figures, curves, shares, recruit and release |
//! | `policy` | another policy for a pool, its settings explained and checked |
//! | `log` | decisions with their reasons; why a worker got a task |
//! | `people` | workers: pause, drain, send elsewhere |
//! | `access` | join links and tokens |
//! | `setup` | tenants, apps, kinds and pools: seen and made |
//! | `glance`, `watch` | a pool as numbers; what is remembered of it |
//!
//! Whoever may read everything sees these pages; only admins see what acts. Acts go through the API's own functions.

mod access;
mod charts;
pub mod glance;
mod log;
mod overview;
mod people;
mod policy;
mod pool;
mod setup;
pub mod watch;

use axum::Router;
use axum::response::Response;
use maud::Render;

use super::form;
use super::session::Visitor;
use crate::directory::Directory;
use crate::http::Server;
use crate::problem::{Answer, Problem};

/// Where the navigation leads.
pub const PLACES: &[(&str, &str)] = &[
    (overview::PATH, "Pools"),
    (people::PATH, "Workers"),
    (log::PATH, "Decisions"),
    (access::PATH, "Access"),
    (setup::PATH, "Set-up"),
];

/// The pages.
pub fn router() -> Router<Server> {
    Router::new()
        .merge(overview::router())
        .merge(pool::router())
        .merge(policy::router())
        .merge(log::router())
        .merge(people::router())
        .merge(access::router())
        .merge(setup::router())
}

/// Refuses who may not see everything.
fn may_see(visitor: &Visitor) -> Answer<()> {
    if visitor.may_read_all() { Ok(()) } else { Err(Problem::forbidden("see operations")) }
}

/// Refuses who is no admin.
fn may_act(visitor: &Visitor) -> Answer<()> {
    if visitor.is_admin() { Ok(()) } else { Err(Problem::forbidden("do this; it takes an admin's token")) }
}

/// Leads back to a page, which says what was done, or why it was not.
fn led_back<T>(path: &str, outcome: Answer<T>, done: impl FnOnce(T) -> String) -> Response {
    match outcome {
        Ok(it) => form::done(path, &done(it)),
        Err(problem) => form::not_done(path, &problem),
    }
}

/// Names to choose from, each with itself as its label.
fn names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<(String, String)> {
    names.map(|name| (name.to_owned(), name.to_owned())).collect()
}

fn kinds(directory: &Directory) -> Vec<(String, String)> {
    names(directory.kinds.iter().map(|(_, kind)| kind.name.as_str()))
}

fn pools(directory: &Directory) -> Vec<(String, String)> {
    names(directory.pools.iter().map(|(_, pool)| pool.name.as_str()))
}

fn tenants(directory: &Directory) -> Vec<(String, String)> {
    names(directory.tenants.iter().map(|(_, tenant)| tenant.name.as_str()))
}

/// Something, or a dash where there is nothing.
fn or_dash(value: Option<impl Render>) -> maud::Markup {
    match value {
        Some(value) => value.render(),
        None => maud::html! { "–" },
    }
}

/// A rate per second as people read it: per minute, or per hour where that is small.
fn rate(per_second: f64) -> String {
    let per_minute = per_second * 60.0;
    if per_minute > 0.0 && per_minute < 1.0 {
        return format!("{} /h", muster_report::number::significant(per_second * 3600.0, 2));
    }
    format!("{} /min", muster_report::number::significant(per_minute, 3))
}

/// A share in percent.
fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Money per hour.
fn per_hour(amount: muster_engine::money::Money) -> String {
    format!("{} /h", muster_report::number::fixed(amount.as_units_f64(), 2))
}

/// Money to the hundredth.
fn cents(amount: crate::wire::Amount) -> String {
    muster_report::number::fixed(amount.0.as_units_f64(), 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use muster_engine::money::Money;

    #[test]
    fn rates_shares_and_costs_are_short() {
        assert_eq!(
            [rate(0.0), rate(0.5), rate(0.001), rate(123.456)],
            ["0 /min", "30 /min", "3.6 /h", "7,407 /min"]
        );
        assert_eq!(percent(0.456), "46 %");
        assert_eq!(per_hour(Money(12_345_678)), "12.35 /h");
    }
}
