//! What theory says, and what runs of the whole engine show: within three standard errors.
//!
//! Each test has random streams of its own, chosen once. An estimate must also be fine enough to tell anything: its
//! standard error is at most a stated share of the value. `MUSTER_LONG=1` raises the counts. Little's law is checked by
//! every run, to the nanosecond (see `drive`).

mod arrivals;
mod behaviour;
mod crowd;
mod flows;
mod queues;
mod support;
