//! A work-stealing runtime for parallel requests that have a target latency.
//!
//! An interactive service runs many parallel requests at once. A pool that finishes each as fast as it can lets one
//! large request make a hundred small ones late. This one watches load and progress and, when it is crowded, lets
//! the large requests run on one core each, so that more requests meet the target.
//!
//! ```
//! use muster_tail::{Pool, TailControl, join, par_reduce};
//!
//! // Learns work and rate while it runs; aims at 20 ms.
//! let pool = Pool::builder().threads(2).policy(TailControl::learned(20.0, 2)).build().unwrap();
//! let handle = pool.request(|| {
//!     let (a, b) = join(|| 20, || 22);
//!     a + b + par_reduce(0..1000, || 0, |_| 0, |a, b| a + b)
//! });
//! assert_eq!(handle.wait(), 42);
//! ```
//!
//! # Where to start reading
//!
//! - The decisions are pure code: [`table`] (thresholds), [`policy`] (who is given up, and the trait for your own),
//!   [`profile`] (what is learned), [`admission`], [`lanes`].
//! - They are driven by two clocks: real threads ([`Pool`]; inside: `registry`, `worker`, `search`, `wait`, `sleep`)
//!   and virtual time ([`sim`]), where 16 cores can be studied on a laptop.
//! - [`study`] repeats the experiments of the paper that the policy comes from: J. Li et al., Work Stealing for
//!   Interactive Services to Meet Target Latency, PPoPP 2016.
//!
//! # What to know
//!
//! - Times in policies and models are in one unit, which the pool takes to be milliseconds.
//! - Parallel loops ([`par_for`] and its relatives) are the cheap place to give a request up: helpers leave after any
//!   chunk. A [`join`] whose branch was stolen must wait for it; the worker then helps its own request only, and
//!   otherwise gives its core to a spare thread.
//! - A panic reaches the one who asked. Cancelling is cooperative. Dropping a pool waits, or aborts if so built.

#![cfg_attr(loom, allow(dead_code, reason = "loom sees only the latches and the sleep protocol"))]

pub mod admission;
pub mod lanes;
pub mod policy;
pub mod profile;
pub mod sim;
pub mod table;
pub mod work;

mod latch;
mod sleep;
mod sync;

#[cfg(not(loom))]
mod clock;
#[cfg(not(loom))]
mod deque;
#[cfg(not(loom))]
mod handle;
#[cfg(not(loom))]
mod job;
#[cfg(not(loom))]
mod join;
#[cfg(not(loom))]
mod loops;
#[cfg(not(loom))]
mod parallel;
#[cfg(not(loom))]
mod pool;
#[cfg(not(loom))]
mod registry;
#[cfg(not(loom))]
mod request;
#[cfg(not(loom))]
mod scope;
#[cfg(not(loom))]
mod search;
#[cfg(not(loom))]
pub mod study;
#[cfg(not(loom))]
mod wait;
#[cfg(not(loom))]
mod worker;

pub use admission::{Late, WhenLate};
pub use policy::{
    AdmitFirst, Goal, KnownWork, Load, Order, Placement, Progress, RandomPlacement, Serialise, StealFirst,
    TailControl, TailPolicy,
};
pub use table::{Model, Table, TableError};
pub use work::{Bin, Work, WorkError};

#[cfg(not(loom))]
pub use handle::{Failure, Handle};
#[cfg(not(loom))]
pub use join::join;
#[cfg(not(loom))]
pub use parallel::{
    checkpoint, is_cancelled, is_degraded, is_given_up, par_for, par_for_each, par_for_grain, par_reduce,
    par_reduce_grain, par_reduce_slice,
};
#[cfg(not(loom))]
pub use pool::{BuildError, Builder, Options, Pool, Stats};
#[cfg(not(loom))]
pub use scope::{Scope, scope};
