//! Handles: the caller's end of a request. Block on it, await it, cancel it, or let it go.
//! Invariant: a handle is answered exactly once, whatever becomes of the request.

use crate::job::Payload;
use crate::registry::Registry;
use crate::request::{Request, Root};
use crate::sync::{Condvar, Mutex, lock};
use crate::worker::Worker;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// Why a request has no result.
pub enum Failure {
    /// It panicked; this is what it carried.
    Panicked(Box<dyn std::any::Any + Send>),
    /// It was cancelled before it was done.
    Cancelled,
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => write!(f, "the request was cancelled"),
            Self::Panicked(payload) => write!(f, "the request panicked: {}", message(payload)),
        }
    }
}

impl std::error::Error for Failure {}

fn message(payload: &Payload) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("(no text)")
}

/// What unwinds through a cancelled request; never seen by users.
pub(crate) struct Cancelled;

/// Where the result is left.
pub(crate) struct Packet<T> {
    state: Mutex<State<T>>,
    done: Condvar,
}

enum State<T> {
    Pending(Option<Waker>),
    Done(Result<T, Failure>),
    Taken,
}

impl<T> Packet<T> {
    pub(crate) fn new() -> Self {
        Self { state: Mutex::new(State::Pending(None)), done: Condvar::new() }
    }

    fn fill(&self, result: Result<T, Failure>) {
        let before = std::mem::replace(&mut *lock(&self.state), State::Done(result));
        self.done.notify_all();
        if let State::Pending(Some(waker)) = before {
            waker.wake();
        }
    }

    fn is_done(&self) -> bool {
        !matches!(*lock(&self.state), State::Pending(_))
    }

    fn take(&self) -> Result<T, Failure> {
        let mut state = lock(&self.state);
        while matches!(*state, State::Pending(_)) {
            state = self.done.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
        match std::mem::replace(&mut *state, State::Taken) {
            State::Done(result) => result,
            State::Pending(_) | State::Taken => unreachable!("a result is taken once, when it is there"),
        }
    }
}

/// A closure and the place of its result.
pub(crate) struct Task<F, T> {
    func: Option<F>,
    result: Result<T, Failure>,
    packet: Arc<Packet<T>>,
}

impl<F, T> Task<F, T> {
    pub(crate) fn new(func: F, packet: Arc<Packet<T>>) -> Self {
        Self { func: Some(func), result: Err(Failure::Cancelled), packet }
    }
}

impl<F: FnOnce() -> T + Send, T: Send> Root for Task<F, T> {
    fn run(&mut self) {
        let func = self.func.take().expect("a request runs once");
        self.result = catch_unwind(AssertUnwindSafe(func)).map_err(|payload| {
            if payload.is::<Cancelled>() { Failure::Cancelled } else { Failure::Panicked(payload) }
        });
    }

    fn finish(self: Box<Self>) {
        let Self { func, result, packet } = *self;
        // What the closure owns is gone before anyone learns of the end. A destructor that panics here belongs to a
        // closure that never ran; its panic has nobody to go to.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(func)));
        packet.fill(result);
    }
}

/// A request that is on its way. Dropping the handle lets it run to its end.
///
/// Awaiting it, or [`Handle::join`], gives `Result<T, Failure>`; [`Handle::wait`] passes a panic on.
pub struct Handle<T> {
    packet: Arc<Packet<T>>,
    request: Arc<Request>,
    registry: Arc<Registry>,
}

impl<T> Handle<T> {
    pub(crate) fn new(packet: Arc<Packet<T>>, request: Arc<Request>, registry: Arc<Registry>) -> Self {
        Self { packet, request, registry }
    }

    /// Blocks until the request has ended. Inside a request of the same pool, the worker runs the request itself if
    /// nobody has begun it, and else gives its core to others meanwhile.
    ///
    /// # Errors
    /// If the request panicked or was cancelled.
    pub fn join(self) -> Result<T, Failure> {
        if let Some(worker) = Worker::current_of(&self.registry) {
            worker.help_or_yield(&self.request, || self.packet.is_done(), || self.packet.take())
        } else {
            self.packet.take()
        }
    }

    /// Blocks until the request has ended and gives its result.
    ///
    /// # Panics
    /// With the request's panic, if it panicked; with a message, if it was cancelled.
    pub fn wait(self) -> T {
        match self.join() {
            Ok(value) => value,
            Err(Failure::Panicked(payload)) => resume_unwind(payload),
            Err(Failure::Cancelled) => panic!("waited for a request that was cancelled"),
        }
    }

    /// Asks the request to stop: it never begins if it has not, and otherwise unwinds at its next chunk of a loop,
    /// spawned task or [`crate::checkpoint`]. One that ends before it notices keeps its result.
    pub fn cancel(&self) {
        self.registry.cancel(&self.request);
    }

    /// Whether the request has ended.
    pub fn is_finished(&self) -> bool {
        self.packet.is_done()
    }

    /// Whether the policy has given the request up: it runs on one core.
    pub fn is_given_up(&self) -> bool {
        self.request.is_marked()
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("request", &self.request.id)
            .field("finished", &self.is_finished())
            .finish()
    }
}

impl<T> Future for Handle<T> {
    type Output = Result<T, Failure>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = lock(&self.packet.state);
        if let State::Pending(waker) = &mut *state {
            *waker = Some(context.waker().clone());
            return Poll::Pending;
        }
        match std::mem::replace(&mut *state, State::Taken) {
            State::Done(result) => Poll::Ready(result),
            State::Pending(_) | State::Taken => panic!("a handle was polled after it had given its result"),
        }
    }
}
