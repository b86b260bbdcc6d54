//! The dispatch policies of the HIT-scheduling paper, run through the engine's one door.

mod support_vectors;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use muster_engine::command::{Command, Reply};
use muster_engine::fact::NoRecorder;
use muster_engine::ids::{AppId, JobId, KindId, PoolId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::policy::settings::{PolicySpec, Value as Setting};
use muster_engine::spec::{AppSpec, JobSpec, KindSpec, LeaseLength, PoolSpec, TenantSpec, WorkerSpec};
use muster_engine::{Engine, Span, Time};
use serde_json::{Value, json};
use support_vectors::{real, run};

/// An engine with one pool and the batches of a case.
struct Run {
    engine: Engine,
    now: Time,
    pool: PoolId,
    kind: KindId,
    jobs: Vec<Option<JobId>>,
    workers: BTreeMap<u64, WorkerId>,
    held: BTreeMap<u64, Token>,
}

fn policy(case: &Value) -> PolicySpec {
    let shares = |name: &str| PolicySpec::named(name).with("between", "jobs").with("share", "slots");
    match case["policy"].as_str().unwrap() {
        "FIFO" => PolicySpec::named("fifo"),
        "SJF" => {
            let per = if case["sjf_key"] == "total" { "total" } else { "task" };
            PolicySpec::named("shortest-first").with("per", per)
        }
        "RR" => PolicySpec::named("round-robin"),
        "FS" => shares("fair"),
        "WFS" => shares("weighted-fair"),
        "WCFS" => {
            let limit = match case["K"].as_u64() {
                Some(limit) => Setting::from(u32::try_from(limit).unwrap()),
                None => Setting::from("unlimited"),
            };
            shares("worker-conscious").with("concessions", limit)
        }
        other => panic!("unknown policy {other}"),
    }
}

impl Run {
    fn new(case: &Value) -> Self {
        let mut engine = Engine::new(1);
        let mut run = |command| engine.handle(Time::ZERO, command, &mut NoRecorder).unwrap();
        run(Command::AddTenant(TenantSpec::default()));
        let lease = LeaseLength::Fixed(Span::from_hours(1000));
        run(Command::AddApp(AppSpec { lease, ..AppSpec::default() }));
        run(Command::AddKind(KindSpec::person(Money::ZERO)));
        let mut pool = PoolSpec::serving(&[AppId(0)]);
        pool.policies.dispatch = policy(case);
        run(Command::AddPool(Box::new(pool)));
        let jobs = case["batches"].as_array().unwrap().iter().map(|batch| {
            let tasks = u32::try_from(batch["remaining"].as_u64().unwrap()).unwrap();
            // A job needs a task: an empty batch is not submitted.
            (tasks > 0).then(|| {
                let priority = u32::try_from(batch["priority"].as_u64().unwrap()).unwrap();
                let expected = Some(Span::from_secs_f64(batch["hit_time"].as_f64().unwrap()));
                let job = JobSpec { priority, expected, ..JobSpec::batch(TenantId(0), AppId(0), tasks) };
                let Reply::Job(id) = run(Command::Submit(Box::new(job))) else {
                    panic!("a job is submitted")
                };
                id
            })
        });
        let jobs = jobs.collect();
        let (workers, held) = Default::default();
        Self { engine, now: Time::ZERO, pool: PoolId(0), kind: KindId(0), jobs, workers, held }
    }

    fn worker(&mut self, worker: u64) -> WorkerId {
        if let Some(id) = self.workers.get(&worker) {
            return *id;
        }
        let join = Command::Join(Box::new(WorkerSpec::of(self.pool, self.kind)));
        let Ok(Reply::Worker(id)) = self.engine.handle(self.now, join, &mut NoRecorder) else {
            panic!("a worker joins")
        };
        self.workers.insert(worker, id);
        id
    }

    /// The batch that the worker gets a task of.
    fn take(&mut self, worker: u64) -> Option<usize> {
        let id = self.worker(worker);
        match self.engine.handle(self.now, Command::Ask(id), &mut NoRecorder) {
            Ok(Reply::Leased(task, token)) => {
                self.held.insert(worker, token);
                self.jobs.iter().position(|job| *job == Some(task.job))
            }
            Ok(Reply::Parked) => None,
            other => panic!("asking gave {other:?}"),
        }
    }

    fn finish(&mut self, worker: u64) {
        let id = self.worker(worker);
        match self.held.remove(&worker) {
            Some(token) => {
                self.engine.handle(self.now, Command::Answer(id, token), &mut NoRecorder).unwrap();
            }
            None => {
                let before = self.engine.snapshot();
                let answer = Command::Answer(id, Token(u64::MAX));
                self.engine.handle(self.now, answer, &mut NoRecorder).unwrap_err();
                assert_eq!(before, self.engine.snapshot(), "a refusal changes nothing");
            }
        }
    }

    /// What remains of a batch, how much of it runs, and how often it has conceded.
    fn state(&self, batch: usize) -> (u64, u64, u64) {
        let live = self.jobs[batch].and_then(|id| self.engine.state().job(id));
        live.map_or((0, 0, 0), |job| {
            let figures = self.engine.figures(job.id);
            let conceded = figures.iter().find(|(_, name, _)| *name == "concessions");
            let open: u32 = job.lanes().map(|lane| lane.open).sum();
            (u64::from(open), u64::from(job.running()), conceded.map_or(0, |(_, _, n)| *n as u64))
        })
    }
}

fn sequence(case: support_vectors::Case<'_>) -> Value {
    let mut run = Run::new(case.input);
    let mut served = Vec::new();
    for event in case.input["events"].as_array().unwrap() {
        let worker = event[1].as_u64().unwrap();
        if event[0] == "take" {
            served.push(run.take(worker).map_or(Value::Null, Value::from));
        } else {
            run.finish(worker);
        }
    }
    let state = (0..run.jobs.len()).map(|batch| {
        let (remaining, running, s) = run.state(batch);
        json!({ "id": batch, "remaining": remaining, "running": running, "s": s })
    });
    json!({ "served": served, "state": state.collect::<Vec<Value>>() })
}

#[test]
fn vectors_of_sequences() {
    run(&[
        ("001_seq_fifo", sequence),
        ("001_seq_sjf", sequence),
        ("001_seq_rr", sequence),
        ("001_seq_fs", sequence),
        ("001_seq_wfs", sequence),
        ("001_seq_wcfs", sequence),
    ]);
}

/// What a closed run of a case gives: when each batch is complete, how many changes of batch, the end, the mean time.
struct Closed {
    completion: Vec<f64>,
    switches: u64,
    makespan: f64,
    mean: f64,
}

/// Workers take a task whenever they have finished one; a change of batch costs extra time.
fn closed_run(case: &Value) -> Closed {
    let mut run = Run::new(case);
    let time = |batch: usize| case["batches"][batch]["hit_time"].as_f64().unwrap();
    let penalty = case["switch_penalty"].as_f64().unwrap();
    let n = case["workers"].as_u64().unwrap();
    let mut events: BinaryHeap<Reverse<(Time, u64)>> =
        (0..n).map(|worker| Reverse((Time::ZERO, worker))).collect();
    let mut last: BTreeMap<u64, usize> = BTreeMap::new();
    let mut running: BTreeMap<u64, usize> = BTreeMap::new();
    let mut closed = Closed { completion: vec![0.0; run.jobs.len()], switches: 0, makespan: 0.0, mean: 0.0 };
    let (mut total, mut tasks) = (0.0, 0_u32);
    while let Some(Reverse((now, worker))) = events.pop() {
        run.now = now;
        if let Some(batch) = running.remove(&worker) {
            run.finish(worker);
            closed.completion[batch] = closed.completion[batch].max(now.as_secs_f64());
            closed.makespan = now.as_secs_f64();
        }
        let Some(batch) = run.take(worker) else { continue };
        let switched = last.insert(worker, batch).is_some_and(|before| before != batch);
        closed.switches += u64::from(switched);
        let takes = time(batch) + if switched { penalty } else { 0.0 };
        (total, tasks) = (total + takes, tasks + 1);
        running.insert(worker, batch);
        events.push(Reverse((now + Span::from_secs_f64(takes), worker)));
    }
    closed.mean = total / f64::from(tasks);
    closed
}

fn simulate(case: support_vectors::Case<'_>) -> Value {
    let closed = closed_run(case.input);
    json!({
        "completion": closed.completion.iter().map(|time| real(*time)).collect::<Vec<Value>>(),
        "switches": closed.switches,
        "makespan": real(closed.makespan),
        "mean_hit_time": real(closed.mean),
    })
}

#[test]
fn vectors_of_closed_runs() {
    run(&[("001_simulate", simulate)]);
}
