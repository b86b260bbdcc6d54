//! A world to measure in: an engine with tenants, one app, one pool and a hundred people, and time that goes on.

use muster_engine::fact::{Fact, NoRecorder, Recorder};
use muster_engine::ids::{AppId, ClientId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{AppSpec, ClientSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, WorkerSpec};
use muster_engine::{Command, Engine, Reply, Span, Time};

pub(crate) const SEED: u64 = 1;
pub(crate) const WORKERS: u32 = 100;

/// Between two tasks' ends: a hundred people who take about two seconds each.
const STEP: Span = Span::from_millis(20);
const PRICE: Money = Money(10_000);

/// Whether jobs differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Jobs {
    Alike,
    /// In how long their tasks take, in priority, and in how patient their clients are.
    Differ,
}

/// So many clients take turns; each is of another patience.
const CLIENTS: u32 = 1_000;

pub(crate) struct World<R = NoRecorder> {
    pub(crate) engine: Engine,
    pub(crate) recorder: R,
    now: Time,
    app: AppId,
    tenants: u32,
    jobs: u32,
    kind: Jobs,
    /// Leases answered so far. Leases go around: the lease of token `n` is that of worker `n` modulo [`WORKERS`].
    answered: u64,
}

impl World {
    pub(crate) fn new(dispatch: PolicySpec, tenants: u32) -> Self {
        Self::recorded(dispatch, tenants, NoRecorder)
    }
}

impl World<Vec<Fact>> {
    pub(crate) fn with_journal(dispatch: PolicySpec) -> Self {
        Self::recorded(dispatch, 1, Vec::new())
    }
}

impl<R: Recorder> World<R> {
    fn recorded(dispatch: PolicySpec, tenants: u32, recorder: R) -> Self {
        let engine = Engine::new(SEED);
        let mut world = Self {
            engine,
            recorder,
            now: Time::ZERO,
            app: AppId(0),
            tenants,
            jobs: 0,
            kind: Jobs::Alike,
            answered: 0,
        };
        for _ in 0..tenants {
            world.tell(Command::AddTenant(TenantSpec::default()));
        }
        let Reply::App(app) = world.tell(Command::AddApp(AppSpec::default())) else { unreachable!() };
        let person = KindSpec::person(Money::units(3));
        let Reply::Kind(kind) = world.tell(Command::AddKind(person)) else { unreachable!() };
        let mut spec = PoolSpec::serving(&[app]);
        spec.policies.dispatch = dispatch;
        let Reply::Pool(pool) = world.tell(Command::AddPool(Box::new(spec))) else { unreachable!() };
        for _ in 0..WORKERS {
            world.tell(Command::Join(Box::new(WorkerSpec::of(pool, kind))));
        }
        world.app = app;
        world
    }

    pub(crate) fn tell(&mut self, command: Command) -> Reply {
        self.engine
            .handle(self.now, command, &mut self.recorder)
            .expect("a benchmark asks only what is allowed")
    }

    /// Time goes on, and the engine is woken if it wants to be: what any driver does between two commands.
    pub(crate) fn step(&mut self) {
        self.now = self.now + STEP;
        if self.engine.next_due().is_some_and(|due| due <= self.now) {
            self.tell(Command::Wake);
        }
    }

    /// Jobs that come from now on are alike, or differ.
    pub(crate) fn jobs_are(&mut self, kind: Jobs) {
        self.kind = kind;
        let clients = if kind == Jobs::Differ { CLIENTS } else { 0 };
        for client in 0..clients {
            let patience = 0.5 + 0.5 * f64::from(client) / f64::from(CLIENTS);
            self.tell(Command::AddClient(ClientSpec { patience, ..ClientSpec::default() }));
        }
    }

    /// A job comes; the tenants take turns.
    pub(crate) fn submit(&mut self, tasks: u32) {
        let tenant = TenantId(self.jobs % self.tenants);
        self.jobs += 1;
        let mut spec = JobSpec { price: PRICE, ..JobSpec::batch(tenant, self.app, tasks) };
        if self.kind == Jobs::Differ {
            let number = self.jobs.wrapping_mul(7_919);
            spec.priority = 1 + number % 100;
            spec.expected = Some(Span::from_millis(1_000 + u64::from(number % 2_000)));
            spec.client = Some(ClientId(number % CLIENTS));
        }
        self.tell(Command::Submit(Box::new(spec)));
    }

    /// Every worker asks.
    pub(crate) fn all_ask(&mut self) {
        (0..WORKERS).for_each(|worker| {
            self.ask(WorkerId(worker));
        });
    }

    pub(crate) fn ask(&mut self, worker: WorkerId) -> Reply {
        self.tell(Command::Ask(worker))
    }

    /// The oldest lease is answered; who did it.
    pub(crate) fn answer(&mut self) -> WorkerId {
        let token = Token(self.answered);
        let worker = WorkerId(u32::try_from(self.answered % u64::from(WORKERS)).expect("few workers"));
        self.answered += 1;
        self.tell(Command::Answer(worker, token));
        worker
    }
}
