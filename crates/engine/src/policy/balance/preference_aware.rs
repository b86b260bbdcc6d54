//! `preference-aware`: idle workers go where the backlog is longest and where they like to work, if that makes the pools
//! as a whole better off.
//!
//! The candidates and their score are in [`formula::balance`](crate::formula::balance). How much a worker likes a pool is
//! how much it likes the pool's apps, on average. Pools without a service rate of their own yet count as fast as an answer
//! per second.

use crate::fact::Assessment;
use crate::formula::balance::{Load, MOVES_MOST, Search, Situation, Utility};
use crate::ids::{PoolId, WorkerId};
use crate::policy::settings::{Reader, Setting};
use crate::policy::{Advice, Controller, Entry, Order};
use crate::random::Draws;
use crate::state::pool::Pool;
use crate::state::worker::{Standing, Worker};
use crate::time::Span;
use crate::view::{Observation, View};

const SETTINGS: &[Setting] = &[
    Setting { name: "every", meaning: "How often the policy looks at the pools.", default: "10 s" },
    Setting {
        name: "omega",
        meaning: "The weight of what workers prefer, from 0 (only the backlogs count) to 1 (only preferences do).",
        default: "0.5",
    },
    Setting {
        name: "utility",
        meaning: "What counts of the times in which pools work off their backlog: median, mean, max or median-of-busy (pools with work).",
        default: "median-of-busy",
    },
    Setting {
        name: "search",
        meaning: "Which sets of idle workers are tried: prefix (the longest waiting first) or all (of the first 16).",
        default: "prefix",
    },
    Setting { name: "moves_most", meaning: "At most so many workers move at once.", default: "10" },
];

/// How it is named and started.
pub const ENTRY: Entry<dyn Controller> = Entry {
    name: "preference-aware",
    about: "Sends idle workers to pools with a backlog that they like, if the pools gain by it, training included.",
    settings: SETTINGS,
    version: 1,
    start: |start| {
        let reader = Reader::new(start.spec, SETTINGS)?;
        let moves_most = reader.whole("moves_most", u32::try_from(MOVES_MOST).unwrap_or(10), 1, 1000)?;
        Ok(Box::new(PreferenceAware {
            every: reader.span("every", Span::from_secs(10))?,
            omega: reader.number("omega", 0.5, 0.0, 1.0)?,
            utility: reader.word(
                "utility",
                &[
                    ("median-of-busy", Utility::MedianOfBusy),
                    ("median", Utility::Median),
                    ("mean", Utility::Mean),
                    ("max", Utility::Max),
                ],
            )?,
            search: reader.word("search", &[("prefix", Search::Prefix), ("all", Search::All)])?,
            moves_most: moves_most as usize,
        }))
    },
};

#[derive(Debug)]
struct PreferenceAware {
    every: Span,
    omega: f64,
    utility: Utility,
    search: Search,
    moves_most: usize,
}

/// Who is in the pools that take part, by place.
struct Crowd<'a> {
    pools: Vec<&'a Pool>,
    workers: Vec<&'a Worker>,
    home: Vec<usize>,
}

impl<'a> Crowd<'a> {
    fn of(view: View<'a>) -> Self {
        let pools: Vec<&Pool> = super::pools(view).collect();
        let mut crowd = Self { pools, workers: Vec::new(), home: Vec::new() };
        for (place, pool) in crowd.pools.iter().enumerate() {
            for worker in pool.members.iter().filter_map(|id| view.state.worker(*id)) {
                // Those who pause or go do not work off any backlog.
                if !matches!(worker.standing, Standing::Paused | Standing::Draining | Standing::Gone) {
                    crowd.workers.push(worker);
                    crowd.home.push(place);
                }
            }
        }
        crowd
    }

    /// The places of those who wait, the longest first.
    fn idle(&self) -> Vec<usize> {
        let waits = |worker: &Worker| worker.standing == Standing::Idle;
        let mut idle: Vec<usize> = (0..self.workers.len()).filter(|i| waits(self.workers[*i])).collect();
        idle.sort_unstable_by_key(|i| self.workers[*i].idle_seq);
        idle
    }

    fn likes(&self) -> Vec<f64> {
        let like = |worker: &Worker, pool: &Pool| {
            let sum: f64 = pool.apps.iter().map(|app| worker.preference(app.app)).sum();
            sum / pool.apps.len() as f64
        };
        self.workers.iter().flat_map(|worker| self.pools.iter().map(|pool| like(worker, pool))).collect()
    }
}

fn load(pool: &Pool, view: View<'_>) -> Load {
    let seen = Observation::of(pool, view.now());
    let training = pool.apps.iter().filter_map(|app| view.state.app(app.app)).map(|app| app.spec.training);
    let longest = training.max().unwrap_or_default();
    Load {
        tasks: seen.queue as f64,
        service_rate: seen.service_rate.unwrap_or(1.0),
        training_rate: if longest.is_zero() { 1e9 } else { 1.0 / longest.as_secs_f64() },
    }
}

impl Controller for PreferenceAware {
    fn every(&self) -> Option<Span> {
        Some(self.every)
    }

    fn advise(&self, view: View<'_>, _draws: &mut Draws) -> Advice {
        let crowd = Crowd::of(view);
        let idle = crowd.idle();
        if idle.is_empty() || crowd.pools.len() < 2 {
            let reason = "nobody waits who could move".to_owned();
            return Advice { assessment: Assessment { reason, ..Assessment::default() }, orders: Vec::new() };
        }
        let loads: Vec<Load> = crowd.pools.iter().map(|pool| load(pool, view)).collect();
        let likes = crowd.likes();
        let (omega, utility) = (self.omega, self.utility);
        let situation = Situation { pools: &loads, home: &crowd.home, likes: &likes, omega, utility };
        let (moves, score) = situation.best_moves(&idle, self.search, self.moves_most);
        let stay = situation.evaluate(&[]).score;
        let to = |place: usize| -> PoolId { crowd.pools[place].id };
        let who = |place: usize| -> WorkerId { crowd.workers[place].id };
        let orders: Vec<Order> = moves.iter().map(|it| Order::Move(who(it.worker), to(it.pool))).collect();
        let reason = match orders.len() {
            0 => format!("{} wait; no move makes the pools better off", idle.len()),
            n => format!("{n} of {} who wait move: score {score:.3} instead of {stay:.3}", idle.len()),
        };
        let gain = if score.is_finite() && stay.is_finite() { score - stay } else { 0.0 };
        let output = orders.len() as f64;
        Advice { assessment: Assessment { error: gain, output, reason, ..Assessment::default() }, orders }
    }

    fn note(&mut self, _assessment: &Assessment, _view: View<'_>) {}
}
