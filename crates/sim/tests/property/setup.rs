//! Random set-ups: tenants, apps and pools. Demand is in `demand`, people in `crowd`.

use muster_engine::Span;
use muster_engine::ids::{AppId, TenantId};
use muster_engine::money::Money;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{
    Aim, AppSpec, Budget, LatePay, LeaseLength, Payer, PoolSpec, Recommend, TenantSpec,
};
use muster_sim::law::Law;
use muster_sim::model::{App, Horizon, Plan, Pool, Practice, Replications, Setup, Shift, Tenant};

use crate::dice::Dice;
use crate::{crowd, demand};

pub(crate) const DISPATCH: [&str; 8] = [
    "fifo",
    "shortest-first",
    "round-robin",
    "fair",
    "weighted-fair",
    "worker-conscious",
    "least-patience",
    "priority",
];
const MATCHING: [&str; 5] = ["longest-waiting", "cheapest", "fastest", "last-on-this-job", "preferred"];
const SCALING: [&str; 4] = ["static", "rules", "pid-size", "pid-throughput"];
const REPLACEMENT: [&str; 4] = ["none", "rules", "average-rate", "hybrid"];
const BALANCE: [&str; 3] = ["none", "random", "preference-aware"];

/// Anything that the model can say.
pub(crate) fn anything(dice: &mut Dice) -> Setup {
    let mut setup = Setup::new();
    setup.tenants = (0..dice.whole(1, 3)).map(|i| tenant(dice, i)).collect();
    setup.apps = (0..dice.whole(1, 4)).map(|i| app(dice, i)).collect();
    setup.kinds = (0..dice.whole(1, 3)).map(|i| crowd::kind(dice, i, setup.apps.len())).collect();
    pools(dice, &mut setup);
    crowd::bound(dice, &mut setup);
    setup.demands = (0..dice.whole(1, 4)).map(|i| demand::demand(dice, &setup, i)).collect();
    setup.balance = PolicySpec::named(dice.one_of(&BALANCE));
    setup
}

pub(crate) fn plan(dice: &mut Dice, seconds: f64) -> Plan {
    let horizon = Horizon::Time(dice.span(seconds / 2.0, seconds));
    let warm_up = if dice.happens(0.5) { Span::ZERO } else { dice.span(1.0, seconds / 3.0) };
    let replications = Replications::Fixed(1);
    Plan { horizon, warm_up, replications, seed: dice.bits(), points: dice.whole(2, 50) }
}

fn tenant(dice: &mut Dice, place: u32) -> Tenant {
    let budget = dice.maybe(0.3, |dice| Budget {
        amount: Money(i64::from(dice.whole(0, 20_000_000))),
        every: dice.span(30.0, 600.0),
    });
    let spec = TenantSpec { weight: dice.whole(1, 5), budget };
    Tenant { spec, ..Tenant::new(&format!("tenant {place}")) }
}

fn lease(dice: &mut Dice) -> LeaseLength {
    match dice.whole(0, 3) {
        // Short: leases run out, and answers come late.
        0 => LeaseLength::Fixed(dice.span(1.0, 30.0)),
        1 => LeaseLength::Learned {
            factor: dice.between(1.0, 3.0),
            least: dice.span(1.0, 10.0),
            most: dice.span(20.0, 600.0),
        },
        _ => LeaseLength::Fixed(Span::from_mins(30)),
    }
}

fn app(dice: &mut Dice, place: u32) -> App {
    let mean = dice.between(0.5, 30.0);
    let law = dice.law(mean);
    let mut app = App::new(&format!("app {place}"), law);
    let training = dice.happens(0.4);
    app.spec = AppSpec {
        training: if training { dice.span(1.0, 60.0) } else { Span::ZERO },
        lease: lease(dice),
        expected: dice.maybe(0.5, |dice| dice.span(1.0, 30.0)),
        late_pay: dice.one_of(&[LatePay::IfCounted, LatePay::Always, LatePay::Never]),
        ..AppSpec::default()
    };
    if training && dice.happens(0.5) {
        app.training = dice.law(app.spec.training.as_secs_f64());
    }
    let others = dice.maybe(0.2, |dice| (0, dice.law(mean)));
    app.work_of.extend(others);
    app.practice =
        dice.maybe(0.3, |dice| Practice { first: dice.between(1.0, 4.0), rate: dice.between(0.0, 1.0) });
    if dice.happens(0.3) {
        (app.switch_app, app.switch_job) = (dice.law(3.0), dice.law(1.0));
    }
    app
}

fn scaling(dice: &mut Dice) -> PolicySpec {
    let policy = PolicySpec::named(dice.one_of(&SCALING)).with("every", dice.span(1.0, 20.0));
    if policy.name == "static" && dice.happens(0.5) {
        return policy.with("size", dice.whole(0, 12));
    }
    policy.with("most", dice.whole(1, 20))
}

fn pool(dice: &mut Dice, name: String, apps: &[AppId], setup: &Setup) -> Pool {
    let mut spec = PoolSpec::serving(apps);
    if dice.happens(0.5) {
        spec.payer = Payer::Tenant(TenantId(dice.whole(0, setup.tenants.len() as u32 - 1)));
    }
    spec.settle_every = dice.span(10.0, 900.0);
    spec.window = dice.span(5.0, 300.0);
    spec.recruit_within = dice.span(1.0, 120.0);
    spec.balanced = dice.happens(0.8);
    let aims = [
        Recommend::default().aim,
        Aim::Wait(Span::from_secs(3)),
        Aim::Within(Span::from_secs(5), 0.9),
        Aim::Occupancy(0.8),
        Aim::Money { waiting_minute: 0.3, worker_hour: 6.0 },
    ];
    spec.recommend = Recommend {
        aim: dice.one_of(&aims),
        service_prior: dice.maybe(0.5, |dice| dice.span(1.0, 20.0)),
        recruitment_delay: dice.maybe(0.3, |dice| dice.span(1.0, 60.0)),
        size_most: 40,
    };
    spec.policies.dispatch = PolicySpec::named(dice.one_of(&DISPATCH));
    spec.policies.matching = PolicySpec::named(dice.one_of(&MATCHING));
    spec.policies.scaling = scaling(dice);
    spec.policies.replacement = PolicySpec::named(dice.one_of(&REPLACEMENT));
    let mut pool = Pool::new(&name, spec);
    pool.workers = (0..setup.kinds.len()).map(|kind| (kind, dice.whole(0, 4))).collect();
    let shift = dice.maybe(0.3, |dice| Shift {
        kind: dice.whole(0, setup.kinds.len() as u32 - 1) as usize,
        workers: dice.whole(0, 3),
        from: dice.span(0.0, 200.0),
        length: dice.span(0.0, 200.0),
        every: dice.maybe(0.6, |dice| dice.span(20.0, 400.0)),
    });
    pool.shifts.extend(shift);
    pool
}

/// Every app is in one pool for all; sometimes one tenant has a pool of its own beside it.
fn pools(dice: &mut Dice, setup: &mut Setup) {
    let apps = setup.apps.len() as u32;
    let n = dice.whole(1, apps.min(3));
    for place in 0..n {
        let served: Vec<AppId> = (0..apps).filter(|app| app % n == place).map(AppId).collect();
        setup.pools.push(pool(dice, format!("pool {place}"), &served, setup));
    }
    if dice.happens(0.3) {
        let mut own = pool(dice, "own".to_owned(), &[AppId(0)], setup);
        own.spec.tenant = Some(TenantId(0));
        setup.pools.push(own);
    }
}

/// Nobody's work depends on who does it or when: what variants must share can be read off the facts.
pub(crate) fn plain(dice: &mut Dice) -> Setup {
    let mut setup = anything(dice);
    for app in &mut setup.apps {
        (app.practice, app.spec.lease) = (None, LeaseLength::Fixed(Span::from_hours(100)));
        (app.switch_app, app.switch_job) = (Law::Fixed(0.0), Law::Fixed(0.0));
        app.work_of.clear();
    }
    crowd::steady(dice, &mut setup);
    for demand in &mut setup.demands {
        demand.slots = 1;
    }
    setup
}
