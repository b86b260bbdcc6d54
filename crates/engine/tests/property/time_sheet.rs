//! A worker's paid time, added up in nanoseconds from the facts; pay is that times the wage, rounded down once.

use muster_engine::Time;
use muster_engine::fact::Wages;
use muster_engine::money::Money;
use muster_engine::spec::Role;

const HOUR: u128 = 3_600_000_000_000;

/// What the worker is paid for now.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Doing {
    Nothing,
    Waiting(Time),
    Training(Time),
}

/// The time sheet of one worker.
#[derive(Debug)]
pub(crate) struct TimeSheet {
    wage_waiting: u128,
    wage_training: u128,
    doing: Doing,
    waited: u128,
    trained: u128,
    paid: Wages,
}

impl TimeSheet {
    pub(crate) fn new(role: Role) -> Self {
        let (wage_waiting, wage_training) = match role {
            Role::Person { wage_waiting, wage_training } => (wage_waiting.0 as u128, wage_training.0 as u128),
            Role::Machine { .. } => (0, 0),
        };
        let paid = Wages::default();
        Self { wage_waiting, wage_training, doing: Doing::Nothing, waited: 0, trained: 0, paid }
    }

    /// All that was paid so far.
    pub(crate) fn paid(&self) -> Money {
        self.paid.total()
    }

    pub(crate) fn wait(&mut self, now: Time) {
        self.stop(now);
        self.doing = Doing::Waiting(now);
    }

    pub(crate) fn train(&mut self, now: Time) {
        self.stop(now);
        self.doing = Doing::Training(now);
    }

    pub(crate) fn stop(&mut self, now: Time) {
        self.add_up(now);
        self.doing = Doing::Nothing;
    }

    /// The time from `since` to `now` is not paid.
    pub(crate) fn gap(&mut self, since: Time, now: Time) {
        self.add_up(since);
        match &mut self.doing {
            Doing::Nothing => {}
            Doing::Waiting(from) | Doing::Training(from) => *from = now,
        }
    }

    /// Counts the time up to `now`.
    fn add_up(&mut self, now: Time) {
        match &mut self.doing {
            Doing::Nothing => {}
            Doing::Waiting(from) => {
                self.waited += u128::from(now.since(*from).0);
                *from = now;
            }
            Doing::Training(from) => {
                self.trained += u128::from(now.since(*from).0);
                *from = now;
            }
        }
    }

    /// The worker is paid; with what was paid before that must be all that is due.
    pub(crate) fn pay(&mut self, now: Time, owed: Wages) {
        self.add_up(now);
        self.paid.waiting += owed.waiting;
        self.paid.training += owed.training;
        assert_eq!(self.paid.waiting.0 as u128, self.waited * self.wage_waiting / HOUR, "pay for waiting");
        assert_eq!(self.paid.training.0 as u128, self.trained * self.wage_training / HOUR, "for training");
    }
}
