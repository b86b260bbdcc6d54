//! What there is to begin with, and how it is set otherwise while things run: tenants, apps, kinds, pools, policies.

use muster_engine::ids::{AppId, ClientId, KindId, PoolId, TenantId};
use muster_engine::money::Money;
use muster_engine::policy::Family;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{
    AppSpec, Budget, ClientSpec, KindSpec, LatePay, LeaseLength, Payer, PoolPolicies, PoolSpec, Role,
    TenantSpec,
};
use muster_engine::state::State;
use muster_engine::{Command, Span};

use crate::dice::Dice;
use crate::world;

/// All apps there are.
pub(crate) fn apps(state: &State) -> impl Iterator<Item = AppId> {
    (0..state.apps().len() as u32).map(AppId)
}

/// The commands that every run begins with.
pub(crate) fn commands(dice: &mut Dice, menu: Menu) -> Vec<Command> {
    let mut all: Vec<Command> = (0..4).map(|_| Command::AddTenant(tenant(dice))).collect();
    all[0] = Command::AddTenant(TenantSpec::default());
    all.extend((0..5).map(|_| Command::AddApp(app(dice))));
    all.extend(kinds().map(Command::AddKind));
    all.extend(pools(dice, menu).map(|pool| Command::AddPool(Box::new(pool))));
    all.extend((0..2).map(|_| Command::AddClient(ClientSpec::default())));
    all
}

fn tenant(dice: &mut Dice) -> TenantSpec {
    let budget = Budget {
        amount: dice.pick(&[Money(0), Money(10), Money(5000), Money(60_000), Money(2_000_000)]),
        every: Span::from_secs(u64::from(dice.from(20, 120))),
    };
    TenantSpec { weight: dice.from(1, 4), budget: dice.permille(700).then_some(budget) }
}

fn app(dice: &mut Dice) -> AppSpec {
    let least = Span::from_secs(u64::from(dice.from(1, 10)));
    let learned = LeaseLength::Learned { factor: 2.5, least, most: least + Span::from_secs(40) };
    let fixed = LeaseLength::Fixed(Span::from_secs(u64::from(dice.from(5, 60))));
    AppSpec {
        training: if dice.permille(500) { Span::ZERO } else { Span::from_secs(10) },
        lease: if dice.permille(500) { fixed } else { learned },
        heartbeat: dice.permille(300).then(|| Span::from_secs(15)),
        expected: dice.permille(400).then(|| Span::from_secs(8)),
        late_pay: dice.pick(&[LatePay::IfCounted, LatePay::Always, LatePay::Never]),
    }
}

fn kinds() -> impl Iterator<Item = KindSpec> {
    let odd = Role::Person { wage_waiting: Money(1_234_567), wage_training: Money(777) };
    [
        KindSpec::person(Money::cents(360)),
        KindSpec { role: odd, speed: 0.7, boot: Span::from_secs(3), most: None },
        KindSpec::machine(Money(900), Span::from_secs(70)),
        KindSpec {
            speed: 2.0,
            boot: Span::from_secs(10),
            ..KindSpec::machine(Money(3), Span::from_secs(31))
        },
    ]
    .into_iter()
}

/// A shared pool for most, one with a payer, and one that is a tenant's own.
fn pools(dice: &mut Dice, menu: Menu) -> impl Iterator<Item = PoolSpec> {
    let served: [(&[u32], Option<u32>); 3] = [(&[0, 1, 2], None), (&[3], None), (&[0, 1], Some(1))];
    let specs = served.map(|(apps, tenant)| {
        let apps: Vec<AppId> = apps.iter().copied().map(AppId).collect();
        let mut spec = pool(dice, PoolSpec::serving(&apps));
        spec.tenant = tenant.map(TenantId);
        spec.policies = PoolPolicies {
            dispatch: dispatch(dice, menu),
            scaling: if dice.permille(500) { scaling(dice) } else { PolicySpec::named("static") },
            ..PoolPolicies::default()
        };
        spec
    });
    specs.into_iter()
}

fn pool(dice: &mut Dice, spec: PoolSpec) -> PoolSpec {
    let payer = TenantId(dice.below(4) as u32);
    PoolSpec {
        payer: if dice.permille(500) { Payer::Shared } else { Payer::Tenant(payer) },
        settle_every: Span::from_secs(u64::from(dice.from(10, 90))),
        window: Span::from_secs(u64::from(dice.from(10, 90))),
        presence: dice.permille(400).then(|| Span::from_secs(u64::from(dice.from(20, 60)))),
        recruit_within: Span::from_secs(u64::from(dice.from(5, 60))),
        ..spec
    }
}

/// Which policies a run has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Menu {
    /// Those that the naive model knows.
    Naive,
    /// All.
    All,
}

fn dispatch(dice: &mut Dice, menu: Menu) -> PolicySpec {
    let few = &["fifo", "fair", "fair"][..];
    let all = &[
        "fifo",
        "fair",
        "weighted-fair",
        "worker-conscious",
        "worker-conscious",
        "shortest-first",
        "round-robin",
        "least-patience",
        "priority",
    ][..];
    let name = dice.pick(if menu == Menu::All { all } else { few });
    let spec = PolicySpec::named(name);
    match name {
        "fair" | "weighted-fair" | "worker-conscious" => {
            let spec = spec
                .with("between", dice.pick(&["tenants", "jobs"]))
                .with("share", dice.pick(&["slots", "dispatches", "time"]))
                .with("half_life", dice.pick(&["2 s", "1 min", "1 h"]));
            if name == "worker-conscious" { spec.with("concessions", dice.from(0, 3)) } else { spec }
        }
        "shortest-first" => spec.with("per", dice.pick(&["task", "total"])),
        _ => spec,
    }
}

fn matching(dice: &mut Dice, menu: Menu) -> PolicySpec {
    let all = ["longest-waiting", "cheapest", "fastest", "last-on-this-job", "preferred"];
    PolicySpec::named(if menu == Menu::All { dice.pick(&all) } else { all[0] })
}

fn replacement(dice: &mut Dice) -> PolicySpec {
    let name = dice.pick(&["none", "rules", "average-rate", "hybrid"]);
    let spec = PolicySpec::named(name);
    match name {
        "none" => spec,
        "rules" => spec.with("every", "7 s").with("most", 8_u32),
        _ => spec.with("every", "5 s").with("window", "30 s").with("most", 8_u32),
    }
}

fn balance(dice: &mut Dice) -> PolicySpec {
    let name = dice.pick(&["none", "random", "preference-aware"]);
    let spec = PolicySpec::named(name);
    if name == "none" { spec } else { spec.with("every", dice.pick(&["5 s", "11 s"])) }
}

fn scaling(dice: &mut Dice) -> PolicySpec {
    let name = dice.pick(&["static", "static", "pid-size", "pid-throughput", "rules", "look-ahead"]);
    let mut spec = PolicySpec::named(name)
        .with("every", dice.pick(&["5 s", "17 s"]))
        .with("kind", dice.from(0, 3))
        .with("most", 6_u32)
        .with("count_in_flight", dice.permille(800));
    match name {
        "static" => spec = spec.with("size", dice.from(0, 5)),
        "rules" => spec = spec.with("rules", "if queue > 2 * size or departure_rate > 0.1 then recruit 1"),
        "look-ahead" => spec = spec.with("delay", "20 s").with("within", "5 s"),
        _ => spec = spec.with("kp", 0.7).with("ki", 0.1),
    }
    if dice.permille(300) { spec.with("cooldown", "20 s").with("step_most", 1_u32) } else { spec }
}

/// Another setting for something that is there, or something new.
pub(crate) fn change(dice: &mut Dice, state: &State) -> Option<Command> {
    let client = ClientId(dice.below(6) as u32);
    Some(match dice.below(12) {
        0..=4 => Command::SetTenant(world::tenant(dice, state), tenant(dice)),
        5..=6 => Command::SetApp(AppId(dice.below(state.apps().len() as u64) as u32), app(dice)),
        7..=8 => {
            let id = PoolId(dice.below(state.pools().len() as u64) as u32);
            let mut spec = pool(dice, state.pools()[id.index()].spec.clone());
            let last = AppId(state.apps().len() as u32 - 1);
            if dice.permille(200) && !spec.apps.contains(&last) {
                spec.apps.push(last);
            }
            Command::SetPool(id, Box::new(spec))
        }
        9 if state.apps().len() < 8 => Command::AddApp(app(dice)),
        10 => Command::AddClient(ClientSpec::default()),
        11 => Command::RemoveClient(client),
        _ => return None,
    })
}

/// Another policy while running.
pub(crate) fn change_policy(dice: &mut Dice, state: &State, menu: Menu) -> Command {
    let pool = PoolId(dice.below(state.pools().len() as u64) as u32);
    let (family, spec) = match dice.below(10) {
        0..=4 => (Family::Dispatch, dispatch(dice, menu)),
        5 => (Family::Matching, matching(dice, menu)),
        6 => (Family::Replacement, replacement(dice)),
        7 => {
            return Command::SetBalance(if menu == Menu::All {
                balance(dice)
            } else {
                PolicySpec::named("none")
            });
        }
        _ => (Family::Scaling, scaling(dice)),
    };
    Command::SetPolicy(pool, family, spec)
}

/// Something of every kind that does not exist.
pub(crate) fn nowhere() -> (TenantId, AppId, KindId, PoolId) {
    (TenantId(99), AppId(99), KindId(99), PoolId(99))
}
