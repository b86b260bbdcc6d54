//! Any sequence of commands keeps the invariants; facts alone rebuild the engine; inputs alone give the same facts.
//!
//! One binary with its own small outside ([`world`]), accounts kept from the facts alone ([`tracker`], [`ledger`]), a
//! recount of the state ([`check`]), replays ([`replay`]) and a naive second model that decides beside the engine
//! ([`naive`], [`predict`]). A failing run prints one line that reproduces it.
//! `MUSTER_LONG=1` raises the counts; `MUSTER_SEED=n` runs one seed alone.

mod census;
mod check;
mod dice;
mod drive;
mod edges;
mod jobs;
mod ledger;
mod naive;
mod nonsense;
mod predict;
mod replay;
mod setup;
mod time_sheet;
mod tracker;
mod world;
