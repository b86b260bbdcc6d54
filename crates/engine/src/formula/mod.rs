//! The queueing formulas, as pure functions of numbers. They know no pool and no policy.
//!
//! Each says where it comes from and where it holds. Rates are per any one unit of time, the same for all arguments.

pub mod erlang;
pub mod patience;
pub mod pid;
pub mod pool_size;

#[cfg(test)]
mod vectors;
