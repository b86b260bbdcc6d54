//! One decision: a worker answers and asks, and gets a task. By every dispatch policy, with few jobs and with many: it
//! should grow no faster than the logarithm of their number.

use muster_engine::policy::settings::PolicySpec;

use crate::figure::{Run, in_turns, print};
use crate::reference::BareShares;
use crate::world::{Jobs, WORKERS, World};

/// How many tasks there are, over all jobs: more than are taken while measuring.
const TASKS: u32 = 2_000_000;
const TENANTS_MOST: u32 = 1_000;
const SIZES: [u32; 3] = [10, 1_000, 100_000];

/// Who is chosen.
#[derive(Clone, Copy)]
pub(crate) enum By {
    Fifo,
    ShortestTask,
    ShortestTotal,
    RoundRobin,
    FairJobs,
    FairTenants,
    WeightedFair,
    /// Workers stay with the job they know, which ranks high: few concede.
    WorkerConscious,
    /// Their last job ranks behind nearly all others, which have conceded often enough: each time one claims.
    WorkerConsciousClaims,
    /// It ranks behind nearly all others, and these concede each time.
    WorkerConsciousConcedes,
    LeastPatience,
    Priority,
}

const ALL: [By; 12] = [
    By::Fifo,
    By::ShortestTask,
    By::ShortestTotal,
    By::RoundRobin,
    By::FairJobs,
    By::FairTenants,
    By::WeightedFair,
    By::WorkerConscious,
    By::WorkerConsciousClaims,
    By::WorkerConsciousConcedes,
    By::LeastPatience,
    By::Priority,
];

impl By {
    fn name(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::ShortestTask => "shortest-first by task",
            Self::ShortestTotal => "shortest-first in total",
            Self::RoundRobin => "round-robin",
            Self::FairJobs => "fair between jobs",
            Self::FairTenants => "fair between tenants",
            Self::WeightedFair => "weighted-fair between jobs",
            Self::WorkerConscious => "worker-conscious, few concede",
            Self::WorkerConsciousClaims => "worker-conscious, one claims",
            Self::WorkerConsciousConcedes => "worker-conscious, nearly all concede",
            Self::LeastPatience => "least-patience",
            Self::Priority => "priority",
        }
    }

    fn policy(self) -> PolicySpec {
        let conscious = || PolicySpec::named("worker-conscious").with("between", "jobs");
        match self {
            Self::Fifo => PolicySpec::named("fifo"),
            Self::ShortestTask => PolicySpec::named("shortest-first"),
            Self::ShortestTotal => PolicySpec::named("shortest-first").with("per", "total"),
            Self::RoundRobin => PolicySpec::named("round-robin"),
            Self::FairJobs => PolicySpec::named("fair").with("between", "jobs"),
            Self::FairTenants => PolicySpec::named("fair"),
            Self::WeightedFair => PolicySpec::named("weighted-fair").with("between", "jobs"),
            Self::WorkerConscious => conscious(),
            Self::WorkerConsciousClaims => conscious().with("share", "dispatches"),
            Self::WorkerConsciousConcedes => {
                conscious().with("share", "dispatches").with("concessions", "unlimited")
            }
            Self::LeastPatience => PolicySpec::named("least-patience"),
            Self::Priority => PolicySpec::named("priority"),
        }
    }

    /// Jobs differ in what the policy looks at.
    fn jobs(self) -> Jobs {
        match self {
            Self::ShortestTask | Self::ShortestTotal | Self::LeastPatience | Self::Priority => Jobs::Differ,
            _ => Jobs::Alike,
        }
    }
}

/// Answers and asks, in a pool where so many jobs have open tasks. Between tenants, up to a thousand share them.
pub(crate) fn start(by: By, jobs: u32) -> Run {
    let tenants = if matches!(by, By::FairTenants) { jobs.min(TENANTS_MOST) } else { 1 };
    let mut world = World::new(by.policy(), tenants);
    world.jobs_are(by.jobs());
    for _ in 0..jobs {
        world.submit(TASKS / jobs);
    }
    world.all_ask();
    Box::new(move |n| {
        for _ in 0..n {
            world.step();
            let worker = world.answer();
            world.ask(worker);
        }
    })
}

fn start_bare(jobs: u32) -> Run {
    let mut shares = BareShares::new(WORKERS, jobs);
    Box::new(move |n| (0..n).for_each(|_| shares.decide()))
}

/// A few decisions of every policy.
pub(crate) fn try_each() {
    ALL.iter().for_each(|by| start(*by, SIZES[0])(200));
}

pub(crate) fn measure() {
    for by in ALL {
        let measured = SIZES.map(|jobs| {
            let (ours, bare) = in_turns(start(by, jobs), start_bare(jobs), 500);
            let name = format!("decision and answer: {}, {jobs} jobs", by.name());
            print(&name, ours, "ns", Some(("bare ordered set", bare)));
            (ours, bare)
        });
        let (least, most) = (measured[0], measured[SIZES.len() - 1]);
        let name =
            format!("growth of that from {} to {} jobs: {}", SIZES[0], SIZES[SIZES.len() - 1], by.name());
        print(&name, most.0 / least.0, "times", Some(("bare ordered set", most.1 / least.1)));
    }
}
