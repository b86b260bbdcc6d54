//! Dispatch: what holds of every policy, and what some promise beyond that.

use std::collections::BTreeMap;

use muster_engine::ids::{AppId, JobId, TenantId, WorkerId};
use muster_engine::policy::Registry;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::JobSpec;
use muster_engine::{Command, Engine, Span, Time};

use crate::crowd::{self, Book, any_command, dispatched_by, leases, send};
use crate::dice::Dice;
use crate::seeds;

const APPS: u32 = 3;
const STEPS: u32 = 400;

/// Whoever waits has nothing that fits, and nobody gets what they may not have: under every policy there is.
#[test]
fn nobody_waits_in_vain_nor_gets_what_they_may_not_have() {
    let mut policies: Vec<PolicySpec> =
        Registry::default().dispatch.iter().map(|entry| PolicySpec::named(entry.name)).collect();
    policies.push(PolicySpec::named("shortest-first").with("per", "total"));
    policies.push(PolicySpec::named("worker-conscious").with("concessions", "unlimited"));
    policies.push(PolicySpec::named("worker-conscious").with("concessions", 1).with("between", "jobs"));
    seeds("nobody_waits_in_vain", 4, |seed| {
        for policy in policies.iter().filter(|policy| policy.name != "planned") {
            let mut dice = Dice::new(seed);
            let mut engine = crowd::engine(seed, &mut dice, APPS, dispatched_by(policy));
            let mut book = Book::default();
            let mut now = Time::ZERO;
            for _ in 0..STEPS {
                now = now + dice.span(Span::from_secs(2));
                let command = any_command(&engine, &mut dice, APPS);
                send(&mut engine, now, command).iter().for_each(|fact| book.note(fact));
                book.nobody_waits_in_vain();
            }
        }
    });
}

/// Without concessions `worker-conscious` makes the very leases of `weighted-fair`.
#[test]
fn without_concessions_worker_conscious_is_weighted_fair() {
    let variants = ["tenants", "jobs"]
        .iter()
        .flat_map(|between| ["slots", "dispatches", "time"].map(|share| (*between, share)));
    let variants: Vec<(&str, &str)> = variants.collect();
    seeds("without_concessions", 10, |seed| {
        for (between, share) in &variants {
            let spec = |name| PolicySpec::named(name).with("between", *between).with("share", *share);
            let fair = spec("weighted-fair");
            let conscious = spec("worker-conscious").with("concessions", 0);
            let mut engines = [fair, conscious]
                .map(|policy| crowd::engine(seed, &mut Dice::new(seed), APPS, dispatched_by(&policy)));
            let mut dice = Dice::new(seed ^ 0xA5);
            let mut now = Time::ZERO;
            for step in 0..STEPS {
                now = now + dice.span(Span::from_secs(2));
                let command = any_command(&engines[0], &mut dice, APPS);
                let [a, b] = engines.each_mut().map(|engine| {
                    let facts = send(engine, now, command.clone());
                    leases(&facts).map(|grant| (grant.worker, grant.task, grant.token)).collect::<Vec<_>>()
                });
                assert_eq!(a, b, "between {between}, share {share}, step {step}: {command:?}");
            }
        }
    });
}

/// An engine with jobs of so many tasks and so many workers, all for one app.
fn plain(seed: u64, policy: &PolicySpec, jobs: &[u32], workers: u32) -> Engine {
    let mut dice = Dice::new(seed);
    let mut engine = crowd::engine(seed, &mut dice, 1, dispatched_by(policy));
    for tasks in jobs {
        let spec = JobSpec::batch(TenantId(dice.from(0, 2)), AppId(0), *tasks);
        send(&mut engine, Time::ZERO, Command::Submit(Box::new(spec)));
    }
    for _ in 0..workers {
        let command = crowd::newcomer(&mut dice, 1);
        send(&mut engine, Time::ZERO, command);
    }
    engine
}

/// The job of whom asks now.
fn ask(engine: &mut Engine, at: Time, worker: WorkerId) -> Option<JobId> {
    let facts = send(engine, at, Command::Ask(worker));
    leases(&facts).map(|grant| grant.task.job).last()
}

/// Fair between jobs: with a crowd that does not change and never pauses, no job has two workers more than another.
#[test]
fn fair_jobs_never_differ_by_more_than_one_worker() {
    seeds("fair_jobs_never_differ", 20, |seed| {
        let mut dice = Dice::new(seed);
        let (jobs, workers) = (dice.from(2, 7), dice.from(1, 20));
        let policy = PolicySpec::named("fair").with("between", "jobs");
        let mut engine = plain(seed, &policy, &vec![1000; jobs as usize], workers);
        let ids: Vec<WorkerId> = engine.state().workers().iter().map(|worker| worker.id).collect();
        let mut running: BTreeMap<JobId, i32> = engine.state().jobs().iter().map(|job| (job.id, 0)).collect();
        for turn in 0..500 {
            let at = Time(turn * 1_000_000_000);
            let worker = if turn < ids.len() as u64 { ids[turn as usize] } else { dice.pick(&ids) };
            let lease = engine.state().worker(worker).and_then(|worker| worker.lease);
            if let Some(lease) = lease {
                send(&mut engine, at, Command::Answer(worker, lease.token));
                *running.get_mut(&lease.task.job).expect("known") -= 1;
            }
            let job = ask(&mut engine, at, worker).expect("there is enough for all");
            *running.get_mut(&job).expect("known") += 1;
            let (least, most) = (running.values().min(), running.values().max());
            assert!(most.unwrap() - least.unwrap() <= 1, "turn {turn}: {running:?}");
        }
    });
}

/// Round-robin goes on to the next job, in the order of submission, that has an open slot: each once per round.
#[test]
fn round_robin_serves_each_job_once_per_round() {
    seeds("round_robin_serves_each_job", 20, |seed| {
        let mut dice = Dice::new(seed);
        let sizes: Vec<u32> = (0..dice.from(2, 8)).map(|_| dice.from(1, 12)).collect();
        let mut engine = plain(seed, &PolicySpec::named("round-robin"), &sizes, 1);
        let worker = engine.state().workers()[0].id;
        let ids: Vec<JobId> = engine.state().jobs().iter().map(|job| job.id).collect();
        let mut open = sizes.clone();
        let mut next = 0;
        for turn in 0_u64.. {
            let at = Time(turn * 1_000_000_000);
            let order = (0..ids.len()).map(|step| (next + step) % ids.len());
            let expected = order.into_iter().find(|i| open[*i] > 0);
            let got = ask(&mut engine, at, worker);
            assert_eq!(got, expected.map(|i| ids[i]), "turn {turn}, open {open:?}");
            let Some(i) = expected else { break };
            next = (i + 1) % ids.len();
            let lease = engine.state().worker(worker).and_then(|worker| worker.lease);
            let token = lease.expect("just given").token;
            // Now and then the task comes back: its job has one more again.
            if dice.permille(200) {
                send(&mut engine, at, Command::Return(worker, token));
            } else {
                open[i] -= 1;
                send(&mut engine, at, Command::Answer(worker, token));
            }
        }
    });
}
