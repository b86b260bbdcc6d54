//! The decisions: where an arriving request waits, what an idle worker tries first, and which requests are given
//! up. Pure: the real pool and the virtual machine of [`crate::sim`] ask the same objects the same questions.
//! Does not know threads or clocks; times are in the driver's unit (the pool: milliseconds).
//! Start at [`TailPolicy`]; one file per policy.

mod admit_first;
mod known_work;
mod random_placement;
mod steal_first;
mod tail_control;

pub use admit_first::AdmitFirst;
pub use known_work::KnownWork;
pub use random_placement::RandomPlacement;
pub use steal_first::StealFirst;
pub use tail_control::TailControl;

/// How crowded the machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Requests that have arrived and are not finished.
    pub active: usize,
    /// Those of them that no worker has begun.
    pub waiting: usize,
    /// Cores that serve them.
    pub cores: usize,
}

/// What a request is meant to achieve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Goal {
    /// The policy's own target.
    #[default]
    Usual,
    /// A target of its own.
    Within(f64),
    /// None: it runs when there is room (a batch request).
    Batch,
}

/// What is known about one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Time that all workers together have spent on it.
    pub processed: f64,
    /// Its whole work, if the caller said so.
    pub work_known: Option<f64>,
    /// What it is meant to achieve.
    pub goal: Goal,
    /// How much a miss of it counts; 1 is usual. A request of weight 2 may do twice the work before it is given up.
    pub weight: f64,
}

/// A request that has just finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finished {
    /// When it finished.
    pub now: f64,
    /// Time that all workers together have spent on it.
    pub work: f64,
    /// Time since it arrived.
    pub latency: f64,
}

/// Where an arriving request waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// In one queue for all workers.
    Shared,
    /// At the far end of a random worker's deque.
    RandomWorker,
}

/// What a worker without local work tries first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Help a request that has begun; begin a new one if there is nothing to steal.
    StealFirst,
    /// Begin a new request; help another if none waits.
    AdmitFirst,
}

/// How a request that has been given up comes down to one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Serialise {
    /// As the paper prints it: nobody joins any more; who holds a share finishes it.
    Lazy,
    /// Every worker looks at each leaf, and the queued pieces go to one worker.
    Prompt,
}

impl Progress {
    /// Nothing done yet, nothing known, usual goal and weight.
    pub fn fresh() -> Self {
        Self { processed: 0.0, work_known: None, goal: Goal::Usual, weight: 1.0 }
    }
}

/// A policy: small, shared by all workers, open to users. Every method has a default, which together make up
/// plain steal-first work stealing.
///
/// ```
/// use muster_tail::{Load, Pool, Progress, TailPolicy};
///
/// /// Gives up everything beyond five milliseconds of work while more than eight requests are active.
/// struct FiveWhenCrowded;
///
/// impl TailPolicy for FiveWhenCrowded {
///     fn name(&self) -> &str {
///         "five-when-crowded"
///     }
///     fn watches(&self) -> bool {
///         true
///     }
///     fn is_large(&self, load: &Load, request: &Progress) -> bool {
///         load.active > 8 && request.processed > 5.0
///     }
/// }
///
/// let pool = Pool::builder().threads(2).policy(FiveWhenCrowded).build().unwrap();
/// assert_eq!(pool.request(|| 6 * 7).wait(), 42);
/// ```
pub trait TailPolicy: Send + Sync + 'static {
    /// Its name, as a user would write it.
    fn name(&self) -> &str;

    /// Where an arriving request waits.
    fn placement(&self) -> Placement {
        Placement::Shared
    }

    /// What a worker without local work tries first.
    fn order(&self, _load: &Load) -> Order {
        Order::StealFirst
    }

    /// How a large request comes down to one core.
    fn serialise(&self) -> Serialise {
        Serialise::Prompt
    }

    /// Whether [`TailPolicy::is_large`] can ever say yes. If not, the driver saves itself the accounting.
    fn watches(&self) -> bool {
        false
    }

    /// Whether a running request is to be given up: once said, it holds until the request ends.
    fn is_large(&self, _load: &Load, _request: &Progress) -> bool {
        false
    }

    /// The same question when the request is about to begin.
    fn is_large_at_start(&self, _load: &Load, _request: &Progress) -> bool {
        false
    }

    /// How long a request that arrives now should expect to take, if the policy knows enough to say.
    fn latency_expected(&self, _load: &Load) -> Option<f64> {
        None
    }

    /// The target of a request with this goal, if it has one.
    fn target(&self, goal: Goal) -> Option<f64> {
        match goal {
            Goal::Within(target) => Some(target),
            Goal::Usual | Goal::Batch => None,
        }
    }

    /// A request has arrived.
    fn arrived(&self, _now: f64, _load: &Load, _goal: Goal) {}

    /// A request has finished.
    fn finished(&self, _finished: &Finished) {}
}

impl<P: TailPolicy + ?Sized> TailPolicy for std::sync::Arc<P> {
    fn name(&self) -> &str {
        (**self).name()
    }
    fn placement(&self) -> Placement {
        (**self).placement()
    }
    fn order(&self, load: &Load) -> Order {
        (**self).order(load)
    }
    fn serialise(&self) -> Serialise {
        (**self).serialise()
    }
    fn watches(&self) -> bool {
        (**self).watches()
    }
    fn is_large(&self, load: &Load, request: &Progress) -> bool {
        (**self).is_large(load, request)
    }
    fn is_large_at_start(&self, load: &Load, request: &Progress) -> bool {
        (**self).is_large_at_start(load, request)
    }
    fn latency_expected(&self, load: &Load) -> Option<f64> {
        (**self).latency_expected(load)
    }
    fn target(&self, goal: Goal) -> Option<f64> {
        (**self).target(goal)
    }
    fn arrived(&self, now: f64, load: &Load, goal: Goal) {
        (**self).arrived(now, load, goal);
    }
    fn finished(&self, finished: &Finished) {
        (**self).finished(finished);
    }
}
