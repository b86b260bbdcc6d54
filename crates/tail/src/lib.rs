//! Work in progress.

pub mod admission;
pub mod lanes;
pub mod policy;
pub mod profile;
pub mod sim;
pub mod table;
pub mod work;

pub use policy::{Load, Progress, TailPolicy};
