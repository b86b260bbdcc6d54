//! What comes, in words: apps and demands.

use muster_engine::Span;
use muster_engine::spec::LeaseLength;

use super::words::{count, is_nothing, list, money, number, numbers, rate, rates, time, times};
use super::{Teller, load};
use crate::law::Law;
use crate::model::{App, Arrivals, Curve, Demand, Task};

/// So many moments are looked at to say between what a curve goes.
const LOOKS: u32 = 2000;

impl Teller<'_> {
    pub(super) fn work(&self) -> Vec<String> {
        let tenants = if self.setup.tenants.len() > 1 { self.tenants() } else { Vec::new() };
        let budget = self.setup.tenants.iter().filter(|_| tenants.is_empty()).filter_map(|tenant| {
            let budget = tenant.spec.budget?;
            let amount = money(budget.amount, self.currency);
            Some(format!("All of it may cost {amount} in every {}.", budget.every))
        });
        let budget: Vec<String> = budget.collect();
        let apps = self.setup.apps.iter().map(|app| self.app(app));
        let demands = self.setup.demands.iter().map(|demand| self.demand(demand));
        tenants.into_iter().chain(budget).chain(apps).chain(demands).collect()
    }

    fn tenants(&self) -> Vec<String> {
        let tell = |tenant: &crate::model::Tenant| {
            let budget = tenant.spec.budget.map(|budget| {
                format!(" and may spend {} in every {}", money(budget.amount, self.currency), budget.every)
            });
            format!(
                "Tenant '{}' has weight {}{}.",
                tenant.name,
                tenant.spec.weight,
                budget.unwrap_or_default()
            )
        };
        self.setup.tenants.iter().map(tell).collect()
    }

    fn app(&self, app: &App) -> String {
        let mut text = format!("A task of '{}' takes {}", app.name, times(&app.work));
        for (kind, law) in &app.work_of {
            text.push_str(&format!(", '{}' {}", self.setup.kinds[*kind].name, times(law)));
        }
        text.push('.');
        if !is_nothing(&app.training) {
            text.push_str(&format!(" Learning it takes {}.", times(&app.training)));
        }
        if let Some(practice) = app.practice {
            let (first, left) = (number(practice.first), number(practice.rate));
            text.push_str(&format!(
                " The first task takes {first} times as long, and {left} of the excess is left after each doubling."
            ));
        }
        if !is_nothing(&app.switch_app) {
            text.push_str(&format!(" Changing to it from another app costs {}.", times(&app.switch_app)));
        }
        if !is_nothing(&app.switch_job) {
            text.push_str(&format!(" Changing between its jobs costs {}.", times(&app.switch_job)));
        }
        if let Some(expected) = app.spec.expected {
            text.push_str(&format!(" The engine is told that it takes {expected}."));
        }
        text.push_str(&match app.spec.lease {
            LeaseLength::Fixed(span) => format!(" A lease lasts {span}."),
            LeaseLength::Learned { factor, least, most } => {
                format!(" A lease lasts {} times what 95 % take, from {least} to {most}.", number(factor))
            }
        });
        text
    }

    fn demand(&self, demand: &Demand) -> String {
        let mut text = format!("Demand '{}'", demand.name);
        if self.setup.tenants.len() > 1 {
            text.push_str(&format!(" of '{}'", self.setup.tenants[demand.tenant].name));
        }
        text.push_str(&format!(": {}{}", self.jobs(demand), self.arrivals(demand)));
        if demand.backlog > 0 {
            let jobs = count(u64::from(demand.backlog), "job is", "jobs are");
            text.push_str(&format!("; {jobs} there at the beginning"));
        }
        if !demand.from.is_zero() {
            text.push_str(&format!("; from {} on", demand.from));
        }
        if demand.until != Span::MAX {
            text.push_str(&format!("; until {}", demand.until));
        }
        text.push('.');
        text.push_str(&self.terms(demand));
        text
    }

    fn jobs(&self, demand: &Demand) -> String {
        let app = |app: usize| format!("'{}'", self.setup.apps[app].name);
        match &demand.task {
            Task::Batch { app: of, size: Law::Fixed(1.0) } => format!("tasks of {}", app(*of)),
            Task::Batch { app: of, size } => format!("jobs of {} tasks of {}", numbers(size), app(*of)),
            Task::Workflow(steps) => {
                let steps: Vec<String> = steps.iter().map(|step| app(step.app)).collect();
                format!("workflows of {}", list(&steps))
            }
        }
    }

    fn arrivals(&self, demand: &Demand) -> String {
        match &demand.arrivals {
            Arrivals::None => ", none that come later".to_owned(),
            Arrivals::Recorded(times) => {
                let last = times.last().map_or(0.0, |(at, _)| at.as_secs_f64());
                format!(" at {} recorded times, the last at {}", times.len(), time(last))
            }
            Arrivals::Closed { clients, thinking } => {
                let clients = count(u64::from(*clients), "client submits", "clients each submit");
                format!(
                    ": {clients} one, wait until it is done, think for {}, and submit the next",
                    times(thinking)
                )
            }
            Arrivals::Renewal { gap, rate: usual, curve } => {
                let how = match gap {
                    Law::Exponential(_) => " at random (Poisson)",
                    Law::Fixed(_) => " at a steady pace",
                    _ => " irregularly",
                };
                let mean = load::jobs_per_second(demand, self.plan).unwrap_or(*usual);
                let curve = curve.as_ref().map(|curve| self.curve(curve, *usual)).unwrap_or_default();
                format!("{how}, {} on average{curve}", rate(mean))
            }
        }
    }

    fn curve(&self, curve: &Curve, usual: f64) -> String {
        let until = load::length(self.plan).unwrap_or(86_400.0);
        let looks = (0..LOOKS).map(|look| curve.at(until * f64::from(look) / f64::from(LOOKS)));
        let (least, most) = looks.fold((f64::INFINITY, 0.0_f64), |(a, b), at| (a.min(at), b.max(at)));
        format!(", changing from {}", rates(usual * least, usual * most, usual))
    }

    fn terms(&self, demand: &Demand) -> String {
        let mut text = String::new();
        if demand.slots > 1 {
            text.push_str(&format!(" Each task needs {} answers from different workers.", demand.slots));
        }
        if !demand.price.is_zero() {
            text.push_str(&format!(" An answer is paid {}.", money(demand.price, self.currency)));
        }
        if let Some(budget) = demand.budget {
            text.push_str(&format!(" A job may cost {}.", money(budget, self.currency)));
        }
        if demand.priority != 1 {
            text.push_str(&format!(" Its priority is {}.", demand.priority));
        }
        if let Some(giving_up) = &demand.giving_up {
            text.push_str(&format!(
                " End users give up after {} without anybody beginning.",
                times(&giving_up.after)
            ));
        }
        if let Some((n, client)) = &demand.clients {
            text.push_str(&format!(
                " It is done for {}, who find {} right and begin with patience {}.",
                count(u64::from(*n), "client", "clients"),
                client.ideal.scaled(client.tolerance),
                number(client.patience)
            ));
        }
        text
    }
}
