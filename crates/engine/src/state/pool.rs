//! Pools: who is there and what waits. Does not know any policy.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::ids::{AppId, KindId, PoolId, TenantId, WorkerId};
use crate::money::Money;
use crate::random::{PURPOSES, Purpose};
use crate::spec::PoolSpec;
use crate::state::meter::Meter;
use crate::state::worker::Standing;
use crate::time::{Span, Time};

/// A pool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pool {
    /// Its name.
    pub id: PoolId,
    /// How it is run; `spec.policies` are the ones in use.
    pub spec: PoolSpec,
    /// The apps it serves, in the order of `spec.apps`.
    pub apps: Vec<PoolApp>,
    /// Who is there, by id.
    pub members: BTreeSet<WorkerId>,
    /// Workers by standing.
    pub workers: Headcount,
    /// Workers by kind.
    pub kinds: Vec<KindCount>,
    /// Open slots that can be dispatched.
    pub queue: u64,
    /// Open slots for which there is no money.
    pub unfunded: u64,
    /// What has been measured.
    pub meter: Meter,
    /// Wages and machines not yet charged to anybody.
    pub due: Money,
    /// When wages were last settled, and when they will be.
    pub settled: Time,
    /// When wages are next settled.
    pub settle_at: Time,
    /// When scaling looks next.
    pub scaling_at: Time,
    /// When replacement looks next.
    pub replacement_at: Time,
    /// When scaling last changed something.
    pub scaled: Option<Time>,
    /// Worker-time by tenant since wages were last settled, in nanoseconds.
    pub usage: Vec<u64>,
    /// Random draws used so far, by purpose.
    pub draws: [u64; PURPOSES],
}

/// An app in a pool.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct PoolApp {
    /// Which.
    pub app: AppId,
    /// Open slots of it that can be dispatched.
    pub open: u64,
    /// Workers who are learning it.
    pub learning: u32,
}

/// Workers by standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headcount {
    /// In training.
    pub training: u32,
    /// Idle.
    pub idle: u32,
    /// With a task.
    pub leased: u32,
    /// There, but not asking.
    pub paused: u32,
    /// With a task, and going when it is done.
    pub draining: u32,
}

impl Headcount {
    /// How many the pool has: all but those on their way out.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.training + self.idle + self.leased + self.paused
    }

    /// How many have a task.
    #[must_use]
    pub fn busy(&self) -> u32 {
        self.leased + self.draining
    }

    fn of(&mut self, standing: Standing) -> Option<&mut u32> {
        match standing {
            Standing::Training => Some(&mut self.training),
            Standing::Idle => Some(&mut self.idle),
            Standing::Leased => Some(&mut self.leased),
            Standing::Paused => Some(&mut self.paused),
            Standing::Draining => Some(&mut self.draining),
            Standing::Gone => None,
        }
    }

    fn step(&mut self, from: Standing, to: Standing) {
        if let Some(n) = self.of(from) {
            *n -= 1;
        }
        if let Some(n) = self.of(to) {
            *n += 1;
        }
    }
}

/// Workers of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindCount {
    /// By standing.
    pub workers: Headcount,
    /// On their way.
    pub in_flight: u32,
    /// Answers of theirs that counted, since the pool began.
    pub completed: u64,
}

impl Pool {
    pub(crate) fn new(id: PoolId, spec: PoolSpec, now: Time) -> Self {
        let meter = Meter::new(now, spec.window);
        let mut pool = Self {
            id,
            apps: Vec::new(),
            members: BTreeSet::new(),
            workers: Headcount::default(),
            kinds: Vec::new(),
            queue: 0,
            unfunded: 0,
            meter,
            due: Money::ZERO,
            settled: now,
            settle_at: Time::MAX,
            scaling_at: Time::MAX,
            replacement_at: Time::MAX,
            scaled: None,
            usage: Vec::new(),
            draws: [0; PURPOSES],
            spec,
        };
        pool.add_apps();
        pool
    }

    /// Takes up the apps that the spec names and the pool does not serve yet.
    pub(crate) fn add_apps(&mut self) {
        let known = self.apps.len();
        let new = self.spec.apps[known..].iter().map(|app| PoolApp { app: *app, open: 0, learning: 0 });
        self.apps.extend(new);
    }

    /// Workers on their way.
    #[must_use]
    pub fn in_flight(&self) -> u32 {
        self.kinds.iter().map(|kind| kind.in_flight).sum()
    }

    /// How it stands with one kind.
    #[must_use]
    pub fn kind(&self, kind: KindId) -> KindCount {
        self.kinds.get(kind.index()).copied().unwrap_or_default()
    }

    pub(crate) fn kind_mut(&mut self, kind: KindId) -> &mut KindCount {
        if self.kinds.len() <= kind.index() {
            self.kinds.resize(kind.index() + 1, KindCount::default());
        }
        &mut self.kinds[kind.index()]
    }

    /// A worker of a kind stands otherwise than before.
    #[inline]
    pub(crate) fn step(&mut self, now: Time, kind: KindId, from: Standing, to: Standing) {
        self.workers.step(from, to);
        self.kind_mut(kind).workers.step(from, to);
        let busy = |s| i32::from(matches!(s, Standing::Leased | Standing::Draining));
        let idle = |s| i32::from(s == Standing::Idle);
        self.meter.workers(now, busy(to) - busy(from), idle(to) - idle(from));
    }

    /// Where an app stands in the pool's list.
    #[must_use]
    pub fn place(&self, app: AppId) -> Option<usize> {
        self.apps.iter().position(|known| known.app == app)
    }

    pub(crate) fn drawn(&mut self, purpose: Purpose, n: u32) {
        self.draws[purpose as usize] += u64::from(n);
    }

    pub(crate) fn used(&mut self, tenant: TenantId, span: Span) {
        if self.usage.len() <= tenant.index() {
            self.usage.resize(tenant.index() + 1, 0);
        }
        let used = &mut self.usage[tenant.index()];
        *used = used.saturating_add(span.0);
    }
}
