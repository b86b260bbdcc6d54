//! The pages in a real browser: people work, requesters upload and download, operators look and change things, and nobody's
//! markup runs where it should not.
//!
//! Runs as a suite of `cargo xtask test`, which installs Debian's chromium and sets MUSTER_BROWSER=1; says that it was skipped
//! without. Pictures of every page: `cargo xtask screenshots`.

#![allow(clippy::print_stdout, reason = "what is skipped is said")]

mod chrome;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "../live/client.rs"]
mod client;
mod looks;
mod operations;
mod pictures;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "../live/process.rs"]
mod process;
mod safety;
mod tab;
mod work;
mod world;
