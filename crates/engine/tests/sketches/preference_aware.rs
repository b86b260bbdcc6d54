//! Preference-aware balance: idle workers go, one by one, where they like the work and it waits longest.
//!
//! The greedy step of the Cioppino paper: each idle worker in turn goes to the pool with the largest
//! `omega * preference + (1 - omega) * L / (c mu)`; at most ten move at a time, and only where something waits.

use expect_test::expect;
use muster_engine::Span;
use muster_engine::fact::Assessment;
use muster_engine::ids::PoolId;
use muster_engine::policy::settings::{Reader, Setting, SettingError};
use muster_engine::policy::{Advice, Controller, Entry, Order, Start};
use muster_engine::random::Draws;
use muster_engine::state::State;
use muster_engine::state::worker::{Standing, Worker};
use muster_engine::view::View;

use crate::story::tell;

pub(crate) const ENTRY: Entry<dyn Controller> = Entry {
    name: "sketch-preference-aware",
    about: "Idle workers go where they like the work and it waits longest.",
    settings: &[
        Setting { name: "every", meaning: "How often it looks.", default: "10 s" },
        Setting { name: "omega", meaning: "How much preferences weigh against waiting.", default: "0.3" },
    ],
    version: 1,
    start,
};

const MOVES_MOST: usize = 10;

#[derive(Debug)]
struct PreferenceAware {
    every: Span,
    omega: f64,
}

/// A pool where something waits.
struct Goal {
    pool: PoolId,
    waiting: f64,
    workers: f64,
    service_rate: f64,
}

fn start(start: Start<'_>) -> Result<Box<dyn Controller>, SettingError> {
    let reader = Reader::new(start.spec, ENTRY.settings)?;
    Ok(Box::new(PreferenceAware {
        every: reader.span("every", Span::from_secs(10))?,
        omega: reader.number("omega", 0.3, 0.0, 1.0)?,
    }))
}

fn goals(state: &State) -> Vec<Goal> {
    let wanted = state.pools().iter().filter(|pool| pool.spec.balanced && pool.queue > 0);
    wanted
        .map(|pool| {
            let seen = View { state, id: pool.id }.observe();
            Goal {
                pool: pool.id,
                waiting: pool.queue as f64,
                workers: f64::from(seen.workers.size()),
                service_rate: seen.service_rate.unwrap_or(1.0),
            }
        })
        .collect()
}

/// How much a worker likes what waits in a pool: as much as the app that it likes best.
fn liking(state: &State, worker: &Worker, pool: PoolId) -> f64 {
    let waiting = state.pools()[pool.index()].apps.iter().filter(|app| app.open > 0);
    waiting.map(|app| worker.preference(app.app)).fold(0.0, f64::max)
}

impl PreferenceAware {
    fn score(&self, state: &State, worker: &Worker, goal: &Goal) -> f64 {
        let wait = goal.waiting / (goal.workers * goal.service_rate);
        self.omega * liking(state, worker, goal.pool) + (1.0 - self.omega) * wait
    }
}

impl Controller for PreferenceAware {
    fn every(&self) -> Option<Span> {
        Some(self.every)
    }

    fn advise(&self, view: View<'_>, _draws: &mut Draws) -> Advice {
        let state = view.state;
        let mut goals = goals(state);
        let mut idle: Vec<&Worker> = state.workers();
        idle.retain(|worker| {
            worker.standing == Standing::Idle && state.pools()[worker.pool.index()].spec.balanced
        });
        idle.sort_by_key(|worker| worker.idle_seq);
        let mut orders = Vec::new();
        for worker in idle.into_iter().take(MOVES_MOST) {
            let others = goals.iter_mut().filter(|goal| goal.pool != worker.pool).rev();
            let best =
                others.max_by(|a, b| self.score(state, worker, a).total_cmp(&self.score(state, worker, b)));
            if let Some(goal) = best {
                goal.workers += 1.0;
                orders.push(Order::Move(worker.id, goal.pool));
            }
        }
        let reason = format!("{} pools in need, {} move", goals.len(), orders.len());
        let output = orders.len() as f64;
        Advice { assessment: Assessment { output, reason, ..Assessment::default() }, orders }
    }

    fn note(&mut self, _assessment: &Assessment, _view: View<'_>) {}
}

/// As much waits in q as in r. A likes drawing, b and c have no preference: they go where fewer have gone.
#[test]
fn idle_workers_go_where_they_like_the_work_and_it_waits() {
    let script = "
        usual
        app sort
        app draw
        pool q serves sort
        pool r serves draw
        join x q person
        join y r person
        submit j ann sort 3
        submit k bob draw 3
        ask x y
        join a p person likes draw=1,sort=0.1
        join b c p person
        ask a b c
        set balance sketch-preference-aware,every=10s,omega=0.5
        at 10s
        show pool p
        at 20s
    ";
    expect![[r#"
        0s       x joins q
        0s       y joins r
        0s       ann submits j: 3 tasks
        0s       bob submits k: 3 tasks
        0s       x asks
        0s       x gets j.0: lease 0 until 30min
        0s       y asks
        0s       y gets k.0: lease 1 until 30min
        0s       a joins p
        0s       b joins p
        0s       c joins p
        0s       a asks
        0s       a waits
        0s       b asks
        0s       b waits
        0s       c asks
        0s       c waits
        0s       balance is sketch-preference-aware
        10s      balance: 2 pools in need, 3 move (error 0, output 3, 3 orders)
        10s      a is in r now, for waiting 0.01
        10s      a gets k.1: lease 2 until 30min10s
        10s      b is in q now, for waiting 0.01
        10s      b gets j.1: lease 3 until 30min10s
        10s      c is in q now, for waiting 0.01
        10s      c gets j.2: lease 4 until 30min10s
        10s      p: 0 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended none
        20s      balance: 1 pools in need, 0 move (error 0, output 0, 0 orders)
    "#]]
    .assert_eq(&tell(script, super::registry()));
}
