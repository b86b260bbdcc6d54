//! Counting while a run goes on. Knows what happened, not why. Constant memory, however many tasks there are.
//!
//! Two things are kept for ever: what the measures need, from the end of the warm-up on; and both sides of Little's law,
//! from the very beginning: everybody's waiting once slot by slot and once moment by moment. They must agree to the
//! nanosecond. Start at [`Tally::begun`].

use hdrhistogram::Histogram;
use muster_engine::state::State;
use muster_engine::{Span, Time};

/// Waiting times in microseconds, to three digits.
pub(crate) fn waits() -> Histogram<u64> {
    Histogram::new(3).expect("three digits are allowed")
}

#[inline]
fn record(waits: &mut Histogram<u64>, micros: u64) {
    waits.record(micros).expect("histograms that grow take everything");
}

/// What is counted for a tenant.
#[derive(Clone, Debug)]
pub(crate) struct TenantTally {
    pub(crate) waits: Histogram<u64>,
    pub(crate) waited: u128,
    pub(crate) begun: u64,
    pub(crate) answers: u64,
    pub(crate) worked: u128,
    pub(crate) jobs: u64,
    pub(crate) gave_up: u64,
    pub(crate) response: u128,
    pub(crate) slowdown: f64,
}

impl TenantTally {
    fn new() -> Self {
        Self {
            waits: waits(),
            waited: 0,
            begun: 0,
            answers: 0,
            worked: 0,
            jobs: 0,
            gave_up: 0,
            response: 0,
            slowdown: 0.0,
        }
    }
}

/// What is counted for a tenant's tasks in a pool while a run goes on; added up when it is over.
#[derive(Clone, Debug)]
struct Cell {
    tenant: usize,
    pool: usize,
    waits: Histogram<u64>,
    waited: u128,
    begun: u64,
    answers: u64,
    worked: u128,
}

/// What is counted for a pool.
#[derive(Clone, Debug)]
pub(crate) struct PoolTally {
    pub(crate) waits: Histogram<u64>,
    pub(crate) waited: u128,
    pub(crate) begun: u64,
    pub(crate) answers: u64,
    pub(crate) queue: Area,
    pub(crate) size: Area,
}

/// A count over time, integrated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Area {
    at: Time,
    level: u64,
    sum: u128,
}

impl Area {
    /// From `now` on the level is this.
    #[inline]
    pub(crate) fn set(&mut self, now: Time, level: u64) {
        self.sum += u128::from(self.level) * u128::from(now.since(self.at).0);
        (self.at, self.level) = (now, level);
    }

    /// The area up to `now`.
    pub(crate) fn until(&self, now: Time) -> u128 {
        self.sum + u128::from(self.level) * u128::from(now.since(self.at).0)
    }
}

/// Counts over everything, from the end of the warm-up on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) leases: u64,
    pub(crate) switches_job: u64,
    pub(crate) switches_app: u64,
    pub(crate) expired: u64,
    pub(crate) joined: u64,
    pub(crate) left: u64,
    pub(crate) moved: u64,
    pub(crate) liked: f64,
    pub(crate) likes: u64,
}

/// Everything that is counted.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// What came before this is not counted.
    pub(crate) since: Time,
    cells: Vec<Cell>,
    pub(crate) tenants: Vec<TenantTally>,
    pub(crate) pools: Vec<PoolTally>,
    pub(crate) counts: Counts,
    /// All waiting of all slots that have left the queue, from the beginning.
    pub(crate) waited_all: u128,
}

impl Tally {
    pub(crate) fn new(tenants: usize, pools: usize, since: Time) -> Self {
        let pool = || PoolTally {
            waits: waits(),
            waited: 0,
            begun: 0,
            answers: 0,
            queue: Area::default(),
            size: Area::default(),
        };
        Self {
            since,
            cells: Vec::new(),
            tenants: (0..tenants).map(|_| TenantTally::new()).collect(),
            pools: (0..pools).map(|_| pool()).collect(),
            counts: Counts::default(),
            waited_all: 0,
        }
    }

    /// Whether what happens now counts.
    #[inline]
    pub(crate) fn counts(&self, now: Time) -> bool {
        now >= self.since
    }

    /// The queue of a pool may have changed. What waits for money waits, too.
    #[inline]
    pub(crate) fn see_queue(&mut self, pool: usize, now: Time, state: &State) {
        let kept = &state.pools()[pool];
        self.pools[pool].queue.set(now, kept.queue + kept.unfunded);
    }

    /// The size of a pool may have changed.
    pub(crate) fn see_size(&mut self, pool: usize, now: Time, state: &State) {
        self.pools[pool].size.set(now, u64::from(state.pools()[pool].workers.size()));
    }

    /// Where a tenant's tasks in a pool are counted.
    pub(crate) fn cell(&mut self, tenant: usize, pool: usize) -> u32 {
        let is_it = |cell: &Cell| (cell.tenant, cell.pool) == (tenant, pool);
        let place = self.cells.iter().position(is_it).unwrap_or_else(|| {
            let (waited, begun, answers, worked) = (0, 0, 0, 0);
            self.cells.push(Cell { tenant, pool, waits: waits(), waited, begun, answers, worked });
            self.cells.len() - 1
        });
        place as u32
    }

    /// Somebody begins on a task for the first time; it had waited since `opened`.
    #[inline]
    pub(crate) fn begun(&mut self, cell: u32, opened: Time, now: Time) {
        if opened < self.since {
            return;
        }
        let wait = now.since(opened);
        let cell = &mut self.cells[cell as usize];
        record(&mut cell.waits, wait.0 / 1_000);
        cell.waited += u128::from(wait.0);
        cell.begun += 1;
    }

    /// The run is over: adds up for tenants and pools what was counted for both together.
    pub(crate) fn add_up(&mut self) {
        for cell in std::mem::take(&mut self.cells) {
            let (tenant, pool) = (&mut self.tenants[cell.tenant], &mut self.pools[cell.pool]);
            for waits in [&mut tenant.waits, &mut pool.waits] {
                waits.add(&cell.waits).expect("histograms that grow take everything");
            }
            tenant.waited += cell.waited;
            tenant.begun += cell.begun;
            tenant.answers += cell.answers;
            tenant.worked += cell.worked;
            pool.waited += cell.waited;
            pool.begun += cell.begun;
            pool.answers += cell.answers;
        }
    }

    /// A slot has left the queue after waiting, for whatever reason.
    #[inline]
    pub(crate) fn unqueued(&mut self, wait: Span) {
        self.waited_all += u128::from(wait.0);
    }

    /// An answer counted, after so much work.
    #[inline]
    pub(crate) fn answered(&mut self, cell: u32, worked: Span, now: Time) {
        if self.counts(now) {
            let cell = &mut self.cells[cell as usize];
            cell.answers += 1;
            cell.worked += u128::from(worked.0);
        }
    }

    /// A job is done.
    #[inline]
    pub(crate) fn done(&mut self, tenant: usize, submitted: Time, response: Span, slowdown: f64) {
        if self.counts(submitted) {
            let tenant = &mut self.tenants[tenant];
            tenant.jobs += 1;
            tenant.response += u128::from(response.0);
            tenant.slowdown += slowdown;
        }
    }

    /// The end user of a job gave up.
    pub(crate) fn gave_up(&mut self, tenant: usize, submitted: Time) {
        if self.counts(submitted) {
            self.tenants[tenant].gave_up += 1;
        }
    }
}
