//! One decision: a worker answers and asks, and gets a task. With few jobs and with many: it should grow no faster than
//! the logarithm of their number.

use muster_engine::policy::settings::PolicySpec;

use crate::figure::{Run, in_turns, print};
use crate::reference::BareShares;
use crate::world::{WORKERS, World};

/// How many tasks there are, over all jobs: more than are taken while measuring.
const TASKS: u32 = 2_000_000;
const TENANTS_MOST: u32 = 1_000;
const SIZES: [u32; 3] = [10, 1_000, 100_000];

/// Who is chosen.
#[derive(Clone, Copy)]
pub(crate) enum By {
    Fifo,
    FairJobs,
    FairTenants,
}

impl By {
    fn name(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::FairJobs => "fair between jobs",
            Self::FairTenants => "fair between tenants",
        }
    }

    fn policy(self) -> PolicySpec {
        match self {
            Self::Fifo => PolicySpec::named("fifo"),
            Self::FairJobs => PolicySpec::named("fair").with("between", "jobs"),
            Self::FairTenants => PolicySpec::named("fair"),
        }
    }
}

/// Answers and asks, in a pool where so many jobs have open tasks. Between tenants, up to a thousand share them.
pub(crate) fn start(by: By, jobs: u32) -> Run {
    let tenants = if matches!(by, By::FairTenants) { jobs.min(TENANTS_MOST) } else { 1 };
    let mut world = World::new(by.policy(), tenants);
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

pub(crate) fn measure() {
    for by in [By::Fifo, By::FairJobs, By::FairTenants] {
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
