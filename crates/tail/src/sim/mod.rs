//! A machine in virtual time: any number of cores, the same policies as the real pool. Requests are loops of equal
//! leaves; a core that runs out of local work steals or begins a request as the policy says. There are no overheads.
//! Deterministic: ties by worker, then by request; randomness only from the seed. Start at [`run`].

mod draw;
mod machine;
mod request;
mod set;
mod stats;

pub use draw::{Arrivals, Draw, Law, workload};
pub use machine::{Outcome, Point, Setup, Victims, run};
pub use request::{Offer, Shape};
pub use stats::{Summary, misses, percentile, summary};
