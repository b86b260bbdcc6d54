//! Pools in words: whom they serve, who is there, whether that is enough, and by which policies they are run.

use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{Aim, Payer};

use super::words::{list, number, policy, share, time};
use super::{Teller, load};
use crate::model::{Pool, Shift};

impl Teller<'_> {
    pub(super) fn pools(&self) -> Vec<String> {
        let mut all = Vec::new();
        for place in 0..self.setup.pools.len() {
            let pool = &self.setup.pools[place];
            all.push(self.pool(pool));
            all.push(format!("Pool '{}': {}", pool.name, self.load(place)));
            all.extend(self.policies(pool));
        }
        if self.setup.balance != PolicySpec::named("none") {
            let balance = policy(&self.setup.balance, &self.kind_names());
            all.push(format!("Workers move between pools by {balance}."));
        }
        all
    }

    fn pool(&self, pool: &Pool) -> String {
        let apps = pool.spec.apps.iter().map(|app| format!("'{}'", self.setup.apps[app.index()].name));
        let apps = list(&apps.collect::<Vec<_>>());
        let tenant =
            pool.spec.tenant.map(|tenant| format!(" for '{}'", self.setup.tenants[tenant.index()].name));
        let workers =
            pool.workers.iter().map(|(kind, n)| format!("{n} of '{}'", self.setup.kinds[*kind].name));
        let workers: Vec<String> = workers.collect();
        let there = if workers.is_empty() { "nobody".to_owned() } else { list(&workers) };
        let shifts: Vec<String> = pool.shifts.iter().map(|shift| self.shift(shift)).collect();
        let shifts = if shifts.is_empty() { String::new() } else { format!("; {}", shifts.join("; ")) };
        let payer = match pool.spec.payer {
            Payer::Shared => String::new(),
            Payer::Tenant(tenant) => {
                format!(" '{}' pays for waiting and machines.", self.setup.tenants[tenant.index()].name)
            }
        };
        format!(
            "Pool '{}' serves {apps}{}; there at the beginning: {there}{shifts}.{payer}",
            pool.name,
            tenant.unwrap_or_default()
        )
    }

    fn shift(&self, shift: &Shift) -> String {
        let kind = &self.setup.kinds[shift.kind].name;
        let every = shift.every.map(|every| format!(", every {every}")).unwrap_or_default();
        format!("{} of '{kind}' from {} for {}{every}", shift.workers, shift.from, shift.length)
    }

    fn load(&self, place: usize) -> String {
        let load = load::of_pool(self.setup, place, self.plan);
        let mut text = enough(&load);
        if load.backlog > 0.0 {
            let there = load.there.max(1.0);
            text.push_str(&format!(
                " The backlog is {} of work for one, {} for those who are there.",
                time(load.backlog),
                time(load.backlog / there)
            ));
        }
        text
    }

    fn policies(&self, pool: &Pool) -> Vec<String> {
        let (policies, kinds) = (&pool.spec.policies, self.kind_names());
        let named = |question: &str, spec: &PolicySpec| {
            format!("Pool '{}', {question}: {}.", pool.name, policy(spec, &kinds))
        };
        let mut all = vec![named("which task a worker gets", &policies.dispatch)];
        if policies.matching != PolicySpec::named("longest-waiting") {
            all.push(named("which idle worker gets a task", &policies.matching));
        }
        all.push(named("how many workers", &policies.scaling));
        all.push(named("who replaces those who leave", &policies.replacement));
        if policies.scaling.name != "static" || policies.replacement.name != "none" {
            all.push(format!(
                "Pool '{}', recommended size: {}.",
                pool.name,
                self.aim(&pool.spec.recommend.aim)
            ));
        }
        all
    }

    fn aim(&self, aim: &Aim) -> String {
        match aim {
            Aim::Objective { eta, cost_per_second, .. } => format!(
                "waiting weighs {} and cost {}, at {} {} per hour of a worker",
                number(*eta),
                number(1.0 - eta),
                number(cost_per_second * 3600.0),
                self.currency
            ),
            Aim::Wait(span) => format!("a mean wait of at most {span}"),
            Aim::Within(span, part) => format!("{} begun within {span}", share(*part)),
            Aim::Occupancy(part) => format!("workers busy for at most {}", share(*part)),
            Aim::Money { waiting_minute, worker_hour } => format!(
                "least cost, a minute of waiting at {} {} and an hour of a worker at {}",
                number(*waiting_minute),
                self.currency,
                number(*worker_hour)
            ),
        }
    }
}

/// Whether those who are there are enough for what comes.
fn enough(load: &load::Load) -> String {
    let (busy, there) = (number(load.busy), number(load.there));
    let most = if load.is_closed { "at most " } else { "" };
    if load.busy <= 0.0 {
        "nothing comes later.".to_owned()
    } else if load.there <= 0.0 {
        format!("what comes keeps {most}about {busy} workers busy; nobody is there unless called for.")
    } else if load.busy > load.there {
        format!(
            "what comes would keep {most}about {busy} workers busy, and {there} are there: the queue grows unless more come."
        )
    } else {
        let share = share(load.busy / load.there);
        format!(
            "what comes keeps {most}about {busy} workers busy; {there} are there, so they are busy for {most}{share} of their time."
        )
    }
}
