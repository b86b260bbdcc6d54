//! `none`: nobody is replaced.

use crate::policy::{Controller, Entry};

/// How it is named and started.
pub const ENTRY: Entry<dyn Controller> =
    Entry { about: "Nobody who leaves is replaced.", ..crate::policy::balance::none::ENTRY };
