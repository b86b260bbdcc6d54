//! How a pool was lately, as charts: size beside the recommended size, queue, rates, waiting, shares, cost. Numbers in, markup out.

use maud::{Markup, PreEscaped, html};
use muster_engine::ids::TenantId;
use muster_engine::{Span, Time};
use muster_report::chart::{Axis, Chart, Figure, Series};
use muster_report::html::figure;
use muster_report::number::Unit;

use super::glance::Glance;
use crate::directory::Directory;
use crate::pages::parts;

/// Seconds of a day.
const DAY: u64 = 86_400;

/// Time along the bottom, as times of day (UTC) of the looks.
struct Times<'a>(&'a [Glance]);

impl Times<'_> {
    fn begin(&self) -> Time {
        self.0.first().map_or(Time(0), |first| first.at)
    }

    fn axis(&self) -> Axis {
        let second_of_day = self.begin().0 / 1_000_000_000 % DAY;
        Axis::new("time (UTC)", Unit::Seconds).clock(second_of_day as f64)
    }

    /// A series of what every look says, where it says something.
    fn series(&self, name: &str, value: impl Fn(&Glance) -> Option<f64>) -> Series {
        let at = |glance: &Glance| glance.at.since(self.begin()).as_secs_f64();
        let points = self.0.iter().filter_map(|glance| Some((at(glance), value(glance)?)));
        Series::new(name, points.collect())
    }
}

fn chart(times: &Times<'_>, title: &str, unit: Unit, series: Vec<Series>) -> Chart {
    let chart = Chart::new(title, times.axis(), Axis::new("", unit));
    series.into_iter().fold(chart, Chart::with)
}

/// Tenants that had tasks in hand, those with most first; at most six, as many as there are colours.
fn tenants(looks: &[Glance]) -> Vec<TenantId> {
    let mut sums: Vec<(TenantId, u64)> = Vec::new();
    for (tenant, n) in looks.iter().flat_map(|glance| &glance.shares) {
        match sums.iter_mut().find(|(known, _)| known == tenant) {
            Some((_, sum)) => *sum += u64::from(*n),
            None => sums.push((*tenant, u64::from(*n))),
        }
    }
    sums.sort_by_key(|(tenant, sum)| (std::cmp::Reverse(*sum), *tenant));
    sums.into_iter().take(6).map(|(tenant, _)| tenant).collect()
}

fn share(glance: &Glance, tenant: TenantId) -> Option<f64> {
    let all: u32 = glance.shares.iter().map(|(_, n)| n).sum();
    let own = glance.shares.iter().find(|(known, _)| *known == tenant).map_or(0, |(_, n)| *n);
    (all > 0).then(|| f64::from(own) / f64::from(all))
}

fn charts(looks: &[Glance], names: &Directory) -> Vec<Chart> {
    let times = Times(looks);
    let per_minute = |rate: f64| Some(rate * 60.0);
    let shares = tenants(looks)
        .into_iter()
        .map(|tenant| times.series(names.tenants.name(tenant.0), move |glance| share(glance, tenant)));
    vec![
        chart(
            &times,
            "Is the pool as large as it should be?",
            Unit::Of("workers".to_owned()),
            vec![
                times.series("there", |glance| Some(f64::from(glance.heads.size()))).step(),
                times.series("recommended", |glance| glance.recommended.map(f64::from)).step().thin(),
            ],
        ),
        chart(
            &times,
            "How much waits?",
            Unit::Of("slots".to_owned()),
            vec![times.series("queue", |glance| Some(glance.queue as f64)).step()],
        ),
        chart(
            &times,
            "Does work come faster than it is done?",
            Unit::Of("/min".to_owned()),
            vec![
                times.series("come", |glance| per_minute(glance.arrivals)),
                times.series("answered", |glance| per_minute(glance.answers)),
            ],
        ),
        chart(
            &times,
            "How long does a task wait?",
            Unit::Seconds,
            vec![times.series("mean wait", |glance| glance.wait.map(Span::as_secs_f64))],
        ),
        chart(&times, "Who is being served?", Unit::Share, shares.collect()),
        chart(
            &times,
            "What does it cost per hour?",
            Unit::Of("/h".to_owned()),
            vec![times.series("cost", |glance| Some(glance.cost.as_units_f64()))],
        ),
    ]
}

/// All charts of a pool; before there are two looks, what to wait for.
#[must_use]
pub(super) fn of_pool(looks: &[Glance], names: &Directory) -> Markup {
    if looks.len() < 2 {
        return parts::empty(
            "No curves yet",
            "The pool is looked at every five seconds; curves begin with the second look.",
        );
    }
    let drawn = charts(looks, names).into_iter().map(|chart| figure(&Figure::from(chart), ""));
    html! { div .m-figures { @for drawn in drawn { (PreEscaped(drawn)) } } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muster_engine::money::Money;
    use muster_engine::state::pool::Headcount;

    fn glance(second: u64, shares: Vec<(TenantId, u32)>) -> Glance {
        Glance {
            at: Time(second * 1_000_000_000),
            queue: second,
            unfunded: 0,
            heads: Headcount { idle: 2, ..Headcount::default() },
            coming: 0,
            recommended: Some(3),
            arrivals: 0.5,
            answers: 0.4,
            service: None,
            wait: None,
            utilisation: 0.5,
            cost: Money(1_000_000),
            shares,
        }
    }

    #[test]
    fn curves_need_two_looks_and_no_style_of_their_own() {
        let names = Directory::default();
        let first = glance(5, vec![(TenantId(0), 1)]);
        assert!(of_pool(std::slice::from_ref(&first), &names).into_string().contains("No curves yet"));
        let page = of_pool(&[first, glance(10, Vec::new())], &names).into_string();
        assert_eq!(page.matches("<figure").count(), 6);
        // A strict policy lets no such attribute work.
        assert!(!page.contains("style="), "{page}");
    }

    #[test]
    fn shares_are_of_those_who_work() {
        let (a, b) = (TenantId(0), TenantId(1));
        let seen = glance(0, vec![(a, 1), (b, 3)]);
        assert_eq!((share(&seen, a), share(&seen, b)), (Some(0.25), Some(0.75)));
        assert_eq!(share(&glance(0, Vec::new()), a), None);
        assert_eq!(tenants(&[seen]), [b, a]);
    }
}
