//! Text in, jobs and traces out, and back.
//!
//! Opens no file and knows no clock: callers hand in text or a reader, and get values or refusals that name file, line,
//! field, value and what is allowed. No input makes it panic.
//!
//! Start at [`document`] for tables in TOML, and at [`policy`] for the `[policy]` table in them.

pub mod document;
pub mod facts;
mod gather;
mod lines;
pub mod policy;
pub mod quantity;
pub mod refusal;
pub mod results;
mod source;
pub mod template;
pub mod upload;
