//! The formulas, as pure functions of numbers. They know no pool and no policy.
//!
//! One file per family; each says where it comes from, where it holds and how long it takes. Rates are per any one unit of
//! time, the same for all arguments. Functions are total: outside their range they return what the limit would be
//! (infinity, zero, `None`), never a panic. "Cioppino" is the paper on multi-tenant crowd pools, "HIT scheduling" the one on
//! fair shares of a crowd, "patience" the one on autoscaling by the patience of users.

pub mod backlog;
pub mod balance;
pub mod erlang;
pub mod erlang_a;
pub mod patience;
pub mod pid;
pub mod pool_size;
pub mod recruit;
pub mod share;
pub mod target;
pub mod windows;
