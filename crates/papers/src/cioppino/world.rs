//! What the experiments have in common: pools of people, one per app, as set-ups of the simulator.
//!
//! What the paper's bars imply: in the balance experiment, throughput divided by a worker's rate plus the idle workers (cost
//! divided by the wage) is the number of workers, the same for all three techniques, since nobody comes or goes. Two of the
//! three bars give the rate, 0.0925 tasks per second, and 1,020 workers; the third then agrees within 0.2 %. Start at
//! [`World::setup`].

use muster_engine::Span;
use muster_engine::formula::pool_size::{Objective, best_size};
use muster_engine::ids::AppId;
use muster_engine::money::Money;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{Aim, KindSpec, PoolSpec};
use muster_report::chart::{Chart, Series};
use muster_sim::law::Law;
use muster_sim::measure::{Measure, Scope};
use muster_sim::model::{
    App, Arrivals, Curve, Demand, Horizon, Kind, Leaving, Likes, Plan, Pool, Recruiting, Replications,
    Scenario, Setup, Tenant, Variant,
};
use muster_sim::study::{Study, Together};

/// What a minute of waiting is paid: 0.05 dollars, so 3 an hour.
pub(crate) const WAGE_HOUR: Money = Money::units(3);
/// The same per second, in dollars.
pub(crate) const WAGE_SECOND: f64 = 0.05 / 60.0;
/// Tasks per second of a busy worker, as the bars of figure 3c imply.
pub(crate) const RATE_IMPLIED: f64 = 0.0925;
/// How recruiting goes in the generated crowds: exponential with rate r = 0.02 per second.
pub(crate) const RECRUITING_RATE: f64 = 0.02;

/// Policies of a pool, and of all pools together.
#[derive(Clone, Debug)]
pub(crate) struct Policies {
    pub(crate) scaling: PolicySpec,
    pub(crate) replacement: PolicySpec,
    pub(crate) balance: PolicySpec,
}

impl Policies {
    /// Nobody comes, goes or moves.
    pub(crate) fn nothing() -> Self {
        Self {
            scaling: PolicySpec::named("static"),
            replacement: PolicySpec::named("none"),
            balance: PolicySpec::named("none"),
        }
    }
}

/// A crowd and its work.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// How long a task takes.
    pub(crate) work: Law,
    /// For each app: tasks per second, how that changes, and how many workers there are at the beginning.
    pub(crate) apps: Vec<(f64, Option<Curve>, u32)>,
    pub(crate) recruiting: Recruiting,
    pub(crate) leaving: Leaving,
    /// How long learning another app takes on average; zero for not at all.
    pub(crate) training: f64,
    /// Over how long rates are measured.
    pub(crate) window: Span,
    /// How much waiting weighs in the recommended size.
    pub(crate) eta: f64,
}

impl World {
    /// One app with a generated crowd: exponential work, recruiting with r = 0.02, nobody leaves.
    pub(crate) fn generated(rate: f64, curve: Option<Curve>, workers: u32) -> Self {
        Self {
            work: Law::Exponential(1.0 / RATE_IMPLIED),
            apps: vec![(rate, curve, workers)],
            recruiting: Recruiting { delay: Law::Exponential(1.0 / RECRUITING_RATE), renew: None, come: 1.0 },
            leaving: Leaving::default(),
            training: 0.0,
            window: Span::from_mins(1),
            eta: 0.5,
        }
    }

    /// The set-up with these policies in every pool.
    pub(crate) fn setup(&self, policies: &Policies) -> Setup {
        let mut setup = Setup::new();
        setup.tenants.push(Tenant::new("everybody"));
        setup.kinds.push(self.people());
        setup.balance = policies.balance.clone();
        for (place, (rate, curve, workers)) in self.apps.iter().enumerate() {
            let name = format!("app {}", place + 1);
            let mut app = App::new(&name, self.work.clone());
            app.spec.training = Span::from_secs_f64(self.training);
            app.training =
                if self.training > 0.0 { Law::Exponential(self.training) } else { Law::Fixed(0.0) };
            setup.apps.push(app);
            let id = AppId(u32::try_from(place).expect("a handful of apps"));
            let mut pool = Pool::new(&name, self.pool(id, policies));
            pool.workers.push((0, *workers));
            setup.pools.push(pool);
            let arrivals =
                Arrivals::Renewal { gap: Law::Exponential(1.0), rate: *rate, curve: curve.clone() };
            setup.demands.push(Demand::of(&name, 0, place, arrivals));
        }
        setup
    }

    fn people(&self) -> Kind {
        let mut people = Kind::steady("people", KindSpec::person(WAGE_HOUR));
        people.recruiting = self.recruiting.clone();
        people.leaving = self.leaving.clone();
        people.likes = Likes::Shares(Law::Uniform(0.0, 1.0));
        people
    }

    fn pool(&self, app: AppId, policies: &Policies) -> PoolSpec {
        let mut spec = PoolSpec::serving(&[app]);
        spec.window = self.window;
        spec.recruit_within = Span::from_hours(1);
        spec.recommend.aim = self.aim();
        spec.recommend.service_prior = Some(Span::from_secs_f64(self.work.mean()));
        spec.policies.scaling = policies.scaling.clone();
        spec.policies.replacement = policies.replacement.clone();
        spec
    }

    fn aim(&self) -> Aim {
        Aim::Objective { eta: self.eta, cost_per_second: WAGE_SECOND, cost_of_idle: true }
    }

    /// The recommended size for a rate of tasks, with this work and eta.
    pub(crate) fn best_size(&self, rate: f64) -> u32 {
        best_size_for(rate, 1.0 / self.work.mean(), self.eta)
    }
}

/// The recommended size: eq. 2 of the paper, with the cost of idle workers.
pub(crate) fn best_size_for(arrival_rate: f64, service_rate: f64, eta: f64) -> u32 {
    let objective = Objective { eta, cost_rate: WAGE_SECOND, cost_of_idle: true };
    best_size(arrival_rate, service_rate, &objective, Some(100_000)).unwrap_or(0)
}

/// A scenario that is run so often, for so long, and measured from the end of the warm-up on.
pub(crate) fn scenario(
    name: &str,
    (horizon, warm_up): (Span, Span),
    (seed, replications): (u64, u32),
    variants: Vec<(&str, Setup)>,
) -> Scenario {
    Scenario {
        name: name.to_owned(),
        about: String::new(),
        currency: "USD".to_owned(),
        plan: Plan {
            horizon: Horizon::Time(horizon),
            warm_up,
            replications: Replications::Fixed(replications),
            seed,
            points: 200,
        },
        variants: variants
            .into_iter()
            .map(|(name, setup)| Variant { name: name.to_owned(), setup })
            .collect(),
    }
}

/// A chart with how large a pool is over time, a line for each variant; with the middle 90 % of runs, if wanted.
pub(crate) fn pool_sizes(chart: Chart, names: &[&str], study: &Study, pool: usize, bands: bool) -> Chart {
    names.iter().zip(&study.variants).fold(chart, |chart, (name, variant)| {
        let size = variant.size(pool);
        let line = Series::new(name, size.iter().map(|point| (point.at, point.mean)).collect());
        let band = size.iter().filter(|_| bands).map(|point| (point.at, point.low, point.high)).collect();
        chart.with(line.with_band(band))
    })
}

/// The mean over runs of a measure of everything; not a number if there was nothing to measure.
pub(crate) fn mean(variant: &Together, measure: Measure) -> f64 {
    variant.interval(Scope::All, measure).map_or(f64::NAN, |interval| interval.mean)
}

/// Answers per second.
pub(crate) fn throughput(variant: &Together) -> f64 {
    mean(variant, Measure::Throughput) / 3600.0
}

/// Dollars per second paid for waiting.
pub(crate) fn waiting_pay(variant: &Together) -> f64 {
    mean(variant, Measure::CostWaiting) / 3600.0
}

/// What the paper's formula gives for the same stretch: the wage times how many more workers there are than tasks wait,
/// from a time on, over all pools.
pub(crate) fn printed_cost(variant: &Together, pools: usize, from: f64) -> f64 {
    let pool = |pool: usize| {
        let (size, queue) = (variant.size(pool), variant.queue(pool));
        let both = size.iter().zip(&queue).filter(|(size, _)| size.at > from);
        let spare: Vec<f64> = both.map(|(size, queue)| (size.mean - queue.mean).max(0.0)).collect();
        if spare.is_empty() { f64::NAN } else { spare.iter().sum::<f64>() / spare.len() as f64 }
    };
    WAGE_SECOND * (0..pools).map(pool).sum::<f64>()
}
