//! `rules`: as in scaling, but asked before it, and by default only to make up for people who leave.

use crate::policy::{Controller, Entry};

/// How it is named and started.
pub const ENTRY: Entry<dyn Controller> = crate::policy::scaling::rules::REPLACEMENT;
