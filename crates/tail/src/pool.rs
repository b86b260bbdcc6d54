//! The pool: threads, a policy, and the door for requests. Start at [`Pool::builder`].

use crate::admission::{Admission, Late, WhenLate, decide};
use crate::clock::ms;
use crate::deque;
use crate::handle::{Handle, Packet, Task};
use crate::policy::{Goal, Load, StealFirst, TailPolicy};
use crate::registry::{Registry, Slot};
use crate::request::{Request, Root, Terms};
use crate::sync::{Builder as ThreadBuilder, JoinHandle};
use crate::worker::Worker;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Threads at most; more is surely a mistake.
const THREADS_MAX: usize = 1024;

/// Threads that run parallel requests under a policy.
///
/// Dropping it waits for all requests; see [`Builder::abort_on_drop`] and [`Pool::abort`].
pub struct Pool {
    registry: Arc<Registry>,
    threads: Vec<JoinHandle<()>>,
    abort_on_drop: bool,
}

/// How a pool is to be; see [`Pool::builder`].
pub struct Builder {
    threads: Option<usize>,
    spares: Option<usize>,
    policy: Box<dyn TailPolicy>,
    abort_on_drop: bool,
}

/// Why there is no pool.
#[derive(Debug)]
pub enum BuildError {
    /// No threads, or more than a machine can use.
    Threads {
        /// How many were asked for.
        asked: usize,
        /// How many are allowed at most, from 1.
        allowed_max: usize,
    },
    /// The system would not start a thread.
    Spawn(std::io::Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threads { asked, allowed_max } => {
                write!(f, "a pool of {asked} threads: allowed are 1 to {allowed_max}")
            }
            Self::Spawn(error) => write!(f, "the system would not start a thread: {error}"),
        }
    }
}

impl std::error::Error for BuildError {}

/// How a request is to be treated; see [`Pool::request_with`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    goal: Goal,
    weight: f64,
    work: Option<Duration>,
    when_late: WhenLate,
}

impl Default for Options {
    fn default() -> Self {
        Self { goal: Goal::Usual, weight: 1.0, work: None, when_late: WhenLate::Queue }
    }
}

impl Options {
    /// The policy's own target, weight 1, queued even if late.
    pub fn new() -> Self {
        Self::default()
    }

    /// A target latency of its own.
    #[must_use]
    pub fn target(self, target: Duration) -> Self {
        Self { goal: Goal::Within(target.as_secs_f64() * 1e3), ..self }
    }

    /// No target: it begins when no request with a target waits (but at least every 16th time), and runs on one core
    /// while the machine is crowded.
    #[must_use]
    pub fn batch(self) -> Self {
        Self { goal: Goal::Batch, ..self }
    }

    /// How much a miss counts: a request of weight 2 may do twice the work before it is given up.
    ///
    /// # Panics
    /// If the weight is not above 0 and finite.
    #[must_use]
    pub fn weight(self, weight: f64) -> Self {
        assert!(weight > 0.0 && weight.is_finite(), "a weight of {weight}: it must be above 0 and finite");
        Self { weight, ..self }
    }

    /// How much work it will be, in time on one core; for [`crate::KnownWork`].
    #[must_use]
    pub fn work(self, work: Duration) -> Self {
        Self { work: Some(work), ..self }
    }

    /// What to do if its target can no longer be met.
    #[must_use]
    pub fn when_late(self, when_late: WhenLate) -> Self {
        Self { when_late, ..self }
    }
}

/// Counts of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// How crowded it is now.
    pub load: Load,
    /// Requests that have ended, in whatever way.
    pub finished: u64,
    /// Requests that were given up while they ran.
    pub given_up: u64,
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("threads", &self.threads)
            .field("policy", &self.policy.name())
            .finish()
    }
}

impl Builder {
    /// How many threads; otherwise one for each core.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Spare threads, which work only while others are blocked in a join; otherwise one less than threads.
    #[must_use]
    pub fn spare_threads(self, spares: usize) -> Self {
        Self { spares: Some(spares), ..self }
    }

    /// The policy; otherwise [`StealFirst`].
    #[must_use]
    pub fn policy(self, policy: impl TailPolicy) -> Self {
        Self { policy: Box::new(policy), ..self }
    }

    /// Dropping the pool cancels its requests instead of waiting for them.
    #[must_use]
    pub fn abort_on_drop(self) -> Self {
        Self { abort_on_drop: true, ..self }
    }

    /// Starts the threads.
    ///
    /// # Errors
    /// If the number of threads is out of range, or the system will not start them.
    pub fn build(self) -> Result<Pool, BuildError> {
        let asked =
            self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let spares = self.spares.unwrap_or(asked.saturating_sub(1));
        if asked == 0 || asked.max(spares) > THREADS_MAX {
            return Err(BuildError::Threads { asked: asked.max(spares), allowed_max: THREADS_MAX });
        }
        let deques: Vec<_> = (0..asked + spares).map(|_| deque::new()).collect();
        let alone = deques.len() == 1;
        let slots = deques.iter().map(|deque| Slot::new(deque.stealer(), alone)).collect();
        let registry = Arc::new(Registry::new(self.policy, asked, slots));
        let mut pool = Pool { registry, threads: Vec::new(), abort_on_drop: self.abort_on_drop };
        for (index, deque) in deques.into_iter().enumerate() {
            let thread = start(pool.registry.clone(), index, deque).map_err(BuildError::Spawn)?;
            pool.threads.push(thread);
        }
        Ok(pool)
    }
}

fn start(
    registry: Arc<Registry>,
    index: usize,
    deque: deque::Deque<crate::job::JobRef>,
) -> std::io::Result<JoinHandle<()>> {
    let is_spare = index >= registry.threads;
    let name = if is_spare { format!("tail-spare-{index}") } else { format!("tail-{index}") };
    ThreadBuilder::new().name(name).spawn(move || {
        let worker = Worker::new(registry, index, deque);
        worker.inhabit(|worker| if is_spare { worker.live_as_spare() } else { worker.live() });
    })
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policy = self.registry.policy.name();
        f.debug_struct("Pool").field("threads", &self.registry.threads).field("policy", &policy).finish()
    }
}

impl Pool {
    /// A pool as you want it.
    pub fn builder() -> Builder {
        Builder { threads: None, spares: None, policy: Box::new(StealFirst), abort_on_drop: false }
    }

    /// Runs the closure as a request: inside, [`crate::join`], [`crate::scope`] and the parallel loops use the pool.
    /// From any thread.
    pub fn request<T, F>(&self, func: F) -> Handle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        self.submit(&Options::default(), false, func)
    }

    /// The same with a target, a weight and so on.
    ///
    /// # Errors
    /// If the target can no longer be met and [`WhenLate::Shed`] was asked for.
    pub fn request_with<T, F>(&self, options: &Options, func: F) -> Result<Handle<T>, Late>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let load = self.registry.load();
        match decide(&*self.registry.policy, &load, options.goal, options.when_late) {
            Admission::Shed(late) => Err(late),
            Admission::Degrade(_) => Ok(self.submit(options, true, func)),
            Admission::Admit => Ok(self.submit(options, false, func)),
        }
    }

    /// Runs the closure as a request and waits for it; so it may borrow.
    ///
    /// # Panics
    /// With the closure's panic.
    pub fn run<T, F>(&self, func: F) -> T
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        let packet = Arc::new(Packet::new());
        let root: Box<dyn Root + '_> = Box::new(Task::new(func, packet.clone()));
        // SAFETY: only the lifetime changes. `wait` below returns (or unwinds) only after the root has been consumed, so
        // nothing that it borrows is used after this call.
        let root = unsafe { std::mem::transmute::<Box<dyn Root + '_>, Box<dyn Root + 'static>>(root) };
        let request = self.enqueue(&Options::default(), false, root);
        Handle::new(packet, request, self.registry.clone()).wait()
    }

    fn submit<T, F>(&self, options: &Options, degraded: bool, func: F) -> Handle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let packet = Arc::new(Packet::new());
        let request = self.enqueue(options, degraded, Box::new(Task::new(func, packet.clone())));
        Handle::new(packet, request, self.registry.clone())
    }

    fn enqueue(&self, options: &Options, degraded: bool, root: Box<dyn Root>) -> Arc<Request> {
        let registry = &self.registry;
        let terms = Terms {
            goal: options.goal,
            weight: options.weight,
            work_known: options.work.map(|work| ms(work.as_nanos() as u64)),
            degraded,
        };
        let request = Arc::new(Request::new(registry.next_id(), registry.clock.now(), &terms, root));
        registry.submit(request.clone());
        request
    }

    /// Counts so far.
    pub fn stats(&self) -> Stats {
        let (finished, given_up) = self.registry.totals();
        Stats { load: self.registry.load(), finished, given_up }
    }

    /// How many threads work at once.
    pub fn threads(&self) -> usize {
        self.registry.threads
    }

    /// Cancels all requests and waits until those that run have noticed.
    pub fn abort(mut self) {
        self.abort_on_drop = true;
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.registry.close(self.abort_on_drop);
        for thread in self.threads.drain(..) {
            // A worker never panics: what it runs is caught. If it did, the panic has been reported already.
            let _ = thread.join();
        }
    }
}
