//! Scaling: how many workers, of which kind? To add an answer: a new file here, and a line in [`ALL`].

pub mod fixed;
pub mod limits;
pub mod look_ahead;
pub mod pid;
pub mod rules;

use crate::policy::{Controller, Entry};

/// All scaling policies.
pub const ALL: &[Entry<dyn Controller>] =
    &[fixed::ENTRY, rules::ENTRY, pid::THROUGHPUT, pid::SIZE, look_ahead::ENTRY];
