//! The live server as users run it: a real process on a real file, asked over HTTP, killed, filled up, damaged, told to stop.
//!
//! Longer with MUSTER_LONG=1. A failing random run prints the seed that repeats its load.

#![allow(clippy::print_stdout, reason = "what is skipped, and how to repeat a run, is said")]

mod books;
mod client;
mod clients;
mod crash;
mod demo;
mod dice;
mod disk;
mod load;
mod process;
mod stops;
mod workers;
