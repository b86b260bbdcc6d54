//! Balance: should idle workers move to another pool? One policy looks at all pools that take part.
//! To add an answer: a new file here, and a line in [`ALL`].

pub mod none;

use crate::policy::{Controller, Entry};

/// All balance policies.
pub const ALL: &[Entry<dyn Controller>] = &[none::ENTRY];
