//! Pools, as they are written: whom they serve, who is there, by which policies they are run.
//!
//! If no pool is named there is one for all apps. Start at [`read_all`].

use std::collections::BTreeMap;

use muster_engine::Span;
use muster_engine::ids::{AppId, KindId, TenantId};
use muster_engine::money::Money;
use muster_engine::spec::{Aim, Payer, PoolSpec, Recommend, Role};
use muster_formats::document::{Named, Table, form};
use muster_formats::policy::{self, Known, Policies};

use super::crowd::WORKERS_MOST;
use super::{Context, Names, Places};
use crate::model::{Kind, Pool, Shift};

/// The aims of a recommended size that can be named.
pub(super) const AIMS: [&str; 5] = ["objective", "wait", "within", "occupancy", "money"];

/// What pools share.
pub(super) struct Shared<'d, 'a, 'c> {
    pub(super) crowd: Option<Table<'d>>,
    pub(super) policy: Option<Table<'d>>,
    pub(super) kinds: &'a [Kind],
    pub(super) names: &'a Names,
    pub(super) cx: &'a Context<'c>,
}

impl<'d> Shared<'d, '_, '_> {
    /// All pools.
    pub(super) fn read_all(
        &self,
        tables: &[Table<'d>],
        top: Table<'d>,
        places: &mut Places<'d>,
    ) -> Vec<Pool> {
        let kinds = self.kind_ids();
        let known = Known { registry: self.cx.registry, kinds: &kinds };
        let common = self.policy.map(|table| policy::read(table, known)).unwrap_or_default();
        if tables.is_empty() {
            let apps: Vec<AppId> = (0..self.names.apps.len()).map(|app| AppId(app as u32)).collect();
            let mut spec = PoolSpec { recruit_within: self.recruit_within(), ..PoolSpec::serving(&apps) };
            spec.policies = common.of_pool();
            spec.recommend.aim = self.usual_aim();
            if let Some(table) = self.policy {
                policy::check_together(table, &common, known);
            }
            let mut pool = Pool::new("everybody", spec);
            pool.workers = self.workers(None);
            places.put(format!("pool '{}'", pool.name), self.policy.unwrap_or(top));
            return vec![pool];
        }
        let pools = self.names.pools.iter().zip(tables);
        pools
            .map(|(name, table)| {
                places.put(format!("pool '{name}'"), *table);
                self.pool(*table, name, tables.len(), (&common, known))
            })
            .collect()
    }

    /// Kinds as policies name them.
    pub(super) fn kind_ids(&self) -> BTreeMap<String, KindId> {
        let kinds = self.names.kinds.iter().enumerate();
        kinds.map(|(place, name)| (name.clone(), KindId(place as u32))).collect()
    }

    fn pool(
        &self,
        table: Table<'d>,
        name: &str,
        pools: usize,
        (common, known): (&Policies, Known<'_>),
    ) -> Pool {
        let payer = self.payer(table);
        let spec = PoolSpec {
            apps: self.serves(table, pools),
            tenant: table.name_of("tenant", "a tenant", &self.names.tenants).optional().map(tenant_id),
            payer,
            settle_every: table.span("settle_every").or(Span::from_mins(15)),
            window: table.span("window").or(Span::from_mins(5)),
            presence: None,
            recruit_within: table.span("recruit_within").or(self.recruit_within()),
            balanced: table.flag("balanced").or(true),
            recommend: self.recommend(table),
            policies: self.policies(table, common, known).of_pool(),
        };
        Pool { name: name.to_owned(), spec, workers: self.workers(Some(table)), shifts: self.shifts(table) }
    }

    /// The apps: all, if this is the only pool and nothing is said.
    fn serves(&self, table: Table<'d>, pools: usize) -> Vec<AppId> {
        let serves = table.list("serves", &form::name_of("an app", &self.names.apps));
        if serves.is_absent() && pools == 1 {
            return (0..self.names.apps.len()).map(|app| AppId(app as u32)).collect();
        }
        let apps: Vec<AppId> =
            serves.required_or(Vec::new()).into_iter().map(|app| AppId(app as u32)).collect();
        let twice = apps.iter().enumerate().find(|(place, app)| apps[..*place].contains(app));
        if let Some((_, app)) = twice {
            table.complain("serves", format!("'{}' is named twice", self.names.apps[app.index()]));
        }
        apps
    }

    fn payer(&self, table: Table<'d>) -> Payer {
        let mut words: Vec<(&str, Payer)> = vec![("shared", Payer::Shared)];
        let tenants = self.names.tenants.iter().enumerate();
        words.extend(tenants.map(|(place, name)| (name.as_str(), Payer::Tenant(tenant_id(place)))));
        table.choice("payer", &words).or(Payer::Shared)
    }

    /// A pool's policies lie over those of all pools.
    fn policies(&self, table: Table<'d>, common: &Policies, known: Known<'_>) -> Policies {
        let Some(own) = table.table("policy").optional() else {
            if let Some(shared) = self.policy {
                policy::check_together(shared, common, known);
            }
            return common.clone();
        };
        if own.has("balance") {
            own.complain("balance", "workers move between pools; it stands in [policy] for all of them");
        }
        let laid = self.policy.map_or(own, |shared| shared.overlaid(own, &[]));
        let policies = policy::read(laid, known);
        policy::check_together(laid, &policies, known);
        policies
    }

    /// A number of the first kind, or numbers by kind; if a pool says nothing, what the crowd says.
    fn workers(&self, table: Option<Table<'d>>) -> Vec<(usize, u32)> {
        let in_crowd = self.crowd.filter(|crowd| crowd.has("workers"));
        let own = table.filter(|table| table.has("workers")).or(in_crowd);
        if let Some(crowd) = self.crowd {
            let _ = crowd.value("workers");
        }
        let Some(value) = own.or(table).and_then(|table| table.value("workers")) else { return Vec::new() };
        let count = form::integer(0..=WORKERS_MOST);
        let Some(by_kind) = value.as_table() else {
            let allowed = "a whole number such as 20, or numbers by kind such as { people = 20 }";
            let n = value.read(&count.then(allowed, Some));
            return n.filter(|n| *n > 0).map(|n| (0, n)).into_iter().collect();
        };
        let number = |(place, kind): (usize, &String)| {
            by_kind.integer(kind, 0..=WORKERS_MOST).optional().filter(|n| *n > 0).map(|n| (place, n))
        };
        self.names.kinds.iter().enumerate().filter_map(number).collect()
    }

    fn shifts(&self, table: Table<'d>) -> Vec<Shift> {
        let shift = |table: &Table<'d>| {
            let kind = table.name_of("kind", "a kind of worker", &self.names.kinds).or(0);
            let workers = table.integer("workers", 1..=WORKERS_MOST).required();
            let from = table.span_or_zero("from").or(Span::ZERO);
            let length = table.span("length").required();
            let minute = "a length of time of at least 1 min, such as 1 d";
            let every = table.span("every").check(|every| *every >= Span::from_mins(1), minute).optional();
            Some(Shift { kind, workers: workers?, from, length: length?, every })
        };
        table.tables("shifts").or(Vec::new()).iter().filter_map(shift).collect()
    }

    fn recommend(&self, table: Table<'d>) -> Recommend {
        let usual = Recommend { aim: self.usual_aim(), ..Recommend::default() };
        let given = table.named("recommend", "aim");
        let Some(named) = given.optional() else { return usual };
        let aim = self.aim(&named).unwrap_or(usual.aim);
        let Some(settings) = named.settings else { return Recommend { aim, ..usual } };
        Recommend {
            aim,
            service_prior: settings.span("service").optional(),
            recruitment_delay: settings.span("recruitment_delay").optional(),
            size_most: settings.integer("size_most", 0..=1_000_000).or(usual.size_most),
        }
    }

    fn aim(&self, named: &Named<'d>) -> Option<Aim> {
        let (Some(table), name) = (named.settings, named.name.as_str()) else {
            return match named.name.as_str() {
                "objective" => Some(self.usual_aim()),
                name if AIMS.contains(&name) => {
                    named.word.complain(format!("this aim has figures: write {}", example(name)));
                    None
                }
                _ => {
                    named.word.refuse_word(&AIMS);
                    None
                }
            };
        };
        match name {
            "objective" => Some(self.objective(table)),
            "wait" => table.span("wait").required().map(Aim::Wait),
            "within" => {
                let (within, share) =
                    (table.span_or_zero("within").required(), table.share("share").required());
                Some(Aim::Within(within?, share?))
            }
            "occupancy" => table.share("occupancy").required().map(Aim::Occupancy),
            "money" => {
                let (waiting, worker) =
                    (table.money_rate("waiting").required(), table.money_rate("worker").required());
                let (waiting_minute, worker_hour) = (waiting?.per_second * 60.0, worker?.per_second * 3600.0);
                Some(Aim::Money { waiting_minute, worker_hour })
            }
            _ => {
                named.word.refuse_word(&AIMS);
                table.leave();
                None
            }
        }
    }

    fn objective(&self, table: Table<'d>) -> Aim {
        let Aim::Objective { eta, cost_per_second, cost_of_idle } = self.usual_aim() else {
            return self.usual_aim();
        };
        let cost = table.money_rate("worker").optional();
        Aim::Objective {
            eta: table.share("eta").or(eta),
            cost_per_second: cost.map_or(cost_per_second, |cost| cost.per_second),
            cost_of_idle: table.choice("cost_of", &[("idle", true), ("as-printed", false)]).or(cost_of_idle),
        }
    }

    /// Waiting and cost weigh the same; a waiting worker costs what people are paid for it.
    fn usual_aim(&self) -> Aim {
        let wage = self.kinds.iter().find_map(|kind| match kind.spec.role {
            Role::Person { wage_waiting, .. } if wage_waiting > Money::ZERO => Some(wage_waiting),
            _ => None,
        });
        match (Recommend::default().aim, wage) {
            (Aim::Objective { eta, cost_of_idle, .. }, Some(wage)) => {
                let cost_per_second = wage.as_units_f64() / 3600.0;
                Aim::Objective { eta, cost_per_second, cost_of_idle }
            }
            (aim, _) => aim,
        }
    }

    /// Ten minutes, or five times what recruiting takes on average.
    fn recruit_within(&self) -> Span {
        let delays =
            self.kinds.iter().map(|kind| kind.recruiting.delay.mean()).filter(|mean| mean.is_finite());
        let longest = delays.fold(0.0, f64::max);
        Span::from_secs_f64(5.0 * longest).clamp(Span::from_mins(10), Span::from_hours(24 * 30))
    }
}

fn tenant_id(place: usize) -> TenantId {
    TenantId(place as u32)
}

/// How an aim is written.
fn example(aim: &str) -> &'static str {
    match aim {
        "wait" => "{ aim = \"wait\", wait = \"30 s\" }",
        "within" => "{ aim = \"within\", within = \"20 s\", share = \"80 %\" }",
        "occupancy" => "{ aim = \"occupancy\", occupancy = \"85 %\" }",
        _ => "{ aim = \"money\", waiting = \"0.10 USD/min\", worker = \"12 USD/h\" }",
    }
}
