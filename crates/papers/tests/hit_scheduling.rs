//! What must hold of the HIT-scheduling experiments whatever people do, by runs of the whole engine; and the directions that hold here.
//!
//! Each test has seeds of its own. The authors' data is no part of this project: it is found by `MUSTER_SHARED`, or beside the
//! workspace; without it the tests that need it say so and end.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use muster_engine::Span;
use muster_engine::fact::{Body, Decision, Fact, Recorder};
use muster_engine::ids::AppId;
use muster_engine::money::Money;
use muster_engine::policy::Registry;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{KindSpec, PoolSpec};
use muster_engine::state::State;
use muster_formats::trace::{ColumnMap, Trace};
use muster_formats::upload::{Limits, Upload};
use muster_papers::claim::{Claim, Verdict};
use muster_papers::hit_scheduling::{Hour, Inputs, Pilots, Row, Tables, experiments, reproduce};
use muster_papers::lab::Lab;
use muster_papers::report::Report;
use muster_sim::drive::{Run, Unwatched, run_with};
use muster_sim::law::Law;
use muster_sim::model::{
    App, Arrivals, Demand, Horizon, Kind, Pausing, Plan, Pool, Replications, Setup, Task, Tenant,
};

/// Tasks, seconds per task and price in cents of the paper's batches.
const TABLE: [(u32, f64, u32); 7] = [
    (50, 75.0, 7),
    (50, 40.0, 2),
    (200, 22.0, 5),
    (100, 11.0, 3),
    (100, 36.0, 3),
    (600, 15.0, 1),
    (96, 22.0, 1),
];

/// The seven batches, all there from the beginning; task times are fixed, and breaks exponential with this mean.
fn setup(dispatch: PolicySpec, workers: u32, priorities: [u32; 7], pause: f64) -> Setup {
    let mut setup = Setup::new();
    setup.tenants.push(Tenant::new("everybody"));
    let mut people = Kind::steady("people", KindSpec::person(Money::ZERO));
    people.pausing =
        Pausing { share: f64::from(u8::from(pause > 0.0)), law: Law::Exponential(pause.max(1.0)) };
    setup.kinds.push(people);
    for (place, (tasks, seconds, _)) in TABLE.iter().enumerate() {
        let mut app = App::new(&format!("B{}", place + 1), Law::Fixed(*seconds));
        app.switch_app = Law::Fixed(0.3 * seconds);
        setup.apps.push(app);
        let mut demand = Demand::of("batch", 0, place, Arrivals::None);
        demand.task = Task::Batch { app: place, size: Law::Fixed(f64::from(*tasks)) };
        demand.backlog = 1;
        demand.priority = priorities[place];
        demand.expected = Some(Span::from_secs_f64(*seconds));
        setup.demands.push(demand);
    }
    let apps: Vec<AppId> = (0..7).map(AppId).collect();
    let mut spec = PoolSpec::serving(&apps);
    spec.policies.dispatch = dispatch;
    let mut pool = Pool::new("crowd", spec);
    pool.workers.push((0, workers));
    setup.pools.push(pool);
    setup
}

/// Who got a task of which batch when, and when batches were done.
#[derive(Debug, Default, PartialEq)]
struct Log {
    leases: Vec<(u64, u32, u64)>,
    done: BTreeMap<u64, f64>,
}

impl Recorder for Log {
    fn record(&mut self, _number: u64, fact: &Fact, _state: &State) {
        match &fact.body {
            Body::Decision(Decision::Leased(grant)) => {
                self.leases.push((fact.at.0, grant.worker.0, grant.task.job.0));
            }
            Body::Decision(Decision::JobClosed { job, .. }) => {
                self.done.insert(job.0, fact.at.as_secs_f64());
            }
            _ => {}
        }
    }
}

impl Log {
    /// The share of tasks that follow one of another batch of the same worker.
    fn switched(&self) -> f64 {
        let mut last: BTreeMap<u32, u64> = BTreeMap::new();
        let switches = self
            .leases
            .iter()
            .filter(|(_, worker, job)| last.insert(*worker, *job).is_some_and(|it| it != *job));
        switches.count() as f64 / self.leases.len() as f64
    }

    /// Which batch was done when, in seconds: B1 first.
    fn times(&self) -> Vec<f64> {
        self.done.values().copied().collect()
    }
}

fn go(setup: &Setup, seed: u64) -> Log {
    let horizon = Horizon::Drain(Span::from_secs(1));
    let plan = Plan { horizon, warm_up: Span::ZERO, replications: Replications::Fixed(1), seed, points: 2 };
    let registry = Registry::default();
    let mut log = Log::default();
    let what = Run { setup, plan: &plan, number: 0, registry: &registry, watch: &Unwatched };
    run_with(what, &mut log).expect("the engine takes it");
    assert_eq!(log.leases.len(), 1196, "all tasks are done once");
    log
}

fn between_jobs(name: &str) -> PolicySpec {
    PolicySpec::named(name).with("between", "jobs")
}

fn conscious(k: u32) -> PolicySpec {
    between_jobs("worker-conscious").with("concessions", k)
}

fn prices() -> [u32; 7] {
    TABLE.map(|row| row.2)
}

fn all() -> [PolicySpec; 6] {
    let named = PolicySpec::named;
    let shared = ["fair", "weighted-fair"].map(between_jobs);
    let [fair, weighted] = shared;
    [named("fifo"), named("shortest-first"), named("round-robin"), fair, weighted, conscious(3)]
}

#[test]
fn fifo_is_best_for_the_batch_in_turn_and_shortest_first_for_the_shortest_tasks() {
    for workers in [6, 12, 25] {
        let times = all().map(|policy| go(&setup(policy, workers, prices(), 0.0), 21).times());
        let others = |policy: usize| (0..6).filter(move |other| *other != policy);
        let (fifo, shortest) = (&times[0], &times[1]);
        assert!(others(0).all(|other| fifo[0] <= times[other][0]), "{workers}: {times:?}");
        assert!(fifo.iter().all(|time| fifo[0] <= *time), "{workers}: {fifo:?}");
        assert!(others(1).all(|other| shortest[3] <= times[other][3]), "{workers}: {times:?}");
        assert!(shortest.iter().all(|time| shortest[3] <= *time), "{workers}: {shortest:?}");
    }
}

/// The mean share of switches over ten runs.
fn switched(policy: &PolicySpec, workers: u32, priorities: [u32; 7], pause: f64) -> f64 {
    (0..10).map(|seed| go(&setup(policy.clone(), workers, priorities, pause), seed).switched()).sum::<f64>()
        / 10.0
}

#[test]
fn round_robin_makes_people_change_most_unless_breaks_are_long() {
    for (workers, pause) in [(12, 0.0), (12, 5.0), (12, 20.0), (20, 0.0), (20, 5.0)] {
        let shares = all().map(|policy| go(&setup(policy, workers, prices(), pause), 22).switched());
        let robin = shares[2];
        assert!(robin > 0.4, "about half of all tasks: {shares:?}");
        assert!((0..6).filter(|other| *other != 2).all(|other| shares[other] < robin), "{shares:?}");
        assert!(shares[0] < 0.15 && shares[1] < 0.15, "fifo and shortest-first: {shares:?}");
    }
    // Where it ends: with many people who take long breaks, fair sends them about even more.
    let [_, _, robin, fair, ..] = all();
    let of = |policy| switched(policy, 50, [1; 7], 20.0);
    assert!(of(&fair) > of(&robin), "{} and {}", of(&fair), of(&robin));
}

#[test]
fn without_concessions_worker_conscious_is_weighted_fair() {
    for seed in 0..5 {
        let of = |policy| go(&setup(policy, 20, prices(), 5.0), seed);
        assert_eq!(of(conscious(0)), of(between_jobs("weighted-fair")));
    }
}

#[test]
fn without_breaks_concessions_change_nothing_unless_people_finish_together() {
    let of = |policy, seed, chance: bool| {
        let mut setup = setup(policy, 20, [1; 7], 0.0);
        for (app, row) in setup.apps.iter_mut().zip(TABLE).filter(|_| chance) {
            app.work = Law::log_normal(row.1, row.1).expect("means are above zero");
        }
        go(&setup, seed)
    };
    for (seed, k) in [(0, 1), (1, 3), (2, 10), (3, 3)] {
        let fair = of(between_jobs("fair"), seed, true);
        assert_eq!(of(conscious(k), seed, true), fair, "K = {k}: lease for lease");
        assert!(fair.switched() < 0.04, "{}", fair.switched());
    }
    // With fixed times many finish at the same moment, and whoever asks first may find another batch shorter of people.
    assert_ne!(of(conscious(3), 0, false), of(between_jobs("fair"), 0, false));
}

#[test]
fn with_breaks_the_more_concessions_the_fewer_switches() {
    let policies = [between_jobs("fair"), conscious(1), conscious(3), conscious(10)];
    let shares = policies.map(|policy| switched(&policy, 20, [1; 7], 5.0));
    assert!(shares.windows(2).all(|two| two[1] < two[0]), "{shares:?}");
    // A rough model elsewhere has 44, 24, 9 and 3 %; within 3 points.
    let rough = [0.44, 0.24, 0.09, 0.03];
    assert!(shares.iter().zip(rough).all(|(ours, rough)| (ours - rough).abs() < 0.03), "{shares:?}");
}

#[test]
fn a_higher_priority_shortens_b2() {
    let time = |priority: u32| {
        let mut priorities = [1; 7];
        priorities[1] = priority;
        let of = |seed| go(&setup(between_jobs("weighted-fair"), 20, priorities, 5.0), seed).times()[1];
        (0..5).map(of).sum::<f64>() / 5.0
    };
    let times = [1, 2, 5, 10].map(time);
    assert!(times.windows(2).all(|two| two[1] < 0.9 * two[0]), "{times:?}");
}

#[test]
fn more_workers_are_faster_in_every_batch() {
    for policy in ["fair", "weighted-fair"].map(between_jobs) {
        let of = |workers: u32, seed: u64| go(&setup(policy.clone(), workers, prices(), 5.0), seed).times();
        for seed in 0..3 {
            let (few, many) = (of(12, seed), of(22, seed));
            assert!(few.iter().zip(&many).all(|(few, many)| many < few), "{few:?} {many:?}");
        }
    }
}

fn quick(experiment: &str, inputs: &Inputs) -> Report {
    let lab = Lab::new(true, 2, &());
    reproduce(&lab, inputs, &[experiment.to_owned()]).expect("it can be run")
}

fn claim<'r>(report: &'r Report, id: &str) -> &'r Claim {
    let found = report.claims().find(|(_, claim)| claim.stated.id == id);
    found.unwrap_or_else(|| panic!("there is no claim {id}")).1
}

fn ours(report: &Report, id: &str) -> f64 {
    claim(report, id).ours.unwrap_or_else(|| panic!("{id} was not measured")).mean
}

#[test]
fn fair_is_even_and_weighted_fair_gives_shares_by_price() {
    let report = quick("seven-batches", &Inputs::default());
    assert!(ours(&report, "seven-fair-even") <= 1.0);
    assert!(ours(&report, "seven-weighted-shares") <= 0.05);
    assert!(ours(&report, "seven-robin-short") < 0.5, "round-robin has more people at long tasks");
}

#[test]
fn fair_as_printed_knows_no_priority() {
    let report = quick("priority", &Inputs::default());
    assert_eq!(ours(&report, "priority-fair-as-printed"), 1.0);
    assert_eq!(claim(&report, "priority-fair-as-printed").verdict, Verdict::NotReproduced);
}

#[test]
fn what_follows_from_assumed_attraction_is_measured_and_not_judged() {
    let report = quick("splitting", &Inputs::default());
    assert!(report.claims().count() >= 5);
    for (_, claim) in report.claims() {
        assert!(claim.ours.is_some(), "{}", claim.stated.id);
        assert_eq!(claim.verdict, Verdict::NotTestable, "{}", claim.stated.id);
    }
}

#[test]
fn every_experiment_can_be_run_in_every_form() {
    for name in ["crowd-size", "switches", "sequences", "live-hour", "participation", "pilots"] {
        let report = quick(name, &Inputs::default());
        let text = muster_papers::text::report(&report, muster_report::paint::Paint::Plain);
        assert!(!text.contains("NaN"), "{text}");
        let page = muster_papers::page::html(&report);
        assert!(page.starts_with("<!doctype html>") && !page.contains("NaN"), "{name}");
        let skipped = text.contains("skipped");
        assert_eq!(skipped, name == "pilots", "{text}");
        assert_eq!(
            muster_papers::json::claims(&report).as_array().map_or(0, Vec::len),
            report.claims().count()
        );
    }
}

#[test]
fn experiments_are_named() {
    let names: Vec<&str> = experiments().collect();
    let expected = [
        "seven-batches",
        "priority",
        "crowd-size",
        "switches",
        "sequences",
        "live-hour",
        "splitting",
        "participation",
        "pilots",
    ];
    assert_eq!(names, expected);
}

fn shared(file: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("MUSTER_SHARED").map_or_else(beside, PathBuf::from);
    let path = shared.join("data/crowd/hit_scheduler_2013").join(file);
    if path.exists() {
        return Some(path);
    }
    #[expect(clippy::print_stderr, reason = "a test that did not run says so")]
    {
        eprintln!("skipped: {file} is not in the shared folder");
    }
    None
}

fn table(file: &str) -> Option<Trace> {
    let reader = File::open(shared(file)?).expect("it is there");
    Some(Trace::read_table(file, reader, &ColumnMap::default()).expect("a table"))
}

fn rows(file: &str) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    let reader = File::open(shared(file)?).expect("it is there");
    let read = Upload::csv(file, Limits::default())
        .read(reader, &mut |task| rows.push(serde_json::from_slice(&task.payload).expect("a row of texts")));
    read.expect("a table");
    Some(rows)
}

#[test]
fn the_authors_hour_is_read() {
    let Some(trace) = table("workload28.csv") else { return };
    let hour = Hour::recorded(&trace).expect("28 batches");
    let report = quick("live-hour", &Inputs { hour, pilots: None });
    assert!(report.experiments[0].about.starts_with("The batches of the trace that was given."));
    assert!(ours(&report, "hour-switches") > 1.0);
    let Some(answers) = table("answers.csv") else { return };
    let wrong = Hour::recorded(&answers).expect_err("answers are no arrivals");
    assert!(wrong.contains("no arrivals"), "{wrong}");
}

#[test]
fn the_authors_pilot_runs_agree_where_they_can() {
    let (Some(answers), Some(sessions)) = (table("answers.csv"), table("sessions.csv")) else { return };
    let (Some(runs), Some(batches)) = (rows("runs.csv"), rows("batches.csv")) else { return };
    let tables = Tables { answers: &answers, sessions: &sessions, runs: &runs, batches: &batches };
    let pilots = Pilots::read(&tables).expect("the tables go together");
    let report = quick("pilots", &Inputs { hour: Hour::default(), pilots: Some(pilots) });
    // Means as in the data's own description.
    for (id, mean) in [("b1", 57.1), ("b2", 26.8), ("b3", 20.3), ("b4", 13.8), ("b5", 48.6)] {
        assert!((ours(&report, &format!("pilots-time-{id}")) - mean).abs() < 0.06, "{id}");
    }
    assert_eq!(claim(&report, "pilots-switch-cost").verdict, Verdict::Direction);
    assert!((ours(&report, "pilots-priority") - 534.0 / 451.0).abs() < 0.001);
    assert!(ours(&report, "pilots-robin-switches") > 1.5);
    assert!(ours(&report, "pilots-long-tail") > 1.0);
    let replayed = ours(&report, "pilots-replayed");
    assert!((0.5..2.0).contains(&replayed), "{replayed}");
}
