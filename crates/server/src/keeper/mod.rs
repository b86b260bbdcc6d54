//! The keeper: one thread owns engine, journal and directory, and everything that changes goes through it.
//!
//! Work that waits is taken as a group; its facts and blobs are appended in one durable transaction, and only then are
//! replies, leases and streams let out. So nothing that anybody sees is ahead of the journal. Does not know HTTP.
//! Start at [`Keeper::turn`] to do something and at [`Keeper::look`] to see something; [`core`] is what the thread does.

pub mod core;
pub mod desk;
pub mod group;
pub mod recover;
pub mod turn;

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;

use tokio::sync::{oneshot, watch};

use crate::access::Tokens;
use crate::clock::Clock;
use crate::directory::Directory;
use crate::histogram::{Histogram, SIZES, TIMES};
use crate::journal::{Journal, JournalError, Reader};
use crate::payload::Cache;
use core::Core;
use turn::{Look, Turn};

/// What is let out when a group is durable.
pub type Letter = Box<dyn FnOnce() + Send>;
type Work = Box<dyn FnOnce(&mut Turn<'_>) -> Letter + Send>;
type Glance = Box<dyn FnOnce(&Look<'_>) -> Letter + Send>;

enum Message {
    Work(Work),
    Glance(Glance),
    Stop,
}

/// Why nothing was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// Too much waits already.
    Busy,
    /// The disk is full.
    Full,
    /// The server is stopping, or has stopped.
    Stopped,
    /// It was dropped before it was durable.
    Lost,
}

/// How the keeper stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Condition {
    /// All is well.
    Running = 0,
    /// The disk is full: reads only.
    Full = 1,
    /// Nothing more is taken.
    Stopped = 2,
}

/// What all threads see: durable things only.
pub struct Shared {
    /// Tokens and what they allow.
    pub tokens: Tokens,
    /// Payloads used lately.
    pub cache: Cache,
    /// Reads the journal.
    pub reader: Arc<dyn Reader>,
    /// What time it is.
    pub clock: Clock,
    /// What the keeper may take on.
    pub limits: Limits,
    /// The number of the fact after the last durable one, for those who follow.
    pub durable: watch::Sender<u64>,
    /// The last durable group in which workers were called for, came or went, for those who see to that.
    pub staffing: watch::Sender<Staffing>,
    /// How groups were made durable.
    pub commits: Commits,
    /// Whether the server is about to stop: those who wait for something should not wait any longer.
    pub closing: watch::Sender<bool>,
    directory: RwLock<Arc<Directory>>,
    condition: AtomicU8,
}

impl Shared {
    /// The directory as it is.
    #[must_use]
    pub fn directory(&self) -> Arc<Directory> {
        Arc::clone(&self.directory.read().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    pub(crate) fn publish(&self, directory: &Arc<Directory>) {
        *self.directory.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Arc::clone(directory);
    }

    /// How the keeper stands.
    #[must_use]
    pub fn condition(&self) -> Condition {
        match self.condition.load(Ordering::SeqCst) {
            0 => Condition::Running,
            1 => Condition::Full,
            _ => Condition::Stopped,
        }
    }

    pub(crate) fn set_condition(&self, condition: Condition) {
        self.condition.store(condition as u8, Ordering::SeqCst);
    }
}

/// The last group in which workers were called for, came or went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Staffing {
    /// How many such groups there were since the start.
    pub count: u64,
    /// The number of its first fact.
    pub first: u64,
}

/// How groups were made durable.
#[derive(Debug)]
pub struct Commits {
    /// How long it took, in nanoseconds.
    pub times: Histogram,
    /// How many works were in a group.
    pub sizes: Histogram,
}

impl Default for Commits {
    fn default() -> Self {
        Self { times: Histogram::new(TIMES), sizes: Histogram::new(SIZES) }
    }
}

/// What a keeper may take on.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Messages that may wait.
    pub queue: usize,
    /// Messages handled as one group.
    pub group: usize,
    /// Tasks per job.
    pub tasks_per_job: u32,
    /// Tasks of one tenant that are not done.
    pub tasks_per_tenant: u64,
    /// A snapshot is made after so many facts.
    pub snapshot_every: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            queue: 4096,
            group: 1024,
            tasks_per_job: 1_000_000,
            tasks_per_tenant: 10_000_000,
            snapshot_every: 1_000_000,
        }
    }
}

/// A handle to the keeper's thread. Clones are the same keeper.
#[derive(Clone)]
pub struct Keeper {
    queue: SyncSender<Message>,
    /// What all threads see.
    pub shared: Arc<Shared>,
}

/// The thread, to wait for.
pub struct Running(JoinHandle<Result<(), JournalError>>);

impl Running {
    /// Waits until the thread has ended; an error says why it could not go on.
    pub fn join(self) -> Result<(), JournalError> {
        let ended = self.0.join();
        ended.unwrap_or_else(|_| {
            Err(JournalError::Failed("the keeper's thread ended unexpectedly".to_owned()))
        })
    }

    /// Whether the thread has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.0.is_finished()
    }
}

impl Keeper {
    /// Recovers what the journal holds and starts the thread.
    pub fn start(
        journal: Box<dyn Journal>,
        clock: Clock,
        limits: Limits,
    ) -> Result<(Self, Running), JournalError> {
        let core = Core::recover(journal, clock, limits)?;
        let shared = Arc::clone(core.shared());
        let (queue, messages) = sync_channel(limits.queue);
        let thread = std::thread::Builder::new().name("keeper".to_owned());
        let thread = thread
            .spawn(move || run(core, &messages))
            .map_err(|error| JournalError::Failed(format!("no thread for the keeper: {error}")))?;
        Ok((Self { queue, shared }, Running(thread)))
    }

    /// Does something in the keeper's thread, and says what came of it once that is durable.
    pub async fn turn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Turn<'_>) -> T + Send + 'static,
    ) -> Result<T, Unavailable> {
        if self.shared.condition() == Condition::Full {
            return Err(Unavailable::Full);
        }
        let (reply, said) = oneshot::channel();
        let work: Work = Box::new(move |turn| {
            let out = work(turn);
            Box::new(move || drop(reply.send(out)))
        });
        self.send(Message::Work(work))?;
        said.await.map_err(|_| self.why_not())
    }

    /// Looks at something in the keeper's thread; what is seen is durable when it is said.
    pub async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Look<'_>) -> T + Send + 'static,
    ) -> Result<T, Unavailable> {
        let (reply, said) = oneshot::channel();
        let glance: Glance = Box::new(move |it| {
            let out = look(it);
            Box::new(move || drop(reply.send(out)))
        });
        self.send(Message::Glance(glance))?;
        said.await.map_err(|_| self.why_not())
    }

    /// Everything that waits is done, then the thread ends.
    pub async fn stop(&self) {
        let mut message = Message::Stop;
        while let Err(TrySendError::Full(back)) = self.queue.try_send(message) {
            message = back;
            tokio::task::yield_now().await;
        }
    }

    fn send(&self, message: Message) -> Result<(), Unavailable> {
        self.queue.try_send(message).map_err(|error| match error {
            TrySendError::Full(_) => Unavailable::Busy,
            TrySendError::Disconnected(_) => Unavailable::Stopped,
        })
    }

    fn why_not(&self) -> Unavailable {
        match self.shared.condition() {
            Condition::Running => Unavailable::Lost,
            Condition::Full => Unavailable::Full,
            Condition::Stopped => Unavailable::Stopped,
        }
    }
}

/// The thread: group after group, until it is told to stop or cannot go on.
fn run(mut core: Core, messages: &Receiver<Message>) -> Result<(), JournalError> {
    let shared = Arc::clone(core.shared());
    let ended = turn_it(&mut core, messages);
    shared.set_condition(Condition::Stopped);
    ended
}

fn turn_it(core: &mut Core, messages: &Receiver<Message>) -> Result<(), JournalError> {
    loop {
        let mut next = match messages.recv_timeout(core.sleep()) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Message::Stop),
        };
        let mut stop = false;
        core.begin();
        for _ in 0..core.limits().group {
            match next {
                Some(Message::Work(work)) => core.work(work),
                Some(Message::Glance(glance)) => core.glance(glance),
                Some(Message::Stop) => {
                    stop = true;
                    break;
                }
                None => break,
            }
            next = messages.try_recv().ok();
        }
        core.commit()?;
        if stop {
            return core.finish();
        }
    }
}
