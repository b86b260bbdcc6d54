//! The engine of Muster: every decision, and nothing that acts.
//!
//! Who does what next, how many workers to keep, whom to move where, and what it all costs: each is a function of what has
//! happened so far. So there is one engine without clock, threads, input or output, and two drivers turn it: a simulation in
//! virtual time and a server in real time. What you simulate is what you run.
//!
//! ```
//! use muster_engine::{Command, Engine, Reply, Time};
//! use muster_engine::fact::Fact;
//! use muster_engine::money::Money;
//! use muster_engine::spec::{AppSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, WorkerSpec};
//!
//! let mut engine = Engine::new(1);
//! let mut facts: Vec<Fact> = Vec::new();
//! let mut at = |seconds: u64, command| engine.handle(Time(seconds * 1_000_000_000), command, &mut facts).unwrap();
//!
//! let Reply::Tenant(tenant) = at(0, Command::AddTenant(TenantSpec::default())) else { panic!() };
//! let Reply::App(app) = at(0, Command::AddApp(AppSpec::default())) else { panic!() };
//! let Reply::Kind(kind) = at(0, Command::AddKind(KindSpec::person(Money::units(3)))) else { panic!() };
//! let Reply::Pool(pool) = at(0, Command::AddPool(Box::new(PoolSpec::serving(&[app])))) else { panic!() };
//! at(1, Command::Submit(Box::new(JobSpec::batch(tenant, app, 2))));
//! let Reply::Worker(worker) = at(2, Command::Join(Box::new(WorkerSpec::of(pool, kind)))) else { panic!() };
//! let Reply::Leased(task, token) = at(2, Command::Ask(worker)) else { panic!() };
//! assert_eq!(task.to_string(), "task 0/0");
//! at(9, Command::Answer(worker, token));
//!
//! // The facts alone rebuild the engine.
//! let mut again = Engine::new(1);
//! facts.iter().for_each(|fact| again.apply(fact));
//! assert_eq!(again.snapshot(), engine.snapshot());
//! ```
//!
//! What it is not: it never sees payloads, only ids; it reads no clock and draws no random number that is not in its facts;
//! it does not fail, it refuses ([`refusal::Refusal`]).
//!
//! Where to start reading: [`fact`] for what can happen, [`Engine::handle`] for how it is decided, [`state`] for what is
//! known, [`policy`] for the answers that can be chosen, [`formula`] for the arithmetic.

mod apply;
pub mod command;
pub mod engine;
pub mod fact;
pub mod formula;
mod handle;
mod hosted;
pub mod ids;
pub mod journal;
mod line;
pub mod money;
pub mod policy;
pub mod random;
mod rare;
pub mod refusal;
pub mod snapshot;
pub mod spec;
pub mod state;
pub mod table;
pub mod time;
pub mod view;

pub use command::{Command, Reply};
pub use engine::Engine;
pub use refusal::Refusal;
pub use time::{Span, Time};
