//! The server of Muster: the engine in real time.
pub mod access;
pub mod clock;
pub mod directory;
pub mod frame;
pub mod http;
pub mod jobs;
pub mod journal;
pub mod keeper;
pub mod keys;
mod listen;
pub mod once;
pub mod payload;
pub mod problem;
pub mod serve;
pub mod snapshot;
pub mod wire;
