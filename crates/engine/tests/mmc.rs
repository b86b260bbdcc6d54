//! A simulation on the real engine, small enough to read: M/M/c, and what queueing theory says about it.
//!
//! Time is a heap of events ordered by (time, sequence). The recorder schedules what workers do next: who gets a lease answers
//! it after an exponential time. Mean wait and the share that waits must agree with Erlang C within three standard errors over
//! independent replications, and Little's law must hold on every run, to the nanosecond. `MUSTER_LONG=1` raises the counts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use muster_engine::fact::{Body, Decision, Fact, Recorder};
use muster_engine::formula::erlang;
use muster_engine::ids::{AppId, KindId, PoolId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::spec::{AppSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, WorkerSpec};
use muster_engine::state::State;
use muster_engine::{Command, Engine, Span, Time};

/// A small generator (`SplitMix64`): the same draws on every machine.
struct Random(u64);

impl Random {
    /// A draw from the exponential law with this mean.
    fn exponential(&mut self, mean: f64) -> Span {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let unit = ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        Span::from_secs_f64(-libm::log(1.0 - unit) * mean)
    }
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Arrive,
    Ask(WorkerId),
    Answer(WorkerId, Token),
}

/// The crowd and its agenda; also counts what it sees.
struct Crowd {
    agenda: BinaryHeap<Reverse<(Time, u64, Event)>>,
    scheduled: u64,
    random: Random,
    /// Jobs before this one are not counted: the system began empty.
    warm: u64,
    counted: u64,
    waited: Span,
    made_to_wait: u64,
    /// For Little's law: everybody's waiting, once person by person and once moment by moment.
    waited_all: u128,
    queue_area: u128,
    last: (Time, u64),
}

impl Crowd {
    fn new(seed: u64, warm: u64) -> Self {
        Self {
            agenda: BinaryHeap::new(),
            scheduled: 0,
            random: Random(seed),
            warm,
            counted: 0,
            waited: Span::ZERO,
            made_to_wait: 0,
            waited_all: 0,
            queue_area: 0,
            last: (Time::ZERO, 0),
        }
    }

    fn schedule(&mut self, at: Time, event: Event) {
        self.agenda.push(Reverse((at, self.scheduled, event)));
        self.scheduled += 1;
    }

    fn see_wait(&mut self, job: u64, wait: Span) {
        self.waited_all += u128::from(wait.0);
        if job >= self.warm {
            self.counted += 1;
            self.waited += wait;
            self.made_to_wait += u64::from(!wait.is_zero());
        }
    }
}

impl Recorder for Crowd {
    fn record(&mut self, _number: u64, fact: &Fact, state: &State) {
        let (since, queue) = self.last;
        self.queue_area += u128::from(queue) * u128::from(fact.at.since(since).0);
        self.last = (fact.at, state.pools().first().map_or(0, |pool| pool.queue));
        match &fact.body {
            Body::Decision(Decision::Leased(grant)) => {
                let job = state.job(grant.task.job).expect("leases are of live jobs");
                self.see_wait(job.id.0, fact.at.since(job.submitted));
                let takes = self.random.exponential(1.0);
                self.schedule(fact.at + takes, Event::Answer(grant.worker, grant.token));
            }
            Body::Decision(Decision::Judged { worker, .. }) => self.schedule(fact.at, Event::Ask(*worker)),
            _ => {}
        }
    }
}

/// An engine with one pool of `workers` people.
fn set_up(workers: u32, crowd: &mut Crowd) -> Engine {
    let mut engine = Engine::new(0);
    let worker = WorkerSpec::of(PoolId(0), KindId(0));
    let mut commands = vec![
        Command::AddTenant(TenantSpec::default()),
        Command::AddApp(AppSpec::default()),
        Command::AddKind(KindSpec::person(Money::ZERO)),
        Command::AddPool(Box::new(PoolSpec::serving(&[AppId(0)]))),
    ];
    commands.extend((0..workers).map(|_| Command::Join(Box::new(worker.clone()))));
    for command in commands {
        engine.handle(Time::ZERO, command, crowd).expect("a plain pool is not refused");
    }
    (0..workers).for_each(|id| crowd.schedule(Time::ZERO, Event::Ask(WorkerId(id))));
    engine
}

/// What one run has shown: the mean wait in seconds, and the share of arrivals that waited.
struct Run {
    wait: f64,
    share: f64,
}

/// Runs until `jobs` have come and gone. Service takes a second on average.
fn run(workers: u32, arrival_rate: f64, jobs: u64, seed: u64) -> Run {
    let mut crowd = Crowd::new(seed, jobs / 5);
    let mut engine = set_up(workers, &mut crowd);
    let first = crowd.random.exponential(1.0 / arrival_rate);
    crowd.schedule(Time::ZERO + first, Event::Arrive);
    let mut come = 0;
    let mut end = Time::ZERO;
    while let Some(Reverse((at, _, event))) = crowd.agenda.pop() {
        while let Some(due) = engine.next_due().filter(|due| *due <= at) {
            engine.handle(due, Command::Wake, &mut crowd).expect("woken when it is due");
        }
        let command = match event {
            Event::Ask(worker) => Command::Ask(worker),
            Event::Answer(worker, token) => Command::Answer(worker, token),
            Event::Arrive => {
                come += 1;
                if come < jobs {
                    let next = crowd.random.exponential(1.0 / arrival_rate);
                    crowd.schedule(at + next, Event::Arrive);
                }
                Command::Submit(Box::new(JobSpec::batch(TenantId(0), AppId(0), 1)))
            }
        };
        engine.handle(at, command, &mut crowd).expect("people here do nothing that is refused");
        end = at;
    }
    assert_eq!(engine.state().job_count(), 0, "all work is done");
    check_little(&crowd, jobs, end);
    Run {
        wait: crowd.waited.as_secs_f64() / crowd.counted as f64,
        share: crowd.made_to_wait as f64 / crowd.counted as f64,
    }
}

/// Little's law: the mean number waiting is the arrival rate times the mean wait. All have come and gone, so it is exact.
fn check_little(crowd: &Crowd, jobs: u64, end: Time) {
    assert_eq!(crowd.queue_area, crowd.waited_all);
    let length = crowd.queue_area as f64 / end.0 as f64;
    let (rate, wait) = (jobs as f64 / end.as_secs_f64(), crowd.waited_all as f64 / 1e9 / jobs as f64);
    assert!((length - rate * wait).abs() <= 1e-9 * length.max(1.0), "{length} is not {rate} times {wait}");
}

/// Mean and standard error over independent replications.
fn estimate(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

fn agrees(what: &str, values: &[f64], theory: f64) {
    let (mean, error) = estimate(values);
    let text = format!("{what}: {mean:.5} +- {error:.5}, Erlang C says {theory:.5}");
    assert!((mean - theory).abs() <= 3.0 * error, "{text}");
    assert!(error < 0.1 * theory, "too coarse to tell anything: {text}");
}

#[allow(
    clippy::disallowed_methods,
    reason = "a test may be asked to take longer; the engine never reads this"
)]
fn long() -> bool {
    std::env::var("MUSTER_LONG").is_ok_and(|value| value == "1")
}

#[test]
fn mean_wait_and_share_that_waits_agree_with_erlang_c() {
    let (replications, jobs) = if long() { (40, 60_000) } else { (20, 15_000) };
    for (workers, utilisation) in [(1, 0.5), (3, 0.7), (10, 0.8), (4, 0.9)] {
        let arrival_rate = f64::from(workers) * utilisation;
        let theory = erlang::queue(workers, arrival_rate, 1.0);
        let runs: Vec<Run> = (0..replications)
            .map(|i| run(workers, arrival_rate, jobs, 1_000_003 * u64::from(workers) + i))
            .collect();
        let name = format!("{workers} workers at {utilisation}");
        let waits: Vec<f64> = runs.iter().map(|run| run.wait).collect();
        let shares: Vec<f64> = runs.iter().map(|run| run.share).collect();
        agrees(&format!("{name}, mean wait"), &waits, theory.wait);
        agrees(&format!("{name}, share that waits"), &shares, theory.wait_probability);
    }
}
