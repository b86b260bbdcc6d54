//! What a job will cost and roughly when it will be done, in words, before it is submitted. Pure: a forecast in, markup out.

use maud::{Markup, html};
use muster_engine::Time;

use super::super::parts::{self, Tile};
use super::job::plural;
use super::progress;
use super::wishes::Meant;
use crate::http::forecast::Forecast;

/// The figures and what should be known with them.
pub(super) fn view(forecast: &Forecast, meant: &Meant, now: Time) -> Markup {
    let cost = Tile::new("Cost, at most", parts::money(forecast.cost.0)).note(html! {
        (parts::count(forecast.answers)) (plural(forecast.answers, " answer", " answers")) " at " (parts::money(meant.price))
    });
    let finish = match &forecast.finish {
        Some(finish) => Tile::new("Done, roughly", progress::finish(finish, now)).note(who(forecast)),
        None => Tile::new("Done, roughly", "not known").note(who(forecast)),
    };
    html! {
        (parts::tiles(&[cost, finish]))
        @for remark in remarks(forecast, meant) { p .remark { (remark) } }
    }
}

fn who(forecast: &Forecast) -> Markup {
    let workers = u64::from(forecast.workers);
    html! {
        "pool " (forecast.pool) ": " (parts::count(workers)) (plural(workers, " worker", " workers")) ", "
        (parts::count(forecast.queue)) (plural(forecast.queue, " task waits", " tasks wait")) " already"
    }
}

fn remarks(forecast: &Forecast, meant: &Meant) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(covered) = forecast.covered {
        all.push(format!(
            "The budget pays for {} of {} answers. The rest waits until it is raised.",
            parts::count(covered),
            parts::count(forecast.answers)
        ));
    }
    if let Some(left) = forecast.tenant_left.filter(|left| left.0 < forecast.cost.0) {
        let left = parts::money(left.0.max(muster_engine::money::Money::ZERO));
        all.push(format!(
            "The tenant may still spend {left} in this interval; what costs more waits for the next."
        ));
    }
    if forecast.workers > 0 && forecast.workers < u32::from(meant.slots) {
        all.push(format!(
            "Each task needs answers from {} different workers, and {} there now.",
            meant.slots,
            if forecast.workers == 1 { "1 is".to_owned() } else { format!("{} are", forecast.workers) }
        ));
    }
    match forecast.finish {
        None if forecast.workers == 0 => {
            all.push("Nobody works in this pool now. The job waits until somebody comes.".to_owned());
        }
        None => all
            .push("Nothing was answered there lately, so nobody knows yet how long a task takes.".to_owned()),
        Some(_) => {}
    }
    if meant.price.0 == 0 {
        all.push("An answer is worth nothing: right for machines and volunteers.".to_owned());
    }
    all
}
