//! Muster in virtual time: what would happen with this demand, this crowd and these policies.
//!
//! The engine that serves people is the engine that is simulated: this crate only moves time and behaves like a crowd. It
//! holds no policy of its own. Describe what is to be simulated ([`model`]), run it ([`drive::run`]), or run variants side
//! by side with intervals on everything ([`study`]).
//!
//! What it is not: it reads no clock and draws no random number that the seed does not fix; the same scenario gives the same
//! numbers on every machine and on any number of cores. Threads are only in `study`, one run each.
//!
//! Where to start reading: [`model::Scenario`] for what can be said, [`drive`] for how a run goes, [`measure`] for what is
//! counted.

mod agenda;
pub mod behave;
pub mod drive;
pub mod fit;
pub mod law;
mod lookup;
pub mod measure;
pub mod model;
pub mod random;
pub mod replay;
pub mod scenario;
pub mod study;
