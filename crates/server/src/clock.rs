//! Time: the one file of the server that reads a clock.
//!
//! The engine's time is nanoseconds since 1970. A running server goes by the machine's steady clock, from the wall clock's
//! time at its start: if somebody sets the wall clock while the server runs, nothing expires and nothing goes back. At a
//! start the time of the last fact is the earliest that "now" can be. Invariant: [`Clock::now`] never goes back.

#![allow(clippy::disallowed_methods, reason = "the one file that reads a clock")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use muster_engine::{Span, Time};

/// Where the server's time comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's.
    Machine(Steady),
    /// Set by hand, for tests.
    ByHand(Hand),
}

/// A clock that is set by hand. If it is set back, time stands still until it has caught up.
#[derive(Clone, Debug)]
pub struct Hand {
    set: Arc<AtomicU64>,
    latest: Arc<AtomicU64>,
}

impl Hand {
    fn now(&self) -> Time {
        let set = self.set.load(Ordering::SeqCst);
        Time(self.latest.fetch_max(set, Ordering::SeqCst).max(set))
    }
}

/// The machine's steady clock, with what it stood at when the server started.
#[derive(Clone, Copy, Debug)]
pub struct Steady {
    origin: Instant,
    at_origin: Time,
}

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn machine() -> Self {
        Self::Machine(Steady { origin: Instant::now(), at_origin: wall() })
    }

    /// A clock that stands still until it is moved.
    #[must_use]
    pub fn by_hand(at: Time) -> (Self, Arc<AtomicU64>) {
        let set = Arc::new(AtomicU64::new(at.0));
        let hand = Hand { set: Arc::clone(&set), latest: Arc::new(AtomicU64::new(at.0)) };
        (Self::ByHand(hand), set)
    }

    /// The same clock, set forward so that it stands at `least` at least.
    #[must_use]
    pub fn not_before(self, least: Time) -> Self {
        match self {
            Self::Machine(mut steady) => {
                let late = least.since(steady.now());
                steady.at_origin = steady.at_origin + late;
                Self::Machine(steady)
            }
            Self::ByHand(hand) => {
                hand.latest.fetch_max(least.0, Ordering::SeqCst);
                Self::ByHand(hand)
            }
        }
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Time {
        match self {
            Self::Machine(steady) => steady.now(),
            Self::ByHand(hand) => hand.now(),
        }
    }

    /// How long a thread may sleep until `due`; a clock that is set by hand is looked at often.
    #[must_use]
    pub fn until(&self, due: Option<Time>) -> Duration {
        const LONGEST: Duration = Duration::from_secs(3600);
        match self {
            Self::Machine(_) => {
                due.map_or(LONGEST, |due| Duration::from_nanos(due.since(self.now()).0)).min(LONGEST)
            }
            Self::ByHand(_) => Duration::from_millis(1),
        }
    }
}

impl Steady {
    fn now(&self) -> Time {
        self.at_origin + Span(nanos(self.origin.elapsed()))
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// The wall clock's time; a clock set before 1970 counts as 1970.
fn wall() -> Time {
    Time(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_back_goes_on_from_the_last_fact() {
        let (clock, hand) = Clock::by_hand(Time(5));
        let clock = clock.not_before(Time(9));
        assert_eq!(clock.now(), Time(9));
        hand.store(20, Ordering::SeqCst);
        assert_eq!(clock.now(), Time(20));
        hand.store(3, Ordering::SeqCst);
        assert_eq!(clock.not_before(Time(10)).now(), Time(20));

        let ahead = Time(wall().0 + 3_600_000_000_000);
        assert!(Clock::machine().not_before(ahead).now() >= ahead);
    }
}
