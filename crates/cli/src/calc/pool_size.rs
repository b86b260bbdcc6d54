//! `pool-size`: how many workers a pool should have, by an aim that a person can state or by the paper's objective.

use muster_engine::formula::erlang::queue;
use muster_engine::formula::pool_size::{Objective, least_stable};
use muster_engine::formula::target::{Churn, Target, least_size, money_rate};
use muster_formats::quantity::MoneyRate;
use muster_report::chart::{At, Axis, Chart, Series};
use muster_report::number::Unit;

use super::answer::{Answer, Listing};
use super::erlang_c::{figures, wait_chart};
use super::field::{Field, Kind, WORKERS_MOST};
use super::inputs::Inputs;
use super::{Calculator, curve};
use crate::refusal::Refusal;

pub(super) const CALCULATOR: Calculator = Calculator {
    name: "pool-size",
    about: "How many workers should a pool have?",
    more: "Give one aim: wait; within and share; occupancy; value and wage; or eta and wage (the objective of\n\
           the Cioppino paper, eta * wait + (1 - eta) * cost, which depends on the unit of time).\n\
           Poisson arrivals, exponential working times. With staying and recruiting it also says how many to\n\
           keep on the books, so that as many as needed are present on average.",
    example: "--arrivals '12 /min' --work '90 s' --value '12 USD/h' --wage '3 USD/h'",
    fields: &[
        Field { name: "arrivals", kind: Kind::Rate, help: "How many tasks come, such as '12 /min'" },
        Field { name: "work", kind: Kind::Time, help: "How long one takes on average, such as '90 s'" },
        Field { name: "wait", kind: Kind::Time, help: "Aim: the mean wait is at most this" },
        Field {
            name: "within",
            kind: Kind::TimeOrZero,
            help: "Aim, with share: that many begin within this time",
        },
        Field {
            name: "share",
            kind: Kind::Below(0.0, 1.0),
            help: "The share that should begin in time, such as 0.8",
        },
        Field {
            name: "occupancy",
            kind: Kind::Below(0.0, 1.0),
            help: "Aim: workers are busy for at most this share",
        },
        Field {
            name: "value",
            kind: Kind::Money,
            help: "Aim, with wage: what it is worth that a task waits so much less",
        },
        Field { name: "wage", kind: Kind::Money, help: "What a worker costs, such as '0.05 USD/min'" },
        Field {
            name: "eta",
            kind: Kind::Number(0.0, 1.0),
            help: "Aim, with wage: the weight of waiting, cost has the rest",
        },
        Field {
            name: "cost",
            kind: Kind::Word(&["printed", "idle"]),
            help: "With eta: the cost as printed (default), or of idle workers",
        },
        Field {
            name: "unit",
            kind: Kind::Word(&["s", "min", "h"]),
            help: "With eta: the unit of time, by default s",
        },
        Field { name: "most", kind: Kind::Count(0, WORKERS_MOST), help: "No more workers than this" },
        Field {
            name: "staying",
            kind: Kind::Time,
            help: "How long a worker stays on average before leaving",
        },
        Field {
            name: "recruiting",
            kind: Kind::TimeOrZero,
            help: "How long it takes on average until a recruit comes",
        },
    ],
    draws: true,
    run,
};

/// An aim, and the money that belongs to it.
struct Aim<'a> {
    target: Target,
    wage: Option<&'a MoneyRate>,
    value: Option<&'a MoneyRate>,
}

fn run(inputs: &Inputs) -> Result<Answer, Refusal> {
    inputs.needs(&[("share", "within"), ("cost", "eta"), ("unit", "eta")])?;
    let (arrivals, service) = inputs.traffic()?;
    let aim = aim(inputs)?;
    let churn = churn(inputs)?;
    let (scale, most) = (unit_seconds(inputs), inputs.maybe_count("most"));
    // The objective adds a time to money per time: it is computed in the unit that was asked for.
    let size = least_size(arrivals * scale, service * scale, &in_unit(aim.target, scale), most);
    let least = least_stable(arrivals / service);
    let mut answer = Answer::default();
    answer.maybe("size", "recommended", size.map(f64::from), Unit::Count, "workers");
    answer.figure(
        "size_least",
        "least size",
        f64::from(least),
        Unit::Count,
        "with fewer the queue grows without end",
    );
    let Some(size) = size else {
        answer.note(no_size(least, most));
        return Ok(answer);
    };
    if let Some(churn) = churn {
        let positions = f64::from(churn.positions(size));
        answer.figure("positions", "on the books", positions, Unit::Count, "present or being recruited");
    }
    figures(&mut answer, &queue(size, arrivals, service), inputs.maybe("within"));
    money_figures(&mut answer, &aim, size, arrivals, service);
    if let Target::Objective(objective) = in_unit(aim.target, scale) {
        let found = queue(size, arrivals * scale, service * scale);
        let value = objective.value(size, arrivals / service, found.wait, found.waiting);
        answer.figure("objective", "objective", value, Unit::Plain, "eta * wait + (1 - eta) * cost");
    }
    answer.list(neighbours(&aim, size, arrivals, service));
    let mark = |chart: Chart| chart.mark(&curve::named(size, "recommended"), At::X(f64::from(size)));
    answer.chart(mark(wait_chart(
        arrivals,
        service,
        size,
        "How long is the wait with fewer or more workers?",
    )));
    if let Some(chart) = cost_chart(&aim, size, arrivals, service) {
        answer.chart(mark(chart));
    }
    Ok(answer)
}

fn no_size(least: u32, most: Option<u32>) -> String {
    match most {
        Some(most) if most < least => format!("With at most {most} the queue grows without end."),
        Some(most) => format!("No size up to {most} reaches the aim."),
        None => "No size reaches the aim, or more is always better: give a most.".to_owned(),
    }
}

/// The one aim that was given.
fn aim(inputs: &Inputs) -> Result<Aim<'_>, Refusal> {
    let aims: Vec<&str> =
        ["wait", "within", "occupancy", "value", "eta"].into_iter().filter(|name| inputs.has(name)).collect();
    let target = match aims[..] {
        ["wait"] => Target::Wait(inputs.number("wait")?),
        ["within"] => Target::Within { time: inputs.number("within")?, share: inputs.number("share")? },
        ["occupancy"] => Target::Occupancy(inputs.number("occupancy")?),
        ["value"] => Target::Money {
            waiting: inputs.needed_money("value")?.per_second,
            wage: inputs.needed_money("wage")?.per_second,
        },
        ["eta"] => Target::Objective(Objective {
            eta: inputs.number("eta")?,
            cost_rate: inputs.needed_money("wage")?.per_second,
            cost_of_idle: inputs.word("cost", "printed") == "idle",
        }),
        [] => {
            return Err(Refusal::Together(
                "no aim is given; give one of wait, within, occupancy, value or eta".to_owned(),
            ));
        }
        _ => {
            return Err(Refusal::Together(format!("several aims are given ({}); give one", aims.join(", "))));
        }
    };
    let (wage, value) = (inputs.money("wage"), inputs.money("value"));
    if let (Some(wage), Some(value)) = (wage, value)
        && wage.currency != value.currency
    {
        return Err(Refusal::value(
            "value",
            &value.currency,
            &format!("the currency of wage, {}", wage.currency),
        ));
    }
    Ok(Aim { target, wage, value })
}

fn unit_seconds(inputs: &Inputs) -> f64 {
    match inputs.word("unit", "s") {
        "min" => 60.0,
        "h" => 3600.0,
        _ => 1.0,
    }
}

/// A target per second, per another unit of time.
fn in_unit(target: Target, scale: f64) -> Target {
    match target {
        Target::Objective(it) => Target::Objective(Objective { cost_rate: it.cost_rate * scale, ..it }),
        Target::Wait(wait) => Target::Wait(wait / scale),
        Target::Within { time, share } => Target::Within { time: time / scale, share },
        Target::Occupancy(share) => Target::Occupancy(share),
        Target::Money { waiting, wage } => Target::Money { waiting: waiting * scale, wage: wage * scale },
    }
}

fn churn(inputs: &Inputs) -> Result<Option<Churn>, Refusal> {
    if !inputs.has("staying") && !inputs.has("recruiting") {
        return Ok(None);
    }
    let (staying, recruitment_delay) = (inputs.number("staying")?, inputs.number("recruiting")?);
    Ok(Some(Churn { departure_rate: 1.0 / staying, recruitment_delay }))
}

impl Aim<'_> {
    /// Wages, and what waiting costs, per hour, for a size.
    fn costs(&self, size: u32, arrivals: f64, service: f64) -> Option<(f64, Option<f64>, Unit)> {
        let wage = self.wage?;
        let wages = 3600.0 * wage.per_second * f64::from(size);
        let waiting = |value: &MoneyRate| {
            let queue = queue(size, arrivals, service);
            3600.0 * money_rate(size, &queue, value.per_second, wage.per_second) - wages
        };
        Some((wages, self.value.map(waiting), Unit::Of(format!("{}/h", wage.currency))))
    }
}

fn money_figures(answer: &mut Answer, aim: &Aim<'_>, size: u32, arrivals: f64, service: f64) {
    let Some((wages, waiting, unit)) = aim.costs(size, arrivals, service) else { return };
    answer.figure("wages", "wages", wages, unit.clone(), "for all workers, busy or idle");
    if let Some(waiting) = waiting {
        answer.figure("waiting_cost", "cost of waiting", waiting, unit.clone(), "at the value given");
        answer.figure("total_cost", "together", wages + waiting, unit, "");
    }
}

/// What a few workers fewer or more would change.
fn neighbours(aim: &Aim<'_>, size: u32, arrivals: f64, service: f64) -> Listing {
    let money = aim.costs(size, arrivals, service).map(|(_, _, unit)| unit);
    let mut listing = Listing::new("sizes")
        .column("workers", "workers", Unit::Count)
        .column("utilisation", "utilisation", Unit::Share)
        .column("mean_wait", "mean wait", Unit::Seconds)
        .column("wait_probability", "must wait", Unit::Share);
    if let Some(unit) = &money {
        let (key, title) = if aim.value.is_some() { ("total_cost", "cost") } else { ("wages", "wages") };
        listing = listing.column(key, title, unit.clone());
    }
    for size in size.saturating_sub(2)..=size.saturating_add(2) {
        let found = queue(size, arrivals, service);
        let mut row = vec![
            f64::from(size).into(),
            found.utilisation.into(),
            found.wait.into(),
            found.wait_probability.into(),
        ];
        if let Some((wages, waiting, _)) = aim.costs(size, arrivals, service) {
            row.push((wages + waiting.unwrap_or(0.0)).into());
        }
        listing.row(row);
    }
    listing
}

/// Wages, waiting and both together over the size; nothing without wages.
fn cost_chart(aim: &Aim<'_>, size: u32, arrivals: f64, service: f64) -> Option<Chart> {
    let (_, waiting, unit) = aim.costs(size, arrivals, service)?;
    let load = arrivals / service;
    let (_, most) = curve::around(load, 0.0, 3.0);
    let sizes = curve::sizes(least_stable(load), most.max(size.saturating_add(2)));
    let of = |part: &dyn Fn(f64, f64) -> f64| {
        curve::points(&sizes, |size| {
            let (wages, waiting, _) = aim.costs(size, arrivals, service).unwrap_or((0.0, None, Unit::Plain));
            part(wages, waiting.unwrap_or(0.0))
        })
    };
    let wages = of(&|wages, _| wages);
    let highest = wages.last().map_or(1.0, |(_, y)| *y);
    let y = Axis::new("cost", unit);
    let x = Axis::new("workers", Unit::Count);
    if waiting.is_none() {
        return Some(Chart::new("What do workers cost?", x, y).with(Series::new("wages", wages)));
    }
    let chart = Chart::new("Where are wages and waiting together least?", x, y.up_to(1.4 * highest));
    let (waits, both) = (of(&|_, waiting| waiting), of(&|wages, waiting| wages + waiting));
    Some(
        chart
            .with(Series::new("together", both))
            .with(Series::new("wages", wages))
            .with(Series::new("waiting", waits)),
    )
}
