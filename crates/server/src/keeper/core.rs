//! What the keeper's thread does: begin a group, work, commit, let out.
//!
//! Invariant: what is let out is durable. If the disk is full the group is dropped, the engine is rebuilt from what is durable,
//! and reads go on until writing works again; any other failure of the journal ends the thread.

use std::sync::Arc;
use std::sync::RwLock;
use std::sync::atomic::AtomicU8;
use std::time::Duration;

use muster_engine::engine::Engine;
use muster_engine::{Command, Time};
use tokio::sync::watch;

use super::desk::Desk;
use super::group::Group;
use super::turn::{Look, Turn};
use super::{Commits, Condition, Letter, Limits, Shared, Staffing, recover};
use crate::access::Tokens;
use crate::clock::Clock;
use crate::journal::{Batch, Journal, JournalError};
use crate::payload::Cache;
use crate::snapshot::Snapshots;

/// Engine, journal and desk.
pub struct Core {
    engine: Engine,
    journal: Box<dyn Journal>,
    desk: Desk,
    shared: Arc<Shared>,
    limits: Limits,
    group: Group,
    now: Time,
    snapshots: Snapshots,
}

/// While the disk is full, writing is tried so often.
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// While a snapshot is being made, it is looked after so often.
const SNAPSHOT_PAUSE: Duration = Duration::from_millis(20);

impl Core {
    /// Everything as the journal has it.
    pub fn recover(journal: Box<dyn Journal>, clock: Clock, limits: Limits) -> Result<Self, JournalError> {
        let reader = journal.reader();
        let engine = rebuild(&*journal, limits)?;
        let (desk, tokens) = recover::desk(&*reader)?;
        let clock = clock.not_before(engine.state().now());
        let shared = Arc::new(Shared {
            tokens: Tokens::new(&tokens),
            cache: Cache::default(),
            reader: Arc::clone(&reader),
            clock,
            limits,
            durable: watch::Sender::new(journal.end()),
            staffing: watch::Sender::new(Staffing::default()),
            commits: Commits::default(),
            closing: watch::Sender::new(false),
            directory: RwLock::new(Arc::clone(&desk.directory)),
            condition: AtomicU8::new(Condition::Running as u8),
        });
        let snapshots = Snapshots::new(reader, journal.seed(), limits.snapshot_every)?;
        let group = Group::new(journal.end());
        let mut core = Self { engine, journal, desk, shared, limits, group, now: Time::ZERO, snapshots };
        core.tick();
        core.resume();
        core.begin();
        core.commit()?;
        Ok(core)
    }

    /// Goes on after standing still: leases run on, and waiting in between is not paid.
    fn resume(&mut self) {
        let since = self.engine.state().now();
        let restarted = self.engine.restarted().to_vec();
        if self.engine.state().facts() == 0 {
            return;
        }
        let resumed = self.turn().command(Command::Resume(since, restarted));
        debug_assert!(resumed.is_ok(), "going on is never refused: {resumed:?}");
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// How long there is nothing to do unless somebody wants something.
    pub(super) fn sleep(&self) -> Duration {
        if self.shared.condition() == Condition::Full {
            return TRY_AGAIN;
        }
        let due = self.shared.clock.until(self.engine.next_due());
        if self.snapshots.is_busy() { due.min(SNAPSHOT_PAUSE) } else { due }
    }

    /// Starts a group; what is due by now comes first.
    pub(super) fn begin(&mut self) {
        self.tick();
        let full = self.shared.condition() == Condition::Full;
        if !full && self.engine.next_due().is_some_and(|due| due <= self.now) {
            let woken = self.turn().command(Command::Wake);
            debug_assert!(woken.is_ok(), "waking is never refused: {woken:?}");
        }
    }

    fn tick(&mut self) {
        self.now = self.shared.clock.now().max(self.engine.state().now());
    }

    fn turn(&mut self) -> Turn<'_> {
        Turn {
            engine: &mut self.engine,
            desk: &mut self.desk,
            group: &mut self.group,
            now: self.now,
            shared: &self.shared,
            limits: self.limits,
        }
    }

    pub(super) fn work(&mut self, work: impl FnOnce(&mut Turn<'_>) -> Letter) {
        if self.shared.condition() == Condition::Full {
            return;
        }
        self.group.works += 1;
        let letter = work(&mut self.turn());
        self.group.letters.push(letter);
    }

    pub(super) fn glance(&mut self, glance: impl FnOnce(&Look<'_>) -> Letter) {
        let look = Look { engine: &self.engine, desk: &self.desk, now: self.now, shared: &self.shared };
        let letter = glance(&look);
        self.group.letters.push(letter);
    }

    /// Makes the group durable and lets it out.
    pub(super) fn commit(&mut self) -> Result<(), JournalError> {
        if self.shared.condition() == Condition::Full && !self.is_room()? {
            let group = std::mem::replace(&mut self.group, Group::new(self.journal.end()));
            group.letters.into_iter().for_each(|letter| letter());
            return Ok(());
        }
        let end = self.group.facts.end();
        let group = std::mem::replace(&mut self.group, Group::new(end));
        let mut changes = group.changes;
        changes.extend(group.answers.into_changes());
        let batch = Batch { facts: group.facts, changes };
        if !batch.is_empty() {
            let began = self.shared.clock.now();
            match self.journal.append(&batch) {
                Ok(()) => {
                    self.shared.commits.times.count(self.shared.clock.now().since(began).0);
                    self.shared.commits.sizes.count(group.works);
                }
                Err(JournalError::Full) => return self.stand_still(),
                Err(error) => {
                    // Said before the letters are dropped: those who wait for them ask why.
                    self.shared.set_condition(Condition::Stopped);
                    return Err(error);
                }
            }
        }
        if batch.facts.count > 0 {
            self.shared.durable.send_replace(end);
        }
        if group.staffing {
            let first = batch.facts.first;
            self.shared.staffing.send_modify(|it| *it = Staffing { count: it.count + 1, first });
        }
        if group.directory_changed {
            self.shared.publish(&self.desk.directory);
        }
        group.letters.into_iter().for_each(|letter| letter());
        group.happened.iter().for_each(|happened| self.desk.tell(happened));
        self.snapshots.follow(end, &mut *self.journal)
    }

    /// The disk is full: back to what is durable, and wait.
    fn stand_still(&mut self) -> Result<(), JournalError> {
        self.shared.set_condition(Condition::Full);
        let waiting = std::mem::take(&mut self.desk.waiting);
        let watching = std::mem::take(&mut self.desk.watching);
        self.engine = rebuild(&*self.journal, self.limits)?;
        self.desk = recover::desk(&*self.shared.reader)?.0;
        (self.desk.waiting, self.desk.watching) = (waiting, watching);
        self.group = Group::new(self.journal.end());
        Ok(())
    }

    /// Tries whether the disk takes something again; then goes on as after any standstill.
    fn is_room(&mut self) -> Result<bool, JournalError> {
        let key = crate::keys::named(crate::keys::Sort::Cursor, b"room");
        let facts = crate::frame::start(self.journal.end());
        let probe = |value| Batch { facts: facts.clone(), changes: vec![(key.clone(), value)] };
        match self.journal.append(&probe(Some(vec![0; 64 * 1024]))) {
            Ok(()) => {}
            Err(JournalError::Full) => return Ok(false),
            Err(error) => return Err(error),
        }
        self.journal.append(&probe(None))?;
        self.shared.set_condition(Condition::Running);
        self.resume();
        Ok(true)
    }

    /// Everything is done: a last snapshot makes the next start quick.
    pub(super) fn finish(&mut self) -> Result<(), JournalError> {
        self.snapshots.last(&self.engine, &mut *self.journal)
    }
}

fn rebuild(journal: &dyn Journal, limits: Limits) -> Result<Engine, JournalError> {
    let mut engine = recover::engine(&*journal.reader(), journal.seed())?;
    engine.limit_tasks_per_job(limits.tasks_per_job);
    Ok(engine)
}
