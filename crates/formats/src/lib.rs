//! Text in, jobs and traces out, and back.
//!
//! Opens no file and knows no clock: callers hand in text or a reader, and get values or refusals that name file, line,
//! field, value and what is allowed. No input makes it panic.
//!
//! | module | reads or writes |
//! |---|---|
//! | [`document`], [`policy`] | tables in TOML (and JSON), and the `[policy]` table in them |
//! | [`upload`], [`template`], [`form`], [`results`] | tasks in, pages and forms for workers, answers out |
//! | [`facts`] | the engine's facts as lines of JSON, there and back |
//! | [`trace`] | what happened elsewhere: assignments, arrivals, calls, CLAMShell's lists |
//! | [`quantity`], [`refusal`] | numbers with units; what is wrong with a file, and where |

pub mod document;
pub mod facts;
pub mod form;
mod gather;
mod lines;
pub mod policy;
pub mod quantity;
pub mod refusal;
pub mod results;
mod rows;
mod source;
pub mod template;
pub mod trace;
pub mod upload;
