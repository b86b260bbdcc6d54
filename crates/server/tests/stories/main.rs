//! Stories of the HTTP API, told against a real server on a port of its own. How they are written: see `stage`.

#![allow(dead_code, reason = "each story uses what it needs")]

mod client;
mod hooks;
mod isolation;
mod jobs;
mod money;
mod once;
mod operations;
mod stage;
mod workers;
