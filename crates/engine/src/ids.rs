//! Names of things: small integers, each with a type of its own, so that a job is never taken for a worker.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty), $word:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub $inner);

        impl $name {
            /// This id as a place in a dense table.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, " {}"), self.0)
            }
        }

        impl crate::table::Key for $name {
            fn number(self) -> u64 {
                u64::from(self.0)
            }
        }
    };
}

id!(
    /// Who submits and pays.
    TenantId(u32),
    "tenant"
);
id!(
    /// A type of task.
    AppId(u32),
    "app"
);
id!(
    /// A kind of worker: what it costs and how fast it is.
    KindId(u32),
    "kind"
);
id!(
    /// A pool of workers.
    PoolId(u32),
    "pool"
);
id!(
    /// An end user for whose request a job is done.
    ClientId(u32),
    "client"
);
id!(
    /// A person or a machine. Never given twice.
    WorkerId(u32),
    "worker"
);
id!(
    /// An order to recruit, of which some workers may have come and some not yet.
    RecruitId(u32),
    "recruit order"
);
id!(
    /// What a tenant submitted. Never given twice; a smaller number was submitted earlier.
    JobId(u64),
    "job"
);
id!(
    /// The fencing token of a lease: a later lease has a larger one.
    Token(u64),
    "lease"
);

/// A task: the job it belongs to and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TaskId {
    /// The job.
    pub job: JobId,
    /// The place in the job, from 0.
    pub index: u32,
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "task {}/{}", self.job.0, self.index)
    }
}
