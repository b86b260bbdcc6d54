//! `worker-conscious` between jobs beside the paper's algorithm, written down as it stands: a walk over the sorted list.

use std::collections::BTreeMap;

use muster_engine::fact::{Body, Decision};
use muster_engine::ids::{JobId, WorkerId};
use muster_engine::policy::settings::PolicySpec;
use muster_engine::{Command, Engine, Span, Time};

use crate::crowd::{self, Book, any_command, dispatched_by, leases, send};
use crate::dice::Dice;
use crate::seeds;

/// How often each job has conceded.
type Conceded = BTreeMap<JobId, u32>;

/// The job that a worker gets: of those with something for it, by running slots over weight, the older of equals.
fn choose(
    engine: &Engine,
    book: &Book,
    conceded: &mut Conceded,
    worker: WorkerId,
    limit: u32,
) -> Option<JobId> {
    let state = engine.state();
    let share = |id: &JobId| {
        let job = state.job(*id).expect("the book's jobs live");
        let weight = job.priority * state.tenant(job.tenant).expect("known").weight;
        (u64::from(book.running(*id)), u64::from(weight))
    };
    let mut jobs = book.jobs_for(worker);
    jobs.sort_by(|a, b| {
        let ((r, p), (s, q)) = (share(a), share(b));
        (r * q).cmp(&(s * p))
    });
    let last = state.worker(worker).and_then(|worker| worker.last_job).filter(|job| jobs.contains(job));
    let stops = |job: &JobId, conceded: &Conceded| {
        last.is_none_or(|last| last == *job) || conceded.get(job).copied().unwrap_or_default() >= limit
    };
    for job in jobs {
        if stops(&job, conceded) {
            conceded.insert(job, 0);
            return Some(job);
        }
        *conceded.entry(job).or_default() += 1;
    }
    None
}

/// Whoever gets nothing takes a break, so that every lease is the answer to a question.
#[test]
fn worker_conscious_walks_as_the_paper_says() {
    seeds("worker_conscious_walks", 30, |seed| {
        let mut dice = Dice::new(seed);
        let limit = dice.from(0, 4);
        let policy = PolicySpec::named("worker-conscious").with("between", "jobs").with("concessions", limit);
        let mut engine = crowd::engine(seed, &mut dice, 1, dispatched_by(&policy));
        let (mut book, mut conceded, mut now) = (Book::default(), Conceded::new(), Time::ZERO);
        for step in 0..500 {
            now = now + dice.span(Span::from_secs(2));
            let command = any_command(&engine, &mut dice, 1);
            let asks = if let Command::Ask(worker) = command { Some(worker) } else { None };
            let expected = asks.and_then(|worker| choose(&engine, &book, &mut conceded, worker, limit));
            let facts = send(&mut engine, now, command);
            facts.iter().for_each(|fact| book.note(fact));
            let got = leases(&facts).map(|grant| grant.task.job).next();
            assert_eq!(got, expected, "step {step}, at most {limit} concessions");
            for fact in &facts {
                if let Body::Decision(Decision::Parked(worker)) = fact.body {
                    send(&mut engine, now, Command::Pause(worker)).iter().for_each(|fact| book.note(fact));
                }
            }
        }
    });
}
