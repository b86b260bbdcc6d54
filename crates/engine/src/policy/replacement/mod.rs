//! Replacement: how do we make up for people who leave? To add an answer: a new file here, and a line in [`ALL`].

pub mod none;
pub mod rate;
pub mod rules;

use crate::policy::{Controller, Entry};

/// All replacement policies.
pub const ALL: &[Entry<dyn Controller>] = &[none::ENTRY, rules::ENTRY, rate::AVERAGE_RATE, rate::HYBRID];
